"""Comparison: how several schedules for one objective end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from halfmoon.scenario.solving import Solved
from ssl_core.problems.linear import TransductiveSVM
from ssl_core.viz.measures import error_rates
from ssl_core.viz.words import duration, number, rate

SAME = 1e-3  # objectives closer than this, relatively, count as equal
TITLES = {"annealed": "T falls (annealed)", "tsvm": "λ′ rises (TSVM)"}


@dataclass(frozen=True, slots=True)
class AnnealingOutcome:
    """How one schedule for the same objective ended.

    Attributes
    ----------
    name, title : str
    objective : float
        The transductive objective of the classifier it returned.
    errors : dict from "L", "U", "V", "T" to float
    seconds : float
    annealed : bool
        Whether the temperature fell.
    """

    name: str
    title: str
    objective: float
    errors: dict[str, float]
    seconds: float
    annealed: bool = False


def outcome(name: str, run: Solved) -> AnnealingOutcome:
    return AnnealingOutcome(
        name=name,
        title=title_of(name),
        objective=transductive_objective(run),
        errors={k: float(v[-1]) for k, v in error_rates(run.trace, run.truth).items()},
        seconds=float(run.trace.seconds.sum()),
        annealed=name == "annealed",
    )


def title_of(name: str) -> str:
    return TITLES.get(name, f"{name} fixed")


def transductive_objective(run: Solved) -> float:
    """Objective at T = 0 of the classifier that a run returned."""
    state, params = run.trace.final, run.scenario.params
    problem = TransductiveSVM(
        run.problem.X, run.trace.y, lam=params["lam"], lam_u=params["lam_u"]
    )
    return float(problem.objective(np.append(state.w, state.b), state.f))


def table(rows: list[AnnealingOutcome]) -> pd.DataFrame:
    """Outcomes as text; the lowest objective in bold."""
    best = min(row.objective for row in rows)
    lines = []
    for row in rows:
        line = {
            "Schedule": row.title,
            "Objective at T = 0": number(row.objective, 4),
            "Error, unlabelled": rate(row.errors.get("U")),
        }
        if "T" in row.errors:
            line["Error, test"] = rate(row.errors["T"])
        line["Time"] = duration(row.seconds)
        if row.objective <= best * (1 + SAME):
            line = {key: f"**{text}**" for key, text in line.items()}
        lines.append(line)
    return pd.DataFrame(lines).set_index("Schedule")


def stuck(rows: list[AnnealingOutcome]) -> str:
    """Name of the schedule that ended highest, to be shown beside the annealed one."""
    others = [row for row in rows if not row.annealed] or rows
    return max(others, key=lambda row: row.objective).name


def verdict(rows: list[AnnealingOutcome]) -> str:
    """What the comparison says on these data, in a sentence or two."""
    by_name = {row.name: row for row in rows}
    annealed = by_name["annealed"]
    others = [row for row in rows if row.name != "annealed"]
    best = min(others, key=lambda row: row.objective)
    worst = max(others, key=lambda row: row.objective)
    if annealed.objective <= best.objective * (1 - SAME):
        text = "Annealing reaches the lowest objective of all."
    elif annealed.objective <= best.objective * (1 + SAME):
        text = f"Annealing and “{best.title}” reach the lowest objective."
    else:
        text = f"With this seed “{best.title}” finds a lower objective than annealing."
    if worst.objective > 1.1 * min(annealed.objective, best.objective):
        ratio = worst.objective / min(annealed.objective, best.objective)
        text += f" “{worst.title}” ends at {number(ratio, 2)} times the lowest."
    errors = [row for row in rows if "U" in row.errors]
    if errors:
        low = min(errors, key=lambda row: row.errors["U"])
        if low.errors["U"] < annealed.errors["U"] - 0.01:
            text += (
                f" “{low.title}” has the lowest error: a lower objective does not "
                f"guarantee fewer errors."
            )
    return text
