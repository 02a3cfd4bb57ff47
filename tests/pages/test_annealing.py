"""The annealing page: its runs, its words, its links, every widget moved."""

import threading
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from datasets import DATASETS
from pages._parts.lessons import annealing as page
from pages._parts.lessons import texts
from pages._parts.lessons.settings import relabelled, unusual
from pages._parts.running.run_server import RunServer
from pages._parts.scenario import Scenario
from ssl_core import Status
from ssl_core.estimators import linear
from ssl_core.viz.annealing import Outcome
from tests.pages.finding import name_of, named

SCRIPT = str(Path(__file__).parents[2] / "pages" / "annealing.py")
COOLING, SWITCHING, COMPARISON = page.VIEWS


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.fixture(scope="module")
def run(server):
    return server.ask(page.scenario_for("clusters")).outcome()


def opened(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def look(app, view):
    named(app.button_group, "an_view").set_value(view).run()
    assert not app.exception
    assert not app.warning
    return app


def charts(app):
    return len(app.get("plotly_chart"))


def table(app):
    frame = app.table[0].value.map(lambda text: text.replace("*", ""))
    return frame.rename(index=lambda text: text.replace("*", ""))


def link_of(app):
    values = app.query_params
    return {k: v[0] if isinstance(v, list) else v for k, v in values.items()}


# -- the page ------------------------------------------------------------------------


def test_the_page_opens_on_two_clusters_while_beliefs_form():
    app = opened()
    assert named(app.selectbox, "an_data").value == "clusters"
    assert charts(app) == 4
    t = named(app.slider, "an_t").value
    assert 0 < t < named(app.slider, "an_t").max
    assert any(f"Iteration {t}, T = " in m.value for m in app.markdown)


def test_the_student_is_asked_to_predict_first():
    app = opened()
    assert app.markdown[0].value.startswith("**Predict first.**")
    assert not any("90 % sure. As T falls" in m.value for m in app.markdown)
    for words in page.GUESSES:
        named(app.button_group, "an_guess").set_value(words).run()
        assert not app.exception
        assert any("90 % sure. As T falls" in m.value for m in app.markdown)


def test_the_cursor_moves_every_picture():
    app = opened()
    named(app.slider, "an_t").set_value(3).run()
    text = " ".join(m.value for m in app.markdown)
    assert "Iteration 3, T = 10." in text
    assert "What the points believe at t = 3" in text
    assert "The loss at T = 10" in text


def test_every_view_has_its_pictures():
    app = look(opened(), SWITCHING)
    assert charts(app) == 3
    assert "λ′" in " ".join(m.value for m in app.markdown)
    look(app, COMPARISON)
    assert charts(app) == 4
    assert len(table(app)) == 2 + len(page.FIXED)


def test_moving_a_cursor_or_changing_the_view_solves_nothing_twice(monkeypatch):
    app = opened()
    look(app, SWITCHING)
    look(app, COMPARISON)
    for thread in threading.enumerate():
        if thread.name == "warm":  # compiles in the background at the first visit
            thread.join()
    calls = []
    for name in ("da", "tsvm"):
        solver = getattr(linear, name)

        def counting(*args, _name=name, _solver=solver, **options):
            calls.append(_name)
            return _solver(*args, **options)

        monkeypatch.setattr(linear, name, counting)
    look(app, COOLING)
    for t in (0, 5, named(app.slider, "an_t").max):
        named(app.slider, "an_t").set_value(t).run()
    look(app, SWITCHING)
    for s in (0, 4, named(app.slider, "an_s").max):
        named(app.slider, "an_s").set_value(s).run()
    look(app, COMPARISON)
    assert not app.exception
    assert calls == []
    named(app.number_input, "an_seed").set_value(77).run()
    assert sorted(calls) == [*["da"] * (1 + len(page.FIXED)), "tsvm"]


@pytest.mark.parametrize("view", page.VIEWS)
def test_every_widget_can_be_moved(view):
    app = look(opened(), view)
    moved = 0
    for kind in ("slider", "number_input"):
        for key in [name_of(w.key) for w in getattr(app, kind)]:
            widget = getattr(app, kind)(key=key)
            if widget.value is None:
                value = 0.4
            else:
                value = widget.min if widget.value != widget.min else widget.max
            if key == "an_seed":
                value = 5
            widget.set_value(value).run()
            assert not app.exception, key
            assert not app.warning, key
            moved += 1
    for key, value in (("an_lam", 0.1), ("an_lam_u", 2.0), ("an_T", 5.0)):
        named(app.select_slider, key).set_value(value).run()
        assert not app.exception, key
        moved += 1
    assert moved >= 8


@pytest.mark.parametrize("name", page.OFFERED)
def test_every_data_set_on_offer_is_studied(name):
    if not DATASETS[name].available():
        pytest.skip(f"{name} is not at hand")
    app = opened()
    named(app.selectbox, "an_data").set_value(name).run()
    assert not app.exception
    assert not app.warning
    text = name in ("topic_text", "news20", "text_pcmac")
    assert charts(app) == (6 if text else 4)


def test_no_weight_on_the_unlabelled_points_is_told_with_a_way_out():
    app = opened()
    named(app.select_slider, "an_lam_u").set_value(0.0).run()
    assert not app.exception
    assert "nothing to anneal" in app.warning[0].value
    named(app.select_slider, "an_lam_u").set_value(1.0).run()
    assert not app.warning
    assert charts(app) == 4


def test_the_link_opens_the_same_page_elsewhere():
    app = opened()
    named(app.slider, "an_data_noise").set_value(0.25)
    named(app.select_slider, "an_lam").set_value(0.1)
    named(app.number_input, "an_r").set_value(0.4).run()
    named(app.slider, "an_t").set_value(9)
    named(app.button_group, "an_guess").set_value("It stays a coin").run()
    look(app, SWITCHING)
    named(app.slider, "an_s").set_value(6).run()
    again = opened(**link_of(app))
    assert again.slider(key="an_s").value == 6
    assert again.button_group(key="an_guess").value == "It stays a coin"
    assert again.slider(key="an_data_noise").value == 0.25
    assert again.number_input(key="an_r").value == 0.4
    look(again, COOLING)
    assert again.slider(key="an_t").value == 9
    look(app, COOLING)
    assert link_of(again) == link_of(app)


def test_another_run_takes_the_cursors_to_its_own_telling_places():
    app = opened()
    named(app.slider, "an_t").set_value(2).run()
    assert link_of(app)["t"] == "2"
    named(app.number_input, "an_seed").set_value(1).run()
    assert "t" not in link_of(app)
    assert named(app.slider, "an_t").value > 2


@pytest.mark.parametrize(
    "link",
    [
        {"data": "no such thing"},
        {"data": "three_arcs"},
        {"data": "drawn"},
        {"v": "1", "data": "clusters", "at.view": "1e9", "at.s": "-5"},
        {"v": "1", "data": "two_moons", "at.guess": "rubbish", "t": "99999"},
        {"v": "999", "s": "%%%%"},
    ],
    ids=str,
)
def test_a_rubbish_link_opens_the_page(link):
    app = opened(**link)
    assert charts(app) >= 3


def test_a_link_without_two_classes_is_told_so():
    app = opened(v="1", data="three_arcs", labels="telling", algorithm="lapsvm_pcg")
    assert "two classes" in app.info[0].value


# -- without widgets -----------------------------------------------------------------


def test_a_link_of_the_playground_keeps_its_data_and_parameters():
    theirs = Scenario.of("g50c", "tsvm")
    theirs = theirs.with_parameter("lam", 0.5).with_seed(3)
    ours, remarks = page.from_link(theirs.to_url())
    assert not remarks
    assert ours.algorithm == "da"
    assert ours.data_knobs == theirs.data_knobs
    assert ours.seed == 3
    assert ours.params["lam"] == 0.5
    assert ours.params["anneal"] is True


def test_a_fixed_temperature_in_a_link_is_annealed_all_the_same():
    theirs = page.fixed(page.scenario_for("clusters"), 0.1)
    ours, _ = page.from_link(theirs.to_url())
    assert ours.params["anneal"] is True


def test_the_screen_goes_through_a_link_and_back():
    for screen in (page.Screen(), page.Screen(view=2, s=7, guess=1)):
        assert page.Screen.read(unusual(screen)) == screen
    assert unusual(page.Screen()) == {}
    assert page.Screen.read({"view": -9, "s": 1e9, "guess": 99.5}) == page.Screen(
        0, page.MAX_ITER, len(page.GUESSES) - 1
    )


def test_all_ways_solve_the_same_problem():
    ways = page.rivals(page.scenario_for("topic_text"))
    assert len(ways) == 2 + len(page.FIXED)
    for way in ways.values():
        assert way.params["lam"] == 1e-3
        assert way.params["lam_u"] == 1.0
        assert way.labels == ways["annealed"].labels
    assert [w.params["T"] for w in ways.values() if not w.params.get("anneal", 1)] == [
        *page.FIXED
    ]


def test_all_ways_are_measured_by_the_same_objective(server, run):
    assert page.transductive_objective(run) == pytest.approx(
        run.trace.final.transductive_objective, rel=1e-12
    )
    other = server.ask(page.switching(run.scenario)).outcome()
    # Its own objective has hard labels kept in balance: never below the free one.
    assert page.transductive_objective(other) <= other.trace.final.objective


@pytest.mark.parametrize("name", ["clusters", "g50c", "topic_text"])
def test_annealing_matters_on_the_data_the_page_shows(server, name):
    """[SK07], "Importance of annealing", on the page's own draws."""
    ways = page.rivals(page.scenario_for(name))
    rows = {
        way: page.outcome(way, server.ask(scenario).outcome())
        for way, scenario in ways.items()
    }
    annealed, stuck = rows["annealed"], rows["T = 0.001"]
    assert annealed.objective < 0.7 * stuck.objective
    assert annealed.errors["U"] < 0.5 * stuck.errors["U"]
    assert page.stuck(list(rows.values())) == "T = 0.001"


def test_the_cursor_opens_where_half_of_the_doubt_is_gone(run):
    entropy = run.trace.column("entropy")
    t = page.melting(run.trace)
    assert entropy[t] < entropy[0] / 2 <= entropy[t - 1]


def test_the_transductive_cursor_opens_at_the_largest_switch(server, run):
    trace = server.ask(page.switching(run.scenario)).outcome().trace
    s = page.busiest(trace)
    assert trace.states[s].n_switched == trace.column("n_switched").max()


def test_the_fate_of_undecided_points_is_counted(run):
    trace = run.trace
    index = page.melting(trace)
    p, last = trace.states[index].p, trace.final.p
    coins = (p > 0.4) & (p < 0.6)
    said = page.fate(trace, index)
    assert said.startswith(f"{coins.sum()} points are a coin")
    assert f"{(last[coins] <= 0.1).sum()} end sure of the first class" in said
    i = int(trace.column("entropy").argmin())
    decided = np.abs(trace.states[i].p - 0.5) >= 0.1
    assert decided.all()
    assert page.fate(trace, i).startswith("No point is a coin")


def row(name, objective, error):
    return Outcome(name, name, objective, {"U": error}, 0.1, name == "annealed")


def test_the_verdict_says_who_won_and_who_is_stuck():
    better = [row("annealed", 0.1, 0.02), row("a", 0.2, 0.3), row("b", 0.15, 0.1)]
    assert page.verdict(better) == (
        "Annealing reaches the lowest objective of all. “a” is stuck at 2.0 times the "
        "lowest."
    )
    equal = [row("annealed", 0.1, 0.02), row("a", 0.1, 0.02)]
    assert page.verdict(equal) == (
        "Annealing reaches the lowest objective, and so does “a”."
    )
    worse = [row("annealed", 0.1, 0.05), row("a", 0.0995, 0.01)]
    said = page.verdict(worse)
    assert "“a” finds a lower objective than annealing" in said
    assert "no promise of fewer errors" in said


def test_the_lowest_objective_is_bold():
    frame = page.table([row("annealed", 0.1, 0.02), row("a", 0.2, 0.3)])
    assert list(frame.index) == ["**annealed**", "a"]
    assert frame.loc["a", "Error, unlabelled"] == "30.0 %"


def test_a_run_to_its_end_is_described(run):
    assert run.trace.status is Status.FINISHED
    said = page.remarks_on(run)
    assert said.startswith("240 points, 2 of them labelled. Class ratio r = 0.5")
    assert "stopped" not in said


def test_nothing_to_decide_is_refused(server):
    scenario = page.scenario_for("clusters").with_data_knob("n", 20)
    everyone = relabelled(scenario, 10)
    with pytest.raises(ValueError, match="give fewer labels"):
        page.check(server.ask(everyone).outcome())


def test_the_explanation_is_there():
    assert "loss that deforms" in texts.explanation("annealing")
    assert "Predict first" in texts.lead("annealing")
