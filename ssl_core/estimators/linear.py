"""Linear methods as scikit-learn classifiers: the SVMlin family."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ssl_core.estimators import weighted
from ssl_core.estimators._inputs import MatrixLike
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.groups import ClassRatio, ClassWeights, Stopping
from ssl_core.estimators.spaces import Linear
from ssl_core.linalg.sparse import design
from ssl_core.problems.linear import LinearSVM, TransductiveSVM
from ssl_core.settings import HEAVIEST, Settings, number, shared
from ssl_core.solvers._linear import LinearState
from ssl_core.solvers._mfn import Training
from ssl_core.solvers.da import DA, DAState
from ssl_core.solvers.l2svm_mfn import MFNState, l2svm_mfn
from ssl_core.solvers.one_vs_rest import one_vs_rest
from ssl_core.solvers.tsvm import MultiSwitch, TSVMState
from ssl_core.trace import Array

TRAININGS = {
    "default": 10_000,
    "doc": "Maximum number of trainings.",
    "slider": (1, 10_000),
}


class Decay(Settings):
    """Weights of the terms of a linear classifier's objective."""

    lam: float = number(
        1e-3,
        "Weight of |w|^2 + b^2.",
        above=0,
        title="Weight decay λ",
        slider=(1e-7, 1e2),
        log=True,
        help="Regularisation λ: how small the weights must be.",
        up="smaller outputs, a wider margin, labels fitted less exactly",
    )
    lam_u: float = number(
        1.0,
        "Weight lambda' of the unlabelled points.",
        at_least=0,
        at_most=HEAVIEST,
        title="Unlabelled weight λ′",
        slider=(1e-6, 1e3),
        log=True,
        extra=(0.0,),
        help="Weight λ' of the unlabelled points.",
        up="a boundary farther from unlabelled points, and labels fitted less exactly",
    )


class LinearClassifier(SemiSupervisedClassifier):
    """What all linear classifiers share; a subclass builds one binary classifier.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1, d) and (1,), or (k, d) and (k,)
    """

    _space_kind = Linear

    lam: float = shared(Decay)
    class_weight: Any = shared(ClassWeights)

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

    @property
    def coef_(self) -> Array:
        """Weights, of shape (1, d) for two classes and (k, d) for more."""
        return np.atleast_2d(self.state_.w.T)

    @property
    def intercept_(self) -> Array:
        """Biases, of shape (1,) or (k,)."""
        return np.atleast_1d(self.state_.b)

    def _check_task(self, task):
        super()._check_task(task)
        ClassRatio.of(self).check_machines(task.Y.shape[1])
        if task.weight is None or getattr(self, "lam_u", 0.0) == 0.0:
            return
        given = task.weight[task.unlabeled]
        if len(given) and not given.any():
            raise ValueError(
                f"sample_weight must have a number above 0 for an unlabelled point, "
                f"got 0 for all {len(given)}; pass lam_u=0 to train on the labelled "
                f"points alone."
            )

    def _solve(self, task) -> Iterator[LinearState]:
        X = design(task.X)

        def make(j, y, start):
            return self._machine(X, y, j, start, task)

        return one_vs_rest(task.Y, task.start, make)

    def _machine(self, X, y, j, start, task) -> Iterator[LinearState]:
        """States of one binary classifier; transductive ones differ by their solver."""
        r = ClassRatio.of(self).of_machine(j)
        if r is None and task.weight is not None:
            r = task.weight[y > 0].sum() / task.weight[y != 0].sum()
        lam, lam_u = self.lam, self.lam_u
        problem = TransductiveSVM(X, y, lam=lam, lam_u=lam_u, r=r, cost=task.cost)
        return self._solver.of(self)(problem, start, Training.of(self))


class L2SVMClassifier(LinearClassifier):
    """Linear SVM with squared hinge loss by modified finite Newton, [SK07] 1.2.

        lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y f)^2

    Unlabeled points are ignored, but receive outputs. ``LinearSVC(
    loss="squared_hinge", intercept_scaling=1, C=1 / (2 * l * lam))`` has the same
    minimiser.
    """

    _state = MFNState

    schedule: str = shared(Training)
    stop: Any = shared(Stopping)
    tol: float = shared(Training)
    max_iter: int = shared(
        Stopping, default=50, doc="Maximum number of Newton steps.", slider=(1, 200)
    )
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)

    def _machine(self, X, y, j, start, task):
        cost = task.cost
        if cost is not None:
            cost = cost / cost[y != 0].sum()
        problem = LinearSVM.from_labels(X, y, lam=self.lam, cost=cost)
        return l2svm_mfn(problem, schedule=Training.of(self).last, start=start)


class TSVMClassifier(LinearClassifier):
    """Transductive linear SVM with multiple switching, [SK07] 1.3.

        lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y f)^2
            + lam_u/(2 u) sum_unlabeled max(0, 1 - y' f)^2

    over w, b and the labels y' of the unlabeled points, a share r of them positive.
    """

    _state = TSVMState
    _solver = MultiSwitch
    _max_iter_advice = "raise max_iter"

    lam_u: float = shared(Decay)
    r: Any = shared(ClassRatio)
    S: int | None = shared(MultiSwitch)
    lam_start: float = shared(MultiSwitch)
    rate: float = shared(MultiSwitch)
    schedule: str = shared(Training)
    stop: Any = shared(Stopping)
    tol: float = shared(Training)
    max_iter: int = shared(Stopping, **TRAININGS)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)

    def _check_parameters(self):
        super()._check_parameters()
        MultiSwitch.of(self).check_to(self.lam_u)


class DAClassifier(LinearClassifier):
    """Semi-supervised linear SVM by deterministic annealing, [SK07] 1.4.

        lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y f)^2
            + lam_u/(2 u) sum_unlabeled ( p max(0, 1 - f)^2 + (1 - p) max(0, 1 + f)^2 )
            + T/(2 u) sum_unlabeled ( p log p + (1 - p) log (1 - p) ),  mean(p) = r

    while T falls towards 0. ``tol`` also is the KL divergence and the entropy per point
    below which a temperature and the run end.
    """

    _state = DAState
    _solver = DA
    _max_iter_advice = "raise max_iter"

    lam_u: float = shared(Decay)
    r: Any = shared(ClassRatio)
    T: float = shared(DA)
    rate: float = shared(DA)
    anneal: bool = shared(DA)
    max_temperatures: int = shared(DA)
    schedule: str = shared(Training)
    stop: Any = shared(Stopping)
    tol: float = shared(Training)
    max_iter: int = shared(Stopping, **TRAININGS)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)


def linear_instead(est, kind: type[LinearClassifier] = TSVMClassifier):
    """A linear machine for the same data; none knows a precomputed kernel's points."""
    if est.kernel != "precomputed":
        yield kind()
