"""Dask workers as an engine of the runner.

Only here is distributed imported; it is no requirement of the rest.
"""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice

from distributed import Client, Future, KilledWorker, get_worker, wait

from ssl_core.experiments.luggage import Luggage, luggage_of
from ssl_core.experiments.work import DIED, Outcome, RunError, Work

CONNECT = 20.0  # seconds for a scheduler to answer
LOOK = 1.0  # seconds between two looks at the workers
PATIENCE = 30.0  # seconds without any worker
SCHEDULER_GONE = (
    "The Dask scheduler at {} is gone. Finished cells are kept; start it again and run "
    "the same command."
)
WORKERS_GONE = (
    "The Dask scheduler at {0} has no workers; start some with `dask worker {0} "
    "--nthreads 1`. Finished cells are kept."
)


Compute = Callable[[Luggage, Work, str], Outcome]


@contextmanager
def cluster(address: str, compute: Compute):
    """A scheduler's workers: gives a function from an iterator of work to outcomes."""
    # It has a traceback for every lost connection; the sentences are ours.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise RunError(
            f"No Dask scheduler answers at {address}; start one with `dask scheduler` "
            f"and give the address that it prints."
        ) from error
    try:
        _threads(client, address, patience=0.0)
        yield partial(_outcomes, client, address, compute)
    finally:
        with suppress(Exception):  # of a scheduler that is gone
            client.close(timeout=LOOK)


def _outcomes(client, address, compute, work: Iterator[Work]) -> Iterator[Outcome]:
    """Cells are claimed when they are sent: one more than there are threads."""
    under_way: dict[Future, Work] = {}
    try:
        while True:
            free = 1 + _threads(client, address) - len(under_way)
            for one in islice(work, max(0, free)):
                task = _on_worker, compute, luggage_of(one.cell), one
                under_way[client.submit(*task, pure=False)] = one
            if not under_way:
                return
            for future in _ended(client, address, list(under_way)):
                outcome = _outcome(future, under_way[future], address)
                if outcome is not None:
                    del under_way[future]
                    yield outcome
    finally:
        with suppress(Exception):
            client.cancel(list(under_way))


def _on_worker(compute: Compute, luggage: Luggage, work: Work) -> Outcome:
    me = get_worker()
    return compute(luggage, work, f"The Dask worker {me.name} at {me.address}")


def _ended(client: Client, address: str, futures: list[Future]) -> set[Future]:
    """Those that are done; none after a second, so that the workers are looked at."""
    with client.as_current(), _scheduler(address):
        return wait(futures, timeout=LOOK, return_when="FIRST_COMPLETED").done
    return set()


def _outcome(future: Future, work: Work, address: str) -> Outcome | None:
    """None where its worker died with the result: it is computed again."""
    error: BaseException | None = None
    with _scheduler(address):
        error = future.exception(timeout=LOOK)
        if error is None:
            return future.result(timeout=LOOK)
    if error is None:
        return None
    if isinstance(error, KilledWorker):
        return Outcome(work, error=DIED, died=True)
    if isinstance(error, RunError):
        raise error
    raise RunError(
        f"The Dask workers at {address} cannot compute ({error}); give all machines "
        f"the same Halfmoon."
    )


@contextmanager
def _scheduler(address: str) -> Iterator[None]:
    """Wait no longer than `LOOK`; a connection that breaks: the scheduler is gone."""
    try:
        yield
    except TimeoutError:  # an OSError, too
        return
    except (OSError, CancelledError) as error:
        raise RunError(SCHEDULER_GONE.format(address)) from error


def _threads(client: Client, address: str, patience: float = PATIENCE) -> int:
    """Of all workers; those that died may be started again within ``patience``."""
    deadline = time.monotonic() + patience
    while True:
        found = None
        with suppress(Exception):  # it is gone: what is raised depends on the moment
            if client.status == "running":
                found = sum(client.nthreads().values())
        if found:
            return found
        if found is None:
            raise RunError(SCHEDULER_GONE.format(address))
        if time.monotonic() >= deadline:
            raise RunError(WORKERS_GONE.format(address))
        time.sleep(LOOK)
