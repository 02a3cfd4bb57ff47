"""The scikit-learn façade that all algorithms share.

An estimator translates once, at the door: scikit-learn's labels (-1 = unlabeled, any
classes otherwise) into the core's, parameters into a problem and a stopping rule. The
rest is one generator, which `fit` drains, `iterate` hands out and `trace` records.
"""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted, validate_data

from ssl_core.driver import drive
from ssl_core.estimators._inputs import (
    check_finite,
    check_shapes,
    check_size,
    check_start,
    check_structure,
    encode_labels,
    encode_truth,
    is_unlabeled,
    one_vs_rest,
)
from ssl_core.estimators.parameters import (
    anything,
    declare,
    number,
    parameters_of,
    switch,
)
from ssl_core.quantities import DISTANCE, with_role
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

LARGEST = 1e150  # a number whose square is still finite


class Size(NamedTuple):
    """How large a problem is.

    Attributes
    ----------
    n, n_labeled, n_classes : int
    data_bytes : int
        Of X as it comes.
    """

    n: int
    n_labeled: int
    n_classes: int
    data_bytes: int

    def at(self, n: int) -> "Size":
        """The same with another number of points, as many of a hundred labelled."""
        share = n / self.n
        n_labeled = min(n, round(share * self.n_labeled))
        return self._replace(
            n=n, n_labeled=n_labeled, data_bytes=round(share * self.data_bytes)
        )


@dataclass
class Task:
    """One training problem after the door: everything in the core's convention.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    Y : ndarray of shape (n, k)
        One column per binary machine, in {-1, 0, +1}.
    y : ndarray of shape (n,)
        As `Trace.y`: {-1, 0, +1}, or class indices with -1 = unlabeled for k > 2.
    watched : dict from "val" / "test" to (X, y) in the core's convention
    notes : list of Event
        What is odd about the data; told with the first state.
    """

    X: Array
    Y: Array
    y: Array
    watched: dict[str, tuple] = field(default_factory=dict)
    start: State | None = None
    notes: list[Event] = field(default_factory=list)

    @property
    def unlabeled(self) -> Array:
        return ~self.Y.any(axis=1)


class SemiSupervisedClassifier(ClassifierMixin, BaseEstimator):
    """Base of all estimators; subclasses say how a task is solved.

    A subclass declares its parameters (`ssl_core.estimators.parameters`) and the class
    of its states, and implements ``_model(X)`` (an object with ``outputs(states, X)``
    and ``watcher(X)``), ``_caps(task)`` and ``_solve(task)``, a solver at work.

    Attributes
    ----------
    classes_ : ndarray of shape (k,)
    state_ : State
        The last state: ``state_.status`` says why the run ended.
    n_iter_ : int
    """

    _state: type[State]
    _max_iter_advice = "raise max_iter or loosen tol"
    _largest = LARGEST
    _accept_sparse = ("csr",)

    unlabeled = anything(-1, "The mark of unlabelled points in y.")

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        declare(cls)

    def iterate(self, X, y, *, X_val=None, y_val=None, start=None) -> Iterator[State]:
        """Train step by step: a generator of states, t = 0 first.

        Input is checked at once, before the first state is asked for. After every
        state the estimator is fitted with it: whoever stops asking has a valid model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n, d)
        y : array-like of shape (n,)
            Class labels; ``unlabeled`` (-1) marks unlabeled points.
        X_val, y_val : validation points, for rules that look at them
        start : State or None
            Continue from an earlier state, also after labels were changed.
        """
        return self._states(self._task(X, y, X_val, y_val, start))

    def fit(self, X, y, X_val=None, y_val=None):
        """Train to the end: drains `iterate` and keeps the last state.

        Returns
        -------
        self
        """
        for _ in self._states(self._task(X, y, X_val, y_val, None)):
            pass
        if self.state_.status is Status.MAX_ITER:
            warnings.warn(
                f"{type(self).__name__} stopped after {self.n_iter_} iterations"
                f"{self._unfinished()}; {self._max_iter_advice}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def trace(
        self,
        X,
        y,
        *,
        X_val=None,
        y_val=None,
        X_test=None,
        y_test=None,
        start=None,
        record_states="full",
        max_bytes: float = MAX_BYTES,
        until: Callable[[State], bool] | None = None,
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
        """
        task = self._task(X, y, X_val, y_val, start)
        check_policy(record_states)
        if X_test is not None or y_test is not None:
            task.watched["test"] = self._watched(X_test, y_test, "test")
        watch = {name: self._watcher(task, name) for name in task.watched}
        return record(
            self._states(task),
            policy=record_states,
            max_bytes=max_bytes,
            until=until,
            watch=watch,
            targets={name: yw for name, (_, yw) in task.watched.items()},
            y=task.y,
            model=self.model_,
        )

    def decision_function(self, X):
        """Outputs f(X): (m,) for two classes, (m, k) for more."""
        check_is_fitted(self, "state_")
        X = self._checked(X, reset=False)
        return self.model_.outputs([self.state_], X)[0]

    def predict(self, X):
        """Class labels of the rows of X."""
        decisions = decide(self.decision_function(X))
        if len(self.classes_) == 2:
            decisions = (decisions > 0).astype(int)
        return self.classes_[decisions]

    def score(self, X, y, sample_weight=None):
        """Accuracy on the labelled points of (X, y).

        Unlabeled ones are left out, so that `GridSearchCV` judges by what is known;
        stratified folds treat the mark as a class and give each fold its labels.
        """
        y = np.asarray(y)
        known = ~is_unlabeled(y, self.unlabeled)
        if not known.any():
            raise ValueError(
                f"y must have a labelled point to score, got only {self.unlabeled!r}; "
                f"stratify the folds or label more points."
            )
        weight = None if sample_weight is None else np.asarray(sample_weight)[known]
        return super().score(_safe_indexing(X, known), y[known], weight)

    def peak_bytes(self, size: Size) -> int:
        """About the bytes that a run holds at its peak, X and its states apart."""
        raise NotImplementedError  # a subclass knows its large arrays

    def encode(self, y) -> Array:
        """Caller's labels in the core's convention, as `Trace.error` wants them."""
        check_is_fitted(self, "classes_")
        return encode_truth(y, self.classes_)

    @property
    def n_iter_(self) -> int:
        return self.state_.t

    # The door.

    def _task(self, X, y, X_val, y_val, start) -> Task:
        self._check_parameters()
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is "
                f"None; mark unlabelled points by {self.unlabeled!r}."
            )
        X, y = self._checked(X, y, reset=True)
        classes, codes = encode_labels(y, self.unlabeled)
        k = len(classes)
        check_start(start, self._state, len(codes), k)
        task = Task(X=X, Y=one_vs_rest(codes, k), y=codes, start=start)
        if k == 2:
            task.y = task.Y[:, 0].astype(np.int8)
        task.notes = self._notes(X, codes)
        self.classes_ = classes
        if X_val is not None or y_val is not None:
            task.watched["val"] = self._watched(X_val, y_val, "val")
        self._check_task(task)
        self.model_ = self._model(X)
        return task

    def _checked(self, X, y="no_validation", *, reset):
        """`_validate`, with every refusal in one sentence."""
        check_shapes(X, y if reset else None)
        try:
            return self._validate(X, y, reset=reset)
        except ValueError as error:
            # Some of scikit-learn's messages go on with a print of the data, and
            # some are the converter's own, which does not know what it converts.
            sentence, line_break, _ = str(error).partition("\n")
            if not (line_break or sentence.startswith("could not convert")):
                raise
            raise ValueError(f"X must hold real numbers: {sentence}.") from None

    def _validate(self, X, y="no_validation", *, reset):
        checked = validate_data(
            self,
            X,
            y,
            reset=reset,
            accept_sparse=list(self._accept_sparse),
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
            ensure_min_samples=2 if reset else 1,
        )
        self._check_numbers(checked[0] if reset else checked)
        return checked

    def _check_numbers(self, X):
        check_structure(X)
        check_finite(X)
        check_size(X, self._largest)

    def _watched(self, X, y, part):
        if X is None or y is None:
            raise ValueError(
                f"X_{part} and y_{part} must come together, got only "
                f"{'y' if X is None else 'X'}_{part}."
            )
        X = self._checked(X, reset=False)
        y = np.asarray(y)
        if len(y) != X.shape[0]:
            raise ValueError(
                f"X_{part} and y_{part} must have the same length, got {X.shape[0]} "
                f"and {len(y)}."
            )
        return X, encode_truth(y, self.classes_)

    def _watcher(self, task, part) -> Callable[[State], Array]:
        """Outputs of a state on watched points, made with the threads of the run."""
        X, _ = task.watched[part]
        caps = self._caps(task)
        with capped(**caps):
            outputs = self.model_.watcher(X)

        def outputs_of(state):
            with capped(**caps):
                return outputs(state)

        return outputs_of

    def _states(self, task) -> Iterator[State]:
        def solve():
            limit = getattr(self, "max_iter", None)
            solver = self._solve(task)
            return drive(solver, max_iter=limit, watch=self._watch(task))

        for state in stepwise(solve, **self._caps(task)):
            if state.t == 0 and task.notes:
                state = replace(state, events=(*task.notes, *state.events))
            self.state_ = state
            yield state

    # Stopping.

    def _rule(self) -> Rule | None:
        """What may end a run before the method does."""
        return None

    def _watch(self, task):
        """The rule at work on a task; one per machine where each ends by itself."""
        rule, k = self._rule(), task.Y.shape[1]
        if rule is None:
            return None
        run = self._run(task)
        if k == 1 or not self.stop_per_class:
            return rule.watch(run)
        runs = [run] * k
        if run.y_val is not None:
            runs = [
                replace(run, y_val=np.where(run.y_val == j, 1, -1)) for j in range(k)
            ]
        return [rule.watch(run) for run in runs]

    def _run(self, task) -> Run:
        """What a stopping rule may know of a task."""
        if "val" not in task.watched:
            return Run(len(task.y), task.unlabeled)
        X_val, y_val = task.watched["val"]
        outputs = self.model_.watcher(X_val)
        return Run(
            len(task.y), task.unlabeled, lambda state: decide(outputs(state)), y_val
        )

    def _unfinished(self) -> str:
        """What the last state lacks to convergence, for the warning."""
        for name in with_role(self._state, DISTANCE):
            return f" with {name}={getattr(self.state_, name):.1e}"
        return ""

    def _notes(self, X, codes) -> list[Event]:
        return []

    def _check_task(self, task):
        """Refuse what only parameters and data together show."""
        rule = self._rule()
        if rule is not None:  # one that lacks validation points says so
            _, y_val = task.watched.get("val", (None, None))
            decisions = None if y_val is None else decide
            rule.watch(Run(len(task.y), task.unlabeled, decisions, y_val))

    def _caps(self, task) -> dict[str, int | None]:
        """Threads of a run: one where more would only change the last bits."""
        raise NotImplementedError  # a subclass knows the size of its products

    def _check_parameters(self):
        for name, parameter in parameters_of(type(self)).items():
            if parameter.check is not None:
                parameter.check(name, getattr(self, name))
        self._rule()

    def _model(self, X):
        raise NotImplementedError  # a subclass knows its functions

    def _solve(self, task) -> Iterator[State]:
        raise NotImplementedError  # a subclass knows its algorithm


class Iterative(SemiSupervisedClassifier):
    """What all estimators share whose runs a rule may end.

    For k > 2 classes a rule watches the joint decision of all machines while they train
    together, as [MB11] 6.4 suggests, or each machine's own.
    """

    stop = anything(
        None,
        "When to stop besides the method's own end: a name in "
        '`ssl_core.stopping.RULES` that suits its states ("stability", '
        '"validation", "mixed", "gradient", ...) or a rule such as '
        "``stability_check(every=10)``.",
        kind="None, str or rule",
    )
    tol = number(
        1e-6, "Threshold, relative to the start; 0 runs to ``max_iter``.", at_least=0
    )
    max_iter = number(500, "Most iterations.", integer=True, at_least=0)
    check_every = number(
        None,
        "Iterations between two checks of a rule given by name; None means "
        "theta = round(sqrt(n) / 2).",
        integer=True,
        optional=True,
        at_least=1,
    )
    stop_per_class = switch(
        False, "For k > 2 classes: let every machine stop by its own decision."
    )

    def _usual_rule(self) -> Rule | None:
        """What ends a run when ``stop`` is None and the method knows no end."""
        return None

    def _rule(self):
        return make_rule(
            self.stop,
            tol=self.tol,
            every=self.check_every,
            usual=self._usual_rule(),
            kind=self._state,
        )
