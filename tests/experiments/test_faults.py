"""Runners, workers and disks that fail: a sentence each, finished cells are kept."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from ssl_core.experiments import (
    Store,
    StoreError,
    open_store,
    place,
    plan,
    run,
    store,
)
from ssl_core.experiments.__main__ import main
from tests.experiments import toy
from tests.experiments.processes import Process, alive, children_of, until
from tests.experiments.processes import run as command

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="processes are looked up in /proc"
)
STEADY = ("--protocol", toy.STEADY.key)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def start(folder):
    """Starts processes, and ends those that a test has left."""
    begun = []

    def started(function, *arguments, place=folder):
        process = Process(place, folder, function, *arguments)
        begun.append(process)
        return process

    yield started
    for process in begun:
        process.end()


def computed(folder) -> int:
    return toy.computed(folder).total()


def finished(folder) -> Counter:
    """Finished cells by their words; each can be there only once."""
    path = folder / "store.sqlite"
    if not path.exists() or not path.stat().st_size:  # killed before it was made
        return Counter()
    with Store(path, readonly=True) as kept:
        return Counter(str(row.cell) for row in kept.rows())


def is_whole(folder) -> None:
    """Every cell of STEADY is there, once, in a sound file."""
    assert finished(folder) == Counter(str(cell) for cell in toy.STEADY.cells)
    with Store(folder / "store.sqlite") as kept:
        kept.check()


def claims(folder) -> int:
    with Store(folder / "store.sqlite") as kept:
        return kept._db.execute("SELECT count(*) FROM claims").fetchone()[0]


# -- runners that are killed ----------------------------------------------------------


def kill_at_random(folder, start, *options, times, seed):
    """Kill a runner and all it started again and again; then let it finish."""
    rng, settled = random.Random(seed), {}
    for _ in range(times):
        wanted = computed(folder) + rng.randrange(4)
        process = start(command, *STEADY, *options)
        until(
            lambda n=wanted, pid=process.pid: computed(folder) >= n or not alive(pid),
            words=lambda p=process: p.said,
        )
        time.sleep(rng.random() * 0.1)  # anywhere inside of a cell
        process.kill(group=True)
        process.wait()
        log = toy.computed(folder)
        settled = {cell: log[cell] for cell in finished(folder)}
    last = start(command, *STEADY, *options)
    assert last.wait() == 0, last.said
    assert f"{len(settled)} cells are finished" in last.said
    is_whole(folder)
    log = toy.computed(folder)
    assert {cell: log[cell] for cell in settled} == settled
    assert claims(folder) == 0


def test_a_runner_that_is_killed_at_any_moment_loses_nothing(folder, start):
    kill_at_random(folder, start, times=4, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_runner_that_is_killed_very_often_loses_nothing(folder, start, jobs, seed):
    kill_at_random(folder, start, "--jobs", f"{jobs}", times=5, seed=seed)


@pytest.mark.slow  # 20 s of waiting for the dead
def test_workers_do_not_outlive_their_runner_nor_a_run_a_worker(folder, start):
    """With --jobs 2: the runner is killed, the next one loses a worker and ends."""
    options = (*STEADY, "--jobs", "2")
    first = start(command, *options)
    until(lambda: computed(folder) >= 3, words=lambda: first.said)
    started = children_of(first.pid)
    assert len(started) >= 2
    first.kill()
    until(lambda: not any(map(alive, started)), 20)
    before = finished(folder)
    log = toy.computed(folder)

    second = start(command, *options)
    until(lambda: computed(folder) >= log.total() + 3, words=lambda: second.said)
    workers = [pid for pid in children_of(second.pid) if is_worker(pid)]
    os.kill(workers[0], signal.SIGKILL)
    assert second.wait() == 0, second.said
    is_whole(folder)
    for cell in before:
        assert toy.computed(folder)[cell] == log[cell]
    first.wait()


def is_worker(pid: int) -> bool:
    with open(f"/proc/{pid}/cmdline") as file:
        return "popen_loky" in file.read()


@pytest.mark.parametrize(
    ("jobs", "number"), [(1, signal.SIGTERM), (2, signal.SIGINT)], ids=str
)
def test_a_runner_that_is_stopped_gives_back_and_says_so(folder, start, jobs, number):
    process = start(command, "--protocol", toy.LONG.key, "--jobs", f"{jobs}")
    until(lambda: computed(folder) >= jobs, words=lambda: process.said)
    started = children_of(process.pid)
    assert claims(folder) >= jobs
    process.kill(number, group=number == signal.SIGINT)  # as a terminal does
    assert process.wait(60) == 130
    *_, last = process.said.splitlines()
    assert last == "Stopped; finished cells are kept, those under way are given back."
    assert "Traceback" not in process.said
    assert "Warning" not in process.said
    assert claims(folder) == 0
    until(lambda: not any(map(alive, started)), 20)


def test_three_runners_at_once_compute_each_cell_once(folder, start):
    runners = [start(command, *STEADY) for _ in range(3)]
    assert [r.wait() for r in runners] == [0, 0, 0], [r.said for r in runners]
    is_whole(folder)
    assert set(toy.computed(folder).values()) == {1}
    assert sum(r.said.count(" s\n") for r in runners) >= len(toy.STEADY.cells)


def test_a_runner_that_slept_past_its_lease_does_no_harm(folder, start):
    process = start(command, *STEADY)
    until(lambda: computed(folder) >= 2, words=lambda: process.said)
    process.kill(signal.SIGSTOP)
    with Store(folder / "store.sqlite") as kept:
        kept._db.execute("UPDATE runners SET beat = beat - ?", (store.LEASE + 60,))
        outcomes = list(run(plan(toy.STEADY.cells, kept).work, kept))
        assert [o.error for o in outcomes] == [""] * len(outcomes)
    process.kill(signal.SIGCONT)
    assert process.wait() == 0, process.said
    is_whole(folder)
    assert "finished by another runner" in process.said
    twice = toy.computed(folder) - Counter(str(cell) for cell in toy.STEADY.cells)
    assert twice.total() <= 1  # what was under way


@pytest.mark.slow
def test_the_command_itself_is_killed_and_goes_on(folder):
    """An interpreter of its own, as a person starts it, on real cells."""
    line = [sys.executable, "-m", "ssl_core.experiments", "run", "csk08-8"]
    line += ["--data", "2moons_noisy", "--splits", "1", "--store", "a store.sqlite"]
    line += ["--jobs", "2", "--scratch"]
    env = os.environ | {"PYTHONPATH": str(toy.__file__).rsplit("/tests/")[0]}
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True
    ) as process:
        for text in process.stdout:
            if "1 of 7 cells" in text:
                os.killpg(process.pid, signal.SIGKILL)
    done = subprocess.run(line, capture_output=True, text=True, env=env, timeout=200)
    assert done.returncode == 0, done.stderr
    assert "cells are finished" in done.stdout
    assert "0 failed, 0 left" in done.stdout
    with Store(folder / "a store.sqlite") as kept:
        assert len(kept) == 7


@pytest.mark.slow
def test_a_cell_that_kills_its_workers_is_given_up_and_the_others_finish(folder, start):
    process = start(command, "--protocol", toy.DEADLY.key, "--jobs", "2")
    assert process.wait(280) == 1
    told = "toy (data=toy, split=0, does=kill, seconds=0.1), failed: its worker died 2"
    assert f"{told} times" in process.said
    assert "5 finished" in process.said
    assert "1 failed, 0 left" in process.said
    assert finished(folder).total() == 5


# -- disks ----------------------------------------------------------------------------


@pytest.fixture
def disk(tmp_path):
    """A disk of 256 kB, and what makes it read-only."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small tmpfs can be mounted by root only")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place, keep=0):
    """Leave so many bytes."""
    with open(place / "ballast", "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096) == 4096:
                pass
        except OSError:
            pass
        size = file.seek(0, os.SEEK_END)
        file.truncate(max(0, size - keep))


FULL = "cannot be written: the disk is full or failing"


def test_a_full_disk_at_the_first_creation_is_said(disk, monkeypatch):
    monkeypatch.setattr(place, "SHIPPED", disk / "none")  # they are larger than it
    fill(disk)
    with pytest.raises(StoreError, match=FULL):
        open_store(disk / "new" / "store.sqlite")
    (disk / "ballast").unlink()
    with open_store(disk / "new" / "store.sqlite") as kept:
        assert kept.path.exists()


@pytest.mark.parametrize("room", [0, 4096, 8192, 12288, 16384])
def test_a_disk_that_fills_up_in_a_run_loses_nothing(disk, room):
    """While cells are claimed or kept, wherever the room ends."""
    cells = toy.cells("QUICK", 60)
    with Store(disk / "store.sqlite") as kept:
        outcomes = run(plan(cells, kept).work, kept)
        first = next(outcomes)
        fill(disk, room)
        done = [first.work.key]
        with pytest.raises(StoreError, match=FULL):
            done.extend(outcome.work.key for outcome in outcomes)
    with Store(disk / "store.sqlite", readonly=True) as kept:
        kept.check()
        assert kept.finished(done) == set(done)
    (disk / "ballast").unlink()
    with Store(disk / "store.sqlite") as kept:
        kept.check()
        again = list(run(plan(cells, kept).work, kept))
        assert len(kept) == 60
        assert not {o.work.key for o in again} & set(done)


def test_a_disk_that_fills_up_is_told_by_the_command(disk, start):
    process = start(command, *STEADY, place=disk)
    until(lambda: computed(disk) >= 2, words=lambda: process.said)
    fill(disk)
    assert process.wait() == 1
    assert re.search(
        f"^store.sqlite {FULL}.* make room and run again", process.said, re.M
    )
    (disk / "ballast").unlink()
    assert finished(disk).total() >= 1
    last = start(command, *STEADY, place=disk)
    assert last.wait() == 0, last.said
    is_whole(disk)


@pytest.fixture
def read_only(request, tmp_path):
    """A folder, and a call after which nothing in it can be written."""
    if os.geteuid():  # permissions bind everybody but root
        place = tmp_path / "locked"
        place.mkdir()
        yield place, lambda: [p.chmod(0o500) for p in (*place.glob("*"), place)]
        place.chmod(0o700)
        return
    place = request.getfixturevalue("disk")
    yield (
        place,
        lambda: subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True),
    )


def test_a_read_only_store_is_read_and_its_runs_are_refused(read_only):
    place, lock = read_only
    cells = toy.cells("QUICK", 3)
    with Store(place / "store.sqlite") as kept:
        list(run(plan(cells[:2], kept).work, kept))
    lock()
    with Store(place / "store.sqlite", readonly=True) as kept:
        assert len(kept) == 2
    assert main(["list", "--store", f"{place / 'store.sqlite'}", *STEADY]) == 0
    with (
        Store(place / "store.sqlite") as kept,
        pytest.raises(StoreError, match="the file or its folder is read-only"),
    ):
        list(run(plan(cells, kept).work, kept))
    for name in ("new.sqlite", "new/store.sqlite"):
        with pytest.raises(StoreError, match=r"read-only|cannot be opened"):
            Store(place / name)
