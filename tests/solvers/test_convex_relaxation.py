"""The semi-definite relaxation: its bound is true, its labels keep the balance."""

import sys
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.svm import LinearSVC

from ssl_core import make
from ssl_core.driver import drive
from ssl_core.numerals import number
from ssl_core.solvers import convex_relaxation as module
from ssl_core.solvers.convex_relaxation import convex_relaxation
from ssl_core.trace import Status, record

ROUNDING = 1e-9  # of a trained SVM's objective
FEASIBLE = (
    3.2e-3 * 2
)  # sqrt(tol / 10) of the default tol, entries off the diagonal twice


@dataclass(frozen=True, eq=False)
class Problem:
    """What the solver reads of a problem."""

    K: np.ndarray
    y: np.ndarray
    n_positive: int
    C: float = 10.0
    C_u: float = 1.0

    @property
    def unlabeled(self):
        return np.flatnonzero(self.y == 0)

    @property
    def cost(self):
        return np.where(self.y != 0, self.C, self.C_u)

    def value(self, y_u):
        y = self.y.copy()
        y[self.unlabeled] = y_u
        return module._train(self.K, y, self.cost)[-1]

    def labelings(self):
        u = len(self.unlabeled)
        for positive in combinations(range(u), self.n_positive):
            y_u = -np.ones(u)
            y_u[list(positive)] = 1.0
            yield y_u

    def best(self):
        return min(self.value(y_u) for y_u in self.labelings())


def rbf(X, sigma=0.7):
    return np.exp(-((X[:, None] - X) ** 2).sum(2) / 2 / sigma**2)


def low_rank(X):
    return np.outer(X[:, 0], X[:, 0])


def linear(X):
    return X @ X.T + 3.0


KERNELS = {"rbf": rbf, "linear": linear, "rank one": low_rank}


def drawn(seed):
    """A random problem: kernel, costs, sizes and balance change with the seed."""
    rng = np.random.default_rng(seed)
    u, kernel = 5 + seed % 5, list(KERNELS)[seed % 3]
    n_labeled = 2 + 2 * (seed % 2)
    X = rng.normal(size=(n_labeled + u, 2))
    y = np.zeros(len(X))
    y[rng.permutation(len(X))[:n_labeled]] = [1, -1, 1, -1][:n_labeled]
    X[y != 0, 0] += y[y != 0]
    C = float(rng.choice([0.5, 10.0, 100.0]))
    balance = int(rng.integers(1, u))
    return Problem(KERNELS[kernel](X), y, balance, C, C * float(rng.choice([0.1, 1])))


def clusters(n=16):
    """Two clusters far apart, one label in each, and the true labels."""
    rng = np.random.default_rng(0)
    true = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) * 0.3 + 2 * true[:, None]
    y = np.where(np.arange(n) < 2, true, 0.0)
    return Problem(rbf(X, 2.0), y, int((true[2:] > 0).sum())), true


def moons(n=20):
    X, c = make_moons(n, noise=0.1, random_state=0)
    y = np.zeros(n)
    for label in (0, 1):
        y[np.flatnonzero(c == label)[:2]] = 2 * label - 1
    return Problem(rbf(X, 0.5), y, n // 2 - 2)


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_never_exceeds_the_best_of_all_labelings(seed):
    problem = drawn(seed)
    best = problem.best()
    states = list(drive(convex_relaxation(problem), max_iter=40))
    for state in states:
        assert state.bound <= best * (1 + ROUNDING)
        assert state.objective >= best * (1 - ROUNDING)
    assert all(a.bound <= b.bound for a, b in pairwise(states))


@pytest.mark.parametrize("tol", [1.0, 1e-2])
@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_true_however_crude_the_conic_solver(seed, tol):
    problem = drawn(seed)
    best = problem.best()
    crude = convex_relaxation(problem, tol=tol, chunk=3)
    for state in drive(crude, max_iter=5):
        assert state.bound <= best * (1 + ROUNDING)


@pytest.mark.parametrize("seed", range(6))
def test_as_good_labelings_have_their_bias_in_the_interval_and_it_is_no_longer(seed):
    problem = drawn(seed)
    search = module._RelaxationSearch(problem, None)
    for y_u in problem.labelings():
        y = search.complete(y_u)
        beta, _, f, value = module._train(problem.K, y, problem.cost)
        if value <= search.value:
            b = f - search.K @ beta  # at the origin that the search has chosen
            assert search.low <= b.min()
            assert b.max() <= search.high
    L = np.flatnonzero(problem.y)
    K, y, cost = search.K[np.ix_(L, L)], problem.y[L], problem.cost[L]
    for b in (search.low, search.high):
        beta, _ = module._active_set(K, y, cost, b=b)
        losses = cost @ np.maximum(0.0, 1.0 - y * (K @ beta + b)) ** 2
        supervised = 0.5 * beta @ K @ beta + losses
        assert supervised == pytest.approx(search.value, rel=1e-3)


@pytest.mark.parametrize("flip", [1.0, -1.0])
def test_the_first_eigenvector_is_read_with_the_sign_of_the_labelled_points(flip):
    problem, true = clusters()
    true = flip * true
    problem = Problem(problem.K, flip * problem.y, int((true[2:] > 0).sum()))

    class Solved:
        """A program whose Gamma is right and whose column says nothing."""

        def bound(self, dual):
            return 0.0

        def gamma(self, x):
            return np.outer(true, true)

        def gram(self, x):
            return np.eye(len(true))

    search = module._RelaxationSearch(problem, None)
    search.offer(-true[2:])
    search.value = np.inf
    search.look(Solved(), {"x": np.zeros(1), "y": np.zeros(1)})
    np.testing.assert_array_equal(search.y_u, true[2:])


def test_the_bound_starts_at_the_supervised_value_and_rises_above():
    problem = moons()
    L = np.flatnonzero(problem.y)
    *_, value = module._train(problem.K[np.ix_(L, L)], problem.y[L], problem.cost[L])
    states = list(convex_relaxation(problem))
    assert states[0].bound == pytest.approx(value, rel=1e-8)
    assert states[-1].bound > 1.2 * value


@pytest.mark.parametrize("problem", [moons(), drawn(3), drawn(4)])
def test_gamma_meets_its_constraints(problem):
    *_, last = convex_relaxation(problem)
    Gamma, U = last.gamma_matrix.astype(float), problem.unlabeled
    L, balance = np.flatnonzero(problem.y), 2 * problem.n_positive - len(U)
    y = problem.y[L]
    np.testing.assert_array_equal(np.diag(Gamma), 1)
    np.testing.assert_array_equal(Gamma[np.ix_(L, L)], np.outer(y, y))
    np.testing.assert_array_equal(Gamma, Gamma.T)
    for i in L[1:]:  # labelled columns are one column, up to sign
        np.testing.assert_array_equal(
            problem.y[i] * Gamma[i], problem.y[L[0]] * Gamma[L[0]]
        )
    assert np.linalg.eigvalsh(Gamma)[0] >= -FEASIBLE
    np.testing.assert_allclose(Gamma[U][:, L] @ y, len(L) * Gamma[U, L[0]] * y[0])
    assert y[0] * Gamma[L[0], U].sum() == pytest.approx(balance, abs=FEASIBLE)
    assert Gamma[np.ix_(U, U)].sum() == pytest.approx(balance**2, abs=len(U) * FEASIBLE)


def test_separated_clusters_are_proved_optimal_and_right():
    problem, true = clusters()
    *_, last = convex_relaxation(problem)
    np.testing.assert_array_equal(last.y_u, true[2:])
    np.testing.assert_array_equal(last.labels, true)
    assert last.events[-1].kind == "tight"
    assert abs(last.gap) <= 1e-4 * last.objective
    assert last.rank_one > 0.999


def test_labels_keep_the_balance_and_the_model_is_theirs():
    for problem in (moons(), drawn(0), drawn(7)):
        states = list(convex_relaxation(problem))
        for state in states:
            assert state.y_u.dtype == np.int8
            assert (state.y_u > 0).sum() == problem.n_positive
            assert state.objective == pytest.approx(problem.value(state.y_u))
            np.testing.assert_allclose(
                problem.K @ state.alpha + state.b, state.f, atol=1e-9
            )
        assert all(a.objective >= b.objective for a, b in pairwise(states))


def test_better_labels_are_told_of():
    X, c = make_moons(20, noise=0.1, random_state=0)
    y = np.zeros(20)
    y[np.random.default_rng(1).permutation(20)[:5]] = 1
    problem = Problem(rbf(X, 0.5), y * (2.0 * c - 1), 7)
    states = list(convex_relaxation(problem))
    rounded = [e for s in states for e in s.events if e.kind == "rounded"]
    falls = sum(a.objective > b.objective for a, b in pairwise(states))
    assert falls == len(rounded) >= 1
    assert rounded[-1].data["after"] == states[-1].objective


def test_flipping_the_labels_flips_labels_and_outputs():
    problem = moons()
    u = len(problem.unlabeled)
    flipped = Problem(problem.K, -problem.y, u - problem.n_positive)
    *_, last = convex_relaxation(problem)
    *_, other = convex_relaxation(flipped)
    np.testing.assert_array_equal(last.y_u, -other.y_u)
    np.testing.assert_allclose(last.f, -other.f, atol=1e-9)
    assert other.bound == pytest.approx(last.bound, rel=1e-4)


def test_the_origin_of_the_kernel_does_not_matter():
    problem = moons()
    moved = Problem(problem.K + 7.0, problem.y, problem.n_positive)
    *_, last = convex_relaxation(problem)
    *_, other = convex_relaxation(moved)
    assert other.bound == pytest.approx(last.bound, rel=1e-6)
    np.testing.assert_array_equal(last.y_u, other.y_u)


def test_the_last_state_says_so_with_bound_and_value():
    states = list(convex_relaxation(moons()))
    assert [s.t for s in states] == list(range(len(states)))
    assert all(s.status is Status.RUNNING for s in states[:-1])
    assert states[-1].status is Status.FINISHED
    text = states[-1].events[-1].text
    assert number(states[-1].bound, 6) in text
    assert number(states[-1].objective, 6) in text
    hurried = list(drive(convex_relaxation(moons()), max_iter=2))
    assert len(hurried) == 3
    assert hurried[-1].status is Status.MAX_ITER
    assert "less exact than tol" in hurried[-1].events[-1].text


@pytest.mark.parametrize("n_positive", [0, 6])
def test_a_single_labelling_needs_no_program(n_positive):
    y = np.zeros(8)
    y[:2] = 1, -1
    problem = Problem(rbf(np.random.default_rng(0).normal(size=(8, 2))), y, n_positive)
    first, last = convex_relaxation(problem)
    assert last.status is Status.FINISHED
    assert last.bound == pytest.approx(problem.best(), rel=1e-6)
    assert first.objective == last.objective


def test_nothing_unlabeled_is_the_svm():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(12) < 0.5, -1.0, 1.0)
    problem = Problem(rbf(rng.normal(size=(12, 2))), y, 0)
    first, last = convex_relaxation(problem)
    assert first.y_u.shape == (0,)
    assert last.status is Status.FINISHED
    assert last.bound == pytest.approx(last.objective, rel=1e-6)
    assert last.objective == pytest.approx(problem.value(np.zeros(0)))


def test_one_labelled_class_still_has_a_true_bound():
    X = np.random.default_rng(5).normal(size=(9, 2))
    y = np.zeros(9)
    y[:2] = 1.0
    problem = Problem(rbf(X), y, 3)
    *_, last = convex_relaxation(problem)
    assert 0 < last.bound <= problem.best() * (1 + ROUNDING)


def test_a_seed_gives_the_first_labels():
    problem, _ = clusters()
    *_, last = convex_relaxation(problem)
    first = next(convex_relaxation(problem, start=last))
    np.testing.assert_array_equal(first.y_u, last.y_u)
    assert first.objective == pytest.approx(last.objective)


def test_states_are_snapshots_and_repeat():
    states, kept = [], []
    for state in drive(convex_relaxation(moons()), max_iter=4):
        states.append(state)
        kept.append((state.gamma_matrix.copy(), state.f.copy(), state.y_u.copy()))
    again = list(drive(convex_relaxation(moons()), max_iter=4))
    for state, other, (gamma, f, y_u) in zip(states, again, kept, strict=True):
        np.testing.assert_array_equal(state.gamma_matrix, gamma)
        np.testing.assert_array_equal(state.f, f)
        np.testing.assert_array_equal(state.y_u, y_u)
        np.testing.assert_array_equal(other.gamma_matrix, gamma)
        assert other.bound == state.bound
    assert record(iter(states), policy="metrics").states[1].gamma_matrix is None


def test_without_scs_one_sentence_names_the_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "scs", None)
    with pytest.raises(ImportError, match=r"pip install scs"):
        next(convex_relaxation(moons()))


@pytest.mark.parametrize("seed", range(6))
def test_training_meets_the_optimality_conditions(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 3))
    y, cost = np.where(rng.random(25) < 0.4, 1.0, -1.0), rng.uniform(0.01, 1000, 25)
    K = (X @ X.T, rbf(X), rbf(X, 0.1))[seed % 3]
    beta, b, f, _ = module._train(K, y, cost)
    np.testing.assert_allclose(
        beta, 2 * cost * y * np.maximum(0, 1 - y * f), atol=1e-6 * np.abs(beta).max()
    )
    assert abs(beta.sum()) <= 1e-9 * np.abs(beta).sum()
    np.testing.assert_allclose(K @ beta + b, f)


def test_training_agrees_with_scikit_learn():
    problem, true = clusters()
    X = np.linalg.cholesky(problem.K + 1e-9 * np.eye(len(true)))
    # A large intercept_scaling leaves the bias nearly free.
    svm = LinearSVC(C=2.0, intercept_scaling=1e3, tol=1e-10, max_iter=100_000)
    svm.fit(X, true)
    _, _, f, _ = module._train(problem.K, true, np.full(len(true), 2.0))
    # scikit-learn: |w|^2 / 2 + C sum hinge^2, as here.
    np.testing.assert_allclose(f, svm.decision_function(X), atol=1e-3)


def test_max_iter_alone_limits_the_number_of_chunks():
    X, c = make_moons(12, noise=0.1, random_state=0)
    y = np.where(np.arange(12) < 4, c, -1)
    est = make("convex_relaxation", sigma=0.5, chunk=1, tol=1e-6, max_iter=203)
    trace = est.trace(X, y)
    assert (len(trace), trace.status) == (204, Status.MAX_ITER)
