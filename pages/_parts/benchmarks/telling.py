"""Numbers of a table in words: signs for the eye, sentences for the ear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ssl_core import numerals
from ssl_core.experiments.report import LIMITED
from ssl_core.experiments.table import (
    BEATS,
    DUEL,
    MATCHES,
    MISSES,
    OPEN,
    WAITING,
    Entry,
    Summary,
    Table,
)
from ssl_core.viz.benchmarks import printed

SIGNS = {MATCHES: "=", BEATS: "▼", MISSES: "▲", WAITING: "", OPEN: ""}
WORDS = {MATCHES: "matches", BEATS: "lower", MISSES: "higher", WAITING: "", OPEN: ""}
KINDS = {MATCHES: "good", BEATS: "accent", MISSES: "warn", WAITING: "", OPEN: ""}
CHANCE = "≈"  # a match within two standard errors only
NONE, TO_COMPUTE = "–", "…"
SHOWS = {"median": "median", "largest": "largest", "smallest": "smallest"}


@dataclass(frozen=True)
class ToldNumber:
    """One number: ours above the paper's for the eye, one sentence for the ear.

    Attributes
    ----------
    ours, after : str
        The number, and what follows it: deviation, splits, a mark.
    paper, apart : str
        The published number, and verdict and difference.
    kind : str
        The verdict's colour.
    sentence : str
    """

    ours: str
    after: str
    paper: str
    apart: str
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
    unit = table.unit_of(entry)
    tail = unit and f" {unit}"
    ours, after, spoken = _ours(summary, digits_of(table, entry), tail)
    have, count = len(summary.values), summary.count
    if 0 < have < count:
        after.append(f"({have} of {count})")
    if summary.n_capped:
        after.append(LIMITED)
        spoken += f", {summary.n_capped} of {summary.n_runs} runs ended by a limit"
    if summary.chosen:
        spoken += f", at {summary.chosen}"
    paper = apart = ""
    if summary.published is not None:
        paper = printed(summary.published)
        spoken += f", published {paper}{tail}"
        if summary.difference is not None:
            apart = signed(summary.difference, digits_of(table, entry))
            spoken += f", difference {apart}"
    if have < count:
        spoken += f"; {have} of {count} splits are there"
    elif WORDS[summary.verdict]:
        spoken += f": {WORDS[summary.verdict]}"
        spoken += " within two standard errors" if summary.by_chance else ""
    sign = CHANCE if summary.by_chance else SIGNS[summary.verdict]
    apart = f"{sign} {apart}".strip()
    kind = KINDS[summary.verdict]
    return ToldNumber(ours, " ".join(after), paper, apart, kind, f"{spoken}.")


def _ours(summary: Summary, digits: int, tail: str) -> tuple[str, list[str], str]:
    """Our number, what follows it, and both as they are read aloud."""
    if summary.value is None:
        return TO_COMPUTE, [], "not computed yet"
    if summary.show == DUEL:
        lower, same, higher = summary.duel
        text = f"{lower} / {same} / {higher}"
        return text, [], f"lower {lower} times, the same {same}, higher {higher}"
    text = number(summary.value, digits)
    spoken = f"{SHOWS.get(summary.show, 'ours')} {text}{tail}"
    if summary.deviation is None:
        return text, [], spoken
    after = f"± {number(summary.deviation, digits)}"
    have = len(summary.values)
    return (
        text,
        [after],
        f"ours {text} {after}{tail}, mean and deviation over {have} splits",
    )


# -- words around a table -------------------------------------------------------------


def open_note(table: Table) -> str:
    """What stands where a table has no verdict."""
    if has_published(table.entries.values()):
        return "The difference is shown, not scored."
    return "Nothing is published to compare these numbers with."


def has_published(entries: Iterable[Entry]) -> bool:
    return any(entry.published is not None for entry in entries)


def better(entries: Iterable[Entry]) -> str:
    """Which numbers are better, in a phrase; "" where these entries differ in it."""
    found = {DUEL if e.show == DUEL else e.better for e in entries}
    if len(found) > 1:
        return ""
    (one,) = found
    if one == DUEL:
        return "lower / the same / higher: more of the first is better"
    return f"{one} is better"


def how_to_read(table: Table) -> str:
    """Which numbers are better, and what the signs mean."""
    phrase = better(table.entries.values())
    parts = [f"**{phrase[:1].upper()}{phrase[1:]}.**"] if phrase else []
    units = {table.unit_of(entry) for entry in table.entries.values()}
    if len(units) == 1 and phrase:
        (unit,) = units
        words = {"%": "percent", "s": "seconds"}.get(unit, unit)
        parts.append(f"In {words}." if words else "")
    if has_published(table.entries.values()):
        parts.append("Our number is above the paper's.")
    if table.graded and has_published(table.entries.values()):
        unit = "points" if table.unit == "%" else table.unit
        near = (
            f"{numerals.number(100 * table.tolerance)} % of it"
            if table.relative
            else f"{numerals.number(table.tolerance)} {unit}".strip()
        )
        parts.append(
            f"{SIGNS[MATCHES]} ours matches the paper's number (at most {near} apart), "
            f"{CHANCE} it is within two standard errors of it, "
            f"{SIGNS[BEATS]} ours is lower, {SIGNS[MISSES]} ours is higher; behind the "
            f"sign the difference, ours minus theirs."
        )
    elif has_published(table.entries.values()):
        parts.append("After the paper's number: the difference, ours minus theirs.")
    return " ".join(filter(None, parts))


def explained(table: Table, summaries: dict[tuple[str, str], Summary]) -> str:
    """The marks that occur in the table, one sentence each."""
    found, parts = list(summaries.values()), []
    if any(s.deviation is not None for s in found):
        parts.append("±: standard deviation over the splits.")
    for show, word in SHOWS.items():
        if found and all(s.show == show for s in found):
            parts.append(f"Each number is the {word} over the splits.")
    if any(0 < len(s.values) < s.count for s in found):
        parts.append("(4 of 10): only so many of the splits are computed.")
    if any(not s.values for s in found):
        parts.append(f"{TO_COMPUTE}: not computed yet.")
    some = has_published(table.entries.values())
    if some and any(s.published is None for s in found):
        parts.append(f"{NONE} beside “paper”: the paper has no such number.")
    if len(found) < len(table.rows) * len(table.columns):
        parts.append(f"{NONE} alone: this combination is not part of the table.")
    return " ".join(parts)
