"""One run of a posed problem, the same in the app and in `halfmoon.open_scenario`, and
what came out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np

from halfmoon.scenario import Scenario, Start
from halfmoon.scenario.learning_problem import Problem, encoded_truth
from ssl_core import State, Status, Trace, make

TRACE_BYTES = 200e6  # arrays of one run's states; beyond it fewer states keep theirs
WATCHED = ("val", "test")
_NUMBERS = count()  # one for each run of this process


@dataclass(frozen=True, eq=False)
class Solved:
    """A finished or stopped run with the problem it solved.

    Parameters
    ----------
    scenario : Scenario
        Its solving part.
    problem : Problem
    trace : Trace
    classes : ndarray of shape (k,)
        Which of the data's classes the run knew: those that had a label.
    truth : ndarray of shape (n,)
        True classes of the training points in the core's convention. A labelled
        point counts as what it was labelled.
    origin : Solved or None
        The run that this one goes on from.
    machine : classifier or None
        What was trained, for what only it can be asked.
    number : int
        Tells it from every other run of this process.
    """

    scenario: Scenario
    problem: Problem
    trace: Trace
    classes: np.ndarray
    truth: np.ndarray
    origin: Solved | None = None
    machine: Any = None
    number: int = field(default_factory=_NUMBERS.__next__)

    @property
    def key(self) -> Hashable:
        """What is made of the run depends on this: its scenario, if it was finished.

        Where a run was stopped is not in its scenario, so a stopped one is itself.
        """
        return (self.scenario, self.number) if self.interrupted else self.scenario

    @property
    def interrupted(self) -> bool:
        return self.trace.status is Status.INTERRUPTED

    @property
    def nbytes(self) -> int:
        parts = [s.nbytes for s in self.trace.states]
        arrays = [self.trace.labels, *self.trace.outputs.values()]
        return sum(parts) + sum(a.nbytes for a in arrays)


def solve_posed(
    scenario: Scenario,
    problem: Problem,
    origin: Solved | None = None,
    *,
    max_bytes: float = TRACE_BYTES,
    until: Callable[[State], bool] | None = None,
) -> Solved:
    """Make the run of a scenario's first method.

    Parameters
    ----------
    scenario : Scenario
        Its solving part.
    problem : Problem
        The scenario's arrays.
    origin : Solved or None
        The run that it goes on from, where there is one.
    max_bytes, until
        See `ssl_core.estimators.SemiSupervisedClassifier.trace`.
    """
    start = None
    if scenario.start is not None:
        start = _seed(scenario.start, origin, problem, scenario)
    est = make(scenario.algorithm, **scenario.params)
    parts = {}
    for name in WATCHED:
        X, y = problem.part(name)
        if len(y):
            parts |= {f"X_{name}": X, f"y_{name}": y}
    trace = est.trace(
        problem.X,
        problem.given,
        **parts,
        start=start,
        max_bytes=max_bytes,
        until=until,
    )
    truth = encoded_truth(problem, est)
    return Solved(scenario, problem, trace, est.classes_, truth, origin, est)


def _seed(start: Start, origin: Solved, problem: Problem, scenario: Scenario):
    """The state to go on from, when it fits what is to be solved now."""
    labelled = np.unique(problem.given[problem.given >= 0])
    same = (
        len(origin.problem.train) == len(problem.train)
        and np.array_equal(origin.classes, labelled)
        and origin.scenario.algorithm == scenario.algorithm
    )
    if not same:
        raise ValueError(
            "The earlier run had other points, classes or another algorithm, so it "
            "cannot be continued; start from the beginning."
        )
    kept = origin.trace.kept
    times = np.array([origin.trace.states[i].t for i in kept])
    at = kept[max(0, np.searchsorted(times, start.t, side="right") - 1)]
    return origin.trace.states[at]
