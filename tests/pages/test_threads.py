"""Two visitors in one process while compiled loops run on several threads.

With numba's ``workqueue`` layer the process dies as soon as two threads enter
parallel code at once, so the runs are made in a process of their own.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from ssl_core import threads

ROOT = Path(__file__).resolve().parents[2]
VISITS = """
import threading
import numba
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import default

LAYER = {layer!r}
if LAYER:
    numba.config.THREADING_LAYER = LAYER
server = RunServer()
text = default().with_data("topic_text").with_algorithm("tsvm")
# Enough nonzeros for a second thread to pay, and a few outer steps of each run.
text = text.with_data_knob("n", 12000).with_data_knob("nnz_per_row", 60)
text = text.with_parameter("max_iter", 15)
found = dict()

def visit(lam):
    found[lam] = server.ask(text.with_parameter("lam", lam)).outcome()

server.base(text)  # the data are made once, so that both solve at the same time
for round in range(6):
    pair = [1e-4 * 1.1 ** (2 * round + i) for i in range(2)]
    visitors = [threading.Thread(target=visit, args=(lam,)) for lam in pair]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
assert len(found) == 12
print("layer", numba.threading_layer())  # raises unless parallel code was in use
"""


def visits(layer=None):
    return subprocess.run(
        [sys.executable, "-c", VISITS.format(layer=layer)],
        cwd=ROOT,
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": "",
            "NUMBA_NUM_THREADS": "2",
            "HALFMOON_SLOTS": "2",
            "HALFMOON_THREADS": "2",  # one would leave parallel code unused
        },
        capture_output=True,
        text=True,
        timeout=280,
    )


@pytest.mark.skipif(not threads.PARALLEL, reason="no thread-safe layer on this machine")
def test_two_visitors_can_be_in_parallel_code_at_once():
    done = visits()
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] in ("tbb", "omp")
