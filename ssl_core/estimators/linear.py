"""Linear machines as scikit-learn classifiers: the SVMlin family."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from ssl_core.estimators._inputs import data_notes
from ssl_core.estimators.base import Iterative
from ssl_core.estimators.class_ratio import ClassRatio
from ssl_core.estimators.parameters import choice, number, switch
from ssl_core.linalg.sparse import design
from ssl_core.models import LinearModel
from ssl_core.problems.linear import LinearSVM, TransductiveSVM
from ssl_core.solvers._linear import LinearState
from ssl_core.solvers._mfn import SVMLIN, Schedule
from ssl_core.solvers.da import EPS_PATH as DA_EPS_PATH
from ssl_core.solvers.da import MAX_TEMPERATURES, T_START, DAState, da
from ssl_core.solvers.l2svm_mfn import MFNState, l2svm_mfn
from ssl_core.solvers.one_vs_rest import one_vs_rest
from ssl_core.solvers.tsvm import EPS_PATH as TSVM_EPS_PATH
from ssl_core.solvers.tsvm import LAM_START, TSVMState, tsvm
from ssl_core.threads import blas_threads
from ssl_core.trace import Array

LARGEST = 1e70  # conjugate gradients square the products of two features
SCHEDULES = ("fast", "svmlin")
VECTORS = 12  # of n numbers that a run of one machine holds beside X and its copy


class LinearMachine(Iterative):
    """What all linear machines share; a subclass builds one binary machine.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1, d) and (1,), or (k, d) and (k,)
    """

    _largest = LARGEST

    lam = number(1e-3, "Weight of |w|^2 + b^2.", above=0)
    schedule = choice(
        "fast",
        SCHEDULES,
        "How exactly machines are trained on the way to the last one: as far as it is "
        "worth, or to ``tol`` as the SVMlin program does.",
    )
    tol = number(
        1e-6,
        "eps and tau of the paper: the gradient relative to the residuals, and how "
        "far a margin may be on the wrong side of 1; also the threshold of a rule "
        "given by name.",
        at_least=0,
    )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @property
    def coef_(self) -> Array:
        """Weights, of shape (1, d) for two classes and (k, d) for more."""
        return np.atleast_2d(self.state_.w.T)

    @property
    def intercept_(self) -> Array:
        """Biases, of shape (1,) or (k,)."""
        return np.atleast_1d(self.state_.b)

    _accept_sparse = ("csr", "csc")  # CSC stays CSC: nothing is copied

    def _model(self, X):
        return LinearModel()

    def _caps(self, task):
        # Only dense products are BLAS's; the loops give the same on any threads.
        X = task.X
        return {"blas": blas_threads(0 if sp.issparse(X) else X.size)}

    def peak_bytes(self, size):
        return size.data_bytes + 8 * VECTORS * size.n * size.n_classes

    def _notes(self, X, codes):
        return data_notes(X, codes)

    def _schedule(self) -> Schedule:
        base = SVMLIN if self.schedule == "svmlin" else Schedule()
        return replace(base, eps=self.tol, tau=self.tol)

    def _solve(self, task) -> Iterator[LinearState]:
        X = design(task.X)

        def make(j, y, start):
            return self._machine(X, y, j, start)

        return one_vs_rest(task.Y, task.start, make)

    def _machine(self, X, y, j, start) -> Iterator[LinearState]:
        raise NotImplementedError  # a subclass knows its algorithm


class L2SVMClassifier(LinearMachine):
    """Linear SVM with squared hinge loss by modified finite Newton, [SK07] 1.2.

        lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y f)^2

    Unlabeled points are ignored, but receive outputs. ``LinearSVC(
    loss="squared_hinge", intercept_scaling=1, C=1 / (2 * l * lam))`` has the same
    minimiser.
    """

    _state = MFNState

    max_iter = number(50, "Most Newton steps.", integer=True, at_least=0)

    def _machine(self, X, y, j, start):
        problem = LinearSVM.from_labels(X, y, lam=self.lam)
        return l2svm_mfn(problem, schedule=self._schedule(), start=start)


class _Transductive(ClassRatio, LinearMachine):
    """What TSVM and DA share: lambda' and the class ratio."""

    _max_iter_advice = "raise max_iter"

    lam_u = number(1.0, "Weight lambda' of the unlabelled points.", at_least=0)
    rate = number(1.5, "Factor of the annealing schedule.", above=1)
    max_iter = number(10_000, "Most trainings.", integer=True, at_least=0)

    def _problem(self, X, y, j) -> TransductiveSVM:
        r = self._ratio(j)
        return TransductiveSVM(X, y, lam=self.lam, lam_u=self.lam_u, r=r)

    def _eps_path(self, default):
        """What the path is solved to: SVMlin solves it as well as its end."""
        return self.tol if self.schedule == "svmlin" else default


class TSVMClassifier(_Transductive):
    """Transductive linear SVM with multiple switching, [SK07] 1.3.

        lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y f)^2
            + lam_u/(2 u) sum_unlabeled max(0, 1 - y' f)^2

    over w, b and the labels y' of the unlabeled points, a share r of them positive.
    """

    _state = TSVMState

    S = number(
        None,
        "Most pairs of labels switched at once; None is as many as there are.",
        integer=True,
        optional=True,
        at_least=1,
    )
    lam_start = number(LAM_START, "First lambda'; ``rate`` raises it.", above=0)

    def _machine(self, X, y, j, start):
        return tsvm(
            self._problem(X, y, j),
            S=self.S,
            lam_start=self.lam_start,
            rate=self.rate,
            schedule=self._schedule(),
            eps_path=self._eps_path(TSVM_EPS_PATH),
            start=start,
        )


class DAClassifier(_Transductive):
    """Semi-supervised linear SVM by deterministic annealing, [SK07] 1.4.

        lam/2 (|w|^2 + b^2) + 1/(2 l) sum_labeled max(0, 1 - y f)^2
            + lam_u/(2 u) sum_unlabeled ( p max(0, 1 - f)^2 + (1 - p) max(0, 1 + f)^2 )
            + T/(2 u) sum_unlabeled ( p log p + (1 - p) log (1 - p) ),  mean(p) = r

    while T falls towards 0. ``tol`` also is the KL divergence and the entropy per point
    below which a temperature and the run end.
    """

    _state = DAState

    T = number(T_START, "First temperature; ``rate`` divides it.", above=0)
    anneal = switch(True, "False stays at T.")
    max_temperatures = number(
        MAX_TEMPERATURES, "Most temperatures.", integer=True, at_least=1
    )

    def _machine(self, X, y, j, start):
        return da(
            self._problem(X, y, j),
            T=self.T,
            rate=self.rate,
            anneal=self.anneal,
            eps=self.tol,
            schedule=self._schedule(),
            eps_path=self._eps_path(DA_EPS_PATH),
            max_temperatures=self.max_temperatures,
            start=start,
        )


@dataclass(frozen=True, slots=True)
class GridPoint:
    """One machine of a grid, fitted."""

    lam: float
    lam_u: float | None
    estimator: LinearMachine


def regularization_grid(estimator, X, y, *, lams, lam_us=(None,)):
    """Machines for every lam and lam_u, each seeded by its neighbour on the grid.

    [SK07] section 1.2.1: the solution for one lambda is a good start for the next.
    lam falls and lam_u rises along the grid. For the next lam_u a TSVM goes on raising
    lambda' from its neighbour's. For the next lam it takes only the neighbour's w and
    raises lambda' from the start again, since labels found under another lam can hold
    it in a worse minimum; so does DA with its temperature for every machine.

    Parameters
    ----------
    estimator : L2SVMClassifier, TSVMClassifier or DAClassifier
        Its other parameters hold for the whole grid; it is not changed.
    lams : sequence of float
    lam_us : sequence of float
        Leave it out for `L2SVMClassifier`, which has none.

    Returns
    -------
    grid : list of GridPoint
        Largest lam first, and for each lam the smallest lam_u first.
    """
    grid: list[GridPoint] = []
    row_start = None
    for lam in sorted(lams, reverse=True):
        start = row_start
        for lam_u in lam_us if lam_us == (None,) else sorted(lam_us):
            machine = clone(estimator).set_params(lam=lam)
            if lam_u is not None:
                machine.set_params(lam_u=lam_u)
            for _ in machine.iterate(X, y, start=start):
                pass
            state = machine.state_
            if start is row_start:
                row_start = _reset(state, "lam_u", 0.0)
            # A DA machine would stay at its neighbour's last temperature.
            start = _reset(state, "T", getattr(machine, "T", None))
            grid.append(GridPoint(lam, lam_u, machine))
        row_start = _reset(row_start, "T", getattr(machine, "T", None))
    return grid


def _reset(state, name, value):
    """The state with one of its settings changed, for all classes; if it has it."""
    if not hasattr(state, name):
        return state
    per_class = state.per_class
    if per_class is not None:
        per_class = {**per_class, name: np.full_like(per_class[name], value)}
    return replace(state, **{name: value}, per_class=per_class)
