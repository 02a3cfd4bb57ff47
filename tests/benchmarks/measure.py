"""Ratios in one run: what is compared is timed in turns, medians are divided."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.benchmarks.results import ROOT, Row, odd

REPEATS = 7


def timed(function: Callable, clock: Callable = time.perf_counter) -> tuple[float, Any]:
    """Seconds a call took, and what it gave."""
    start = clock()
    value = function()
    return clock() - start, value


def in_turns(
    *functions: Callable, repeats: int = REPEATS, clock: Callable = time.perf_counter
) -> list[float]:
    """Median seconds of each function; they take turns, so that noise hits all.

    ``clock=time.process_time`` counts CPU seconds of all threads instead.
    """
    odd(repeats)
    for function in functions:
        function()  # compile, fill caches
    times = np.empty((repeats, len(functions)))
    for i in range(repeats):
        for j, function in enumerate(functions):
            time.sleep(0.1)  # numpy's and SciPy's BLAS threads spin before they sleep
            times[i, j] = timed(function, clock)[0]
    return np.median(times, axis=0).tolist()


def peak_memory(code: str) -> int:
    """Bytes by which ``code`` raises the peak of a fresh process that prints it.

    The code sees ``baseline()``, to be called once imports and data are in place.
    """
    # VmHWM, not ru_maxrss: the latter outlives exec and would show this process.
    prelude = (
        "_marks = []\n"
        "def _peak():\n"
        "    lines = open('/proc/self/status').read().splitlines()\n"
        "    line = next(x for x in lines if x.startswith('VmHWM:'))\n"
        "    return int(line.split()[1]) * 1024\n"
        "def baseline():\n"
        "    _marks.append(_peak())\n"
    )
    closing = "\nprint(_peak() - _marks[0])\n"
    result = subprocess.run(
        [sys.executable, "-c", prelude + code + closing],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return int(result.stdout.split()[-1])


ROWS: list[Row] = []  # of this process, in the order they came


class Report:
    """Takes the numbers of one area; `results` makes the table and the history."""

    def __init__(self, area: str, rows: list[Row] | None = None):
        self.area = area
        self.rows = ROWS if rows is None else rows

    def add(
        self, what: str, value: float, unit: str, *, repeats: int, **further
    ) -> Row:
        """Note one number, and print it; see `Row` for what can be said of it."""
        row = Row(self.area, what, value, unit, repeats, **further)
        print(f"\n{row}", flush=True)
        self.rows.append(row)
        return row
