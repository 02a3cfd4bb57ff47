"""The landscape below the stages: computed only when somebody wants to see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from halfmoon.pages._parts.compare.comparison import stage_key
from halfmoon.pages._parts.compare.stages import ComparedRun, places
from halfmoon.pages._parts.landscape.drawn import show_landscape, slice_caption
from halfmoon.pages._parts.landscape.routes import OTHERS, LandscapeRun, Slice, slice_of
from halfmoon.pages._parts.running.job import Job
from halfmoon.pages._parts.running.judging import Protocol
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import errors
from halfmoon.pages._parts.widgets import refused

HELP = (
    "The S3VM objective on the plane through three solutions, with the routes of all "
    "methods on it. It takes a moment."
)


def section(desk: Desk[Screen], found: Sequence[ComparedRun]) -> None:
    """A switch, and below it the landscape of the runs that have ended."""
    if not st.toggle(
        "Landscape of the objective", key=desk.key("landscape"), help=HELP
    ):
        return
    if any(isinstance(run.outcome, Job) for run in found):
        st.info("The landscape follows when all runs have ended.")
        return
    solved = [run for run in found if run.solved is not None]
    try:
        about = places(found), Protocol.of(desk.scenario), through(desk, solved)
        cut = kept_slice(desk, solved, *about)
    except ValueError as error:
        st.info(errors.plain(str(error)), icon=":material/info:")
        refused.offer(
            desk, error, Screen.with_way, key="_landscape", lead="No landscape yet."
        )
        return
    show_landscape(cut, key=desk.key("landscape_itself"))
    st.caption(errors.plain(slice_caption(cut)))


def through(desk: Desk[Screen], solved: Sequence[ComparedRun]) -> tuple[str, ...]:
    """The three solutions that the reader has chosen, or fewer."""
    names = [run.name for run in solved]
    chosen = st.multiselect(
        "The plane goes through",
        [*names, *OTHERS],
        max_selections=3,
        placeholder="The first three solutions that differ",
        key=desk.key(f"landscape_through {' '.join(names)}"),
    )
    return tuple(chosen)


def kept_slice(
    desk: Desk[Screen],
    solved: Sequence[ComparedRun],
    at: Mapping[int, int],
    protocol: Protocol,
    names: tuple[str, ...],
) -> Slice:
    """The slice of these runs; the last one is kept for as long as nothing changes.

    Parameters
    ----------
    at : mapping of number to place
        See `places`.
    """
    those = ((run.number, at[run.number], run.name, run.solved.key) for run in solved)
    about = names, protocol, tuple(those)

    def made() -> Slice:
        runs = [
            LandscapeRun(run.name, at[run.number], stage_key(run.number), run.solved)
            for run in solved
        ]
        return slice_of(runs, protocol, names)

    return desk.remembered("landscape", about, made)
