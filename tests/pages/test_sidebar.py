"""The sidebar: pictures of data, ideas in sight, knobs that matter first."""

import json
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.widgets import gallery
from halfmoon.scenario import default
from ssl_core import ALGORITHMS
from tests.pages.finding import APP, named


@pytest.fixture
def app():
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    return app


def test_every_toy_in_the_plane_has_a_light_picture():
    pictures = gallery.pictures()
    toys = {n for n, e in DATASETS.items() if e.kind == "toy" and e.dims == 2}
    assert {picture["name"] for picture in pictures} == toys
    for picture in pictures:
        points = picture["points"]
        assert 20 < len(points) <= gallery.MOST
        assert all(0 <= v <= gallery.GRAIN for x, y, _ in points for v in (x, y))
        assert len({c for *_, c in points}) == DATASETS[picture["name"]].n_classes
    assert len(json.dumps(pictures)) < 16_000  # bytes of the first message


def test_benchmarks_that_are_not_here_are_counted_with_the_way_to_them(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HALFMOON_DATA", str(tmp_path))
    monkeypatch.setenv("HALFMOON_CACHE", str(tmp_path))
    app = AppTest.from_file(APP, default_timeout=60).run()
    (heading,) = (m for m in app.markdown if m.value == "###### Data")
    absent = [e for e in DATASETS.values() if e.absence()]
    assert absent
    assert f"not on this machine: {len(absent)}." in heading.help
    assert "`halfmoon data fetch`" in heading.help


def test_a_picture_chooses_its_data(monkeypatch):
    told, kept = [], {}
    page = SimpleNamespace(tell=told.append)
    desk = SimpleNamespace(page=page, key=str)
    monkeypatch.setattr(gallery, "_gallery", lambda **given: kept.update(given))
    said = {"gallery": {"chosen": "spirals"}}
    monkeypatch.setattr(gallery.door, "message", lambda key, name, _: said[key][name])
    gallery.show_gallery(desk, "two_moons", lambda screen, name: (screen, name))
    assert kept["data"]["chosen"] == "two_moons"
    kept["on_chosen_change"]()
    assert [event("screen") for event in told] == [("screen", "spirals")]


@pytest.mark.parametrize("entry", ALGORITHMS.values(), ids=lambda e: e.id)
def test_two_or_three_knobs_come_first_and_none_is_lost(entry):
    assert 1 <= len(entry.first) <= 3
    names = [knob.name for knob in entry.in_order]
    assert names[: len(entry.first)] == list(entry.first)
    assert sorted(names) == sorted(knob.name for knob in entry.knobs)


def test_the_idea_is_in_sight_and_help_has_its_icon(app):
    captions = [caption.value for caption in app.sidebar.caption]
    assert any(ALGORITHMS["lapsvm_pcg"].idea in words for words in captions)
    headings = {
        m.value: m.proto.help for m in app.sidebar.markdown if "######" in m.value
    }
    for name in ("Data", "Labels", "Algorithm"):
        assert headings[f"###### {name}"], name


def test_a_turned_knob_has_a_way_back(app):
    def reset():
        return [b for b in app.sidebar.button if b.key == "reset.n_neighbors"]

    usual = default().params["n_neighbors"]
    assert not reset()
    named(app.sidebar.slider, "param.n_neighbors").set_value(usual + 3).run()
    (button,) = reset()
    assert str(usual) in button.help
    button.click().run()
    assert not app.exception
    assert named(app.sidebar.slider, "param.n_neighbors").value == usual
    assert not reset()
