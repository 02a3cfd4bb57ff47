"""Compute what is missing: what it would take, the run under way, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from halfmoon.pages._parts.benchmarks import work
from halfmoon.pages._parts.benchmarks.shelf import Shelf, look
from halfmoon.pages._parts.benchmarks.work import Computing
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import errors, inside
from halfmoon.pages._parts.shell.callbacks import unbroken, whole
from ssl_core.experiments import TABLES, Cell
from ssl_core.viz.words import count, number, waiting_time

RUN = "run"  # in what the page has made: for a table, this visitor's run of it
EVERY = 1.0  # seconds between two looks at a run
ENDS = {
    work.STOPPED: "Stopped",
    work.LEFT: "The run ended because the page was closed",
    "time": "The run ended at its time limit",
}


def run_of(desk: Desk) -> Computing | None:
    """This visitor's run, under way or over."""
    return desk.page.holder.made.get(RUN, (None, None))[1]


def busy(desk: Desk) -> bool:
    return under_way(desk) is not None


def under_way(desk: Desk) -> Computing | None:
    """This visitor's run if it is not over.

    A page asks before it looks at the store: then what it shows as ended is all there.
    """
    job = run_of(desk)
    return None if job is None or job.over else job


def missing(cells: Sequence[Cell], shelf: Shelf) -> list[Cell]:
    return [cell for cell in cells if cell.spec not in shelf.results]


def start(desk: Desk, table: str, place: tuple[str, str] | None = None) -> None:
    """Compute what is missing of a declared table, or of one of its numbers."""
    with unbroken():
        if busy(desk):
            raise ValueError(
                "A run is under way already; stop it, or wait for its end."
            )
        declared, shelf = TABLES[table], look()
        every = declared.cells if place is None else declared.entries[place].every
        small = work.offer(missing(every, shelf), shelf.costs).small
        if not small or not shelf.writable:
            return
        visitor = inside.session_id()
        job = Computing(small, partial(runs.server().slot, visitor), table)
        job.start()
        desk.page.holder.made[RUN] = table, job


def dismiss(desk: Desk) -> None:
    """Take away the word on how the last run ended."""
    if not busy(desk):
        desk.page.holder.made.pop(RUN, None)


def panel(desk: Desk, table: str, shelf: Shelf, running: Computing | None) -> None:
    """The run that is under way; else how the last one ended, and what is missing.

    `running` is what `under_way` said before `shelf` was read.
    """
    if running is not None:
        show_progress(running)
        return
    job = run_of(desk)
    if job is not None:
        ended(desk, job)
    offered(desk, table, shelf)


def show_progress(job: Computing) -> None:
    look = {"horizontal": True, "vertical_alignment": "center"}
    with st.container(key="benchmark_progress", **look):
        progress(job, job.news.done + job.news.failed)
        st.button(
            "Stop",
            key="benchmark_stop",
            icon=":material/stop:",
            on_click=whole(job.stop),
            disabled=job.stopping,
        )


@st.fragment(run_every=EVERY)
def progress(job: Computing, drawn: int) -> None:
    """How far it is; what is finished is drawn by a run of the whole page."""
    job.look()
    news = job.news
    st.progress(min(news.share, 1.0), text=progress_text(job))
    if job.over or news.done + news.failed > drawn:
        st.rerun()


def progress_text(job: Computing) -> str:
    news = job.news
    if job.stopping:
        return "Stopping after this training …"
    if job.phase == "preparing":
        return "Preparing: reading the data …"
    text = f"{news.done + news.failed} of {count(news.total, 'training')}"
    if news.failed:
        text += f", {news.failed} failed"
    if news.per_minute is not None:
        text += f", {number(news.per_minute)} a minute"
    if news.seconds_left is not None:
        text += f", about {waiting_time(news.seconds_left)} left"
    if job.phase == "waiting" and not news.done:
        text += "; other visitors' runs come first"
    return text


def ended(desk: Desk, job: Computing) -> None:
    """A sentence on the last run, and what went wrong in it."""
    news, title = job.news, TABLES[job.about].title
    text = f"{count(news.done, 'training')} of {news.total} computed for “{title}”."
    text = f"{ENDS[job.ended]}: {text}" if job.ended else text[:1].upper() + text[1:]
    with st.container(horizontal=True, vertical_alignment="center"):
        show = st.warning if job.trouble else st.info
        icon = ":material/warning:" if job.trouble else ":material/check:"
        show(errors.plain(" ".join((text, *job.trouble))), icon=icon)
        st.button(
            "Dismiss",
            key="benchmark_dismiss",
            type="tertiary",
            on_click=whole(dismiss),
            args=(desk,),
        )


def offered(desk: Desk, table: str, shelf: Shelf) -> None:
    """What is missing of a table, and both ways to compute it."""
    declared = TABLES[table]
    left = missing(declared.cells, shelf)
    if not left:
        return
    total = len(declared.cells)
    offer = work.offer(left, shelf.costs)
    st.markdown(f"{len(left)} of {count(total, 'training')} are not computed yet.")
    if offer.small and shelf.writable:
        words, key = "Compute what is missing", "benchmark_compute"
        compute_button(desk, offer, words, key, table)
    with st.expander("Compute on the command line", icon=":material/terminal:"):
        st.markdown(why_command(offer, shelf))
        line = work.command(table, left, declared.cells)
        st.code(line, language="bash", wrap_lines=True)


def compute_button(
    desk: Desk, offer, words: str, key: str, table: str, place=None
) -> None:
    n, seconds = len(offer.small), waiting_time(offer.seconds)
    if offer.long or offer.later:
        words = "Compute the short ones"
    st.button(
        f"{words} ({count(n, 'training')}, about {seconds})",
        key=key,
        icon=":material/play_arrow:",
        on_click=whole(start),
        args=(desk, table, place),
        disabled=busy(desk),
    )


def why_command(offer, shelf: Shelf) -> str:
    """Why not all of it can be computed from here, and where to type the line."""
    parts = []
    if not shelf.writable:
        parts.append("Nothing can be computed from this page, as its store is")
        parts.append("read-only.")
    if offer.long:
        parts.append(
            f"{count(len(offer.long), 'training')} would take longer than "
            f"{work.CELL_SECONDS:.0f} s each, or their time is not known yet: run them"
            f" on the command line."
        )
    parts.append(
        "In the project's folder; `--jobs 2` takes two processors. It can be stopped "
        "at any time and continued later; this page shows what is finished."
    )
    return " ".join(parts)
