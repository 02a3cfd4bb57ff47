"""What a server may take of its machine: places, threads, memory.

All of it follows from the processors and the memory that the process may use, a
container's limits included; an operator may say otherwise in the environment:

- ``HALFMOON_SLOTS``: runs at once; one for each processor.
- ``HALFMOON_THREADS``: threads of linear algebra and of compiled loops for each run; 1.
- ``HALFMOON_MEMORY``: megabytes for the whole server; all there are. Half of it goes
  to runs, a quarter at most to caches, and a quarter is for the process itself.
- ``HALFMOON_RUN_MEMORY``: megabytes for one run; half of what all runs have.

A value that cannot be used is reported in the server's log; the default is used.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass

from halfmoon.common.memory import control_groups, total_memory

RUNS, CACHES = 1 / 2, 1 / 4  # of the server's memory
ONE_RUN = 1 / 2  # of what all runs have: a second one can always begin
UNKNOWN = 4e9  # bytes of a machine that does not say
MB = 1e6
MOST_MB, MOST_THREADS = 10**9, 10_000  # a petabyte; more is a slip of the pen
LOG = logging.getLogger("halfmoon")


@dataclass(frozen=True)
class Limits:
    """What a server keeps to.

    Parameters
    ----------
    slots, threads : int
        Runs at once, and threads of each.
    runs, run, caches : float
        Bytes for all runs together, for one, and for all caches.
    """

    slots: int
    threads: int
    runs: float
    run: float
    caches: float


def limits(environment: Mapping[str, str] = os.environ) -> Limits:
    """Those of this process."""
    memory = _number(environment, "HALFMOON_MEMORY", MOST_MB)
    memory = (total_memory() or UNKNOWN) if memory is None else memory * MB
    runs = RUNS * memory
    run = _number(environment, "HALFMOON_RUN_MEMORY", MOST_MB)
    run = ONE_RUN * runs if run is None else min(run * MB, runs)
    slots = _number(environment, "HALFMOON_SLOTS", MOST_THREADS)
    threads = _number(environment, "HALFMOON_THREADS", MOST_THREADS)
    return Limits(
        slots=processors() if slots is None else slots,
        threads=1 if threads is None else threads,
        runs=runs,
        run=run,
        caches=CACHES * memory,
    )


def processors() -> int:
    """Processors that this process may use, rounded up; at least 1."""
    ask = getattr(os, "sched_getaffinity", None)
    found = len(ask(0)) if ask is not None else os.cpu_count() or 1
    for folder in control_groups("cpu"):
        try:
            quota, period = (folder / "cpu.max").read_text(encoding="ascii").split()
        except OSError:  # version 1 tells elsewhere, or there is no limit
            continue
        if quota.isdigit():  # "max" is no limit
            found = min(found, -(-int(quota) // int(period)))
    return max(1, found)


def _number(environment: Mapping[str, str], name: str, most: int) -> int | None:
    """A whole number from 1 to ``most``; None where nothing or nonsense is said."""
    text = environment.get(name, "").strip()
    if not text:
        return None
    if text.isdecimal() and len(text) < 20 and 1 <= int(text) <= most:
        return int(text)
    LOG.warning(
        f"{name} must be a whole number from 1 to {most:,}, got {text!r:.40}; the "
        "default is used."
    )
    return None
