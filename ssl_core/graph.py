"""The data graph: k-nearest-neighbour weights W and its Laplacian L."""

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms

from ssl_core.kernels import BLOCK_BYTES, EPS, canonical, centred, squared_distances
from ssl_core.linalg.distances import squared_differences

METRICS = ("euclidean", "cosine", "manhattan")
JOINS = ("either", "mutual")
WEIGHTS = ("binary", "heat", "local")
HUGE = 1e60  # squares of what is larger, or of its inverse, leave the range
DOUBTFUL = (
    1e-4  # rounding of d^2, as a share of a usual d^2, that could swap neighbours
)


def knn_weights(
    X, n_neighbors=6, *, weights="binary", metric="euclidean", join="either"
):
    """Symmetric weights of the k-nearest-neighbour graph.

    i and j are joined when one is among the other's ``n_neighbors`` nearest points
    (``"either"``) or when both are (``"mutual"``), [L07] section 2.2. With d their
    distance the weight of their edge is

    - ``binary``: 1
    - ``heat``: exp(-d^2 / (2 t^2)), t the mean distance of a point to its neighbours
    - ``local``: exp(-d^2 / (s_i s_j)), s_i the distance of i to the farthest of its
      ``n_neighbors``, [ZP04] section 2, where it is the seventh. Where copies of
      a point make it 0, it is the mean of the others.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)
    metric : {"euclidean", "cosine", "manhattan"}
        The cosine distance is 1 - x'z / (|x| |z|); a row of zeros has none.

    Returns
    -------
    W : CSR array of shape (n, n), symmetric, zero diagonal, weights in (0, 1]
    """
    given = _placed(canonical(X), metric)
    X, _ = centred(given)  # distances stay, and keep their digits
    # Asking without X leaves each point out of its own neighbours, also where
    # duplicates make the nearest neighbour lie at distance 0.
    search = _search(metric, n_neighbors).fit(X)
    distances, neighbors = search.kneighbors()
    # A tree subtracts; brute force expands the square, with the rounding of |x|^2.
    rounding = EPS * float(row_norms(X, squared=True).max())
    doubtful = rounding > DOUBTFUL * float(np.median(distances)) ** 2
    if doubtful and metric != "manhattan":  # which brute force subtracts for, too
        distances, neighbors = _nearest(_differences(given), X.shape[0], n_neighbors)
    distances = _measured(distances, metric)
    return _symmetric_weights(distances, neighbors, weights, join)


def interpolation_weights(X, Z, n_neighbors=6, *, metric="euclidean"):
    """Rows of weights that carry values at the points Z over to the points X.

    A row holds the inverse distances to the nearest points of Z and adds up to 1;
    where points of Z lie at the place itself, they alone count.

    Returns
    -------
    P : CSR array of shape (m, n)
    """
    X, Z = _placed(X, metric), _placed(Z, metric)
    X, Z = centred(X, Z)  # distances stay, and keep their digits
    size = float(_largest(Z).max(initial=0.0))
    if size > 0.0 and not 1 / HUGE < size < HUGE:  # only ratios of distances count
        X, Z = X / size, Z / size
    search = _search(metric, min(n_neighbors, Z.shape[0])).fit(Z)
    distances, neighbors = search.kneighbors(X)
    distances = _measured(distances, metric)
    here = distances <= EPS * distances.max(initial=0.0)
    with np.errstate(divide="ignore"):
        weights = np.where(here.any(axis=1, keepdims=True), here, 1.0 / distances)
    weights = weights / weights.sum(axis=1, keepdims=True)
    m, k = neighbors.shape
    rows = np.arange(0, m * k + 1, k)
    return sp.csr_array(
        (weights.ravel(), neighbors.ravel(), rows), shape=(m, Z.shape[0])
    )


# Neighbours by the angle are neighbours by the chord between the points' directions:
# |x/|x| - z/|z||^2 = 2 (1 - cos). So trees search for them, too, and points that are
# almost parallel keep the digits of their distance.


def _placed(X, metric):
    """Points whose distance, Euclidean or Manhattan, has the order of the metric."""
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {', '.join(METRICS)}, got {metric!r}.")
    return directions(X) if metric == "cosine" else X


def _search(metric, n_neighbors):
    own = "manhattan" if metric == "manhattan" else "euclidean"
    return NearestNeighbors(n_neighbors=n_neighbors, metric=own)


def _measured(distances, metric):
    """Distances of the metric; for the cosine from chords, in place."""
    if metric == "cosine":
        distances *= distances
        distances /= 2.0
    return distances


def directions(X):
    """Rows of X at length 1, in double precision.

    Raises
    ------
    ValueError
        For rows of zeros, which have no direction.
    """
    check_directions(X)
    X = _divided(X.astype(float), _largest(X))  # so that no square underflows
    return _divided(X, row_norms(X))


def _divided(X, sizes):
    """Each row divided by its number, in place."""
    if sp.issparse(X):
        X.data /= np.repeat(sizes, np.diff(X.indptr))
    else:
        X /= sizes[:, None]
    return X


def check_directions(X):
    """Refuse rows of zeros."""
    zero = np.flatnonzero(_largest(X) == 0)
    if len(zero):
        raise ValueError(
            f"X must have no rows of zeros with metric='cosine', which have no "
            f"direction, got {len(zero):,} (first: row {zero[0]}); drop them or use "
            f"another metric."
        )


def _largest(X):
    """The largest size of an entry in each row."""
    if not sp.issparse(X):
        return np.abs(X).max(axis=1, initial=0.0)
    return np.asarray(abs(X).max(axis=1).todense(), dtype=float).ravel()


def knn_weights_from_gram(K, n_neighbors=6, *, weights="binary", join="either"):
    """As `knn_weights`, with the distances of the feature space behind K."""
    distances, neighbors = _nearest(squared_distances(K), K.shape[0], n_neighbors)
    return _symmetric_weights(distances, neighbors, weights, join)


def _differences(X):
    """As `squared_distances`, from points and without the rounding of their norms."""
    n = X.shape[0]
    step = max(16, BLOCK_BYTES // (8 * n))
    for start in range(0, n, step):
        rows = slice(start, min(start + step, n))
        yield rows, squared_differences(X[rows], X)


def _nearest(blocks, n, n_neighbors):
    """Distances and indices of each point's neighbours, itself left out."""
    neighbors = np.empty((n, n_neighbors), dtype=np.intp)
    distances = np.empty((n, n_neighbors))
    for rows, D in blocks:
        own = np.arange(rows.start, rows.stop)
        D[own - rows.start, own] = np.inf
        nearest = np.argpartition(D, n_neighbors - 1, axis=1)[:, :n_neighbors]
        neighbors[rows] = nearest
        distances[rows] = np.sqrt(np.take_along_axis(D, nearest, axis=1))
    return distances, neighbors


def _symmetric_weights(distances, neighbors, weights, join):
    if weights not in WEIGHTS:
        raise ValueError(
            f"weights must be one of {', '.join(WEIGHTS)}, got {weights!r}."
        )
    if join not in JOINS:
        raise ValueError(f"join must be one of {', '.join(JOINS)}, got {join!r}.")
    n, k = neighbors.shape
    if weights == "binary":
        values = np.ones(n * k)
    else:
        # A width of 0 is that of points that are all the same.
        if weights == "heat":
            width = distances.mean() or 1.0
            values = np.exp(-0.5 * (distances.ravel() / width) ** 2)
        else:
            values = _self_tuned(distances, neighbors).ravel()
        # A far edge is weak, but an edge: an underflow to 0 would cut the graph.
        values = np.maximum(values, np.finfo(float).tiny)
    W = sp.csr_array(
        (values, neighbors.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
    )
    both = W.maximum(W.T) if join == "either" else W.minimum(W.T)
    return both.tocsr()


def _self_tuned(distances, neighbors):
    """exp(-d_ij^2 / (s_i s_j)) of the neighbours j of each i, [ZP04] section 2."""
    scales = distances.max(axis=1)
    there = scales > 0
    scales[~there] = scales[there].mean() if there.any() else 1.0
    with np.errstate(over="ignore"):  # far from a point whose own are near: weight 0
        shares = distances / scales[:, None] * (distances / scales[neighbors])
    return np.exp(-shares)


def bridges(W, y):
    """Number of edges whose ends have different labels.

    Labels leak across these edges: the Laplacian norm wants both ends alike, whatever
    their class.

    Parameters
    ----------
    W : sparse array of shape (n, n)
        Symmetric weights; each edge counts once.
    y : array of shape (n,)
        The true label of every point.

    Returns
    -------
    n_bridges : int
    """
    W, y = sp.coo_array(W), np.asarray(y)
    joined = (W.row < W.col) & (W.data != 0)
    return int((y[W.row[joined]] != y[W.col[joined]]).sum())


class Laplacian:
    """Graph Laplacian L^p, applied as p sparse products.

        L = D - W,   or   L = D^(-1/2) (D - W) D^(-1/2)   when normalised

    f' L f is the intrinsic norm, [MB11] eq. (1).

    A power of a sparse matrix fills up, a chain of products does not; hence L^p is
    never formed. Points without an edge get a zero row: nothing is asked of them.

    Parameters
    ----------
    W : CSR array of shape (n, n)
        Symmetric non-negative weights.
    normalized : bool, default=True
    degree : int, default=1
        The power p ("iterated to a degree p", [MB11] section 2).
    """

    def __init__(self, W, *, normalized=True, degree=1):
        self.degree = degree
        self.normalized = normalized
        D = np.asarray(W.sum(axis=1)).ravel()
        if normalized:
            scale = np.where(D > 0, 1.0 / np.sqrt(np.where(D > 0, D, 1.0)), 0.0)
            S = sp.dia_array((scale[None, :], [0]), shape=W.shape)
            diagonal, W = (D > 0).astype(float), S @ W @ S
        else:
            diagonal = D
        L = sp.dia_array((diagonal[None, :], [0]), shape=W.shape) - W
        # Rounding in S W S must not cost the exact symmetry.
        self.matrix = ((L + L.T) / 2).tocsr()
        self.shape = self.matrix.shape

    def __matmul__(self, V):
        """L^p V; V' L^p V is the intrinsic norm of [MB11] eq. (1)."""
        for _ in range(self.degree):
            V = self.matrix @ V
        return V

    def toarray(self):
        return self @ np.eye(self.shape[0])
