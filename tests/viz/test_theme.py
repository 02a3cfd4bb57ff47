"""Colours by meaning: readable, and nowhere written a second time."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from ssl_core.viz import theme as themes
from ssl_core.viz.theme import DARK, LIGHT

ROOT = Path(__file__).parents[2]

# How dichromats see linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SIGHT = {
    "all cones": np.eye(3),
    "no red cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}


def linear_rgb(colour):
    value = np.array(themes.rgb(colour)) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(colour, other):
    """Contrast ratio of WCAG 2, from 1 to 21."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(weights @ linear_rgb(c)) for c in (colour, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour, sight):
    """CIE L*a*b* of a colour as seen with the given cones."""
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    seen = np.clip(SIGHT[sight] @ linear_rgb(colour), 0, 1)
    x, y, z = np.cbrt(to_xyz @ seen / to_xyz.sum(axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(colour, other, sight):
    return float(np.linalg.norm(lab(colour, sight) - lab(other, sight)))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_streamlit_draws_with_the_same_colours(theme):
    options = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))
    told = options["theme"][theme.name]
    assert told.pop("primaryColor") == theme.accent
    assert told.pop("backgroundColor") == theme.background
    assert told.pop("secondaryBackgroundColor") == theme.panel
    assert told.pop("textColor") == theme.ink
    assert told.pop("borderColor") == theme.line
    surfaces = {theme.background, theme.panel}
    assert set(told.pop("sidebar").values()) == surfaces
    assert not told


def test_style_sheets_have_no_colours_of_their_own():
    palette = (ROOT / "ssl_core/viz/theme.json").read_text("utf-8")
    sheets = [*ROOT.glob("stage/css/*.css"), *ROOT.glob("pages/_parts/**/*.css")]
    assert len(sheets) > 8
    for sheet in sheets:
        found = re.findall(r"#[0-9a-f]{6}\b", sheet.read_text("utf-8"))
        assert all(colour in palette for colour in found), sheet.name


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_text_colours_are_readable_on_every_surface(theme):
    for surface in (theme.background, theme.panel):
        for role in ("ink", "soft", "accent", "good", "warn", "bad"):
            # 4.5 : 1 is what WCAG asks of text, 3 : 1 of large text and lines.
            least = 4.5 if role in ("ink", "soft") else 3.0
            assert contrast(getattr(theme, role), surface) >= least, (role, surface)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_class_colours_are_seen_on_the_background(theme):
    for index in range(20):
        assert contrast(theme.class_colour(index), theme.background) >= 3.0, index


def field_colours(theme):
    """The fields at full strength, of every class, as the stage mixes them."""
    mixed = [themes.mix(theme.background, c, theme.strength) for c in theme.classes]
    return [theme.background, *mixed]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_points_stand_out_on_any_field(theme):
    """By their edge, which has 3 : 1 to the mark itself whatever lies around it; what
    is drawn without an edge, rings and the boundary, by its own colour."""
    marks = [theme.muted, *(theme.class_colour(i) for i in range(20))]
    for mark in marks:
        assert contrast(mark, theme.background) >= 3.0, mark
    for field in field_colours(theme):
        assert contrast(theme.ink, field) >= 3.0, field


def test_every_mark_has_an_edge_wide_enough_to_be_seen():
    source = (ROOT / "stage/js/points.js").read_text(encoding="utf-8")
    assert float(re.search(r"const HALO = ([\d.]+)", source).group(1)) >= 1.5
    assert "theme.background, HALO)" in source


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_twenty_classes_have_twenty_colours(theme):
    assert len({theme.class_colour(i) for i in range(20)}) == 20


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("sight", SIGHT)
def test_the_two_class_colours_stay_apart_for_every_eye(theme, sight):
    # A distance of 2.3 is just noticeable side by side.
    assert distance(theme.negative, theme.positive, sight) > 40


def test_mixing_goes_from_one_colour_to_the_other():
    assert themes.mix("#000000", "#ffffff", 0) == "#000000"
    assert themes.mix("#000000", "#ffffff", 1) == "#ffffff"
    assert themes.mix("#102030", "#304050", 0.5) == "#203040"
