"""SMO against an independent QP solver."""

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, minimize

from ssl_core.linalg.smo import smo_sweep
from tests.pairs import pairwise


def random_qp(seed, n=20, rank=None):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, rank or n))
    y = np.where(rng.random(n) < 0.4, -1.0, 1.0)
    y[:2] = 1.0, -1.0
    return np.ascontiguousarray(y[:, None] * (A @ A.T) * y[None, :]), y


def solve(Q, y, upper=1.0, tol=1e-10, sweeps=2000):
    beta, grad = np.zeros(len(y)), -np.ones(len(y))
    upper = np.full(len(y), upper)
    for _ in range(sweeps):
        violation, _ = smo_sweep(Q, y, beta, grad, upper, tol, len(y))
        if violation <= tol:
            return beta, grad, violation
    raise AssertionError(f"violation {violation} after {sweeps} sweeps")


def value(beta, Q):
    return beta @ Q @ beta / 2 - beta.sum()


@pairwise(upper=[0.05, 1.0, 100.0], rank=[None, 3], seed=range(3))
def test_reaches_slsqps_optimum(seed, rank, upper):
    Q, y = random_qp(seed, rank=rank)
    beta, grad, _ = solve(Q, y, upper)
    found = minimize(
        value,
        np.zeros(len(y)),
        args=(Q,),
        jac=lambda b, Q: Q @ b - 1,
        bounds=Bounds(0, upper),
        constraints=[LinearConstraint(y[None, :], 0, 0)],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    assert value(beta, Q) <= found.fun + 1e-8 * max(1, abs(found.fun))
    assert y @ beta == pytest.approx(0, abs=1e-10 * upper * len(y))
    assert beta.min() >= 0
    assert beta.max() <= upper
    np.testing.assert_allclose(grad, Q @ beta - 1, atol=1e-8 * max(1, upper))


def test_violation_is_that_of_the_optimality_conditions():
    Q, y = random_qp(0)
    beta, grad, violation = solve(Q, y, tol=1e-6)
    scores = -y * grad
    up = ((y > 0) & (beta < 1)) | ((y < 0) & (beta > 0))
    low = ((y > 0) & (beta > 0)) | ((y < 0) & (beta < 1))
    gap = scores[up].max() - scores[low].min()
    assert gap <= 1e-6
    assert violation == pytest.approx(gap, abs=1e-6)


def test_every_update_lowers_the_objective():
    Q, y = random_qp(1)
    beta, grad = np.zeros(len(y)), -np.ones(len(y))
    values = [0.0]
    for _ in range(60):
        _, done = smo_sweep(Q, y, beta, grad, np.ones(len(y)), 1e-10, 1)
        values.append(value(beta, Q))
        if not done:
            break
    assert np.all(np.diff(values[: -1 if not done else None]) < 0)


def test_stops_at_once_when_optimal():
    Q, y = random_qp(2)
    beta, grad, _ = solve(Q, y, tol=1e-9)
    before = beta.copy()
    violation, done = smo_sweep(Q, y, beta, grad, np.ones(len(y)), 1e-8, 50)
    assert done == 0
    assert violation <= 1e-8
    np.testing.assert_array_equal(beta, before)


def test_number_of_updates_is_bounded():
    Q, y = random_qp(3)
    beta, grad = np.zeros(len(y)), -np.ones(len(y))
    _, done = smo_sweep(Q, y, beta, grad, np.ones(len(y)), 0.0, 7)
    assert done == 7
    assert np.count_nonzero(beta) <= 14


def test_points_with_equal_rows_do_not_divide_by_zero():
    """Duplicate points of both classes: the pair has no curvature."""
    y = np.array([1.0, -1.0, 1.0, -1.0])
    Q = np.ascontiguousarray(np.outer(y, y))
    beta, _, _ = solve(Q, y)
    np.testing.assert_allclose(beta, 1)
