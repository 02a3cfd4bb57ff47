"""What a run is called on the screen: its headline, its subtitle, how it ended."""

from __future__ import annotations

from halfmoon.scenario import Scenario, data_title
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved
from ssl_core import ALGORITHMS
from ssl_core.viz.words import duration, plural, spelled


def headline(problem: Problem) -> str:
    """The labels in a few words: "Two labels, 198 unlabelled points"."""
    l, u = problem.n_labelled, problem.n_unlabelled  # noqa: E741 - the papers' letters
    labels = spelled(l).capitalize()
    others = f"{u:,}" if u else "no"
    return f"{labels} {plural(l, 'label')}, {others} unlabelled {plural(u, 'point')}"


def gone_on(scenario: Scenario) -> str:
    """The end of the headline of a run that continues another."""
    start = scenario.start
    return "" if start is None else f", continued from t = {start.t:,}"


def subtitle(scenario: Scenario) -> str:
    """Which algorithm on which data: "Laplacian SVM, PCG on two moons"."""
    title = data_title(scenario)
    if not any(c.isupper() for c in title[1:]) and scenario.data != "upload":
        title = title[0].lower() + title[1:]
    return f"{ALGORITHMS[scenario.algorithm].title} on {title}"


def status(solved: Solved) -> str:
    """Why it ended, how long it took."""
    trace = solved.trace
    t, spent = trace.final.t, duration(float(trace.seconds.sum()))
    return f"{trace.status.value} {t:,} {plural(t, 'iteration')} in {spent}."
