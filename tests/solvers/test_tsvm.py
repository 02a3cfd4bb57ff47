"""Multi-switch TSVM, [SK07] 1.3."""

import itertools

import numpy as np
import pytest

from ssl_core.driver import drive
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.solvers._mfn import SVMLIN, Schedule, evaluate
from ssl_core.solvers.l2svm_mfn import l2svm_mfn
from ssl_core.solvers.tsvm import tsvm
from ssl_core.trace import Status
from tests.linear_problems import LINEAR_PROBLEMS

problems = pytest.mark.parametrize("data", LINEAR_PROBLEMS, ids=str)
ROUNDING = 1e-12


def build(data, y=None, **changes):
    knobs = {"lam": data.lam, "lam_u": 1.0} | changes
    return TransductiveSVM(data.X, data.y if y is None else y, **knobs)


def end(problem, watch=None, max_iter=None, **options):
    *_, last = drive(tsvm(problem, **options), watch=watch, max_iter=max_iter)
    return last


def events(states, kind):
    return [event for s in states for event in s.events if event.kind == kind]


@problems
@pytest.mark.parametrize("S", [1, 5, None])
def test_every_switch_lowers_the_objective_and_keeps_the_balance(data, S):
    problem = build(data)
    states = list(tsvm(problem, S=S))
    positive = {int((s.y_u > 0).sum()) for s in states}
    assert positive == {problem.n_positive}
    for event in events(states, "switch"):
        assert event.data["after"] < event.data["before"]
        assert len(event.data["to_negative"]) == len(event.data["to_positive"])
        assert S is None or len(event.data["to_negative"]) <= S


@problems
def test_objective_falls_while_lam_u_stands(data):
    states = list(tsvm(build(data)))
    for a, b in itertools.pairwise(states):
        if a.lam_u == b.lam_u:
            assert b.objective <= a.objective * (1 + ROUNDING)


@problems
def test_switch_events_are_the_difference_of_the_labels(data):
    problem = build(data)
    states = list(tsvm(problem))
    for a, b in itertools.pairwise(states):
        changed = problem.unlabeled[a.y_u != b.y_u]
        told = [e for e in b.events if e.kind == "switch"]
        assert len(changed) == 2 * b.n_switched
        if told:
            data_ = told[0].data
            both = np.concatenate([data_["to_negative"], data_["to_positive"]])
            np.testing.assert_array_equal(np.sort(both), changed)


@problems
def test_lam_u_rises_by_the_rate_from_its_start_to_its_end(data):
    states = list(tsvm(build(data)))
    assert states[0].lam_u == 0.0
    values = [e.data["lam_u"] for e in events(states, "lam_u")]
    assert values[0] == 1e-5
    assert values[-1] == 1.0
    ratios = np.diff(np.log(values))
    np.testing.assert_allclose(ratios[:-1], np.log(1.5), rtol=1e-12)
    assert 0 < ratios[-1] <= np.log(1.5) + ROUNDING
    assert states[-1].status is Status.FINISHED


@problems
def test_starts_from_the_supervised_machine(data):
    problem = build(data)
    first = next(tsvm(problem))
    *_, svm = l2svm_mfn(problem.supervised())
    np.testing.assert_allclose(first.w, svm.w)
    f_u = first.f[problem.unlabeled]
    assert f_u[first.y_u > 0].min() >= f_u[first.y_u < 0].max()


@problems
def test_ends_trained_with_no_pair_left(data):
    problem = build(data)
    last = end(problem)
    machine = problem.with_labels(last.y_u, 1.0)
    here = evaluate(machine, np.append(last.w, last.b), last.f)
    assert here.grad_norm <= 1e-6 * np.linalg.norm(here.terms.slope)
    assert last.objective == pytest.approx(here.objective, rel=1e-12)
    i, _ = problem.switches(last.f[problem.unlabeled], last.y_u, problem.u)
    assert len(i) == 0


@problems
def test_single_and_multiple_switching_end_nearly_alike(data):
    """[SK07] section 1.5: the objectives are virtually indistinguishable."""
    one, many = end(build(data), S=1), end(build(data))
    assert many.objective == pytest.approx(one.objective, rel=0.02)


@problems
def test_a_loose_path_ends_as_low_as_svmlins_own(data):
    loose = end(build(data)).objective
    tight = end(build(data), schedule=SVMLIN, eps_path=1e-6).objective
    assert loose <= tight * 1.01


def test_states_are_snapshots_with_outputs_of_their_weights():
    data = LINEAR_PROBLEMS[4]
    kept = [(s, s.y_u.copy(), s.w.copy()) for s in tsvm(build(data))]
    for state, y_u, w in kept:
        np.testing.assert_array_equal(state.y_u, y_u)
        np.testing.assert_array_equal(state.w, w)
        np.testing.assert_allclose(state.f, data.X @ w + state.b, atol=1e-10)


@pytest.mark.parametrize("r", [1e-6, 1 - 1e-6])
def test_a_class_without_points_is_no_obstacle(r):
    problem = build(LINEAR_PROBLEMS[0], r=r)
    last = end(problem)
    assert last.status is Status.FINISHED
    assert len(set(last.y_u.tolist())) == 1


@pytest.mark.parametrize("change", ["lam_u", "u"])
def test_without_weight_or_unlabeled_points_it_is_the_supervised_machine(change):
    data = LINEAR_PROBLEMS[1]
    problem = build(data, lam_u=0.0) if change == "lam_u" else build(data, data.truth)
    states = list(tsvm(problem))
    *_, svm = l2svm_mfn(problem.supervised())
    assert [s.status for s in states] == [Status.RUNNING, Status.FINISHED]
    np.testing.assert_allclose(states[-1].w, svm.w)


def test_flipping_labels_and_ratio_flips_outputs():
    data = LINEAR_PROBLEMS[0]
    tight = Schedule(eps=1e-11, tau=1e-11)
    n_positive = build(data, r=0.5).n_positive
    assert 2 * n_positive == build(data).u  # else rounding favours a side
    a = end(build(data, r=0.5), schedule=tight)
    b = end(build(data, -data.y, r=0.5), schedule=tight)
    np.testing.assert_allclose(a.f, -b.f, atol=1e-7)


def test_a_seed_at_the_end_stays_there():
    data = LINEAR_PROBLEMS[4]
    problem = build(data)
    last = end(problem)
    again = list(tsvm(problem, start=last))
    assert len(again) <= 3
    assert again[-1].objective <= last.objective * (1 + 1e-9)


def test_goes_on_after_a_label_was_added():
    data = LINEAR_PROBLEMS[4]
    seed = end(build(data))
    y = data.y.copy()
    new = np.flatnonzero(y == 0)[0]
    y[new] = data.truth[new]
    states = list(tsvm(build(data, y), start=seed))
    assert states[0].lam_u == 1.0
    assert len(states[-1].y_u) == len(seed.y_u) - 1
    assert states[-1].status is Status.FINISHED


def test_max_iter_ends_with_a_valid_model():
    last = end(build(LINEAR_PROBLEMS[4]), max_iter=5)
    assert last.t == 5
    assert last.status is Status.MAX_ITER
    assert np.isfinite(last.f).all()


def test_duplicate_points_do_not_switch_for_ever():
    data = LINEAR_PROBLEMS[0]
    X, y = np.repeat(data.X, 3, axis=0), np.repeat(data.y, 3)
    y[1::3] = 0
    last = end(TransductiveSVM(X, y, lam=data.lam, lam_u=1.0), S=1, max_iter=3000)
    assert last.status is Status.FINISHED
