"""The Laplacian SVM family and its supervised baselines, [MB11]."""

import time
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from ssl_core.estimators import weighted
from ssl_core.estimators._inputs import MatrixLike
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.groups import Ambient, ClassWeights, Stopping
from ssl_core.estimators.linear import L2SVMClassifier, linear_instead
from ssl_core.estimators.spaces import Graph, Kernel
from ssl_core.problems import laplacian, supervised
from ssl_core.settings import shared
from ssl_core.solvers.lapsvm_dual import DualAscent, DualState
from ssl_core.solvers.newton import Newton, NewtonState
from ssl_core.solvers.pcg import ConjugateGradient, PCGState

NEWTON_STEPS = {
    "default": 50,
    "doc": "Maximum number of Newton steps.",
    "slider": (1, 100),
}
PCG_STOP = "When to stop: a norm below tol, or a check on the decisions."


def _in_single_precision(est):
    if est.dtype == "float64":
        yield clone(est).set_params(dtype="float32")


class SupervisedClassifier(SemiSupervisedClassifier):
    """Trains on the labelled points alone, in the primal, by Newton's method."""

    _space_kind = Kernel
    _state = NewtonState
    _solver = Newton
    _max_iter_advice = "raise max_iter"
    _problem: ClassVar[type]  # of the objective

    kernel: str | Callable = shared(Kernel)
    sigma: float | str = shared(Kernel)
    degree: int = shared(Kernel)
    coef0: float = shared(Kernel)
    gamma_A: float = shared(Ambient)
    bias: bool = shared(Ambient)
    class_weight: Any = shared(ClassWeights)
    dtype: str = shared(Kernel)

    @weighted.documented
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_val: MatrixLike | None = None,
        y_val: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        return self._fit(X, y, X_val, y_val, sample_weight)

    def lighter(self):
        yield from _in_single_precision(self)
        yield from linear_instead(self, L2SVMClassifier)

    def _columns(self, n, n_labeled):
        return n_labeled

    def _beside(self, size):
        return 3.0 * (size.n_labeled / size.n) ** 2  # Q, what it is made of, a factor

    def _solve(self, task):
        labeled = np.flatnonzero(~task.unlabeled)
        space = self._space()
        K = task.prepared(
            "columns",
            space,
            lambda notes: space.columns(task.X, self.model_, labeled, notes),
            task.notes,
        )
        weights = Ambient.of(self).weights
        problem = self._problem(K, task.Y, cost=task.cost, **weights)
        return self._solver.of(self)(problem, task.start)


class SVMClassifier(SupervisedClassifier):
    """Supervised SVM with squared hinge loss, trained in the primal.

    The baseline of [MB11]: unlabeled points are ignored, but receive outputs.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha )
    """

    _problem = supervised.SVM

    stop: Any = shared(Stopping)
    tol: float = shared(Newton)
    max_iter: int = shared(Stopping, **NEWTON_STEPS)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)


class RLSClassifier(SupervisedClassifier):
    """Supervised regularised least squares, one direct solve.

    1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha )
    """

    _problem = supervised.RLSC


class ManifoldClassifier(SemiSupervisedClassifier):
    """Kernel and data graph: the manifold-regularised classifiers.

    ``setup_seconds_`` are the CPU seconds of these two, which [MB11] does not count as
    training.
    """

    _space_kind = Kernel
    _problem: ClassVar[type]
    _factors: ClassVar[bool] = True  # a matrix as large as K, in double precision

    kernel: str | Callable = shared(Kernel)
    sigma: float | str = shared(Kernel)
    degree: int = shared(Kernel)
    coef0: float = shared(Kernel)
    n_neighbors: int = shared(Graph)
    metric: str = shared(Graph)
    join: str = shared(Graph)
    weights: str = shared(Graph)
    W: Any = shared(Graph)
    normalized: bool = shared(Graph)
    laplacian_degree: int = shared(Graph)
    gamma_A: float = shared(Ambient)
    bias: bool = shared(Ambient)
    gamma_I: float = shared(Graph)
    class_weight: Any = shared(ClassWeights)
    dtype: str = shared(Kernel)

    @weighted.documented
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_val: MatrixLike | None = None,
        y_val: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        return self._fit(X, y, X_val, y_val, sample_weight)

    def lighter(self):
        if self._factors:
            squared = self._problem is laplacian.LapRLSC
            kind = LapRLSPCGClassifier if squared else LapSVMPCGClassifier
            for dtype in dict.fromkeys((self.dtype, "float32")):
                yield kind(kernel=self.kernel, dtype=dtype)
        yield from _in_single_precision(self)
        yield from linear_instead(self)

    def _beside(self, size):
        """Those that factor end with a system made of two matrices (n, l)."""
        if not self._factors:
            return 0.0
        labeled = size.n_labeled / size.n
        plain = self.dtype == "float64" and self.laplacian_degree == 1
        whole = 1.0 if plain else 2.0  # K, or a power, is converted first
        return max(whole + labeled, 2.0 * labeled + 3.0 * labeled**2)

    def peak_bytes(self, size):
        return super().peak_bytes(size) + Graph.of(self).own_bytes

    def _check_task(self, task):
        super()._check_task(task)
        Graph.of(self).check_training(task.X, self.kernel)

    def _make_problem(self, task):
        start = time.thread_time()
        K = self._space().matrix(task, self.model_, task.notes)
        distances = K if self.kernel == "precomputed" else None
        L = Graph.of(self).laplacian_of(task, task.notes, distances)
        self.setup_seconds_ = time.thread_time() - start
        weights = Ambient.of(self).weights | {"cost": task.cost}
        return self._problem(K, L, task.Y, gamma_I=self.gamma_I, **weights)

    def _solve(self, task):
        return self._solver.of(self)(self._make_problem(task), task.start)


class LapRLSClassifier(ManifoldClassifier):
    """Laplacian regularised least squares, one direct solve, [MB11] eq. (14).

    1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )
    """

    _problem = laplacian.LapRLSC
    _state = NewtonState
    _solver = Newton


class LapSVMNewtonClassifier(ManifoldClassifier):
    """Laplacian SVM in the primal by Newton's method, [MB11] section 3.1.

    1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )
    """

    _problem = laplacian.LapSVM
    _state = NewtonState
    _solver = Newton
    _max_iter_advice = "raise max_iter"

    stop: Any = shared(Stopping)
    tol: float = shared(Newton)
    max_iter: int = shared(Stopping, **NEWTON_STEPS)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)


class LapSVMDualClassifier(ManifoldClassifier):
    """Laplacian SVM in the dual with hinge loss, [MB11] eq. (4)-(6).

    sum_labeled max(0, 1 - y f) + gamma_A alpha' K alpha + gamma_I alpha' KLK alpha
    """

    _problem = laplacian.LapSVM
    _state = DualState
    _solver = DualAscent

    stop: Any = shared(Stopping)
    tol: float = shared(DualAscent)
    max_iter: int = shared(
        Stopping,
        default=1000,
        doc="Maximum number of sweeps of pair updates.",
        slider=(1, 10_000),
    )
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)


class LapSVMPCGClassifier(ManifoldClassifier):
    """Laplacian SVM in the primal by preconditioned conjugate gradient.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )

    [MB11] Algorithm 1 with the line search of [MB11] section 3.2.1 and the early
    stopping of [MB11] section 4. ``stop=None`` watches the mixed product; the checks on
    decisions keep it as a second reason to stop.
    """

    _problem = laplacian.LapSVM
    _state = PCGState
    _solver = ConjugateGradient
    _factors = False

    stop: Any = shared(Stopping, help=PCG_STOP)
    tol: float = shared(ConjugateGradient)
    max_iter: int = shared(Stopping)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)


class LapRLSPCGClassifier(ManifoldClassifier):
    """Laplacian regularised least squares by PCG, closed-form steps, [MB11] 5.

    1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )
    """

    _problem = laplacian.LapRLSC
    _state = PCGState
    _solver = ConjugateGradient
    _factors = False

    stop: Any = shared(Stopping, help=PCG_STOP)
    tol: float = shared(ConjugateGradient)
    max_iter: int = shared(Stopping)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)
