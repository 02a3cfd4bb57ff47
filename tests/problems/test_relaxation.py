"""The conic program is the relaxation, and its multipliers prove what they say."""

from dataclasses import dataclass

import numpy as np
import pytest
import scs
from scipy.optimize import nnls

from ssl_core.problems.relaxation import GramRelaxation, dual_line

N_LABELED, N = 4, 10


@dataclass(frozen=True)
class Drawn:
    """A small relaxation with the parts it was made from."""

    K: np.ndarray
    y: np.ndarray
    cost: np.ndarray
    n_positive: int
    low: float = -0.4
    high: float = 0.9

    @property
    def relaxation(self):
        parts = self.K, self.y, self.cost, self.n_positive
        return GramRelaxation(*parts, self.low, self.high)

    def labels(self, rng):
        """Complete labels with the balance."""
        y = self.y.copy()
        y[y == 0] = -1.0
        free = np.flatnonzero(self.y == 0)
        y[rng.choice(free, self.n_positive, replace=False)] = 1.0
        return y


def drawn(seed, n_positive=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 2))
    K = np.exp(-((X[:, None] - X) ** 2).sum(2))
    y = np.zeros(N)
    y[rng.permutation(N)[:N_LABELED]] = [1, -1, 1, -1]
    return Drawn(K, y, np.where(y != 0, 3.0, 0.7), n_positive)


def dual_value(M, q):
    """max over alpha >= 0 of q'alpha - alpha'M alpha / 2, by least squares."""
    R = np.linalg.cholesky(M).T  # |R alpha - R^-T q|^2
    alpha, _ = nnls(R, np.linalg.solve(R.T, q))
    return q @ alpha - alpha @ M @ alpha / 2, alpha


def smallest(values, size):
    """Smallest eigenvalue of a cone's entry, lower triangle by columns."""
    M = np.zeros((size, size))
    j, i = np.triu_indices(size)
    M[i, j] = M[j, i] = values / np.where(i == j, 1.0, np.sqrt(2))
    return np.linalg.eigvalsh(M)[0]


@pytest.mark.parametrize("seed", range(5))
def test_every_balanced_labelling_and_bias_is_a_point_of_the_program(seed):
    problem, rng = drawn(seed), np.random.default_rng(seed)
    program = problem.relaxation
    y, beta = problem.labels(rng), rng.uniform(-1, 1)
    b = program.b0 + beta * program.h
    M = (problem.K + np.diag(1 / (2 * problem.cost))) * np.outer(y, y)
    value, alpha = dual_value(M, 1 - b * y)
    v = np.concatenate([[1.0], y[problem.y == 0], [beta]])
    x = np.concatenate(
        [[value], M @ alpha, np.outer(v, v)[np.tril_indices(len(v), -1)]]
    )
    slack = program.data["b"] - program.data["A"] @ x
    z, linear, (dual, gram) = (program.cones[name] for name in "zls")
    np.testing.assert_allclose(slack[:z], 0, atol=1e-12)
    assert slack[z : z + linear].min() >= -1e-9
    first = dual * (dual + 1) // 2
    assert smallest(slack[z + linear :][:first], dual) >= -1e-9
    # Y_bb = beta^2 <= 1 is relaxed to 1, which only adds to a PSD matrix.
    assert smallest(slack[z + linear + first :], gram) >= -1e-9
    np.testing.assert_allclose(program.gamma(x), np.outer(y, y), atol=1e-15)


@pytest.mark.parametrize("scale", [0.0, 0.1, 1.0, 10.0])
@pytest.mark.parametrize("seed", range(5))
def test_any_multipliers_prove_a_bound(seed, scale):
    problem, rng = drawn(seed), np.random.default_rng(seed)
    program = problem.relaxation
    bound = program.bound(scale * rng.normal(size=len(program.data["b"])))
    K = problem.K + np.diag(1 / (2 * problem.cost))
    for _ in range(20):
        y, b = problem.labels(rng), rng.uniform(problem.low, problem.high)
        assert bound <= dual_value(K * np.outer(y, y), 1 - b * y)[0] + 1e-9


def test_negative_multipliers_prove_nothing():
    """Without the sign of alpha, (*) would be the larger loss of least squares."""
    x, y = np.array([-1.0, 1.0, 9.0, 0.1, -0.1]), np.array([-1.0, 1, 1, 0, 0])
    K, cost, L = np.outer(x, x), np.full(5, 10.0), slice(0, 3)
    program = GramRelaxation(K, y, cost, 1, -1e-9, 1e-9)
    M = (K + np.diag(1 / (2 * cost)))[L, L] * np.outer(y[L], y[L])
    squares = np.linalg.solve(M, np.ones(3))
    assert squares.min() < 0
    dual = np.zeros(len(program.data["b"]))
    dual[program.size :][L] = squares
    svm, _ = dual_value(M, np.ones(3))
    assert squares.sum() / 2 > 2 * svm
    assert program.bound(dual) <= svm


@pytest.mark.parametrize("n_positive", [1, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_the_bound_is_the_value_of_the_relaxation_computed_from_its_formula(
    seed, n_positive
):
    """Weak duality: bound <= value <= the formula at any feasible Y."""
    problem = drawn(seed, n_positive)
    program = problem.relaxation
    tight = {"eps_abs": 1e-8, "eps_rel": 1e-8, "max_iters": 40_000}
    solution = scs.SCS(program.data, program.cones, verbose=False, **tight).solve()
    Y = program.gram(solution["x"])
    free = np.flatnonzero(problem.y == 0)
    assert np.linalg.eigvalsh(Y)[0] >= -1e-6
    np.testing.assert_allclose(Y[1:-1].sum(0), (2 * n_positive - 6) * Y[0], atol=1e-6)
    y, by = problem.y.copy(), problem.y * Y[0, -1]
    y[free], by[free] = Y[0, 1:-1], Y[-1, 1:-1]
    Gamma = np.outer(y, y)
    Gamma[np.ix_(free, free)] = Y[1:-1, 1:-1]
    K = problem.K + np.diag(1 / (2 * problem.cost))
    by = program.b0 * y + program.h * by
    value, _ = dual_value(K * Gamma + 1e-9 * np.eye(N), 1 - by)
    assert program.bound(solution["y"]) == pytest.approx(value, rel=1e-4)


def test_clarabel_finds_the_same_value():
    clarabel = pytest.importorskip(
        "clarabel", reason="a second conic solver, not needed elsewhere"
    )
    from scipy import sparse

    program = drawn(0).relaxation
    z, linear, sizes = (program.cones[name] for name in "zls")
    order = [np.arange(z + linear)]  # scs: lower triangle by columns; clarabel: upper
    for size in sizes:
        j, i = np.triu_indices(size)
        place = np.zeros((size, size), dtype=int)
        place[i, j] = place[j, i] = np.arange(len(i)) + sum(map(len, order))
        order.append(place.T[np.tril_indices(size)])
    order = np.concatenate(order)
    cones = [clarabel.ZeroConeT(z), clarabel.NonnegativeConeT(linear)]
    cones += [clarabel.PSDTriangleConeT(size) for size in sizes]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    A, b, c = (program.data[name] for name in "Abc")
    P = sparse.csc_matrix((len(c), len(c)))
    found = clarabel.DefaultSolver(P, c, A[order].tocsc(), b[order], cones, settings)
    solution = found.solve()
    dual = np.empty(len(b))
    dual[order] = solution.z
    assert program.bound(dual) == pytest.approx(solution.obj_val, rel=1e-5)


def test_a_line_in_b_is_below_the_svm_at_every_bias():
    problem, rng = drawn(3), np.random.default_rng(3)
    y = problem.labels(rng)
    K = problem.K + np.diag(1 / (2 * problem.cost))
    b, (_, alpha) = 0.3, dual_value(K * np.outer(y, y), 1 - 0.3 * y)
    value, slope = dual_line(problem.K, y, problem.cost, alpha)
    for other in np.linspace(-3, 3, 13):
        exact, _ = dual_value(K * np.outer(y, y), 1 - other * y)
        assert value + slope * other <= exact + 1e-12
    exact, _ = dual_value(K * np.outer(y, y), 1 - b * y)
    assert value + slope * b == pytest.approx(exact)
