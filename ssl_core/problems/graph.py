"""Outputs on the nodes of a graph, some of which have labels."""

from functools import cached_property

import numpy as np
from scipy.sparse.csgraph import connected_components

Array = np.ndarray


class GraphProblem:
    """Labels and the graph that joins them to the other points.

    Parameters
    ----------
    W : CSR array of shape (n, n)
        Symmetric non-negative weights, empty diagonal.
    y : ndarray of shape (n,)
        In {-1, 0, +1}, 0 = unlabelled.

    Attributes
    ----------
    degrees : ndarray of shape (n,)
        Sums of the rows of W.
    labeled : ndarray of bool, shape (n,)
    """

    def __init__(self, W, y):
        self.W = W
        self.y = np.asarray(y, dtype=float)
        self.degrees = np.asarray(W.sum(axis=1)).ravel()
        self.labeled = self.y != 0

    @property
    def n(self) -> int:
        return len(self.y)

    @cached_property
    def parts(self) -> Array:
        """Number of the connected part that each point belongs to."""
        return parts_of(self.W)

    @cached_property
    def within_reach(self) -> Array:
        """Mask of the points whose part of the graph has a label."""
        return np.isin(self.parts, self.parts[self.labeled])

    def per_degree(self, v: Array) -> Array:
        """D^-1 v; 0 for points without an edge."""
        return ratio(v, self.degrees)

    def laplace(self, f: Array) -> Array:
        """(D - W) f."""
        return self.degrees * f - self.W @ f

    def energy(self, f: Array) -> float:
        """1/2 sum_ij w_ij (f_i - f_j)^2 = f' (D - W) f, [ZGL03] section 2."""
        return max(float(f @ self.laplace(f)), 0.0)  # rounding has no sign


def parts_of(W) -> Array:
    """Number of the connected part of the graph that each point belongs to."""
    return connected_components(W, directed=False)[1]


def ratio(v: Array, mass: Array) -> Array:
    """v / mass, and 0 where nothing has arrived."""
    return np.divide(v, mass, out=np.zeros_like(v), where=mass > 0)
