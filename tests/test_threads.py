"""Threads: the same states on any number of them, and nothing left behind."""

import os
import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path

import numba
import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from halfmoon.datasets import hide_labels, load
from ssl_core import ALGORITHMS, make, stopping, threads
from ssl_core.linalg import sparse

ROOT = Path(__file__).parents[1]
# n = 1200: symmetric products go through symv, which rounds otherwise on two threads.
RUNS = """
import hashlib, sys
from halfmoon.datasets import hide_labels, load
from ssl_core import ALGORITHMS, make

most = {"max_iter": int(sys.argv[1])}
for name in ALGORITHMS:
    n = min(1200, ALGORITHMS[name].max_n)
    data = load("two_moons", n=n, noise=0.15)
    y = hide_labels(data, per_class=12)
    limit = most if "max_iter" in ALGORITHMS[name].defaults else {}
    trace = make(name, **limit).trace(data.X, y, X_val=data.X[:90], y_val=data.y[:90])
    seen = hashlib.sha256(trace.outputs["val"].tobytes())
    for state in trace.states:
        seen.update(state.f.tobytes() + repr(state.objective).encode())
    print(name, len(trace), seen.hexdigest())
"""


def blas_numbers():
    return [p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"]


def openmp_numbers():
    return [p["num_threads"] for p in threadpool_info() if p["user_api"] == "openmp"]


@pytest.fixture
def two_threads():
    """BLAS with two threads, as on a machine with two cores."""
    with threadpool_limits(2, user_api="blas"):
        yield


@pytest.mark.parametrize("max_iter", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_every_algorithm_gives_the_same_states_with_one_thread_as_with_two(max_iter):
    """To the last bit, with the number set by the environment as visitors set it."""
    printed = []
    for number in "12":
        environment = {
            **os.environ,
            "OPENBLAS_NUM_THREADS": number,
            "MKL_NUM_THREADS": number,
            "OMP_NUM_THREADS": number,
            "NUMBA_NUM_THREADS": number,
            "PYTHONPATH": str(ROOT),
        }
        done = subprocess.run(
            [sys.executable, "-c", RUNS, str(max_iter)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        printed.append(done.stdout.splitlines())
    assert len(printed[0]) == len(ALGORITHMS)
    assert printed[0] == printed[1]


def stability_run():
    data = load("two_moons", n=2000)
    y = hide_labels(data, n_labeled=4)
    return make("lapsvm_pcg", stop="stability", sigma=0.35).trace(data.X, y)


def test_stability_check_stops_at_the_same_iteration_with_one_thread_as_with_two():
    traces = []
    for number in (1, 2):
        with threadpool_limits(number, user_api="blas"):
            traces.append(stability_run())
    one, two = traces
    assert len(one) == len(two) > 10
    np.testing.assert_array_equal(one.column("objective"), two.column("objective"))


def test_large_runs_keep_their_threads_and_agree_to_rounding(monkeypatch, two_threads):
    """What is promised above the size: the same optimum, not the same bits."""
    monkeypatch.setattr(threads, "ONE_THREAD_ENTRIES", 0)
    data = load("two_moons", n=300)
    y = hide_labels(data, per_class=4)
    est = make("lapsvm_pcg", tol=1e-8)
    inside = []
    monkeypatch.setattr(
        type(est), "_run", lambda self, task: inside.append(blas_numbers()) or run(task)
    )

    def run(task):
        return stopping.Run(len(task.y), task.unlabeled, None, None)

    large = est.trace(data.X, y)
    assert inside == [blas_numbers()]
    with threadpool_limits(1, user_api="blas"):
        small = est.trace(data.X, y)
    assert large.final.objective == pytest.approx(small.final.objective, rel=1e-9)


# Nothing is left behind.


def test_the_cap_holds_while_a_state_is_made_and_not_between_states(
    monkeypatch, two_threads
):
    during = []
    watched = stopping.mixed_product(1e-6)

    class Spy:
        def watch(self, run):
            look = watched.watch(run)
            return lambda state: during.append(blas_numbers()) or look(state)

    data = load("two_moons", n=200)
    states = make("lapsvm_pcg", stop=Spy()).iterate(
        data.X, hide_labels(data, per_class=2)
    )
    before = blas_numbers()
    for _ in islice(states, 4):
        assert blas_numbers() == before
    assert during == [[1] * len(before)] * 4
    del states  # dropped half-way
    assert blas_numbers() == before


def test_a_run_that_fails_leaves_the_threads_alone(two_threads):
    before = blas_numbers(), openmp_numbers()

    def fail():
        with threads.capped(blas=1, loops=1):
            assert blas_numbers() == [1] * len(before[0])
            assert openmp_numbers() == [1] * len(before[1])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (blas_numbers(), openmp_numbers()) == before


@pytest.mark.parametrize("first_out", ["first", "second"])
def test_blocks_that_overlap_leave_the_number_they_found(first_out, two_threads):
    """Two that each set and restored it would leave the wrong one."""
    before = blas_numbers()
    first, second = threads.capped(blas=1), threads.capped(blas=None)
    first.__enter__()
    second.__enter__()
    pair = (first, second) if first_out == "first" else (second, first)
    pair[0].__exit__()
    assert blas_numbers() == ([1] * len(before) if first_out == "second" else before)
    pair[1].__exit__()
    assert blas_numbers() == before


def test_a_run_in_another_thread_is_capped_whoever_set_the_number(two_threads):
    """threadpoolctl obeys the thread that came first and ignores others in silence."""
    data = load("two_moons", n=1200)
    y = hide_labels(data, per_class=2)
    here = make("lapsvm_pcg").fit(data.X, y).state_
    found, inside = [], []

    def visit():
        found.append(make("lapsvm_pcg").fit(data.X, y).state_)
        with threads.capped(blas=1):
            inside.append(blas_numbers())

    visitor = threading.Thread(target=visit)
    visitor.start()
    visitor.join()
    assert inside == [[1] * len(blas_numbers())]
    np.testing.assert_array_equal(found[0].f, here.f)


def test_many_runs_at_once_leave_the_number_they_found(two_threads):
    before = blas_numbers()
    data = load("two_moons", n=120)
    y = hide_labels(data, per_class=2)
    alone = make("lapsvm_pcg").fit(data.X, y).state_
    found = []

    def visit():
        for _ in range(5):
            found.append(make("lapsvm_pcg").fit(data.X, y).state_)

    visitors = [threading.Thread(target=visit) for _ in range(6)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert blas_numbers() == before
    assert len(found) == 30
    for state in found:
        np.testing.assert_array_equal(state.f, alone.f)


# Compiled loops.

parallel = pytest.mark.skipif(
    not threads.PARALLEL, reason="no thread-safe layer on this machine"
)


@parallel
def test_the_cap_on_loops_is_undone_at_the_end():
    before = numba.get_num_threads()
    with threads.capped(loops=1):
        assert not threads.several()
        with threads.capped(loops=2):  # a block inside may ask for less, not for more
            assert not threads.several()
    assert threads.several()
    assert numba.get_num_threads() == before


@parallel
def test_compiled_loops_obey_the_cap_on_threads(monkeypatch):
    """With one thread the serial twin runs, with two numba is told so."""
    called = []
    for kind in ("parallel", "serial"):
        run = getattr(sparse, f"gather_{kind}")
        monkeypatch.setattr(
            sparse,
            f"gather_{kind}",
            lambda *a, kind=kind, run=run: (
                called.append((kind, numba.get_num_threads())) or run(*a)
            ),
        )
    monkeypatch.setattr(sparse, "CHUNK_NONZEROS", 8)
    data = load("topic_text", n=60)
    product = sparse.design(data.X)
    v = np.ones(data.X.shape[1] + 1)
    most = numba.get_num_threads()
    for cap in (1, 2, None):
        with threads.capped(loops=cap):
            product.outputs(v)
    assert called == [("serial", most), ("parallel", min(2, most)), ("parallel", most)]
    assert numba.get_num_threads() == most


@parallel
def test_a_capped_thread_does_not_cap_its_neighbour():
    inside, seen = threading.Event(), []

    def neighbour():
        inside.wait(5)
        seen.append(threads.several())

    other = threading.Thread(target=neighbour)
    other.start()
    with threads.capped(loops=1):
        assert not threads.several()
        inside.set()
        other.join()
    assert seen == [True]
