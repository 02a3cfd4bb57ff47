"""One run of a posed problem: the same in the app and in `halfmoon.open_scenario`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from halfmoon.pages._parts.running.job import Solved
from halfmoon.pages._parts.running.learning_problem import Problem, encoded_truth
from halfmoon.pages._parts.scenario import Scenario, Start
from ssl_core import State, make

TRACE_BYTES = 200e6  # arrays of one run's states; beyond it fewer states keep theirs
WATCHED = ("val", "test")


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
