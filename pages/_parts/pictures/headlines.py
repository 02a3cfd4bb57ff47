"""What a run is called on the screen: its headline, its subtitle, how it ended."""

from __future__ import annotations

from pages._parts.running.job import Solved
from pages._parts.running.learning_problem import Problem
from pages._parts.scenario import Scenario, data_title
from ssl_core import ALGORITHMS

WORDS = (
    *("No", "One", "Two", "Three", "Four", "Five", "Six"),
    *("Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"),
)


def headline(problem: Problem) -> str:
    """What is at stake, in a few words: "Two labels, 198 guesses"."""
    l, u = problem.n_labelled, problem.n_unlabelled  # noqa: E741 - the papers' letters
    labels = WORDS[l] if l < len(WORDS) else f"{l:,}"
    guesses = f"{u:,}" if u else "no"
    labels += " label" if l == 1 else " labels"
    return f"{labels}, {guesses} guess" + ("" if u == 1 else "es")


def gone_on(scenario: Scenario) -> str:
    """The headline's rest for a run that goes on from another."""
    start = scenario.start
    return "" if start is None else f", going on from t = {start.t}"


def subtitle(scenario: Scenario) -> str:
    """Which algorithm on which data: "Laplacian SVM, PCG on two moons"."""
    title = data_title(scenario)
    if not any(c.isupper() for c in title[1:]) and scenario.data != "upload":
        title = title[0].lower() + title[1:]
    return f"{ALGORITHMS[scenario.algorithm].title} on {title}"


def status(solved: Solved) -> str:
    """Why it ended, how long it took."""
    trace = solved.trace
    count = trace.final.t
    times = f"{count} iteration{'' if count == 1 else 's'}"
    return f"{trace.status.value} {times} in {seconds(trace.seconds.sum())}."


def seconds(value: float) -> str:
    """A time in the unit a person would choose."""
    if value < 0.0995:
        return f"{1000 * value:.2g} ms" if value < 0.00995 else f"{1000 * value:.0f} ms"
    return f"{value:.2g} s" if value < 9.95 else f"{value:.0f} s"
