"""Cells computed, one after the other or many at once, each kept when it is finished.

`run` is a generator: it yields every cell as it is finished, and a caller may stop at
any time. Cells are computed with one thread each, wherever they are, so that their
numbers do not depend on how many run side by side.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import (
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from dataclasses import dataclass, field
from functools import cache

import joblib
from joblib.externals.loky.process_executor import BrokenProcessPool

from ssl_core.experiments.cell import Cell, measured
from ssl_core.experiments.luggage import Luggage, luggage_of, unpack
from ssl_core.experiments.protocols import protocol_of
from ssl_core.experiments.store import Kept, Store, StoreError
from ssl_core.experiments.work import DIED, TRIES, Outcome, RunError, Work, WorkerDied
from ssl_core.threads import capped

POLL = 1.0  # seconds between two looks at cells that another runner has claimed
ORPHAN = 0.5  # seconds between two looks whether the runner is still there


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
    cells = list(dict.fromkeys(cells))
    checksums: dict[tuple, str] = {}
    reasons: dict[tuple, str] = {}
    # In the order of their names, so that each file is read once.
    for protocol, problem in sorted({(c.protocol, c.problem) for c in cells}, key=str):
        try:
            posed = protocol_of(protocol).pose(dict(problem))
            checksums[protocol, problem] = posed.checksum
        except (OSError, ValueError) as reason:
            reasons[protocol, problem] = _words(reason)
    every, missing = [], {}
    for cell in cells:
        checksum = checksums.get((cell.protocol, cell.problem))
        if checksum is None:
            reason = reasons[cell.protocol, cell.problem]
            missing[reason] = missing.get(reason, 0) + 1
            continue
        key = cell.key(checksum, protocol_of(cell.protocol).version)
        every.append(Work(cell, key, checksum))
    finished = store.finished(work.key for work in every)
    left = tuple(work for work in every if work.key not in finished)
    return Plan(left, len(every) - len(left), missing)


def compute(work: Work) -> Outcome:
    """One cell, on one thread; what goes wrong is part of the outcome."""
    start = time.perf_counter()
    try:
        protocol = protocol_of(work.cell.protocol)
        with capped(blas=1, loops=1):
            posed = protocol.pose(dict(work.cell.problem))
            _same_here(work, posed.checksum, protocol.version)
            result = measured(protocol.run(posed, work.cell))
    except (Exception, MemoryError) as error:  # one cell's failure is not the run's
        return Outcome(work, error=_words(error), seconds=time.perf_counter() - start)
    return Outcome(work, result, seconds=time.perf_counter() - start)


def compute_for(luggage: Luggage, work: Work, worker: str) -> Outcome:
    """One cell in another process; RunError where that lacks a plug-in."""
    unpack(luggage, work.cell, worker)
    return compute(work)


def _same_here(work: Work, checksum: str, protocol_version: int) -> None:
    """Whether a machine has what the one that asked has."""
    if checksum != work.checksum:
        raise RunError(
            "the data here are not those of the machine that asked; give all machines "
            "the same files"
        )
    if work.cell.key(checksum, protocol_version) != work.key:
        raise RunError(
            f"{work.cell.algorithm} or its protocol has another version here than on "
            f"the machine that asked; give all machines the same Halfmoon"
        )


def _words(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(str(error).split()) or type(error).__name__


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

    Cells that were under way when a worker died are tried again in halves, until the
    one that kills its workers is alone and is given up.

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
    batches, deaths = deque([list(work)]), Counter()
    with _engine(jobs, dask, within) as engine:
        while any(batches) and not stopped():
            batch = batches.popleft()
            turn = _Turn(batch, store, stopped)
            yield from turn.outcomes(engine)
            if turn.left:
                batches.appendleft(turn.left)
            if turn.lost and len(batch) == 1:
                deaths[batch[0]] += 1
            if deaths[batch[0]] == TRIES:
                yield Outcome(batch[0], error=DIED, died=True)
            else:
                batches += filter(None, _halves(turn.lost))
            if turn.later:
                batches.append(turn.later)
                if turn.idle and not stopped():
                    time.sleep(POLL)  # others are at work on all of them


def _halves(work: list[Work]) -> tuple[list[Work], list[Work]]:
    middle = (len(work) + 1) // 2
    return work[:middle], work[middle:]


class _Turn:
    """One pass over some cells: each is claimed just before it is computed."""

    def __init__(self, waiting: list[Work], store: Store, stopped):
        self.left, self.store, self.stopped = list(waiting), store, stopped
        self.later: list[Work] = []  # other runners have them
        self.elsewhere: list[Work] = []
        self.begun: dict[str, Work] = {}
        self.lost: list[Work] = []  # under way when a worker died
        self.idle = True
        self.failure: StoreError | None = None

    def outcomes(self, engine) -> Iterator[Outcome]:
        """What became of the cells; those of dead workers are `lost` instead."""
        try:
            with closing(engine(self.claimed())) as outcomes:
                for outcome in outcomes:
                    self.done(outcome)
                    if not outcome.died:
                        yield outcome
        except WorkerDied:
            self.lost += self.begun.values()
        finally:
            self.release()
        if self.failure is not None:
            raise self.failure
        for one in self.elsewhere:
            yield Outcome(one, elsewhere=True)

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
                    protocol_of(work.cell.protocol).version,
                    outcome.result,
                    outcome.seconds,
                    time.time(),
                )
            )
        else:
            self.store.release(work.key)
            if outcome.died:
                self.lost.append(work)
        del self.begun[work.key]

    def release(self) -> None:
        """Give back what was begun and did not come back."""
        for key in list(self.begun):  # the engine's thread may be at the last one
            with suppress(StoreError):  # what cannot be written is reported already
                self.store.release(key)
        self.begun = {}


# -- engines --------------------------------------------------------------------------


@contextmanager
def _engine(jobs: int, dask: str | None, within):
    """A function from an iterator of work to outcomes, in the order they come."""
    if dask is not None:
        try:
            from ssl_core.experiments.cluster import cluster
        except ImportError as error:
            raise RunError(
                '--dask needs dask and distributed: pip install "halfmoon[dask]".'
            ) from error
        with cluster(dask, compute_for) as engine:
            yield engine
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
    """Processes of this machine."""
    pool = joblib.Parallel(
        n_jobs=jobs,
        return_as="generator_unordered",
        pre_dispatch=jobs + 1,  # what is dispatched is claimed: no more than needed
        batch_size=1,
    )
    outcomes = pool(
        joblib.delayed(_compute_here)(os.getpid(), luggage_of(one.cell), one)
        for one in work
    )
    try:
        for outcome in outcomes:  # noqa: UP028 - `yield from` would close it for us
            yield outcome
    except BrokenProcessPool as error:
        raise WorkerDied from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that not all was used is as it should be
            outcomes.close()


def _compute_here(runner: int, luggage: Luggage, work: Work) -> Outcome:
    """A cell in a process of its own, which does not outlive the runner."""
    _belong_to(runner)
    return compute_for(luggage, work, f"The process {os.getpid()} of this machine")


@cache
def _belong_to(runner: int) -> None:
    """Leave when the runner is gone; it alone is stopped from the keyboard."""

    def watch():
        while os.getppid() == runner:
            time.sleep(ORPHAN)
        os._exit(1)

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=watch, daemon=True, name="is the runner there?").start()
