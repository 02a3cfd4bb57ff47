"""One call for every page: `solve(scenario)`, with progress bar and Stop button."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import streamlit as st

from pages._parts.running import run_server
from pages._parts.running.job import Job, Solved
from pages._parts.running.run_server import RunServer
from pages._parts.scenario import Scenario
from ssl_core.threads import capped
from ssl_core.viz.words import waiting_time

QUIET = 0.6  # seconds a run may take before a progress bar appears
TIDY = 30.0  # seconds between two looks at the caches
LOOK = 0.2  # seconds between two looks at a long run
JOB = "_job"

# What visitors share lives in this module, which Streamlit imports once, and not in its
# caches: a visitor's browser can ask the server to clear those for everyone.
_server: RunServer | None = None
_first = threading.Lock()


def server() -> RunServer:
    """The one server of this process; the first visitor also has it warmed up."""
    global _server
    with _first:
        if _server is None:
            made = RunServer()
            made.warm.clear()
            for work in (run_server.warm, keep_tidy):
                threading.Thread(
                    target=work, args=(made,), daemon=True, name=work.__name__
                ).start()
            _server = made
        return _server


def one_thread():
    """What a page computes by itself, with one thread a visitor.

    The threads of BLAS spin while they wait, and the products of a page are too small
    for two of them: 0.21 s of CPU a label with two, 0.10 s with one.
    """
    return capped(blas=1, loops=1)


def keep_tidy(server: RunServer) -> None:
    """Tidy the caches for as long as the server lives."""
    while True:
        time.sleep(TIDY)
        server.tidy()


def solve(scenario: Scenario, meanwhile: Callable[[], None] | None = None) -> Solved:
    """The run of a scenario: from the cache, or made now while the page waits.

    Call it outside any fragment: the Stop button has to reach the page while it
    waits. A stopped run stays this visitor's answer until the scenario changes.

    Parameters
    ----------
    scenario : Scenario
    meanwhile : callable, optional
        Draws what is seen while a long run is on. The page is then run once more from
        the top: what was drawn here has its place and its key for this time.

    Raises
    ------
    ValueError
        A sentence for the page: what is missing, and the way out.
    """
    job = _current(scenario)
    if not job.wait(QUIET):
        if meanwhile is not None:
            meanwhile()
        _watch(job)
        if meanwhile is not None:
            st.rerun()
    return job.outcome()


def forget() -> None:
    """Drop a stopped run, so that the next `solve` makes it to the end."""
    st.session_state.pop(JOB, None)


def _current(scenario: Scenario) -> Job:
    job: Job | None = st.session_state.get(JOB)
    if job is not None and job.scenario == scenario.solving:
        return job
    if job is not None:
        job.stop()  # nobody waits for it any more
    job = server().ask(scenario)
    st.session_state[JOB] = job
    return job


def _watch(job: Job) -> None:
    """Show how far a run is until it is over."""
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center", key="progress"):
        bar = st.progress(0.0, text=progress_text(job))
        st.button("Stop", key="stop", on_click=job.stop, icon=":material/stop:")
    while not job.wait(LOOK):
        bar.progress(job.share, text=progress_text(job))
    place.empty()


def progress_text(job: Job) -> str:
    """What a waiting visitor reads: where the run is, and how long it may take."""
    if job.stopped:
        return "Stopping after this iteration …"
    if job.phase == "waiting":
        return "Waiting: other visitors' runs come first …"
    if job.phase == "preparing":
        return "Preparing: kernel and graph …"
    left = job.seconds_left
    spent = time.monotonic() - job.began
    text = f"Iteration {job.t}, {waiting_time(spent)} so far"
    return f"{text}, about {waiting_time(left)} left" if left is not None else text
