"""The experiment runner on both cores: a share of every table, into a new store.

The whole set takes hours. What is timed is the first splits of its quick cells, through
the command as a person types it, start and imports included.
"""

import os
import subprocess
import sys

import pytest

from ssl_core.experiments import Store
from tests.benchmarks.measure import Report, in_turns
from tests.benchmarks.results import ROOT, at_least

pytestmark = pytest.mark.benchmark

REPEATS = 3
TABLES = ("csk08-8", "csk08-11", "csk08-13", "csk08-2", "csk08-12", "csk08-15")
DATA, SPLITS = "g50c,coil3,2moons,2moons_noisy", 3


def command(store, jobs):
    return [
        *(sys.executable, "-m", "ssl_core.experiments", "run", *TABLES),
        *("--data", DATA, "--splits", f"{SPLITS}"),
        *("--jobs", f"{jobs}", "--store", f"{store}", "--scratch"),
    ]


@pytest.mark.timeout(1800)
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two cores")
def test_two_jobs_are_nearly_twice_as_fast_as_one(tmp_path):
    numbers = {}

    def run(jobs):
        path = tmp_path / f"{jobs}.sqlite"
        path.unlink(missing_ok=True)
        subprocess.run(command(path, jobs), check=True, cwd=ROOT, capture_output=True)
        with Store(path, readonly=True) as store:
            numbers[jobs] = {s: r["error"] for s, r in store.results().items()}

    one, two = in_turns(lambda: run(1), lambda: run(2), repeats=REPEATS)
    assert numbers[1] == numbers[2]
    row = Report("Experiments").add(
        f"{len(numbers[1])} cells with --jobs 2",
        one / two,
        "x",
        repeats=REPEATS,
        goal=at_least(1.7),
        against=f"one process ({one:.0f} s)",
    )
    assert row.met, row
