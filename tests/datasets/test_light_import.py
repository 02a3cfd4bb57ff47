"""Data can be loaded without any solver."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = ("ssl_core", "numba")
READING = "import sys, datasets; print(*sys.modules)"


def test_importing_datasets_loads_neither_solvers_nor_numba():
    done = subprocess.run(
        [sys.executable, "-c", READING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = done.stdout.split()
    assert "halfmoon.datasets.registry" in loaded
    assert not [name for name in loaded if name.startswith(HEAVY)]
