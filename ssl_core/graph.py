"""The data graph: k-nearest-neighbour weights W and its Laplacian L."""

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.extmath import row_norms

from ssl_core.kernels import BLOCK_BYTES, EPS, canonical, centred, squared_distances
from ssl_core.linalg.distances import squared_differences

WEIGHTS = ("binary", "heat")
DOUBTFUL = (
    1e-4  # rounding of d^2, as a share of a usual d^2, that could swap neighbours
)


def knn_weights(X, n_neighbors=6, *, weights="binary"):
    """Symmetric weights of the k-nearest-neighbour graph.

    i and j are joined when either is among the other's ``n_neighbors`` nearest
    points. ``binary`` weights are 1; ``heat`` weights are exp(-d^2 / (2 t^2)), with t
    the mean edge length.

    Parameters
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)

    Returns
    -------
    W : CSR array of shape (n, n), symmetric, zero diagonal, weights in (0, 1]
    """
    given = canonical(X)
    X, _ = centred(given)  # distances stay, and keep their digits
    # Asking without X leaves each point out of its own neighbours, also where
    # duplicates make the nearest neighbour lie at distance 0.
    search = NearestNeighbors(n_neighbors=n_neighbors).fit(X)
    distances, neighbors = search.kneighbors()
    # A tree subtracts; brute force expands the square, with the rounding of |x|^2.
    rounding = EPS * float(row_norms(X, squared=True).max())
    if rounding > DOUBTFUL * float(np.median(distances)) ** 2:
        distances, neighbors = _nearest(_differences(given), X.shape[0], n_neighbors)
    return _symmetric_weights(distances, neighbors, weights)


def interpolation_weights(X, Z, n_neighbors=6):
    """Rows of weights that carry values at the points Z over to the points X.

    A row holds the inverse distances to the nearest points of Z and adds up to 1;
    where points of Z lie at the place itself, they alone count.

    Returns
    -------
    P : CSR array of shape (m, n)
    """
    search = NearestNeighbors(n_neighbors=min(n_neighbors, Z.shape[0])).fit(Z)
    distances, neighbors = search.kneighbors(X)
    here = distances <= EPS * distances.max(initial=1.0)
    with np.errstate(divide="ignore"):
        weights = np.where(here.any(axis=1, keepdims=True), here, 1.0 / distances)
    weights = weights / weights.sum(axis=1, keepdims=True)
    m, k = neighbors.shape
    rows = np.arange(0, m * k + 1, k)
    return sp.csr_array(
        (weights.ravel(), neighbors.ravel(), rows), shape=(m, Z.shape[0])
    )


def knn_weights_from_gram(K, n_neighbors=6, *, weights="binary"):
    """As `knn_weights`, with the distances of the feature space behind K."""
    distances, neighbors = _nearest(squared_distances(K), K.shape[0], n_neighbors)
    return _symmetric_weights(distances, neighbors, weights)


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


def _symmetric_weights(distances, neighbors, weights):
    n, k = neighbors.shape
    if weights == "binary":
        values = np.ones(n * k)
    elif weights == "heat":
        width = distances.mean() or 1.0
        values = np.exp(-0.5 * (distances.ravel() / width) ** 2)
        # A far edge is weak, but an edge: an underflow to 0 would cut the graph.
        values = np.maximum(values, np.finfo(float).tiny)
    else:
        raise ValueError(
            f"weights must be one of {', '.join(WEIGHTS)}, got {weights!r}."
        )
    W = sp.csr_array(
        (values, neighbors.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
    )
    return W.maximum(W.T).tocsr()


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
