"""The exact line search against its numpy twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize_scalar

from ssl_core.linalg.line_search import squared_hinge_line_search as line_search


def psi(s, f, f_d, y, cost, slope, curvature):
    """The derivative along the direction, straight from the definition."""
    moved = f + s * f_d
    active = y * moved < 1
    pull = cost * (moved - y) * f_d
    return slope + s * curvature + pull[active].sum()


def objective(s, f, f_d, y, cost, slope, curvature):
    """Its antiderivative: what the step has to minimise."""
    loss = np.maximum(0, 1 - y * (f + s * f_d)) ** 2
    return slope * s + curvature * s**2 / 2 + (cost * loss).sum() / 2


def downhill(rng, n=30, curvature=0.3):
    """A random line that starts downhill."""
    f, f_d = rng.normal(size=n), rng.normal(size=n)
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    cost = rng.uniform(0.1, 2, n)
    loss_slope = psi(0, f, f_d, y, cost, 0.0, curvature)
    return f, f_d, y, cost, -loss_slope - rng.uniform(0.1, 20), curvature


@pytest.mark.parametrize("seed", range(30))
def test_step_is_the_minimiser_scipy_finds(seed):
    line = downhill(np.random.default_rng(seed))
    step, s, values, _ = line_search(*line, 3)
    assert psi(step, *line) == pytest.approx(0, abs=1e-9)
    found = minimize_scalar(
        objective, args=line, bounds=(0, 10 * step), options={"xatol": 1e-10}
    )
    assert step == pytest.approx(found.x, rel=1e-5, abs=1e-7)
    assert s[0] == 0
    assert np.all(np.diff(s) >= 0)
    np.testing.assert_allclose(values, [psi(x, *line) for x in s], atol=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_counts_the_break_points_before_the_zero(seed):
    line = downhill(np.random.default_rng(seed))
    step, _, _, n_crossed = line_search(*line, 0)
    f, f_d, y, *_ = line
    breaks = (y - f) / f_d
    assert n_crossed == np.count_nonzero((breaks > 0) & (breaks < step))


@pytest.mark.parametrize("n_after", [0, 1, 4])
def test_reports_break_points_beyond_the_zero_for_the_figure(n_after):
    line = downhill(np.random.default_rng(3))
    step, s, _, n_crossed = line_search(*line, n_after)
    f, f_d, y, *_ = line
    breaks = np.sort((y - f) / f_d)
    beyond = breaks[breaks > step][:n_after]
    np.testing.assert_allclose(s[s > step][: len(beyond)], beyond, rtol=1e-12)
    np.testing.assert_allclose(
        s[1 : n_crossed + 1], breaks[breaks > 0][:n_crossed], rtol=1e-12
    )


def test_no_descent_gives_step_zero():
    rng = np.random.default_rng(0)
    f, f_d, y, cost, slope, curvature = downhill(rng)
    at_start = psi(0, f, f_d, y, cost, slope, curvature)
    step, *_ = line_search(f, f_d, y, cost, slope - at_start + 1e-3, curvature, 2)
    assert step == 0


def test_no_curvature_and_no_loss_ahead_is_unbounded():
    """All points leave the error vectors and the regulariser keeps falling."""
    f, y = np.zeros(3), np.ones(3)
    step, *_ = line_search(f, np.ones(3), y, np.ones(3), -1.0, 0.0, 2)
    assert step == np.inf


def test_points_that_do_not_move_have_no_break_point():
    f = np.array([0.0, 0.5, 2.0])
    f_d = np.array([1.0, 0.0, 0.0])
    line = f, f_d, np.ones(3), np.ones(3), 0.0, 0.5
    step, s, _, _ = line_search(*line, 5)
    assert step == pytest.approx(2 / 3)  # (s - 1) + s / 2 = 0
    assert np.isfinite(s).all()


def test_points_on_the_margin_follow_the_direction():
    """y f = 1 exactly: in when moving inwards, out when moving outwards."""
    y, cost = np.array([1.0, 1.0]), np.ones(2)
    f, f_d = np.array([1.0, 1.0]), np.array([-1.0, 1.0])
    step, *_ = line_search(f, f_d, y, cost, -3.0, 0.0, 2)
    assert step == pytest.approx(3.0)  # only the first point pays: s - 3 = 0


def test_equal_break_points_are_passed_together():
    n = 6
    line = np.zeros(n), np.ones(n), np.ones(n), np.ones(n), -10.0, 5.0
    step, *_ = line_search(*line, 2)
    assert step == pytest.approx(2.0)  # all leave at s = 1, then 5 s = 10


moderate = st.floats(-5, 5).map(lambda x: round(x, 2))


@given(
    arrays(float, (4, 12), elements=moderate),
    st.floats(-20, 5),
    st.floats(0.01, 10),
)
def test_any_line_has_its_zero_found(rows, slope, curvature):
    f, f_d, signs, cost = rows
    y = np.where(signs < 0, -1.0, 1.0)
    line = f, f_d, y, np.abs(cost), slope, curvature
    step, s, values, _ = line_search(*line, 2)
    scale = 1 + np.abs(slope) + (np.abs(cost) * (np.abs(f) + 1) * np.abs(f_d)).sum()
    if psi(0, *line) >= 0:
        assert step == 0
    else:
        assert 0 < step < np.inf
        tolerance = 1e-9 * scale * (1 + step)
        assert psi(step * (1 - 1e-9), *line) <= tolerance
        assert psi(step * (1 + 1e-9), *line) >= -tolerance
    np.testing.assert_allclose(
        values, [psi(x, *line) for x in s], atol=1e-8 * scale * (1 + s[-1])
    )
