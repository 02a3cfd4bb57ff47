"""Deterministic annealing, [SK07] 1.4."""

import itertools
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

from ssl_core.driver import drive
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.solvers._mfn import SVMLIN, Schedule
from ssl_core.solvers.da import da
from ssl_core.solvers.l2svm_mfn import l2svm_mfn
from ssl_core.solvers.tsvm import tsvm
from ssl_core.stopping import Run, stability_check
from ssl_core.trace import Status
from tests.linear_problems import LINEAR_PROBLEMS

problems = pytest.mark.parametrize("data", LINEAR_PROBLEMS, ids=str)
BY_NAME = {data.name: data for data in LINEAR_PROBLEMS}
ROUNDING = 1e-12


def build(data, y=None, **changes):
    knobs = {"lam": data.lam, "lam_u": 1.0} | changes
    return TransductiveSVM(data.X, data.y if y is None else y, **knobs)


@cache
def _run(name):
    return tuple(da(build(BY_NAME[name])))


def run(data):
    """All states with the default knobs: annealed once, looked at by many tests."""
    return _run(data.name)


def end(problem, watch=None, max_iter=None, **options):
    *_, last = drive(da(problem, **options), watch=watch, max_iter=max_iter)
    return last


@problems
@pytest.mark.parametrize("r", [None, 0.31])
def test_the_class_ratio_is_kept_exactly(data, r):
    problem = build(data, r=r)
    for state in run(data) if r is None else da(problem):
        assert abs(state.p.mean() - problem.r) <= 1e-12


@problems
@pytest.mark.parametrize("eps_path", [1e-1, 1e-3, 1e-6])
def test_at_one_temperature_the_objective_never_increases(data, eps_path):
    *path, _ = da(build(data), eps_path=eps_path)
    pairs = [(a, b) for a, b in itertools.pairwise(path) if a.T == b.T and a.t > 0]
    assert pairs
    for a, b in pairs:
        assert b.objective <= a.objective + ROUNDING * abs(a.objective)


@problems
def test_objective_is_equation_1_6(data):
    problem = build(data)
    for state in run(data):
        p, f = state.p, state.f
        q = np.clip(p, 1e-16, 1 - 1e-16)
        f_u, labeled = f[problem.unlabeled], data.y != 0
        norm = state.w @ state.w + state.b**2
        margin = np.maximum(0, 1 - data.y[labeled] * f[labeled])
        unlabeled = p * np.maximum(0, 1 - f_u) ** 2
        unlabeled += (1 - p) * np.maximum(0, 1 + f_u) ** 2
        entropy = -(p * np.log(q) + (1 - p) * np.log1p(-q))
        expected = (
            data.lam / 2 * norm
            + (margin**2).mean() / 2
            + unlabeled.mean() / 2
            - state.T / 2 * entropy.mean()
        )
        assert state.objective == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert state.entropy == pytest.approx(entropy.mean(), abs=1e-12)


@problems
def test_the_best_transductive_objective_of_the_path_is_returned(data):
    problem = build(data)
    *path, last = run(data)
    best = min(s.transductive_objective for s in path[1:])
    assert last.transductive_objective <= best * (1 + ROUNDING)
    v = np.append(last.w, last.b)
    value = problem.objective(v, problem.design.outputs(v))
    assert last.transductive_objective == pytest.approx(value, rel=1e-10)
    (event,) = [e for e in last.events if e.kind == "best"]
    assert path[event.data["t"]].transductive_objective == best
    assert last.status is Status.FINISHED


@problems
def test_temperature_falls_by_the_rate_and_entropy_to_its_least(data):
    problem = build(data)
    *path, _ = run(data)
    T = [e.data["T"] for s in path for e in s.events if e.kind == "temperature"]
    np.testing.assert_allclose(T, 10.0 / 1.5 ** np.arange(len(T)), rtol=1e-12)
    assert path[0].p.tolist() == [problem.r] * problem.u
    least = problem.least_entropy(path[-1].f[problem.unlabeled])
    settled = path[-1].entropy - least < 1e-6
    assert settled or len(T) == 30


@problems
def test_each_temperature_ends_when_p_settles(data):
    *path, _ = da(build(data), max_inner=10_000)
    for a, b in itertools.pairwise(path[1:]):
        assert (b.T < a.T) == (a.kl < 1e-6)


@problems
def test_a_fixed_temperature_stays_fixed(data):
    states = list(da(build(data), T=0.1, anneal=False))
    assert {s.T for s in states} == {0.1}
    assert states[-1].status is Status.FINISHED


def test_annealing_beats_a_low_fixed_temperature_on_most_problems():
    """[SK07], "Importance of annealing"."""
    no_worse = [
        run(data)[-1].transductive_objective
        <= end(build(data), T=1e-3, anneal=False).transductive_objective * 1.001
        for data in LINEAR_PROBLEMS
    ]
    assert np.mean(no_worse) > 0.7


@problems
def test_a_loose_path_ends_as_low_as_svmlins_own(data):
    loose = run(data)[-1].transductive_objective
    tight = end(build(data), schedule=SVMLIN, eps_path=1e-6).transductive_objective
    assert loose <= tight * 1.005


def test_is_no_higher_than_tsvm_on_most_problems():
    """[SK06] Table 2: DA optimises at least as well."""
    won = []
    for data in LINEAR_PROBLEMS:
        *_, other = tsvm(build(data))
        won.append(run(data)[-1].transductive_objective <= other.objective * 1.001)
    assert np.mean(won) > 0.7


@pytest.mark.parametrize("T", [5.0, 0.5])
def test_a_settled_temperature_is_stationary_in_w(T):
    """At the fixed point, w minimises eq. (1.6) for its own p: scipy agrees."""
    data = LINEAR_PROBLEMS[0]
    problem = build(data)
    tight = Schedule(eps=1e-10, tau=1e-10)
    options = {"anneal": False, "eps": 1e-13, "eps_path": 1e-10, "max_inner": 5000}
    *_, settled, _ = da(problem, T=T, schedule=tight, **options)
    machine = problem.with_probabilities(settled.p)
    v = np.append(settled.w, settled.b)
    oracle = minimize(machine.value, v, method="BFGS", options={"gtol": 1e-9})
    assert machine.value(v) == pytest.approx(oracle.fun, rel=1e-9)


def test_flipping_labels_and_ratio_flips_outputs_and_p():
    data = LINEAR_PROBLEMS[0]
    a, b = end(build(data, r=0.4)), end(build(data, -data.y, r=0.6))
    np.testing.assert_allclose(a.f, -b.f, atol=1e-4)
    np.testing.assert_allclose(a.p, 1 - b.p, atol=1e-4)


def test_states_are_snapshots_with_outputs_of_their_weights():
    data = LINEAR_PROBLEMS[4]
    kept = [(s, s.p.copy(), s.w.copy()) for s in da(build(data))]
    for state, p, w in kept:
        np.testing.assert_array_equal(state.p, p)
        np.testing.assert_array_equal(state.w, w)
        np.testing.assert_allclose(state.f, data.X @ w + state.b, atol=1e-10)


@pytest.mark.parametrize("change", ["lam_u", "u"])
def test_without_weight_or_unlabeled_points_it_is_the_supervised_machine(change):
    data = LINEAR_PROBLEMS[1]
    problem = build(data, lam_u=0.0) if change == "lam_u" else build(data, data.truth)
    *_, svm = l2svm_mfn(problem.supervised())
    last = end(problem)
    assert last.status is Status.FINISHED
    np.testing.assert_allclose(last.w, svm.w)


def test_goes_on_after_a_label_was_added():
    data = LINEAR_PROBLEMS[4]
    seed = run(data)[-1]
    y = data.y.copy()
    new = np.flatnonzero(y == 0)[0]
    y[new] = data.truth[new]
    states = list(da(build(data, y), start=seed))
    assert states[0].T == seed.T
    assert len(states[-1].p) == len(seed.p) - 1
    assert abs(states[0].p.mean() - build(data, y).r) <= 1e-12


def test_max_iter_ends_with_the_best_so_far():
    *path, last = drive(da(build(LINEAR_PROBLEMS[4])), max_iter=5)
    assert last.status is Status.MAX_ITER
    assert last.t == 5
    best = min(s.transductive_objective for s in path[1:])
    assert last.transductive_objective <= best


@pytest.mark.parametrize("max_iter", [0, 1, 2, 3, 10])
def test_a_run_never_counts_more_than_max_iter(max_iter):
    states = list(drive(da(build(LINEAR_PROBLEMS[4])), max_iter=max_iter))
    assert [s.t for s in states] == list(range(max_iter + 1))
    assert states[-1].status is Status.MAX_ITER
    assert all(s.status.running for s in states[:-1])


@problems
@pytest.mark.parametrize("max_iter", [10, 10_000])
def test_the_temperature_never_rises_not_even_for_the_machine_returned(data, max_iter):
    problem = build(data)
    *path, last = drive(da(problem), max_iter=max_iter)
    T = [s.T for s in (*path, last)]
    assert np.all(np.diff(T) <= 0)
    assert last.T == path[-1].T
    p, _ = problem.probabilities(last.f[problem.unlabeled], last.T)
    np.testing.assert_array_equal(last.p, p)
    (event,) = [e for e in last.events if e.kind == "best"]
    assert event.data["T"] == path[event.data["t"]].T
    assert f"Iteration {event.data['t']} (T = {event.data['T']:.3g})" in event.text
    assert f"{last.transductive_objective:.3g}, and returned" in event.text


def test_a_stopping_rule_ends_the_run():
    problem = build(LINEAR_PROBLEMS[4])
    watch = stability_check(every=5).watch(Run(problem.n, problem.unlabeled))
    last = end(problem, watch=watch)
    assert last.status is Status.EARLY
    assert last.t < run(LINEAR_PROBLEMS[4])[-1].t
