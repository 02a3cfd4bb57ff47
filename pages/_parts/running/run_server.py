"""Where runs are made: many visitors, one process, nobody in another's way.

A `Job` is one run in a thread of its own, so that a page can show its progress and
stop it. The `RunServer` bounds how many run at once and how much is kept, and caps the
threads that linear algebra may take while runs are under way. No streamlit here.
"""

from __future__ import annotations

import gc
import hashlib
import os
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from datasets import Dataset, hide_labels, load, read_table
from datasets.upload import shown
from pages._parts.running import sizes
from pages._parts.running.cache import Cache, FileCache
from pages._parts.running.job import Job, Progress, Solved
from pages._parts.running.learning_problem import Problem, check_posed, pose, read_data
from pages._parts.running.projection import Picture, project
from pages._parts.scenario import Scenario, Start, Upload
from pages._parts.stage.view import MAX_CLASSES
from ssl_core import ALGORITHMS, make
from ssl_core.threads import capped

SLOTS = max(1, (os.cpu_count() or 1))  # runs at once
THREADS = 1  # each: two visitors on two cores, neither waits for the other
TRACE_BYTES = 200e6  # arrays of one run's states; beyond it fewer states keep theirs
RUN_BYTES = 600e6  # finished runs kept for everyone
DATA_BYTES = 600e6
PICTURE_BYTES = 50e6
VIEW_BYTES = 200e6
FILE_BYTES = 200e6
TABLE_BYTES = 250e6  # files as read: two of the largest, or many
MAX_FILE = 25_000_000  # bytes of one uploaded file
READERS = 2  # files read at once: each may take 300 MB while it lasts
REST = 60.0  # seconds that something stays in a cache although nobody asks for it
LONG_REST = 600.0  # what has to be read or laid out again
WORTH = 100  # a run that took a second stays so many seconds longer
WARM_SECONDS = 60.0  # a run waits no longer than this for compiled code
SOON = 0.05  # seconds between two looks for a place by runs of one visitor
STOPPED_EARLY = "The run was stopped before its turn came."


class RunServer:
    """Takes scenarios in and gives runs out."""

    def __init__(self, slots: int = SLOTS):
        self.slots = slots
        self._places = threading.Semaphore(slots)
        self._beside = threading.Semaphore(1)  # see `_place`
        self.runs = Cache(RUN_BYTES, sizes.run_bytes, _run_rest)
        self.data = Cache(DATA_BYTES, sizes.data_bytes, lambda _: LONG_REST)
        self.problems = Cache(DATA_BYTES, sizes.problem_bytes, lambda _: REST)
        self.pictures = Cache(
            PICTURE_BYTES, lambda picture: picture.points.nbytes, lambda _: LONG_REST
        )
        self.views = Cache(VIEW_BYTES, sizes.view_bytes, lambda _: REST)
        self.files = FileCache(FILE_BYTES)
        self.tables = Cache(TABLE_BYTES, sizes.table_bytes, lambda _: LONG_REST)
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
                    kept = key, _read_upload(content, upload)
                    self.tables.put(key, kept)
        data = kept[1]
        if isinstance(data, str):
            raise ValueError(data)
        return data

    def tidy(self) -> None:
        """Give back the memory of what nobody looks at; files stay."""
        made = (self.runs, self.views, self.problems, self.pictures)
        for cache in (*made, self.data, self.tables):
            cache.tidy()
        sizes.give_back()

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
        key = (*_data_key(scenario), scenario.drawing, scenario.view)
        picture = self.pictures.get(key)
        if picture is None:
            data = self.pose(scenario).data
            with capped(blas=THREADS):  # many threads on a busy machine only spin
                picture = project(data, scenario.view)
            self.pictures.put(key, picture)
        return picture

    @property
    def share(self) -> int:
        """Places that one visitor's runs may take at once: one is left for others."""
        return max(1, self.slots - 1)

    @contextmanager
    def _place(self, job: Job):
        """A place to run in, for as long as the block lasts.

        Runs of one visitor wait for their turn among each other, so that they leave
        places to others. There is one place beside those, for whichever of them waits:
        a quick run need not wait until a long one of the same visitor is over.
        """
        if job.turn is None:
            with _held(self._places, job.given_up):
                yield
            return
        while not job.turn.acquire(blocking=False):
            if self._beside.acquire(timeout=SOON):
                with _releasing(self._beside):
                    yield
                return
            if job.given_up():
                raise ValueError(STOPPED_EARLY)
        with _releasing(job.turn), _held(self._places, job.given_up):
            yield

    def slot(self, visitor: str, given_up: Callable[[], bool]):
        """A block that holds one place, for a visitor's work that is no run of a `Job`.

        While it waits it asks ``given_up``; a yes ends the waiting with a ValueError.
        """
        return _held(self._places, given_up)

    def ask(self, scenario: Scenario, turn: threading.Semaphore | None = None) -> Job:
        """Start the run of a scenario, or find it finished.

        Parameters
        ----------
        scenario : Scenario
        turn : Semaphore, optional
            Shared by runs of one visitor, see `share`.
        """
        job = Job(scenario.solving, turn)
        found = self.runs.get(job.scenario)
        if found is not None:
            job._finish(found)
            return job
        thread = threading.Thread(target=self._work, args=(job,), daemon=True)
        thread.name = f"run-{job.id}"
        thread.start()
        return job

    def _work(self, job: Job) -> None:
        try:
            with self._place(job):
                if job.stopped:
                    raise ValueError(STOPPED_EARLY)
                job.phase, job.began = "preparing", time.monotonic()
                self.warm.wait(WARM_SECONDS)  # or compiling would count as solving
                with capped(blas=THREADS, loops=THREADS):
                    solved = self._solve(job.scenario, job)
            if not solved.interrupted:
                self.runs.put(job.scenario, solved)
            job._finish(solved)
        except Exception as error:  # handed to whoever asks for the outcome
            job._finish(error)

    def _solve(self, scenario: Scenario, job: Job) -> Solved:
        found = self.runs.get(scenario)  # someone else may have been faster
        if found is not None:
            return found
        problem = self.pose(scenario)
        check_posed(problem, scenario)
        origin = start = None
        if scenario.start is not None:
            origin = self._solve(scenario.start.origin, job)
            start = _seed(scenario.start, origin, problem, scenario)
        params = scenario.params
        est = make(scenario.algorithm, **params)
        parts = {}
        for name in ("val", "test"):
            X, y = problem.part(name)
            if len(y):
                parts |= {f"X_{name}": X, f"y_{name}": y}
        progress = Progress(job, params)
        trace = est.trace(
            problem.X,
            problem.given,
            **parts,
            start=start,
            max_bytes=TRACE_BYTES,
            until=progress,
        )
        truth = _truth(problem, est)
        return Solved(scenario, problem, trace, est.classes_, truth, origin, est)


@contextmanager
def _held(places: threading.Semaphore, given_up: Callable[[], bool]):
    """One of the places, for as long as the block lasts."""
    while not places.acquire(timeout=0.5):
        if given_up():
            raise ValueError(STOPPED_EARLY)
    with _releasing(places):
        yield


@contextmanager
def _releasing(place: threading.Semaphore):
    try:
        yield
    finally:
        place.release()


def _seed(start: Start, origin: Solved, problem: Problem, scenario: Scenario):
    """The state to go on from, when it fits what is to be solved now."""
    labelled = np.unique(problem.given[problem.given >= 0])
    same = (
        len(origin.problem.train) == len(problem.train)
        and np.array_equal(origin.classes, labelled)
        and origin.scenario.algorithm == scenario.algorithm
    )
    if not same:
        raise ValueError(
            "The earlier run had other points, classes or another algorithm, so it "
            "cannot be continued; start afresh."
        )
    kept = origin.trace.kept
    times = np.array([origin.trace.states[i].t for i in kept])
    at = kept[max(0, np.searchsorted(times, start.t, side="right") - 1)]
    return origin.trace.states[at]


def _truth(problem: Problem, est) -> np.ndarray:
    """True classes in the core's convention; a labelled point is what it was labelled.

    A point of a class that has no label cannot be guessed right: it gets a code that
    no decision equals, so that it counts as wrong and not as unknown.
    """
    classes = np.where(problem.given >= 0, problem.given, problem.truth)
    truth = est.encode(classes)
    k = len(est.classes_)
    truth[(classes >= 0) & ~np.isin(classes, est.classes_)] = 2 if k == 2 else k
    return truth


def digest_of(content: bytes) -> str:
    """The name of a file's content."""
    return hashlib.sha256(content).hexdigest()[:32]


def _read_upload(content: bytes, upload: Upload) -> Dataset | str:
    """The file as a data set that the stage can show, or what is wrong with it."""
    try:
        data = read_table(
            content,
            upload.name,
            label_column=upload.label_column,
            feature_columns=upload.feature_columns or None,
            max_bytes=MAX_FILE,
        )
    except ValueError as error:
        return str(error)
    if data.n_classes > MAX_CLASSES:
        return (
            f"{shown(upload.name)} has {data.n_classes} classes, and the stage can "
            f"tell {MAX_CLASSES} apart; choose another label column or group rare "
            f"classes."
        )
    return data


def _data_key(scenario: Scenario) -> tuple:
    seed = scenario.seed if scenario.upload is None else None  # a file has one draw
    return scenario.data, scenario.data_knobs, seed, scenario.upload


def _run_rest(solved: Solved) -> float:
    return REST + WORTH * float(solved.trace.seconds.sum())


def warm(server: RunServer) -> None:
    """Compile and touch what the first visitor would otherwise wait for.

    Runs of a server whose ``warm`` was cleared wait until this has ended.
    """
    try:
        for data in (load("two_moons", n=24), load("blobs", n=24)):
            y = hide_labels(data, per_class=2)
            for name, entry in ALGORITHMS.items():
                few = {"max_iter": 2} if "max_iter" in entry.defaults else {}
                make(name, **few).trace(data.X, y)
    finally:
        server.warm.set()
        # What is here by now stays for good; the collector need not look at it again.
        gc.collect()
        gc.freeze()


@contextmanager
def running(server: RunServer, scenario: Scenario):
    """A job for the length of a block; for scripts and tests."""
    job = server.ask(scenario)
    try:
        yield job
    finally:
        job.stop()
