"""Rate and time left, from what cells like these have cost."""

import pytest

from ssl_core.experiments import Cell, Kept, Outcome, Store, Work, progress
from ssl_core.experiments.progress import Costs, Progress, duration

CELLS = [
    Cell.of("toy", {"data": data, "split": split}, algorithm)
    for data in "xy"
    for algorithm in "pq"
    for split in (0, 1)
]


def kept(cell, seconds):
    return Kept(cell.key("data", 1), cell, "data", 1, 1, {"error": 1.0}, seconds, 0.0)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "store.sqlite") as made:
        yield made


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 0.0

        def monotonic(self):
            return self.now

    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


def work(cells):
    return [Work(cell, cell.key("data", 1), "data") for cell in cells]


def test_a_cell_is_likely_to_take_what_the_nearest_ones_took(store):
    costs = Costs(store)
    assert costs.of(CELLS[0]) == 1.0
    store.keep_all([kept(CELLS[0], 10.0), kept(CELLS[2], 2.0), kept(CELLS[3], 4.0)])
    costs = Costs(store)
    assert costs.of(CELLS[1]) == 10.0  # same data and algorithm
    assert costs.of(CELLS[2]) == 3.0
    assert costs.of(Cell.of("toy", {"data": "x", "split": 5}, "r")) == 16 / 3
    assert costs.of(CELLS[7]) == 16 / 3  # same protocol
    assert costs.of(Cell.of("other", {}, "r")) == 16 / 3


def test_the_time_left_follows_costs_and_speed(store, clock):
    store.keep_all([kept(CELLS[0], 10.0), kept(CELLS[2], 2.0)])
    every = work([CELLS[0], CELLS[1], CELLS[2], CELLS[3]])
    made = Progress(every, Costs(store))
    assert made.seconds_left is None
    assert str(made) == f"{'·' * 24} 0 of 4 cells"
    clock.now = 5.0  # twice as fast as thought
    made.count(Outcome(every[0], {"error": 1.0}, seconds=5.0))
    assert made.seconds_left == pytest.approx(7.0)
    assert made.share == pytest.approx(10 / 24)
    assert str(made).endswith("1 of 4 cells, 12 a minute, 7 s left")
    made.count(Outcome(every[1], elsewhere=True))
    assert made.seconds_left == pytest.approx(2.0)
    made.count(Outcome(every[2], error="no"))
    made.count(Outcome(every[3], {"error": 1.0}))
    assert (made.done, made.failed, made.total) == (3, 1, 4)
    assert made.seconds_left == 0.0
    assert str(made).startswith(f"{'█' * 24} 4 of 4 cells, 1 failed")


def test_nothing_to_do_is_all_done(store):
    made = Progress([], Costs(store))
    assert made.share == 1.0
    assert made.seconds_left is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (9000, "2.5 h")],
)
def test_durations_are_said_in_the_unit_that_suits_them(seconds, text):
    assert duration(seconds) == text
