"""Where points are drawn: two dimensions as they are, more through a projection."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import kneighbors_graph

from halfmoon.datasets import Dataset
from halfmoon.scenario import View
from halfmoon.views.plane import PLAIN, Picture, components

MAX_EMBEDDED = 5000  # points; beyond it an embedding takes longer than a run
EMBEDDING_NEIGHBORS = 10
TITLES = {
    "plain": "As they are",
    "pca": "Principal components",
    "features": "Two features",
    "embedding": "Embedding of the graph",
}


def offered(data: Dataset) -> tuple[str, ...]:
    """Projections that make sense for a data set, the usual one first."""
    if data.dims == 2 and not data.is_sparse:
        return ("plain",)
    if data.dims == 1:
        return ("features",)
    ways = ("pca", "features", "embedding")
    return ways if 3 <= data.n <= MAX_EMBEDDED else ways[:2]


def chosen(view: View, data: Dataset) -> str:
    """The projection of a view, where the data have it; else the usual one."""
    ways = offered(data)
    return view.projection if view.projection in ways else ways[0]


def project(data: Dataset, view: View) -> Picture:
    """Place all points of a data set in the plane."""
    way = chosen(view, data)
    if way == "plain":
        return Picture(np.asarray(data.X), _names(data, (0, 1)), honest=True)
    if way == "features":
        return _features(data, view.features)
    if way == "embedding":
        note = "Neighbours stay neighbours; distances are not preserved."
        return Picture(_embed(data.X), ("axis 1", "axis 2"), False, note)
    return components(data.X)


def _names(data: Dataset, columns) -> tuple[str, str]:
    first, second = (str(data.feature_names[c]) for c in columns)
    return PLAIN if (first, second) == ("x1", "x2") else (first, second)


def _features(data: Dataset, features: tuple[int, int]) -> Picture:
    first, second = (min(c, data.dims - 1) for c in features)
    columns = [_column(data.X, first), _column(data.X, second)]
    names = _names(data, (first, second))
    if data.dims == 1:
        columns[1] = np.zeros(data.n)
        names = (names[0], "")
    return Picture(np.column_stack(columns), names, False, "")


def _column(X, j: int) -> np.ndarray:
    return X[:, [j]].toarray().ravel() if sp.issparse(X) else X[:, j]


def _embed(X) -> np.ndarray:
    """Laplacian eigenmap of the symmetrised neighbourhood graph."""
    k = min(EMBEDDING_NEIGHBORS, X.shape[0] - 1)
    graph = kneighbors_graph(X, k, include_self=False)
    graph = graph.maximum(graph.T)
    # A graph in several pieces has no unique eigenmap: faint edges join them.
    graph = graph + sp.csr_matrix(_ties(graph), shape=graph.shape)
    embedding = SpectralEmbedding(2, affinity="precomputed", random_state=0)
    points = embedding.fit_transform(graph.tocsr())
    return points / (np.abs(points).max() or 1.0)


def _ties(graph) -> sp.csr_matrix:
    """One weak edge between each pair of consecutive pieces of a graph."""
    n_pieces, piece = sp.csgraph.connected_components(graph, directed=False)
    first = np.array([np.flatnonzero(piece == p)[0] for p in range(n_pieces)])
    weights = np.full(max(n_pieces - 1, 0), 1e-3)
    ties = sp.coo_matrix((weights, (first[:-1], first[1:])), shape=graph.shape)
    return (ties + ties.T).tocsr()
