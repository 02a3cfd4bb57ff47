"""The bias as a policy: free, fixed or left out, and a base that knows no gamma."""

import numpy as np
import pytest

from ssl_core.losses import SquaredHinge
from ssl_core.problems.base import KernelProblem
from ssl_core.problems.bias import FREE, NO_BIAS, REGULARISED, Bias, fixed
from ssl_core.problems.laplacian import LapRLSC, LapSVM
from ssl_core.problems.linear import LinearSVM, TransductiveSVM
from ssl_core.problems.supervised import RLSC, SVM
from tests import paper
from tests.small_problems import BY_NAME, MULTICLASS

LOSSES = {
    LapSVM: "squared_hinge",
    LapRLSC: "squared",
    SVM: "squared_hinge",
    RLSC: "squared",
}
HELD = [NO_BIAS, fixed(-0.4)]

losses = pytest.mark.parametrize("loss", LOSSES, ids=lambda c: c.__name__)
held = pytest.mark.parametrize("bias", HELD, ids=lambda bias: f"b={bias.value}")
few = pytest.mark.parametrize(
    "problem",
    [BY_NAME[n] for n in ("label_noise", "plain_laplacian", "degree_2", "polynomial")],
    ids=str,
)


def build(problem, loss, **keywords):
    if issubclass(loss, LapSVM | LapRLSC):
        return problem.build(loss, **keywords)
    labeled = np.flatnonzero(problem.y >= 0)
    gamma_A = problem.gammas["gamma_A"]
    return loss(problem.K[:, labeled], problem.Y, gamma_A=gamma_A, **keywords)


def random_point(problem, built, seed=0):
    rng = np.random.default_rng(seed)
    alpha = rng.normal(size=(problem.n, built.k)) / np.sqrt(problem.n)
    if isinstance(built, SVM | RLSC):
        alpha[problem.y < 0] = 0.0
    return alpha, built.bias.impose(rng.normal(size=built.k))


def test_no_bias_is_a_bias_fixed_at_zero():
    assert fixed(0) == NO_BIAS
    assert fixed(0.25) == Bias(moves=False, value=0.25)
    b = np.array([1.0, -2.0])
    np.testing.assert_array_equal(FREE.impose(b), b)
    np.testing.assert_array_equal(NO_BIAS.impose(b), [0, 0])
    np.testing.assert_array_equal(fixed(0.25).impose(b), [0.25, 0.25])
    np.testing.assert_array_equal(FREE.slope(b), b)
    np.testing.assert_array_equal(fixed(0.25).slope(b), [0, 0])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_bias_is_fixed_at_a_finite_number(value):
    with pytest.raises(ValueError, match="fixed at a finite number"):
        fixed(value)


def test_the_linear_family_regularises_its_bias_and_kernel_machines_refuse_to():
    assert LinearSVM.bias == TransductiveSVM.bias == REGULARISED
    with pytest.raises(ValueError, match="add the constant feature to the kernel"):
        BY_NAME["two_moons"].build(LapSVM, bias=REGULARISED)


@losses
def test_the_bias_is_free_unless_said_otherwise(loss):
    assert build(BY_NAME["two_moons"], loss).bias == FREE


class ReviewSVM(KernelProblem):
    """1/2 |w|^2 + C sum_labeled l + C_u sum_unlabeled l(|f|), no gamma anywhere."""

    loss = SquaredHinge()

    def __init__(self, K, Y, *, C, C_u, r, **keywords):
        super().__init__(K, Y, **keywords)
        self.C, self.C_u, self.r = C, C_u, r
        self.unlabeled = np.setdiff1d(np.arange(self.n), self.labeled)

    def K_product(self, V):
        return self.K @ V

    def value(self, alpha, b):
        F = self.outputs(alpha, b)
        guess = self.loss.value(np.abs(F[self.unlabeled])).sum(axis=0)
        norm = (alpha * (F - b)).sum(axis=0)
        return norm / 2 + self.C * self.labeled_loss(F) + self.C_u * guess


@pytest.mark.parametrize("bias", [FREE, *HELD], ids=repr)
def test_the_base_serves_a_machine_that_has_C_and_no_gamma(bias):
    problem = BY_NAME["label_noise"]
    built = ReviewSVM(problem.K, problem.Y, C=2.0, C_u=0.5, r=0.4, bias=bias)
    alpha, b = random_point(problem, built)
    f, y = problem.K @ alpha[:, 0] + b[0], problem.Y[:, 0]
    labeled = y != 0
    expected = (
        alpha[:, 0] @ problem.K @ alpha[:, 0] / 2
        + 2.0 * (np.maximum(0, 1 - y[labeled] * f[labeled]) ** 2).sum()
        + 0.5 * (np.maximum(0, 1 - np.abs(f[~labeled])) ** 2).sum()
    )
    assert built.value(alpha, b) == pytest.approx([expected], rel=1e-12)
    F = built.outputs(alpha, b)
    errors = y[labeled] * f[labeled] < 1
    np.testing.assert_array_equal(built.error_vectors(F)[:, 0], errors)
    np.testing.assert_allclose(
        built.residuals(F)[:, 0], np.where(errors, (f - y)[labeled], 0), atol=1e-12
    )
    assert not hasattr(built, "gamma_A")
    assert not hasattr(built, "gamma_I")


@few
@losses
@held
def test_gradient_of_a_held_bias_matches_finite_differences_in_alpha(
    problem, loss, bias
):
    built = build(problem, loss, bias=bias)
    alpha, b = random_point(problem, built)
    np.testing.assert_array_equal(b, bias.value)
    grad_alpha, grad_b = built.gradient(alpha, b)
    np.testing.assert_array_equal(grad_b, 0)
    rng = np.random.default_rng(1)
    h, scale = 1e-5, built.value(alpha, b)[0]
    for _ in range(10):
        d = rng.normal(size=alpha.shape)
        if isinstance(built, SVM | RLSC):
            d[problem.y < 0] = 0.0
        d /= np.linalg.norm(problem.K @ d)
        ahead, behind = built.value(alpha + h * d, b), built.value(alpha - h * d, b)
        slope = (grad_alpha * d).sum()
        assert (ahead - behind) / (2 * h) == pytest.approx(
            [slope], rel=1e-6, abs=1e-6 * scale
        )
    F = built.outputs(alpha, b)
    norm = built.gradient_norm(alpha, F, built.L_product(F))
    assert norm == pytest.approx([np.linalg.norm(grad_alpha)], rel=1e-10)


@few
@held
@pytest.mark.parametrize("loss", [LapSVM, LapRLSC], ids=lambda c: c.__name__)
def test_value_and_gradients_of_a_held_bias_are_the_papers(problem, loss, bias):
    built = problem.build(loss, bias=bias)
    alpha, b = random_point(problem, built)
    keywords = {"loss": LOSSES[loss]}
    point = alpha[:, 0], b[0], *problem.dense()
    assert built.value(alpha, b) == pytest.approx(
        [paper.objective(*point, **keywords)], rel=1e-12
    )
    g, ghat = paper.stacked_gradients(*point, **keywords, bias=bias.value)
    F = built.outputs(alpha, b)
    G, g_b = built.preconditioned_gradient(alpha, F, built.L_product(F))
    scale = np.abs(ghat).max()
    np.testing.assert_allclose(np.append(g_b, G[:, 0]), ghat, atol=1e-11 * scale)
    np.testing.assert_allclose(
        built.gradient(alpha, b)[0][:, 0], g[1:], atol=1e-11 * np.abs(g).max()
    )


@held
def test_columns_with_a_held_bias_are_separate_machines(bias):
    problem = MULTICLASS
    built = problem.build(LapSVM, bias=bias)
    alpha, b = random_point(problem, built)
    grad_alpha, grad_b = built.gradient(alpha, b)
    assert grad_b.shape == (problem.n_classes,)
    for j in range(problem.n_classes):
        alone = problem.build(LapSVM, Y=problem.Y[:, [j]], bias=bias)
        one, _ = alone.gradient(alpha[:, [j]], b[[j]])
        np.testing.assert_allclose(one[:, 0], grad_alpha[:, j], atol=1e-10)
