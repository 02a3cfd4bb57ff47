"""The linear problems of [SK07] against definitions typed out in numpy."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize, minimize_scalar
from scipy.special import entr

from ssl_core.linalg.balance import settle_mean
from ssl_core.linalg.line_search import two_sided_line_search
from ssl_core.linalg.two_sided import (
    transductive_loss,
    two_sided_costs,
    two_sided_excess,
    two_sided_terms,
)
from ssl_core.problems.linear import LinearSVM, TransductiveSVM
from ssl_core.problems.probabilities import balanced_probabilities, divergence, entropy

SEEDS = range(6)


def random_machine(seed, n=40, d=6, lam=0.05):
    """Points of every kind: one-sided, two-sided and free of cost."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    c_pos = rng.random(n) * (rng.random(n) < 0.7)
    c_neg = rng.random(n) * (rng.random(n) < 0.7)
    return LinearSVM(X, c_pos, c_neg, lam=lam), X, rng


def definition(X, c_pos, c_neg, lam, v):
    """[SK07] eq. (1.2) with a cost on either side."""
    f = X @ v[:-1] + v[-1]
    loss = c_pos * np.maximum(0, 1 - f) ** 2 + c_neg * np.maximum(0, 1 + f) ** 2
    return lam / 2 * v @ v + loss.sum() / 2


def semi_supervised(seed=0, n=30, d=4, n_labeled=8, lam_u=0.7, r=None):
    rng = np.random.default_rng(seed)
    truth = np.where(rng.random(n) < 0.4, 1.0, -1.0)
    truth[:2] = 1, -1
    X = rng.normal(size=(n, d))
    X[:, 0] += truth
    y = np.where(np.arange(n) < n_labeled, truth, 0.0)
    order = rng.permutation(n)
    problem = TransductiveSVM(X[order], y[order], lam=0.02, lam_u=lam_u, r=r)
    return problem, X[order], y[order], rng


@pytest.mark.parametrize("seed", SEEDS)
def test_value_is_the_definition(seed):
    machine, X, rng = random_machine(seed)
    v = rng.normal(size=7)
    expected = definition(X, machine.c_pos, machine.c_neg, machine.lam, v)
    assert machine.value(v) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_gradient_and_hessian_match_finite_differences(seed):
    machine, _, rng = random_machine(seed)
    v, d, h = rng.normal(size=7), rng.normal(size=7), 1e-6
    terms = machine.terms(machine.outputs(v))
    grad = machine.gradient(v, terms)
    for j in range(7):
        e = np.eye(7)[j] * h
        slope = (machine.value(v + e) - machine.value(v - e)) / (2 * h)
        assert grad[j] == pytest.approx(slope, rel=1e-6, abs=1e-7)
    ahead, behind = (
        machine.gradient(u, machine.terms(machine.outputs(u)))
        for u in (v + h * d, v - h * d)
    )
    curved = machine.hessian_product(d, terms)
    np.testing.assert_allclose(curved, (ahead - behind) / (2 * h), rtol=1e-5, atol=1e-6)


def test_excess_is_what_crossing_a_margin_makes_of_a_slope():
    """Against the slopes at both ends, the first continued along its piece."""
    rng = np.random.default_rng(1)
    f, end = 1.5 * rng.normal(size=(2, 200))
    c_pos, c_neg = rng.random((2, 200)) * (rng.random((2, 200)) < 0.7)
    weight, slope, excess = np.empty((3, 200))
    two_sided_terms(f, c_pos, c_neg, weight, slope)
    continued = slope + weight * (end - f)
    two_sided_terms(end, c_pos, c_neg, weight, slope)
    two_sided_excess(f, end, c_pos, c_neg, excess)
    np.testing.assert_allclose(excess, slope - continued, atol=1e-14)
    stayed = ((f < 1) == (end < 1)) & ((f > -1) == (end > -1))
    assert stayed.any()
    assert not excess[stayed].any()
    assert excess[~stayed].any()


def test_costs_and_transductive_loss_equal_their_numpy_twins():
    rng = np.random.default_rng(2)
    y = rng.choice([-1.0, 0.0, 0.0, 1.0], size=90)
    hidden, p, f = y == 0, rng.random((y == 0).sum()), 1.5 * rng.normal(size=90)
    c_pos, c_neg = two_sided_costs(y, 0.3, 0.7, p)
    np.testing.assert_array_equal(c_pos[~hidden], 0.3 * (y[~hidden] > 0))
    np.testing.assert_array_equal(c_neg[~hidden], 0.3 * (y[~hidden] < 0))
    np.testing.assert_array_equal(c_pos[hidden], 0.7 * p)
    np.testing.assert_array_equal(c_neg[hidden], 0.7 * (1 - p))
    margin = np.where(hidden, np.abs(f), y * f)
    loss = np.where(hidden, 0.7, 0.3) * np.maximum(0, 1 - margin) ** 2
    expected = loss.sum() / 2
    assert transductive_loss(f, y, 0.3, 0.7) == pytest.approx(expected, rel=1e-14)


def test_terms_equal_their_numpy_twin():
    rng = np.random.default_rng(0)
    f = np.concatenate([rng.normal(size=50), [1.0, -1.0, 0.0]])
    c_pos, c_neg = rng.random((2, 53))
    weight, slope = np.empty(53), np.empty(53)
    loss = two_sided_terms(f, c_pos, c_neg, weight, slope)
    pos, neg = np.maximum(0, 1 - f), np.maximum(0, 1 + f)
    assert loss == pytest.approx((c_pos * pos**2 + c_neg * neg**2).sum() / 2, rel=1e-14)
    np.testing.assert_allclose(weight, c_pos * (f < 1) + c_neg * (f > -1))
    np.testing.assert_allclose(slope, c_neg * neg - c_pos * pos, atol=1e-15)


@pytest.mark.parametrize("seed", range(25))
def test_line_search_finds_the_minimiser(seed):
    machine, _, rng = random_machine(seed, n=int(5 + seed * 3))
    v, d = rng.normal(size=7), rng.normal(size=7)
    f, f_d = machine.outputs(v), machine.design.outputs(d)
    slope = machine.gradient(v, machine.terms(f)) @ d
    d, f_d = (-d, -f_d) if slope > 0 else (d, f_d)
    step = machine.exact_step(v, d, f, f_d)
    oracle = minimize_scalar(lambda s: machine.value(v + s * d), tol=1e-12)
    assert machine.value(v + step * d) <= oracle.fun * (1 + 1e-14)  # rounding
    at = v + step * d
    end = machine.gradient(at, machine.terms(machine.outputs(at))) @ d
    assert abs(end) <= 1e-12 * abs(slope)


def test_line_search_does_not_move_uphill():
    machine, _, _ = random_machine(0)
    v = np.zeros(7)
    terms = machine.terms(machine.outputs(v))
    uphill = machine.gradient(v, terms)
    f, f_d = machine.outputs(v), machine.outputs(uphill)
    assert machine.exact_step(v, uphill, f, f_d) == 0


def test_line_search_passes_a_thousand_break_points():
    """Costs rise along the line, so that every Newton trial overshoots its piece."""
    n = 1000
    f, f_d = -np.geomspace(1e-3, 1e6, n), np.ones(n)
    c_pos, c_neg = np.geomspace(1e-9, 1, n), np.zeros(n)
    step = two_sided_line_search(f, f_d, c_pos, c_neg, 0.0, 1e-12)
    moved = f + step
    psi = 1e-12 * step + (c_pos * np.minimum(moved - 1, 0)).sum()
    assert abs(psi) <= 1e-9 * (c_pos * (1 - f)).sum()


def test_supervised_costs_are_one_over_l():
    _, X, y, rng = semi_supervised()
    machine = LinearSVM.from_labels(X, y, lam=0.3)
    v = rng.normal(size=5)
    f = X @ v[:-1] + v[-1]
    margins = (y * f)[y != 0]
    loss = (np.maximum(0, 1 - margins) ** 2).mean() / 2
    expected = 0.15 * v @ v + loss
    assert machine.value(v) == pytest.approx(expected, rel=1e-13)


def test_per_example_costs_equal_repeated_examples():
    _, X, y, rng = semi_supervised()
    times = rng.integers(0, 4, len(y))
    weighted = LinearSVM.from_labels(X, y, lam=0.1, cost=times.astype(float))
    repeated = LinearSVM.from_labels(
        np.repeat(X, times, axis=0), np.repeat(y, times), lam=0.1, cost=1.0
    )
    v = rng.normal(size=5)
    assert weighted.value(v) == pytest.approx(repeated.value(v), rel=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_transductive_objective_is_the_papers(seed):
    problem, X, y, rng = semi_supervised(seed)
    v = rng.normal(size=5)
    f = X @ v[:-1] + v[-1]
    L, U = y != 0, y == 0
    expected = (
        0.01 * v @ v
        + (np.maximum(0, 1 - y[L] * f[L]) ** 2).sum() / (2 * L.sum())
        + 0.7 * (np.maximum(0, 1 - np.abs(f[U])) ** 2).sum() / (2 * U.sum())
    )
    assert problem.objective(v, f) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_certain_probabilities_are_labels(seed):
    problem, _, _, rng = semi_supervised(seed)
    y_u = problem.assign(rng.normal(size=problem.u))
    a = problem.with_labels(y_u, problem.lam_u)
    b = problem.with_probabilities((y_u > 0).astype(float))
    np.testing.assert_array_equal(a.c_pos, b.c_pos)
    np.testing.assert_array_equal(a.c_neg, b.c_neg)


@pytest.mark.parametrize("r", [0.1, 0.5, 0.77])
def test_labels_are_assigned_by_the_class_ratio(r):
    problem, _, _, rng = semi_supervised(r=r)
    f_u = rng.normal(size=problem.u)
    y_u = problem.assign(f_u)
    assert (y_u > 0).sum() == round(r * problem.u)
    assert f_u[y_u > 0].min() > f_u[y_u < 0].max()


def test_ratio_comes_from_the_labels_when_not_given():
    problem, _, y, _ = semi_supervised()
    assert problem.r == (y > 0).sum() / (y != 0).sum()


@pytest.mark.parametrize("most", [1, 3, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_switched_pair_lowers_the_objective(seed, most):
    problem, X, _, rng = semi_supervised(seed)
    v = rng.normal(size=5)
    f = X @ v[:-1] + v[-1]
    f_u = f[problem.unlabeled]
    y_u = np.where(rng.random(problem.u) < 0.5, 1, -1)
    i, j = problem.switches(f_u, y_u, most)
    assert len(i) == len(j) <= most
    value = problem.with_labels(y_u, 0.7).objective(v, f)
    for a, b in zip(i, j, strict=True):
        assert y_u[a] == 1
        assert y_u[b] == -1
        y_u[a], y_u[b] = -1, 1
        lower = problem.with_labels(y_u, 0.7).objective(v, f)
        assert lower < value
        value = lower


@pytest.mark.parametrize("y_u", [(1, 1, 1), (-1, -1, -1), ()])
def test_switching_ends_when_a_class_runs_out(y_u):
    i, j = TransductiveSVM.switches(np.zeros(len(y_u)), np.array(y_u), 5)
    assert len(i) == len(j) == 0


@pytest.mark.parametrize("most", [1, 7, 1000])
@pytest.mark.parametrize("seed", SEEDS)
def test_switches_are_the_first_good_pairs_of_both_sorted_lists(seed, most):
    """The lists of section 1.3.2 in full, ties included."""
    rng = np.random.default_rng(seed)
    f_u = np.round(rng.normal(size=400), 1 if seed % 2 else 12)
    y_u = np.where(f_u + rng.normal(size=400) > 0, 1, -1)
    positive = [k for k in np.argsort(f_u, kind="stable") if y_u[k] > 0 and f_u[k] < 1]
    negative = [
        k for k in np.argsort(-f_u, kind="stable") if y_u[k] < 0 and f_u[k] > -1
    ]
    pairs = zip(positive, negative, strict=False)
    good = [(a, b) for a, b in pairs if f_u[a] < f_u[b]][:most]
    i, j = TransductiveSVM.switches(f_u, y_u, most)
    assert list(zip(i, j, strict=True)) == good


def test_no_single_pair_is_overlooked():
    """Where S = max finds nothing, no active pair would lower the objective."""
    rng = np.random.default_rng(3)
    f_u, y_u = rng.normal(size=12), np.where(rng.random(12) < 0.5, 1, -1)
    for _ in range(12):
        i, j = TransductiveSVM.switches(f_u, y_u, 12)
        y_u[i], y_u[j] = -1, 1
    active_pos = np.flatnonzero((y_u > 0) & (f_u < 1))
    active_neg = np.flatnonzero((y_u < 0) & (f_u > -1))
    for a, b in itertools.product(active_pos, active_neg):
        assert f_u[a] >= f_u[b]


# The p step.


@given(
    seed=st.integers(0, 10**6),
    u=st.integers(1, 60),
    log_T=st.floats(-12, 2),
    r=st.floats(0.01, 0.99),
    ties=st.booleans(),
)
def test_mean_of_p_is_r_at_any_temperature_and_through_ties(seed, u, log_T, r, ties):
    g = 4 * np.random.default_rng(seed).normal(size=u)
    g = np.round(g) if ties else g
    p, _ = balanced_probabilities(g, 10.0**log_T, r)
    assert abs(p.mean() - r) <= 1e-12
    assert ((p >= 0) & (p <= 1)).all()
    order = np.argsort(g, kind="stable")
    assert (np.diff(p[order]) <= 1e-12).all()  # the smaller g, the likelier positive


def test_settling_a_mean_is_its_numpy_twin():
    p = np.random.default_rng(4).random(500)
    p[:3] = 0.0, 1.0, 0.5  # certain ones stay
    settled = p.copy()
    settle_mean(settled, 0.51)
    for _ in range(2):
        room = p * (1 - p)
        p = np.clip(p + (0.51 - p.mean()) * len(p) / room.sum() * room, 0, 1)
    np.testing.assert_allclose(settled, p, atol=1e-14)
    assert settled[:2].tolist() == [0.0, 1.0]
    assert abs(settled.mean() - 0.51) <= 1e-14


def test_mean_of_p_is_r_for_half_a_million_points():
    rng = np.random.default_rng(0)
    g = rng.normal(size=500_000)
    for T in (10.0, 1e-2, 1e-6):
        p, _ = balanced_probabilities(g, T, 0.3)
        assert abs(p.mean() - 0.3) <= 1e-12


@pytest.mark.parametrize("T", [10.0, 1.0, 0.1, 0.02])
def test_p_is_equation_1_9(T):
    g = np.random.default_rng(1).normal(size=30)
    p, nu = balanced_probabilities(g, T, 0.4)
    np.testing.assert_allclose(p, 1 / (1 + np.exp((g - 2 * nu) / T)), atol=1e-12)


def at_temperature(problem, v, f, p, T):
    """[SK07] eq. (1.6), its entropy from the definition."""
    doubt = (entr(p) + entr(1 - p)).sum()
    return problem.with_probabilities(p).objective(v, f) - T / (2 * problem.u) * doubt


@pytest.mark.parametrize("T", [5.0, 0.5, 0.1])
@pytest.mark.parametrize("seed", range(3))
def test_p_step_is_the_constrained_minimiser(seed, T):
    problem, X, _, rng = semi_supervised(seed, n=20, r=0.35)
    v = rng.normal(size=5)
    f = X @ v[:-1] + v[-1]
    p, _ = problem.probabilities(f[problem.unlabeled], T)
    oracle = minimize(
        lambda q: at_temperature(problem, v, f, q, T),
        np.full(problem.u, 0.35),
        bounds=[(1e-9, 1 - 1e-9)] * problem.u,
        constraints={"type": "eq", "fun": lambda q: q.mean() - 0.35},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    ours = at_temperature(problem, v, f, p, T)
    assert ours <= oracle.fun + 1e-12
    assert ours == pytest.approx(oracle.fun, abs=1e-5)


def test_entropy_and_divergence_are_their_definitions():
    p, q = np.random.default_rng(0).uniform(0.01, 0.99, (2, 20))
    h = -(p * np.log(p) + (1 - p) * np.log(1 - p)).sum()
    kl = (p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))).sum()
    assert entropy(p) == pytest.approx(h, rel=1e-12)
    assert divergence(p, q) == pytest.approx(kl, rel=1e-12)


def test_entropy_and_divergence_are_finite_for_certain_labels():
    sure, other = np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0])
    assert entropy(sure) == pytest.approx(0, abs=1e-13)
    assert divergence(sure, sure) == pytest.approx(0, abs=1e-13)
    assert 1 < divergence(sure, other) < np.inf


def test_least_entropy_is_what_is_left_at_zero_temperature():
    problem, _, _, rng = semi_supervised(r=0.3)  # r u = 6.6 is no integer
    f_u = rng.normal(size=problem.u)
    p, _ = problem.probabilities(f_u, 1e-9)
    least = problem.least_entropy(f_u)
    assert problem.mean_entropy(p) == pytest.approx(least, abs=1e-9)
    assert least > 0


def test_rows_that_cross_a_margin_are_found_without_compiled_code():
    """``NUMBA_DISABLE_JIT=1`` runs the plain function, whose bools are numpy's."""
    f, end = np.array([0.5, 2.0, -2.0, 0.0]), np.array([2.0, 0.5, 0.0, 0.5])
    ones, plain, fast = np.ones(4), np.empty(4), np.empty(4)
    two_sided_excess.py_func(f, end, ones, ones, plain)
    two_sided_excess(f, end, ones, ones, fast)
    np.testing.assert_array_equal(plain, fast)
    assert plain.tolist() == [-1.0, -0.5, 1.0, 0.0]
