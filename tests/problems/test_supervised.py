"""Supervised baselines against finite differences and scikit-learn."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.svm import SVC

from ssl_core import make
from ssl_core.problems.laplacian import LapRLSC, LapSVM
from ssl_core.problems.supervised import RLSC, SVM
from ssl_core.solvers.newton import newton
from tests.small_problems import BY_NAME, SMALL_PROBLEMS

LOSSES = {SVM: "squared_hinge", RLSC: "squared"}
LAPLACIAN = {SVM: LapSVM, RLSC: LapRLSC}

LIBSVM = 1e-4  # it keeps kernel entries in single precision

problems = pytest.mark.parametrize("problem", SMALL_PROBLEMS, ids=str)
losses = pytest.mark.parametrize("loss", LOSSES, ids=lambda c: c.__name__)


def build(problem, loss, **changes):
    labeled = np.flatnonzero(problem.y >= 0)
    gamma_A = changes.pop("gamma_A", problem.gammas["gamma_A"])
    return loss(problem.K[:, labeled], problem.Y, gamma_A=gamma_A)


def solve(built):
    *_, last = newton(built)
    return last


def random_point(problem, seed=0):
    rng = np.random.default_rng(seed)
    alpha = np.where(problem.y >= 0, rng.normal(size=problem.n), 0.0)
    return alpha[:, None] / 3, rng.normal(size=1)


@problems
@losses
def test_gradient_matches_finite_differences(problem, loss):
    built = build(problem, loss)
    alpha, b = random_point(problem)
    grad_alpha, grad_b = built.gradient(alpha, b)
    np.testing.assert_array_equal(grad_alpha[problem.y < 0], 0)
    h = 1e-5
    rng = np.random.default_rng(1)
    for _ in range(20):
        d_alpha = np.where(problem.y >= 0, rng.normal(size=problem.n), 0.0)[:, None]
        d_alpha /= np.linalg.norm(problem.K @ d_alpha)
        d_b = rng.normal(size=1)
        ahead = built.value(alpha + h * d_alpha, b + h * d_b)
        behind = built.value(alpha - h * d_alpha, b - h * d_b)
        slope = (grad_alpha * d_alpha).sum() + grad_b @ d_b
        tol = 1e-6 * max(1.0, built.value(alpha, b)[0])
        assert (ahead - behind) / (2 * h) == pytest.approx([slope], rel=1e-6, abs=tol)


@problems
@losses
def test_value_is_the_laplacian_problem_on_labelled_points_alone(problem, loss):
    labeled = np.flatnonzero(problem.y >= 0)
    alpha, b = random_point(problem)
    alone = LAPLACIAN[loss](
        problem.K[np.ix_(labeled, labeled)],
        None,
        problem.Y[labeled],
        gamma_A=problem.gammas["gamma_A"],
        gamma_I=0.0,
    )
    np.testing.assert_allclose(
        build(problem, loss).value(alpha, b), alone.value(alpha[labeled], b), rtol=1e-12
    )


@problems
def test_svm_is_a_hard_margin_svc_on_the_kernel_with_a_ridge(problem):
    """|w|^2 + sum xi^2 / gamma_A is one norm, in which K + gamma_A I separates."""
    labeled = np.flatnonzero(problem.y >= 0)
    gamma_A = max(problem.gammas["gamma_A"], 1e-3)  # libsvm's reach
    ours = solve(build(problem, SVM, gamma_A=gamma_A))
    K = problem.K[np.ix_(labeled, labeled)]
    y = problem.Y[labeled, 0]
    svc = SVC(kernel="precomputed", C=1e12, tol=1e-10)
    svc.fit(K + gamma_A * np.eye(len(labeled)), y)
    alpha = np.zeros(len(labeled))
    alpha[svc.support_] = svc.dual_coef_[0]
    scale = np.abs(alpha).max()
    np.testing.assert_allclose(ours.alpha[labeled], alpha, atol=LIBSVM * scale)
    f = problem.K[:, labeled] @ alpha + svc.intercept_[0]
    np.testing.assert_allclose(ours.f, f, atol=LIBSVM * np.abs(f).max())


@problems
def test_kernel_rlsc_is_a_bordered_solve(problem):
    """(K + gamma_A I) alpha + 1 b = y and 1' alpha = 0."""
    labeled = np.flatnonzero(problem.y >= 0)
    ours = solve(build(problem, RLSC))
    n = len(labeled)
    A = np.ones((n + 1, n + 1))
    A[:n, :n] = problem.K[np.ix_(labeled, labeled)]
    A[:n, :n] += problem.gammas["gamma_A"] * np.eye(n)
    A[n, n] = 0
    z = np.linalg.solve(A, np.append(problem.Y[labeled, 0], 0.0))
    f = problem.K[:, labeled] @ z[:-1] + z[-1]
    np.testing.assert_allclose(ours.f, f, atol=1e-8 * max(1, np.abs(f).max()))


@pytest.mark.parametrize("gamma_A", [1e-3, 0.1, 10.0])
def test_linear_rlsc_is_ridge_regression_on_the_labels(gamma_A):
    problem = BY_NAME["linear"]
    labeled = problem.y >= 0
    ours = make("rlsc", kernel="linear", gamma_A=gamma_A).fit(problem.X, problem.y)
    ridge = Ridge(alpha=gamma_A, fit_intercept=True)
    ridge.fit(problem.X[labeled], problem.Y[labeled, 0])
    np.testing.assert_allclose(
        ours.decision_function(problem.X), ridge.predict(problem.X), atol=1e-9
    )


@problems
@losses
def test_gamma_I_zero_gives_the_supervised_machine(problem, loss):
    """By the representer theorem unlabeled points do not enter without f'Lf."""
    supervised = solve(build(problem, loss))
    manifold = solve(problem.build(LAPLACIAN[loss], gamma_I=0.0))
    assert manifold.objective == pytest.approx(supervised.objective, rel=1e-8)
    scale = np.abs(supervised.f).max()
    np.testing.assert_allclose(manifold.f, supervised.f, atol=1e-6 * scale)


def test_unlabeled_points_get_outputs_but_no_say():
    problem = BY_NAME["label_noise"]
    labeled = problem.y >= 0
    est = make("svm", sigma=0.3, gamma_A=1e-3).fit(problem.X, problem.y)
    alone = make("svm", sigma=0.3, gamma_A=1e-3).fit(
        problem.X[labeled], problem.y[labeled]
    )
    np.testing.assert_allclose(
        est.state_.f, alone.decision_function(problem.X), atol=1e-10
    )
    np.testing.assert_array_equal(est.state_.alpha[~labeled], 0)
