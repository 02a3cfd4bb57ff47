"""A lock file that one process holds at a time, on Windows too."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT = 0.2  # seconds between two attempts

if sys.platform == "win32":
    import msvcrt

    def _take(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def only_process(path: Path) -> Iterator[None]:
    """Wait until no other process is in this block with the same file.

    The system gives the file back when its process ends, however it ends. The file
    stays: who removes it could give two processes two files of one name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        while True:
            try:
                _take(file.fileno())
                break
            except (BlockingIOError, PermissionError):  # held; as Windows says it
                time.sleep(WAIT)
        yield
