"""A new page, lesson, panel or toggle is added in one place; here one of each is."""

from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from halfmoon import stage
from halfmoon.pages._parts.lessons import cards, place, prose, student
from halfmoon.pages._parts.lessons.plans import LESSONS, two_labels
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell import navigation
from halfmoon.pages._parts.shell.navigation import PageEntry
from halfmoon.scenario import Scenario, default
from halfmoon.stage import view as stage_view
from halfmoon.stage.pack import unpack
from halfmoon.views import stage_view as views
from tests.pages.finding import APP

PAGE = """
from dataclasses import dataclass

import streamlit as st

from halfmoon.pages._parts.screen.link_words import LinkWord
from halfmoon.pages._parts.screen.choice_page import choice_page


@dataclass(frozen=True)
class Colour:
    name: str = "blue"


WORDS = (LinkWord(("c",), lambda now: (now.name,), lambda now, name: Colour(name)),)
desk = choice_page("colours", WORDS, Colour()).begin()
names = ("blue", "red")
st.selectbox(
    "Colour",
    names,
    on_change=desk.on(lambda screen, name: screen.to(Colour(name)), "colour"),
    **desk.choosing("colour", desk.screen.value.name, names),
)
st.markdown(f"It is {desk.screen.value.name}.")
desk.end()
"""


def test_a_page_is_its_script_and_an_entry_of_the_table(monkeypatch, tmp_path):
    (tmp_path / "colours.py").write_text(PAGE, encoding="utf-8")
    entry = PageEntry("colours", "Colours", ":material/palette:")
    monkeypatch.setattr(navigation, "PAGES", tmp_path)
    monkeypatch.setattr(navigation, "FIRST", "colours")
    monkeypatch.setattr(navigation, "SECTIONS", {"Play": (entry,)})
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["c"] = "red"
    app.run()
    assert not app.exception
    assert app.markdown[-1].value == "It is red."
    app.selectbox[0].select("blue").run()
    assert app.markdown[-1].value == "It is blue."
    assert app.query_params["c"] == "blue"
    assert [e.name for e in navigation.entries()] == ["colours"]


def test_every_lesson_is_a_module_and_its_prose_beside_it():
    assert {path.stem for path in prose.TEXTS.glob("*.md")} == set(LESSONS)
    orders = [lesson.order for lesson in LESSONS.values()]
    assert orders == sorted(set(orders))


@pytest.fixture
def another_lesson(monkeypatch, tmp_path):
    words = (prose.TEXTS / "two_labels.md").read_text(encoding="utf-8")
    for lesson in LESSONS:
        text = (prose.TEXTS / f"{lesson}.md").read_text(encoding="utf-8")
        (tmp_path / f"{lesson}.md").write_text(text, encoding="utf-8")
    (tmp_path / "another.md").write_text(words, encoding="utf-8")
    monkeypatch.setattr(prose, "TEXTS", tmp_path)
    monkeypatch.setitem(LESSONS, "another", replace(two_labels.LESSON, name="another"))


@pytest.mark.usefixtures("another_lesson")
def test_a_lesson_is_found_by_its_name_alone():
    begun = student.begin(student.Chosen(place.Place()), "another")
    assert begun.value.plan.title == LESSONS["two_labels"].title
    assert cards.picture("another")
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(str(navigation.entry("lessons").path))
    app.query_params["lesson"] = "another"
    app.run()
    assert not app.exception
    assert begun.value.plan.title in app.caption[0].value


def test_a_panel_is_an_entry_of_the_list_of_panels(monkeypatch):
    def added(run, frames, states):
        line = stage.Series("t", np.arange(len(frames), dtype=float))
        yield stage.Curves("One more", (line,))

    panels = [*views.MORE_PANELS, added]
    monkeypatch.setattr(views, "MORE_PANELS", panels)
    solved = runs.server().ask(default()).outcome()
    view = stage_views.run_view(solved, default(), runs.server().picture(default()))
    assert view.panels[-1].title == "One more"
    sent = unpack(stage.payload(view, key="", client="", seq_seen=0))[0]
    assert sent["panels"][-1]["title"] == "One more"


def test_a_toggle_is_a_name_of_the_stage(monkeypatch):
    """Its twin in the browser is compared with this one in tests/stage."""
    monkeypatch.setattr(stage_view, "TOGGLES", (*stage_view.TOGGLES, "distances"))
    scenario = default().with_view(toggles=("distances",))
    assert Scenario.from_url(scenario.to_url()) == (scenario, [])
    solved = runs.server().ask(default()).outcome()
    picture = runs.server().picture(default())
    view = stage_views.run_view(solved, scenario, picture)
    assert view.toggles == ("distances",)
