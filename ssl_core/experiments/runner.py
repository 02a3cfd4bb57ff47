"""Cells computed, one after the other or many at once, each kept when it is finished.

`run` is a generator: it gives every cell as it is finished, and whoever wants to stop
stops asking. Cells are computed with one thread each, wherever they are, so that their
numbers do not depend on how many run side by side.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

import joblib

from datasets import DatasetUnavailable
from ssl_core.experiments.cell import Cell
from ssl_core.experiments.protocols import PROTOCOLS
from ssl_core.experiments.store import Kept, Store, StoreError
from ssl_core.threads import capped

TRIES = 3  # of a cell whose worker died under it
POLL = 1.0  # seconds between two looks at cells that another runner has claimed
CONNECT = 20.0  # seconds for a Dask scheduler to answer


class RunError(RuntimeError):
    """The run cannot go on; finished cells are kept. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class Work:
    """A cell that is not finished, and the key of its result."""

    cell: Cell
    key: str
    checksum: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a cell: its result, or why there is none."""

    work: Work
    result: dict[str, Any] | None = None
    error: str = ""
    seconds: float = 0.0  # wall time
    elsewhere: bool = False  # another runner has finished it


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done, what is done, and what cannot be.

    Attributes
    ----------
    work : tuple of Work
    finished : int
    missing : dict of str to int
        Why cells cannot be computed (data that are not here), and how many.
    """

    work: tuple[Work, ...]
    finished: int
    missing: dict[str, int] = field(default_factory=dict)


def plan(cells: Iterable[Cell], store: Store) -> Plan:
    """Look up what is finished, data and versions included.

    The problems are posed to know their checksums; data are read for that.
    """
    checksums: dict[tuple, str] = {}
    missing: dict[str, int] = {}
    every = []
    for cell in dict.fromkeys(cells):
        protocol = PROTOCOLS[cell.protocol]
        problem = (cell.protocol, cell.problem)
        if problem not in checksums:
            try:
                checksums[problem] = protocol.pose(dict(cell.problem)).checksum
            except DatasetUnavailable as reason:
                checksums[problem] = f"! {reason}"
        checksum = checksums[problem]
        if checksum.startswith("!"):
            missing[checksum[2:]] = missing.get(checksum[2:], 0) + 1
            continue
        every.append(Work(cell, cell.key(checksum, protocol.version), checksum))
    finished = store.finished(work.key for work in every)
    left = tuple(work for work in every if work.key not in finished)
    return Plan(left, len(every) - len(left), missing)


def compute(work: Work) -> Outcome:
    """One cell, on one thread; what goes wrong is part of the outcome."""
    protocol = PROTOCOLS[work.cell.protocol]
    start = time.perf_counter()
    try:
        with capped(blas=1, loops=1):
            posed = protocol.pose(dict(work.cell.problem))
            if posed.checksum != work.checksum:
                raise RunError(
                    "the data here are not those of the machine that asked; give all "
                    "machines the same files"
                )
            result = protocol.run(posed, work.cell)
    except (Exception, MemoryError) as error:  # one cell's failure is not the run's
        told = str(error).strip() or type(error).__name__
        return Outcome(work, error=told, seconds=time.perf_counter() - start)
    return Outcome(work, _checked(result), seconds=time.perf_counter() - start)


def _checked(result: dict) -> dict:
    """Plain numbers only, as JSON and a pickle both keep them."""
    return {name: getattr(v, "item", lambda v=v: v)() for name, v in result.items()}


def run(
    work: Iterable[Work],
    store: Store,
    *,
    jobs: int = 1,
    dask: str | None = None,
    stopped: Callable[[], bool] = bool,
    within: Callable[[], AbstractContextManager] = nullcontext,
) -> Iterator[Outcome]:
    """Compute cells and keep them; gives each as it is finished.

    Parameters
    ----------
    work : iterable of Work
        From `plan`.
    store : Store
    jobs : int
        Processes on this machine.
    dask : str, optional
        Address of a Dask scheduler, whose workers compute instead.
    stopped : callable
        Asked before each cell; no further one is begun once it says yes.
    within : callable
        Gives a block around each cell that this very process computes: where it waits
        for its turn among others. What the block raises ends the run.

    Raises
    ------
    RunError
        Workers or scheduler are gone. What was finished is kept.
    StoreError
        The store cannot be written.
    """
    waiting = list(work)
    tries: dict[str, int] = {}
    with _engine(jobs, dask, within) as engine:
        while waiting and not stopped():
            turn = _Turn(waiting, store, stopped)
            try:
                for outcome in engine(turn.claimed()):
                    turn.done(outcome)
                    yield outcome
            except WorkerDied as reason:
                for lost in turn.begun.values():
                    tries[lost.key] = tries.get(lost.key, 0) + 1
                    if tries[lost.key] < TRIES:
                        turn.later.append(lost)
                        continue
                    told = f"its worker died {TRIES} times: {reason}"
                    yield Outcome(lost, error=told)
            finally:
                turn.release()
            if turn.failure is not None:
                raise turn.failure
            for work in turn.elsewhere:
                yield Outcome(work, elsewhere=True)
            waiting = turn.later + turn.left
            if waiting and turn.idle and not stopped():
                time.sleep(POLL)  # others are at work on all that is left


class _Turn:
    """One pass over the cells that wait: each is claimed just before it is computed."""

    def __init__(self, waiting: list[Work], store: Store, stopped):
        self.left, self.store, self.stopped = list(waiting), store, stopped
        self.later: list[Work] = []  # other runners have them, or a worker died
        self.elsewhere: list[Work] = []
        self.begun: dict[str, Work] = {}
        self.idle = True
        self.failure: StoreError | None = None

    def claimed(self) -> Iterator[Work]:
        """Asked by the engine, in a thread of its own: an error ends it quietly."""
        while self.left and not self.stopped():
            work = self.left[0]
            try:
                answer = self.store.claim(work.key)
            except StoreError as error:
                self.failure = error
                return
            self.left.pop(0)
            if answer == "taken":
                self.later.append(work)
            elif answer == "finished":
                self.elsewhere.append(work)
            else:
                self.begun[work.key] = work
                self.idle = False
                yield work

    def done(self, outcome: Outcome) -> None:
        """Keep what came back."""
        work = outcome.work
        if outcome.result is not None:
            self.store.keep(
                Kept(
                    work.key,
                    work.cell,
                    work.checksum,
                    work.cell.version,
                    PROTOCOLS[work.cell.protocol].version,
                    outcome.result,
                    outcome.seconds,
                    time.time(),
                )
            )
            del self.begun[work.key]
            return
        del self.begun[work.key]
        self.store.release(work.key)

    def release(self) -> None:
        """Give back what was begun and did not come back."""
        for key in self.begun:
            with suppress(StoreError):  # what cannot be written is told already
                self.store.release(key)
        self.begun = {}


# -- engines --------------------------------------------------------------------------


class WorkerDied(RuntimeError):  # noqa: N818 - it names what happened
    """A process that computed a cell is gone."""


@contextmanager
def _engine(jobs: int, dask: str | None, within):
    """A function from an iterator of work to outcomes, in the order they come."""
    if dask is not None:
        with _cluster(dask) as n:
            yield lambda work: _parallel(work, n)
    elif jobs == 1:
        yield lambda work: _one_by_one(work, within)
    else:
        yield lambda work: _parallel(work, jobs)


def _one_by_one(work: Iterator[Work], within) -> Iterator[Outcome]:
    for one in work:
        with within():
            outcome = compute(one)
        yield outcome


def _parallel(work: Iterator[Work], jobs: int) -> Iterator[Outcome]:
    pool = joblib.Parallel(
        n_jobs=jobs,
        return_as="generator_unordered",
        pre_dispatch=jobs + 1,  # what is dispatched is claimed: no more than needed
        batch_size=1,
    )
    try:
        yield from pool(joblib.delayed(compute)(one) for one in work)
    except Exception as error:
        raise _told(error) from error


def _told(error: Exception) -> Exception:
    """What the engines raise, by its name: their modules need not be imported."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"TerminatedWorkerError", "BrokenProcessPool", "KilledWorker"}:
        return WorkerDied(
            "it was killed from outside, or the machine had no memory left"
        )
    if names & {"CommClosedError", "CancelledError", "FutureCancelledError"}:
        return RunError(
            "The Dask scheduler is gone. Finished cells are kept; start it again and "
            "run the same command."
        )
    return error


@contextmanager
def _cluster(address: str):
    """A connection to a Dask scheduler as joblib's backend; gives its threads."""
    try:
        from distributed import Client
    except ImportError as error:
        raise RunError(
            "--dask needs dask and distributed: pip install -r requirements-dask.txt."
        ) from error
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise RunError(
            f"No Dask scheduler answers at {address}; start one with `dask scheduler` "
            f"and give the address that it prints."
        ) from error
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise RunError(
                f"The Dask scheduler at {address} has no workers; start some with "
                f"`dask worker {address} --nthreads 1`."
            )
        with joblib.parallel_config(backend="dask", client=client):
            yield threads


def default_jobs() -> int:
    """Processes that suit this machine."""
    return os.cpu_count() or 1
