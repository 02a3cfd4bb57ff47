"""Supervised baselines: the labelled points alone, [MB11] section 6."""

from dataclasses import dataclass

import numpy as np

from ssl_core.losses import Squared, SquaredHinge
from ssl_core.problems.base import Array, PenalisedProblem
from ssl_core.problems.bias import FREE


class SupervisedProblem(PenalisedProblem):
    """Kernel machine on the labelled points; unlabelled ones only get outputs.

        J(alpha, b) = 1/2 ( sum_labeled phi(y_i f_i) + gamma_A alpha' K alpha ),
        f = K alpha + b,   alpha_i = 0 for unlabelled i

    which is [MB11] eq. (7) with gamma_I = 0. In the scaling
    1/2 |f|^2 + C sum phi of [CSK08] and scikit-learn, C = 1 / (2 gamma_A).

    Parameters
    ----------
    K : ndarray of shape (n, l)
        Kernel between all points and the labelled ones.
    Y : ndarray of shape (n, k)
        Entries in {-1, 0, +1}, 0 = unlabeled.
    gamma_A : float
        Weight of the norm, > 0.
    bias : Bias
    cost : ndarray of shape (n,) or None
        As of `KernelProblem`.
    """

    all_points = False

    def __init__(self, K, Y, *, gamma_A, bias=FREE, cost=None):
        super().__init__(K, Y, bias=bias, cost=cost)
        self.gamma_A = float(gamma_A)

    def penalty(self, ambient, intrinsic):
        return self.gamma_A * ambient

    def K_product(self, alpha):
        V = alpha[self.labeled].astype(self.K.dtype, copy=False)
        return np.asarray(self.K @ V, dtype=float)

    def gradient(self, alpha, b):
        """With respect to the labelled alphas (zero elsewhere) and b."""
        return self._gradient(alpha, self.outputs(alpha, b))

    def gradient_norm(self, alpha, F, LF):
        """|grad J| per class."""
        grad, g_b = self._gradient(alpha, F)
        return np.sqrt(np.einsum("ij,ij->j", grad, grad) + g_b**2)

    def _gradient(self, alpha, F):
        r = self.residuals(F)
        G = r + self.gamma_A * alpha[self.labeled]
        grad = np.zeros((self.n, self.k))
        grad[self.labeled] = self.K[self.labeled].astype(float) @ G
        return grad, self.bias.slope(r.sum(axis=0))

    def reduce(self) -> "SupervisedReduction":
        return SupervisedReduction(self)


class SVM(SupervisedProblem):
    """Support vector machine with squared hinge loss, trained in the primal [C07]."""

    loss = SquaredHinge()


class RLSC(SupervisedProblem):
    """Regularised least squares classifier: [MB11] eq. (14) with gamma_I = 0."""

    loss = Squared()


@dataclass(frozen=True, slots=True)
class SupervisedReduction:
    """As `problems.laplacian.Reduction` with G = gamma_A I: alpha = -r / gamma_A."""

    problem: SupervisedProblem
    ridge: float = 0.0
    curvature_b: float = 0.0

    @property
    def Q(self) -> Array:
        K = self.problem.K[self.problem.labeled].astype(float)
        return (K + K.T) / (2 * self.problem.gamma_A)

    @property
    def q(self) -> Array:
        return np.ones(len(self.problem.labeled))

    def expand(self, r, b):
        problem = self.problem
        alpha = np.zeros((problem.n, problem.k))
        alpha[problem.labeled] = -r / problem.gamma_A
        return alpha, problem.outputs(alpha, b)
