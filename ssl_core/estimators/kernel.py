"""Kernel machines as scikit-learn classifiers: the Laplacian SVM family."""

import numpy as np
import scipy.sparse as sp

from ssl_core.estimators._inputs import (
    check_choice,
    check_memory,
    check_number,
    check_switch,
    data_notes,
    offset_notes,
)
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.expansion import KernelExpansion
from ssl_core.graph import WEIGHTS, Laplacian, knn_weights, knn_weights_from_gram
from ssl_core.kernels import KERNELS, canonical, gram
from ssl_core.linalg.spectrum import smallest_eigenvalue
from ssl_core.linalg.threads import blas_threads, capped
from ssl_core.problems import laplacian, supervised
from ssl_core.solvers.lapsvm_dual import lapsvm_dual
from ssl_core.solvers.newton import newton
from ssl_core.solvers.pcg import pcg
from ssl_core.stopping import Run, make_rule
from ssl_core.trace import Event, decide

DTYPES = ("float64", "float32")
LARGEST = 1e150  # numbers whose squares are numbers, too
NEGATIVE = 1e-8  # an eigenvalue below -NEGATIVE x the largest is not rounding


class KernelMachine(SemiSupervisedClassifier):
    """What all kernel machines share: the kernel and its Gram matrix."""

    _largest = LARGEST

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _check_parameters(self):
        if not callable(self.kernel):
            check_choice("kernel", self.kernel, KERNELS)
        check_number("sigma", self.sigma, above=0)
        check_number("sigma", self.sigma, at_least=1 / LARGEST, at_most=LARGEST)
        check_number("degree", self.degree, at_least=1, integer=True)
        check_number("coef0", self.coef0)
        check_number("gamma_A", self.gamma_A, above=0)
        check_choice("dtype", self.dtype, DTYPES)

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

    def _caps(self, task):
        number = blas_threads(len(task.y) ** 2)
        return {"blas": number, "loops": number}

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
            K = np.array(task.X, dtype=self.dtype, order="C")
        else:
            parameters = {
                "sigma": self.sigma,
                "degree": self.degree,
                "coef0": self.coef0,
            }
            with np.errstate(over="ignore", invalid="ignore"):  # checked below
                K = gram(task.X, kernel=self.kernel, dtype=self.dtype, **parameters)
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
        lowest = smallest_eigenvalue(block)
        if lowest < -NEGATIVE * scale * len(block):
            ridge = -1.01 * lowest
            K[np.arange(len(K))[rows], np.arange(len(block))] += ridge
            text = (
                f"The kernel is not positive semi-definite (eigenvalue {lowest:.2e}): "
                f"a ridge of {ridge:.2e} was added to its diagonal."
            )
            task.notes.append(Event("ridge", text, {"ridge": ridge}))


class _Supervised(KernelMachine):
    """Trains on the labelled points alone, in the primal, by Newton's method."""

    _problem: type

    def __init__(
        self,
        *,
        kernel="rbf",
        sigma=1.0,
        degree=3,
        coef0=1.0,
        gamma_A=1e-2,
        max_iter=50,
        dtype="float64",
        unlabeled=-1,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.coef0 = coef0
        self.gamma_A = gamma_A
        self.max_iter = max_iter
        self.dtype = dtype
        self.unlabeled = unlabeled

    _max_iter_advice = "raise max_iter"

    def _check_parameters(self):
        super()._check_parameters()
        check_number("max_iter", self.max_iter, at_least=0, integer=True)

    def _check_task(self, task):
        n_labeled = np.count_nonzero(task.Y.any(axis=1))
        check_memory(len(task.y), self.dtype, n_labeled)

    def _caps(self, task):
        number = blas_threads(len(task.y) * np.count_nonzero(task.Y.any(axis=1)))
        return {"blas": number, "loops": number}

    def _solve(self, task):
        labeled = np.flatnonzero(task.Y.any(axis=1))
        with np.errstate(over="ignore", invalid="ignore"):  # checked below
            K = self.model_.matrix(task.X, labeled).astype(self.dtype, copy=False)
        self._check_values(K, (len(task.y), len(labeled)))
        if self._from_outside:
            self._add_ridge(K, K[labeled], task, labeled)
        problem = self._problem(K, task.Y, gamma_A=self.gamma_A)
        return newton(problem, max_iter=self.max_iter, start=task.start)


class SVMClassifier(_Supervised):
    """Supervised SVM with squared hinge loss, trained in the primal.

    The baseline of [MB11]: unlabeled points are ignored, but receive outputs.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha )

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "precomputed"} or callable, default="rbf"
    sigma : float, default=1.0
        Width of the Gaussian kernel exp(-|x - z|^2 / (2 sigma^2)).
    degree, coef0 : polynomial kernel (x'z + coef0)^degree
    gamma_A : float, default=1e-2
        Ambient regularisation; C = 1 / gamma_A in the usual scaling.
    max_iter : int, default=50
    dtype : {"float64", "float32"}, default="float64"
        Precision in which the Gram matrix is stored.
    unlabeled : default=-1
        The mark of unlabeled points in y.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    state_ : NewtonState
        The last state: `state_.alpha`, `state_.b`, `state_.status`.
    n_iter_ : int
    """

    _problem = supervised.SVM


class RLSClassifier(_Supervised):
    """Supervised regularised least squares; parameters as `SVMClassifier`."""

    _problem = supervised.RLSC


class LaplacianMachine(KernelMachine):
    """What the manifold-regularised machines share: kernel and graph."""

    _problem: type

    def __init__(
        self,
        *,
        kernel="rbf",
        sigma=1.0,
        degree=3,
        coef0=1.0,
        n_neighbors=6,
        weights="binary",
        normalized=True,
        laplacian_degree=1,
        gamma_A=1e-2,
        gamma_I=1.0,
        dtype="float64",
        unlabeled=-1,
    ):
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.coef0 = coef0
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.normalized = normalized
        self.laplacian_degree = laplacian_degree
        self.gamma_A = gamma_A
        self.gamma_I = gamma_I
        self.dtype = dtype
        self.unlabeled = unlabeled

    def _check_parameters(self):
        super()._check_parameters()
        check_number("gamma_I", self.gamma_I, at_least=0)
        check_number("n_neighbors", self.n_neighbors, at_least=1, integer=True)
        number = self.laplacian_degree
        check_number("laplacian_degree", number, at_least=1, integer=True)
        check_choice("weights", self.weights, WEIGHTS)
        check_switch("normalized", self.normalized)

    def _check_task(self, task):
        check_memory(len(task.y), self.dtype)

    def _laplacian(self, task, K):
        if self.gamma_I == 0:
            return None
        n = len(task.y)
        n_neighbors = min(self.n_neighbors, n - 1)
        if n_neighbors < self.n_neighbors:
            text = (
                f"n_neighbors={self.n_neighbors} is more than {n} points have: "
                f"{n_neighbors} are used."
            )
            task.notes.append(Event("note", text, {"what": "n_neighbors"}))
        if self.kernel == "precomputed":
            W = knn_weights_from_gram(K, n_neighbors, weights=self.weights)
        else:
            # One BLAS thread anyway inside scikit-learn's search, which would restore
            # another run's number at its end.
            with capped(blas=1):
                W = knn_weights(task.X, n_neighbors, weights=self.weights)
        return Laplacian(W, normalized=self.normalized, degree=self.laplacian_degree)

    def _make_problem(self, task):
        K = self._gram(task)
        L = self._laplacian(task, K)
        return self._problem(K, L, task.Y, gamma_A=self.gamma_A, gamma_I=self.gamma_I)


class LapRLSClassifier(LaplacianMachine):
    """Laplacian regularised least squares, one direct solve, [MB11] eq. (14).

        1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "precomputed"} or callable, default="rbf"
    sigma : float, default=1.0
        Width of the Gaussian kernel exp(-|x - z|^2 / (2 sigma^2)).
    degree, coef0 : polynomial kernel (x'z + coef0)^degree
    n_neighbors : int, default=6
        Of the data graph; a precomputed kernel's own distances are used with it.
    weights : {"binary", "heat"}, default="binary"
    normalized : bool, default=True
        Normalised Laplacian D^(-1/2) (D - W) D^(-1/2).
    laplacian_degree : int, default=1
        Power p of the Laplacian.
    gamma_A, gamma_I : float, default=1e-2 and 1
        Ambient (> 0) and intrinsic (>= 0) regularisation.
    dtype : {"float64", "float32"}, default="float64"
        Precision in which the Gram matrix is stored.
    unlabeled : default=-1
        The mark of unlabeled points in y.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    state_ : State
        The last state: `state_.alpha`, `state_.b`, `state_.status`.
    n_iter_ : int
    """

    _problem = laplacian.LapRLSC

    def _solve(self, task):
        return newton(self._make_problem(task), start=task.start)


class LapSVMNewtonClassifier(LaplacianMachine):
    """Laplacian SVM in the primal by Newton's method, [MB11] section 3.1.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )

    Parameters as `LapRLSClassifier`, and

    Parameters
    ----------
    max_iter : int, default=50
        Newton steps; a handful is the rule.
    """

    _problem = laplacian.LapSVM
    _max_iter_advice = "raise max_iter"

    def __init__(
        self,
        *,
        kernel="rbf",
        sigma=1.0,
        degree=3,
        coef0=1.0,
        n_neighbors=6,
        weights="binary",
        normalized=True,
        laplacian_degree=1,
        gamma_A=1e-2,
        gamma_I=1.0,
        max_iter=50,
        dtype="float64",
        unlabeled=-1,
    ):
        super().__init__(
            kernel=kernel,
            sigma=sigma,
            degree=degree,
            coef0=coef0,
            n_neighbors=n_neighbors,
            weights=weights,
            normalized=normalized,
            laplacian_degree=laplacian_degree,
            gamma_A=gamma_A,
            gamma_I=gamma_I,
            dtype=dtype,
            unlabeled=unlabeled,
        )
        self.max_iter = max_iter

    def _check_parameters(self):
        super()._check_parameters()
        check_number("max_iter", self.max_iter, at_least=0, integer=True)

    def _solve(self, task):
        problem = self._make_problem(task)
        return newton(problem, max_iter=self.max_iter, start=task.start)


class LapSVMDualClassifier(LapSVMNewtonClassifier):
    """Laplacian SVM in the dual with hinge loss, [MB11] eq. (4)-(6).

        sum_labeled max(0, 1 - y f) + gamma_A alpha' K alpha + gamma_I alpha' KLK alpha

    Parameters as `LapRLSClassifier`, and

    Parameters
    ----------
    tol : float, default=1e-6
        Largest violation of the optimality conditions.
    max_iter : int, default=1000
        Sweeps of l pair updates.
    """

    _max_iter_advice = "raise max_iter or loosen tol"

    def __init__(
        self,
        *,
        kernel="rbf",
        sigma=1.0,
        degree=3,
        coef0=1.0,
        n_neighbors=6,
        weights="binary",
        normalized=True,
        laplacian_degree=1,
        gamma_A=1e-2,
        gamma_I=1.0,
        tol=1e-6,
        max_iter=1000,
        dtype="float64",
        unlabeled=-1,
    ):
        super().__init__(
            kernel=kernel,
            sigma=sigma,
            degree=degree,
            coef0=coef0,
            n_neighbors=n_neighbors,
            weights=weights,
            normalized=normalized,
            laplacian_degree=laplacian_degree,
            gamma_A=gamma_A,
            gamma_I=gamma_I,
            max_iter=max_iter,
            dtype=dtype,
            unlabeled=unlabeled,
        )
        self.tol = tol

    def _check_parameters(self):
        super()._check_parameters()
        check_number("tol", self.tol, at_least=0)

    def _solve(self, task):
        problem = self._make_problem(task)
        return lapsvm_dual(
            problem, tol=self.tol, max_iter=self.max_iter, start=task.start
        )


class LapSVMPCGClassifier(LapSVMDualClassifier):
    """Laplacian SVM in the primal by preconditioned conjugate gradient.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )

    [MB11] Algorithm 1 with the line search of section 3.2.1 and the early stopping of
    section 4. Parameters as `LapRLSClassifier`, and

    Parameters
    ----------
    stop : None, str or rule, default=None
        When to stop: one of the names in `ssl_core.stopping.RULES` ("stability",
        "validation", "mixed", "gradient", ...) or a rule such as
        ``stability_check(every=10)``. None watches the mixed product.
    tol : float, default=1e-6
        Threshold on the rule's norm, relative to the start; 0 runs to ``max_iter``.
        The checks on decisions keep it as a second reason to stop.
    max_iter : int, default=500
    check_every : int or None, default=None
        Iterations between two checks of a rule given by name; None means
        theta = round(sqrt(n) / 2).
    stop_per_class : bool, default=False
        For k > 2 classes: let every machine stop by its own decision. By default
        the joint decision is watched while all train together, as [MB11] 6.4 suggests.
    """

    def __init__(
        self,
        *,
        kernel="rbf",
        sigma=1.0,
        degree=3,
        coef0=1.0,
        n_neighbors=6,
        weights="binary",
        normalized=True,
        laplacian_degree=1,
        gamma_A=1e-2,
        gamma_I=1.0,
        stop=None,
        tol=1e-6,
        max_iter=500,
        check_every=None,
        stop_per_class=False,
        dtype="float64",
        unlabeled=-1,
    ):
        super().__init__(
            kernel=kernel,
            sigma=sigma,
            degree=degree,
            coef0=coef0,
            n_neighbors=n_neighbors,
            weights=weights,
            normalized=normalized,
            laplacian_degree=laplacian_degree,
            gamma_A=gamma_A,
            gamma_I=gamma_I,
            tol=tol,
            max_iter=max_iter,
            dtype=dtype,
            unlabeled=unlabeled,
        )
        self.stop = stop
        self.check_every = check_every
        self.stop_per_class = stop_per_class

    def _check_parameters(self):
        super()._check_parameters()
        if self.check_every is not None:
            check_number("check_every", self.check_every, at_least=1, integer=True)
        check_switch("stop_per_class", self.stop_per_class)
        make_rule(self.stop, tol=self.tol, every=self.check_every)

    def _check_task(self, task):
        super()._check_task(task)
        # A rule that lacks validation points says so; their outputs can wait.
        rule = make_rule(self.stop, tol=self.tol, every=self.check_every)
        _, y_val = task.watched.get("val", (None, None))
        decisions = None if y_val is None else decide
        rule.watch(Run(len(task.y), task.unlabeled, decisions, y_val))

    def _solve(self, task):
        rule = make_rule(self.stop, tol=self.tol, every=self.check_every)
        if self.stop_per_class and task.Y.shape[1] > 1:
            watch = [rule.watch(run) for run in self._machine_runs(task)]
        else:
            watch = rule.watch(self._run(task))
        problem = self._make_problem(task)
        return pcg(problem, watch=watch, max_iter=self.max_iter, start=task.start)

    def _unfinished(self) -> str:
        state = self.state_
        return f" with mixed_product={state.mixed_product:.1e} (tol={self.tol:g})"


class LapRLSPCGClassifier(LapSVMPCGClassifier):
    """Laplacian regularised least squares by PCG, closed-form steps, [MB11] 5.

    Parameters as `LapSVMPCGClassifier`.
    """

    _problem = laplacian.LapRLSC
