"""Which points to ask a person about: the middles of the data's regions."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, dijkstra
from sklearn.neighbors import NearestNeighbors

from halfmoon.common.memory import check_room
from halfmoon.datasets.registry import as_rng

MAX_CANDIDATES = 5000  # points that telling_points looks at
MAX_MEDOID_TRIALS = 40  # possible medoids tried per cluster and round
MAX_ROUNDS = 10


def telling_points(
    X: np.ndarray | sp.csr_matrix,
    k: int,
    *,
    n_neighbors: int = 8,
    random_state: int | np.random.Generator = 0,
) -> np.ndarray:
    """The k points whose labels are most informative, chosen without any label.

    The data's neighbourhood graph gets path lengths that are short through dense
    regions and long across gaps (the sum of squared steps). The k points are medoids
    in that distance: the centres of k regions that together cover the data. A person
    is then asked for the labels of these points; nothing here looks at y, so two
    of them may well turn out to be of one class.

    Parameters
    ----------
    X : ndarray or csr_matrix of shape (n, d)
        Points.
    k : int
        How many points to choose.
    n_neighbors : int, default 8
        Neighbours in the graph.
    random_state : int or Generator, default 0
        Seed; it matters above 5,000 points, of which a sample is looked at, and
        where a region has many candidates.

    Returns
    -------
    ndarray of shape (k,)
        Row numbers, the point that stands for most others first.
    """
    n = X.shape[0]
    if not 1 <= k <= n:
        raise ValueError(f"k must be in [1, {n}], the number of points, got {k}.")
    if not n_neighbors >= 1:
        raise ValueError(f"n_neighbors must be >= 1, got {n_neighbors}.")
    check_room(
        "telling_points",
        lambda k: 24 * k * max(k, min(n, MAX_CANDIDATES)),
        k,
        "choose fewer points",
    )
    rng = as_rng(random_state)
    rows = np.arange(n)
    if n > MAX_CANDIDATES:
        rows = np.sort(rng.choice(n, max(MAX_CANDIDATES, k), replace=False))
    if len(rows) == 1:
        return rows
    graph, radius = _steps(X[rows], min(n_neighbors, len(rows) - 1))
    medoids = _farthest_first(graph, radius, k)
    nearest = _distances(graph, medoids).argmin(axis=0)
    for _ in range(MAX_ROUNDS):
        moved = np.array(
            [
                _medoid(graph, np.flatnonzero(nearest == c), m, rng)
                for c, m in enumerate(medoids)
            ]
        )
        if np.array_equal(moved, medoids):
            break
        medoids = moved
        nearest = _distances(graph, medoids).argmin(axis=0)
    sizes = np.bincount(nearest, minlength=k)
    return rows[medoids[np.argsort(-sizes, kind="stable")]]


def _steps(X, n_neighbors: int) -> tuple[sp.csr_matrix, np.ndarray]:
    """Neighbourhood graph with squared lengths, and each point's kNN radius."""
    search = NearestNeighbors(n_neighbors=n_neighbors).fit(X)
    distance, neighbour = search.kneighbors()
    n = len(distance)
    # Duplicates lie at distance 0, which a sparse graph would take for "no edge".
    floor = np.finfo(float).tiny ** 0.5
    step = np.maximum(distance, floor) ** 2
    rows = np.repeat(np.arange(n), n_neighbors)
    graph = sp.csr_matrix((step.ravel(), (rows, neighbour.ravel())), shape=(n, n))
    return graph.maximum(graph.T).tocsr(), distance[:, -1]


def _distances(graph: sp.csr_matrix, sources: np.ndarray) -> np.ndarray:
    """(len(sources), n) path lengths; a little beyond any of them when unconnected."""
    D = np.atleast_2d(dijkstra(graph, directed=False, indices=sources))
    unreached = np.isinf(D)
    D[unreached] = 2 * graph.data.sum() + 1.0
    return D


def _farthest_first(graph: sp.csr_matrix, radius: np.ndarray, k: int) -> np.ndarray:
    """k starting points: each far from those before it, and none an outlier."""
    dense = radius <= np.quantile(radius, 0.75)
    if np.count_nonzero(dense) < k:
        dense[:] = True
    # Among pieces that nothing connects, the larger one speaks first.
    _, piece = connected_components(graph, directed=False)
    share = np.bincount(piece)[piece] / len(piece)
    chosen = [int(np.argmin(np.where(dense, radius, np.inf)))]
    gap = _distances(graph, chosen)[0]
    while len(chosen) < k:
        score = np.where(dense, gap * share, -1.0)
        score[chosen] = -2.0
        chosen.append(int(score.argmax()))
        gap = np.minimum(gap, _distances(graph, chosen[-1:])[0])
    return np.array(chosen)


def _medoid(graph: sp.csr_matrix, members: np.ndarray, current: int, rng) -> int:
    """Member with the smallest sum of path lengths to the others."""
    inside = graph[members][:, members]  # paths that leave the region cost time only
    trials = np.arange(len(members))
    if len(members) > MAX_MEDOID_TRIALS:
        trials = rng.choice(len(members), MAX_MEDOID_TRIALS, replace=False)
    # The present medoid comes first, so that a tie leaves it in place.
    here = np.flatnonzero(members == current)
    trials = np.concatenate([here, np.setdiff1d(trials, here)])
    return int(members[trials[_distances(inside, trials).sum(axis=1).argmin()]])
