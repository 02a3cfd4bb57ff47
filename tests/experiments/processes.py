"""Runners, schedulers and workers as processes that can be killed.

They are forked from one process that has imported everything, which takes milliseconds
where a new interpreter takes seconds.
"""

import multiprocessing
import os
import signal
import sys
import time
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import forkserver
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
PRELOADED = (
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "ssl_core.experiments.__main__",
    "tests.experiments.processes",
    "tests.experiments.toy",
)


@cache
def _context():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    # The server and loky's workers are interpreters of their own.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), before)))
    forkserver.ensure_running()
    del os.environ["PYTHONPATH"]
    if before is not None:
        os.environ["PYTHONPATH"] = before
    return context


@contextmanager
def _no_script():
    """A page that was tested before is no script to be run by the new process."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


class Process:
    """A function in a process group of its own, in a folder; its words in another."""

    def __init__(self, folder: Path, words: Path, function, *arguments: str):
        self.words = words / f"{function.__name__}-{time.monotonic_ns()}.txt"
        self.words.touch()
        self._process = _context().Process(
            target=_begin, args=(folder, self.words, function, arguments)
        )
        with _no_script():
            self._process.start()
        self.pid = self._process.pid
        self._ended = False

    @property
    def said(self) -> str:
        return self.words.read_text(errors="replace")

    def wait(self, seconds=120.0) -> int:
        """Its exit code; what it started is ended with it."""
        self._process.join(seconds)
        code = self._process.exitcode
        self.end()
        assert code is not None, f"still running after {seconds} s: {self.said}"
        return code

    def kill(self, number=signal.SIGKILL, *, group=False) -> None:
        with suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(self.pid, number)

    def end(self) -> None:
        """The process and its group are gone."""
        if self._ended:
            return
        self._ended = True
        self.kill(group=True)
        self.kill()
        self._process.join()
        self._process.close()


def _begin(folder, words, function, arguments):
    os.setsid()
    # A suite that a shell started in the background ignores SIGINT, and so would this.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.chdir(folder)
    file = os.open(words, os.O_WRONLY | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    with (
        open(1, "w", buffering=1, encoding="utf-8", closefd=False) as sys.stdout,
        open(2, "w", buffering=1, encoding="utf-8", closefd=False) as sys.stderr,
    ):
        code = function(*arguments)
    # A fork of multiprocessing does not end what loky would end with an interpreter.
    os._exit(code)


def run(*arguments: str) -> int:
    """The command's ``run`` on a store of the folder."""
    from ssl_core.experiments.__main__ import main

    return main(["run", "--scratch", "--store", "store.sqlite", *arguments])


def extended(*arguments: str) -> int:
    """The command ``halfmoon``, with plug-ins."""
    from halfmoon.__main__ import main

    return main(list(arguments))


def scheduler(port: str) -> None:
    from distributed.cli.dask_scheduler import main

    main(["--host", "127.0.0.1", "--port", port, "--no-dashboard"])


def worker(address: str, name: str) -> None:
    from distributed.cli.dask_worker import main

    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name]
    main([address, *options, "--local-directory", f"worker-{name}"])


def children_of(pid: int) -> list[int]:
    """Processes that a process has started."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def until(condition, seconds=60.0, words=lambda: "") -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not after {seconds} s: {words()}"
        time.sleep(0.01)
