"""One call for every page: `solve(scenario)`, with progress bar and Stop button.

`side_by_side` and `watch` do the same for several runs of one visitor.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st

from halfmoon.pages._parts.running import ledger, sizes, warming
from halfmoon.pages._parts.running.job import Job, Owner
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.shell import inside
from halfmoon.pages._parts.shell.visit import kept
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from ssl_core.threads import capped
from ssl_core.viz.words import plural, waiting_time

QUIET = 0.6  # seconds a run may take before a progress bar appears
TIDY = 20.0  # seconds between two looks at the caches
LOOK = 0.2  # seconds between two looks at a long run
SUFFIXES = {1: "st", 2: "nd", 3: "rd"}

# What visitors share lives in this module, which Streamlit imports once, and not in its
# caches: a visitor's browser can ask the server to clear those for everyone.
_server: RunServer | None = None
_first = threading.Lock()


def server() -> RunServer:
    """The one server of this process; the first visitor also has it warmed up."""
    global _server
    with _first:
        if _server is None:
            ledger.open_log()
            sizes.keep_large_apart()
            made = RunServer()
            made.warm.clear()
            for work in (warming.warm, keep_tidy):
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
    """Tidy the caches for as long as the server lives, and tell how full they are."""
    told = None
    while True:
        time.sleep(TIDY)
        inside.forget_sessions()
        time.sleep(1.0)  # they are let go in another thread, before memory is returned
        server.tidy()
        if (figures := server.figures()) != told:
            told = figures
            ledger.write("figures", figures)


def owner() -> Owner:
    """The visitor whose page is being made: one session, one share of the places.

    A tab that is closed ends its connection, and Streamlit tells within a second. A
    connection that broke comes back to the same session.
    """
    session = inside.session_id()
    return Owner(session, lambda: inside.is_here(session))


def ask(scenario: Scenario) -> Job:
    """Start a run of this visitor's, or find it finished."""
    return server().ask(scenario, owner())


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


def beside(scenario: Scenario, words: str) -> Solved:
    """The whole run of another scenario, from the cache or made now under a spinner.

    It is never a part of one, as pages keep what they make of it: a run that was given
    up because its visitor had left ends the page, or is made again for one who is back.
    """
    while (job := _looked_at(ask(scenario), words)).left:
        if not job.owner.here():
            st.stop()
    return job.outcome()


def _looked_at(job: Job, words: str) -> Job:
    """A job that is over; looking at it every second keeps it alive."""
    if not job.over:
        with st.spinner(words):
            while not job.wait(1.0):
                pass
    return job


def at_hand(scenario: Scenario) -> bool:
    """Whether `solve` will answer at once."""
    return server().runs.get(scenario.solving) is not None


def forget() -> None:
    """Drop a stopped run, so that the next `solve` makes it to the end."""
    kept(VisitorRuns).job = None


@dataclass
class VisitorRuns:
    """A visitor's run and those seen side by side."""

    job: Job | None = None
    jobs: dict[Scenario, Job] = field(default_factory=dict)


def side_by_side(scenarios: Sequence[Scenario]) -> list[Solved | Exception | Job]:
    """The runs of several scenarios, each for itself: one that fails stops no other.

    Runs of this visitor that are not among them are stopped.

    Returns
    -------
    outcomes : list
        In the order of the scenarios: the run, what ended it, or the job of one that
        is still under way after a moment; see `watch`.
    """
    mine = kept(VisitorRuns)  # a newer message breaks the page off here, not below
    wanted = [scenario.solving for scenario in scenarios]
    for gone in mine.jobs.keys() - set(wanted):
        mine.jobs.pop(gone).stop()
    for key in wanted:
        if key not in mine.jobs or mine.jobs[key].left:
            mine.jobs[key] = ask(key)
    jobs = [mine.jobs[key] for key in wanted]
    end = time.monotonic() + QUIET
    return [
        job.result if job.wait(max(0.0, end - time.monotonic())) else job
        for job in jobs
    ]


def watch(jobs: Sequence[tuple[Job, str, st.delta_generator.DeltaGenerator]]) -> None:
    """Show how far runs are until one of them is over; then the page runs again.

    Parameters
    ----------
    jobs : sequence of (job, name, place)
        The name is unique on the page; progress and Stop button go to the place.
    """
    if not jobs:
        return
    bars = [(job, _progress(job, place, f"_{name}")) for job, name, place in jobs]
    while not any(job.wait(LOOK / len(jobs)) for job, _ in bars):
        for job, bar in bars:
            bar.progress(job.share, text=progress_text(job))
    st.rerun()


def forget_one(scenario: Scenario) -> None:
    """As `forget`, for one of the runs side by side."""
    kept(VisitorRuns).jobs.pop(scenario.solving, None)


def _current(scenario: Scenario) -> Job:
    mine = kept(VisitorRuns)
    job = mine.job
    if job is not None and job.scenario == scenario.solving and not job.left:
        return job
    if job is not None:
        job.stop()  # nobody waits for it any more
    mine.job = ask(scenario)
    return mine.job


def _watch(job: Job) -> None:
    """Show how far a run is until it is over."""
    place = st.empty()
    bar = _progress(job, place)
    while not job.wait(LOOK):
        bar.progress(job.share, text=progress_text(job))
    place.empty()


def _progress(job: Job, place, name: str = ""):
    """A bar and the button that ends the run."""
    look = {"horizontal": True, "vertical_alignment": "center"}
    with place.container(key=f"progress{name}", **look):
        bar = st.progress(job.share, text=progress_text(job))
        icon = ":material/stop:"
        st.button("Stop", key=f"stop{name}", on_click=_stopper(job), icon=icon)
    return bar


def _stopper(job: Job) -> Callable[[], None]:
    """Stops a job and does not hold it: Streamlit keeps what a button last called."""
    found = weakref.ref(job)

    def stop() -> None:
        if (job := found()) is not None:
            job.stop()

    return stop


def progress_text(job: Job) -> str:
    """What a waiting visitor reads: where the run is, and how long it may take."""
    if job.stopped:
        return "Stopping after this iteration …"
    if job.phase == "starting":
        return "Getting ready …"
    standing = job.standing
    if job.phase == "waiting" and standing is not None and standing.place:
        place = ordinal(standing.place)
        if standing.seconds is None:
            return f"{place} in line: it begins when there is memory for it …"
        return f"{place} in line, about {waiting_time(standing.seconds)} to go …"
    if job.phase in ("waiting", "preparing"):
        return "Preparing: kernel and graph …"
    left = job.seconds_left
    spent = time.monotonic() - job.began
    text = f"Iteration {job.t:,}, {waiting_time(spent)} so far"
    if left is not None:
        text += f", about {waiting_time(left)} left"
    if standing is not None and standing.others:
        others = plural(standing.others, "other run")
        text += f", taking turns with {standing.others} {others}"
    return text


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else SUFFIXES.get(number % 10, 'th')}"
