"""The annealing page: its questions, its runs, its words, its links."""

import threading
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts import texts
from halfmoon.pages._parts.annealing import annealed_runs as page
from halfmoon.pages._parts.annealing import annealing_outcomes as outcomes
from halfmoon.pages._parts.annealing import annealing_views as views
from halfmoon.pages._parts.annealing.annealing_outcomes import AnnealingOutcome
from halfmoon.pages._parts.annealing.annealing_questions import QUESTIONS
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.study import lesson_buttons
from halfmoon.pages._parts.study.settings import unusual, with_label_count
from halfmoon.scenario import Scenario
from halfmoon.scenario.refusals import RefusedError
from halfmoon.stage.pack import unpack
from ssl_core import Status
from ssl_core.viz.measures import labeled_mask
from tests.pages.finding import name_of, named

SCRIPT = str(Path(__file__).parents[2] / "pages" / "annealing.py")
COOLING, SWITCHING, COMPARISON = page.VIEWS


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.fixture(scope="module")
def run(server):
    return server.ask(page.scenario_for("clusters")).outcome()


@pytest.fixture(scope="module")
def switched(server, run):
    return server.ask(page.switching(run.scenario)).outcome()


def opened(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def answered(view=COOLING):
    """The page with a view whose question is answered."""
    place = page.VIEWS.index(view)
    return opened(**{"at.view": str(place), f"at.{QUESTIONS[place].field}": "1"})


def look(app, view):
    named(app.button_group, "an_view").set_value(view).run()
    assert not app.exception
    assert not app.warning
    return app


def stages(app):
    """What the stages on the page were sent: header and arrays, by key."""
    found = {}
    for element in app.get("bidi_component"):
        if element.proto.component_name.endswith("halfmoon_stage"):
            header, arrays = unpack(bytes(element.proto.bytes))
            found[header["key"]] = header, arrays
    return found


def words(app):
    return " ".join(m.value for m in app.markdown)


def table(app):
    frame = app.table[0].value.map(lambda text: text.replace("*", ""))
    return frame.rename(index=lambda text: text.replace("*", ""))


def link_of(app):
    values = app.query_params
    return {k: v[0] if isinstance(v, list) else v for k, v in values.items()}


# -- the page ------------------------------------------------------------------------


def test_the_page_opens_with_a_question_and_only_the_first_temperature():
    app = opened()
    assert named(app.selectbox, "an_data").value == "clusters"
    assert app.markdown[0].value.startswith("**Predict first.** Every unlabelled")
    header, arrays = stages(app)["annealing_stage"]
    assert {tile["label"]: tile["values"] for tile in header["tiles"]}[
        "temperature T"
    ] == ["10"] * len(header["frame_t"])
    assert len(header["events"]) == 1
    assert np.abs(arrays["p"][:, header_free(arrays)] / 255 - 0.5).max() < 0.2
    assert "certain, " not in words(app)


def header_free(arrays):
    return arrays["given"] < 0


@pytest.mark.parametrize("view", page.VIEWS)
def test_every_view_hides_its_end_until_the_student_has_answered(view):
    app = look(opened(), view)
    question = QUESTIONS[page.VIEWS.index(view)]
    assert question.text in words(app)
    before = stages(app)
    assert len(app.table) == 0
    assert "in this run" not in words(app)
    named(app.button_group, f"an_{question.field}").set_value(question.answers[0]).run()
    assert not app.exception
    after = stages(app)
    assert question.text not in words(app)
    assert "in this run" in words(app)
    if view == COMPARISON:
        assert (set(before), set(after)) == (
            {"annealed_stage"},
            {"annealed_stage", "cold_stage"},
        )
        assert len(table(app)) == 2 + len(page.FIXED)
    else:
        (first,), (whole,) = before.values(), after.values()
        assert len(whole[0]["frame_t"]) > 5 * len(first[0]["frame_t"])
        assert first[0]["run_id"] != whole[0]["run_id"]
        assert whole[0]["autoplay"]
        assert whole[0]["start_frame"] == 0


def test_a_teacher_can_show_a_view_without_a_guess_and_ask_again():
    app = opened()
    named(app.button, "an_skip_guess").click().run()
    assert "All start at p = 0.5" in words(app)
    assert "in this run" not in words(app)
    assert not stages(app)["annealing_stage"][0]["autoplay"]
    named(app.button, "an_again_guess").click().run()
    assert QUESTIONS[0].text in words(app)


def test_the_panels_are_loss_and_beliefs_first_and_the_epilogue_is_set_apart():
    header, _ = stages(answered())["annealing_stage"]
    panels = {panel["title"]: panel for panel in header["panels"]}
    assert list(panels)[:3] == [
        "The loss at this temperature",
        "Probability p, one row per point",
        "Error",
    ]
    last = header["frame_t"][-1]
    for title in ("Temperature", "Entropy", "Objective"):
        assert panels[title]["below"]
        assert panels[title]["shaded"] == [[last - 1, last]]
        assert panels[title]["shaded_name"] == "final training"
    assert header["captions"][-1].startswith("Final training, of the best")
    assert header["tiles"][0]["values"][-1] == "final training"
    assert header["events"][-1]["kind"] == "best"


def test_changing_the_view_solves_nothing_twice(monkeypatch):
    app = opened(**{f"at.{question.field}": "0" for question in QUESTIONS})
    look(app, SWITCHING)
    look(app, COMPARISON)
    for thread in threading.enumerate():
        if thread.name == "warm":  # compiles in the background at the first visit
            thread.join()
    calls = []
    for name in ("da", "tsvm"):
        module = import_module(f"ssl_core.solvers.{name}")
        solver = getattr(module, name)

        def counting(*args, _name=name, _solver=solver, **options):
            calls.append(_name)
            return _solver(*args, **options)

        monkeypatch.setattr(module, name, counting)
    look(app, COOLING)
    look(app, SWITCHING)
    look(app, COMPARISON)
    assert calls == []
    named(app.number_input, "an_seed").set_value(77).run()
    assert sorted(calls) == [*["da"] * (1 + len(page.FIXED)), "tsvm"]


@pytest.mark.parametrize("view", page.VIEWS)
def test_every_widget_can_be_moved(view):
    app = answered(view)
    moved = 0
    for kind in ("slider", "number_input"):
        for key in [name_of(w.key) for w in getattr(app, kind)]:
            widget = named(getattr(app, kind), key)
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
    assert moved >= 7


@pytest.mark.parametrize("name", page.OFFERED)
def test_every_data_set_on_offer_is_studied(name):
    if not DATASETS[name].available():
        pytest.skip(f"{name} is not at hand")
    app = opened()
    named(app.selectbox, "an_data").set_value(name).run()
    assert not app.exception
    assert not app.warning
    named(app.button, "an_skip_guess").click().run()
    assert not app.exception
    header, _ = stages(app)["annealing_stage"]
    kinds = [panel["kind"] for panel in header["panels"]]
    text = name in ("topic_text", "news20", "text_pcmac")
    assert kinds[: 3 if text else 2] == ["loss", "heat", "heat"][: 3 if text else 2]
    if text:
        assert header["panels"][2]["row_name"] == "word"
        assert len(header["panels"][2]["rows"]) == 2 * views.WORDS


def test_no_weight_on_the_unlabelled_points_is_told_with_a_way_out():
    app = answered()
    named(app.select_slider, "an_lam_u").set_value(0.0).run()
    assert not app.exception
    assert "nothing to anneal" in app.warning[0].value
    (way,) = (b for b in app.button if "way_out" in str(b.key))
    assert way.label == "Use λ′ = 1"
    way.click().run()
    assert not app.exception
    assert not app.warning
    assert stages(app)
    assert stages(app)


def test_the_link_opens_the_same_page_elsewhere():
    app = opened()
    named(app.slider, "an_data_noise").set_value(0.25)
    named(app.select_slider, "an_lam").set_value(0.1)
    named(app.number_input, "an_r").set_value(0.4).run()
    named(app.button_group, "an_guess").set_value("It stays undecided").run()
    look(app, SWITCHING)
    named(app.button_group, "an_pairs").set_value("Never").run()
    again = opened(**link_of(app))
    assert named(again.slider, "an_data_noise").value == 0.25
    assert named(again.number_input, "an_r").value == 0.4
    assert (
        stages(again)["switching_stage"][0]["run_id"]
        == (stages(app)["switching_stage"][0]["run_id"])
    )
    assert link_of(again) == link_of(app)
    look(again, COOLING)
    assert "Not in this run: it gets the class of the nearer cluster." in words(again)


def test_a_link_with_a_moment_opens_there_without_asking():
    app = opened(t="9")
    header, _ = stages(app)["annealing_stage"]
    assert header["frame_t"][header["start_frame"]] == 9
    assert not header["autoplay"]
    assert "Predict first" not in words(app)


def test_an_older_link_to_a_training_of_the_transductive_svm_opens_there():
    app = opened(v="1", data="clusters", t="30", **{"at.view": "1", "at.s": "6"})
    header, _ = stages(app)["switching_stage"]
    assert header["frame_t"][header["start_frame"]] == 6
    assert "at.s" not in link_of(app)


def test_another_run_takes_the_cursor_to_its_own_telling_place():
    app = opened(t="2")
    named(app.number_input, "an_seed").set_value(1).run()
    assert "t" not in link_of(app)
    header, _ = stages(app)["annealing_stage"]
    assert header["frame_t"][header["start_frame"]] > 2


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
    assert stages(opened(**link))


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
    for screen in (
        page.AnnealingNumbers(),
        page.AnnealingNumbers(view=2, pairs=0, guess=1, cold=3),
    ):
        assert page.AnnealingNumbers.read(unusual(screen)) == screen
    assert unusual(page.AnnealingNumbers()) == {}
    most = QUESTIONS[0].unguessed
    assert page.AnnealingNumbers.read(
        {"view": -9, "guess": 99.5}
    ) == page.AnnealingNumbers(0, most)


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


def test_all_ways_are_measured_by_the_same_objective(run, switched):
    assert outcomes.transductive_objective(run) == pytest.approx(
        run.trace.final.transductive_objective, rel=1e-12
    )
    other = switched
    # Its own objective has hard labels kept in balance: never below the free one.
    assert outcomes.transductive_objective(other) <= other.trace.final.objective


@pytest.mark.parametrize("name", ["clusters", "g50c", "topic_text"])
def test_annealing_matters_on_the_data_the_page_shows(server, name):
    """[SK07], "Importance of annealing", on the page's own draws."""
    ways = page.rivals(page.scenario_for(name))
    rows = {
        way: outcomes.outcome(way, server.ask(scenario).outcome())
        for way, scenario in ways.items()
    }
    annealed, stuck = rows["annealed"], rows["T = 0.001"]
    assert annealed.objective < 0.7 * stuck.objective
    assert annealed.errors["U"] < 0.5 * stuck.errors["U"]
    assert outcomes.stuck(list(rows.values())) == "T = 0.001"


def test_the_cursor_opens_where_half_of_the_doubt_is_gone(run):
    entropy = run.trace.column("entropy")
    t = page.melting(run.trace)
    assert entropy[t] < entropy[0] / 2 <= entropy[t - 1]


def test_the_transductive_cursor_opens_before_the_largest_switch(switched):
    trace = switched.trace
    s = page.busiest(trace)
    assert trace.states[s].n_switched == trace.column("n_switched").max()


def test_the_fate_of_undecided_points_is_counted(run):
    trace = run.trace
    index = page.melting(trace)
    p, last = trace.states[index].p, trace.final.p
    coins = (p > 0.4) & (p < 0.6)
    said = page.fate(trace, index)
    assert said.startswith(f"{coins.sum()} points are undecided")
    assert f"{(last[coins] <= 0.1).sum()} are certain for the first class" in said
    i = int(trace.column("entropy").argmin())
    decided = np.abs(trace.states[i].p - 0.5) >= 0.1
    assert decided.all()
    assert page.fate(trace, i).startswith("No point is undecided")


def row(name, objective, error):
    return AnnealingOutcome(
        name, name, objective, {"U": error}, 0.1, name == "annealed"
    )


def test_the_verdict_says_who_won_and_who_is_stuck():
    better = [row("annealed", 0.1, 0.02), row("a", 0.2, 0.3), row("b", 0.15, 0.1)]
    assert outcomes.verdict(better) == (
        "Annealing reaches the lowest objective of all. “a” ends at 2 times the lowest."
    )
    equal = [row("annealed", 0.1, 0.02), row("a", 0.1, 0.02)]
    assert outcomes.verdict(equal) == ("Annealing and “a” reach the lowest objective.")
    worse = [row("annealed", 0.1, 0.05), row("a", 0.0995, 0.01)]
    said = outcomes.verdict(worse)
    assert "“a” finds a lower objective than annealing" in said
    assert "not guarantee fewer errors" in said


def test_the_lowest_objective_is_bold():
    frame = outcomes.table([row("annealed", 0.1, 0.02), row("a", 0.2, 0.3)])
    assert list(frame.index) == ["**annealed**", "a"]
    assert frame.loc["a", "Error, unlabelled"] == "30.0 %"


def test_a_run_to_its_end_is_described(run):
    assert run.trace.status is Status.FINISHED
    said = page.remarks_on(run)
    assert said.startswith("240 points, 2 of them labelled. Class ratio r = 0.5")
    assert "stopped" not in said


def test_nothing_to_decide_is_refused(server):
    scenario = page.scenario_for("clusters").with_data_knob("n", 20)
    everyone = with_label_count(scenario, 10)
    with pytest.raises(RefusedError, match="choose fewer labels") as told:
        page.check(server.pose(everyone), everyone)
    (way,) = told.value.ways
    fewer = way.take(everyone, 0)
    page.check(server.pose(fewer), fewer)


# -- answers and sentences, beside the runs they are about ---------------------------


def test_the_answer_on_coins_is_that_of_the_run(run):
    question, trace = QUESTIONS[0], run.trace
    p, free = trace.final.p, ~labeled_mask(trace)
    sure = int((np.maximum(p, 1 - p) >= 0.9).sum())
    hill = [int((np.abs(trace.states[i].f[free]) < 0.5).sum()) for i in (1, -1)]
    said = question.judged(1, trace)
    assert said.startswith("**Yes, in this run.** All start at p = 0.5;")
    assert f"at the end {sure} of {len(p)} points are at least 90 % certain" in said
    assert f"{hill[0]} of them had outputs between" in said
    assert f"after the first step, {hill[1]} at the end" in said
    assert question.judged(0, trace).startswith(
        "**Not in this run: it gets the class of the nearer cluster.**"
    )
    hot = replace(trace, states=trace.states[:3])
    assert question.judged(0, hot).startswith("**Yes, in this run.**")


def test_the_answer_on_switches_counts_pairs_by_weight(switched):
    question, trace = QUESTIONS[1], switched.trace
    pairs, weight = trace.column("n_switched"), trace.column("lam_u")
    way = int(pairs[(weight >= 0.01) & (weight < 1)].sum())
    assert way == pairs.sum() > 0
    said = question.judged(1, trace)
    assert said.startswith("**Yes, in this run.** No pairs while")
    assert f"{way} pairs on the way up, no pairs at the end" in said
    positive = {int((s.y_u > 0).sum()) for s in trace.states}
    assert f"stayed at {positive.pop()} of {len(trace.final.y_u)}" in said
    assert not positive
    still = replace(trace, states=trace.states[:3])
    said = question.judged(3, still)
    assert said.startswith("**Yes, in this run.** No pair was switched")


def test_the_answer_on_the_cold_run_compares_objectives():
    question = QUESTIONS[2]
    for cold, right in ((0.1, 0), (0.2, 1), (0.05, 2)):
        rows = [row("annealed", 0.1, 0.02), row("T = 0.001", cold, 0.3)]
        for guess in range(3):
            said = question.judged(guess, rows, "T = 0.001")
            assert said.startswith("**Yes") == (guess == right)
        assert "ends at 0.1; with T = 0.001 throughout at" in said
    said = question.judged(1, rows, "T = 0.001")
    assert said.startswith("**Not in this run: lower: annealing only wastes time.**")


def test_a_pair_switches_because_it_stands_lower_with_the_other_labels(switched):
    trace = switched.trace
    told = 0
    for i, state in enumerate(trace.states[:-1]):
        event = views.switch_after(trace, i)
        said = views.switch_words(trace, i)
        assert bool(said) == (event is not None)
        if event is None:
            continue
        up, down = event.data["to_positive"], event.data["to_negative"]
        rings = views.switching_next(trace, np.array([i]))[0]
        assert set(np.flatnonzero(rings)) == {*up, *down}
        f = state.f
        now = (np.maximum(0, 1 + f[up]) ** 2).sum() + (
            np.maximum(0, 1 - f[down]) ** 2
        ).sum()
        then = (np.maximum(0, 1 - f[up]) ** 2).sum() + (
            np.maximum(0, 1 + f[down]) ** 2
        ).sum()
        assert then < now
        assert f"add up to {now:.3g}" in said
        assert f"labels to {then:.3g}." in said
        told += 1
    assert told == 3


def test_a_pair_that_switches_has_two_labels_whatever_is_predicted(switched):
    """Both points of a pair may lie on one side of the boundary: predictions alone
    showed an exchange between two points of one class."""
    trace, alike = switched.trace, 0
    for i, state in enumerate(trace.states[:-1]):
        event = views.switch_after(trace, i)
        if event is None:
            continue
        labels = views.guessed(trace, [i])[0]
        up, down = event.data["to_positive"], event.data["to_negative"]
        assert labels[down].all()
        assert not labels[up].any()
        same = (state.f[up] > 0) == (state.f[down] > 0)
        assert ("on one side" in views.switch_words(trace, i)) == same.any()
        alike += same.sum()
    assert alike > 0


def test_the_explanation_is_true_of_the_runs_it_stands_beside(run, switched):
    said = " ".join(texts.explanation("annealing").split())
    trace, free = run.trace, ~labeled_mask(run.trace)
    T, hot = trace.column("T"), trace.states[3]
    assert "All probabilities stay near the class ratio r" in said
    assert T[3] == T[0]
    assert np.abs(hot.p - 0.5).max() < 0.2
    assert "Points far from the boundary are decided first" in said
    half = trace.states[page.melting(trace)]
    sure = np.maximum(half.p, 1 - half.p) >= 0.9
    for side in (1, -1):
        far = side * half.f[free]
        assert far[sure & (far > 0)].min() > far[~sure & (far > 0)].max()
    assert "At the end every label is decided" in said
    assert (np.maximum(trace.final.p, 1 - trace.final.p) > 0.99).all()
    assert "temperature never rises" in said
    assert (np.diff(T) <= 0).all()
    assert "lowest objective at T = 0" in said
    hard = trace.column("transductive_objective")
    assert trace.final.events[0].data["t"] == hard[:-1].argmin()
    assert hard[-1] <= hard[:-1].min()


def test_the_explanation_of_the_loss_is_true_of_its_curves(run, switched):
    said = " ".join(texts.explanation("annealing").split())
    o = np.linspace(-1.5, 1.5, 61)
    assert "it is a bowl that pulls outputs to 0" in said
    bowl = run.trace.states[0].lens.curve(o)
    assert (np.diff(bowl, 2) > 0).all()
    assert bowl.argmin() == 30
    assert "it is a hill at 0 with a valley on either side" in said
    hill = run.trace.final.lens.curve(o)
    assert abs(o[hill.argmax()]) <= 0.2
    assert hill.max() - hill[[0, -1]].max() > 0.5
    assert "The class ratio tilts it" in said
    pull = run.trace.final.lens.loss.nu
    assert hill[0] - hill[-1] == pytest.approx(pull, abs=1e-6)
    assert "almost no weight on the unlabelled points" in said
    assert switched.trace.states[1].lam_u == 1e-5
    assert "exchanging a pair of labels lowers the objective" in said
    falls = [e.data for _, e in switched.trace.events if e.kind == "switch"]
    assert falls
    assert all(data["after"] < data["before"] for data in falls)


def test_no_line_is_right_on_two_moons(server):
    assert "no line separates the classes" in texts.explanation("annealing")
    run = server.ask(page.scenario_for("two_moons")).outcome()
    assert outcomes.outcome("annealed", run).errors["U"] > 0.05


def test_the_run_that_is_pinned_is_the_one_on_the_screen(monkeypatch):
    pinned = []
    monkeypatch.setattr(lesson_buttons, "pin_button", pinned.append)
    answered(COOLING)
    answered(SWITCHING)
    assert [scenario.algorithm for scenario in pinned] == ["da", "tsvm"]
