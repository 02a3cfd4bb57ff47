"""What all kernel machines share as scikit-learn classifiers: kernel and graph."""

import numpy as np
import scipy.sparse as sp

from ssl_core.estimators._inputs import check_memory, data_notes, offset_notes
from ssl_core.estimators.base import LARGEST, SemiSupervisedClassifier, Size
from ssl_core.estimators.parameters import (
    anything,
    check_choice,
    check_number,
    choice,
    number,
    switch,
)
from ssl_core.graph import WEIGHTS, Laplacian, knn_weights, knn_weights_from_gram
from ssl_core.kernels import BLOCK_BYTES, KERNELS, canonical, gram, gram_bytes
from ssl_core.linalg.spectrum import none_below, smallest_eigenvalue
from ssl_core.models import KernelExpansion
from ssl_core.threads import blas_threads, capped
from ssl_core.trace import Event

DTYPES = ("float64", "float32")
VECTORS = 50  # of n numbers that a run holds beside its matrices: graph, outputs, ...
NEGATIVE = 1e-8  # an eigenvalue below -NEGATIVE x the largest is not rounding


def _check_kernel(name, value):
    if not callable(value):
        check_choice(name, value, KERNELS)


def _check_sigma(name, value):
    check_number(name, value, above=0)
    check_number(name, value, at_least=1 / LARGEST, at_most=LARGEST)


class KernelMachine(SemiSupervisedClassifier):
    """What all kernel machines share: the kernel and its Gram matrix."""

    kernel = anything(
        "rbf",
        "How two points are compared.",
        kind="{'rbf', 'linear', 'poly', 'precomputed'} or callable",
        check=_check_kernel,
    )
    sigma = anything(
        1.0,
        "Width of the Gaussian kernel exp(-|x - z|^2 / (2 sigma^2)).",
        kind="float",
        check=_check_sigma,
    )
    degree = number(
        3, "Of the polynomial kernel (x'z + coef0)^degree.", integer=True, at_least=1
    )
    coef0 = number(1.0, "Constant of the polynomial kernel.")

    _precision = "float64"  # in which the Gram matrix is stored
    # Matrices as large as K in double precision that a run holds beside it at its
    # peak; tests/estimators/test_peaks.py measures them.
    _beside = 0.0

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _validate(self, X, y="no_validation", *, reset):
        checked = super()._validate(X, y, reset=reset)
        K = checked[0] if reset else checked
        if sp.issparse(K) and not K.has_canonical_format:
            K = canonical(K)  # once, rather than in every block of a product
            checked = (K, checked[1]) if reset else K
        if reset and self.kernel == "precomputed" and K.shape[0] != K.shape[1]:
            raise ValueError(
                f"a precomputed kernel must be a square matrix, got shape {K.shape}."
            )
        return checked

    def _model(self, X):
        return KernelExpansion(X, self.kernel, self.sigma, self.degree, self.coef0)

    def _columns(self, task) -> int:
        """Columns of the kernel matrix that a run holds: all training points."""
        return len(task.y)

    def _kernel_columns(self, size: Size) -> int:
        """Columns of K itself."""
        return size.n

    def peak_bytes(self, size):
        columns = self._kernel_columns(size)
        K = gram_bytes(size.n, self._precision) * columns // size.n
        double = 8 * size.n * columns
        beside = max(2 * min(double, BLOCK_BYTES), self._beside * double)
        return int(K + beside) + 8 * VECTORS * size.n

    def _check_task(self, task):
        super()._check_task(task)
        check_memory(
            len(task.y),
            self._precision,
            self._columns(task),
            single="dtype" in self.get_params(),
        )

    def _caps(self, task):
        threads = blas_threads(len(task.y) * self._columns(task))
        return {"blas": threads, "loops": threads}

    def _notes(self, X, codes):
        if self.kernel == "precomputed":
            return []
        notes = data_notes(X, codes)
        if self.kernel in ("linear", "poly"):
            notes += offset_notes(X, self.kernel)
        return notes

    def _gram(self, task):
        """K over all training points, symmetric and positive semi-definite.

        Kernels from outside are checked; a negative eigenvalue gets a ridge, which
        the first state tells.
        """
        if self.kernel == "precomputed":
            K = np.array(task.X, dtype=self._precision, order="C")
        else:
            parameters = {
                "sigma": self.sigma,
                "degree": self.degree,
                "coef0": self.coef0,
            }
            with np.errstate(over="ignore", invalid="ignore"):  # checked below
                K = gram(
                    task.X, kernel=self.kernel, dtype=self._precision, **parameters
                )
        self._check_values(K, (len(task.y),) * 2)
        if self._from_outside:
            self._add_ridge(K, K, task)
        return K

    @property
    def _from_outside(self):
        return self.kernel == "precomputed" or callable(self.kernel)

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

    def _add_ridge(self, K, block, task, rows=slice(None)):
        """Check the square block of training points; lift its negative eigenvalues."""
        name = "callable" if callable(self.kernel) else self.kernel
        scale = float(np.abs(block).max()) or 1.0
        difference = float(np.abs(block - block.T).max())
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
                f"The kernel is not positive semi-definite (eigenvalue {lowest:.2e}): "
                f"a ridge of {ridge:.2e} was added to its diagonal."
            )
            task.notes.append(Event("ridge", text, {"ridge": ridge}))


class StoredKernelMachine(KernelMachine):
    """A kernel machine that multiplies with K, in the precision it is stored in."""

    dtype = choice("float64", DTYPES, "Precision in which the Gram matrix is stored.")

    @property
    def _precision(self):
        return self.dtype


class GraphMachine(KernelMachine):
    """A kernel machine that also has a graph of its training points."""

    n_neighbors = number(
        6,
        "Of the data graph; a precomputed kernel's own distances are used with it.",
        integer=True,
        at_least=1,
    )
    weights = choice("binary", WEIGHTS, "Of the graph's edges.")

    def _graph(self, task, K):
        """Symmetric sparse weights W of the edges, of shape (n, n)."""
        n = len(task.y)
        n_neighbors = min(self.n_neighbors, n - 1)
        if n_neighbors < self.n_neighbors:
            text = (
                f"n_neighbors={self.n_neighbors} is more than {n} points have: "
                f"{n_neighbors} are used."
            )
            task.notes.append(Event("note", text, {"what": "n_neighbors"}))
        if self.kernel == "precomputed":
            return knn_weights_from_gram(K, n_neighbors, weights=self.weights)
        # One BLAS thread anyway inside scikit-learn's search, which would restore
        # another run's number at its end.
        with capped(blas=1):
            return knn_weights(task.X, n_neighbors, weights=self.weights)


class ManifoldMachine(GraphMachine):
    """A machine that asks f to change little along its graph: f' L^p f."""

    normalized = switch(True, "Normalised Laplacian D^(-1/2) (D - W) D^(-1/2).")
    laplacian_degree = number(1, "Power p of the Laplacian.", integer=True, at_least=1)
    gamma_I = number(1.0, "Intrinsic regularisation.", at_least=0)

    def _laplacian(self, task, K) -> Laplacian | None:
        """None where gamma_I = 0 and no graph is needed."""
        if self.gamma_I == 0:
            return None
        W = self._graph(task, K)
        return Laplacian(W, normalized=self.normalized, degree=self.laplacian_degree)
