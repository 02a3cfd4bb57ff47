"""What is planned, computed and kept, in one process; see `test_faults` for many."""

import re
import threading
from dataclasses import replace

import pytest

from halfmoon.datasets import DatasetUnavailable
from ssl_core import registry
from ssl_core.experiments import Cell, Outcome, Store, StoreError, plan, run, runner
from ssl_core.experiments.runner import compute
from ssl_core.experiments.work import Work, WorkerDied
from tests.experiments import toy


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def store(folder):
    with Store(folder / "store.sqlite") as made:
        yield made


def all_of(cells, store, **options):
    return list(run(plan(cells, store).work, store, **options))


def work_of(cell):
    checksum = toy.pose(dict(cell.problem)).checksum
    return Work(cell, cell.key(checksum, 1), checksum)


# -- plan -----------------------------------------------------------------------------


def test_what_is_finished_is_not_computed_again(store, folder):
    cells = toy.cells("QUICK", 4)
    assert len(all_of(cells[:3], store)) == 3
    made = plan((*cells, *cells), store)
    assert (made.finished, [w.cell for w in made.work]) == (3, [cells[3]])
    assert len(all_of(cells, store)) == 1
    assert set(toy.computed(folder).values()) == {1}
    assert len(store) == 4


def test_data_that_change_are_another_cell_and_the_newest_is_shown(store, folder):
    cells = toy.cells("QUICK", 2, file="points")
    (folder / "points").write_text("1")
    all_of(cells, store)
    (folder / "points").write_text("22")
    assert plan(cells, store).finished == 0
    store._db.execute("UPDATE cells SET result = '{}'")
    all_of(cells, store)
    assert len(store) == 4
    assert [r["error"] for r in store.results().values()] == [10.0, 11.0]
    assert plan(cells, store).work == ()


def test_a_raised_version_is_another_cell(store, folder, monkeypatch):
    cell = replace(toy.QUICK.cells[0], algorithm="svm")
    all_of([cell], store)
    assert plan([cell], store).work == ()
    entry = registry.ALGORITHMS["svm"]
    monkeypatch.setitem(
        registry.ALGORITHMS, "svm", replace(entry, version=entry.version + 1)
    )
    assert store.results() == {}
    assert len(all_of([cell], store)) == 1
    monkeypatch.setattr(toy, "QUICK", replace(toy.QUICK, version=2))
    monkeypatch.setattr(runner, "protocol_of", lambda key: toy.QUICK)
    assert len(all_of([cell], store)) == 1
    assert len(store) == 3


@pytest.mark.parametrize(
    "reason",
    [
        DatasetUnavailable("moon is not here"),
        ValueError("moon.npz is not a readable\nbenchmark file"),
        PermissionError(13, "Permission denied", "moon.npz"),
    ],
)
def test_data_that_cannot_be_had_are_told_and_the_other_cells_run(
    store, monkeypatch, reason
):
    def pose(problem):
        if problem["split"] < 2:
            raise reason
        return toy.pose(problem)

    broken = replace(toy.QUICK, pose=pose)
    monkeypatch.setattr(runner, "protocol_of", lambda key: broken)
    made = plan(toy.QUICK.cells[:5], store)
    assert made.missing == {" ".join(str(reason).split()): 2}
    assert len(made.work) == 3


def test_each_problem_is_posed_once_and_those_of_a_data_set_together(
    store, monkeypatch
):
    posed = []

    def pose(problem):
        posed.append(problem["data"])
        return toy.pose(problem)

    watched = replace(toy.QUICK, pose=pose)
    monkeypatch.setattr(runner, "protocol_of", lambda key: watched)
    cells = [
        Cell.of("toy", {"data": name, "split": k}, algorithm)
        for k in range(2)
        for name in "ab"
        for algorithm in ("svm", "rlsc")
    ]
    made = plan(cells, store)
    assert posed == ["a", "a", "b", "b"]
    assert [w.cell for w in made.work] == cells


# -- a cell ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("raise", "nothing to divide by"),
        ("nan", "error is nan, no finite number"),
        ("infinite", "gaps is inf, no finite number"),
        ("object", "error is <object"),
        ("nothing", "must map names to numbers"),
    ],
)
def test_one_cells_failure_is_told_and_is_not_the_runs(store, does, words):
    cells = (*toy.cells("QUICK", 1, does), *toy.cells("QUICK", 2))
    outcomes = all_of(cells, store)
    assert words in outcomes[0].error
    assert "\n" not in outcomes[0].error
    assert [o.error for o in outcomes[1:]] == ["", ""]
    assert len(store) == 2
    assert plan(cells, store).work == (outcomes[0].work,)  # the next run tries again
    assert store.claim(outcomes[0].work.key) == "mine"


def test_numpy_numbers_are_kept_as_plain_ones(store):
    all_of(toy.cells("QUICK", 1, "numpy"), store)
    (result,) = store.results().values()
    assert result == {"error": 1.5, "count": 3, "fine": True, "curve": [1.0, 2.0]}


def test_a_machine_with_other_data_or_versions_says_so():
    work = work_of(toy.QUICK.cells[0])
    assert "data here are not those" in compute(replace(work, checksum="x")).error
    assert "another version here" in compute(replace(work, key="x")).error
    lost = replace(work, cell=replace(work.cell, protocol="no.such:THING"))
    assert "There is no protocol no.such:THING" in compute(lost).error


# -- a run ----------------------------------------------------------------------------


def test_a_run_that_is_stopped_keeps_what_it_finished_and_gives_back_the_rest(store):
    outcomes = run(plan(toy.QUICK.cells, store).work, store)
    begun = next(outcomes).work
    outcomes.close()
    assert store.finished([begun.key]) == {begun.key}
    assert store._db.execute("SELECT * FROM claims").fetchall() == []
    told = iter([False, False, False, True, True])
    assert len(all_of(toy.QUICK.cells, store, stopped=lambda: next(told))) == 2


@pytest.mark.parametrize("deed", ["keep", "claim"])
def test_a_store_that_cannot_be_written_ends_the_run_and_nothing_is_lost(
    store, monkeypatch, deed
):
    def full(*_):
        raise StoreError("the disk is full")

    outcomes = run(plan(toy.QUICK.cells, store).work, store)
    next(outcomes)
    with monkeypatch.context() as patch:
        patch.setattr(Store, deed, full)
        with pytest.raises(StoreError, match="the disk is full"):
            next(outcomes)
    assert len(store) == 1
    assert len(all_of(toy.QUICK.cells, store)) == 11


def test_several_runners_share_a_store(folder, monkeypatch):
    monkeypatch.setattr(runner, "POLL", 0.05)
    cells, outcomes, errors = toy.cells("QUICK", 24, seconds=0.02), [], []

    def one():
        try:
            with Store(folder / "store.sqlite") as store:
                outcomes.append(all_of(cells, store))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(toy.computed(folder)) == 24
    assert set(toy.computed(folder).values()) == {1}
    mine = [o for found in outcomes for o in found if not o.elsewhere]
    assert len(mine) == 24
    with Store(folder / "store.sqlite") as store:
        assert len(store) == 24


def test_cells_of_another_runner_are_waited_for(folder, store, monkeypatch):
    monkeypatch.setattr(runner, "POLL", 0.05)
    work = plan(toy.QUICK.cells[:2], store).work
    with Store(folder / "store.sqlite") as other:
        assert other.claim(work[0].key) == "mine"
        outcomes = run(work, store)
        assert next(outcomes).work == work[1]
        for _ in run(work[:1], other):
            pass
    assert [(o.work, o.elsewhere) for o in outcomes] == [(work[0], True)]


# -- workers that die -----------------------------------------------------------------


class Engine:
    """Computes three at a time; whoever is under way with a deadly cell is lost."""

    def __init__(self, deadly):
        self.deadly, self.deaths = set(deadly), 0

    def __call__(self, work):
        work = iter(work)
        while under_way := [one for _, one in zip(range(3), work, strict=False)]:
            if self.deadly & {one.cell for one in under_way}:
                self.deaths += 1
                raise WorkerDied
            for one in under_way:
                yield Outcome(one, {"error": 1.0})


@pytest.fixture
def engine(monkeypatch):
    def install(made):
        class Context:
            def __enter__(self):
                return made

            def __exit__(self, *_):
                pass

        monkeypatch.setattr(runner, "_engine", lambda jobs, dask, within: Context())
        return made

    return install


@pytest.mark.parametrize("place", [0, 1, 5, 11])
def test_a_cell_that_kills_its_workers_is_given_up_and_its_neighbours_are_not(
    store, engine, place
):
    cells = toy.QUICK.cells
    made = engine(Engine([cells[place]]))
    outcomes = all_of(cells, store)
    failed = [o for o in outcomes if o.error]
    assert [o.work.cell for o in failed] == [cells[place]]
    assert re.search(r"its worker died 2 times: .* no memory left", failed[0].error)
    assert len(store) == len(outcomes) - 1 == 11
    assert made.deaths <= 5
    assert store._db.execute("SELECT * FROM claims").fetchall() == []


def test_two_cells_that_kill_are_both_found(store, engine):
    cells = toy.QUICK.cells
    engine(Engine([cells[1], cells[2]]))
    failed = [o.work.cell for o in all_of(cells, store) if o.error]
    assert sorted(failed, key=str) == sorted(cells[1:3], key=str)
    assert len(store) == 10


def test_a_death_that_does_not_come_again_costs_nothing(store, engine):
    class Once(Engine):
        def __call__(self, work):
            try:
                yield from super().__call__(work)
            finally:
                self.deadly.clear()

    made = engine(Once([toy.QUICK.cells[4]]))
    outcomes = all_of(toy.QUICK.cells, store)
    assert made.deaths == 1
    assert [o.error for o in outcomes] == [""] * 12
    assert len(store) == 12


def test_a_cell_whose_workers_died_elsewhere_is_tried_alone(store, engine):
    """What the Dask engine tells: one cell is lost, the others go on."""
    deadly, batches = toy.QUICK.cells[3], []

    def dask(work):
        work = list(work)
        batches.append([one.cell for one in work])
        for one in work:
            if one.cell == deadly:
                yield Outcome(one, error=runner.DIED, died=True)
            else:
                yield Outcome(one, {"error": 1.0})

    engine(lambda work: dask(work))
    outcomes = all_of(toy.QUICK.cells, store)
    assert [o.work.cell for o in outcomes if o.error] == [deadly]
    assert batches[1:] == [[deadly], [deadly]]
    assert len(store) == 11
