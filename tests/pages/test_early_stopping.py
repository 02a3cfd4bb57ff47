"""The early-stopping page: what travels to the browser, links, every widget moved."""

import threading
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.early_stopping import stopping_runs as page
from halfmoon.pages._parts.early_stopping import stopping_views
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.study import settings, study_page
from halfmoon.pages._parts.study.settings import unusual
from halfmoon.scenario import Scenario, pairs
from halfmoon.stage.numbers import read_numbers
from ssl_core import judge
from ssl_core.viz.words import duration
from tests.pages.finding import name_of, named, shown_on_stage

SCRIPT = str(Path(__file__).parents[2] / "pages" / "early_stopping.py")
FIELD = {"two_moons": True, "three_arcs": True, "g50c": False, "digits": False}


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


def link_of(app):
    """The address after ``app`` ran, as from_url takes it."""
    values = app.query_params
    return {k: v[0] if isinstance(v, list) else v for k, v in values.items()}


def kinds(header):
    return [panel["kind"] for panel in header["panels"]]


def rules_panel(header):
    return header["panels"][kinds(header).index("rules")]


# -- the page ------------------------------------------------------------------------


def test_the_page_opens_on_two_moons_and_asks_first():
    app = opened()
    assert named(app.selectbox, "es_data").value == "two_moons"
    header = shown_on_stage(app)
    assert header["numbers"]["hide"] == 1
    assert kinds(header) == ["norms", "rules", "curves", "search"]
    # Everything but the norms waits for an answer.
    assert [panel["answer"] for panel in header["panels"]] == [False, True, True, True]
    assert [rule["name"] for rule in rules_panel(header)["rules"]] == [*page.RULE_ORDER]
    assert not any("t = " in m.value for m in app.markdown)  # nor do the texts tell


def test_a_link_of_before_opens_with_its_thresholds_and_the_answers():
    link = page.scenario_for("two_moons").to_url()
    app = opened(**link, **{"at.gradient": "-4.0", "at.follow": "1.0"})
    numbers = shown_on_stage(app)["numbers"]
    expected = page.Thresholds(gradient=-4.0, follow=1, hide=0)
    assert numbers == {k: float(v) for k, v in asdict(expected).items()}
    assert link_of(app)["at.gradient"] == "-4.0"


@pytest.fixture
def solved(monkeypatch):
    """Counts every solver that is started from here on."""
    for thread in threading.enumerate():
        if thread.name == "warm":  # compiles in the background at the first visit
            thread.join()
    calls = []
    for name in ("pcg", "newton"):
        module = import_module(f"ssl_core.solvers.{name}")
        solver = getattr(module, name)

        def counting(*args, _name=name, _solver=solver, **options):
            calls.append(_name)
            return _solver(*args, **options)

        monkeypatch.setattr(module, name, counting)
    return calls


@pytest.fixture
def browser(monkeypatch):
    """What a browser would have sent; fill it in, then run the page."""
    said, message = {}, study_page.door.message

    def told(key, name, *kind):
        return said.get(name) if name == "numbers" else message(key, name, *kind)

    monkeypatch.setattr(study_page.door, "mounted", lambda key: bool(said))
    monkeypatch.setattr(study_page.door, "message", told)
    return said


def test_a_threshold_that_is_let_go_solves_nothing_and_reaches_link_and_script(
    solved, browser
):
    app = opened(**page.scenario_for("two_moons").to_url())
    for thread in threading.enumerate():
        if thread.name == "warm":
            thread.join()
    solved.clear()
    header = shown_on_stage(app)
    moved = header["numbers"] | {"gradient": -3.4, "theta": 5, "follow": 1}
    browser["numbers"] = {"opening": header["opening"], "values": moved}
    app.run()
    assert not app.exception
    assert solved == []
    assert link_of(app)["at.gradient"] == "-3.4"
    assert link_of(app)["at.theta"] == "5.0"
    # The stage is not told what it knows: nothing travels but the link.
    assert shown_on_stage(app) == header
    named(app.select_slider, "es_gamma_I").set_value(5.0).run()
    assert sorted(solved) == ["newton", "pcg"]  # the counter does count
    assert link_of(app)["at.gradient"] == "-3.4"


def test_what_a_browser_says_of_an_earlier_opening_is_out_of_date(browser):
    app = opened(**page.scenario_for("two_moons").to_url())
    header = shown_on_stage(app)
    stale = {"opening": header["opening"] - 1, "values": {"gradient": -2.0}}
    browser["numbers"] = stale
    app.run()
    assert "at.gradient" not in link_of(app)


@pytest.mark.parametrize(
    "message",
    [
        None,
        "rubbish",
        {"opening": 1},
        {"opening": 1, "values": [1, 2]},
        {"opening": 1, "values": {"gradient": "-3"}},
        {"opening": 1, "values": {"gradient": float("nan")}},
        {"opening": 1, "values": {"hide": True}},
        {"opening": 1, "values": {str(i): 0.0 for i in range(1000)}},
    ],
    ids=str,
)
def test_a_strange_message_moves_nothing(message):
    assert read_numbers(message, 1) is None


def test_every_widget_can_be_moved():
    app = opened()
    moved = 0
    for kind in ("slider", "number_input"):
        for key in [name_of(w.key) for w in getattr(app, kind)]:
            widget = named(getattr(app, kind), key)
            value = widget.min if widget.value != widget.min else widget.max
            widget.set_value(min(value, 40)).run()
            assert not app.exception, key
            assert not app.warning, key
            moved += 1
    for key in [name_of(w.key) for w in app.select_slider]:
        # Values are formatted for reading; the numbers behind them are the page's.
        value = {"es_sigma": 0.2, "es_gamma_A": 0.1, "es_gamma_I": 0.1}[key]
        named(app.select_slider, key).set_value(value).run()
        assert not app.exception, key
        moved += 1
    assert moved >= 6


@pytest.mark.parametrize("name", FIELD)
def test_two_and_more_classes_and_dimensions_are_studied(name):
    app = opened(**page.scenario_for(name).to_url())
    assert not app.warning
    header = shown_on_stage(app)
    entry = DATASETS[name]
    assert len(header["classes"]) == entry.n_classes
    assert ("field" in header["arrays"]) is FIELD[name]
    assert ("ghost_field" in header["arrays"]) is FIELD[name]
    assert ("struck" in header["arrays"]) is not FIELD[name]
    assert len(rules_panel(header)["rules"]) == len(page.RULE_ORDER)
    assert kinds(header) == ["norms", "rules", "curves", "search"]


def test_every_data_set_on_offer_has_a_setup():
    assert set(page.OFFERED) == set(page.SETUP)
    assert {DATASETS[name].n_classes for name in page.OFFERED} >= {2, 3, 10}


@pytest.mark.parametrize(
    "link",
    [
        {"data": "no such thing"},
        {"data": "drawn"},
        {"v": "1", "data": "two_moons", "at.theta": "1e9", "at.gradient": "rubbish"},
        {"v": "1", "data": "two_moons", "at.follow": "-77", "t": "99999"},
        {"v": "999", "s": "%%%%"},
    ],
    ids=str,
)
def test_a_rubbish_link_opens_the_page(link):
    header = shown_on_stage(opened(**link))
    assert len(rules_panel(header)["rules"]) >= 6


def test_a_link_with_data_of_ones_own_is_told_so():
    app = opened(v="1", data="drawn", labels="hand", algorithm="lapsvm_pcg")
    assert "two moons are shown" in app.info[0].value


# -- what travels --------------------------------------------------------------------


def test_the_record_has_every_iteration_although_frames_are_left_out(server):
    scenario = page.scenario_for("two_moons")
    run = server.ask(scenario).outcome()
    frames = stopping_views.stopping_frames(run.trace, 200, True)
    assert len(frames) == len(run.trace)  # all fit
    few = stopping_views.stopping_frames(run.trace, 200_000, True)
    assert len(few) < len(run.trace)
    assert np.array_equal(few[:20], np.arange(20))  # where decisions are made
    assert few[-1] == len(run.trace) - 1
    record = stopping_views.record_of(run, run)
    assert len(record.t) == len(record.decisions) == len(run.trace)


def test_points_still_moving_are_those_that_change_sides_later():
    labels = np.array([[1, 1, 1], [-1, 1, 1], [1, 1, -1], [1, 1, -1]])
    # The first point comes back: it moves after the start although it ends as it began.
    assert list(stopping_views.still_moving(labels)) == [2, 2, 0, 0]


# -- without widgets -----------------------------------------------------------------


def test_a_link_to_data_that_are_not_here_says_how_they_are_had(tmp_path, monkeypatch):
    url = Scenario.of("ssl_text", "lapsvm_pcg").to_url()
    monkeypatch.setenv("HALFMOON_DATA", str(tmp_path))
    monkeypatch.setenv("HALFMOON_CACHE", str(tmp_path))
    for opened in (
        page.from_link(url),
        settings.opened(
            url,
            Scenario.from_url,
            "da",
            lambda: Scenario.of("two_moons", "da"),
            "moons",
        ),
    ):
        scenario, remarks = opened
        assert scenario.data == "two_moons"
        assert "available data" in remarks[0]
        assert remarks[1].endswith("`halfmoon data fetch ssl_text` downloads it.")


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
    at = page.Thresholds(gradient=-2.7, theta=9, eta=3.0, gain=2, guess=5, follow=3)
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


def test_half_decades_of_old_links_stay_where_they_are():
    for k in range(2, 17):
        assert page.Thresholds.read({"gradient": -k / 2}).gradient == -k / 2


def test_two_moons_show_what_the_paper_shows(run, exact):
    """[MB11] Figures 3 and 4: decided long before the norms are small."""
    rules = page.rules_of(page.Thresholds(), run.trace)
    stops = {name: judge(rule, run.trace) for name, rule in rules.items()}
    record = stopping_views.record_of(run, exact)
    assert stops["stability"] <= 20
    assert record.wrong["U"][stops["stability"]] == record.best["U"] == 0
    free = run.trace.y == 0
    here, best = run.trace.labels[stops["stability"]], exact.trace.labels[-1]
    assert np.array_equal(here[free], best[free])
    assert min(stops[name] for name in ("gradient", "mixed_product")) >= 40
    assert None not in stops.values()


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


def test_durations_are_said_as_a_person_would():
    assert duration(0.0032) == "3.2 ms"
    assert duration(0.046) == "46 ms"
    assert duration(1.44) == "1.4 s"
