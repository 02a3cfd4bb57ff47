"""Ratios in one run: what is compared is timed in turns, medians are divided."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "tables"


def timed(function: Callable) -> tuple[float, Any]:
    """Seconds a call took, and what it gave."""
    start = time.perf_counter()
    value = function()
    return time.perf_counter() - start, value


def in_turns(*functions: Callable, repeats: int = 7) -> list[float]:
    """Median seconds of each function; they take turns, so that noise hits all."""
    for function in functions:
        function()  # compile, fill caches
    times = np.empty((repeats, len(functions)))
    for i in range(repeats):
        for j, function in enumerate(functions):
            time.sleep(0.1)  # numpy's and SciPy's BLAS threads spin before they sleep
            times[i, j] = timed(function)[0]
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


class Report:
    """Lines of a markdown table, printed as they come and kept in docs/tables."""

    def __init__(self, name: str, title: str):
        self.path = DOCS / f"{name}.md"
        self.lines = [f"# {title}", "", "| what | measured | goal |", "|---|---|---|"]

    def add(self, what: str, measured: str, goal: str):
        line = f"| {what} | {measured} | {goal} |"
        print(line, flush=True)
        self.lines.append(line)
        DOCS.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join(self.lines) + "\n")
