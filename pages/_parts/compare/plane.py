"""The landscape below the stages: computed only when somebody wants to see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages._parts import landscape
from pages._parts.compare.judging import Protocol
from pages._parts.compare.session import stage_key
from pages._parts.compare.stages import Run
from pages._parts.running.job import Job
from pages._parts.scenario import Scenario
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import key_of

KEPT = "_landscape"
HELP = (
    "The S3VM objective on the plane through three solutions, with the routes of all "
    "methods on it. It takes a moment."
)


@dataclass
class _Last:
    """The slice that was made last, and of what; changed in place."""

    of: Any = None
    found: landscape.Slice | None = None


def section(found: Sequence[Run], scenario: Scenario) -> None:
    """A switch, and below it the landscape of the runs that have ended."""
    if not st.toggle("Landscape of the objective", key=key_of("landscape"), help=HELP):
        return
    if any(isinstance(run.outcome, Job) for run in found):
        st.info("The landscape follows when all runs have ended.")
        return
    solved = [run for run in found if run.solved is not None]
    try:
        cut = slice_of(solved, Protocol.of(scenario), through(solved))
    except ValueError as error:
        st.info(errors.plain(str(error)), icon=":material/info:")
        return
    landscape.show(cut, key=key_of("landscape_itself"))
    st.caption(errors.plain(landscape.caption(cut)))


def through(solved: Sequence[Run]) -> tuple[str, ...]:
    """The three solutions that the reader has chosen, or fewer."""
    names = [run.name for run in solved]
    chosen = st.multiselect(
        "The plane goes through",
        [*names, *landscape.OTHERS],
        max_selections=3,
        placeholder="The first three solutions that differ",
        key=key_of(f"landscape_through {' '.join(names)}"),
    )
    return tuple(chosen)


def slice_of(
    solved: Sequence[Run], protocol: Protocol, names: tuple[str, ...]
) -> landscape.Slice:
    """The slice of these runs; the last one is kept for as long as nothing changes."""
    kept = key_of(KEPT)
    if kept not in st.session_state:
        st.session_state[kept] = _Last()
    last = st.session_state[kept]
    of = (
        names,
        tuple(
            (run.name, run.number, run.scenario.solving, len(run.solved.trace))
            for run in solved
        ),
    )
    if last.of != of:
        entries = [
            landscape.Entry(run.name, stage_key(run.number), run.solved)
            for run in solved
        ]
        last.found = landscape.slice_of(entries, protocol, names)
        last.of = of
    return last.found
