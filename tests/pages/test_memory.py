"""What a run took goes back to the system, and nothing holds a run by accident."""

import gc
import platform
import subprocess
import sys
import weakref

import pytest
import streamlit as st
from streamlit.runtime.state import SessionState

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.job import Job
from halfmoon.scenario import default

GNU = platform.libc_ver()[0] == "glibc"

# A run in a thread of its own, as a server that was just opened has them: a matrix,
# and states that stay when the matrix has gone. Then what is resident in MB with the
# matrix of the second run and without it.
RUNS = """
import os, threading
import numpy as np
from halfmoon.pages._parts.running import runs, warming

warming.warm = lambda server: server.warm.set()
runs.server()
kept, seen = [], []

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

def run():
    K = np.ones((1900, 1900))
    kept.extend(np.ones(1900) for _ in range(200))
    seen.append(resident())
    del K
    seen.append(resident())

for _ in range(2):
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
print(*seen)
"""


@pytest.mark.skipif(not GNU, reason="only the GNU C library can be told")
def test_a_matrix_goes_back_when_it_is_freed_among_states_that_stay():
    """The second one as well: the library would have learnt to keep it."""
    done = subprocess.run(
        [sys.executable, "-c", RUNS], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    *_, full, freed = map(float, done.stdout.split())
    assert full - freed > 0.95 * 1900**2 * 8 / 1e6


def test_a_stop_button_holds_no_run(monkeypatch):
    """Streamlit keeps what a button calls for as long as the visitor is there."""
    calls = []
    monkeypatch.setattr(st, "button", lambda *_, on_click, **__: calls.append(on_click))
    job, other = Job(default()), Job(default())
    for each in (job, other):
        runs._progress(each, st.empty())
    calls[0]()
    assert job.stopped
    assert not other.stopped

    gone = weakref.ref(other)
    del each, other
    gc.collect()
    assert gone() is None
    calls[1]()  # nothing is left to stop


def test_the_run_before_goes_when_the_next_one_begins(monkeypatch):
    """And not when its page is done, which may be long after."""
    session = SessionState()
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(runs, "ask", lambda scenario: Job(scenario.solving))
    before = weakref.ref(runs._current(default()))
    session._compact_state()  # as Streamlit does at the end of a page
    gc.collect()
    assert before() is runs._current(default())

    runs._current(default().with_seed(1))
    gc.collect()
    assert before() is None
