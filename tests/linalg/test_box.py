"""Coordinate ascent in a box against an independent QP solver and its numpy twin."""

import numpy as np
import pytest
from scipy.optimize import Bounds, minimize

from ssl_core.linalg.box import CURVATURE_MIN, DET_MIN, box_sweep


def random_qp(seed, n=20, rank=None):
    """Q and c; c has both signs, as 1 - y b has for |b| > 1."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, rank or n))
    return np.ascontiguousarray(A @ A.T), 0.5 + rng.normal(size=n)


def solve(Q, c, upper=1.0, tol=1e-10, sweeps=2000):
    beta, grad = np.zeros(len(c)), -c
    upper = np.full(len(c), upper)
    for _ in range(sweeps):
        violation, _ = box_sweep(Q, beta, grad, upper, tol, len(c))
        if violation <= tol:
            return beta, grad, violation
    raise AssertionError(f"violation {violation} after {sweeps} sweeps")


def value(beta, Q, c):
    return beta @ Q @ beta / 2 - c @ beta


@pytest.mark.parametrize("upper", [0.05, 1.0, 100.0])
@pytest.mark.parametrize("rank", [None, 3])
@pytest.mark.parametrize("seed", range(3))
def test_reaches_the_optimum_of_an_independent_solver(seed, rank, upper):
    Q, c = random_qp(seed, rank=rank)
    beta, grad, _ = solve(Q, c, upper, tol=1e-8)
    found = minimize(
        value,
        np.zeros(len(c)),
        args=(Q, c),
        jac=lambda b, Q, c: Q @ b - c,
        bounds=Bounds(0, upper),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    assert value(beta, Q, c) <= found.fun + 1e-8 * max(1, abs(found.fun))
    assert beta.min() >= 0
    assert beta.max() <= upper
    np.testing.assert_allclose(grad, Q @ beta - c, atol=1e-8 * max(1, upper))


def projected_gradient(beta, grad, upper):
    return np.where(
        (grad > 0) & (beta <= 0) | (grad < 0) & (beta >= upper), 0.0, np.abs(grad)
    )


def best_of_two(g, H, low, high):
    """Minimiser of g'x + x'Hx / 2 in a box of the plane, by all its candidates."""
    candidates = []
    if np.linalg.det(H) > DET_MIN * H[0, 0] * H[1, 1]:
        x = np.linalg.solve(H, -g)
        if np.all((low <= x) & (x <= high)):
            candidates.append(x)
    for one, other in ((0, 1), (1, 0)):
        for edge in (low[one], high[one]):
            x = np.empty(2)
            x[one] = edge
            step = -(g[other] + H[0, 1] * edge) / max(H[other, other], CURVATURE_MIN)
            x[other] = np.clip(step, low[other], high[other])
            candidates.append(x)
    drops = [-(g @ x + x @ H @ x / 2) for x in candidates]
    return candidates[int(np.argmax(drops))], max(drops)


def twin(Q, beta, grad, upper):
    """One update in numpy; returns new arrays."""
    open_ = projected_gradient(beta, grad, upper) > 0
    step = np.clip(beta - grad / np.diag(Q), 0, upper) - beta
    drop = np.where(open_, -step * (grad + np.diag(Q) * step / 2), -np.inf)
    i = int(np.argmax(drop))
    change, gain = np.zeros(len(beta)), drop[i]
    change[i] = step[i]
    for j in range(len(beta)):
        if j != i:
            pair = [i, j]
            x, drop = best_of_two(
                grad[pair], Q[np.ix_(pair, pair)], -beta[pair], upper - beta[pair]
            )
            if drop > gain:
                change, gain = np.zeros(len(beta)), drop
                change[pair] = x
    return np.clip(beta + change, 0, upper), grad + Q @ change


@pytest.mark.parametrize("upper", [0.05, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_updates_are_those_of_the_numpy_twin(seed, upper):
    Q, c = random_qp(seed)
    beta, grad = np.zeros(len(c)), -c
    moved = 0
    for _ in range(25):
        expected = twin(Q, beta, grad, upper)
        _, done = box_sweep(Q, beta, grad, np.full(len(c), upper), 1e-8, 1)
        if not done:
            break
        np.testing.assert_allclose(beta, expected[0], atol=1e-10)
        np.testing.assert_allclose(grad, expected[1], atol=1e-9)
        moved += 1
    assert moved >= 8


def test_violation_is_the_projected_gradient():
    Q, c = random_qp(0)
    beta, grad = np.zeros(len(c)), -c
    for n_updates in (0, 3, 7):
        violation, done = box_sweep(Q, beta, grad, np.ones(len(c)), 0.0, n_updates)
        assert done == n_updates
        expected = projected_gradient(beta, grad, 1.0).max()
        assert violation == expected


def test_every_update_lowers_the_objective():
    Q, c = random_qp(1)
    beta, grad = np.zeros(len(c)), -c
    values = [0.0]
    # To 1e-6: a smaller gradient lowers the objective by less than its rounding.
    while box_sweep(Q, beta, grad, np.ones(len(c)), 1e-6, 1)[1]:
        values.append(value(beta, Q, c))
    assert len(values) > 10
    assert np.all(np.diff(values) < 0)


def test_stops_at_once_when_optimal():
    Q, c = random_qp(2)
    beta, grad, _ = solve(Q, c, tol=1e-9)
    before = beta.copy()
    violation, done = box_sweep(Q, beta, grad, np.ones(len(c)), 1e-8, 50)
    assert done == 0
    assert violation <= 1e-8
    np.testing.assert_array_equal(beta, before)


def test_equal_rows_and_rows_of_zeros_do_not_divide_by_zero():
    """Duplicates share what they need; a point that is 0 goes to its bound."""
    Q = np.zeros((4, 4))
    Q[:2, :2] = 2.0
    Q[2, 2] = 4.0
    beta, _, violation = solve(Q, np.ones(4))
    assert beta[:2].sum() == pytest.approx(0.5)
    assert beta[2] == pytest.approx(0.25)
    assert beta[3] == 1
    assert violation <= 1e-10
