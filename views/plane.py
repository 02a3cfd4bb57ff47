"""Where points are drawn: two features as they are, more by principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.decomposition import PCA, TruncatedSVD

from ssl_core.viz.words import percent

LARGE = 1e6  # numbers in X; beyond it PCA works with random projections
PLAIN = ("x₁", "x₂")


@dataclass(frozen=True, eq=False)
class Picture:
    """Points in the plane.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    axis_names : (str, str)
    honest : bool
        Whether the plane is the data space itself, so that a field can be drawn.
    note : str
        What a projection leaves out, in a sentence.
    """

    points: np.ndarray
    axis_names: tuple[str, str]
    honest: bool
    note: str = ""


def picture_of(X) -> Picture:
    """Where the rows of X are drawn, whatever they are."""
    if X.shape[1] == 2 and not sp.issparse(X):
        return Picture(np.asarray(X, dtype=float), PLAIN, honest=True)
    if X.shape[1] <= 2:
        dense = X.toarray() if sp.issparse(X) else np.asarray(X, dtype=float)
        points = np.zeros((X.shape[0], 2))
        points[:, : X.shape[1]] = dense
        names = PLAIN if X.shape[1] == 2 else (PLAIN[0], "")
        return Picture(points, names, honest=X.shape[1] == 2)
    return components(X)


def components(X) -> Picture:
    """The rows of X by their first two principal components."""
    points, share = _principal(X)
    note = f"These two components carry {percent(share)} of the variance."
    return Picture(points, ("PC 1", "PC 2"), False, note)


def _principal(X) -> tuple[np.ndarray, float]:
    """First two principal components, signs fixed, and their share of variance."""
    if sp.issparse(X):
        # Centring would fill a sparse matrix; the singular vectors come close.
        model = TruncatedSVD(2, random_state=0)
    else:
        large = X.shape[0] * X.shape[1] > LARGE
        model = PCA(2, svd_solver="randomized" if large else "full", random_state=0)
    with np.errstate(invalid="ignore"):  # of points that are all in one place
        points = model.fit_transform(X)
    signs = np.sign(model.components_[[0, 1], np.abs(model.components_).argmax(axis=1)])
    return points * signs, float(np.nansum(model.explained_variance_ratio_))
