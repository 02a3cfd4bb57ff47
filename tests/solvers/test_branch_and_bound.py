"""Branch and bound against all labellings, and against itself along the way."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import make_moons

from ssl_core.linalg.pivots import rebuild, resume, train, train_from_zero
from ssl_core.linalg.tree_bounds import balanced_gain, joint_gain, single_gains
from ssl_core.solvers._labelings import Labelings
from ssl_core.solvers.branch_and_bound import branch_and_bound
from ssl_core.trace import Array, Status

ORDERS = ("depth", "best")
ROUNDING = 1e-9  # of the objective: the solver's own tol
orders = pytest.mark.parametrize("order", ORDERS)


@dataclass(frozen=True)
class Problem:
    """What the solver asks of a problem."""

    K: Array
    y: Array
    C: float
    C_u: float
    n_positive: int

    @property
    def unlabeled(self):
        return np.flatnonzero(self.y == 0)

    @property
    def system(self):
        n = len(self.y)
        ridge = np.where(self.y != 0, 0.5 / self.C, 0.5 / self.C_u)
        A = np.ones((n + 1, n + 1))
        A[:n, :n] = self.K + np.diag(ridge)
        A[n, n] = 0.0
        return A, ridge

    def value(self, y):
        """Objective of the machine trained on the points with y != 0."""
        A, ridge = self.system
        beta, o = np.empty(len(y) + 1), np.empty(len(y))
        return train_from_zero(A, np.asarray(y, dtype=np.int8), ridge, beta, o)

    def labelings(self, y=None):
        """All completions of y that have the right number of positive labels."""
        y = (self.y if y is None else y).astype(np.int8)
        free = np.flatnonzero(y == 0)
        left = self.n_positive - np.count_nonzero(y[self.unlabeled] == 1)
        for chosen in combinations(free, left) if 0 <= left <= len(free) else ():
            full = np.where(y == 0, -1, y).astype(np.int8)
            full[list(chosen)] = 1
            yield full


def random_problem(seed, u=None):
    """Few points with a kernel of any rank, some twice; labels that say little."""
    rng = np.random.default_rng(seed)
    u = int(rng.integers(1, 10)) if u is None else u
    n_labeled = int(rng.integers(2, 5))
    X = rng.normal(size=(n_labeled + u, 2))
    if seed % 3 == 0:
        X[-1] = X[0]
        X[-2] = X[-3]
    kind = seed % 4
    if kind < 2:
        distances = ((X[:, None] - X) ** 2).sum(axis=2)
        K = np.exp(-distances / 2 / (0.4, 1.5)[kind] ** 2)
    else:
        K = X @ X.T if kind == 2 else np.outer(X[:, 0], X[:, 0])
    y = np.zeros(len(X))
    rows = rng.permutation(len(X))[:n_labeled]
    y[rows] = rng.choice([-1.0, 1.0], n_labeled)
    y[rows[:2]] = 1.0, -1.0
    C, C_u = 10.0 ** rng.uniform(-1, 2, size=2)
    return Problem(K, y, C, C_u, int(rng.integers(0, u + 1)))


@cache
def optimum(seed):
    problem = random_problem(seed)
    return min(problem.value(y) for y in problem.labelings())


def two_moons(seed):
    """FACTS' two moons: one label of each class, the optimum has no error."""
    X, g = make_moons(100, noise=0.1, random_state=seed)
    truth = np.where(g == 0, 1, -1)
    rows = {0: [60, 30], 2: [36, 75], 4: [42, 91]}[seed]
    y = np.zeros(100)
    y[rows] = truth[rows]
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2 / 0.3**2)
    return Problem(K, y, 10.0, 1.0, 49), truth


def last(states):
    *_, state = states
    return state


# -- the optimum ----------------------------------------------------------------------


@orders
@pytest.mark.parametrize("seed", range(30))
def test_it_finds_the_best_of_all_balanced_labelings(seed, order):
    problem = random_problem(seed)
    final = last(branch_and_bound(problem, order=order))
    assert final.status is Status.FINISHED
    assert final.objective == pytest.approx(optimum(seed), rel=1e-8)
    full = problem.y.astype(np.int8)
    full[problem.unlabeled] = final.y_u
    assert (final.y_u == 1).sum() == problem.n_positive
    assert problem.value(full) == pytest.approx(final.objective, rel=1e-8)


@orders
@pytest.mark.parametrize("seed", range(30))
def test_bounds_enclose_the_optimum_and_move_towards_it(seed, order):
    states = list(branch_and_bound(random_problem(seed), order=order))
    best, eps = optimum(seed), ROUNDING * optimum(seed)
    assert len(states) > 1
    for state in states:
        assert state.lower <= best + eps
        assert state.upper >= best - eps
        assert state.objective == state.upper
    for before, after in pairwise(states):
        assert after.lower >= before.lower - eps
        assert after.upper <= before.upper
    assert states[-1].lower == pytest.approx(states[-1].upper, rel=ROUNDING)


@pytest.mark.parametrize("seed", range(8))
def test_the_model_is_the_machine_of_its_labels(seed):
    problem = random_problem(seed)
    final = last(branch_and_bound(problem))
    f = problem.K @ final.alpha + final.b
    np.testing.assert_allclose(final.f, f, atol=1e-10)
    y = problem.y.copy()
    y[problem.unlabeled] = final.y_u
    c = np.where(problem.y != 0, problem.C, problem.C_u)

    def primal(v):
        o = problem.K @ v[:-1] + v[-1]
        loss = np.maximum(0, 1 - y * o)
        slope = -2 * c * y * loss
        grad = np.append(problem.K @ (v[:-1] + slope), slope.sum())
        return v[:-1] @ problem.K @ v[:-1] / 2 + c @ loss**2, grad

    v = np.append(final.alpha, final.b)
    value, grad = primal(v)
    assert value == pytest.approx(final.objective, rel=1e-10)
    assert np.abs(grad).max() <= 1e-7 * max(1.0, c.max())
    other = minimize(primal, np.zeros_like(v), jac=True, options={"gtol": 1e-9})
    assert other.fun == pytest.approx(final.objective, rel=1e-5, abs=1e-8)


@orders
@pytest.mark.parametrize("side", [0, 1], ids=["none", "all"])
def test_one_sign_for_all_leaves_nothing_to_search(side, order):
    problem = random_problem(5, u=8)
    problem = replace(problem, n_positive=8 * side)
    states = list(branch_and_bound(problem, order=order))
    assert [s.t for s in states] == [0, 1]
    assert set(states[-1].y_u) == {2 * side - 1}
    assert states[-1].status is Status.FINISHED


def test_without_unlabeled_points_it_trains_the_svm():
    problem = random_problem(1, u=0)
    first, final = branch_and_bound(problem)
    assert (first.t, final.t) == (0, 1)
    assert final.status is Status.FINISHED
    assert final.pruned == "solved"
    assert final.objective == pytest.approx(problem.value(problem.y), rel=1e-12)


@orders
@pytest.mark.parametrize("labels", [(), (1.0,), (-1.0, -1.0)], ids=str)
@pytest.mark.parametrize("n_positive", [0, 2, 4])
def test_labels_of_one_class_or_none_at_all_are_enough(labels, n_positive, order):
    problem = random_problem(4, u=6)
    y = np.zeros(len(problem.y))
    y[: len(labels)] = labels
    problem = replace(problem, y=y, n_positive=n_positive)
    best = min(problem.value(full) for full in problem.labelings())
    states = list(branch_and_bound(problem, order=order))
    assert states[-1].objective == pytest.approx(best, rel=1e-8, abs=1e-12)
    assert all(s.lower <= best + 1e-9 for s in states)


@pytest.mark.parametrize("seed", [0, 3, 6, 9])
def test_weights_of_a_million_on_a_singular_kernel_are_no_trouble(seed):
    problem = replace(random_problem(seed), C=1e6, C_u=1e6)
    best = min(problem.value(y) for y in problem.labelings())
    final = last(branch_and_bound(problem))
    assert final.objective == pytest.approx(best, rel=1e-6)


# -- the bounds -----------------------------------------------------------------------


def some_node(problem, rng):
    """A machine with a few decided labels, as the tree has it."""
    A, ridge = problem.system
    y = problem.y.astype(np.int8)
    y_all = list(problem.labelings())[rng.integers(len(list(problem.labelings())))]
    decided = rng.permutation(problem.unlabeled)[: len(problem.unlabeled) // 2]
    y[decided] = y_all[decided]
    n = len(y)
    active = np.zeros(n, dtype=bool)
    active[np.flatnonzero(y)[0]] = True
    T, beta, o = np.empty_like(A), np.zeros(n + 1), np.zeros(n)
    rebuild(A, T, active)
    resume(A, T, active, active.copy(), y, beta, o)
    return y, (T, active, y, beta, o), train(T, active, y, ridge, beta, o)


@pytest.mark.parametrize("seed", range(20))
def test_the_gain_of_one_label_is_at_most_what_training_finds(seed):
    problem = random_problem(seed, u=9)
    y, machine, value = some_node(problem, np.random.default_rng(seed))
    gain = np.empty((len(y), 2))
    single_gains(*machine, gain)
    assert gain.max() > 0
    assert np.all(gain >= 0)
    for j in np.flatnonzero(y == 0):
        for side in (0, 1):
            child = y.copy()
            child[j] = 2 * side - 1
            true = problem.value(child)
            assert value + gain[j, side] <= true * (1 + ROUNDING)


@pytest.mark.parametrize("seed", range(20))
def test_the_joint_gain_is_at_most_what_any_completion_adds(seed):
    problem = random_problem(seed, u=9)
    problem = replace(problem, n_positive=4)
    y, machine, value = some_node(problem, np.random.default_rng(seed))
    o, t, extra = machine[-1], np.empty(len(y)), np.empty(len(y))
    rise = joint_gain(*machine, np.inf, t)
    assert rise >= 0
    left = 4 - np.count_nonzero(y[problem.unlabeled] == 1)
    balanced = balanced_gain(y, o, t, left, extra)
    free = np.flatnonzero(y == 0)
    for full in problem.labelings(y):
        true = problem.value(full) * (1 + ROUNDING)
        against = [j for j in free if (full[j] > 0) != (o[j] > 0)]
        assert value + rise + sum(2 * t[j] * abs(o[j]) for j in against) <= true
        assert value + rise + balanced <= true
        for j in against:
            assert value + rise + balanced + extra[j] <= true


@pytest.mark.parametrize("n_positive", range(1, 7))
@pytest.mark.parametrize("seed", range(4))
def test_the_balance_costs_what_the_cheapest_turns_cost(seed, n_positive):
    rng = np.random.default_rng(seed)
    y, o, t = np.zeros(7, dtype=np.int8), rng.normal(size=7), rng.random(7)
    extra = np.empty(7)
    total = balanced_gain(y, o, t, n_positive, extra)
    cost, least = 2 * t * np.abs(o), np.full(7, np.inf)
    for chosen in combinations(range(7), n_positive):
        against = np.isin(np.arange(7), chosen) != (o > 0)
        least[against] = np.minimum(least[against], cost[against].sum())
        assert total <= cost[against].sum() + 1e-12
    np.testing.assert_allclose(total + extra, least, rtol=1e-12)


def test_free_points_together_are_worth_more_than_the_dearest_alone():
    problem, _ = two_moons(0)
    y = problem.y.astype(np.int8)
    A, ridge = problem.system
    active = y != 0
    T, beta, o = np.empty_like(A), np.zeros(101), np.zeros(100)
    rebuild(A, T, active)
    resume(A, T, active, active.copy(), y, beta, o)
    train(T, active, y, ridge, beta, o)
    gain, t = np.empty((100, 2)), np.empty(100)
    single_gains(T, active, y, beta, o, gain)
    joint = joint_gain(T, active, y, beta, o, np.inf, t)
    assert joint > 2 * gain[y == 0].min(axis=1).max()


@orders
def test_nodes_are_pruned_only_where_nothing_is_below_the_optimum(order):
    for seed in range(10):
        problem, best = random_problem(seed), optimum(seed)
        for state in branch_and_bound(problem, order=order):
            if state.depth == 0:
                assert state.bound <= best * (1 + ROUNDING)
            if state.pruned == "bound":
                assert state.bound >= best * (1 - 2 * ROUNDING)


# -- two moons ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "value", "order", "nodes"),
    [
        (0, 6.147, "best", 3991),
        (0, 6.147, "depth", 3991),
        (2, 6.313, "best", 5335),
        (2, 6.313, "depth", 5335),
        pytest.param(4, 6.910, "depth", 12167, marks=pytest.mark.slow),
    ],
)
def test_two_moons_are_solved_without_error_in_few_nodes(seed, value, order, nodes):
    problem, truth = two_moons(seed)
    final = last(branch_and_bound(problem, order=order))
    assert final.status is Status.FINISHED
    assert final.objective == pytest.approx(value, abs=5e-4)
    np.testing.assert_array_equal(final.y_u, truth[problem.unlabeled])
    assert final.t <= nodes  # of a plain implementation with single gains only


def test_from_the_best_labels_only_the_proof_is_left():
    problem, truth = two_moons(0)
    states = list(branch_and_bound(problem, incumbent=truth[problem.unlabeled]))
    assert len({s.upper for s in states}) == 1
    assert not any(e.kind == "incumbent" for s in states for e in s.events)
    assert states[-1].status is Status.FINISHED


def test_labels_spread_to_neighbours_as_the_balance_asks():
    problem, truth = two_moons(0)
    labels = Labelings(problem).spread()
    assert (labels[problem.unlabeled] == 1).sum() == problem.n_positive
    np.testing.assert_array_equal(labels, truth)


@pytest.mark.parametrize("seed", range(12))
def test_spread_labels_keep_what_is_given_and_the_balance(seed):
    problem = random_problem(seed)
    labels = Labelings(problem).spread()
    given = problem.y != 0
    np.testing.assert_array_equal(labels[given], problem.y[given])
    assert set(np.unique(labels)) <= {-1, 1}
    assert (labels[problem.unlabeled] == 1).sum() == problem.n_positive


@orders
@pytest.mark.parametrize("seed", range(12))
def test_the_optimum_does_not_depend_on_the_first_incumbent(seed, order):
    problem = random_problem(seed)
    plain, spread = (
        list(branch_and_bound(problem, order=order, spread=spread))
        for spread in (False, True)
    )
    assert spread[0].upper <= plain[0].upper * (1 + ROUNDING)
    assert spread[-1].upper == pytest.approx(plain[-1].upper, rel=2 * ROUNDING)


def test_from_spread_labels_a_tree_is_smaller():
    problem, _ = two_moons(0)
    plain, spread = (
        last(branch_and_bound(problem, order="depth", spread=spread)).t
        for spread in (False, True)
    )
    assert spread < plain


# -- symmetries -----------------------------------------------------------------------


@orders
@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_the_points_does_not_matter(seed, order):
    problem = random_problem(seed)
    p = np.random.default_rng(seed).permutation(len(problem.y))
    shuffled = replace(problem, K=problem.K[np.ix_(p, p)].copy(), y=problem.y[p])
    assert last(branch_and_bound(shuffled, order=order)).objective == pytest.approx(
        optimum(seed), rel=1e-8
    )


@orders
@pytest.mark.parametrize("seed", range(6))
def test_flipped_labels_flip_the_solution(seed, order):
    problem = random_problem(seed)
    u = len(problem.unlabeled)
    flipped = replace(problem, y=-problem.y, n_positive=u - problem.n_positive)
    final = last(branch_and_bound(flipped, order=order))
    assert final.objective == pytest.approx(optimum(seed), rel=1e-8)
    y = -flipped.y.astype(np.int8)
    y[problem.unlabeled] = -final.y_u
    assert problem.value(y) == pytest.approx(optimum(seed), rel=1e-8)


# -- states, limits, words ------------------------------------------------------------


@orders
def test_every_node_has_a_parent_that_was_explored_one_level_above(order):
    problem, _ = two_moons(0)
    depth = {}
    for state in branch_and_bound(problem, order=order, max_nodes=300):
        assert state.node == max(state.t - 1, 0)
        if state.node == 0:
            assert (state.parent, state.depth) == (-1, 0)
        else:
            assert state.depth == depth[state.parent] + 1
        depth[state.node] = state.depth
    assert len(depth) == 300


@orders
def test_a_limit_of_nodes_ends_with_the_gap_that_is_left(order):
    problem, _ = two_moons(4)
    states = list(branch_and_bound(problem, order=order, max_nodes=50))
    final = states[-1]
    assert final.t == 50
    assert final.status is Status.MAX_ITER
    (event,) = (e for e in final.events if e.kind == "limit")
    assert "after 50 nodes" in event.text
    assert final.lower < 6.9095 <= final.upper
    gap = (final.upper - final.lower) / final.upper
    assert event.data["gap"] == pytest.approx(gap)
    assert all(s.status.running for s in states[:-1])
    assert final.n_open > 0


def test_a_limit_of_seconds_counts_the_solvers_own():
    problem, _ = two_moons(4)
    final = last(branch_and_bound(problem, max_seconds=0.0))
    assert final.t == 1
    assert final.status is Status.MAX_ITER
    assert any("after 0 seconds" in e.text for e in final.events)


def test_what_happens_is_told_by_events():
    problem, truth = two_moons(2)
    states = list(branch_and_bound(problem))
    told = [(s, e) for s in states for e in s.events]
    assert {e.kind for _, e in told} == {"incumbent", "fixed", "proved"}
    before = states[0].y_u
    for state, event in told:
        if event.kind == "incumbent":
            changed = problem.unlabeled[before != state.y_u]
            np.testing.assert_array_equal(event.data["points"], changed)
            assert event.data["after"] == state.upper
            before = state.y_u
        if event.kind == "fixed":
            assert np.all(problem.y[event.data["points"]] == 0)
    assert told[-1][1].kind == "proved"
    np.testing.assert_array_equal(before, truth[problem.unlabeled])


def test_states_share_the_arrays_of_an_incumbent_that_stays():
    problem, _ = two_moons(2)
    states = list(branch_and_bound(problem))
    kept = [s.f.copy() for s in states[:200]]
    assert len({id(s.f) for s in states}) == len({s.upper for s in states})
    for state, f in zip(states, kept, strict=False):
        np.testing.assert_array_equal(state.f, f)


def test_thin_states_still_say_why_a_node_was_pruned():
    problem, _ = two_moons(2)
    thin = [s.thin() for s in branch_and_bound(problem, max_nodes=200)]
    assert {s.pruned for s in thin} >= {"", "bound"}
    assert all(s.y_u is None and s.f is None for s in thin)


def test_a_start_gives_its_labels():
    problem, truth = two_moons(2)
    best = last(branch_and_bound(problem))
    first = next(branch_and_bound(problem, start=best))
    assert first.upper == pytest.approx(best.upper, rel=1e-12)
    np.testing.assert_array_equal(first.y_u, truth[problem.unlabeled])


@pytest.mark.parametrize(
    ("changes", "options", "words"),
    [
        ({}, {"order": "wide"}, "order must be one of .*, got 'wide'"),
        ({"n_positive": 9}, {}, "n_positive must be between 0 and .* 8, got 9"),
        ({"C_u": 0.0}, {}, "C_u must be > 0, got 0.0"),
        ({}, {"incumbent": [1, -1]}, r"for each of the 8 .* shape \(2,\)"),
        ({}, {"incumbent": [0] * 8}, r"label -1 or \+1"),
        ({}, {"incumbent": [1] * 8}, "n_positive = 3 positive labels, got 8"),
    ],
)
def test_wrong_input_is_refused_in_words(changes, options, words):
    problem = replace(random_problem(5, u=8), **({"n_positive": 3} | changes))
    with pytest.raises(ValueError, match=words):
        next(branch_and_bound(problem, **options))


def test_points_that_lie_together_in_a_huge_kernel_are_trained():
    """There 1 / (2 C) is below rounding, and the pivots divided by zero."""
    groups = np.repeat(np.eye(3), 4, axis=0)
    K = 2.2e15 * groups @ groups.T
    y = np.array([1, -1, 0, 0] * 3)
    state = last(branch_and_bound(Problem(K, y, C=33.0, C_u=33.0, n_positive=3)))
    assert np.isfinite(state.upper)
    assert np.isfinite(state.f).all()
