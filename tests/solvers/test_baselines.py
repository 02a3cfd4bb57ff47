"""Baselines against scikit-learn, brute force, and the formulas of their papers."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
)
from sklearn.semi_supervised import (
    SelfTrainingClassifier as SklearnSelfTraining,
)

from halfmoon.datasets import hide_labels, load
from ssl_core import Status, make
from ssl_core.estimators import SVMClassifier
from ssl_core.graph import knn_weights
from ssl_core.problems.graph import GraphProblem
from ssl_core.quantities import title_of
from ssl_core.solvers.harmonic import HarmonicState, harmonic
from ssl_core.solvers.label_propagation import label_propagation
from ssl_core.solvers.label_spreading import label_spreading
from ssl_core.solvers.poisson import PoissonState, poisson
from tests.small_problems import BY_NAME, MULTICLASS

GRAPHS = ("label_propagation", "label_spreading", "harmonic", "poisson")
PROBLEMS = (BY_NAME["heat"], BY_NAME["two_moons"], MULTICLASS)
problems = pytest.mark.parametrize("problem", PROBLEMS, ids=str)
weightings = pytest.mark.parametrize("weights", ["binary", "heat"])


def dense(problem, weights="binary", n_neighbors=6):
    return knn_weights(problem.X, n_neighbors, weights=weights).toarray()


def last(states):
    *_, state = states
    return state


def outputs(problem, f):
    """(n, k): one column per class, also where two classes share one."""
    return np.column_stack([-f, f]) if f.ndim == 1 else f


def signs(problem):
    """(n, k) in {-1, 0, 1}, a column for each class."""
    Y = np.where(problem.y[:, None] == np.arange(problem.n_classes), 1.0, -1.0)
    return np.where(problem.y[:, None] < 0, 0.0, Y)


# Label propagation and label spreading: scikit-learn's iterates --------------------


def scikit_learns(kind, W, problem, steps, **params):
    """Probabilities (n, k) after so many steps, on the graph given."""
    est = kind(kernel=lambda X, Z: W.copy(), max_iter=steps, tol=0.0, **params)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return est.fit(problem.X, problem.y).label_distributions_


@problems
@weightings
@pytest.mark.parametrize(
    ("name", "kind", "ours", "theirs"),
    [
        ("label_propagation", LabelPropagation, {}, {}),
        ("label_spreading", LabelSpreading, {"share": 0.2}, {"alpha": 0.2}),
        ("label_spreading", LabelSpreading, {"share": 0.99}, {"alpha": 0.99}),
    ],
)
def test_iterates_are_scikit_learns(problem, weights, name, kind, ours, theirs):
    W = dense(problem, weights)
    est = make(name, weights=weights, tol=0.0, max_iter=60, **ours)
    trace = est.trace(problem.X, problem.y)
    for steps in (1, 2, 3, 7, 25, 60):
        P = scikit_learns(kind, W, problem, steps, **theirs)
        reached = P.any(axis=1)
        state = trace.states[min(steps, len(trace) - 1)]  # or where it has settled
        assert reached.sum() == state.n_reached
        f = outputs(problem, state.f)
        np.testing.assert_allclose((1 + f[reached]) / 2, P[reached], atol=1e-12)
        assert not f[~reached].any()
    assert reached.sum() > trace.states[0].n_reached


@problems
def test_propagation_ends_at_the_harmonic_function(problem):
    far = make("label_propagation", tol=1e-10, max_iter=50_000)
    f = last(far.iterate(problem.X, problem.y)).f
    g = last(make("harmonic", tol=1e-10).iterate(problem.X, problem.y)).f
    np.testing.assert_allclose(f, g, atol=1e-6)


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_spreading_ends_at_the_solution_of_its_linear_system(share):
    problem = BY_NAME["heat"]
    W, y = dense(problem), problem.Y[:, 0]
    root = np.sqrt(W.sum(axis=1))
    S = W / np.outer(root, root)
    F = np.linalg.solve(np.eye(len(y)) - share * S, (1 - share) * y)
    run = label_spreading(GraphProblem(sp.csr_array(W), y), share=share, tol=1e-14)
    states = list(run)
    scores = states[-1].f * states[-1].mass
    np.testing.assert_allclose(scores, F, atol=1e-9)
    costs = np.array([state.objective for state in states])
    assert (np.diff(costs) <= 1e-12 * costs[0]).all()


def test_a_wrong_label_is_overruled_by_spreading_and_kept_by_propagation():
    moons = load("two_moons", n=200, random_state=0)
    y = hide_labels(moons, n_labeled=40, random_state=0)
    wrong = np.flatnonzero(y >= 0)[0]
    y[wrong] = 1 - y[wrong]
    keeps = make("label_propagation").fit(moons.X, y)
    overrules = make("label_spreading").fit(moons.X, y)
    assert keeps.predict(moons.X[[wrong]]) == y[wrong]
    assert overrules.predict(moons.X[[wrong]]) == moons.y[wrong]


# Harmonic functions ----------------------------------------------------------------


@problems
@weightings
def test_harmonic_functions_solve_the_linear_system(problem, weights):
    W, Y = dense(problem, weights), signs(problem)
    f = last(
        make("harmonic", weights=weights, tol=1e-11).iterate(problem.X, problem.y)
    ).f
    known = problem.y >= 0
    L = np.diag(W.sum(axis=1)) - W
    reached = np.linalg.matrix_power((W > 0) + np.eye(len(W)), len(W))[:, known].any(1)
    free = ~known & reached
    F = np.linalg.solve(L[np.ix_(free, free)], W[np.ix_(free, known)] @ Y[known])
    ours = outputs(problem, f)
    np.testing.assert_allclose(ours[free], F, atol=1e-8)
    np.testing.assert_array_equal(ours[known], Y[known])
    assert not ours[~known & ~reached].any()


def test_harmonic_values_are_chances_of_a_random_walk():
    """Walks from a point, step by step, until a label takes them."""
    problem = BY_NAME["heat"]
    W, y = dense(problem), problem.Y[:, 0]
    f = last(harmonic(GraphProblem(sp.csr_array(W), y), tol=1e-12)).f
    P = W / W.sum(axis=1, keepdims=True)
    P[y != 0] = 0.0
    P[y != 0, y != 0] = 1.0
    ends = np.linalg.matrix_power(P, 2**20)
    np.testing.assert_allclose(ends @ y, f, atol=1e-8)


def test_the_energy_falls_at_every_step_to_the_least():
    problem = BY_NAME["heat"]
    W, y = dense(problem), problem.Y[:, 0]
    graph = GraphProblem(sp.csr_array(W), y)
    states = list(harmonic(graph, tol=1e-10))
    energies = [state.objective for state in states]
    assert (np.diff(energies) <= 1e-9).all()
    for state in states:
        f = state.f
        assert state.objective == pytest.approx((W * (f[:, None] - f) ** 2).sum() / 2)
        means = W @ f / W.sum(axis=1)
        off = np.abs(means - f)[(y == 0) & graph.within_reach].max()
        assert state.off_mean == pytest.approx(off, abs=1e-9)


def test_conjugate_gradients_are_done_long_before_propagation():
    moons = load("two_moons", n=400, noise=0.15, random_state=0)
    y = hide_labels(moons, n_labeled=2, random_state=0)
    quick, slow = (
        make(name, tol=1e-6, max_iter=20_000).fit(moons.X, y).n_iter_
        for name in ("harmonic", "label_propagation")
    )
    assert 5 * quick < slow


# Poisson learning ------------------------------------------------------------------


def connected(n_classes):
    """Points in one cloud, so that their graph is connected; a few labels each."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(80, 2))
    truth = np.digitize(X[:, 0], [0.0] if n_classes == 2 else [-0.5, 0.5])
    y = np.full(80, -1)
    for c in range(n_classes):
        y[np.flatnonzero(truth == c)[: 2 + c]] = c
    return X, y


@pytest.mark.parametrize("n_classes", [2, 3])
def test_poisson_learning_solves_poissons_equation(n_classes):
    X, y = connected(n_classes)
    W = knn_weights(X, 6).toarray()
    degrees = W.sum(axis=1)
    one_hot = (y[:, None] == np.arange(n_classes)).astype(float)
    known = y >= 0
    B = np.where(known[:, None], one_hot - one_hot[known].mean(axis=0), 0.0)
    U = np.linalg.pinv(np.diag(degrees) - W) @ B
    U -= degrees @ U / degrees.sum()
    est = make("poisson", tol=1e-11)
    f = last(est.iterate(X, y)).f
    ours = outputs(None, f) / 2
    np.testing.assert_allclose(ours, U, atol=1e-9)
    assert est.state_.status is Status.CONVERGED
    np.testing.assert_array_equal(est.predict(X), U.argmax(axis=1))


def test_poissons_steps_are_those_of_the_algorithm():
    X, y = connected(3)
    W = knn_weights(X, 6).toarray()
    degrees = W.sum(axis=1)
    one_hot = (y[:, None] == np.arange(3)).astype(float)
    known = y >= 0
    B = np.where(known[:, None], one_hot - one_hot[known].mean(axis=0), 0.0)
    walk, limit = known / known.sum(), degrees / degrees.sum()
    U, L = np.zeros((80, 3)), np.diag(degrees) - W
    states = list(make("poisson", tol=0.5).iterate(X, y))
    for state in states:
        np.testing.assert_allclose(state.f, 2 * U, atol=1e-12)
        assert state.mixing == pytest.approx(80 * np.abs(walk - limit).max())
        U = U + (B - L @ U) / degrees[:, None]
        walk = W @ (walk / degrees)
    mixing = [state.mixing for state in states]
    assert mixing[-1] <= 0.5 < min(mixing[1:-1])


def test_poissons_objective_falls():
    X, y = connected(2)
    objectives = [s.objective for s in make("poisson", tol=1e-9).iterate(X, y)]
    assert (np.diff(objectives) <= 1e-12).all()


def test_labels_that_do_not_balance_in_a_part_are_noted():
    """Two groups with a label each: L u = b has no solution, decisions are right."""
    X = np.concatenate([np.arange(12.0), 100 + np.arange(12.0)])[:, None]
    y = np.full(24, -1)
    y[[0, 12]] = 0, 1
    est = make("poisson", n_neighbors=3, tol=1e-6)
    states = list(est.iterate(X, y))
    assert any("In 2 of 2 parts" in event.text for event in states[0].events)
    assert np.abs(states[-1].f).max() > 1.5 * np.abs(states[len(states) // 2].f).max()
    np.testing.assert_array_equal(est.predict(X), np.repeat([0, 1], 12))
    assert states[-1].status is Status.FINISHED
    y[[1, 13]] = 1, 0
    assert not next(make("poisson", n_neighbors=3).iterate(X, y)).events


def test_a_walk_that_swings_from_side_to_side_ends_the_run():
    """A chain has no odd cycle, and the walk on it no limit."""
    X, y = np.arange(5.0)[:, None] ** 1.1, np.array([0, -1, -1, -1, 1])
    est = make("poisson", n_neighbors=1, max_iter=100_000)
    state = last(est.iterate(X, y))
    assert state.status is Status.STALLED
    assert state.t < 1_000
    assert (est.predict(X)[[0, 4]] == [0, 1]).all()


@pytest.mark.parametrize("name", GRAPHS)
def test_a_tolerance_below_rounding_ends(name):
    problem = BY_NAME["heat"]
    state = last(make(name, tol=0.0, max_iter=10**6).iterate(problem.X, problem.y))
    assert state.status is not Status.MAX_ITER
    assert np.isfinite(state.f).all()


def test_with_one_label_each_poisson_is_better_than_a_harmonic_function():
    """The claim of the paper, on five draws of overlapping clouds."""
    rights = {"poisson": 0, "harmonic": 0}
    rng = np.random.default_rng(0)
    for _ in range(5):
        truth = np.arange(600) % 2
        X = rng.normal(size=(600, 2)) + 2.0 * truth[:, None]
        y = np.full(600, -1)
        y[:2] = truth[:2]
        y[2] = truth[2]  # a second one, so that the harmonic mean leans to its class
        for name in rights:
            rights[name] += int((make(name).fit(X, y).predict(X) == truth).sum())
    assert rights["poisson"] > rights["harmonic"] + 100


# Self-training ---------------------------------------------------------------------


class Calibrated(SVMClassifier):
    """Our SVM with probabilities, as scikit-learn's self-training asks for."""

    def predict_proba(self, X):
        f = self.decision_function(X)
        if f.ndim == 1:
            return np.column_stack([expit(-f), expit(f)])
        return expit(f)


@problems
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"k_best": 7}, {"criterion": "k_best", "k_best": 7}),
        ({"k_best": 1, "max_iter": 5}, {"criterion": "k_best", "k_best": 1,
                                        "max_iter": 5}),
        ({"criterion": "threshold", "threshold": 0.6}, {"threshold": expit(0.6)}),
        ({"criterion": "threshold", "threshold": 0.0}, {"threshold": 0.5}),
    ],
    ids=["7 best", "1 best", "threshold", "all"],
)  # fmt: skip
def test_rounds_are_scikit_learns(problem, ours, theirs):
    base = {"sigma": 0.5, "gamma_A": 0.1}
    theirs = {"max_iter": None, **theirs}
    other = SklearnSelfTraining(Calibrated(**base), **theirs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # k_best is more than are left
        other.fit(problem.X, problem.y)
    est = make("self_training", **base, **ours)
    state = last(est.iterate(problem.X, problem.y))
    np.testing.assert_array_equal(state.taught, other.labeled_iter_)
    f = other.estimator_.decision_function(problem.X)
    np.testing.assert_allclose(state.f, f, atol=1e-8)
    assert state.n_guessed == (other.labeled_iter_ > 0).sum()


def test_self_training_says_when_no_output_is_sure_enough():
    problem = BY_NAME["two_moons"]
    est = make("self_training", criterion="threshold", threshold=5.0)
    states = list(est.iterate(problem.X, problem.y))
    assert [s.t for s in states] == [0, 1]
    assert states[-1].status is Status.FINISHED
    assert [e.kind for e in states[-1].events] == ["unsure"]
    alone = make("svm").fit(problem.X, problem.y)
    np.testing.assert_allclose(states[-1].f, alone.state_.f, atol=1e-12)


def test_self_training_goes_on_from_a_state():
    problem = BY_NAME["circles"]
    est = make("self_training", k_best=5)
    states = list(est.iterate(problem.X, problem.y))
    again = list(est.iterate(problem.X, problem.y, start=states[4]))
    np.testing.assert_allclose(again[0].f, states[4].f, atol=1e-8)
    np.testing.assert_allclose(again[-1].f, states[-1].f, atol=1e-8)


# All of them -----------------------------------------------------------------------


@pytest.mark.parametrize("data", ["two_moons", "clock", "two_circles"])
def test_two_labels_are_enough_for_a_graph(data):
    points = load(data, random_state=0)
    y = hide_labels(points, n_labeled=2, random_state=0)
    for name in GRAPHS:
        est = make(name).fit(points.X, y)
        assert (est.predict(points.X) == points.y).mean() > 0.97, name


def test_points_that_no_label_reaches_keep_0_whatever_the_start():
    """A label that made a part of the graph known was taken away again."""
    X = np.concatenate([i * 100.0 + np.arange(8.0) for i in range(3)])[:, None]
    y = np.full(24, -1)
    y[[0, 8, 16]] = 0, 1, 1
    fewer = np.where(np.arange(24) == 16, -1, y)
    for name in GRAPHS:
        est = make(name, n_neighbors=2)
        before = last(est.iterate(X, y))
        assert before.f[16:].all()
        after = last(est.iterate(X, fewer, start=before))
        assert not after.f[16:].any(), name


@pytest.mark.parametrize("solver", [label_propagation, label_spreading, harmonic])
def test_a_start_saves_steps_and_changes_nothing(solver):
    problem = BY_NAME["heat"]
    graph = GraphProblem(sp.csr_array(dense(problem)), problem.Y[:, 0])
    states = list(solver(graph, tol=1e-9))
    again = list(solver(graph, tol=1e-9, start=states[-1]))
    assert len(again) < len(states) / 2
    np.testing.assert_allclose(again[-1].f, states[-1].f, atol=1e-7)


def test_poisson_goes_on_from_a_state():
    X, y = connected(2)
    graph = GraphProblem(knn_weights(X, 6), np.where(y < 0, 0, 2 * y - 1))
    once = last(poisson(graph, tol=1e-9))
    twice = last(poisson(graph, tol=1e-9, start=once))
    np.testing.assert_allclose(twice.f, once.f, atol=1e-7)


def test_a_seed_shifts_no_part_of_poissons_solution():
    """The labels of the seed balance in neither part, those of the run in both."""
    X = np.concatenate([np.arange(8.0), 100 + np.arange(8.0)])[:, None]
    before, y = np.full(16, -1), np.full(16, -1)
    before[[0, 8]] = 0, 1
    y[[0, 7, 8, 15]] = 0, 1, 0, 1
    est = make("poisson", n_neighbors=3, tol=1e-8)
    seed = last(est.iterate(X, before))
    alone, seeded = last(est.iterate(X, y)), last(est.iterate(X, y, start=seed))
    np.testing.assert_allclose(seeded.f, alone.f, atol=0.01)


def test_a_warning_of_a_tie_does_not_blame_the_graph():
    """Between two labels the mean is 0, on a graph in one part."""
    chain = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    X, y = np.arange(3.0)[:, None], [0, -1, 1]
    with pytest.warns(UserWarning, match="1 of 3 points") as caught:
        make("harmonic", W=chain).fit(X, y)
    assert "has no label" not in str(caught[0].message)
    with pytest.warns(ConvergenceWarning) as caught:
        make("poisson", W=chain, tol=1e-9, max_iter=1).fit(X, y)
    assert caught[0].filename == __file__


def test_self_training_ends_where_rounding_keeps_newton_from_its_end():
    """A cubic kernel of numbers around 1e17: the steps of the SVM never settle."""
    X = 1e16 * np.array(
        [
            [-17.2358609, -7.73051708, 12.4915809],
            [-9.83325885, 19.5318143, 2.24590542],
            [19.4576128, 4.72849297, 8.04849976],
            [5.7299217, 6.98271063, -1.19014163],
            [0.824714240, 2.51305141, 8.05063356],
            [1.18504761, 3.96906971, 19.7751411],
        ]
    )
    y = np.array([0, 1, -1, 3, 0, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        est = make("self_training", kernel="poly", max_iter=12).fit(X, y)
    assert np.isfinite(est.decision_function(X)).all()


def test_values_of_curves_fit_behind_their_names():
    """At 1280 pixels 7.3e-7 was shown as 7.3 times 10."""
    for kind, name in ((PoissonState, "mixing"), (HarmonicState, "off_mean")):
        assert len(title_of(kind, name)) <= 24


def test_an_energy_is_never_below_zero():
    """The tile of a run had -2.2e-16."""
    W = knn_weights(np.random.default_rng(0).normal(size=(60, 2)), weights="local")
    graph = GraphProblem(W, np.zeros(60))
    constants = np.linspace(0.1, 3, 400)
    assert min(graph.energy(np.full(60, c)) for c in constants) >= 0
    assert min(f @ graph.laplace(f) for f in np.outer(constants, np.ones(60))) < 0
