"""The functions behind states, to be evaluated anywhere."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from halfmoon.common.memory import check_room
from ssl_core.graph import interpolation_weights
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
        return gram(X, self.X[columns], **self._shape)

    def gram(self, dtype=float) -> Array:
        """Kernel values between all training points, of shape (n, n)."""
        return gram(self.X, dtype=dtype, **self._shape)

    @property
    def _shape(self) -> dict:
        return {
            "kernel": self.kernel,
            "sigma": self.sigma,
            "degree": self.degree,
            "coef0": self.coef0,
        }

    def outputs(self, states: Sequence[ExpansionState], X) -> Array:
        """Outputs of every state on X, (T, m) or (T, m, k), by one product.

        Training points that no state uses are left out; rows of X go in blocks, so
        that a large grid needs no large kernel matrix.
        """
        n = states[0].alpha.shape[0]
        _check_outputs(states, X, n)
        A = np.stack([s.alpha.reshape(n, -1) for s in states], axis=1)  # (n, T, k)
        b = np.stack([np.atleast_1d(s.b) for s in states])  # (T, k)
        used = np.flatnonzero(A.any(axis=(1, 2)))
        A = A[used].reshape(len(used), b.size)  # no -1: at the start none is used
        m = X.shape[0]
        F = np.empty((m, *b.shape))
        step = max(16, BLOCK_BYTES // (8 * max(len(used), b.size)))
        for first in range(0, m, step):
            rows = slice(first, min(first + step, m))
            block = self.matrix(X[rows], used) @ A
            F[rows] = block.reshape(-1, *b.shape) + b
        F = np.moveaxis(F, 0, 1)  # (T, m, k)
        return F[..., 0] if b.shape[1] == 1 else F

    def watcher(self, X, most=np.inf) -> Callable[[ExpansionState], Array]:
        """Function from a state to its outputs on fixed X.

        The kernel is kept where it takes at most so many bytes, and computed again for
        every state otherwise.
        """
        if 8 * X.shape[0] * self.X.shape[0] > most:
            return lambda state: self.outputs([state], X)[0]
        K = self.matrix(X)
        return lambda state: K @ state.alpha + state.b


def _check_outputs(states, X, length):
    """Refuse outputs that would not fit, beside the coefficients they are made of."""
    k = np.size(states[0].b)
    single = getattr(X, "dtype", None) == np.float32 and isinstance(X, Array)
    row = X.shape[1] if single else 0  # a product with doubles converts it
    check_room(
        f"the output of {len(states)} states" if len(states) > 1 else "the output",
        lambda m: 8 * (len(states) * k * (m + 2 * length) + row * m),
        X.shape[0],
        "ask for fewer points at a time"
        + (", or record fewer states" if len(states) > 1 else ""),
    )


@dataclass(frozen=True)
class LinearModel:
    """Linear functions f(x) = w'x + b of states with w and b."""

    def outputs(self, states: Sequence[State], X) -> Array:
        """Outputs of every state on X, (T, m) or (T, m, k), by one product."""
        d = states[0].w.shape[0]
        _check_outputs(states, X, d)
        W = np.stack([s.w.reshape(d, -1) for s in states], axis=1)  # (d, T, k)
        b = np.stack([np.atleast_1d(s.b) for s in states])  # (T, k)
        F = np.asarray(X @ W.reshape(d, -1)).reshape(X.shape[0], *b.shape)
        F += b
        F = np.moveaxis(F, 0, 1)
        return F[..., 0] if b.shape[1] == 1 else F

    def watcher(self, X, most=np.inf) -> Callable[[State], Array]:
        """Function from a state to its outputs on fixed X; nothing is kept."""
        return lambda state: np.asarray(X @ state.w) + state.b


@dataclass(frozen=True)
class Interpolation:
    """Outputs that a method knows on its training points alone, carried over to others.

    f(x) is the mean of f over the nearest training points, weighted by the inverse
    distance: exact at training points, unless others lie at the same place.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)
        Training points.
    n_neighbors : int
    metric : as in `ssl_core.graph.knn_weights`
    """

    X: Array
    n_neighbors: int = 6
    metric: str = "euclidean"

    def outputs(self, states: Sequence[State], X) -> Array:
        """Outputs of every state on X, (T, m) or (T, m, k)."""
        P = self._weights(X)
        return np.stack([P @ state.f for state in states])

    def watcher(self, X, most=np.inf) -> Callable[[State], Array]:
        """Function from a state to its outputs on fixed X."""
        P = self._weights(X)
        return lambda state: P @ state.f

    def _weights(self, X):
        k, metric = self.n_neighbors, self.metric
        return interpolation_weights(X, self.X, k, metric=metric)
