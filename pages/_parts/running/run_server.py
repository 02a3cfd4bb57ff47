"""Where runs are made: many visitors, one process, nobody in another's way.

A `Job` is one run in a thread of its own, so that a page can show its progress and
stop it. The `RunServer` lets them run in turns (`queue`), refuses one that would not
fit into memory (`budget`), bounds how much is kept, and caps the threads that linear
algebra may take while runs are under way. No streamlit here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from halfmoon.datasets import Dataset
from halfmoon.datasets.upload import shown
from halfmoon.pages._parts.running import ledger, sizes
from halfmoon.pages._parts.running.budget import check_size, check_unread, size_of
from halfmoon.pages._parts.running.cache import Cache, FileCache, MadeOfRuns
from halfmoon.pages._parts.running.job import Job, Owner, Progress
from halfmoon.pages._parts.running.projection import project
from halfmoon.pages._parts.running.queue import Queue, Ticket
from halfmoon.pages._parts.running.run_limits import Limits, limits
from halfmoon.scenario import Scenario, Upload
from halfmoon.scenario.learning_problem import (
    Problem,
    check_posed,
    pose,
    read_data,
)
from halfmoon.scenario.saved_file import digest_of, read_upload
from halfmoon.scenario.solving import TRACE_BYTES, Solved, solve_posed
from halfmoon.views.plane import Picture
from ssl_core.threads import capped

TRACE_SHARE = 1 / 4  # and at most this part of what a run may hold
# What caches may hold where memory is no question; see `Limits.caches`.
RUN_BYTES = 600e6  # finished runs kept for everyone
DATA_BYTES = 600e6
PICTURE_BYTES = 50e6
VIEW_BYTES = 200e6
FILE_BYTES = 200e6
TABLE_BYTES = 250e6  # files as read: two of the largest, or many
OTHER_BYTES = 400e6  # of work that is no run: the largest short cell of a table
READERS = 2  # files read at once: each may take 300 MB while it lasts
REST = 60.0  # seconds that something stays in a cache although nobody asks for it
LONG_REST = 600.0  # what has to be read or laid out again
WORTH = 100  # a run that took a second stays so many seconds longer
WARM_SECONDS = 60.0  # a run waits no longer than this for compiled code


class RunServer:
    """Takes scenarios in and gives runs out.

    Parameters
    ----------
    slots : int, optional
        Runs at once, where it is not the limits' number.
    bounds : Limits, optional
        What it may take of its machine; by default what the environment says.
    """

    def __init__(self, slots: int | None = None, bounds: Limits | None = None):
        self.limits = limits() if bounds is None else bounds
        self.queue = Queue(slots or self.limits.slots, self.limits.runs)
        whole = 2 * DATA_BYTES + RUN_BYTES + PICTURE_BYTES + VIEW_BYTES
        part = min(1.0, self.limits.caches / (whole + FILE_BYTES + TABLE_BYTES))
        self.runs = Cache(part * RUN_BYTES, sizes.run_bytes, _run_rest)
        self.data = Cache(part * DATA_BYTES, sizes.data_bytes, lambda _: LONG_REST)
        self.problems = Cache(part * DATA_BYTES, sizes.problem_bytes, lambda _: REST)
        self.pictures = Cache(
            part * PICTURE_BYTES, sizes.picture_bytes, lambda _: LONG_REST
        )
        self.views = MadeOfRuns(part * VIEW_BYTES, sizes.view_bytes, lambda _: REST)
        self.files = FileCache(part * FILE_BYTES)
        self.tables = Cache(part * TABLE_BYTES, sizes.table_bytes, lambda _: LONG_REST)
        self.ledger = ledger.Ledger()
        self._readers = threading.Semaphore(READERS)
        self.warm = threading.Event()  # cleared while code is being compiled
        self.warm.set()

    def keep_file(self, content: bytes, visitor: str = "") -> str:
        """Take in an uploaded file; its digest names it from now on."""
        digest = digest_of(content)
        self.files.bring(digest, content, visitor)
        return digest

    def table(self, upload: Upload, content: bytes | None = None) -> Dataset:
        """A visitor's file as these options read it: read once, then remembered.

        Parameters
        ----------
        upload : Upload
        content : bytes, optional
            The file, when it is not (yet) in the cache.

        Raises
        ------
        ValueError
            One sentence; it is remembered as well.
        """
        key = replace(upload, scale="standard")  # scaling comes later
        kept = self.tables.get(key)
        if kept is None:
            content = self.files.get(upload.digest) if content is None else content
            if content is None:
                raise ValueError(
                    f"The file {shown(upload.name)} is no longer on this server; "
                    f"upload it again and the rest comes back."
                )
            with self._readers:
                kept = self.tables.get(key)  # someone else may have been faster
                if kept is None:
                    kept = key, _read_or_refused(content, upload)
                    self.tables.put(key, kept)
        data = kept[1]
        if isinstance(data, str):
            raise ValueError(data)
        return data

    def tidy(self) -> None:
        """Give back the memory of what nobody looks at; files stay."""
        for cache in self.caches.values():
            cache.tidy()
        sizes.give_back()

    @property
    def caches(self) -> dict[str, Cache]:
        names = "runs", "views", "problems", "pictures", "data", "tables", "files"
        return {name: getattr(self, name) for name in names}

    def figures(self) -> dict[str, dict]:
        """What an operator may want to know: runs, queue and caches, as numbers."""
        caches = {name: cache.figures() for name, cache in self.caches.items()}
        return {
            "runs": self.ledger.figures(),
            "queue": self.queue.figures()._asdict(),
            "caches": {name: figures._asdict() for name, figures in caches.items()},
        }

    def base(self, scenario: Scenario) -> Dataset:
        """The scenario's data before any edit, kept for the next one who asks."""
        if scenario.upload is not None:
            self.files.get(scenario.upload.digest)  # in use: not the next to go
        key = _data_key(scenario)
        data = self.data.get(key)
        if data is None:
            data = read_data(scenario, lambda other: self.table(other.upload))
            self.data.put(key, data)
        return data

    def pose(self, scenario: Scenario) -> Problem:
        """The scenario's arrays; what the algorithm is makes no difference to them."""
        problem = self.problems.get(scenario.setting)
        if problem is None:
            problem = pose(scenario, self.base(scenario))
            self.problems.put(scenario.setting, problem)
        return problem

    def picture(self, scenario: Scenario) -> Picture:
        """Where all points of the scenario's data are drawn."""
        seen = scenario.view.projection, scenario.view.features
        key = (*_data_key(scenario), scenario.drawing, *seen)
        picture = self.pictures.get(key)
        if picture is None:
            data = self.pose(scenario).data
            with self._capped():  # many threads on a busy machine only spin
                picture = project(data, scenario.view)
            self.pictures.put(key, picture)
        return picture

    def check(self, scenario: Scenario) -> None:
        """Refuse what the registry knows to be too large, before its file is read."""
        check_unread(scenario, self.limits.run, self.trace_bytes)

    def slot(self, visitor: str, given_up: Callable[[], bool]):
        """A block that holds one place, for a visitor's work that is no run of a `Job`.

        While it waits it asks ``given_up``; a yes ends the waiting with a ValueError.
        """
        return self.queue.turns(self.queue.line_up(visitor, OTHER_BYTES, given_up))

    def ask(self, scenario: Scenario, owner: Owner | None = None) -> Job:
        """Start the run of a scenario, or find it finished.

        Parameters
        ----------
        scenario : Scenario
        owner : Owner, optional
            Whose run it is; without one it is a visitor's of its own.
        """
        job = Job(scenario.solving, owner)
        found = self.runs.get(job.scenario)
        if found is not None:
            job._finish(found)
            return job
        thread = threading.Thread(target=self._work, args=(job,), daemon=True)
        thread.name = f"run-{job.id}"
        thread.start()
        return job

    def _work(self, job: Job) -> None:
        entry = ledger.LedgerEntry(job.owner.name, job.scenario.algorithm)
        try:
            outcome = self._run(job, entry)
        except Exception as error:  # handed to whoever asks for the outcome
            outcome = error
        try:
            self.ledger.note(entry, job, outcome)
        finally:  # whatever becomes of the log, someone waits for the outcome
            job._finish(outcome)

    def _run(self, job: Job, entry: ledger.LedgerEntry) -> Solved:
        self.check(job.scenario)
        self.warm.wait(WARM_SECONDS)  # or compiling would count as solving
        entry.n, entry.bytes = len(self.pose(job.scenario).train), self._need(job)
        ticket = self.queue.line_up(job.owner.name, entry.bytes, job.given_up)
        job.phase, job._standing = "waiting", lambda: self.queue.standing(ticket)
        try:
            with self.queue.turns(ticket), self._capped():
                job.phase, job.began = "preparing", time.monotonic()
                solved = self._solve(job.scenario, job, ticket)
        finally:
            entry.first_wait, entry.waited = ticket.first_wait, ticket.waited
        if not solved.interrupted:
            self.runs.put(job.scenario, solved)
        return solved

    def _capped(self):
        """Two visitors on two cores: neither waits for the other's threads."""
        return capped(blas=self.limits.threads, loops=self.limits.threads)

    @property
    def trace_bytes(self) -> float:
        return min(TRACE_BYTES, TRACE_SHARE * self.limits.run)

    def _need(self, job: Job) -> float:
        """Bytes of a run and of those it goes on from, which are made one by one.

        Raises
        ------
        ValueError
            A sentence, where one of them is not possible here.
        """
        needs, scenario = [], job.scenario
        while scenario is not None and self.runs.get(scenario) is None:
            problem = self.pose(scenario)
            check_posed(problem, scenario)
            size, most = size_of(problem), self.trace_bytes
            needs.append(check_size(scenario, size, self.limits.run, most))
            scenario = scenario.start.origin if scenario.start is not None else None
        return max(needs, default=0.0)

    def _solve(self, scenario: Scenario, job: Job, ticket: Ticket) -> Solved:
        found = self.runs.get(scenario)  # someone else may have been faster
        if found is not None:
            return found
        problem = self.pose(scenario)
        origin = None
        if scenario.start is not None:
            origin = self._solve(scenario.start.origin, job, ticket)
        pause = partial(self.queue.between_states, ticket)
        progress = Progress(job, scenario.params, pause)
        return solve_posed(
            scenario, problem, origin, max_bytes=self.trace_bytes, until=progress
        )


def _read_or_refused(content: bytes, upload: Upload) -> Dataset | str:
    """The file as a data set, or what is wrong with it: both are remembered."""
    try:
        return read_upload(content, upload)
    except ValueError as error:
        return str(error)


def _data_key(scenario: Scenario) -> tuple:
    seed = scenario.seed if scenario.upload is None else None  # a file has one draw
    return scenario.data, scenario.data_knobs, seed, scenario.upload


def _run_rest(solved: Solved) -> float:
    return REST + WORTH * float(solved.trace.seconds.sum())


@contextmanager
def running(server: RunServer, scenario: Scenario):
    """A job for the length of a block; for scripts and tests."""
    job = server.ask(scenario)
    try:
        yield job
    finally:
        job.stop()
