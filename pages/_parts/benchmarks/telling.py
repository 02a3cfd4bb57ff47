"""Numbers of a table in words: signs and words for the eye, sentences for the ear."""

from __future__ import annotations

from dataclasses import dataclass

from ssl_core import numerals
from ssl_core.experiments.report import LIMITED
from ssl_core.experiments.table import (
    BEATS,
    MATCHES,
    MISSES,
    OPEN,
    WAITING,
    Entry,
    Summary,
    Table,
)
from ssl_core.viz.benchmarks import printed

SIGNS = {MATCHES: "=", BEATS: "▼", MISSES: "▲", WAITING: "…", OPEN: ""}
WORDS = {MATCHES: "matches", BEATS: "lower", MISSES: "higher", WAITING: "", OPEN: ""}
KINDS = {MATCHES: "good", BEATS: "accent", MISSES: "warn", WAITING: "", OPEN: ""}


@dataclass(frozen=True)
class ToldNumber:
    """One number: three short lines for the eye, one sentence for the ear."""

    ours: str
    published: str
    verdict: str
    kind: str
    sentence: str


def number(value: float, digits: int) -> str:
    """So many digits behind the point; two that count where those were all zero."""
    text = f"{value:,.{digits}f}"
    if value and not float(text.replace(",", "")):
        text = numerals.number(value, 2)
    return text.replace("-", "−")


def signed(value: float, digits: int) -> str:
    """A difference with its sign, 0 without."""
    text = f"{abs(value):,.{digits}f}"
    if not float(text.replace(",", "")):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def digits_of(table: Table, entry: Entry) -> int:
    return table.digits if entry.digits is None else entry.digits


def tell(table: Table, entry: Entry, summary: Summary) -> ToldNumber:
    """A number in words."""
    digits, unit = digits_of(table, entry), table.unit and f" {table.unit}"
    have, count = len(summary.values), summary.count
    if summary.mean is None:
        ours, spoken = "–", "not computed yet"
    else:
        ours = number(summary.mean, digits)
        spoken = f"ours {ours}{unit}"
        if summary.deviation is not None:
            ours += f" ± {number(summary.deviation, digits)}"
            spoken = f"ours {ours}{unit}, mean and deviation over {have} splits"
    if summary.n_capped:
        ours += f" {LIMITED}"
        spoken += f", {summary.n_capped} of {summary.n_runs} runs ended by a limit"
    if summary.chosen:
        spoken += f", at {summary.chosen}"
    published = ""
    if summary.published is not None:
        theirs = printed(summary.published)
        published = f"paper {theirs}"
        spoken += f", published {theirs}{unit}"
        if summary.difference is not None:
            apart = signed(summary.difference, digits)
            published += f", {apart}"
            spoken += f", difference {apart}"
    verdict = f"{SIGNS[summary.verdict]} {WORDS[summary.verdict]}".strip()
    if have < count:
        verdict = f"… {have} of {count}" if have else "… to compute"
        spoken += f"; {have} of {count} splits are there"
    elif WORDS[summary.verdict]:
        spoken += f": {WORDS[summary.verdict]}"
    return ToldNumber(ours, published, verdict, KINDS[summary.verdict], f"{spoken}.")


def open_note(table: Table) -> str:
    """What stands where a table has no verdict."""
    if any(entry.published is not None for entry in table.entries.values()):
        return "The difference is shown, not scored."
    return "Nothing is published to compare these numbers with."


def legend(table: Table) -> str:
    """How a number is to be read."""
    text = "Mean ± standard deviation over the splits; below it the paper's number and "
    text += "the difference, ours minus theirs."
    if not any(e.published is not None for e in table.entries.values()):
        return "Mean ± standard deviation over the splits."
    if not table.graded:
        return text
    unit = "points" if table.unit == "%" else table.unit
    near = (
        f"{numerals.number(100 * table.tolerance)} % of it"
        if table.relative
        else f"{numerals.number(table.tolerance)} {unit}"
    )
    return (
        f"{text} {SIGNS[MATCHES]} matches: at most {near.strip()} apart; "
        f"{SIGNS[BEATS]} lower: ours is better by more; "
        f"{SIGNS[MISSES]} higher: worse by more."
    )
