"""Fields over the plane: the right points, the right states."""

import numpy as np
import pytest

from ssl_core.viz.fields import axes, field_frames, fit_extent, grid, thin_frames
from tests.viz.runs import arcs, moons

EXTENT = (-2.0, 3.0, -1.5, 2.0)


def test_a_field_is_the_decision_function_on_its_grid():
    trace = moons().trace
    F = field_frames(trace, EXTENT, (7, 5))
    assert F.shape == (len(trace), 5, 7)
    x, y = axes(EXTENT, (7, 5))
    corner = np.array([[x[6], y[1]]])
    np.testing.assert_allclose(F[:, 1, 6], trace.decision_function(corner)[:, 0])


def test_chosen_frames_are_those_states():
    trace = moons().trace
    everything = field_frames(trace, EXTENT, 9)
    np.testing.assert_allclose(
        field_frames(trace, EXTENT, 9, frames=[3, 8]), everything[[3, 8]]
    )


def test_the_start_alone_has_a_field():
    """alpha = 0 uses no training point at all."""
    field = field_frames(moons().trace, EXTENT, 6, frames=[0])
    np.testing.assert_array_equal(field, np.zeros((1, 6, 6)))
    assert field_frames(arcs().trace, EXTENT, 6, frames=[0]).shape == (1, 6, 6, 3)


def test_several_classes_give_one_field_each():
    trace = arcs().trace
    assert field_frames(trace, EXTENT, 6, frames=[1, 2]).shape == (2, 6, 6, 3)


def test_a_thin_state_cannot_be_drawn():
    trace = moons().trace
    thin = type(trace)(
        states=[trace.states[0], trace.states[1].thin(), trace.states[2]],
        seconds=trace.seconds[:3],
        labels=trace.labels[:3],
        model=trace.model,
    )
    with pytest.raises(ValueError, match="t = 1 were recorded thin"):
        field_frames(thin, EXTENT, 5, frames=[1])
    assert field_frames(thin, EXTENT, 5).shape == (2, 5, 5)


def test_the_grid_goes_row_by_row_from_below():
    points = grid(EXTENT, (3, 2))
    assert points.shape == (6, 2)
    np.testing.assert_array_equal(points[0], [-2.0, -1.5])
    np.testing.assert_array_equal(points[2], [3.0, -1.5])
    np.testing.assert_array_equal(points[-1], [3.0, 2.0])


@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_the_extent_holds_all_points_in_its_aspect(aspect):
    points = np.random.default_rng(0).normal(size=(50, 2)) * [3, 1]
    x0, x1, y0, y1 = fit_extent(points, aspect=aspect)
    assert (x1 - x0) / (y1 - y0) == pytest.approx(aspect)
    assert (points > [x0, y0]).all()
    assert (points < [x1, y1]).all()


def test_one_point_has_an_extent():
    x0, x1, y0, y1 = fit_extent(np.zeros((1, 2)))
    assert x0 < 0 < x1
    assert y0 < 0 < y1


def test_few_states_are_all_shown():
    np.testing.assert_array_equal(thin_frames(10, 20), np.arange(10))


def test_many_states_are_thinned_from_the_end():
    frames = thin_frames(1001, 100)
    assert len(frames) <= 100
    assert frames[0] == 0
    assert frames[-1] == 1000
    np.testing.assert_array_equal(frames[:50], np.arange(50))
    assert (np.diff(frames) > 0).all()


def test_states_with_events_are_kept():
    frames = thin_frames(1001, 100, keep=[777, 2000])
    assert 777 in frames
    assert frames[-1] == 1000


def test_at_least_two_frames_are_asked_for():
    with pytest.raises(ValueError, match="max_frames must be >= 2"):
        thin_frames(10, 1)


def test_an_empty_stage_has_room_to_draw():
    x0, x1, y0, y1 = fit_extent(np.empty((0, 2)))
    assert x0 < -1 < 1 < x1
    assert y0 < -1 < 1 < y1
