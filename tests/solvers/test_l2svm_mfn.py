"""Modified finite Newton, [SK07] 1.2, against scikit-learn's LinearSVC."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

from ssl_core.driver import drive
from ssl_core.problems.linear import LinearSVM
from ssl_core.solvers._mfn import (
    SVMLIN,
    Schedule,
    evaluate,
    newton_steps,
    reweighed,
)
from ssl_core.solvers.l2svm_mfn import l2svm_mfn
from ssl_core.stopping import Run, gradient_norm
from ssl_core.trace import Status
from tests.linear_problems import LINEAR_PROBLEMS

problems = pytest.mark.parametrize("data", LINEAR_PROBLEMS, ids=str)
schedules = pytest.mark.parametrize(
    "schedule", [Schedule(), SVMLIN], ids=["fast", "svmlin"]
)
TIGHT = Schedule(eps=1e-12, tau=1e-12)


def build(data, y=None, **changes):
    y = data.truth if y is None else y
    return LinearSVM.from_labels(data.X, y, **({"lam": data.lam} | changes))


def end(problem, watch=None, max_iter=None, **options):
    *_, last = drive(l2svm_mfn(problem, **options), watch=watch, max_iter=max_iter)
    return last


def vector(state):
    return np.append(state.w, state.b)


@problems
@schedules
def test_reaches_the_optimum_of_linear_svc(data, schedule):
    n_labeled = np.count_nonzero(data.truth)
    svc = LinearSVC(
        loss="squared_hinge",
        intercept_scaling=1,
        C=1 / (2 * n_labeled * data.lam),
        dual=False,
        tol=1e-10,
        max_iter=10_000,
    ).fit(data.X, data.truth)
    problem = build(data)
    oracle = problem.value(np.append(svc.coef_[0], svc.intercept_))
    last = end(problem, schedule=schedule)
    assert last.status is Status.CONVERGED
    assert last.objective == pytest.approx(oracle, rel=1e-6)


@problems
@pytest.mark.parametrize("base", [Schedule(), SVMLIN], ids=["fast", "svmlin"])
def test_gradient_vanishes_to_1e_10_at_tight_tolerance(data, base):
    problem = build(data)
    tight = Schedule(eps=1e-12, tau=1e-12, forcing=base.forcing)
    last = end(problem, schedule=tight)
    v = vector(last)
    grad = problem.gradient(v, problem.terms(problem.outputs(v)))
    assert np.linalg.norm(grad) <= 1e-10
    assert last.grad_norm <= 1e-10


@problems
@schedules
def test_objective_never_increases(data, schedule):
    values = [s.objective for s in l2svm_mfn(build(data), schedule=schedule)]
    assert len(values) > 1
    assert (np.diff(values) <= 1e-14 * np.abs(values[:-1])).all()


@problems
def test_states_are_consistent(data):
    problem = build(data)
    states = list(l2svm_mfn(problem))
    assert [s.t for s in states] == list(range(len(states)))
    for state in states:
        v = vector(state)
        np.testing.assert_allclose(state.f, problem.outputs(v), atol=1e-10)
        assert state.objective == pytest.approx(problem.value(v), rel=1e-11)
        assert state.n_active == np.count_nonzero(data.truth * state.f < 1)


def test_kept_states_never_change_later():
    data = LINEAR_PROBLEMS[1]
    kept = []
    for state in l2svm_mfn(build(data)):
        kept.append((state, state.w.copy(), state.f.copy()))
    assert len(kept) > 2
    for state, w, f in kept:
        np.testing.assert_array_equal(state.w, w)
        np.testing.assert_array_equal(state.f, f)


@problems
def test_the_start_is_loose_then_tight(data):
    """From w = 0 CGLS stops after ten iterations at most, as the paper advises."""
    _, first, *_ = l2svm_mfn(build(data))
    assert 1 <= first.cg_iterations <= SVMLIN.cg_loose


@problems
def test_a_seed_at_the_optimum_needs_no_step(data):
    problem = build(data)
    again = list(l2svm_mfn(problem, start=end(problem)))
    assert len(again) == 1
    assert again[0].status is Status.CONVERGED


def test_a_seed_saves_work_for_the_next_lam():
    data = LINEAR_PROBLEMS[4]
    seed = end(build(data))
    near = build(data, lam=data.lam * 0.8)
    cold = sum(s.cg_iterations for s in l2svm_mfn(near, schedule=TIGHT))
    warm = list(l2svm_mfn(near, schedule=TIGHT, start=seed))
    assert sum(s.cg_iterations for s in warm) < cold
    assert warm[-1].objective == pytest.approx(end(near).objective, rel=1e-6)


def test_formats_agree():
    data = LINEAR_PROBLEMS[4]
    A = data.X.toarray()
    values = [
        end(LinearSVM.from_labels(X, data.truth, lam=data.lam), schedule=TIGHT).w
        for X in (data.X, data.X.tocsc(), A, np.asfortranarray(A), sp.csr_array(A))
    ]
    for w in values[1:]:
        np.testing.assert_allclose(w, values[0], atol=1e-9)


def test_unlabeled_points_do_not_matter():
    data = LINEAR_PROBLEMS[0]
    labeled = data.y != 0
    whole = end(build(data, y=data.y), schedule=TIGHT)
    alone = LinearSVM.from_labels(data.X[labeled], data.y[labeled], lam=data.lam)
    np.testing.assert_allclose(whole.w, end(alone, schedule=TIGHT).w, atol=1e-9)
    assert whole.f.shape == data.y.shape


def test_flipping_labels_flips_outputs():
    data = LINEAR_PROBLEMS[1]
    a = end(build(data), schedule=TIGHT)
    b = end(build(data, y=-data.truth), schedule=TIGHT)
    np.testing.assert_allclose(a.f, -b.f, atol=1e-9)


def test_bias_is_a_constant_feature():
    data = LINEAR_PROBLEMS[1]
    column = np.column_stack([data.X, np.ones(len(data.X))])
    problem = LinearSVM.from_labels(column, data.truth, lam=data.lam)
    # Two constant features share the work of one: together they are sqrt(2) of it.
    v = vector(end(problem, schedule=TIGHT))
    assert v[-1] == pytest.approx(v[-2], abs=1e-9)


def test_max_iter_is_an_ordinary_status():
    last = end(build(LINEAR_PROBLEMS[1]), max_iter=1)
    assert last.t == 1
    assert last.status is Status.MAX_ITER


def test_tolerance_zero_ends_all_the_same():
    last = end(build(LINEAR_PROBLEMS[4]), schedule=Schedule(eps=0.0, tau=0.0))
    assert last.status in (Status.STALLED, Status.CONVERGED, Status.MAX_ITER)
    assert last.grad_norm < 1e-12


def test_a_stopping_rule_ends_the_run():
    problem = build(LINEAR_PROBLEMS[1])
    watch = gradient_norm(0.5).watch(Run(problem.n, np.arange(problem.n)))
    last = end(problem, watch=watch)
    assert last.events[-1].kind == "stop"
    assert last.t < end(problem, schedule=TIGHT).t


def test_a_seed_of_another_size_is_refused():
    seed = end(build(LINEAR_PROBLEMS[0]))
    with pytest.raises(ValueError, match="same 10 features"):
        next(l2svm_mfn(build(LINEAR_PROBLEMS[1]), start=seed))
    with pytest.raises(ValueError, match="recorded thin"):
        next(l2svm_mfn(build(LINEAR_PROBLEMS[0]), start=seed.thin()))


@problems
@schedules
def test_gradients_by_recurrence_are_those_formed_afresh(data, schedule):
    """Also where a step is shorter than Newton's and points cross the margin."""
    problem = build(data)
    seed = evaluate(problem, np.zeros(problem.d + 1), np.zeros(problem.n))
    steps = list(newton_steps(problem, seed, schedule=schedule, crude=True))
    assert len(steps) > 2
    for step in steps:
        fresh = evaluate(problem, step.v, problem.outputs(step.v))
        scale = seed.grad_norm
        np.testing.assert_allclose(step.f, fresh.f, atol=1e-11)
        np.testing.assert_allclose(step.grad, fresh.grad, atol=1e-11 * scale)
        assert step.objective == pytest.approx(fresh.objective, rel=1e-12)


@problems
def test_a_point_reweighed_is_the_point_evaluated(data):
    """Costs doubled but at a few rows, where they are anything."""
    rng = np.random.default_rng(0)
    problem = build(data)
    v = rng.normal(size=problem.d + 1)
    here = evaluate(problem, v, problem.outputs(v))
    rows = rng.choice(problem.n, 7, replace=False)
    c_pos, c_neg = 2.0 * problem.c_pos, 2.0 * problem.c_neg
    c_pos[rows], c_neg[rows] = rng.random((2, 7))
    other = LinearSVM(data.X, c_pos, c_neg, lam=data.lam)
    there, fresh = reweighed(other, here, rows, 2.0), evaluate(other, v, here.f)
    np.testing.assert_allclose(there.grad, fresh.grad, atol=1e-13 * here.grad_norm)
    assert there.objective == fresh.objective
