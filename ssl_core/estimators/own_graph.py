"""A graph from outside: weights W of the edges between the training points."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from ssl_core.estimators._inputs import check_container, check_structure
from ssl_core.kernels import canonical
from ssl_core.settings import check_function

HEAVIEST_EDGE = 1e15  # beside it a weight of 1 is lost to rounding
ROUNDING = 1e-10  # of the largest weight: what W and its transpose may differ by


def check_own(name: str, W: Any) -> None:
    """A square matrix of real numbers, or a function; its values come later."""
    if callable(W):
        check_function(name, W, "X")
    elif W is not None:
        as_matrix(W, name)


def as_matrix(W: Any, name: str) -> Any:
    """W as an array or a sparse matrix, square and of real numbers."""
    check_container(W, name)
    try:
        W = W if sp.issparse(W) else np.asarray(W)
    except ValueError:  # rows of different length
        W = np.empty(0)
    if W.ndim != 2 or W.shape[0] != W.shape[1]:
        got = f"shape {W.shape}" if W.ndim else f"{W.item()!r:.60}"
        raise ValueError(
            f"{name} must be a square matrix of weights, dense or sparse, got {got}."
        )
    if W.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, got {W.dtype}.")
    return W


def own_weights(W: Any, X: Any) -> sp.csr_array:
    """The caller's weights over the rows of X, checked.

    A point is no neighbour of itself: the diagonal is left out, as by
    `scipy.sparse.csgraph.laplacian`.

    Parameters
    ----------
    W : {array-like, sparse matrix} of shape (n, n), or a function of X that makes one

    Returns
    -------
    CSR array of shape (n, n), symmetric, all stored weights > 0
    """
    name = "W(X)" if callable(W) else "W"
    W = as_matrix(W(X) if callable(W) else W, name)
    n = X.shape[0]
    if W.shape[0] != n:
        raise ValueError(
            f"{name} must have a row and a column for each of the {n:,} training "
            f"points, got shape {W.shape}; cross-validation trains on parts, for which "
            f"a function W(X) makes the weights."
        )
    if sp.issparse(W) and W.format in ("csr", "csc"):
        check_structure(W, name)
    return _clean(canonical(sp.csr_array(W, dtype=float, copy=True)), name)


def _clean(W, name):
    bad = W.data[~np.isfinite(W.data)]
    if len(bad):
        raise ValueError(
            f"{name} must be finite, got {bad[0]} for {len(bad):,} pairs of points; 0 "
            f"stands for no edge."
        )
    lowest, highest = float(W.data.min(initial=0.0)), float(W.data.max(initial=0.0))
    if lowest < 0:
        raise ValueError(
            f"{name} must have weights >= 0, got {lowest:.3g}; 0 stands for no edge."
        )
    if highest > HEAVIEST_EDGE:
        raise ValueError(
            f"{name} must have weights up to {HEAVIEST_EDGE:g}, got {highest:.1e}; "
            f"divide {name} by its largest weight."
        )
    difference = float(abs(W - W.T).max())
    if difference > ROUNDING * highest:
        raise ValueError(
            f"{name} must be symmetric, got a difference of {difference:.1e} between "
            f"{name} and its transpose; (W + W.T) / 2 is symmetric."
        )
    if difference > 0:
        W = ((W + W.T) / 2).tocsr()
    rows = np.repeat(np.arange(W.shape[0]), np.diff(W.indptr))
    W.data[rows == W.indices] = 0.0
    W.eliminate_zeros()
    return W
