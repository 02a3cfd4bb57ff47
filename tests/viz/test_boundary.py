"""A classifier over the plane, and its outputs against the optimum's."""

import numpy as np
import pytest

from ssl_core import viz
from ssl_core.viz.fields import axes
from ssl_core.viz.theme import get_theme
from tests.viz.runs import arcs, moons

EXTENT = (-2.0, 3.0, -1.5, 2.0)


def named(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


def draw(i, **options):
    run = moons()
    return viz.decision_boundary(
        run.trace, i, run.X, run.given, extent=EXTENT, resolution=20, **options
    )


def test_the_field_is_the_state_s_own_and_clipped_for_colour():
    run = moons()
    figure = draw(6)
    z = np.asarray(named(figure, "f").z)
    x, y = axes(EXTENT, 20)
    f = run.trace.decision_function(np.array([[x[3], y[17]]]))[6, 0]
    assert z[17, 3] == pytest.approx(np.clip(f, -1, 1), abs=1e-6)
    assert z.min() >= -1
    assert z.max() <= 1


def test_the_boundary_is_the_line_where_f_is_zero():
    line = named(draw(6), "f = 0")
    assert line.contours.start == line.contours.end == 0
    assert line.line.color == get_theme("light").ink


def test_labels_are_marked_by_colour_and_shape():
    run = moons()
    figure = draw(6, class_names=("left", "right"))
    left, right = named(figure, "left"), named(figure, "right")
    assert left.marker.symbol != right.marker.symbol
    assert left.marker.color == get_theme("light").negative
    assert right.marker.color == get_theme("light").positive
    assert len(named(figure, "unlabelled").x) == (run.given < 0).sum()


def test_wrong_predictions_are_crossed():
    run = moons()
    crosses = named(draw(3, truth=run.truth), "wrong")
    wrong = (run.trace.labels[3] != run.truth) & (run.given < 0)
    np.testing.assert_array_equal(crosses.x, run.X[wrong, 0])


def test_nothing_is_crossed_before_the_first_step_or_when_all_is_right():
    truth = moons().truth
    for i in (0, len(moons().trace) - 1):
        assert "wrong" not in {t.name for t in draw(i, truth=truth).data}


def test_scales_are_equal():
    assert draw(1).layout.yaxis.scaleanchor == "x"


def test_several_classes_have_a_field_of_winners():
    run = arcs()
    figure = viz.decision_boundary(
        run.trace, 5, run.X, run.given, truth=run.truth, resolution=15
    )
    winners = np.unique(named(figure, "class").z)
    assert set(winners) <= {0, 1, 2}
    assert len(winners) > 1


def test_no_title_leaves_no_room_for_one():
    assert (
        draw(1).layout.margin.t < draw(1, title="t = 1").layout.template.layout.margin.t
    )


def test_at_the_optimum_itself_all_outputs_agree():
    exact = moons("lapsvm_newton")
    last = len(exact.trace) - 1
    figure = viz.output_agreement(exact.trace, last, exact.trace, truth=exact.truth)
    assert len(figure.data) == 2
    for cloud in figure.data:
        np.testing.assert_array_equal(cloud.x, cloud.y)


def test_outputs_of_both_runs_are_put_against_each_other():
    run, exact = moons(), moons("lapsvm_newton")
    figure = viz.output_agreement(run.trace, 3, exact.trace)
    (cloud,) = figure.data
    asked = run.given < 0
    np.testing.assert_array_equal(cloud.x, exact.trace.final.f[asked])
    np.testing.assert_array_equal(cloud.y, run.trace.states[3].f[asked])
