"""Manifold-regularised problems: LapSVM and LapRLSC, [MB11] eq. (7) and (14)."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from ssl_core.linalg.products import symmetric_product
from ssl_core.losses import Squared, SquaredHinge
from ssl_core.problems.base import Array, PenalisedProblem
from ssl_core.problems.bias import FREE

PIVOT_MIN = 1e-15  # smallest over largest pivot; below it LU has no correct digit
RIDGE = 1e-10  # relative to the mean of K's diagonal
DENSE_LAPLACIAN = 0.03  # share of nonzeros from which a dense product is faster


class LaplacianProblem(PenalisedProblem):
    """Manifold regularisation with a loss on the labelled points.

        J(alpha, b) = 1/2 ( sum_labeled phi(y_i f_i)
                            + gamma_A alpha' K alpha
                            + gamma_I f' L f ),      f = K alpha + b

    one such objective per column of Y. gamma_I here is the gamma_I / (l + u)^2 of
    [BNS06]. The bias is not regularised by gamma_A, but f' L f sees it: L 1 != 0 for a
    normalised Laplacian, and every formula below keeps that term, of a fixed bias too.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix, labelled and unlabelled points together, float64 or float32.
    L : Laplacian or None
        None means no intrinsic term (as gamma_I = 0).
    Y : ndarray of shape (n, k)
        One column per binary machine, entries in {-1, 0, +1}, 0 = unlabeled.
    gamma_A, gamma_I : float
        Ambient and intrinsic regularisation, gamma_A > 0, gamma_I >= 0.
    bias : Bias
        `FREE` as in [MB11] eq. (7). The authors' program has no bias by default, and
        never with a normalised Laplacian.
    cost : ndarray of shape (n,) or None
        As of `KernelProblem`; the graph's term has no costs.
    """

    def __init__(self, K, L, Y, *, gamma_A, gamma_I, bias=FREE, cost=None):
        super().__init__(K, Y, bias=bias, cost=cost)
        self.gamma_A, self.gamma_I = float(gamma_A), float(gamma_I)
        self.L = L if gamma_I > 0 else None

    def penalty(self, ambient, intrinsic):
        return self.gamma_A * ambient + self.gamma_I * intrinsic

    def K_product(self, V):
        return symmetric_product(self.K, V)

    def L_product(self, F):
        return super().L_product(F) if self.L is None else self.L @ F

    def preconditioned_gradient(self, alpha, F, LF):
        """P^-1 grad J, P = diag(1, K): no product with K is needed, [MB11] eq. (12).

        Returns
        -------
        G : ndarray of shape (n, k)
            I_E C (f - y) + gamma_I L f + gamma_A alpha
        g_b : ndarray of shape (k,)
            1' (I_E C (f - y) + gamma_I L f), or 0 where the bias does not move
        """
        G = self.gamma_I * LF
        G[self.labeled] += self.residuals(F)
        g_b = self.bias.slope(G.sum(axis=0))
        G += self.gamma_A * alpha
        return G, g_b

    def gradient(self, alpha, b):
        """(grad_alpha, grad_b), of shapes (n, k) and (k,); [MB11] eq. (9)."""
        F = self.outputs(alpha, b)
        G, g_b = self.preconditioned_gradient(alpha, F, self.L_product(F))
        return self.K_product(G), g_b

    def gradient_norm(self, alpha, F, LF):
        """|grad J|, [MB11] eq. (9), per class, at the price of one product with K."""
        G, g_b = self.preconditioned_gradient(alpha, F, LF)
        KG = self.K_product(G)
        return np.sqrt(np.einsum("ij,ij->j", KG, KG) + g_b**2)

    def reduce(self) -> "Reduction":
        """The equivalent problem on the labelled points; see `Reduction`."""
        ridge = 0.0
        G, L1 = self._system(ridge)
        lu, pivots, _ = lapack.dgetrf(G.T, overwrite_a=True)
        if _is_singular(lu):
            ridge = RIDGE * float(np.mean(np.diagonal(self.K)))
            G, L1 = self._system(ridge)
            lu, pivots, info = lapack.dgetrf(G.T, overwrite_a=True)
            if info > 0:
                raise np.linalg.LinAlgError(
                    "gamma_A I + gamma_I L K is singular, even with a ridge on K; "
                    "raise gamma_A."
                )
        n_labeled = len(self.labeled)
        B = np.zeros((self.n, n_labeled + 1), order="F")
        B[self.labeled, np.arange(n_labeled)] = 1.0
        B[:, -1] = self.gamma_I * L1
        # G.T was factored in place (no copy of a C-ordered G), so solve with trans.
        Z, _ = lapack.dgetrs(lu, pivots, B, trans=1, overwrite_b=True)
        del G, lu  # one array, which is as large as K
        KZ = symmetric_product(self.K, Z)
        return Reduction(self, Z, KZ, ridge)

    def _system(self, ridge):
        """G = gamma_A I + gamma_I L (K + ridge I), and L 1."""
        if self.L is None:
            return np.diag(np.full(self.n, self.gamma_A)), np.zeros(self.n)
        G = self.K.astype(float, copy=bool(ridge))
        if ridge:
            G[np.diag_indices_from(G)] += ridge
        L = self.L.matrix
        if L.nnz > DENSE_LAPLACIAN * self.n**2:
            L = L.toarray()
        for _ in range(self.L.degree):
            G = L @ G
        G *= self.gamma_I
        G[np.diag_indices_from(G)] += self.gamma_A
        return G, self.L @ np.ones(self.n)


def _is_singular(lu) -> bool:
    """Whether the pivots of an LU factorisation say that nothing can be solved."""
    pivots = np.abs(np.diagonal(lu))
    return not pivots.min() > PIVOT_MIN * pivots.max()


class LapSVM(LaplacianProblem):
    """Primal Laplacian SVM with squared hinge loss, [MB11] eq. (7)."""

    loss = SquaredHinge()


class LapRLSC(LaplacianProblem):
    """Laplacian regularised least squares, [MB11] section 5 and eq. (14)."""

    loss = Squared()


@dataclass(frozen=True, slots=True)
class Reduction:
    """A Laplacian problem written in its l labelled residuals and the bias.

    Setting the preconditioned gradient to 0 gives

        G alpha = -gamma_I L 1 b - J' r,     G = gamma_A I + gamma_I L K,

    with r = I_E C (f - y) on the labelled points. So alpha = -Z [r; b] with
    Z = G^-1 [J', gamma_I L 1], and one factorisation of G serves every set of error
    vectors, every class and the dual. G needs no inverse of K, which may be singular.

        f = 1 b - K Z [r; b],    Q = J K Z_L symmetric positive semi-definite

    is the "deformed" kernel in which LapSVM is a supervised machine. All of this holds
    for any b: whether it is a variable is not known here.
    """

    problem: LaplacianProblem
    Z: Array  # (n, l + 1)
    KZ: Array  # (n, l + 1)
    ridge: float

    @property
    def Q(self) -> Array:
        """(l, l) kernel of the reduced problem: f_L = q b - Q r."""
        Q = self.KZ[self.problem.labeled, :-1]
        return (Q + Q.T) / 2

    @property
    def q(self) -> Array:
        """(l,) outputs of a unit bias, 1 - J K z_b."""
        return 1.0 - self.KZ[self.problem.labeled, -1]

    @property
    def curvature_b(self) -> float:
        """gamma_A 1' z_b = gamma_I 1'(L - gamma_I L K G^-1 L)1 >= 0, 0 when L 1 = 0."""
        return self.problem.gamma_A * float(self.Z[:, -1].sum())

    def expand(self, r, b):
        """alpha and F of given residuals (l, k) and biases (k,)."""
        alpha = -(self.Z[:, :-1] @ r) - np.outer(self.Z[:, -1], b)
        F = b - self.KZ[:, :-1] @ r - np.outer(self.KZ[:, -1], b)
        return alpha, F
