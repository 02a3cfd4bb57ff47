"""The early-stopping page: answers from the record, links, every widget moved."""

import re
import threading
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from datasets import DATASETS
from pages._parts.lessons import early_stopping as page
from pages._parts.lessons import texts
from pages._parts.lessons.settings import unusual
from pages._parts.running.run_server import RunServer
from pages._parts.scenario import Scenario, pairs
from ssl_core import judge, viz
from ssl_core.estimators import laplacian
from ssl_core.stopping import gradient_norm
from ssl_core.viz.words import duration, power
from tests.pages.finding import name_of, named

SCRIPT = str(Path(__file__).parents[2] / "pages" / "early_stopping.py")


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.fixture(scope="module")
def run(server):
    return server.ask(page.scenario_for("two_moons")).outcome()


@pytest.fixture(scope="module")
def exact(server):
    return server.ask(page.newton_of(page.scenario_for("two_moons"))).outcome()


def opened(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def table(app):
    """Cells of the page's table without markup, by rule."""
    frame = app.table[0].value.map(lambda text: text.replace("*", ""))
    return frame.rename(index=lambda text: text.replace("*", ""))


def link_of(app):
    """The address after ``app`` ran, as from_url takes it."""
    values = app.query_params
    return {k: v[0] if isinstance(v, list) else v for k, v in values.items()}


# -- the page ------------------------------------------------------------------------


def test_the_page_opens_on_two_moons_with_a_row_for_every_rule():
    app = opened()
    assert named(app.selectbox, "es_data").value == "two_moons"
    assert list(table(app).index) == [page.TITLES[name] for name in page.RULE_ORDER]
    assert len(app.get("plotly_chart")) == 4


def test_the_student_is_asked_to_predict_first():
    app = opened()
    assert app.markdown[0].value.startswith("**Predict first.**")
    named(app.slider, "es_guess").set_value(9).run()
    assert table(app).loc["Your guess", "Stops at"] == "t = 9"


@pytest.fixture
def solved(monkeypatch):
    """Counts every solver that is started from here on."""
    for thread in threading.enumerate():
        if thread.name == "warm":  # compiles in the background at the first visit
            thread.join()
    calls = []
    for name in ("pcg", "newton"):
        solver = getattr(laplacian, name)

        def counting(*args, _name=name, _solver=solver, **options):
            calls.append(_name)
            return _solver(*args, **options)

        monkeypatch.setattr(laplacian, name, counting)
    return calls


def test_moving_a_threshold_solves_nothing(solved):
    app = opened()
    for thread in threading.enumerate():
        if thread.name == "warm":
            thread.join()
    solved.clear()
    for exponent in (-1.0, -3.5, -8.0):
        for name in page.NORM_RULES:
            named(app.select_slider, f"es_{name}").set_value(exponent)
            app.run()
    named(app.pills, "es_follow").set_value("hand").run()
    sliders = {"theta": 3, "eta": 10.0, "gain": 4, "guess": 2, "t": 5}
    for name, value in sliders.items():
        named(app.slider, f"es_{name}").set_value(value).run()
    assert not app.exception
    assert solved == []
    named(app.select_slider, "es_gamma_I").set_value(5.0).run()
    assert sorted(solved) == ["newton", "pcg"]  # the counter does count


def test_a_threshold_answers_as_the_rule_does(run):
    app = opened()
    for exponent in (-2.0, -5.5):
        named(app.select_slider, "es_gradient").set_value(exponent).run()
        stop = judge(gradient_norm(10**exponent), run.trace)
        row = table(app).loc["Gradient norm"]
        assert row["Stops at"] == f"t = {run.trace.states[stop].t}"
        assert row["Threshold"] == f"below {power(10**exponent)}"


def shown(app):
    """The iteration whose classifier is on the page."""
    heads = [
        m.value for m in app.markdown if " at t = " in m.value and "####" in m.value
    ]
    return int(re.search(r"t = (\d+)", heads[0]).group(1))


def test_the_cursor_follows_a_rule_or_goes_where_it_is_put():
    app = opened()
    assert table(app).loc["Stability check", "Stops at"] == f"t = {shown(app)}"
    named(app.slider, "es_theta").set_value(20).run()
    assert shown(app) == 40
    named(app.pills, "es_follow").set_value("objective").run()
    assert table(app).loc["Objective decrease", "Stops at"] == f"t = {shown(app)}"
    stop = shown(app)
    named(app.pills, "es_follow").set_value("hand").run()
    assert named(app.slider, "es_t").value == stop
    named(app.slider, "es_t").set_value(3).run()
    assert shown(app) == 3
    assert any("Iteration 3." in m.value for m in app.markdown)


def test_hidden_answers_are_not_on_the_page():
    app = opened()
    named(app.toggle, "es_hide").set_value(True).run()
    assert not app.exception
    assert not app.table
    assert len(app.get("plotly_chart")) == 1
    named(app.toggle, "es_hide").set_value(False).run()
    assert len(table(app)) == len(page.RULE_ORDER)


def another_value(widget):
    options = getattr(widget, "options", None)
    if options:
        return next(o for o in widget.options if o != widget.value)
    return widget.min if widget.value != widget.min else widget.max


def test_every_widget_can_be_moved():
    app = opened()
    moved = 0
    for kind in ("slider", "number_input", "toggle"):
        for key in [name_of(w.key) for w in getattr(app, kind)]:
            widget = getattr(app, kind)(key=key)
            value = not widget.value if kind == "toggle" else another_value(widget)
            widget.set_value(value).run()
            assert not app.exception, key
            assert not app.warning, key
            moved += 1
            if kind == "toggle":
                getattr(app, kind)(key=key).set_value(not value).run()
    for key in [name_of(w.key) for w in app.select_slider]:
        # Values are formatted for reading; the numbers behind them are the page's.
        value = {"es_sigma": 0.2, "es_gamma_A": 0.1, "es_gamma_I": 0.1}.get(key, -3.0)
        named(app.select_slider, key).set_value(value).run()
        assert not app.exception, key
        moved += 1
    for name in (*page.RULE_ORDER, "hand"):
        named(app.pills, "es_follow").set_value(name).run()
        assert not app.exception, name
        moved += 1
    named(app.slider, "es_t").set_value(1).run()
    assert not app.exception
    assert moved >= 20


@pytest.mark.parametrize("name", page.OFFERED)
def test_every_data_set_on_offer_is_studied(name):
    if not DATASETS[name].available():
        pytest.skip(f"{name} is not at hand")
    app = opened()
    named(app.selectbox, "es_data").set_value(name).run()
    assert not app.exception
    assert not app.warning
    assert len(table(app)) == len(page.RULE_ORDER)
    pictures = 4 if DATASETS[name].dims == 2 else 3
    assert len(app.get("plotly_chart")) == pictures


def test_the_link_opens_the_same_page_elsewhere():
    app = opened()
    named(app.select_slider, "es_gradient").set_value(-2.5)
    named(app.slider, "es_theta").set_value(11)
    named(app.slider, "es_guess").set_value(7)
    named(app.slider, "es_data_noise").set_value(0.12)
    named(app.pills, "es_follow").set_value("gradient").run()
    again = opened(**link_of(app))
    assert table(again).drop(columns="Saved").equals(table(app).drop(columns="Saved"))
    assert shown(again) == shown(app)
    assert again.slider(key="es_guess").value == 7
    assert again.slider(key="es_data_noise").value == 0.12
    assert link_of(again) == link_of(app)


@pytest.mark.parametrize(
    "link",
    [
        {"data": "no such thing"},
        {"data": "three_arcs"},
        {"data": "drawn"},
        {"v": "1", "data": "two_moons", "at.theta": "1e9", "at.gradient": "rubbish"},
        {"v": "1", "data": "two_moons", "at.follow": "-77", "t": "99999"},
        {"v": "999", "s": "%%%%"},
    ],
    ids=str,
)
def test_a_rubbish_link_opens_the_page(link):
    app = opened(**link)
    assert len(table(app)) == len(page.RULE_ORDER)


def test_a_link_without_two_classes_is_told_so():
    app = opened(v="1", data="three_arcs", labels="telling", algorithm="lapsvm_pcg")
    assert "two classes" in app.info[0].value


# -- without widgets -----------------------------------------------------------------


def test_a_link_of_the_playground_keeps_its_data_and_parameters():
    theirs = Scenario.of("clock", "lapsvm_newton")
    theirs = theirs.with_parameter("gamma_I", 3.0).with_seed(4)
    ours, remarks = page.from_link(theirs.to_url())
    assert not remarks
    assert ours.algorithm == "lapsvm_pcg"
    assert ours.data_knobs == theirs.data_knobs
    assert ours.seed == 4
    assert ours.params["gamma_I"] == 3.0
    assert ours.n_val > 0
    for name, value in page.RECORD.items():
        assert ours.params[name] == value


def test_thresholds_go_through_a_link_and_back():
    at = page.Thresholds(gradient=-2.5, theta=9, eta=3.0, gain=2, guess=5, follow=3)
    scenario = page.scenario_for("two_moons").with_view(thresholds=pairs(unusual(at)))
    back, remarks = Scenario.from_url(scenario.to_url())
    assert not remarks
    assert page.Thresholds.read(dict(back.view.thresholds)) == at


def test_usual_thresholds_make_no_link_longer():
    assert unusual(page.Thresholds()) == {}


def test_thresholds_out_of_range_move_to_the_nearest():
    at = page.Thresholds.read(
        {"gradient": -40, "theta": -3, "eta": 1e5, "gain": 0, "follow": 99, "hide": 7}
    )
    assert at.gradient == min(page.EXPONENTS)
    assert at.theta == 0
    assert at.eta == 20
    assert at.gain == 1
    assert at.follow == len(page.RULE_ORDER) - 1
    assert at.hide == 1


def test_two_moons_show_what_the_paper_shows(run, exact):
    """[MB11] Figures 3 and 4: decided long before the norms are small."""
    rules = page.rules_of(page.Thresholds(), run.trace)
    rows = {
        row.name: row
        for row in viz.stopping_table(run.trace, rules, run.truth, optimum=exact.trace)
    }
    assert rows["stability"].t <= 20
    assert rows["stability"].agreement == 1
    assert rows["stability"].errors["U"] == 0
    assert min(rows[name].t for name in ("gradient", "mixed_product")) >= 40
    assert all(row.fires for row in rows.values())


@pytest.mark.parametrize("gain", [1, 2, 3])
def test_a_gain_of_exactly_so_many_points_is_enough(run, gain):
    """Rates such as 0.06 - 0.04 are not exact; points are."""
    at = page.Thresholds(gain=gain, theta=1)
    rule = page.rules_of(at, run.trace)["validation"]
    wrong = np.rint(run.trace.output_error("val") * len(run.trace.targets["val"]))
    before, expected = len(run.trace.targets["val"]), None
    for t in range(1, len(wrong)):
        if before - wrong[t] < gain:
            expected = t
            break
        before = wrong[t]
    assert judge(rule, run.trace) == expected


def test_without_validation_points_their_checks_are_left_out(server):
    scenario = page.scenario_for("two_moons").with_held_out(0, 0)
    trace = server.ask(scenario).outcome().trace
    assert set(page.rules_of(page.Thresholds(), trace)) == {
        *page.NORM_RULES,
        page.GUESS,
        "stability",
    }


def test_the_verdict_says_what_a_rule_is_worth(run, exact):
    rules = page.rules_of(page.Thresholds(guess=2, gradient=-8.0), run.trace)
    rules["gradient"] = gradient_norm(1e-30)
    rows = {r.name: r for r in viz.stopping_table(run.trace, rules, run.truth)}
    best = viz.optimum_errors(exact.trace, run.truth)
    assert "is the optimum's already" in page.verdict(rows["stability"], best, True)
    assert "above the optimum's" in page.verdict(rows["guess"], best, True)
    assert "never stops" in page.verdict(rows["gradient"], best, True)
    assert "saves at least" in page.verdict(rows["stability"], best, False)


def test_durations_are_said_as_a_person_would():
    assert duration(0.0032) == "3.2 ms"
    assert duration(0.046) == "46 ms"
    assert duration(1.44) == "1.4 s"


def test_the_explanation_is_there_and_without_machine_talk():
    assert "stability check" in texts.explanation("early_stopping")
    assert "Predict first" in texts.lead("early_stopping")
