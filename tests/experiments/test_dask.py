"""A Dask scheduler and its workers, as processes of this machine, that fail."""

import socket
import sys
from collections import Counter
from contextlib import closing

import pytest

from ssl_core.experiments import RunError, Store, cluster, plan, run
from tests.experiments import toy
from tests.experiments.processes import Process, until, worker
from tests.experiments.processes import run as command
from tests.experiments.processes import scheduler as schedule

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="processes are forked from one that has it all"
)
STEADY = ("--protocol", toy.STEADY.key)
QUICK = ("--protocol", toy.QUICK.key)


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def free_port() -> str:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return str(found.getsockname()[1])


class Cluster:
    """A scheduler, and as many workers as a test wants."""

    def __init__(self, folder):
        self.folder, self.begun, port = folder, [], free_port()
        self.address = f"tcp://127.0.0.1:{port}"
        self.scheduler = self.start(schedule, port)
        until(lambda: "Scheduler at:" in self.scheduler.said, 60)

    def start(self, function, *arguments, place=None) -> Process:
        process = Process(place or self.folder, self.folder, function, *arguments)
        self.begun.append(process)
        return process

    def workers(self, *names: str, place=None) -> list[Process]:
        made = [self.start(worker, self.address, name, place=place) for name in names]
        for one in made:
            until(lambda w=one: "Starting established conn" in w.said, 60)
        return made

    def run(self, *options: str) -> Process:
        return self.start(command, *options, "--dask", self.address)

    def computed(self) -> int:
        return toy.computed(self.folder).total()

    def finished(self) -> Counter:
        with Store(self.folder / "store.sqlite") as store:
            claims = store._db.execute("SELECT * FROM claims").fetchall()
            assert claims == []
            return Counter(str(row.cell) for row in store.rows())


@pytest.fixture
def site(folder):
    made = Cluster(folder)
    yield made
    for process in reversed(made.begun):
        process.end()


ALL = Counter(str(cell) for cell in toy.STEADY.cells)


def test_workers_come_late_one_is_killed_and_then_the_scheduler(site):
    """One cluster for what would need four: each part of a run's life."""
    early = site.run(*STEADY)
    assert early.wait() == 1
    assert f"scheduler at {site.address} has no workers; start some" in early.said
    assert site.computed() == 0

    first, _ = site.workers("1", "2")
    process = site.run(*STEADY)
    until(lambda: site.computed() >= 4, words=lambda: process.said)
    first.kill()
    assert process.wait() == 0, process.said
    assert site.finished() == ALL
    assert "Traceback" not in process.said
    twice = toy.computed(site.folder) - ALL
    assert twice.total() <= 2  # what the killed worker had

    (site.folder / "store.sqlite").unlink()
    (site.folder / toy.LOG).unlink()
    process = site.run(*STEADY)
    until(lambda: site.computed() >= 4, words=lambda: process.said)
    site.scheduler.kill()
    assert process.wait() == 1, process.said
    *_, last = process.said.splitlines()
    assert last == cluster.SCHEDULER_GONE.format(site.address)
    assert "Traceback" not in process.said
    done = site.finished()
    assert 1 <= done.total() < len(ALL)
    before = toy.computed(site.folder)
    last = site.start(command, *STEADY)
    assert last.wait() == 0, last.said
    assert site.finished() == ALL
    assert all(toy.computed(site.folder)[cell] == before[cell] for cell in done)


def test_no_scheduler_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT", 0.3)
    with Store(tmp_path / "store.sqlite") as store:
        work = plan(toy.QUICK.cells, store).work
        for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense://here", ""):
            with pytest.raises(RunError, match="No Dask scheduler answers at"):
                list(run(work, store, dask=address))


@pytest.mark.slow
def test_a_run_whose_workers_are_all_killed_ends_with_a_sentence(site):
    both = site.workers("1", "2")
    process = site.run(*STEADY)
    until(lambda: site.computed() >= 4, words=lambda: process.said)
    for one in both:
        one.kill()
    assert process.wait(cluster.PATIENCE + 60) == 1
    *_, last = process.said.splitlines()
    assert last == cluster.WORKERS_GONE.format(site.address)
    assert 1 <= site.finished().total() < len(ALL)


@pytest.mark.slow
def test_workers_that_come_back_in_time_go_on(site):
    (one,) = site.workers("1")
    process = site.run(*STEADY)
    until(lambda: site.computed() >= 4, words=lambda: process.said)
    one.kill()
    site.workers("2", "3")
    assert process.wait() == 0, process.said
    assert site.finished() == ALL


@pytest.mark.slow
def test_a_runner_that_is_stopped_gives_back_and_says_so(site):
    site.workers("1")
    process = site.run("--protocol", toy.LONG.key)
    until(lambda: site.computed() >= 1, words=lambda: process.said)
    process.kill(2)
    assert process.wait(60) == 130
    assert process.said.endswith("those under way are given back.\n")
    assert "Traceback" not in process.said
    assert site.finished().total() == 0


@pytest.mark.slow
def test_a_runner_that_is_killed_is_followed_by_another(site):
    site.workers("1", "2")
    for _ in range(3):
        process = site.run(*STEADY)
        wanted = site.computed() + 3
        until(lambda n=wanted: site.computed() >= n, words=lambda p=process: p.said)
        process.kill()
        process.wait()
    last = site.run(*STEADY)
    assert last.wait() == 0, last.said
    assert site.finished() == ALL


@pytest.mark.slow
def test_a_cell_that_kills_its_workers_is_given_up_and_the_others_finish(
    site, monkeypatch
):
    """Each death takes a worker for good, so that new ones keep coming."""
    names = iter(range(100))
    workers = site.workers(*(f"{next(names)}" for _ in range(2)))
    process = site.run("--protocol", toy.DEADLY.key)

    def replaced():
        for k, one in enumerate(workers):
            if one._process.exitcode is not None:
                (workers[k],) = site.workers(f"{next(names)}")
        return process._process.exitcode is not None

    until(replaced, 250, words=lambda: process.said)
    assert process.wait() == 1
    assert (
        "toy (data=toy, split=0, does=kill, seconds=0.1), failed: its worker died"
        in process.said
    )
    assert "5 finished" in process.said
    assert site.finished().total() == 5


@pytest.mark.slow
def test_workers_with_other_data_say_so_and_keep_nothing(site, tmp_path):
    """The same cells, posed elsewhere from a file of another length."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "points").write_text("1")
    (elsewhere / "points").write_text("22")
    site.workers("1", place=elsewhere)
    process = site.run("--protocol", toy.FILED.key)
    assert process.wait() == 1
    assert "failed: the data here are not those of the machine" in process.said
    assert site.finished().total() == 0
    assert toy.computed(elsewhere).total() == 0
