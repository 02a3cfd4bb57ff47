"""Pivots against dense algebra, and the machines they make against their conditions."""

import numpy as np
import pytest

from ssl_core.linalg.pivots import rebuild, resume, sweep, train, train_from_zero


def system(seed, n=12, rank=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, rank))
    ridge = rng.choice([0.05, 0.5], n)
    A = np.ones((n + 1, n + 1))
    A[:n, :n] = X @ X.T + np.diag(ridge)
    A[n, n] = 0.0
    y = rng.choice([-1, 1], n).astype(np.int8)
    y[:2] = 1, -1
    return A, ridge, y


def swept(A, rows):
    """What `sweep` promises, by dense algebra."""
    E = np.zeros(len(A), dtype=bool)
    E[rows] = True
    inverse = np.linalg.inv(A[np.ix_(E, E)])
    T = np.empty_like(A)
    T[np.ix_(E, E)] = -inverse
    T[np.ix_(E, ~E)] = inverse @ A[np.ix_(E, ~E)]
    T[np.ix_(~E, E)] = T[np.ix_(E, ~E)].T
    T[np.ix_(~E, ~E)] = A[np.ix_(~E, ~E)] - A[np.ix_(~E, E)] @ T[np.ix_(E, ~E)]
    return T


@pytest.mark.parametrize("seed", range(4))
def test_pivots_in_any_order_are_those_of_dense_algebra(seed):
    A, _, _ = system(seed)
    rows = np.random.default_rng(seed).permutation(12)[:5]
    T = A.copy()
    for k in (*rows, 12):  # the bias last: it has a zero on the diagonal
        sweep(T, k, 1.0)
    np.testing.assert_allclose(T, swept(A, [*rows, 12]), atol=1e-10)
    sweep(T, rows[2], -1.0)
    np.testing.assert_allclose(T, swept(A, [*np.delete(rows, 2), 12]), atol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_between_active_sets_ends_where_a_new_tableau_begins(seed):
    A, _, y = system(seed)
    rng = np.random.default_rng(seed)
    active = np.arange(12) < 3
    T, fresh = np.empty_like(A), np.empty_like(A)
    beta, o = np.empty(13), np.empty(12)
    rebuild(A, T, active)
    for _ in range(20):
        target = rng.random(12) < 0.4
        target[rng.integers(12)] = True
        resume(A, T, active, target, y, beta, o)
        rebuild(A, fresh, target)
        np.testing.assert_array_equal(active, target)
        np.testing.assert_allclose(T, fresh, atol=1e-8)
        np.testing.assert_allclose((A @ beta)[:12][target], y[target], atol=1e-9)
        assert beta[:12].sum() == pytest.approx(0, abs=1e-9)
        np.testing.assert_allclose((A @ beta)[:12][~target], o[~target], atol=1e-9)


def test_a_tableau_that_has_drifted_is_made_anew():
    A, _, y = system(0)
    active = np.arange(12) < 5
    T, fresh = np.empty_like(A), np.empty_like(A)
    rebuild(A, T, active)
    rebuild(A, fresh, active)
    T *= 1 + 1e-6
    beta, o = np.empty(13), np.empty(12)
    resume(A, T, active, active.copy(), y, beta, o)
    np.testing.assert_array_equal(T, fresh)


def assert_optimal(A, ridge, y, beta, o, value):
    """Margins, signs and the sum: the conditions of the dual's optimum."""
    n = len(y)
    K, alpha, decided = A[:n, :n] - np.diag(ridge), beta[:n], y != 0
    np.testing.assert_allclose(o, K @ alpha + beta[n], atol=1e-9)
    assert alpha.sum() == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(
        alpha[decided],
        (y * np.maximum(0, 1 - y * o) / ridge)[decided],
        atol=1e-7,
    )
    assert not alpha[~decided].any()
    loss = np.maximum(0, 1 - y * o)[decided] ** 2 / (2 * ridge[decided])
    assert value == pytest.approx(alpha @ K @ alpha / 2 + loss.sum(), rel=1e-9)


@pytest.mark.parametrize("rank", [1, 3, 12])
@pytest.mark.parametrize("seed", range(6))
def test_machines_that_grow_point_by_point_are_optimal_at_every_step(seed, rank):
    A, ridge, labels = system(seed, rank=rank)
    y = np.zeros(12, dtype=np.int8)
    y[:1] = labels[:1]
    active = y != 0
    T, beta, o = np.empty_like(A), np.zeros(13), np.zeros(12)
    rebuild(A, T, active)
    resume(A, T, active, active.copy(), y, beta, o)
    before = 0.0
    for k in range(1, 12):
        y[k] = labels[k]
        value = train(T, active, y, ridge, beta, o)
        assert_optimal(A, ridge, y, beta, o, value)
        assert value >= before - 1e-12
        before = value
    other, f = np.empty(13), np.empty(12)
    assert train_from_zero(A, y, ridge, other, f) == pytest.approx(before, rel=1e-10)
    np.testing.assert_allclose(other, beta, atol=1e-8)


def test_one_class_costs_nothing():
    A, ridge, _ = system(1)
    beta, o = np.empty(13), np.empty(12)
    y = np.ones(12, dtype=np.int8)
    assert train_from_zero(A, y, ridge, beta, o) == 0.0
    np.testing.assert_allclose(o, 1.0)
