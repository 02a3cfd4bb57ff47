"""The functions behind states, to be evaluated anywhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ssl_core.kernels import BLOCK_BYTES, gram
from ssl_core.trace import Array, ExpansionState, State


@dataclass(frozen=True)
class KernelExpansion:
    """f(x) = sum_i alpha_i k(x_i, x) + b over fixed training points.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)
        Training points; unused when the kernel is precomputed.
    kernel, sigma, degree, coef0 : as in `ssl_core.kernels.gram`
    """

    X: Array
    kernel: str | Callable = "rbf"
    sigma: float = 1.0
    degree: int = 3
    coef0: float = 1.0

    def matrix(self, X, columns=slice(None)) -> Array:
        """Kernel values between X and the training points, of shape (m, n)."""
        if self.kernel == "precomputed":
            return np.asarray(X)[:, columns]
        return gram(
            X,
            self.X[columns],
            kernel=self.kernel,
            sigma=self.sigma,
            degree=self.degree,
            coef0=self.coef0,
        )

    def outputs(self, states: Sequence[ExpansionState], X) -> Array:
        """Outputs of every state on X, (T, m) or (T, m, k), by one product.

        Training points that no state uses are left out; rows of X go in blocks, so
        that a large grid needs no large kernel matrix.
        """
        n = states[0].alpha.shape[0]
        A = np.stack([s.alpha.reshape(n, -1) for s in states], axis=1)  # (n, T, k)
        b = np.stack([np.atleast_1d(s.b) for s in states])  # (T, k)
        used = np.flatnonzero(A.any(axis=(1, 2)))
        A = A[used].reshape(len(used), b.size)  # no -1: at the start none is used
        m = X.shape[0]
        F = np.empty((m, *b.shape))
        step = max(16, BLOCK_BYTES // (8 * max(len(used), 1)))
        for first in range(0, m, step):
            rows = slice(first, min(first + step, m))
            block = self.matrix(X[rows], used) @ A
            F[rows] = block.reshape(-1, *b.shape) + b
        F = np.moveaxis(F, 0, 1)  # (T, m, k)
        return F[..., 0] if b.shape[1] == 1 else F

    def watcher(self, X) -> Callable[[ExpansionState], Array]:
        """Function from a state to its outputs on fixed X, with the kernel kept."""
        K = self.matrix(X)
        return lambda state: K @ state.alpha + state.b


@dataclass(frozen=True)
class LinearModel:
    """Linear functions f(x) = w'x + b of states with w and b."""

    def outputs(self, states: Sequence[State], X) -> Array:
        """Outputs of every state on X, (T, m) or (T, m, k), by one product."""
        d = states[0].w.shape[0]
        W = np.stack([s.w.reshape(d, -1) for s in states], axis=1)  # (d, T, k)
        b = np.stack([np.atleast_1d(s.b) for s in states])  # (T, k)
        F = np.asarray(X @ W.reshape(d, -1)).reshape(X.shape[0], *b.shape) + b
        F = np.moveaxis(F, 0, 1)
        return F[..., 0] if b.shape[1] == 1 else F

    def watcher(self, X) -> Callable[[State], Array]:
        """Function from a state to its outputs on fixed X."""
        return lambda state: np.asarray(X @ state.w) + state.b
