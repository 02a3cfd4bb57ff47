"""The scikit-learn façade that all algorithms share.

An estimator translates once, at the door: scikit-learn's labels (-1 = unlabeled, any
classes otherwise) into the core's, parameters into a problem and a stopping rule. The
rest is one generator, which `fit` drains, `iterate` hands out and `trace` records.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from halfmoon.common import memory
from ssl_core.driver import drive, machine
from ssl_core.estimators._inputs import (
    MatrixLike,
    check_container,
    check_conversion,
    check_finite,
    check_labels,
    check_mark,
    check_shapes,
    check_size,
    check_start,
    check_structure,
    double_bytes,
    encode_labels,
    encode_truth,
    filled,
    is_missing,
    is_unlabeled,
    labels_of,
    marking,
    one_vs_rest,
    plain,
    without_string_type,
)
from ssl_core.estimators._judged import warn_of_judged_marks
from ssl_core.estimators.budget import Size, check_run
from ssl_core.estimators.prepared import Prepared
from ssl_core.estimators.spaces import FunctionSpace
from ssl_core.estimators.weighted import costs, labeled_part
from ssl_core.kernels import canonical
from ssl_core.maker import maker_of
from ssl_core.quantities import DISTANCE, with_role
from ssl_core.settings import anything, declare, settings_of
from ssl_core.solvers.settings import Solver
from ssl_core.stopping import Rule, Run, make_rule
from ssl_core.threads import capped, stepwise
from ssl_core.trace import (
    MAX_BYTES,
    Array,
    Event,
    State,
    Status,
    Trace,
    check_policy,
    decide,
    record,
)


@dataclass
class Task:
    """One training problem after the checks, in the core's convention.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    Y : ndarray of shape (n, k)
        One column per binary machine, in {-1, 0, +1}.
    y : ndarray of shape (n,)
        As `Trace.y`: {-1, 0, +1}, or class indices with -1 = unlabeled for k > 2.
    watched : dict from "val" / "test" to (X, y) in the core's convention
    notes : list of Event
        What is odd about the data; shown with the first state.
    watchers : dict from "val" / "test" to functions of a state
        Outputs on the watched points.
    weight : ndarray of shape (n,) or None
        Weights of the points; None means 1.
    cost : ndarray of shape (n,) or None
        Weights times those of the classes: what multiplies a point's loss.
    prepared : Prepared
        Kernel, graph and features, which other runs on these points may share.
    origin : State or None
        As of `ssl_core.stopping.Run`.
    """

    X: Array
    Y: Array
    y: Array
    watched: dict[str, tuple] = field(default_factory=dict)
    start: State | None = None
    notes: list[Event] = field(default_factory=list)
    watchers: dict[str, Callable] = field(default_factory=dict)
    weight: Array | None = None
    cost: Array | None = None
    prepared: Prepared = field(default_factory=Prepared)
    origin: State | None = None

    @property
    def unlabeled(self) -> Array:
        return ~self.Y.any(axis=1)

    @property
    def size(self) -> Size:
        n, k = self.Y.shape
        n_labeled = n - int(np.count_nonzero(self.unlabeled))
        as_it_is = not sp.issparse(self.X) and self.X.dtype == float
        return Size(n, n_labeled, max(2, k), double_bytes(self.X), as_it_is)


@dataclass_transform(kw_only_default=True, eq_default=False)
class SemiSupervisedClassifier(ClassifierMixin, BaseEstimator):
    """Base of all estimators: a space, a problem and a solver.

    A subclass takes its settings over from their groups (`ssl_core.settings.shared`),
    names the class of its states and its space, and implements ``_solve(task)``, a
    solver at work.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    state_ : State
        The last state: ``state_.status`` says why the run ended.
    n_iter_ : int
    sigma_ : float
        Width of the Gaussian kernel that was used, where it is one.
    """

    _state: ClassVar[type[State]]
    _space_kind: ClassVar[type[FunctionSpace]]
    _solver: ClassVar[type[Solver] | None] = None
    _max_iter_advice: ClassVar[str] = "raise max_iter or loosen tol"

    unlabeled: Any = anything(
        -1,
        "The mark of unlabelled points in y; None, NaN or pandas' NA stand for any "
        "missing value.",
        rule=check_mark,
    )

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        declare(cls, eq=False, repr=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        precomputed = getattr(self, "kernel", "") == "precomputed"
        tags.input_tags.sparse = not precomputed
        tags.input_tags.pairwise = precomputed
        return tags

    def __sklearn_clone__(self):
        warn_of_judged_marks(self.unlabeled)
        return super().__sklearn_clone__()

    def iterate(
        self,
        X: MatrixLike,
        y: ArrayLike,
        *,
        X_val: MatrixLike | None = None,
        y_val: ArrayLike | None = None,
        start: State | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Iterator[State]:
        """Train step by step: a generator of states, t = 0 first.

        Input is checked at once, before the first state is asked for. After every
        state the estimator is fitted with it: whoever stops asking has the model of
        the last state that came. Until the first one comes, and where the input is
        refused, it stays as it was. A run keeps the parameters it began with.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n, d)
        y : array-like of shape (n,)
            Class labels; ``unlabeled`` (-1) marks unlabeled points.
        X_val, y_val : validation points, for rules that look at them
        start : State or None
            Continue from an earlier state, also after labels were changed.
        sample_weight : array-like of shape (n,) or None
            Weights of the points, as `fit` takes them; refused where it takes none.
        """
        run = self._run_of_its_own()
        task = run._task(X, y, X_val, y_val, start, sample_weight)
        return self._adopting(run, run._states(task))

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_val: MatrixLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> Self:
        """Train to the end: the last state that `iterate` would give.

        A fit that is refused or broken off leaves the estimator as it was.

        Returns
        -------
        self
        """
        return self._fit(X, y, X_val, y_val)

    def _seeded_fit(self, X, y, start: State | None, prepared: Prepared) -> Self:
        """`fit` from a seed, as one of several runs on the same points.

        Rules see norms relative to the start without the seed, so that the run ends as
        near to the solution as one without.
        """
        run = self._run_of_its_own()
        task = run._task(X, y, None, None, start, prepared=prepared)
        if start is not None and run._rule() is not None:
            unseeded = replace(task, start=None, notes=[])
            with closing(run._driven(unseeded, None)) as states:
                task.origin = next(states)
        return self._drain(run, task)

    def trace(
        self,
        X: MatrixLike,
        y: ArrayLike,
        *,
        X_val: MatrixLike | None = None,
        y_val: ArrayLike | None = None,
        X_test: MatrixLike | None = None,
        y_test: ArrayLike | None = None,
        start: State | None = None,
        record_states: str | int = "full",
        max_bytes: float = MAX_BYTES,
        until: Callable[[State], bool] | None = None,
        progress: Callable[[Callable[[], Trace]], None] | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Trace:
        """Train and record: all states, seconds per iteration, watched outputs.

        Parameters
        ----------
        X_val, y_val, X_test, y_test
            Points whose outputs are recorded at every iteration.
        record_states : "full", "metrics" or int k
            Which states keep their arrays; see `ssl_core.trace.record`.
        max_bytes : float, default=2**30
            Bytes that the states' arrays may hold; beyond it fewer keep theirs.
        until : callable or None
            Asked after every state; True stops the run there.
        progress : callable or None
            Called after every state with a function that gives the trace so far.
        sample_weight : array-like of shape (n,) or None
            Weights of the points, as `fit` takes them: they are in the objectives of
            the states, and not in errors, which count points.
        """
        run = self._run_of_its_own()
        task = run._task(X, y, X_val, y_val, start, sample_weight)
        check_policy(record_states)
        if X_test is not None or y_test is not None:
            task.watched["test"] = run._watched(X_test, y_test, "test")
        watch = {name: run._watcher(task, name) for name in task.watched}
        model, points = run.model_, task.X
        if getattr(run, "kernel", "") == "precomputed":  # X is its matrix
            model, points = replace(model, X=None), None
        return record(
            self._adopting(run, run._states(task)),
            policy=record_states,
            max_bytes=min(max_bytes, run._spare(task)),
            until=until,
            progress=progress,
            watch=watch,
            targets={name: yw for name, (_, yw) in task.watched.items()},
            y=task.y,
            model=model,
            X=points,
            made_by=run._maker(),
        )

    def decision_function(self, X: MatrixLike) -> Array:
        """Outputs f(X): (m,) for two classes, (m, k) for more."""
        check_is_fitted(self, "state_")
        X = self._checked(X, reset=False)
        return self.model_.outputs([self.state_], X)[0]

    def predict(self, X: MatrixLike) -> Array:
        """Class labels of the rows of X."""
        decisions = decide(self.decision_function(X))
        if len(self.classes_) == 2:
            decisions = (decisions > 0).astype(int)
        return self.classes_[decisions]

    def score(
        self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Accuracy on the labelled points of (X, y).

        Unlabeled ones are left out, so that `GridSearchCV` judges by what is known.
        Stratified folds treat the mark as a class and give each fold its labels; those
        of `halfmoon.model_selection.SemiSupervisedKFold` train on all unlabelled points
        and suit every scorer.
        """
        return super().score(*labeled_part(X, y, self.unlabeled, sample_weight))

    def peak_bytes(self, size: Size) -> int:
        """About the bytes that a run holds at its peak, X and its states apart."""
        columns, beside = self._columns(size.n, size.n_labeled), self._beside(size)
        return self._space().peak_bytes(size, columns, beside)

    def _columns(self, n: int, n_labeled: int) -> int:
        """Columns of the kernel matrix."""
        return n

    def _products(self, n: int, n_labeled: int) -> int:
        """Columns of all matrices that a run multiplies with."""
        return self._columns(n, n_labeled)

    def _beside(self, size: Size) -> float:
        """Matrices of n x n doubles that a run holds beside K while it solves.

        tests/estimators/test_peaks.py measures them.
        """
        return 0.0

    def lighter(self) -> Iterator["SemiSupervisedClassifier"]:
        """Machines for the same data that may take less memory, the nearest first."""
        return iter(())

    def encode(self, y: ArrayLike) -> Array:
        """Caller's labels in the core's convention, as `Trace.error` wants them."""
        check_is_fitted(self, "classes_")
        return encode_truth(y, self.classes_)

    @property
    def n_iter_(self) -> int:
        return self.state_.t

    @property
    def sigma_(self) -> float:
        """Width of the Gaussian kernel that was used."""
        kernel = getattr(self, "kernel", "linear")
        if kernel != "rbf":
            raise AttributeError(f"a {kernel} kernel has no width sigma_.")
        return self.model_.sigma

    def _fit(self, X, y, X_val, y_val, sample_weight=None) -> Self:
        """`fit`, which has weights in its signature only where they are taken."""
        run = self._run_of_its_own()
        task = run._task(X, y, X_val, y_val, None, sample_weight)
        return self._drain(run, task)

    def _drain(self, run, task) -> Self:
        """Take over the last state of a run on a task."""
        for _ in run._states(task):
            pass
        self._adopt(run)
        if self.state_.status is Status.MAX_ITER:
            warnings.warn(
                f"{type(self).__name__} stopped after {self.n_iter_} iterations"
                f"{self._unfinished()}; {self._max_iter_advice}.",
                ConvergenceWarning,
                stacklevel=4,
            )
        return self

    def _maker(self):
        """What a trace keeps of who made it."""
        kind = type(self)
        defaults = kind().get_params(deep=False)
        parameters = self.get_params(deep=False)
        return maker_of(kind.__name__, self.classes_, parameters, defaults)

    # A run sets its attributes on a copy, which the estimator adopts whole.

    def _run_of_its_own(self):
        """A copy with the same parameters, not fitted."""
        run = copy(self)
        for name in _fitted(run):
            delattr(run, name)
        return run

    def _adopt(self, run):
        """Take over the result of a run; nothing of an earlier run is left.

        The parameters stay: they may have been set to something else meanwhile.
        """
        parameters = _parameters(type(self))
        made = {name: v for name, v in vars(run).items() if name not in parameters}
        for name in _fitted(self) - made.keys():
            delattr(self, name)
        vars(self).update(made)

    def _adopting(self, run, states) -> Iterator[State]:
        """The states of a run, adopted one by one."""
        for state in states:
            self._adopt(run)
            yield state

    # The door.

    def _task(
        self, X, y, X_val, y_val, start, sample_weight=None, prepared=None
    ) -> Task:
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is "
                f"None; mark unlabelled points by {self.unlabeled!r}."
            )
        y, hidden = without_string_type(y), None
        if is_missing(self.unlabeled):
            hidden = is_unlabeled(plain(y), self.unlabeled)
            y = filled(y, hidden)
        X, y = self._checked(X, y, reset=True)
        classes, codes = encode_labels(y, self.unlabeled, hidden)
        k = len(classes)
        check_start(start, self._state, len(codes), k)
        task = Task(X=X, Y=one_vs_rest(codes, k), y=codes, start=start)
        task.prepared = prepared or task.prepared
        if k == 2:
            task.y = task.Y[:, 0].astype(np.int8)
        task.notes = self._space().notes(X, codes)
        self.classes_ = classes
        self._weigh(task, codes, sample_weight)
        if X_val is not None or y_val is not None:
            task.watched["val"] = self._watched(X_val, y_val, "val")
        self._check_task(task)
        check_run(self, task.size)
        space = self._space()
        self.model_ = task.prepared("model", space, lambda _: space.model(X))
        return task

    def _weigh(self, task, codes, sample_weight) -> None:
        """Weights and costs of a task, where the method takes them."""
        if hasattr(self, "class_weight"):
            found = costs(self.class_weight, self.classes_, codes, sample_weight)
            task.weight, task.cost = found
        elif sample_weight is not None:
            raise ValueError(
                f"sample_weight must be None for {type(self).__name__}, whose "
                f"objective has no costs of points; leave it out, or take a method "
                f"with the setting class_weight."
            )

    def _space(self) -> FunctionSpace:
        return self._space_kind.of(self)

    def _checked(self, X, y="no_validation", *, reset):
        """`_validate`, with every refusal in one sentence."""
        check_container(X, "X")
        if reset:
            check_labels(y, self.unlabeled)
        check_shapes(X, y if reset else None)
        check_conversion(X)
        try:
            return self._validate(X, y, reset=reset)
        except ValueError as error:
            # Some of scikit-learn's messages go on with a print of the data, and
            # some are the converter's own, which does not know what it converts.
            sentence, line_break, _ = str(error).partition("\n")
            if sentence.startswith("The feature names should match"):
                raise ValueError(" ".join(str(error).split())) from None
            if sentence.startswith("Input y contains"):
                raise ValueError(
                    f"y must be finite, got NaN or infinity; {marking(self.unlabeled)}."
                ) from None
            if not (line_break or sentence.startswith("could not convert")):
                raise
            raise ValueError(f"X must hold real numbers: {sentence}.") from None
        except TypeError as error:
            if not str(error).startswith("float() argument"):
                raise
            raise TypeError(f"X must hold real numbers: {error}.") from None
        except OverflowError:
            largest = self._space_kind.largest
            raise ValueError(
                f"X must hold numbers up to {largest:g} in size, got an integer "
                f"that no float holds; scale the features."
            ) from None

    def _validate(self, X, y="no_validation", *, reset):
        checked = validate_data(
            self,
            X,
            y,
            reset=reset,
            accept_sparse=list(self._space_kind.formats),
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 1,
        )
        X, *rest = checked if reset else (checked,)
        check_structure(X)
        check_finite(X)
        check_size(X, self._space_kind.largest)
        if reset:
            self._space().check_training(X)
        X = canonical(X)
        return (X, *rest) if reset else X

    def _watched(self, X, y, part):
        if X is None or y is None:
            raise ValueError(
                f"X_{part} and y_{part} must come together, got only "
                f"{'y' if X is None else 'X'}_{part}."
            )
        check_container(y, f"y_{part}")
        X = self._checked(X, reset=False)
        if np.ndim(y) == 0 or len(y) != X.shape[0]:
            count = len(y) if np.ndim(y) else "a single value"
            raise ValueError(
                f"X_{part} and y_{part} must have the same length, got {X.shape[0]} "
                f"and {count}."
            )
        return X, encode_truth(labels_of(y, X), self.classes_)

    def _watcher(self, task, part) -> Callable[[State], Array]:
        """Outputs of a state on watched points, made with the threads of the run.

        The kernel values between them and the training points are computed once.
        """
        if part in task.watchers:
            return task.watchers[part]
        X, _ = task.watched[part]
        caps = self._caps(task)
        with capped(**caps):
            outputs = self.model_.watcher(X, self._spare(task))

        def outputs_of(state):
            with capped(**caps):
                return outputs(state)

        task.watchers[part] = outputs_of
        return outputs_of

    def _spare(self, task) -> float:
        """Bytes that a run leaves to its states and to either of its watchers."""
        return max(0.0, memory.room() - self.peak_bytes(task.size)) / 3

    def _states(self, task) -> Iterator[State]:
        # Made before the first state is asked for: a rule's kernel values on validation
        # points are no work of the solver and do not count in its seconds.
        return self._driven(task, self._watch(task))

    def _driven(self, task, watch) -> Iterator[State]:
        def solve():
            limit = getattr(self, "max_iter", None)
            return drive(self._solve(task), max_iter=limit, watch=watch)

        for state in stepwise(solve, **self._caps(task)):
            if state.t == 0 and task.notes:
                state = replace(state, events=(*task.notes, *state.events))
            self.state_ = state
            yield state

    # Stopping.

    def _usual_rule(self) -> Rule | None:
        """What ends a run when ``stop`` is None and the method knows no end."""
        return None if self._solver is None else self._solver.of(self).usual_rule()

    def _rule(self) -> Rule | None:
        """The rule that may end a run before the method does."""
        if not hasattr(self, "stop"):
            return None
        return make_rule(
            self.stop,
            tol=getattr(self, "tol", None),
            every=self.check_every,
            usual=self._usual_rule(),
            kind=self._state,
        )

    def _watch(self, task):
        """The rule applied to a task; one per class where each stops by itself."""
        rule, k = self._rule(), task.Y.shape[1]
        if rule is None:
            return None
        run = self._run(task)
        if k == 1 or not getattr(self, "stop_per_class", False):
            return rule.watch(run)
        runs = [run] * k
        if run.y_val is not None:
            runs = [
                replace(run, y_val=np.where(run.y_val == j, 1, -1)) for j in range(k)
            ]
        if run.origin is not None:
            runs = [
                replace(r, origin=machine(run.origin, j)) for j, r in enumerate(runs)
            ]
        return [rule.watch(run) for run in runs]

    def _run(self, task) -> Run:
        """What a stopping rule may know of a task."""
        if "val" not in task.watched:
            return Run(len(task.y), task.unlabeled, origin=task.origin)
        _, y_val = task.watched["val"]
        outputs = self._watcher(task, "val")
        return Run(
            len(task.y),
            task.unlabeled,
            lambda state: decide(outputs(state)),
            y_val,
            task.origin,
        )

    def _unfinished(self) -> str:
        """How far the last state is from convergence, for the warning."""
        tol = f" (tol={self.tol:g})" if self._usual_rule() is not None else ""
        for name in with_role(self._state, DISTANCE):
            return f" with {name}={getattr(self.state_, name):.1e}{tol}"
        return ""

    def _check_task(self, task):
        """Refuse what only parameters and data together can show."""
        rule = self._rule()
        if rule is not None:  # one that lacks validation points says so
            _, y_val = task.watched.get("val", (None, None))
            decisions = None if y_val is None else decide
            rule.watch(Run(len(task.y), task.unlabeled, decisions, y_val))

    def _caps(self, task) -> dict[str, int | None]:
        n, n_labeled = task.size.n, task.size.n_labeled
        return self._space().caps(task.X, self._products(n, n_labeled))

    def _check_parameters(self):
        for name, setting in settings_of(type(self)).items():
            setting.check(name, getattr(self, name))
        if self._solver is not None:
            self._solver.of(self)  # refuses settings that do not go together
        self._rule()

    def _solve(self, task) -> Iterator[State]:
        raise NotImplementedError  # a subclass knows its algorithm


declare(SemiSupervisedClassifier, eq=False, repr=False)


@cache
def _parameters(estimator: type[BaseEstimator]) -> frozenset[str]:
    """Names of the parameters; scikit-learn reads the signature for each question."""
    return frozenset(estimator._get_param_names())


def _fitted(estimator) -> set[str]:
    """Names of what training has set, by scikit-learn's convention."""
    return {name for name in vars(estimator) if name.endswith("_")}
