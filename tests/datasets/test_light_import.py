"""Whoever only wants data waits for no solver."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ("ssl_core.solvers", "ssl_core.problems", "ssl_core.estimators", "numba")
READING = "import sys, datasets; print(*sys.modules)"


def test_importing_datasets_loads_no_solver():
    done = subprocess.run(
        [sys.executable, "-c", READING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = done.stdout.split()
    assert "datasets.registry" in loaded
    assert not [name for name in loaded if name.startswith(HEAVY)]
