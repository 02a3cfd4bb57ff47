"""What a run is called on the screen: its headline and its subtitle."""

from __future__ import annotations

from halfmoon.scenario import Scenario, data_title
from halfmoon.scenario.learning_problem import Problem
from halfmoon.views import about
from ssl_core import ALGORITHMS


def headline(problem: Problem) -> str:
    """The labels in a few words: "Two labels, 198 unlabelled points"."""
    return about.headline(problem.n_labelled, problem.n_unlabelled)


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
