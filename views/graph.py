"""The data graph of a method, as its solver has it."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from ssl_core import Trace
from ssl_core.estimators.spaces import Graph
from ssl_core.registry import Algorithm

MAX_EDGES = 20_000
GRAPH = ("n_neighbors", "metric", "join", "weights")  # settings that make its edges
FROM_OUTSIDE = "W"  # the setting that replaces the graph of nearest neighbours


def weights_of(estimator, X) -> csr_array:
    """Weights of the edges between training points, of shape (n, n)."""
    return Graph.of(estimator).edges(X, [])


def graph_of(trace: Trace, entry: Algorithm | None) -> csr_array | None:
    """The graph of a trace's method; None where it has none that can be made again."""
    if entry is None or trace.X is None:
        return None
    settings = trace.made_by.settings
    k = settings.get("n_neighbors")
    own = settings.get(FROM_OUTSIDE) is not None
    if own or not isinstance(k, int) or trace.X.shape[0] * k > MAX_EDGES:
        return None
    known = {name: v for name, v in settings.items() if name in GRAPH}
    known["n_neighbors"] = min(k, trace.X.shape[0] - 1)
    return weights_of(entry.estimator(**known), trace.X)


def edges_of(weights: csr_array | None) -> np.ndarray | None:
    """(m, 2) pairs of points that are joined."""
    if weights is None:
        return None
    W = weights.tocoo()
    upper = W.row < W.col
    return np.column_stack([W.row[upper], W.col[upper]])
