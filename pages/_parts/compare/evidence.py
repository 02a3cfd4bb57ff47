"""Below the stages: one table, and what a lower objective is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from halfmoon.pages._parts.compare.stages import ComparedRun, places, sentence
from halfmoon.pages._parts.pictures.charts import show_charts
from halfmoon.pages._parts.running.job import Job
from halfmoon.pages._parts.running.judging import (
    Judged,
    Protocol,
    judge,
    route,
    why_not,
)
from halfmoon.pages._parts.shell import errors
from halfmoon.scenario import Scenario
from halfmoon.scenario.learning_problem import Problem
from ssl_core.viz.comparison import objective_against_error
from ssl_core.viz.measures import PARTS, error_rates
from ssl_core.viz.words import duration, number, rate

SAME = 1e-6  # values closer than this, relatively, are told as equal
RETRAINED = "Retrained objective"
ERRORS = {part: f"{PARTS[part].capitalize()} error" for part in ("U", "V", "T")}


@dataclass(frozen=True)
class Row:
    """How one method ended; None where a value is not known."""

    name: str
    errors: dict[str, float]
    retrained: float | None = None
    seconds: float | None = None
    iterations: int | None = None
    ended: str = ""


def show_evidence(
    found: Sequence[ComparedRun], scenario: Scenario, problem: Problem
) -> None:
    """Table, verdict and figure of the runs that are there."""
    protocol, runs = Protocol.of(scenario), [run for run in found if run.solved]
    judged, truth = judge([run.solved for run in runs], protocol)
    by_number = {run.number: j for run, j in zip(runs, judged, strict=False)}
    rows = [row_of(run, by_number.get(run.number)) for run in found]
    st.markdown("##### Results under one protocol")
    st.table(table(rows), border="horizontal")
    st.caption(caption(protocol, problem))
    at = places(found)
    routes = [
        route(run.name, at[run.number], j) for run, j in zip(runs, judged, strict=False)
    ]
    routes = [one for one in routes if one is not None]
    if not routes:
        return
    st.markdown("##### Does a lower objective mean fewer errors?")
    words = verdict(rows, truth)
    st.markdown(words)
    chart = objective_against_error(routes, true_labels=truth, alt=words)
    show_charts([chart], key="compare_objective")


def row_of(run: ComparedRun, judged: Judged | None) -> Row:
    solved = run.solved
    if solved is None:
        waits = isinstance(run.outcome, Job)
        ended = "Still running." if waits else sentence(run.outcome)
        return Row(run.name, {}, ended=ended)
    trace = solved.trace
    rates = error_rates(trace, solved.truth)
    return Row(
        run.name,
        {part: float(rates[part][-1]) for part in ERRORS if part in rates},
        None if judged is None else float(judged.objective[-1]),
        float(trace.seconds.sum()),
        int(trace.final.t),
        trace.status.value,
    )


def table(rows: Sequence[Row]) -> pd.DataFrame:
    """Cells as text; the best of a column is bold and says so."""
    columns = {}
    for part, title in ERRORS.items():
        values = [row.errors.get(part) for row in rows]
        if any(v is not None for v in values):
            columns[title] = marked(values, rate)
    retrained = [row.retrained for row in rows]
    if any(v is not None for v in retrained):
        columns[RETRAINED] = marked(retrained, number)
    columns["Solver time"] = marked([row.seconds for row in rows], duration)
    counts = [row.iterations for row in rows]
    columns["Iterations"] = ["–" if t is None else f"{t:,}" for t in counts]
    columns["Why it stopped"] = [errors.plain(row.ended) for row in rows]
    names = pd.Index([errors.plain(row.name) for row in rows], name="Method")
    return pd.DataFrame(columns, index=names)


def values(found: Sequence[ComparedRun], scenario: Scenario) -> pd.DataFrame:
    """The table as plain numbers."""
    solved = [run for run in found if run.solved]
    judged, _ = judge([run.solved for run in solved], Protocol.of(scenario))
    judged = judged or [None] * len(solved)
    lines = []
    for run, one in zip(solved, judged, strict=True):
        row = row_of(run, one)
        parts = {f"error_{PARTS[p]}": row.errors.get(p) for p in ERRORS}
        rest = {"retrained_objective": row.retrained, "seconds": row.seconds}
        more = {"iterations": row.iterations, "ended": row.ended}
        lines.append({"method": row.name, **parts, **rest, **more})
    return pd.DataFrame(lines)


def marked(values: Sequence[float | None], words) -> list[str]:
    """Values as text; the lowest are marked, unless all of them are alike."""
    known = [v for v in values if v is not None]
    least = min(known, default=0.0)
    best = [v is not None and v <= least + SAME * abs(least) for v in values]
    if sum(best) == len(known):
        best = [False] * len(values)
    texts = ["–" if v is None else words(v) for v in values]
    return [
        f"**{text}** (best)" if is_best else text
        for text, is_best in zip(texts, best, strict=True)
    ]


def caption(protocol: Protocol, problem: Problem) -> str:
    left_out = why_not(problem)
    if left_out:
        return left_out
    return (
        "Errors are those of the last state. Every method has its own objective; "
        "to compare them, an SVM is retrained on the labels that each predicts, with "
        f"one {protocol.words} (squared hinge) for all [CSK08, section 5.2]. "
        "Solver time excludes drawing; it differs from run to run."
    )


def verdict(rows: Sequence[Row], truth: float | None) -> str:
    """What this comparison says about objective and error."""
    known = [r for r in rows if r.retrained is not None and "U" in r.errors]
    if not known:
        return ""
    lowest = min(known, key=lambda r: (r.retrained, r.errors["U"]))
    fewest = min(known, key=lambda r: (r.errors["U"], r.retrained))
    told = f"{lowest.name} has the lowest ({number(lowest.retrained)})"
    error = rate(lowest.errors["U"])
    if len(known) == 1:
        text = f"{lowest.name} ends at {number(lowest.retrained)} with {error} wrong."
    elif fewest.errors["U"] < lowest.errors["U"]:
        text = (
            f"Not here: {told} and {error} wrong, while {fewest.name} has "
            f"{number(fewest.retrained)} and only {rate(fewest.errors['U'])} wrong."
        )
    else:
        text = f"Yes, here: {told}, and no other has fewer errors ({error})."
        text += " Other labels or another random seed may give another result."
    if truth is not None and lowest.errors["U"] > 0:
        below = truth < lowest.retrained * (1 - SAME)
        text += f" The true labels themselves have {number(truth)}, "
        text += (
            "lower than that of any method: a better search would have helped."
            if below
            else "no lower than the lowest: here the objective itself is misleading."
            if fewest.errors["U"] < lowest.errors["U"]
            else "no lower than that: a better search alone would not find them."
        )
    return errors.plain(text)
