"""One visitor's session: nothing changes behind their back, whatever comes when."""

import json
import threading
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.state import SafeSessionState, SessionState

from halfmoon.pages._parts.playground import playground_page
from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.screen.memory import Memory
from halfmoon.pages._parts.shell import callbacks, errors, inside, visit
from halfmoon.scenario import Labels, Scenario, default
from tests.pages.finding import menus, name_of, named
from tests.pages.test_playground import (
    move,
    open_app,
    scenario_of,
    shown_on_stage,
    sound,
    widgets,
)


def go_to(app, url):
    app.query_params.clear()
    app.query_params.update(url)
    return sound(app.run())


# -- the address ---------------------------------------------------------------------


def test_an_old_address_of_ours_is_an_echo_and_not_a_link():
    app = open_app()
    seen = []
    for _ in range(3):
        sound(move(app, "slider", "param.n_neighbors"))
        seen.append(dict(app.query_params))
    last = scenario_of(app)
    for url in (*seen[:2], {}):
        assert scenario_of(go_to(app, url)) == last


def test_a_link_that_is_new_to_the_session_is_opened():
    app = open_app()
    sound(move(app, "slider", "param.n_neighbors"))
    link = default().with_data("clock")
    assert scenario_of(go_to(app, link.to_url())) == link


def test_back_opens_an_old_address_again(monkeypatch):
    app = open_app()
    sound(move(app, "slider", "param.n_neighbors"))
    before, url = scenario_of(app), dict(app.query_params)
    sound(move(app, "slider", "param.n_neighbors"))
    monkeypatch.setattr(inside, "by_history", lambda: True)
    assert scenario_of(go_to(app, url)) == before
    assert scenario_of(go_to(app, {})) == default()


def test_what_an_address_cannot_hold_is_not_lost_on_the_way_back(monkeypatch):
    """The bar still shows the last short address when Back returns from elsewhere."""
    app = open_app()
    sound(move(app, "slider", "param.n_neighbors"))
    url = dict(app.query_params)
    monkeypatch.setattr(playground_page, "MAX_URL", 10)
    sound(move(app, "slider", "param.n_neighbors"))
    long = scenario_of(app)
    monkeypatch.setattr(inside, "by_history", lambda: True)
    assert scenario_of(go_to(app, url)) == long


def test_a_session_remembers_only_so_many_addresses(monkeypatch):
    monkeypatch.setattr(visit, "MOST", 3)
    known = visit.Addresses()
    for i in range(5):
        known.note("page", {"t": str(i)})
    assert [known.has({"t": str(i)}) for i in range(5)] == [False] * 2 + [True] * 3


# -- callbacks -----------------------------------------------------------------------


@pytest.fixture
def interrupted(monkeypatch):
    """A session in which a newer message is waiting at every turn."""

    def look():
        raise RerunException(RerunData())

    state = SafeSessionState(SessionState(), yield_callback=look)
    ctx = SimpleNamespace(session_state=state, session_id="me")
    monkeypatch.setattr(inside, "get_script_run_ctx", lambda **_: ctx)
    return state


def test_a_newer_message_waits_until_a_callback_is_through(interrupted):
    def turn():
        interrupted["first"] = 1
        interrupted["second"] = interrupted["first"] + 1

    with pytest.raises(RerunException):
        turn()
    callbacks.whole(turn)()
    with callbacks.unbroken():
        assert interrupted["second"] == 2
    with pytest.raises(RerunException):  # and afterwards it gets its turn
        assert interrupted["first"]


@pytest.mark.parametrize("error", [ValueError, KeyError, StopIteration, TypeError])
def test_whatever_a_callback_raises_is_told_and_logged(error, monkeypatch):
    told = []
    monkeypatch.setattr(errors, "later", told.append)

    def fail():
        raise error("sigma must be > 0, got -1.")

    callbacks.whole(fail)()
    assert len(told) == 1
    assert ("sigma" in told[0]) == (error is ValueError)


STALE = [
    ("algorithm", "tsvm", "param.n_neighbors", 9),
    ("algorithm", "da", "param.sigma", 0.5),
    ("data", "clock", "data.noise", 0.2),
    ("data", "digits", "data.n", 300),
    ("preset", "digits", "data.noise", 0.2),
]


@pytest.mark.parametrize(("box", "choice", "knob", "value"), STALE)
def test_a_knob_of_what_was_shown_before_shows_no_error(box, choice, knob, value):
    """Both come in one message: the box was chosen while the knob was in the hand."""
    app = open_app()
    widget = next(
        w
        for kind in ("slider", "select_slider")
        for w in getattr(app, kind)
        if name_of(w.key) == knob
    )
    box = menus(app).get(box) or named(app.selectbox, box)
    box.select(choice)
    widget.set_value(value)
    sound(app.run())
    scenario = scenario_of(app)
    assert choice in (scenario.algorithm, scenario.data)


def test_the_text_of_an_option_does_not_change_with_the_labels():
    """The browser sends the text back: a changed one is an option nobody offered."""
    app = open_app()
    named(app.selectbox, "how").select("hand")
    sound(app.run())
    before = named(app.selectbox, "how").options
    next(b for b in app.button if b.label == "Clear all labels").click()
    sound(app.run())
    assert named(app.selectbox, "how").options == before
    assert not scenario_of(app).labels.hand


@pytest.mark.parametrize("key", ["how", "preset"])
def test_a_choice_that_is_not_offered_changes_nothing(key):
    """A message that is older than the page may hold a text of an older page."""
    app = open_app()
    before, box = scenario_of(app), named(app.selectbox, key)
    box.options.append("By hand: 4 of 200")
    box.set_value("By hand: 4 of 200")
    sound(app.run())
    assert scenario_of(app) == before


def test_a_widget_that_the_server_moves_is_another_one():
    """What is still on its way for the old one then means nothing.

    A browser sends where all widgets stand with every message. After the first label
    by hand, one that had left before said that the most telling labels were chosen.
    """
    app = open_app()
    before = {w.key for w in (*app.selectbox, *app.slider, *app.number_input)}
    labels = Labels("hand", hand=((0, 0), (1, 1)))
    holder = app.session_state["page:playground"]
    holder.events.append(lambda s: s.changed(s.scenario.with_labels(labels)))
    sound(app.run())
    after = {w.key for w in (*app.selectbox, *app.slider, *app.number_input)}
    assert {name_of(key) for key in before - after} == {"how", "count"}
    box = named(app.selectbox, "how")
    assert box.key not in before
    assert box.value == "hand"
    # Its place is told as its default, in every message and not only in the first.
    for _ in range(2):
        assert box.options[box.proto.default] == "By hand"
        sound(app.run())
        box = named(app.selectbox, "how")


def test_a_slider_that_its_visitor_moves_stays_the_same_one():
    app = open_app()
    key = named(app.slider, "param.n_neighbors").key
    for _ in range(3):
        sound(move(app, "slider", "param.n_neighbors"))
        assert named(app.slider, "param.n_neighbors").key == key


class Bare:
    """A session state that looks for no newer messages, or does so by another name."""


@pytest.mark.parametrize("state", [Bare(), SafeSessionState(SessionState(), print)])
def test_two_runs_of_a_session_change_it_one_after_the_other(monkeypatch, state):
    """With the shield or without: the second waits until the first is done."""
    context = SimpleNamespace(session_state=state, session_id="one")
    monkeypatch.setattr(inside, "get_script_run_ctx", lambda **_: context)
    begun, steps = threading.Event(), []

    def other():
        begun.set()
        with callbacks.unbroken():
            steps.append("other")

    with callbacks.unbroken():
        newer = threading.Thread(target=other)
        newer.start()
        begun.wait()
        newer.join(0.2)  # without a lock it is over by now
        assert newer.is_alive()
        steps.append("mine")
    newer.join()
    assert steps == ["mine", "other"]


# -- parameters that are remembered --------------------------------------------------


def test_limits_and_rules_stay_with_their_algorithm():
    newton = default().with_algorithm("lapsvm_newton").with_parameter("max_iter", 3)
    memory = Memory().after(newton)
    for other in ("da", "lapsvm_pcg", "tsvm", "l2svm_mfn"):
        fresh = default().with_algorithm(other)
        for name in ("max_iter", "tol", "stop"):
            there = memory.switch(newton, other).params
            assert there.get(name) == fresh.params.get(name), (other, name)


def test_parameters_come_back_over_an_algorithm_that_lacks_them():
    start = default().with_parameter("sigma", 0.5).with_parameter("n_neighbors", 9)
    start = start.with_parameter("max_iter", 77).with_parameter("weights", "heat")
    memory = Memory().after(start)
    text = memory.switch(start, "tsvm")
    assert "sigma" not in text.params
    memory = memory.after(text)
    assert memory.switch(text, "lapsvm_pcg").params == start.params
    other = memory.switch(text, "lapsvm_newton").params
    assert (other["sigma"], other["n_neighbors"], other["weights"]) == (0.5, 9, "heat")
    assert other["max_iter"] == 50


def test_what_two_algorithms_share_is_what_was_set_last():
    pcg = default().with_parameter("sigma", 0.5)
    memory = Memory().after(pcg)
    svm = memory.switch(pcg, "svm").with_parameter("sigma", 0.9)
    memory = memory.after(svm)
    assert memory.switch(svm, "lapsvm_pcg").params["sigma"] == 0.9


def test_other_data_start_afresh():
    moons = default().with_parameter("sigma", 0.5)
    clock = moons.with_data("clock")
    memory = Memory().after(moons).after(clock)
    fresh = default().with_data("clock").with_algorithm("svm")
    assert memory.switch(clock, "svm").params["sigma"] == fresh.params["sigma"]


def test_the_page_remembers_parameters_for_each_algorithm():
    app = open_app()
    sound(move(app, "slider", "param.n_neighbors"))
    before = scenario_of(app)
    for algorithm in ("da", "lapsvm_newton", "tsvm", "lapsvm_pcg"):
        menus(app)["algorithm"].select(algorithm)
        sound(app.run())
        if algorithm in ("da", "lapsvm_newton"):
            limit = default().with_algorithm(algorithm).params.get("max_iter")
            assert scenario_of(app).params.get("max_iter") == limit
    assert scenario_of(app) == before


# -- an example, a link for a class --------------------------------------------------


def test_what_to_look_for_stays_while_the_example_is_explored():
    """Were it to go with the first slider, the stage would move under the hand."""
    app = open_app()
    named(app.selectbox, "preset").select("hard")
    sound(app.run())
    sound(move(app, "slider", "param.n_neighbors"))
    assert [note.value for note in app.info] == [PRESETS["hard"].look]
    menus(app)["algorithm"].select("svm")
    sound(app.run())
    assert not app.info


def test_an_example_refuses_edits_made_on_the_screen_before():
    app = open_app()
    before = shown_on_stage(app)["data_id"]
    named(app.selectbox, "preset").select("moons")
    sound(app.run())
    assert shown_on_stage(app)["data_id"] != before


def link_of(app):
    """The server's part of the link in the Share menu."""
    (element,) = (
        e
        for e in app.main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_link"
    )
    query = json.loads(element.proto.json)["query"]
    return Scenario.from_url(dict(part.split("=", 1) for part in query.split("&")))[0]


def test_hiding_controls_for_a_class_leaves_the_teachers_own():
    app = open_app()
    app.session_state["menu_share"] = True
    app.run()
    before = widgets(app)
    named(app.multiselect, "hide").select("algorithm").select("data.noise")
    sound(app.run())
    assert widgets(app) == before
    assert scenario_of(app).hidden == ()
    assert link_of(app).hidden == ("algorithm", "data.noise")
    sound(move(app, "slider", "param.n_neighbors"))
    assert link_of(app).hidden == ("algorithm", "data.noise")


@pytest.mark.parametrize("toggles", [None, (), ("mistakes",), ("predictions", "graph")])
def test_a_link_carries_what_is_switched_on(toggles):
    scenario = default().with_view(t=3, toggles=toggles)
    assert Scenario.from_url(scenario.to_url()) == (scenario, [])
    shown = shown_on_stage(open_app(scenario))
    assert shown["toggles"] == (None if toggles is None else list(toggles))
    assert shown["frame_t"][shown["start_frame"]] == 3
