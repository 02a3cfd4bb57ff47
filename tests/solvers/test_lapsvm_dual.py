"""The dual of [MB11] 2.1 against two independent QP solvers."""

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, minimize, minimize_scalar
from sklearn.svm import SVC

from ssl_core import Status, make
from ssl_core.problems.laplacian import LapSVM
from ssl_core.solvers.lapsvm_dual import lapsvm_dual
from tests import paper
from tests.small_problems import BY_NAME, MULTICLASS, SMALL_PROBLEMS

problems = pytest.mark.parametrize("problem", SMALL_PROBLEMS, ids=str)
few = pytest.mark.parametrize(
    "problem",
    [BY_NAME[n] for n in ("circles", "plain_laplacian", "heat", "degree_5", "linear")],
    ids=str,
)
TOL = 1e-9


def solve(problem, **keywords):
    *_, state = lapsvm_dual(problem.build(LapSVM), tol=TOL, **keywords)
    return state


def beta_of(state, problem):
    """beta of the labelled points."""
    np.testing.assert_array_equal(state.beta[problem.y < 0], 0)
    return state.beta[problem.y >= 0]


def dual_value(beta, Q):
    return beta.sum() - beta @ Q @ beta / 2


@problems
def test_beta_is_feasible(problem):
    state = solve(problem)
    beta = beta_of(state, problem)
    y = problem.Y[problem.y >= 0, 0]
    assert state.status is Status.CONVERGED
    assert beta.min() >= 0
    assert beta.max() <= 1
    assert y @ beta == pytest.approx(0, abs=1e-12 * len(beta))


@few
def test_dual_optimum_is_slsqps(problem):
    Q, _, M = paper.dual_matrix(*problem.dense())
    y = problem.Y[problem.y >= 0, 0]
    found = minimize(
        lambda beta: -dual_value(beta, Q),
        np.full(len(y), 0.1),
        jac=lambda beta: Q @ beta - 1,
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(y[None, :], 0, 0)],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    state = solve(problem)
    ours = dual_value(beta_of(state, problem), Q)
    assert ours >= -found.fun - 1e-9 * abs(found.fun)
    assert ours == pytest.approx(-found.fun, rel=1e-7)
    assert state.dual_objective == pytest.approx(ours, rel=1e-9)
    np.testing.assert_allclose(
        state.alpha, M @ (y * beta_of(state, problem)), atol=1e-7
    )


@problems
def test_is_an_svc_on_the_deformed_kernel(problem):
    """J K (2 gamma_A I + 2 gamma_I L K)^-1 J' as a kernel, C = 1."""
    _, kernel, M = paper.dual_matrix(*problem.dense())
    labeled = problem.y >= 0
    y = problem.Y[labeled, 0]
    svc = SVC(kernel="precomputed", C=1.0, tol=1e-9).fit((kernel + kernel.T) / 2, y)
    signed = np.zeros(len(y))
    signed[svc.support_] = svc.dual_coef_[0]
    state = solve(problem)
    f = problem.K @ (M @ signed)
    ours = state.f - state.b
    # libsvm keeps kernel entries in single precision.
    np.testing.assert_allclose(ours, f, atol=2e-4 * np.abs(f).max())
    free = (np.abs(signed) > 1e-3) & (np.abs(signed) < 1 - 1e-3)
    if free.any():
        assert state.b == pytest.approx(svc.intercept_[0], abs=2e-4 * np.abs(f).max())


@problems
def test_strong_duality_holds_for_equation_4(problem):
    Q, _, _ = paper.dual_matrix(*problem.dense())
    state = solve(problem)
    primal = paper.dual_primal_objective(state.alpha, state.b, *problem.dense())
    dual = dual_value(beta_of(state, problem), Q)
    assert state.objective == pytest.approx(primal, rel=1e-8)
    assert primal == pytest.approx(dual, rel=1e-6)
    assert state.gap == pytest.approx(primal - dual, abs=1e-6 * primal)
    assert state.violation <= TOL


@problems
def test_the_bias_minimises_the_primal(problem):
    state = solve(problem)

    def along(b):
        return paper.dual_primal_objective(state.alpha, b, *problem.dense())

    best = minimize_scalar(along, bounds=(state.b - 2, state.b + 2)).fun
    assert along(state.b) <= best * (1 + 1e-6)


@pytest.mark.parametrize("per_class", [1, 3])
def test_bias_is_the_midpoint_when_no_support_vector_is_free(per_class):
    """Heavy regularisation puts every beta at its bound."""
    problem = BY_NAME["two_moons"]
    y = np.full(problem.n, -1)
    for c in (0, 1):
        y[np.flatnonzero(problem.truth == c)[:per_class]] = c
    est = make("lapsvm_dual", sigma=0.35, gamma_A=100.0, gamma_I=10.0)
    est.fit(problem.X, y)
    state = est.state_
    beta = np.asarray(state.beta)
    np.testing.assert_allclose(beta[beta > 0], 1)
    signs = np.where(y == 1, 1, -1)
    g = state.f - state.b
    # Every labelled point stays inside the margin: y (g + b) <= 1.
    low = max(-1 - g[(y >= 0) & (signs < 0)])
    high = min(1 - g[(y >= 0) & (signs > 0)])
    assert state.b == pytest.approx((low + high) / 2, abs=1e-6)


def test_dual_objective_never_decreases():
    problem = BY_NAME["label_noise"]
    values = [s.dual_objective for s in lapsvm_dual(problem.build(LapSVM), tol=1e-9)]
    assert values[0] == 0
    assert np.all(np.diff(values) >= -1e-12 * np.abs(values[:-1]))


@problems
def test_outputs_are_those_of_the_expansion(problem):
    state = solve(problem)
    f = problem.K @ state.alpha + state.b
    np.testing.assert_allclose(state.f, f, atol=1e-8 * max(1, np.abs(f).max()))


def test_classes_together_are_binary_runs_side_by_side():
    problem = MULTICLASS
    *_, together = lapsvm_dual(problem.build(LapSVM), tol=1e-8)
    total = 0
    for j in range(problem.n_classes):
        alone = problem.build(LapSVM, Y=problem.Y[:, [j]])
        *_, one = lapsvm_dual(alone, tol=1e-8)
        np.testing.assert_allclose(together.f[:, j], one.f, atol=1e-5)
        total += one.objective
    assert together.objective == pytest.approx(total, rel=1e-6)


@pytest.mark.parametrize("change", ["nothing", "added", "flipped", "erased"])
def test_seeding_reaches_the_same_optimum(change):
    problem = BY_NAME["many_labels"]
    seed = solve(problem)
    Y = problem.Y.copy()
    labeled = np.flatnonzero(problem.y >= 0)
    if change == "added":
        Y[np.flatnonzero(problem.y < 0)[0]] = 1
    elif change == "flipped":
        Y[labeled[0]] *= -1
    elif change == "erased":
        Y[labeled[0]] = 0
    built = problem.build(LapSVM, Y=Y)
    cold = list(lapsvm_dual(built, tol=1e-8))
    warm = list(lapsvm_dual(built, tol=1e-8, start=seed))
    assert warm[-1].status is Status.CONVERGED
    assert warm[-1].objective == pytest.approx(cold[-1].objective, rel=1e-6)
    assert warm[-1].t < cold[-1].t


def test_a_seed_without_dual_variables_is_refused():
    problem = BY_NAME["two_moons"]
    seed = make("lapsvm_newton", **problem.knobs).fit(problem.X, problem.y).state_
    with pytest.raises(ValueError, match="start must be a state of lapsvm_dual"):
        next(lapsvm_dual(problem.build(LapSVM), start=seed))


def test_gamma_I_zero_is_a_plain_svc():
    """sum hinge + gamma_A |f|^2 is an SVC with C = 1 / (2 gamma_A)."""
    problem = BY_NAME["many_labels"]
    labeled = problem.y >= 0
    est = make("lapsvm_dual", sigma=1.0, gamma_A=0.05, gamma_I=0.0, tol=1e-8)
    est.fit(problem.X, problem.y)
    svc = SVC(C=1 / (2 * 0.05), gamma=0.5, tol=1e-8)
    svc.fit(problem.X[labeled], problem.y[labeled])
    np.testing.assert_allclose(
        est.decision_function(problem.X), svc.decision_function(problem.X), atol=1e-3
    )


def test_flipping_labels_flips_outputs():
    problem = BY_NAME["heat"]
    here = solve(problem)
    *_, there = lapsvm_dual(problem.build(LapSVM, Y=-problem.Y), tol=TOL)
    np.testing.assert_allclose(there.f, -here.f, atol=1e-6)
