"""Curves: the right numbers, in the right colours, with the cursor in its place."""

import numpy as np
import pytest

from ssl_core import viz
from ssl_core.viz.curves import ERRORS, NORMS
from ssl_core.viz.theme import get_theme
from tests.viz.runs import arcs, moons


def by_meta(figure):
    return {trace.meta: trace for trace in figure.data if trace.meta}


def cursors(figure):
    return [shape for shape in figure.layout.shapes if shape.name == "cursor"]


def test_norms_start_at_one_and_are_the_states_own():
    trace = moons().trace
    lines = by_meta(viz.norm_curves(trace))
    assert set(lines) == {line.name for line in NORMS}
    for name, line in lines.items():
        column = trace.column(name)
        np.testing.assert_allclose(line.y, column / column[0])
        np.testing.assert_array_equal(line.x, [s.t for s in trace.states])


def test_the_norms_stand_on_a_logarithmic_axis():
    assert viz.norm_curves(moons().trace).layout.yaxis.type == "log"


def test_the_axis_of_the_norms_reaches_down_to_the_usual_threshold():
    for run in (moons("lapsvm_newton"), moons(), moons(tol=1e-12)):
        figure = viz.norm_curves(run.trace)
        low, high = figure.layout.yaxis.range
        assert low < -6
        assert high > 0
        for line in figure.data:
            logs = np.log10([y for y in line.y if np.isfinite(y)])
            assert ((low < logs) & (logs < high)).all()


def test_quantities_that_a_solver_lacks_are_left_out():
    figure = viz.norm_curves(moons("lapsvm_newton").trace)
    assert set(by_meta(figure)) == {"grad_norm", "objective"}


def test_four_norms_have_four_colours_and_differ_without_colour():
    for mode in ("light", "dark"):
        lines = by_meta(viz.norm_curves(moons().trace, mode=mode)).values()
        assert len({line.line.color for line in lines}) == 4
        assert len({(line.line.dash, line.line.width) for line in lines}) == 4


def test_the_cursor_stands_at_the_iteration_of_its_state():
    figure = viz.norm_curves(moons().trace, mark=7)
    (cursor,) = cursors(figure)
    assert cursor.x0 == cursor.x1 == 7
    assert cursor.line.color == get_theme("light").accent
    assert not cursors(viz.norm_curves(moons().trace))


def test_errors_are_those_of_the_decisions():
    run = moons()
    lines = by_meta(viz.error_curves(run.trace, run.truth))
    assert set(lines) == {"L", "U", "V", "T"}
    labelled = run.given >= 0
    wrong = run.trace.labels != run.truth
    np.testing.assert_allclose(lines["L"].y, wrong[:, labelled].mean(axis=1))
    np.testing.assert_allclose(lines["U"].y, wrong[:, ~labelled].mean(axis=1))
    np.testing.assert_allclose(lines["V"].y, run.trace.output_error("val"))
    np.testing.assert_allclose(lines["T"].y, run.trace.output_error("test"))


def test_without_the_truth_only_held_out_points_are_judged():
    assert set(by_meta(viz.error_curves(moons().trace))) == {"V", "T"}


def test_points_of_unknown_class_do_not_count_as_errors():
    run = moons()
    truth = run.truth.copy()
    unknown = np.flatnonzero(run.given < 0)[::2]
    truth[unknown] = 0
    asked = np.setdiff1d(np.flatnonzero(run.given < 0), unknown)
    rates = viz.error_rates(run.trace, truth)
    np.testing.assert_allclose(rates["U"], run.trace.error(run.truth, asked))


def test_the_optimum_is_drawn_at_its_level():
    figure = viz.error_curves(moons().trace, moons().truth, optimum={"U": 0.25})
    (level,) = [t for t in figure.data if t.name == "at the optimum"]
    assert list(level.y) == [0.25, 0.25]
    assert figure.layout.yaxis.range[1] > 0.25


def test_errors_of_several_classes_are_drawn():
    run = arcs()
    assert set(by_meta(viz.error_curves(run.trace, run.truth))) == {"L", "U", "V", "T"}


def test_the_objective_is_drawn_as_it_is():
    trace = moons().trace
    (line,) = by_meta(viz.objective_curve(trace)).values()
    np.testing.assert_array_equal(line.y, trace.column("objective"))


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("line", [*NORMS, *ERRORS], ids=lambda line: line.name)
def test_every_line_has_a_colour_of_the_theme(line, mode):
    assert get_theme(mode).role(line.role).startswith("#")


# -- line search -------------------------------------------------------------------


def polyline(figure):
    return next(t for t in figure.data if t.name == "ψ(s)")


@pytest.mark.parametrize("i", [1, 2, 5, 20])
def test_psi_crosses_zero_at_the_step_taken(i):
    state = moons().trace.states[i]
    figure = viz.line_search_figure(state)
    star = next(t for t in figure.data if t.name == "s*")
    assert star.x[0] == state.step
    line = polyline(figure)
    scale = np.abs(line.y).max()
    assert np.interp(state.step, line.x, line.y) == pytest.approx(0, abs=1e-6 * scale)
    assert line.x[0] == 0
    assert line.x[-1] > state.step


def test_break_points_lie_on_the_polyline():
    trace = arcs().trace
    state = trace.states[2]
    shown = 0
    for machine, search in enumerate(state.line_search):
        figure = viz.line_search_figure(state, machine=machine)
        for dots in (t for t in figure.data if t.name == "break points"):
            shown += len(dots.x)
            assert set(dots.x) <= set(search.s)
            np.testing.assert_allclose(
                dots.y, np.interp(dots.x, search.s, search.psi), atol=1e-12
            )
    assert shown


def test_the_start_has_no_line_search_and_says_so():
    figure = viz.line_search_figure(moons().trace.states[0])
    assert not figure.data
    assert figure.layout.annotations[0].text == "No step has been taken yet."


def test_a_solver_without_line_search_gets_a_remark():
    figure = viz.line_search_figure(moons("lapsvm_newton").trace.final)
    assert "No line search" in figure.layout.annotations[0].text
