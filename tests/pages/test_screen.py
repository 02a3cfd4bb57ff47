"""A screen is a value: read once at the top of a run, changed by events."""

import ast
from dataclasses import dataclass

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.screen.page import Desk, Holder, Page
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import navigation, visit
from halfmoon.pages._parts.widgets import (
    algorithm_controls,
    data_controls,
    label_controls,
)
from halfmoon.scenario import Labels, default
from tests.pages.finding import APP
from tests.test_imports import MODULES, parsed

# Modules that keep something in the session: what, under which key.
KEEPERS = {
    "screen.page": "page:<name>, the holder of each page",
    "shell.visit": "visit, all that is of no page",
}
# Modules that read what a browser's widget says.
READERS = {"screen.page", "shell.door"}


@dataclass(frozen=True)
class Count:
    number: int = 0


class Bar(dict):
    """An address bar."""

    def to_dict(self):
        return dict(self)

    def from_dict(self, url):
        self.clear()
        self.update(url)


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "query_params", Bar())
    monkeypatch.setattr(st, "toast", lambda *_, **__: None)


def page(edits=None):
    def read(url, before):
        return Count(int(url.get("n", 0)))

    def write(screen):
        return {"n": str(screen.number)} if screen.number else {}

    more = {} if edits is None else {"edits": edits}
    return Page("count", read, write, **more)


def plus(k):
    return lambda screen: Count(screen.number + k)


@pytest.mark.usefixtures("session")
def test_a_run_begins_with_all_that_has_happened_and_keeps_to_it():
    this = page()
    desk = this.begin()
    this.tell(plus(1))
    this.tell(plus(2))
    assert desk.screen == Count(0)
    assert this.begin().screen == Count(3)
    assert this.begin().screen == Count(3)


@pytest.mark.usefixtures("session")
def test_edits_come_before_events_and_a_link_replaces_both():
    order = []

    def edits(screen, put):
        order.append("edits")
        put(Count(screen.number + 10))

    this = page(edits)
    this.begin()
    this.tell(lambda s: order.append("event") or Count(s.number * 2))
    assert this.begin().screen == Count(20)
    assert order == ["edits", "event"]
    st.query_params["n"] = "7"
    this.tell(plus(1))
    assert this.begin().screen == Count(7)


@pytest.mark.usefixtures("session")
def test_an_event_that_fails_is_told_and_holds_back_no_other():
    this = page()
    this.begin()

    def fail(screen):
        raise ValueError("sigma must be > 0, got -1.")

    this.tell(fail)
    this.tell(plus(1))
    assert this.settled() == Count(1)
    assert list(visit.visit().later) == ["sigma must be > 0, got -1."]


@pytest.mark.usefixtures("session")
def test_a_page_can_be_told_before_it_is_opened():
    this = page()
    assert this.settled() is None
    this.tell(plus(5))
    assert this.begin().screen == Count(5)


@pytest.mark.usefixtures("session")
def test_a_callback_reads_its_widget_and_changes_nothing():
    this = page()
    desk = this.begin()
    key = desk.standing("number", 0)["key"]
    st.session_state[key] = 4
    desk.on(lambda screen, k, value: Count(k * value), "number")(10)
    st.session_state[key] = 5  # moved again before the next run begins
    assert this.holder.screen == Count(0)
    assert this.begin().screen == Count(40)


@pytest.mark.usefixtures("session")
def test_the_address_follows_the_screen_and_is_not_read_back():
    this = page()
    this.begin().end()
    this.tell(plus(3))
    this.begin().end()
    assert st.query_params == {"n": "3"}
    assert this.begin().screen == Count(3)


def test_events_are_functions_of_the_screen_alone():
    screen = Screen(default())
    turned = algorithm_controls.turn_parameter(screen, "sigma", 0.7)
    assert turned.scenario.params["sigma"] == 0.7
    assert screen == Screen(default())
    assert algorithm_controls.turn_parameter(screen, "nobody", 1) is screen
    assert data_controls.choose(screen, "nothing like it") is screen
    other = data_controls.choose(screen, "spirals")
    assert other.scenario == default().with_data("spirals")
    cleared = label_controls.clear_labels(screen)
    assert cleared.scenario.labels == Labels("hand", screen.scenario.labels.count)


def test_a_rule_brings_the_validation_points_it_needs():
    screen = algorithm_controls.turn_parameter(Screen(default()), "stop", "validation")
    assert screen.scenario.n_val == 20
    assert "20 are held out" in screen.remarks.hint


@pytest.mark.parametrize("page", ["playground", "compare"])
def test_edits_are_applied_once_in_a_run(page, monkeypatch):
    calls, receive = [], stage_component.receive

    def counting(*args, **given):
        calls.append(args[0])
        return receive(*args, **given)

    monkeypatch.setattr(stage_component, "receive", counting)
    app = AppTest.from_file(APP, default_timeout=120)
    if page != navigation.FIRST:
        app.switch_page(str(navigation.entry(page).path))
    app.run()
    calls.clear()
    app.run()
    assert not app.exception
    assert calls == [page]


def of_the_session(kind, part):
    """Modules in which `part` of some node is the session."""
    return {
        name.removeprefix("halfmoon.pages._parts.")
        for name in MODULES
        if name.startswith("halfmoon.pages")
        for node in ast.walk(parsed(name))
        if isinstance(node, kind) and ast.unparse(part(node)) == "st.session_state"
    }


def test_two_modules_keep_something_in_the_session():
    assert of_the_session(ast.Attribute, lambda node: node) == KEEPERS.keys() | READERS

    def stored(node):
        return node.value if isinstance(node.ctx, ast.Store) else node.slice

    assert of_the_session(ast.Subscript, stored) == KEEPERS.keys()


@pytest.mark.parametrize("page", [entry.name for entry in navigation.entries()])
def test_a_session_has_a_holder_for_each_page_and_one_visit(page):
    app = AppTest.from_file(APP, default_timeout=120)
    if page != navigation.FIRST:
        app.switch_page(str(navigation.entry(page).path))
    app.run()
    assert not app.exception
    ours = {
        key: type(value)
        for key, value in app.session_state.items()
        if type(value).__module__.partition(".")[0] in ("halfmoon", "ssl_core")
    }
    assert ours.pop("visit") is visit.Visit
    assert set(ours.values()) == {Holder}
    pages = {key.removeprefix("page:") for key in ours}
    assert page in pages <= {entry.name for entry in navigation.entries()}


def test_nothing_is_ambient():
    """No module keeps what is current beside the session and the desk."""
    for name in MODULES:
        if name.startswith("halfmoon.pages"):
            words = {n.id for n in ast.walk(parsed(name)) if isinstance(n, ast.Name)}
            assert "ContextVar" not in words
            assert "current" not in words


def test_a_desk_is_a_value():
    desk = Desk(page(), Count(1))
    with pytest.raises(AttributeError):
        desk.screen = Count(2)
