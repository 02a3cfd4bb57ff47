"""Spaces of functions that estimators train in: a kernel's, or the linear functions.

A space holds its settings and knows what they mean: the model behind a state, the Gram
matrix, what a run holds in memory. A graph deforms a kernel or stands for itself.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from ssl_core import numerals
from ssl_core.estimators._inputs import data_notes, offset_notes
from ssl_core.estimators.budget import Size
from ssl_core.estimators.own_graph import check_own, own_weights
from ssl_core.graph import (
    JOINS,
    METRICS,
    WEIGHTS,
    Laplacian,
    check_directions,
    knn_weights,
    knn_weights_from_gram,
)
from ssl_core.kernels import BLOCK_BYTES, KERNELS, gram_bytes, kernel_width
from ssl_core.linalg.spectrum import PROOF_SIZE, none_below, smallest_eigenvalue
from ssl_core.models import Interpolation, KernelExpansion, LinearModel
from ssl_core.settings import (
    Settings,
    anything,
    check_choice,
    check_function,
    check_number,
    choice,
    number,
    shared,
    switch,
)
from ssl_core.threads import blas_threads, capped
from ssl_core.trace import Array, Event

LARGEST = 1e150  # a number whose square is still finite
DTYPES = ("float64", "float32")
AUTO = "auto"  # a width from the data
VECTORS = 50  # of n numbers that a run holds beside its matrices: graph, outputs, ...
MACHINE_VECTORS = 15  # of n numbers for every further binary machine
LINEAR_VECTORS = 18  # of n numbers that a linear run holds beside X and its copy
EDGE_BYTES = 64  # of an edge while a graph is made
CHECKED = 0.15  # of X, while its numbers are looked at
NEGATIVE = 1e-8  # an eigenvalue below -NEGATIVE x the largest is not rounding


class FunctionSpace(Settings):
    """What an estimator asks of the space it trains in."""

    inputs: ClassVar[str]  # what points are known by: "kernel", "graph" or "linear"
    largest: ClassVar[float] = LARGEST  # number that X may hold
    formats: ClassVar[tuple[str, ...]] = ("csr",)  # of sparse X

    def check_training(self, X) -> None:
        """Refuse training points that do not suit the space."""

    def model(self, X) -> Any:
        """An object with ``outputs(states, X)`` and ``watcher(X)``."""
        raise NotImplementedError  # a subclass knows its functions

    def notes(self, X, codes) -> list[Event]:
        """What is odd about the data."""
        return data_notes(X, codes)

    def caps(self, X, columns: int) -> dict[str, int | None]:
        """Threads of a run: one where more would only change the last bits.

        ``columns`` are those of the kernel matrix that the run multiplies with.
        """
        raise NotImplementedError  # a subclass knows its products

    def peak_bytes(self, size: Size, columns: int, beside: float) -> int:
        """About the bytes of a run at its peak.

        Parameters
        ----------
        columns : int
            Of the kernel matrix.
        beside : float
            Matrices of n x n doubles beside it while the run solves.
        """
        raise NotImplementedError  # a subclass knows its arrays


class Linear(FunctionSpace):
    """Linear functions w'x + b."""

    inputs = "linear"
    largest = 1e70  # conjugate gradients square the products of two features
    formats = ("csr", "csc")  # CSC stays CSC: nothing is copied

    def model(self, X):
        return LinearModel()

    def caps(self, X, columns):
        # Only dense products are BLAS's; the loops give the same on any threads.
        return {"blas": blas_threads(0 if sp.issparse(X) else X.size)}

    def peak_bytes(self, size, columns, beside):
        copied = CHECKED if size.as_it_is else 1.0
        vectors = 8 * LINEAR_VECTORS * size.n * size.n_classes
        return round(copied * size.data_bytes) + vectors


def _check_kernel(name, value):
    if callable(value):
        check_function(name, value, "X", "Z")
    else:
        check_choice(name, value, KERNELS)


def _check_sigma(name, value):
    if isinstance(value, str):
        if value != AUTO:
            raise ValueError(f"{name} must be a number > 0 or {AUTO!r}, got {value!r}.")
        return
    check_number(name, value, above=0)
    check_number(name, value, at_least=1 / LARGEST, at_most=LARGEST)


class Kernel(FunctionSpace):
    """Functions sum_i alpha_i k(x_i, x) + b of a kernel."""

    inputs = "kernel"

    kernel: str | Callable = choice(
        "rbf",
        KERNELS,
        "How two points are compared.",
        rule=_check_kernel,
        values="{'rbf', 'linear', 'poly', 'precomputed'} or callable",
        offered=("rbf", "linear", "poly"),
        title="Kernel",
        words=("Gaussian", "Linear", "Polynomial"),
        place="more",
        help="How two points are compared: Gaussian, inner product or polynomial.",
    )
    sigma: float | str = number(
        AUTO,
        "Width of the Gaussian kernel exp(-|x - z|^2 / (2 sigma^2)); 'auto' is 1.7 "
        "times the median distance of a training point to its tenth neighbour, see "
        "`ssl_core.kernels.kernel_width`. Both distances are Euclidean, also where a "
        "graph has another metric.",
        also=(AUTO,),
        rule=_check_sigma,
        title="Kernel width σ",
        slider=(0.01, 1e4),
        log=True,
        needs=("kernel", "rbf"),
        help="Width σ of the Gaussian kernel: how far a point's influence reaches. "
        "Automatic: 1.7 times the median distance of a point to its tenth neighbour.",
        up="a smoother boundary with less detail",
    )
    degree: int = number(
        3,
        "Of the polynomial kernel (x'z + coef0)^degree.",
        integer=True,
        at_least=1,
        title="Polynomial degree",
        slider=(1, 12),
        place="more",
        needs=("kernel", "poly"),
        help="Degree of the polynomial kernel.",
        up="a boundary that may bend more often",
    )
    coef0: float = number(
        1.0,
        "Constant of the polynomial kernel.",
        title="Polynomial constant",
        slider=(0.0, 10.0),
        step=0.5,
        place="more",
        needs=("kernel", "poly"),
        help="Constant added to the inner product in the polynomial kernel.",
        up="more weight on the low powers of the features",
    )
    dtype: str = choice(
        "float64",
        DTYPES,
        "Precision in which the Gram matrix is stored.",
        title="Precision",
        words=("Double", "Single"),
        place="more",
        order=3,
        help="Precision in which the kernel matrix is stored.",
    )

    @property
    def from_outside(self) -> bool:
        return self.kernel == "precomputed" or callable(self.kernel)

    def check_training(self, X):
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise ValueError(
                f"a precomputed kernel must be a square matrix, got shape {X.shape}."
            )

    def model(self, X):
        sigma = self.sigma
        if self.kernel == "rbf" and sigma == AUTO:
            with capped(blas=1):  # as for the graph
                sigma = float(np.clip(kernel_width(X), 1 / LARGEST, LARGEST))
        return KernelExpansion(X, self.kernel, sigma, self.degree, self.coef0)

    def notes(self, X, codes):
        if self.kernel == "precomputed":
            return []
        notes = data_notes(X, codes)
        if self.kernel in ("linear", "poly"):
            notes += offset_notes(X, self.kernel)
        return notes

    def caps(self, X, columns):
        threads = blas_threads(X.shape[0] * columns)
        return {"blas": threads, "loops": threads}

    def peak_bytes(self, size, columns, beside):
        n = size.n
        K, double = gram_bytes(n, self.dtype) * columns // n, 8 * n * columns
        making = 2 * min(double, BLOCK_BYTES)
        if self.from_outside:  # checked by a factor, or converted
            proof = 2 * 8 * min(columns, PROOF_SIZE) ** 2
            making += max(proof, double if callable(self.kernel) else 0)
        else:
            making += size.data_bytes  # less its centre
        vectors = VECTORS + MACHINE_VECTORS * (size.machines - 1)
        return int(K + max(making, beside * 8 * n * n)) + 8 * vectors * n

    def gram(self, X, model: KernelExpansion, notes: list[Event]) -> Array:
        """K over all training points, symmetric and positive semi-definite.

        Kernels from outside are checked; a negative eigenvalue gets a ridge, which
        goes into the notes.
        """
        if self.kernel == "precomputed":
            K = np.array(X, dtype=self.dtype, order="C")
        else:
            with np.errstate(over="ignore", invalid="ignore"):  # checked below
                K = model.gram(dtype=self.dtype)
        self._check_values(K, (X.shape[0],) * 2)
        if self.from_outside:
            self._add_ridge(K, K, notes)
        return K

    def matrix(self, task, model: KernelExpansion, notes: list[Event]) -> Array:
        """`gram` of a task's points, shared with other runs on them."""
        return task.prepared(
            "gram", self, lambda notes: self.gram(task.X, model, notes), notes
        )

    def columns(self, X, model, labeled: Array, notes: list[Event]) -> Array:
        """K between all training points and some, of shape (n, l)."""
        with np.errstate(over="ignore", invalid="ignore"):  # checked below
            K = model.matrix(X, labeled).astype(self.dtype, copy=False)
        self._check_values(K, (X.shape[0], len(labeled)))
        if self.from_outside:
            self._add_ridge(K, K[labeled], notes, labeled)
        return K

    def _check_values(self, K, shape):
        """Right shape, finite, and small enough that products stay finite."""
        name = "callable" if callable(self.kernel) else self.kernel
        if K.shape != shape:
            raise ValueError(
                f"a {name} kernel must give a matrix of shape {shape} here, got "
                f"{K.shape}."
            )
        largest = max(abs(float(K.max())), abs(float(K.min())))
        limit = float(np.sqrt(np.finfo(K.dtype).max)) / len(K)
        if not largest <= limit:  # NaN included
            raise ValueError(
                f"the {name} kernel must be finite and below {limit:.0e} on these "
                f"points, got values up to {largest:.1e}; scale the features."
            )

    def _add_ridge(self, K, block, notes, rows=slice(None)):
        """Check the square block of training points; lift its negative eigenvalues."""
        name = "callable" if callable(self.kernel) else self.kernel
        scale = max(float(block.max()), -float(block.min())) or 1.0
        difference = asymmetry(block)
        if difference > 1e-6 * scale:
            raise ValueError(
                f"a {name} kernel must be symmetric, got a difference of "
                f"{difference:.1e} between K and its transpose."
            )
        rounding = NEGATIVE * scale * len(block)
        if none_below(block, -rounding):
            return
        lowest = smallest_eigenvalue(block)
        if lowest < -rounding:
            ridge = -1.01 * lowest
            K[np.arange(len(K))[rows], np.arange(len(block))] += ridge
            text = (
                "The kernel is not positive semi-definite (eigenvalue "
                f"{numerals.number(lowest)}): a ridge of {numerals.number(ridge)} was "
                "added to its diagonal."
            )
            notes.append(Event("ridge", text, {"ridge": ridge}))


def asymmetry(K) -> float:
    """The largest difference between K and its transpose, in blocks of rows."""
    step = max(16, BLOCK_BYTES // (8 * len(K)))
    starts = range(0, len(K), step)
    return max(
        float(np.abs(K[i : i + step] - K[:, i : i + step].T).max()) for i in starts
    )


class Graph(Settings):
    """The graph of nearest neighbours, and its Laplacian."""

    n_neighbors: int = number(
        6,
        "Of the data graph; a precomputed kernel's own distances are used with it.",
        integer=True,
        at_least=1,
        title="Neighbours",
        slider=(1, 60),
        unit="points",
        help="Neighbours of each point in the data graph.",
        up="more edges: labels spread faster, and more easily across a gap",
    )
    metric: str = choice(
        "euclidean",
        METRICS,
        "Distance by which neighbours are found and edges weighted; 'cosine', 1 - "
        "x'z / (|x| |z|), compares directions, as usual for embeddings and texts. New "
        "points of a method of the graph alone are compared by it, too. Only "
        "'euclidean' goes with a precomputed kernel, whose own distances are used.",
        title="Distance of points",
        words=("Euclidean", "Cosine (angle)", "Manhattan"),
        place="more",
        help="How far two points of the graph are apart: Euclidean, by the angle "
        "between them (for embeddings and texts), or the sum over all features.",
    )
    join: str = choice(
        "either",
        JOINS,
        "Which points are joined: 'either' where one is among the nearest of the "
        "other, 'mutual' where both are, [L07] section 2.2. Mutual neighbours keep "
        "dense and thin regions apart, but may leave points without an edge.",
        title="Join points that are",
        words=("Neighbours", "Mutual neighbours"),
        place="more",
        help="Join two points where one is a near neighbour of the other, or only "
        "where both are: fewer edges across gaps, and points may be left alone.",
    )
    weights: str = choice(
        "binary",
        WEIGHTS,
        "Of the graph's edges: 1; 'heat', exp(-d^2 / (2 t^2)) with one width t for "
        "all, their mean length; or 'local', exp(-d^2 / (s_i s_j)) with s_i the "
        "distance of point i to the last of its neighbours, [ZP04] section 2.",
        title="Edge weights",
        words=("All equal", "Larger for shorter edges", "Relative to local distances"),
        place="more",
        help="Weight of an edge of the graph: always 1, smaller for longer edges, or "
        "smaller for edges that are long for their region (self-tuning).",
    )
    W: Any = anything(
        None,
        "Weights of a graph from outside, symmetric and >= 0, with a row for each "
        "training point, labelled and unlabelled, in the order of X; the diagonal does "
        "not count. None makes the graph of nearest neighbours; with W the settings "
        "n_neighbors, metric, join and weights have no effect on the graph. The kernel "
        "and outputs of new points come from X as before. A function W(X) that makes "
        "the weights of given points also suits cross-validation, which trains on "
        "parts.",
        values="{array-like, sparse matrix} of shape (n, n), callable or None",
        rule=check_own,
    )
    normalized: bool = switch(
        True,
        "Normalised Laplacian D^(-1/2) (D - W) D^(-1/2).",
        title="Normalised Laplacian",
        place="more",
        help="Use the normalised Laplacian.",
        up="that points with many edges do not count more than others",
    )
    laplacian_degree: int = number(
        1,
        "Power p of the Laplacian.",
        integer=True,
        at_least=1,
        at_most=100,
        title="Laplacian degree p",
        slider=(1, 6),
        place="more",
        help="Power p of the Laplacian: a higher power asks for smoother functions.",
        up="smoothness beyond the direct neighbours",
    )
    gamma_I: float = number(
        1.0,
        "Intrinsic regularisation.",
        at_least=0,
        title="Intrinsic weight γ_I",
        slider=(1e-8, 1e3),
        log=True,
        extra=(0.0,),
        help="Intrinsic weight γ_I: how little the function may change along the data.",
        up="more similar outputs of neighbours: labels spread farther along the data",
    )

    @property
    def own_bytes(self) -> int:
        """About the bytes that weights from outside take while they are used."""
        if self.W is None or callable(self.W):
            return 0
        W = self.W if sp.issparse(self.W) else np.asarray(self.W)
        return EDGE_BYTES * (W.nnz if sp.issparse(W) else np.count_nonzero(W))

    def check_training(self, X, kernel: str | Callable = "") -> None:
        """Refuse training points or weights that make no graph, before any work."""
        if self.W is not None:
            if not callable(self.W):
                own_weights(self.W, X)
        elif kernel == "precomputed":
            if self.metric != "euclidean":
                raise ValueError(
                    f"metric must be 'euclidean' with a precomputed kernel, whose own "
                    f"distances make the graph, got {self.metric!r}; use a callable "
                    f"kernel, or a graph W."
                )
        elif self.metric == "cosine":
            check_directions(X)

    def edges(self, X, notes: list[Event], K: Array | None = None) -> sp.csr_array:
        """Symmetric sparse weights W of the edges, of shape (n, n).

        A precomputed kernel K stands for distances.
        """
        if self.W is None:
            W = self._neighbor_edges(X, notes, K)
        else:
            W = own_weights(self.W, X)
        if alone := int(np.count_nonzero(np.diff(W.indptr) == 0)):
            text = (
                f"{alone:,} of {W.shape[0]:,} points have no edge in the graph: no "
                f"label reaches them through it."
            )
            notes.append(Event("note", text, {"what": "no_edge", "count": alone}))
        return W

    def _neighbor_edges(self, X, notes, K):
        n = X.shape[0]
        n_neighbors = min(self.n_neighbors, n - 1)
        if n_neighbors < self.n_neighbors:
            text = (
                f"n_neighbors={self.n_neighbors} is more than {n} points have: "
                f"{n_neighbors} are used."
            )
            notes.append(Event("note", text, {"what": "n_neighbors"}))
        chosen = {"weights": self.weights, "join": self.join}
        if K is not None:
            return knn_weights_from_gram(K, n_neighbors, **chosen)
        # One BLAS thread anyway inside scikit-learn's search, which would restore
        # another run's number at its end.
        with capped(blas=1):
            return knn_weights(X, n_neighbors, metric=self.metric, **chosen)

    def laplacian(self, X, notes, K=None) -> Laplacian | None:
        """f' L^p f asks f to change little along the graph; None for gamma_I = 0."""
        if self.gamma_I == 0:
            return None
        W = self.edges(X, notes, K)
        return Laplacian(W, normalized=self.normalized, degree=self.laplacian_degree)

    def laplacian_of(
        self, task, notes: list[Event], K: Array | None
    ) -> Laplacian | None:
        """`laplacian` of a task's points, shared with other runs on them."""
        if self.gamma_I == 0:
            return None
        return task.prepared(
            "graph",
            (replace(self, gamma_I=1.0), K is None),
            lambda notes: self.laplacian(task.X, notes, K),
            notes,
        )


class GraphValues(FunctionSpace):
    """Values on the training points, joined by a graph; new points interpolate."""

    inputs = "graph"

    n_neighbors: int = shared(Graph, doc="Neighbours of each point in the data graph.")
    metric: str = shared(Graph)
    join: str = shared(Graph)
    weights: str = shared(Graph)
    W: Any = shared(Graph)

    def model(self, X):
        return Interpolation(X, self.n_neighbors, self.metric)

    def caps(self, X, columns):
        return {"blas": 1}  # products with a sparse graph know no threads

    def peak_bytes(self, size, columns, beside):
        edges = 2 * self.n_neighbors * size.n  # both ways, and what they are made of
        graph = Graph.of(self).own_bytes or EDGE_BYTES * edges
        vectors = 8 * VECTORS * size.n * size.n_classes
        return size.data_bytes + graph + vectors

    def edges(self, X, notes: list[Event]) -> sp.csr_array:
        """Symmetric sparse weights W of shape (n, n)."""
        return Graph.of(self).edges(X, notes)
