"""Pictures of a view in files: text stays text, whatever the words are."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from halfmoon import hide_labels, load, make, stage
from halfmoon.views import trace_view
from halfmoon.views.pictures import drawing, picture
from halfmoon.views.pictures.sheet import SHARP, width_of, wrapped
from ssl_core.viz.theme import DARK, LIGHT, rgb
from tests.hostile import HOSTILE
from tests.rows import each

ROOT = Path(__file__).parents[2]
SMALL = (300, 225)
STRANGE = ("$x^2$", "a_b", "two\nrows\x00\x07", "ü & 😀 \ud83d", "]]>", "<!--")
KINDS = ("png", "svg", "pdf")


@cache
def view():
    """A few frames of a run with a line search and known truth."""
    moons = load("two_moons", n=60, noise=0.1, random_state=0)
    y = hide_labels(moons, n_labeled=4, random_state=0)
    trace = make("lapsvm_pcg", sigma=0.35, max_iter=8).trace(moons.X, y)
    return trace_view(trace, truth=moons.y, data="Two moons")


@cache
def annealed():
    moons = load("two_moons", n=40, noise=0.1, random_state=0)
    y = hide_labels(moons, n_labeled=4, random_state=0)
    return trace_view(make("da_kernel", sigma=0.35).trace(moons.X, y))


def texts(svg):
    """Rows of text of an SVG file."""
    root = ET.fromstring(svg)
    return [
        "".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text")
    ]


def words(svg):
    return " ".join(texts(svg))


def streams(pdf):
    """What is in the deflated parts of a PDF."""
    for part in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            yield zlib.decompress(part[1])
        except zlib.error:
            continue


def written(pdf):
    """Text of a PDF whose characters are those of Latin scripts."""
    shown = b"".join(s for s in streams(pdf) if b" TJ" in s or b" Tj" in s)
    parts = re.findall(rb"\(((?:\\.|[^\\()])*)\)", shown, re.DOTALL)
    return b"".join(parts).replace(b"\x00", b"").replace(b"\\", b"").decode("latin-1")


def colour_shares(png):
    colours = np.asarray(Image.open(BytesIO(png)).convert("RGB")).reshape(-1, 3)
    return lambda colour: np.mean((colours == rgb(colour)).all(axis=1))


# -- text ----------------------------------------------------------------------


def test_text_in_an_svg_is_text():
    svg = picture(view(), "svg", frame=3)
    found = words(svg)
    assert view().title in found
    assert "x₁" in texts(svg)
    assert "x₂" in texts(svg)
    assert f"t = 3 of {view().frame_t[-1]}" in texts(svg)
    assert view().captions[3] in found
    assert view().about in found
    assert "unlabelled" in texts(svg)
    assert re.search(rb"font-family: ?'?DejaVu Sans.*?, sans-serif", svg)


def test_text_in_a_pdf_can_be_searched():
    pdf = picture(view(), "pdf", frame=3)
    assert pdf.startswith(b"%PDF")
    assert b"/FontFile2" in pdf  # TrueType
    assert b"/Type3" not in pdf
    assert b"/ToUnicode" in pdf or b"/Subtype /TrueType" in pdf
    found = written(pdf).replace(" ", "")
    for text in (view().title, "Laplacian SVM, PCG", "unlabelled"):
        assert text.replace(" ", "") in found


def test_lines_are_lines_and_the_field_is_one_image():
    svg = picture(view(), "svg")
    assert svg.count(b"<image") == 1
    bare = picture(replace(view(), field=None), "svg")
    assert svg.count(b"<path") > bare.count(b"<path")
    assert b"<image" not in bare


@each("kind", KINDS)
def test_the_same_view_makes_the_same_bytes(kind):
    assert picture(view(), kind, frame=2) == picture(view(), kind, frame=2)


@each("what", ["stage", "Errors"])
def test_the_caption_can_be_left_out(what):
    svg = picture(view(), "svg", what=what, caption=False)
    assert "Halfmoon" not in words(svg)
    assert view().captions[-1] in words(svg)
    assert "Halfmoon" in words(picture(view(), "svg", what=what))


@each("text", (*HOSTILE, *STRANGE))
def test_words_of_strangers_are_drawn_as_they_are(text):
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    names = {"title": text, "about": text, "marks_name": text}
    names |= {"class_names": (text, "B"), "axis_names": (text, text)}
    captions = (text,) * view().n_frames
    shown = replace(view(), captions=captions, field=None, **names)
    svg = picture(shown, "svg", size=SMALL)
    root = ET.fromstring(svg)
    assert not [e for e in root.iter() if e.tag.rpartition("}")[2] == "script"]
    assert words(svg).count(plain) >= 5 or len(plain) > 30


@each("kind", KINDS)
def test_no_words_are_too_strange_for_a_file(kind):
    strange = " ".join(STRANGE)
    panel = stage.Curves(strange, (stage.Series(strange, np.arange(view().n_frames)),))
    shown = replace(view(), title=strange, about=strange, panels=(panel,))
    for what in ("stage", strange):
        assert picture(shown, kind, what=what, size=SMALL)


def test_long_words_break_and_nothing_is_wider_than_the_page():
    rows = wrapped("word " * 50 + "w" * 300, 200, 17)
    assert "".join(rows).replace(" ", "") == "word" * 50 + "w" * 300
    assert max(width_of(row, 17) for row in rows) <= 200
    long = "long" * 60
    shown = replace(
        view(), title=long, about=long, class_names=(long, "B"), axis_names=(long, long)
    )
    pixels = np.asarray(Image.open(BytesIO(picture(shown, "png"))).convert("RGB"))
    edge = 8 * SHARP
    for side in (pixels[:, :edge], pixels[:, -edge:], pixels[:edge], pixels[-edge:]):
        assert (side == rgb(LIGHT.background)).all()


# -- what is drawn -------------------------------------------------------------


def test_size_and_theme_are_those_asked_for():
    small, dark = (
        picture(view(), "png", size=SMALL),
        picture(view(), "png", theme="dark"),
    )
    size = Image.open(BytesIO(small)).size
    assert size[0] == SHARP * (300 + 48)
    assert colour_shares(dark)(DARK.background) > 0.1
    assert colour_shares(small)(LIGHT.background) > 0.1


def test_a_frame_shows_its_own_moment():
    svgs = [picture(view(), "svg", frame=i) for i in (0, 5)]
    assert [f"t = {i} of 8" in words(svg) for svg, i in zip(svgs, (0, 5), strict=True)]
    assert svgs[0] != svgs[1]
    assert picture(view(), "svg") == picture(view(), "svg", frame=view().n_frames - 1)


@each("what", [panel.title for panel in view().panels])
def test_every_panel_of_a_run_is_a_picture(what):
    svg = picture(view(), "svg", what=what, frame=4)
    assert what in texts(svg)
    assert "t = 4 of 8" in texts(svg)


def test_curves_have_their_axes_legend_and_colours():
    title = "Norms, relative to the start"
    panel = next(p for p in view().panels if p.title == title)
    svg = picture(view(), "svg", what=title)
    found = texts(svg)
    for series in panel.series:
        assert any(text.startswith(series.name) for text in found)
    assert "0.01" in found  # a logarithmic axis
    assert "iteration" in found
    assert "0 %" in texts(picture(view(), "svg", what="Errors"))
    png = picture(view(), "png", what=title)
    assert all(
        colour_shares(png)(c) > 0 for c in (LIGHT.accent, LIGHT.good, LIGHT.warn)
    )


@each("theme", drawing.THEMES)
def test_losses_are_drawn(theme):
    what = "Loss of an unlabelled point"
    found = texts(picture(annealed(), "svg", what=what, frame=3, theme=theme))
    assert "output f" in found
    assert any(text.startswith("T = ") for text in found)
    assert "−1" in found


def test_heat_maps_have_their_colours_and_names():
    T = view().n_frames
    rows = np.column_stack([np.zeros(T), np.full(T, 0.5), np.ones(T)])
    panel = stage.Heat("Beliefs", rows, ("Orange", "Blue"), rows=("a", "b", "c"))
    shown = replace(view(), panels=(panel,))
    share = colour_shares(picture(shown, "png", what="Beliefs"))
    assert min(share(LIGHT.negative), share(LIGHT.positive)) > 0.05
    assert {"a", "b", "c", "undecided"} <= set(
        texts(picture(shown, "svg", what="Beliefs"))
    )


def test_an_axis_of_its_own_with_jumps_and_a_floor_is_drawn():
    T = view().n_frames
    values = np.repeat(10.0 ** np.arange(-4, -4 + (T + 1) // 2), 2)[:T]
    values[0] = 0.0
    series = stage.Series("number", np.arange(T))
    panels = (stage.Curves("Numbers", (series,)),)
    shown = replace(view(), axis=stage.Axis(values, "gamma", 1e-4), panels=panels)
    found = texts(picture(shown, "svg", what="Numbers", frame=2))
    assert "gamma" in found
    assert "gamma = 0.001" in found


def test_predictions_mistakes_and_edges_are_shown_where_they_are_switched_on():
    toggles = ("predictions", "mistakes", "graph")
    png = picture(replace(view(), toggles=toggles), "png", frame=0)
    share, plain = colour_shares(png), colour_shares(picture(view(), "png", frame=0))
    assert share(LIGHT.bad) > plain(LIGHT.bad)
    assert share(LIGHT.muted) < plain(LIGHT.muted)
    found = words(picture(replace(view(), toggles=toggles), "svg"))
    assert "edges of the graph" in found
    assert "small: predicted" in found


def test_more_than_ten_classes_and_no_field():
    names = tuple(f"class {c}" for c in range(12))
    rng = np.random.default_rng(0)
    shown = stage.StageView(
        rng.normal(size=(24, 2)), np.arange(24) % 12, names, (-3, 3, -2, 2), [0, 1]
    )
    assert set(names) <= set(texts(picture(shown, "svg")))
    assert colour_shares(picture(shown, "png"))(LIGHT.class_colour(11)) > 0


def test_an_earlier_run_is_dotted():
    ghost = stage.Ghost("earlier run", view().field[0] + 0.3)
    png = picture(replace(view(), ghost=ghost), "png", frame=0)
    alone = picture(view(), "png", frame=0)
    assert colour_shares(png)(LIGHT.soft) > colour_shares(alone)(LIGHT.soft)
    assert "earlier run" in texts(picture(replace(view(), ghost=ghost), "svg"))


def test_thresholds_of_norms_are_lines():
    series = stage.Series("gradient", 10.0 ** -np.arange(view().n_frames), "warn")
    rules = {"gradient": "gradient"}
    panel = stage.Norms("Norms", (series,), log=True, floor=1e-6, thresholds=rules)
    shown = replace(view(), panels=(panel,))
    moved = replace(shown, numbers=(("gradient", -3.0),))
    lines = [picture(v, "svg", what="Norms").count(b"<path") for v in (shown, moved)]
    assert lines[1] == lines[0] + 1


def test_a_stage_without_points_and_without_a_sign_of_anything():
    extent, nothing = (-2, 2, -1.5, 1.5), np.full((1, 12, 16), np.nan)
    none = np.zeros((0, 2)), np.zeros(0, dtype=int)
    empty = stage.StageView(*none, ("A", "B"), extent, [0], field=nothing)
    assert picture(empty, "svg").count(b"<image") == 1
    flat = {"class_names": ("A", "B", "C"), "field": np.zeros((1, 12, 16, 3))}
    assert "t = 0 of 0" in texts(picture(replace(empty, **flat), "svg"))


def test_points_that_are_left_out_are_counted():
    n = 5100
    places = np.random.default_rng(0).normal(size=(n, 2))
    extent = (-4, 4, -3, 3)
    crowd = stage.StageView(places, np.full(n, -1), ("A", "B"), extent, [0])
    assert "5,000 of 5,100 points are drawn" in words(picture(crowd, "svg"))
    assert "points are drawn" not in words(picture(view(), "svg"))


# -- what is refused -----------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "jpg"}, "kind must be one of 'png', 'svg', 'pdf', got 'jpg'"),
        ({"theme": "blue"}, "theme must be one of 'light', 'dark', got 'blue'"),
        ({"frame": 99}, "frame must be a whole number from 0 to 8, got 99"),
        ({"frame": 1.5}, "frame must be a whole number"),
        ({"what": "Error"}, "what must be one of 'stage', 'Norms, .*', 'Errors'"),
        ({"size": (10, 10)}, "size must be a width and a height from 120 to 4,000"),
        ({"size": 300}, "size must be a width and a height"),
        ({"size": (np.nan, 300)}, "size must be a width and a height"),
    ],
)
def test_what_does_not_fit_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        picture(view(), **({"kind": "png"} | given))


def test_a_tree_is_refused_in_a_sentence():
    moons = load("two_moons", n=20, noise=0.1, random_state=0)
    y = hide_labels(moons, n_labeled=4, random_state=0)
    shown = trace_view(make("branch_and_bound", sigma=0.35).trace(moons.X, y))
    (tree,) = (panel for panel in shown.panels if panel.kind == "tree")
    with pytest.raises(ValueError, match=r"what must be .* only the app draws"):
        picture(shown, "png", what=tree.title)


def test_several_threads_draw_at_once():
    jobs = [(kind, frame) for kind in KINDS for frame in (1, 4)] * 2

    def draw(job):
        return picture(view(), job[0], frame=job[1], size=SMALL)

    alone = {job: draw(job) for job in set(jobs)}
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(draw, jobs)) == [alone[job] for job in jobs]


def test_settings_of_matplotlib_stay_as_they_are():
    import matplotlib

    before = dict(matplotlib.rcParams)
    with matplotlib.rc_context({"text.usetex": True, "lines.scale_dashes": False}):
        own = picture(view(), "svg", size=SMALL)
    assert own == picture(view(), "svg", size=SMALL)
    assert dict(matplotlib.rcParams) == before


def test_the_package_is_imported_without_matplotlib():
    lines = ["import sys", "sys.modules['matplotlib'] = sys.modules['PIL'] = None"]
    lines += ["import halfmoon.views.pictures, halfmoon.views"]
    subprocess.run([sys.executable, "-c", "; ".join(lines)], check=True, cwd=ROOT)


def test_without_matplotlib_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install halfmoon\[pictures\]"):
        picture(view(), "png")
