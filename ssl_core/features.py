"""Features Z behind a Gram matrix, Z Z' = K: a kernel machine as a linear one.

[CSK08] section 4, "method 1". The kernel may be centred on the unlabelled points,
[CSK08] eq. (13), or deformed by a graph, [CSK08] section 5.6.2; what is found comes
back as coefficients of the kernel that the caller knows.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import lapack, lu_solve, solve_triangular

Array = np.ndarray

METHODS = ("cholesky", "eigen")
EXACT = 1e-8  # share of the trace that Z Z' may miss and still count as equal to K
DROPPED = 1e-9  # of the largest: pivots and eigenvalues below it are rounding


@dataclass(frozen=True)
class Space:
    """A kernel on the training points, and the way back to the caller's kernel.

    Attributes
    ----------
    K : ndarray of shape (n, n)
        Gram matrix of the space.
    centre : ndarray of shape (n,) or None
        Weights, adding up to 1, of the points whose mean is the origin.
    shift : ndarray of shape (n,) or None
        What a coefficient adds to the constant of f: the price of the centre.
    deformation : tuple or None
        LU factors of I + M K and the matrix itself, where M deforms it.
    """

    K: Array
    centre: Array | None = None
    shift: Array | None = None
    deformation: tuple | None = None

    def centred(self, points) -> "Space":
        """The space whose origin is the mean of some points, [CSK08] eq. (13).

            k(x, z) - mean_i k(x, x_i) - mean_i k(z, x_i) + mean_ij k(x_i, x_j)

        Outputs without bias then have mean 0 on them, which makes the linear balance
        constraint, [CSK08] eq. (12), the same as fixing b.
        """
        n = len(self.K)
        centre = np.zeros(n)
        centre[points] = 1.0 / len(points)
        means = self.K @ centre
        middle = centre @ means
        K = self.K - means[:, None] - means[None, :] + middle
        K = 0.5 * (K + K.T)
        return replace(self, K=K, centre=centre, shift=middle - means)

    def deformed(self, L, weight) -> "Space":
        """The kernel of [CSK08] section 5.6.2, whose norm also has weight f' L f.

            k(x, z) - k_x' (I + M K)^-1 M k_z,     M = weight L

        so that on the training points the Gram matrix is K (I + M K)^-1.
        """
        G = weight * (L @ self.K)
        G.flat[:: len(G) + 1] += 1.0
        factors = lapack.dgetrf(G)[:2]  # of a singular G: NaN, which the caller tells
        K = lu_solve(factors, self.K, trans=1, check_finite=False).T
        return replace(self, K=0.5 * (K + K.T), deformation=(factors, G))

    def expand(self, beta, b=0.0) -> tuple[Array, float]:
        """alpha and b of f = K alpha + b in the caller's kernel."""
        alpha = beta
        if self.centre is not None:
            alpha = beta - beta.sum() * self.centre
            b = b + float(self.shift @ beta)
        if self.deformation is not None:
            alpha = lu_solve(self.deformation[0], alpha, check_finite=False)
        return alpha, float(b)

    def contract(self, alpha) -> Array:
        """beta of a function given in the caller's kernel, up to a constant.

        Exact where alpha adds up to 0 (so does every alpha that `expand` made of a
        centred space) or nothing is centred.
        """
        return alpha if self.deformation is None else self.deformation[1] @ alpha


@dataclass(frozen=True)
class Features:
    """Points z_i as rows of Z, with Z Z' the kernel of a space up to a stated error.

    Attributes
    ----------
    Z : ndarray of shape (n, m)
    space : Space
    error : float
        Share of the trace of its kernel that the features leave out, in [0, 1].
    K : ndarray of shape (n, n)
        Z Z': the kernel itself where the features are exact.
    """

    Z: Array
    space: Space
    error: float
    K: Array
    _back: tuple

    @property
    def exact(self) -> bool:
        return self.K is self.space.K

    # A design, as `linalg.sparse.design` makes one: v stands for (w, b).

    @property
    def n(self) -> int:
        return self.Z.shape[0]

    @property
    def d(self) -> int:
        return self.Z.shape[1]

    def outputs(self, v) -> Array:
        """Z w + b, of shape (n,)."""
        return self.Z @ v[:-1] + v[-1]

    def adjoint(self, q, rows=None) -> Array:
        """[Z, 1]' q, of shape (m + 1,); all rows, since a copy of some costs more."""
        return np.append(q @ self.Z, q.sum())

    def coefficients(self, w) -> Array:
        """beta with Z' beta = w, so that f = K beta + b."""
        kind, rows, factor = self._back
        if kind == "eigen":
            return factor @ w
        beta = np.zeros(len(self.Z))
        beta[rows] = solve_triangular(
            factor, w, lower=True, trans=1, check_finite=False
        )
        return beta

    def expand(self, w, b) -> tuple[Array, float]:
        """alpha and b of f = Z w + b in the caller's kernel."""
        return self.space.expand(self.coefficients(w), b)

    def express(self, beta, b) -> tuple[Array, float]:
        """alpha and b of f = K beta + b in the caller's kernel."""
        if self.exact:
            return self.space.expand(beta, b)
        return self.expand(beta @ self.Z, b)

    def contract(self, alpha) -> Array:
        """w of a function given in the caller's kernel, up to a constant."""
        return self.space.contract(alpha) @ self.Z


def features(space: Space, *, method="cholesky", rank=None) -> Features:
    """Factor the Gram matrix of a space.

    Parameters
    ----------
    method : {"cholesky", "eigen"}
        The pivoted Cholesky factor takes n m^2 operations, the eigenvectors ten to
        twenty times as many as a full factor; machines trained on the two agree, since
        they differ by a rotation of w.
    rank : int or None
        Most columns. Eigenvectors leave out the least for a given rank.
    """
    n = len(space.K)
    most = n if rank is None else min(int(rank), n)
    trace = float(np.trace(space.K))
    if not trace > 0.0:  # all points in one: only the bias is left
        back = ("eigen", None, np.zeros((n, 1)))
        return Features(np.zeros((n, 1)), space, 0.0, np.zeros((n, n)), back)
    factor = _eigen if method == "eigen" else _cholesky
    Z, back = factor(space.K, most)
    left = 1.0 - float(np.einsum("ij,ij->", Z, Z)) / trace
    # A kernel that rounding made indefinite is what its features say, and no more.
    exact = abs(left) <= EXACT
    K = space.K if exact else Z @ Z.T
    return Features(Z, space, min(max(left, 0.0), 1.0), K, back)


def _eigen(K, most):
    values, vectors = np.linalg.eigh(K)
    m = min(int((values > DROPPED * values[-1]).sum()), most)
    values, vectors = values[::-1][:m], vectors[:, ::-1][:, :m]
    roots = np.sqrt(values)
    return np.ascontiguousarray(vectors * roots), ("eigen", None, vectors / roots)


def _cholesky(K, most):
    tol = DROPPED * float(np.diagonal(K).max())
    C, pivots, m, _ = lapack.dpstrf(K, tol=tol, lower=1)
    m = min(int(m), most)
    rows = pivots - 1
    Z = np.empty((len(K), m))
    Z[rows] = np.tril(C)[:, :m]
    return Z, ("cholesky", rows[:m], Z[rows[:m]])
