"""Laplacian problems: values and gradients against the paper typed out."""

import numpy as np
import pytest

from ssl_core.problems.laplacian import LapRLSC, LapSVM
from tests import paper
from tests.small_problems import BY_NAME, MULTICLASS, SMALL_PROBLEMS

LOSSES = {LapSVM: "squared_hinge", LapRLSC: "squared"}
# Central differences of a C1 piecewise quadratic in double precision.
DIFFERENCE = 1e-5
DIFFERENCE_TOL = 1e-6

problems = pytest.mark.parametrize("problem", SMALL_PROBLEMS, ids=str)
losses = pytest.mark.parametrize("loss", LOSSES, ids=lambda c: c.__name__)


def random_point(n, seed=0, k=1):
    """A point at which about half of the labelled points are error vectors."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, k)) / np.sqrt(n), rng.normal(size=k)


@problems
@losses
def test_value_is_equation_7(problem, loss):
    alpha, b = random_point(problem.n)
    value = problem.build(loss).value(alpha, b)
    expected = paper.objective(alpha[:, 0], b[0], *problem.dense(), loss=LOSSES[loss])
    assert value == pytest.approx([expected], rel=1e-12)


@problems
@losses
def test_gradient_is_equation_9(problem, loss):
    alpha, b = random_point(problem.n)
    grad_alpha, grad_b = problem.build(loss).gradient(alpha, b)
    expected_alpha, expected_b = paper.gradient(
        alpha[:, 0], b[0], *problem.dense(), loss=LOSSES[loss]
    )
    scale = np.abs(expected_alpha).max()
    np.testing.assert_allclose(grad_alpha[:, 0], expected_alpha, atol=1e-11 * scale)
    assert grad_b == pytest.approx([expected_b], rel=1e-10, abs=1e-11 * scale)


@problems
@losses
def test_gradient_matches_finite_differences(problem, loss):
    built = problem.build(loss)
    alpha, b = random_point(problem.n, seed=1)
    grad_alpha, grad_b = built.gradient(alpha, b)
    rng = np.random.default_rng(2)
    directions = [(np.zeros_like(alpha), np.ones(1))]  # the bias alone
    for _ in range(20):
        d = rng.normal(size=alpha.shape)
        directions.append((d / np.linalg.norm(problem.K @ d), rng.normal(size=1)))
    for d_alpha, d_b in directions:
        ahead = built.value(alpha + DIFFERENCE * d_alpha, b + DIFFERENCE * d_b)
        behind = built.value(alpha - DIFFERENCE * d_alpha, b - DIFFERENCE * d_b)
        slope = (grad_alpha * d_alpha).sum() + grad_b @ d_b
        difference = (ahead - behind) / (2 * DIFFERENCE)
        assert difference == pytest.approx(
            [slope], rel=DIFFERENCE_TOL, abs=DIFFERENCE_TOL * built.value(alpha, b)[0]
        )


@problems
def test_gradient_is_K_times_the_preconditioned_gradient(problem):
    built = problem.build(LapSVM)
    alpha, b = random_point(problem.n)
    F = built.outputs(alpha, b)
    G, g_b = built.preconditioned_gradient(alpha, F, built.L_product(F))
    grad_alpha, grad_b = built.gradient(alpha, b)
    scale = np.abs(grad_alpha).max()
    np.testing.assert_allclose(problem.K @ G, grad_alpha, atol=1e-12 * scale)
    np.testing.assert_allclose(g_b, grad_b, rtol=1e-12)
    norm = built.gradient_norm(alpha, F, built.L_product(F))
    expected = np.sqrt((grad_alpha**2).sum() + grad_b**2)
    np.testing.assert_allclose(norm, expected, rtol=1e-12)


@pytest.mark.parametrize("normalized", [True, False])
def test_a_constant_costs_intrinsic_norm_only_under_a_normalised_laplacian(normalized):
    name = "two_moons" if normalized else "plain_laplacian"
    problem = BY_NAME[name]
    nothing = np.zeros((problem.n, 1))
    # With all labels +1 the constant f = 2 has no loss and no ambient norm.
    built = problem.build(LapSVM, Y=np.abs(problem.Y))
    value = built.value(nothing, np.array([2.0]))[0]
    _, grad_b = built.gradient(nothing, np.array([2.0]))
    one = np.ones(problem.n)
    seen = problem.gammas["gamma_I"] * one @ problem.L.toarray() @ one
    assert value == pytest.approx(2 * seen, abs=1e-12)
    assert grad_b[0] == pytest.approx(2 * seen, abs=1e-12)
    assert (seen > 1e-3) == normalized


@losses
def test_columns_are_separate_machines(loss):
    problem = MULTICLASS
    built = problem.build(loss)
    k = problem.n_classes
    alpha, b = random_point(problem.n, k=k)
    value = built.value(alpha, b)
    grad_alpha, grad_b = built.gradient(alpha, b)
    errors = built.error_vectors(built.outputs(alpha, b))
    for j in range(k):
        alone = problem.build(loss, Y=problem.Y[:, [j]])
        column = alpha[:, [j]], b[[j]]
        assert alone.value(*column) == pytest.approx([value[j]], rel=1e-12)
        alone_alpha, alone_b = alone.gradient(*column)
        np.testing.assert_allclose(alone_alpha[:, 0], grad_alpha[:, j], atol=1e-10)
        np.testing.assert_allclose(alone_b, grad_b[[j]], rtol=1e-10)
        one = alone.error_vectors(alone.outputs(*column))
        np.testing.assert_array_equal(one[:, 0], errors[:, j])


@problems
def test_error_vectors_are_the_labelled_points_inside_the_margin(problem):
    built = problem.build(LapSVM)
    alpha, b = random_point(problem.n)
    y = problem.Y[:, 0]
    f = problem.K @ alpha[:, 0] + b[0]
    labeled = np.flatnonzero(y)
    expected = (y * f)[labeled] < 1
    np.testing.assert_array_equal(
        built.error_vectors(built.outputs(alpha, b))[:, 0], expected
    )


@problems
def test_reduction_gives_stationary_points_of_its_residuals(problem):
    """G alpha = -gamma_I L 1 b - J' r for any r and b, and f = K alpha + b."""
    reduction = problem.build(LapSVM).reduce()
    K, L, y, gamma_A, gamma_I = problem.dense()
    labeled = np.flatnonzero(y)
    rng = np.random.default_rng(0)
    r, b = rng.normal(size=(len(labeled), 1)), rng.normal(size=1)
    alpha, F = reduction.expand(r, b)
    scale = np.abs(F).max()
    np.testing.assert_allclose(F, K @ alpha + b, atol=1e-9 * scale)
    pull = np.zeros(problem.n)
    pull[labeled] = r[:, 0]
    stationary = gamma_A * alpha[:, 0] + gamma_I * L @ F[:, 0] + pull
    # A ridge (singular K) perturbs the equation by its own size.
    np.testing.assert_allclose(stationary, 0, atol=1e-8 * (1 + scale))
    np.testing.assert_allclose(
        F[labeled, 0], reduction.q * b - reduction.Q @ r[:, 0], atol=1e-9 * scale
    )


@problems
def test_reduced_kernel_is_symmetric_positive_semi_definite(problem):
    Q = problem.build(LapSVM).reduce().Q
    scale = np.abs(Q).max()
    np.testing.assert_allclose(Q, Q.T, atol=1e-10 * scale)
    assert np.linalg.eigvalsh((Q + Q.T) / 2).min() >= -1e-10 * scale


def test_single_precision_storage_changes_values_by_rounding_only():
    problem = BY_NAME["many_labels"]
    alpha, b = random_point(problem.n)
    double = problem.build(LapSVM)
    single = LapSVM(
        problem.K.astype(np.float32), problem.L, problem.Y, **problem.gammas
    )
    assert single.value(alpha, b).dtype == np.float64
    np.testing.assert_allclose(
        single.value(alpha, b), double.value(alpha, b), rtol=1e-5
    )


@losses
def test_no_laplacian_is_gamma_I_zero(loss):
    problem = BY_NAME["many_labels"]
    alpha, b = random_point(problem.n)
    without = loss(problem.K, None, problem.Y, **problem.gammas)
    zero = problem.build(loss, gamma_I=0.0)
    np.testing.assert_allclose(
        without.value(alpha, b), zero.value(alpha, b), rtol=1e-13
    )
    for g, h in zip(without.gradient(alpha, b), zero.gradient(alpha, b), strict=True):
        np.testing.assert_allclose(g, h, atol=1e-12)
