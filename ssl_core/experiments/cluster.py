"""Dask workers as an engine of the runner, through joblib's backend for them.

Only here are dask and distributed imported; they are no requirement of the rest.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import joblib
from distributed import Client, KilledWorker
from joblib._dask import DaskDistributedBackend

from ssl_core.experiments.work import DIED, Outcome, RunError

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


class Backend(DaskDistributedBackend):
    """Joblib's, which waits for ever for a task that ends in any other way than well.

    Here such a task ends the run with a sentence, but for one whose workers died:
    that is the outcome of its cell. And where there is one worker, joblib computes in
    the runner's own process instead of there.
    """

    def __init__(self, client: Client, address: str):
        super().__init__(client=client)
        self.address = address
        self.open: dict = {}  # futures that are awaited, and joblib's callbacks

    def effective_n_jobs(self, n_jobs):
        return max(2, super().effective_n_jobs(n_jobs))

    def submit(self, func, callback=None):
        future = super().submit(func, callback)
        self.open[future] = callback
        future.add_done_callback(lambda ended: self._ended(ended, func, callback))
        return future

    def _ended(self, future, func, callback) -> None:
        self.open.pop(future, None)
        error = future.exception()
        if isinstance(error, KilledWorker):
            ((_, (work,), _),) = func.items
            callback([Outcome(work, error=DIED, died=True)])
        elif error is not None:
            callback(
                RunError(
                    f"The Dask workers at {self.address} cannot compute ({error}); "
                    f"give all machines the same Halfmoon."
                )
            )

    def retrieve_result_callback(self, out):
        if isinstance(out, RunError):
            raise out
        if isinstance(out, BaseException):  # of a future that was cancelled
            raise RunError(SCHEDULER_GONE.format(self.address)) from out
        return super().retrieve_result_callback(out)

    def stop_call(self):
        super().stop_call()
        self.open.clear()

    def give_up(self, sentence: str) -> None:
        """End whatever is under way."""
        for callback in list(self.open.values()):
            callback(RunError(sentence))
        self.open.clear()


@contextmanager
def cluster(address: str) -> Iterator[Callable[[], int]]:
    """A scheduler's workers as joblib's backend; gives what counts their threads."""
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
    backend, ended = Backend(client, address), threading.Event()

    def threads(patience=PATIENCE) -> int:
        deadline = time.monotonic() + patience
        while (found := _threads(client)) == 0 and time.monotonic() < deadline:
            time.sleep(LOOK)  # those that died may be started again
        if found is None:
            raise RunError(SCHEDULER_GONE.format(address))
        if not found:
            raise RunError(WORKERS_GONE.format(address))
        return found

    watch = threading.Thread(
        target=_watch, args=(backend, ended), daemon=True, name="are workers there?"
    )
    try:
        threads(patience=0.0)
        watch.start()
        with joblib.parallel_config(backend=backend):
            yield threads
    finally:
        ended.set()
        with suppress(Exception):  # of a scheduler that is gone
            client.close(timeout=LOOK)


def _threads(client: Client) -> int | None:
    """Of all workers; None where the scheduler does not answer."""
    if client.status != "running":
        return None
    try:
        return sum(client.nthreads().values())
    except Exception:  # it is gone: what is raised depends on the moment
        return None


def _watch(backend: Backend, ended: threading.Event) -> None:
    """Nobody else would say that all workers are gone: Dask waits for new ones."""
    silent = 0.0
    while not ended.wait(LOOK):
        found = _threads(backend.client)
        if found is None and not ended.is_set():
            backend.give_up(SCHEDULER_GONE.format(backend.address))
        silent = 0.0 if found else silent + LOOK
        if silent >= PATIENCE:
            backend.give_up(WORKERS_GONE.format(backend.address))
            silent = 0.0
