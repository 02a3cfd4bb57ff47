"""Protocols of cells that take no time, or that do harm, and what they leave behind.

Each computation adds a line to `LOG` in the folder where it runs, so that a test can
count them. Workers find a protocol by its key, ``tests.experiments.toy:QUICK``.
"""

import os
import signal
import time
from collections import Counter
from pathlib import Path

import numpy as np

from halfmoon.datasets import Split
from ssl_core.experiments import Cell, Entry, Protocol, Table
from ssl_core.experiments.posed import Posed

LOG = "computed.log"
HERE = __name__


def pose(problem: dict) -> Posed:
    """Three points and no file, unless the problem names one."""
    rng = np.random.default_rng(problem["split"])
    X = rng.normal(size=(3, 2))
    if "file" in problem:
        X += len(Path(problem["file"]).read_bytes())
    rows = np.arange(3)
    none = np.empty(0, dtype=int)
    return Posed.of(X, np.array([0, 1, 0]), Split(rows[:2], rows[2:], none, none))


def run(posed: Posed, cell: Cell) -> dict:
    """Whatever the cell's setting says."""
    with open(LOG, "a") as file:  # one short write: lines of several processes stay
        file.write(f"{cell}\n")
    setting = dict(cell.setting)
    time.sleep(setting.get("seconds", 0.0))
    return DEEDS[setting["does"]](dict(cell.problem)["split"])


def _raise(split):
    raise ArithmeticError("nothing to divide by")


def _kill(split):
    os.kill(os.getpid(), signal.SIGKILL)


DEEDS = {
    "measure": lambda split: {"error": 10.0 + split, "seconds": 0.5},
    "numpy": lambda split: {
        "error": np.float32(1.5),
        "count": np.int64(3),
        "fine": np.bool_(True),
        "curve": np.array([1.0, 2.0]),
    },
    "nan": lambda split: {"error": np.float64("nan")},
    "infinite": lambda split: {"error": 1.0, "gaps": [1.0, float("inf")]},
    "object": lambda split: {"error": object()},
    "nothing": lambda split: None,
    "raise": _raise,
    "kill": _kill,
}


def cells(key: str, count: int, does="measure", seconds=0.0, **problem):
    """Splits of one kind."""
    return tuple(
        Cell.of(
            f"{HERE}:{key}",
            {"data": "toy", "split": k} | problem,
            "toy",
            setting={"does": does, "seconds": seconds},
        )
        for k in range(count)
    )


def protocol(key: str, **kinds) -> Protocol:
    entries = {("toy", name): Entry(made, 12.0) for name, made in kinds.items()}
    table = Table(f"toy-{key.lower()}", f"Toy {key}", entries, tolerance=4.0)
    return Protocol(f"{HERE}:{key}", f"Toy {key}", "CSK08", pose, run, (table,))


QUICK = protocol("QUICK", measured=cells("QUICK", 12, seconds=0.02))
STEADY = protocol("STEADY", measured=cells("STEADY", 16, seconds=0.15))
LONG = protocol("LONG", measured=cells("LONG", 4, seconds=60.0))
FAULTY = protocol(
    "FAULTY",
    measured=cells("FAULTY", 4),
    raising=cells("FAULTY", 1, "raise"),
    nan=cells("FAULTY", 1, "nan"),
)
FILED = protocol("FILED", measured=cells("FILED", 2, file="points"))
DEADLY = protocol(
    "DEADLY",
    deadly=cells("DEADLY", 1, "kill", seconds=0.1),
    measured=cells("DEADLY", 5, seconds=0.3),
)


def computed(folder) -> Counter:
    """How often each cell was computed in a folder, by its words."""
    path = Path(folder) / LOG
    return Counter(path.read_text().splitlines()) if path.exists() else Counter()
