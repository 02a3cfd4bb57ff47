"""The page of paths and jumps: its runs, its table, its links, its widgets."""

import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from halfmoon import stage
from halfmoon.datasets import load
from halfmoon.pages._parts import texts
from halfmoon.pages._parts.path import path_curves, path_places, path_views
from halfmoon.pages._parts.path import path_runs as page
from halfmoon.pages._parts.path.path_facts import path_facts_of
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.texts.claims import claims_in, filled
from halfmoon.scenario import Scenario
from halfmoon.scenario.refusals import RefusedError
from halfmoon.stage.pack import unpack
from tests.pages.finding import APP, named, shown_on_stage
from tests.path_problems import stripes

SCRIPT = APP.replace("_parts/main.py", "path.py")
ROUNDING = 1e-9  # of outputs and objectives, which are of size 1 to 100
SWING = stripes(20, 9, 0.8, 1.0, kernel="linear")


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.fixture(scope="module")
def run(server):
    return server.ask(page.scenario_for("avalanche")).outcome()


@pytest.fixture(scope="module")
def moons(server):
    return server.ask(page.scenario_for("moons")).outcome()


@pytest.fixture(scope="module")
def app():
    return opened()


def opened(scenario=None, **more):
    """The page from a link, which shows the whole path."""
    if scenario is None and not more:
        scenario = page.scenario_for(page.FIRST)
    link = {} if scenario is None else scenario.to_url()
    return visited(**link, **more)


def visited(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.warning
    return app


def link_of(app):
    values = app.query_params
    return {k: v[0] if isinstance(v, list) else v for k, v in values.items()}


# -- the page ------------------------------------------------------------------------


def words(app):
    """What stands on the page outside the stage and the explanation to open."""
    explained = {e.value for box in app.expander for e in box.markdown}
    elements = (*app.header, *app.markdown, *app.caption)
    said = [e.value for e in elements if e.value not in explained]
    return " ".join([*said, *map(str, named(app.selectbox, "pa_preset").options)])


def test_a_first_visit_asks_and_gives_nothing_of_the_answer_away():
    app = visited()
    assert page.QUESTION.text in words(app)
    assert not re.search(r"jump|flip", words(app), re.IGNORECASE)
    header = shown_on_stage(app)
    assert header["frame_t"] == [0]
    assert (header["panels"], header["tiles"], header["events"]) == ([], [], [])
    said = [header["title"], header["status"], *header["captions"]]
    assert "struck" not in unpacked(app)[1]  # who is hit, in the legend too
    assert "None" not in words(app)
    assert not re.search(r"jump|flip", " ".join(said), re.IGNORECASE)


def test_an_answer_shows_the_path_from_its_start_and_says_what_happened():
    app = visited()
    group = named(app.button_group, "pa_guess")
    group.set_value(page.ANSWERS[0]).run()
    assert not app.exception
    assert "**Not in this run: it moves continuously, with one jump.**" in words(app)
    header = shown_on_stage(app)
    assert len(header["frame_t"]) > 10
    assert (header["start_frame"], header["autoplay"]) == (0, True)
    assert link_of(app)["at.guess"] == "0.0"
    named(app.button, "pa_again_guess").click().run()
    assert shown_on_stage(app)["frame_t"] == [0]
    again = visited(**link_of(app))  # a link to the open question asks, too
    assert shown_on_stage(again)["frame_t"] == [0]
    named(again.button, "pa_skip_guess").click().run()
    header = shown_on_stage(again)
    caption = header["captions"][header["start_frame"]]
    assert "Before the jump" in caption
    assert not header["autoplay"]


@pytest.mark.parametrize(("name", "right"), [("swing", 1), ("avalanche", 2)])
def test_the_right_answer_is_that_of_the_run(server, name, right):
    run = server.ask(page.scenario_for(name)).outcome()
    found, said = page.QUESTION.react(run)
    assert found == right
    assert said == page.summary(run)


def test_the_page_opens_before_the_jump_that_turns_the_line(app):
    assert named(app.selectbox, "pa_preset").value == "swing"
    header = shown_on_stage(app)
    assert header["axis"] == {"name": "C*", "floor": 0.01}
    caption = header["captions"][header["start_frame"]]
    assert caption.startswith("C* = 0.0755. Before the jump: point 11 has reached")
    assert (
        "the labels of points 2, 6, 11, 13 flipped"
        in header["captions"][header["start_frame"] + 1]
    )


@pytest.mark.parametrize("name", page.PRESETS)
def test_every_preset_opens_and_says_what_is_true_of_its_path(server, name):
    app = opened(page.scenario_for(name))
    assert named(app.selectbox, "pa_preset").value == name
    look = page.PRESETS[name].look
    facts = path_facts_of(server.ask(page.scenario_for(name)).outcome())
    assert all(facts[claim] for claim in claims_in(look))
    assert filled(look, facts) in [c.value for c in app.caption]
    kinds = [panel["kind"] for panel in shown_on_stage(app)["panels"]]
    assert kinds == ["curves", "curves", "loss", "curves", "curves", "curves"]


def test_moving_a_widget_shows_another_path():
    app = opened()
    named(app.select_slider, "pa_C").set_value(10.0).run()
    assert not app.exception
    assert link_of(app)["C"] == "10.0"
    assert named(app.selectbox, "pa_preset").value is None
    last = unpacked(app)[1]["axis"][-1]
    assert last == 10.0


def test_another_draw_keeps_the_labels_at_the_ends():
    app = opened()
    named(app.number_input, "pa_seed").set_value(4).run()
    assert not app.exception
    scenario, remarks = Scenario.from_url(link_of(app))
    assert not remarks
    assert scenario == page.ends_labelled(scenario)


def test_the_axis_can_be_linear_and_the_link_says_so():
    app = opened()
    named(app.button_group, "pa_axis").set_value("Linear").run()
    assert shown_on_stage(app)["axis"]["floor"] is None
    assert link_of(app)["at.linear"] == "1.0"
    again = opened(**link_of(app))
    assert shown_on_stage(again)["axis"]["floor"] is None


def test_a_link_opens_at_its_place():
    scenario = page.scenario_for("avalanche")
    header = shown_on_stage(opened(scenario.with_view(t=20)))
    assert header["frame_t"][header["start_frame"]] == 20


def test_a_link_from_the_playground_keeps_its_data_and_labels():
    app = opened(data="two_circles", algorithm="svm", seed="3")
    link = link_of(app)
    assert (link["data"], link["seed"]) == ("two_circles", "3")
    assert link["algorithm"] == "s3vm_path"


def test_data_of_many_classes_are_refused_with_a_sentence():
    app = opened(data="three_arcs", algorithm="svm")
    assert any("two classes" in info.value for info in app.info)
    assert named(app.selectbox, "pa_preset").value == page.FIRST


def test_a_path_with_one_class_of_labels_is_a_sentence():
    scenario = page.scenario_for("swing")
    hand = scenario.labels.hand[:1]
    one = scenario.with_labels(page.Labels("hand", hand=hand))
    app = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in one.to_url().items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert "at least two classes" in app.warning[0].value


def test_a_drawing_with_three_classes_is_a_sentence():
    scenario = Scenario.of("drawn", "s3vm_path").with_data_knob("n_classes", 3)
    corners = ((0.0, 0.0, 0), (1.0, 0.0, 1), (0.5, 1.0, -1))
    scenario = scenario.with_drawing(replace(scenario.drawing, added=corners))
    scenario = scenario.with_labels(page.Labels("hand", hand=((0, 0), (1, 1))))
    app = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in scenario.to_url().items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert "data with two classes" in app.warning[0].value
    two, preset = (b for b in app.button if "way_out" in str(b.key))
    assert (two.label, preset.label) == (
        "Use two classes",
        f"Show “{page.PRESETS[page.FIRST].title}”",
    )
    preset.click().run()
    assert not app.exception
    assert not app.warning
    assert named(app.selectbox, "pa_preset").value == page.FIRST


def test_every_point_labelled_offers_fewer_labels_before_any_run(monkeypatch):
    swing = page.scenario_for("swing").with_labels(page.Labels("random", 10))
    server = RunServer(1)
    with pytest.raises(RefusedError, match="choose fewer labels") as told:
        page.check(server.pose(swing), swing)
    (way,) = told.value.ways
    fewer = way.take(swing, 0)
    page.check(server.pose(fewer), fewer)
    monkeypatch.setattr(runs, "solve", None)  # not to be asked
    app = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in swing.to_url().items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert "choose fewer labels" in app.warning[0].value


def test_looking_in_another_way_solves_nothing_again(monkeypatch):
    app = opened()
    made = []
    work = RunServer._work
    monkeypatch.setattr(RunServer, "_work", lambda s, j: (made.append(j), work(s, j)))
    named(app.button_group, "pa_axis").set_value("Linear").run()
    assert not app.exception
    assert not made
    named(app.slider, "pa_steps").set_value(15).run()
    assert not app.exception
    assert {job.scenario.algorithm for job in made} == {"cccp"}


def test_the_prose_is_there():
    said = texts.explanation("path")
    assert "jump" in said
    named = set(re.findall(r"On \*([^*]+)\*", said))
    assert named <= {preset.title for preset in page.PRESETS.values()}


def unpacked(app):
    (element,) = (
        e
        for e in app.main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_stage"
    )
    return unpack(element.proto.bytes)


# -- the problems --------------------------------------------------------------------


def test_stripes_are_those_that_the_solver_is_tested_on():
    scenario = page.scenario_for("swing")
    data = load("stripes", random_state=9, n=20, gap=0.8)
    assert (2 * data.y - 1 == SWING.truth).all()
    assert scenario.labels.hand == tuple(
        (int(i), int(SWING.y[i] > 0)) for i in np.flatnonzero(SWING.y)
    )


def test_the_jump_of_the_first_preset_is_the_known_one(server):
    run = server.ask(page.scenario_for("swing")).outcome()
    (jump,) = path_views.jumps_of(run.trace)
    ((before, _, event),) = SWING.jumps
    assert jump.C_u == pytest.approx(before.C_u, rel=ROUNDING)
    assert jump.flipped == event.data["flipped"]
    assert run.trace.final.objective == pytest.approx(2.2699326, rel=1e-7)


def test_presets_differ_and_each_is_found_again():
    found = [page.preset_of(page.scenario_for(name)) for name in page.PRESETS]
    assert found == list(page.PRESETS)


# -- jumps ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["avalanche", "moons"])
def test_the_table_tells_what_the_trace_has(server, name):
    run = path_places.with_places(server.ask(page.scenario_for(name)).outcome())
    states = run.trace.states
    jumps = [(i, e) for i, s in enumerate(states) for e in s.events if e.kind == "jump"]
    rows = page.rows_of(run)
    assert len(rows) == len(jumps) > 0
    numbers = run.problem.row[run.problem.train]
    for (first, last, cells), (i, event) in zip(rows, jumps, strict=True):
        assert (first, last) == (states[i - 1].t, states[i].t)
        assert states[i - 1].C_u == states[i].C_u == event.data["C_u"]
        assert (states[i - 1].y_u != states[i].y_u).sum() == len(event.data["flipped"])
        C_u, hit, flipped, before, after = cells
        assert float(C_u) == pytest.approx(states[i].C_u, rel=5e-3)  # three digits
        assert hit == f"point {numbers[event.data['hit'][0]]}"
        assert flipped.startswith(f"{len(event.data['flipped'])}: ")
        assert float(before) == pytest.approx(states[i - 1].objective, rel=5e-6)
        assert float(after) == pytest.approx(states[i].objective, rel=5e-6)


def test_both_states_of_every_jump_are_shown_however_few_frames(moons, monkeypatch):
    monkeypatch.setattr(path_views, "MAX_FRAMES", 10)
    jumps = path_views.jumps_of(moons.trace)
    frames = path_views.path_frames(moons.trace, jumps)
    assert len(frames) <= 10 + 2 * len(jumps)
    for jump in jumps:
        assert {jump.before, jump.before + 1} <= set(frames)


def test_a_hit_point_is_ringed_before_and_the_flipped_ones_after(run):
    jumps = path_views.jumps_of(run.trace)
    frames = np.arange(len(run.trace))
    rings = path_views.struck(frames, jumps, len(run.problem.train))
    for jump in jumps:
        assert tuple(np.flatnonzero(rings[jump.before])) == jump.hit
        assert tuple(np.flatnonzero(rings[jump.before + 1])) == jump.flipped
    assert rings.any(axis=1).sum() == 2 * len(jumps)


def test_a_point_at_zero_is_shown_on_the_side_of_its_label(run):
    trace = run.trace
    F = path_views.outputs(trace, trace.states)
    labels = np.stack([s.y_u for s in trace.states])
    np.testing.assert_array_equal(np.sign(F[:, trace.y == 0]), labels)


# -- places between break points -----------------------------------------------------


def test_places_on_the_way_are_the_states_of_the_path(run):
    filled = path_places.with_places(run).trace
    way = [s for s in filled.states if not path_views.is_break_point(s)]
    assert len(filled) == len(run.trace) + len(way)
    assert [s.t for s in filled.states] == list(range(len(filled)))
    assert (np.diff(filled.column("C_u")) >= 0).all()
    for state in way:
        exact = run.machine.at(state.C_u).state_
        np.testing.assert_allclose(state.f, exact.f, atol=ROUNDING)
        np.testing.assert_array_equal(state.y_u, exact.y_u)
        assert state.objective == pytest.approx(exact.objective, rel=ROUNDING)


def test_no_place_comes_between_the_two_states_of_a_jump(run):
    filled = path_places.with_places(run).trace
    for jump in path_views.jumps_of(filled):
        before, after = filled.states[jump.before : jump.before + 2]
        assert before.C_u == after.C_u
        assert path_views.is_break_point(before)


def test_outputs_of_held_out_points_are_filled_in_as_well(moons):
    filled = path_places.with_places(moons).trace
    X, _ = moons.problem.part("val")
    np.testing.assert_allclose(
        filled.outputs["val"], filled.decision_function(X), atol=ROUNDING
    )


# -- curves --------------------------------------------------------------------------


def test_the_shaded_interval_is_that_of_the_classifier(moons):
    frames = np.arange(len(moons.trace))
    panel = path_curves.error_panel(moons, frames)
    best = moons.machine.best(*moons.problem.part("val"))
    assert panel.shaded == best.intervals
    (line,) = (s for s in panel.series if s.name == "validation")
    x, y = line.trail
    assert y.min() == pytest.approx(best.error)
    inside = np.interp(best.C_u, x, y)
    assert inside == pytest.approx(best.error)


def test_steps_of_the_error_stand_where_an_output_crosses_zero():
    C_u, y = np.array([0.0, 1.0, 1.0, 3.0]), np.array([1, -1])
    F = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [1.0, -3.0]])
    x, error = path_curves.error_steps(C_u, F, y)
    np.testing.assert_allclose(x, [0, 0.5, 0.5, 1, 1, 1.5, 1.5, 3])
    np.testing.assert_allclose(error, [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0])


def test_more_points_than_lines_are_told(moons, monkeypatch):
    monkeypatch.setattr(path_curves, "MAX_LINES", 30)
    frames, flips = np.arange(3), [4, 5]
    panel = path_curves.lines_panel(moons, frames, flips, "f", "Outputs f")
    assert panel.title == "Outputs f, 30 of 96 unlabelled points"
    assert sum(b.values.shape[1] for b in panel.bundles) == 30


# -- beside the path -----------------------------------------------------------------


def test_the_grid_minimises_the_same_objective(server, run):
    solved = server.ask(page.grid(run.scenario, 10)).outcome()
    assert solved.trace.states[0].objective == pytest.approx(
        run.trace.states[0].objective, rel=1e-6
    )
    rival = page.rival(solved, 10)
    assert rival.C_u[-1] == run.trace.final.C_u
    for C_u, objective in zip(rival.C_u, rival.objective, strict=True):
        problem = run.machine.path_[0].problem
        state = next(s for s in reversed(solved.trace.states) if s.C_u == C_u)
        beta = state.alpha
        y_u = np.where(state.f[run.trace.y == 0] >= 0, 1, -1)
        own = problem.objective(beta, state.f, y_u, C_u)
        assert objective == pytest.approx(own, rel=1e-6)


def outcomes(path, *grids):
    rows = [page.PathOutcome("Path", path, 0.0)]
    return rows + [page.PathOutcome("CCCP", value, 0.0, n) for n, value in grids]


@pytest.mark.parametrize(
    ("grids", "words"),
    [
        ([(10, 2.0)], "ends where the path ends"),
        ([(10, 1.5)], "ends lower than the path"),
        ([(10, 5.0), (20, 2.0)], "A grid of 20 values finds the same as the path"),
        ([(10, 5.0), (20, 5.0), (40, 3.0)], "40 values does not find it either"),
    ],
)
def test_the_verdict_is_honest(grids, words):
    assert words in page.verdict(outcomes(2.0, *grids))


# -- the stage's new parts -----------------------------------------------------------


def test_an_axis_must_not_fall_and_its_floor_lies_on_it():
    with pytest.raises(ValueError, match="never fall"):
        stage.Axis(np.array([0.0, 2.0, 1.0]), "C*")
    for floor in (0.0, 3.0):
        with pytest.raises(ValueError, match="floor must lie"):
            stage.Axis(np.array([0.0, 1.0, 2.0]), "C*", floor)


def test_thin_lines_come_back_with_their_gaps(run):
    frames = np.arange(len(run.trace))
    values = np.stack([s.f for s in run.trace.states])
    values[3, 2] = np.nan
    view = path_views.path_view(run, run.scenario, RunServer().picture(run.scenario))
    panel = stage.Curves("Lines", (), bundles=(stage.Bundle("all", values),))
    header, arrays = unpack(stage.payload(replace(view, panels=(panel,))))
    low, high = header["panels"][0]["bundles"][0]["limits"]
    codes = arrays["panel0_lines0"].astype(float)
    back = np.where(
        codes == -32768, np.nan, low + (codes + 32767) / 65534 * (high - low)
    )
    np.testing.assert_allclose(back, values, atol=(high - low) / 65534)
    assert len(frames) == len(back)
