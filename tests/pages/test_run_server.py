"""Runs side by side: found again, stopped, waited for, and never in a mix-up."""

import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from halfmoon.pages._parts.running.cache import Cache, key_bytes
from halfmoon.pages._parts.running.job import Owner
from halfmoon.pages._parts.running.run_limits import Limits
from halfmoon.pages._parts.running.run_server import RunServer, running
from halfmoon.scenario import (
    MAX_HAND,
    UPLOAD,
    Labels,
    Scenario,
    Upload,
    default,
)
from ssl_core import ALGORITHMS, Status, make
from ssl_core.linalg import sparse
from tests.pages.finding import played

MOONS = default()
# Hundreds of iterations of a few milliseconds each: long enough to be stopped.
LONG = (
    default()
    .with_data_knob("n", 2500)
    .with_parameter("gamma_A", 1e-8)
    .with_parameter("tol", 0.0)
    .with_parameter("max_iter", 2000)
)


@pytest.fixture
def server():
    return RunServer(slots=2)


def wait_for_runs():
    for thread in threading.enumerate():
        if thread.name.startswith("run-"):
            thread.join(30)


def test_a_finished_run_is_found_again(server):
    first = server.ask(MOONS).outcome()
    looked_at_differently = MOONS.with_view(t=3)
    assert server.ask(looked_at_differently).outcome() is first
    assert first.trace.status is Status.CONVERGED


def test_methods_side_by_side_share_their_problem_and_their_runs(server):
    both = Scenario.of("two_moons", "svm", "lapsvm_pcg")
    runs = [server.ask(both.alone(index)).outcome() for index in range(2)]
    assert runs[0].problem is runs[1].problem
    assert server.ask(MOONS).outcome() is runs[1]
    assert server.ask(both).outcome() is runs[0]


def test_eight_runs_of_one_visitor_hold_up_nobody(server):
    greedy = Owner("greedy")
    slow = [server.ask(LONG.with_seed(seed), greedy) for seed in range(1, 9)]
    while not any(job.t > 5 for job in slow):
        slow[0].wait(0.01)
    begun = time.monotonic()
    quick = server.ask(MOONS, Owner("another"))
    assert quick.wait(30)
    assert time.monotonic() - begun < 5  # seven of the eight would take minutes
    assert not any(job.over for job in slow)
    for job in slow:
        job.stop()
    for job in slow:
        assert job.wait(30)


def test_a_quick_run_waits_for_no_slow_one_of_the_same_visitor():
    server, one = RunServer(slots=1), Owner("one")
    slow, quick = server.ask(LONG, one), server.ask(MOONS.with_seed(7), one)
    assert quick.wait(30)
    assert not slow.over
    slow.stop()
    assert slow.wait(30)


def test_a_run_that_takes_turns_is_the_run_it_is_alone(monkeypatch):
    """Paused between two states, it goes on to the last bit where it was."""
    monkeypatch.setattr("halfmoon.pages._parts.running.queue.SLICE", 0.004)
    few = LONG.with_data_knob("n", 1500).with_parameter("max_iter", 150)
    pair = [few.with_seed(seed) for seed in (1, 2)]
    alone = [RunServer(1).ask(scenario).outcome() for scenario in pair]
    server = RunServer(slots=1)
    jobs = [server.ask(scenario) for scenario in pair]
    both = [job.outcome() for job in jobs]
    assert server.queue.figures().handed_over > 3
    for one, other in zip(alone, both, strict=True):
        np.testing.assert_array_equal(
            one.trace.column("objective"), other.trace.column("objective")
        )


def test_a_visitor_who_left_leaves_no_run_behind(monkeypatch):
    monkeypatch.setattr("halfmoon.pages._parts.running.job.LEFT", 0.2)
    there = [True]
    server, owner = RunServer(slots=1), Owner("gone", lambda: there[0])
    running_one = server.ask(LONG, owner)
    while running_one.t < 2:
        running_one.wait(0.01)
    waiting_one = server.ask(LONG.with_seed(3), owner)
    there[0] = False
    for job in (running_one, waiting_one):
        assert job._done.wait(10)
        assert job.left
        assert not job.stopped
    assert running_one.outcome().interrupted
    assert server.figures()["runs"] == {"left": 2}
    assert server.queue.figures().held == 0


def test_a_broken_connection_that_comes_back_in_time_ends_nothing(monkeypatch):
    monkeypatch.setattr("halfmoon.pages._parts.running.job.LEFT", 1.0)
    there = [True]
    job = RunServer(1).ask(LONG, Owner("back", lambda: there[0]))
    while job.t < 2:
        job.wait(0.01)
    there[0] = False
    assert not job.wait(0.4)
    there[0] = True
    assert not job.wait(1.0)
    assert not job.left
    job.stop()
    assert job.wait(30)


def small(run, runs=1e9):
    return Limits(slots=2, threads=1, runs=runs, run=run, caches=1e9)


def test_a_run_that_does_not_fit_is_refused_with_the_largest_n():
    server = RunServer(bounds=small(50e6))
    big = MOONS.with_data_knob("n", 4000)
    with pytest.raises(ValueError, match="needs about") as told:
        server.ask(big).outcome()
    sentence = str(told.value)
    assert "4,000 points" in sentence
    assert "may take 50 MB on this server" in sentence
    n = int(sentence.split("at most ")[1].split(" points fit")[0].replace(",", ""))
    fits = big.with_data_knob("n", 10 * (n // 10)).with_parameter("max_iter", 3)
    server.ask(fits).outcome()
    with pytest.raises(ValueError, match="needs about"):
        server.ask(big.with_data_knob("n", 10 * (n // 10) + 20)).outcome()
    assert server.figures()["runs"] == {"refused": 2, "done": 1}


def test_single_precision_is_a_way_out_only_where_it_fits():
    big = MOONS.with_data_knob("n", 4000).with_parameter("max_iter", 3)
    server = RunServer(bounds=small(180e6))
    with pytest.raises(ValueError, match=r"single precision \(dtype\)"):
        server.ask(big).outcome()
    server.ask(big.with_parameter("dtype", "float32")).outcome()
    with pytest.raises(ValueError, match="needs about") as refused:
        server.ask(big.with_algorithm("lapsvm_newton")).outcome()
    ways = str(refused.value).partition("; choose ")[2]
    assert ways == "fewer points or another algorithm."
    (other,) = (way for way in refused.value.ways if way.other_algorithm)
    server.ask(other.take(big.with_algorithm("lapsvm_newton"), 0)).outcome()


def test_runs_that_do_not_fit_beside_each_other_run_one_after_the_other():
    few = MOONS.with_data_knob("n", 2000).with_parameter("max_iter", 40)
    few = few.with_parameter("tol", 0.0)
    server = RunServer(bounds=small(150e6, runs=150e6))
    jobs = [server.ask(few.with_seed(seed)) for seed in (1, 2, 3)]
    most = 0
    while not all(job.over for job in jobs):
        figures = server.queue.figures()
        most = max(most, figures.running + figures.paused)
        assert figures.held <= 150e6
        jobs[0].wait(0.005)
    assert most == 1
    assert all(not job.outcome().interrupted for job in jobs)


def test_a_run_that_raises_gives_its_place_and_its_memory_back(monkeypatch):
    server = RunServer(slots=1)
    monkeypatch.setattr("halfmoon.scenario.solving.encoded_truth", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        server.ask(MOONS).outcome()
    monkeypatch.undo()
    assert server.queue.figures().held == 0
    assert server.ask(MOONS).outcome().trace.status is Status.CONVERGED
    assert server.figures()["runs"] == {"failed": 1, "done": 1}


def test_caches_tell_how_full_they_are_and_what_they_were_good_for(server):
    server.ask(MOONS).outcome()
    for _ in range(3):
        server.ask(MOONS).outcome()
    runs = server.figures()["caches"]["runs"]
    assert (runs["entries"], runs["hits"]) == (1, 3)
    assert 0 < runs["bytes"] < runs["max_bytes"]
    assert set(server.figures()["caches"]) == set(server.caches)
    server.runs.rest = lambda _: -1.0
    server.tidy()
    runs = server.figures()["caches"]["runs"]
    assert (runs["entries"], runs["bytes"], runs["dropped"]) == (0, 0, 1)


def test_caches_of_a_small_machine_are_small():
    bounds = Limits(slots=1, threads=1, runs=5e8, run=2e8, caches=100e6)
    server = RunServer(bounds=bounds)
    assert sum(c.max_bytes for c in server.caches.values()) == pytest.approx(100e6)
    assert server.trace_bytes == 5e7


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_runs_on_two_and_on_three_classes(server, algorithm):
    for data in ("two_moons", "three_arcs"):
        solved = server.ask(played(algorithm, data)).outcome()
        assert len(solved.trace) >= 1
        assert np.isfinite(solved.trace.final.objective)


def test_a_stopped_run_keeps_the_states_it_reached(server):
    job = server.ask(LONG)
    while job.t < 5 and not job.over:
        job.wait(0.01)
    assert job.phase == "running"
    assert 0 < job.share < 1
    job.stop()
    solved = job.outcome()
    assert solved.interrupted
    assert 5 <= len(solved.trace) < 2000
    assert solved.trace.decision_function(solved.problem.X[:3]).shape[1] == 3
    # Nobody else is given the half-finished run.
    assert server.runs.get(LONG.solving) is None


def test_a_run_nobody_looks_at_gives_up(server, monkeypatch):
    job = server.ask(LONG)
    while job.t < 1:  # on a busy machine its first turn may come late
        job.wait(0.01)
    monkeypatch.setattr("halfmoon.pages._parts.running.job.ABANDONED", 0.2)
    assert job._done.wait(20)
    assert job.outcome().interrupted


def test_runs_beyond_the_slots_wait_their_turn(monkeypatch):
    late = "halfmoon.pages._parts.running.queue.LATE"
    monkeypatch.setattr(late, 60.0)  # a busy machine
    server = RunServer(slots=1)
    with running(server, LONG) as first:
        while first.t < 1:
            first.wait(0.01)
        with running(server, LONG.with_seed(5)) as second:
            running_at_once = set()
            while second.t < 20:
                running_at_once.add(server.queue.figures().running)
                second.wait(0.005)
            assert running_at_once == {1}
            reached = first.t
            while first.t == reached:  # and the first goes on in its turn
                first.wait(0.01)
    assert first.outcome().interrupted
    assert second.outcome().interrupted


def test_a_run_stopped_before_its_turn_says_so():
    server = RunServer(slots=1)
    with running(server, LONG) as first:
        while first.t < 1:
            first.wait(0.01)
        server.queue.memory = 0.0  # nothing more can begin
        second = server.ask(MOONS)
        assert not second.wait(0.6)
        assert second.standing.place == 1
        second.stop()
        with pytest.raises(ValueError, match="before its turn"):
            second.outcome()


def test_linear_algebra_has_its_threads_back_after_the_last_run(server):
    def threads():
        return [p["num_threads"] for p in threadpool_info() if p["user_api"] == "blas"]

    wait_for_runs()  # stopped ones of earlier tests may still be on their last state
    before = threads()
    jobs = [server.ask(MOONS.with_parameter("sigma", s)) for s in (0.3, 0.4, 0.5)]
    for job in jobs:
        job.outcome()
    wait_for_runs()
    assert threads() == before


def test_a_script_replays_the_apps_run_to_the_last_bit(server):
    """Whatever threads the script's process has: the app gives each run one."""
    scenario = MOONS.with_data_knob("n", 1500).with_parameter("stop", "stability")
    app = server.ask(scenario).outcome()
    X, y = app.problem.X, app.problem.given
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            script = make(scenario.algorithm, **scenario.params).trace(X, y)
        assert len(script) == len(app.trace) > 5
        for name in ("objective", "mixed_product"):
            np.testing.assert_array_equal(script.column(name), app.trace.column(name))
        np.testing.assert_array_equal(script.final.f, app.trace.final.f)


def test_compiled_loops_of_a_visitors_run_have_one_thread(server, monkeypatch):
    seen = []
    real = sparse._pays
    monkeypatch.setattr(
        sparse, "_pays", lambda parts: seen.append(real(parts + 1)) or real(parts)
    )
    text = default().with_data("topic_text").with_algorithm("l2svm_mfn")
    server.ask(text).outcome()
    assert seen
    assert not any(seen)


def test_states_of_linear_machines_stay_within_the_bytes_of_a_run(server, monkeypatch):
    """They keep w, which on text is longer than what they keep of each point."""
    monkeypatch.setattr("halfmoon.pages._parts.running.run_server.TRACE_BYTES", 1e6)
    text = default().with_data("topic_text").with_algorithm("da")
    text = text.with_data_knob("n", 100).with_data_knob("n_features", 10_000)
    trace = server.ask(text).outcome().trace
    whole = trace.states[-1].nbytes * len(trace)
    assert whole > 2e6
    held = sum(trace.states[i].nbytes for i in trace.kept)
    assert held <= 1e6 + 2 * trace.states[-1].nbytes  # first and last always stay
    assert len(trace.kept) > 5


def test_going_on_starts_at_the_state_that_was_shown(server):
    old = server.ask(MOONS).outcome()
    labels = dict(zip(old.problem.train, old.problem.given, strict=True))
    hand = tuple((int(r), int(c)) for r, c in labels.items() if c >= 0)
    free = int(np.flatnonzero(old.problem.given < 0)[0])
    label = (free, int(old.problem.truth[free]))
    changed = MOONS.going_on(6).with_labels(Labels("hand", hand=(*hand, label)))
    new = server.ask(changed).outcome()
    assert new.origin is old
    assert np.allclose(new.trace.states[0].f, old.trace.states[6].f)
    restarted = server.ask(changed.from_start()).outcome()
    assert new.trace.final.objective == pytest.approx(
        restarted.trace.final.objective, rel=1e-6
    )


def test_a_run_of_other_classes_cannot_be_continued(server):
    arcs = default().with_data("three_arcs")
    two = arcs.going_on(3).with_labels(Labels("hand", hand=((0, 0), (1, 1))))
    with pytest.raises(ValueError, match="start from the beginning"):
        server.ask(two).outcome()


SEVERAL = [name for name, entry in ALGORITHMS.items() if entry.max_n >= 200]


def test_many_visitors_get_the_answers_they_would_get_alone(server):
    widths = np.linspace(0.2, 0.6, 12)
    scenarios = [
        MOONS.with_parameter("sigma", float(s)).with_algorithm(name)
        for s, name in zip(widths, SEVERAL * 12, strict=False)
    ]
    alone = [RunServer(1).ask(s).outcome().trace.final.objective for s in scenarios]
    found = [None] * len(scenarios)

    def visit(i):
        found[i] = server.ask(scenarios[i]).outcome().trace.final.objective

    threads = [threading.Thread(target=visit, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx(alone, rel=1e-6)


def test_an_uploaded_file_is_found_by_its_digest(server):
    rows = [f"{x},{x * x % 7},{'ab'[x % 2]}" for x in range(30)]
    digest = server.keep_file(("u,v,kind\n" + "\n".join(rows)).encode())
    scenario = default().with_data(UPLOAD, Upload(digest, "mine.csv"))
    problem = server.pose(scenario)
    assert problem.data.class_names == ("a", "b")
    assert np.allclose(np.std(problem.data.X, axis=0), 1)
    lost = default().with_data(UPLOAD, Upload("0" * 32, "mine.csv"))
    with pytest.raises(ValueError, match="upload it again"):
        server.pose(lost)


def test_a_shelf_lets_go_of_what_was_used_longest_ago():
    cache = Cache(2.5 * (4 + key_bytes("a")), len)
    cache.put("a", "xxxx")
    cache.put("b", "xxxx")
    assert cache.get("a") == "xxxx"
    cache.put("c", "xxxx")
    assert cache.get("b") is None
    assert len(cache) == 2


def test_a_shelf_counts_the_key_as_well(server):
    hand = tuple((i, i % 2) for i in range(MAX_HAND))
    key = MOONS.with_labels(Labels("hand", hand=hand))
    real = sum(map(sys.getsizeof, hand)) + sys.getsizeof(hand)
    assert real < key_bytes(key) < 3 * real
    cache = Cache(2.5 * key_bytes(key), len)
    for draw in range(10):
        cache.put(key.with_labels(replace(key.labels, draw=draw)), "x")
    assert len(cache) == 2
    # A run holds on to its problem, whatever the cache of problems lets go.
    solved = server.ask(MOONS).outcome()
    assert server.runs.size(solved) > solved.nbytes


def test_what_nobody_asks_for_leaves_the_shelf_and_a_dear_run_stays_longer(monkeypatch):
    now = [0.0]
    clock = "halfmoon.pages._parts.running.cache.time.monotonic"
    monkeypatch.setattr(clock, lambda: now[0])
    cache = Cache(1e6, len, rest=lambda value: 10 * len(value))
    for value in ("a", "bbb"):
        cache.put(value, value)
    now[0] = 9.0
    assert cache.get("a") == "a"  # asked for, so its rest begins again
    now[0] = 18.0
    cache.tidy()
    assert len(cache) == 2
    now[0] = 25.0
    cache.tidy()
    assert (cache.get("a"), cache.get("bbb")) == (None, "bbb")


def test_a_tidied_desk_makes_the_same_run_again():
    server = RunServer(1)
    with running(server, MOONS) as job:
        before = job.outcome()
    server.runs.rest = lambda _: -1.0
    server.tidy()
    with running(server, MOONS) as job:
        again = job.outcome()
    assert again is not before
    assert again.trace.final.objective == before.trace.final.objective
