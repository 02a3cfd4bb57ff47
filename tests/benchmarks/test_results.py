"""The benchmarks' own bookkeeping: verdicts, changes, a history that nothing breaks."""

import json
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from tests.benchmarks import results
from tests.benchmarks.measure import Report, in_turns
from tests.benchmarks.results import (
    HISTORY,
    TABLE,
    Goal,
    Row,
    Run,
    at_least,
    at_most,
    change,
    finish,
    history,
    keep,
    table_of,
    tally,
)

MACHINE = {"cpu": "A chip", "cores": 2}


def row_of(value, what="one product", **changes):
    return replace(Row("Area", what, value, "x", 7, at_most(1.0)), **changes)


def run_with(*rows, date="2026-01-01", machine=MACHINE):
    return Run(date, "abc1234", machine, rows)


def cells(lines, what):
    """The cells of the one line of a table that is about ``what``."""
    (line,) = [x for x in lines if f"| {what} |" in x]
    head = next(x for x in lines if x.startswith("| area |"))
    names, texts = ([c.strip() for c in x.split(" | ")] for x in (head, line))
    return dict(zip((n.strip("| ") for n in names), texts, strict=True))


# -- goals ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "value", "met"),
    [
        (at_most(1.3), 1.3, True),
        (at_most(1.3), 1.3001, False),
        (at_least(8), 8, True),
        (at_least(8), 7.999, False),
        (at_most(3), np.inf, False),
        (None, 5.0, None),
    ],
)
def test_a_verdict_follows_from_value_and_goal(goal, value, met):
    assert row_of(value, goal=goal).met is met


def test_the_verdict_is_of_the_number_and_not_of_its_text():
    row = row_of(1.0004)
    assert row.measured == "1 x"
    assert cells(table_of(run_with(row), []), row.what)["met"] == "**missed**"


def test_a_goal_needs_a_direction_and_a_number():
    with pytest.raises(ValueError, match="sign must be"):
        Goal("<", 1.0)
    with pytest.raises(ValueError, match="finite"):
        at_most(np.nan)


@pytest.mark.parametrize("value", ["0.80 x K @ v", float("nan")])
def test_a_row_takes_numbers_only(value):
    with pytest.raises(ValueError, match="value of the row 'product' must be a number"):
        Report("Area", rows=[]).add("product", value, "x", repeats=7)
    with pytest.raises(ValueError, match="ms of the row 'product' must be a number"):
        Report("Area", []).add("product", 1, "x", repeats=7, also={"ms": value})


@pytest.mark.parametrize("repeats", [0, 2, 10])
def test_repeats_are_odd(repeats):
    with pytest.raises(ValueError, match=f"repeats must be odd.*got {repeats}"):
        in_turns(lambda: None, repeats=repeats)
    with pytest.raises(ValueError, match="repeats must be odd"):
        row_of(1.0, repeats=repeats)


def test_functions_take_turns_and_the_median_is_given(monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _: None)
    now, calls = 0.0, []

    def takes(name, seconds):
        left = iter([99.0, *seconds])  # the first call, which compiles, does not count

        def function():
            nonlocal now
            calls.append(name)
            now += next(left)

        return function

    medians = in_turns(
        takes("a", [1, 50, 2]), takes("b", [3, 4, 500]), repeats=3, clock=lambda: now
    )
    assert medians == [2, 4]
    assert "".join(calls) == "ab" * 4


# -- history --------------------------------------------------------------------------


def test_a_run_comes_back_from_the_history_as_it_was(tmp_path):
    further = {"ms": np.float32(0.5), "steps": np.int64(3)}
    run = run_with(row_of(np.float64(0.8), also=further), row_of(np.inf, "other"))
    keep(run, tmp_path)
    assert history(tmp_path) == [run]
    kept = json.loads((tmp_path / HISTORY).read_text())
    assert [row["met"] for row in kept["rows"]] == [True, False]


def test_a_later_run_shows_the_change(tmp_path):
    keep(run_with(row_of(0.8)), tmp_path)
    lines = finish([row_of(1.2), row_of(2.0, "other")], tmp_path)
    assert cells(lines, "one product")["change"].startswith("+50 %")
    assert cells(lines, "other")["change"] == "new"
    assert "Of 2 goals 0 are met and 2 missed; 0 rows have no goal." in lines
    assert len(history(tmp_path)) == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (row_of(0.8), row_of(0.8), "0 %"),
        (row_of(0.8), row_of(0.6), "-25 %"),
        (row_of(0.0), row_of(0.6), "was 0"),
        (row_of(np.inf), row_of(0.6), "was none"),
        (row_of(0.8), row_of(80.0, unit="%"), "was in x"),
        (
            row_of(0.8),
            row_of(0.8, goal=at_most(2)),
            "0 %; the goal was <= 1",
        ),
        (row_of(0.8, goal=None), row_of(0.8), "0 %; the goal was none"),
        (row_of(0.8, repeats=1), row_of(0.4), "-50 %; was one run"),
    ],
)
def test_the_change_tells_what_else_has_changed(old, new, told):
    assert change(new, run_with(new), [run_with(old)]) == told


def test_the_change_is_against_the_last_run_that_has_the_row():
    runs = [run_with(row_of(0.1)), run_with(row_of(0.4)), run_with(row_of(9, "other"))]
    row = row_of(0.8)
    assert change(row, run_with(row), runs) == "+100 %"


def test_another_machine_is_told():
    row, elsewhere = row_of(0.8), MACHINE | {"cpu": "Another chip"}
    told = change(row, run_with(row), [run_with(row, machine=elsewhere)])
    assert told == "0 %; another machine"
    told = change(row, run_with(row), [run_with(row, machine={})])
    assert told == "0 %; its machine was not recorded"


@pytest.mark.parametrize(
    "torn", ['{"date": "2026-01-02", "rows": [{"wh', "[]", '{"rows": 3}', "\ufffd\x00"]
)
def test_a_torn_line_costs_that_run_only(tmp_path, torn):
    first, last = run_with(row_of(0.8)), run_with(row_of(0.4))
    keep(first, tmp_path)
    with (tmp_path / HISTORY).open("a", encoding="utf-8") as file:
        file.write(torn)  # no end of line
    assert history(tmp_path) == [first]
    assert keep(last, tmp_path) == [first]
    assert history(tmp_path) == [first, last]
    assert "-50 %" in (tmp_path / TABLE).read_text()


def test_a_run_of_some_rows_leaves_the_others_in_the_table(tmp_path):
    keep(run_with(row_of(0.8), row_of(3.0, "other")), tmp_path)
    keep(run_with(row_of(0.4)), tmp_path)
    lines = (tmp_path / TABLE).read_text().splitlines()
    assert cells(lines, "one product")["measured"] == "0.4 x"
    assert cells(lines, "one product")["change"] == "-50 %"
    assert cells(lines, "other")["measured"] == "3 x"
    assert any("Of 2 goals 1 are met and 1 missed" in line for line in lines)


def test_without_rows_nothing_is_written(tmp_path):
    assert finish([], tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_row_that_is_measured_twice_stands_once(tmp_path):
    finish([row_of(0.8), row_of(0.4)], tmp_path)
    (run,) = history(tmp_path)
    assert [row.value for row in run.rows] == [0.4]


def test_where_nothing_can_be_written_the_table_is_shown_and_a_sentence(tmp_path):
    no_folder = tmp_path / "tables"
    no_folder.write_text("a file where the folder should be")
    *lines, sentence = finish([row_of(0.8)], no_folder)
    assert cells(lines, "one product")["met"] == "met"
    assert sentence.startswith("The run was not kept: tables/bench_history.jsonl")


def test_runs_that_end_at_once_are_all_kept_and_shown(tmp_path):
    rows = [row_of(0.8, f"row {i}") for i in range(8)]
    threads = [threading.Thread(target=finish, args=([r], tmp_path)) for r in rows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [run.rows for run in history(tmp_path)]
    assert sorted(kept, key=lambda found: found[0].what) == [(row,) for row in rows]
    lines = (tmp_path / TABLE).read_text().splitlines()
    assert all(cells(lines, row.what)["met"] == "met" for row in rows)
    assert {path.name for path in tmp_path.iterdir()} == {HISTORY, TABLE}


def test_a_bar_in_a_name_does_not_break_the_table():
    line = table_of(run_with(row_of(1.0, "|E| points")), [])[-1]
    assert r"\|E\| points" in line


def test_the_tally_counts_goals():
    rows = [row_of(0.5), row_of(2.0), row_of(2.0, goal=None)]
    told = "Of 2 goals 1 are met and 1 missed; 1 rows have no goal."
    assert tally(rows) == told


def test_the_machine_is_known():
    facts = results.machine()
    assert facts["cores"] >= 1
    assert facts["cpu"]
    assert facts["numpy"] == np.__version__


def test_the_share_of_other_processes_is_what_this_one_did_not_take(monkeypatch):
    monkeypatch.setattr(results.os, "cpu_count", lambda: 2)
    start = (100.0, 50.0, 7.0)  # clock, the machine's CPU seconds, ours
    assert results._others(start, (110.0, 65.0, 12.0)) == 0.5
    assert results._others(start, (110.0, 55.0, 12.0)) == 0.0
    assert results._others(start, (110.0, np.nan, 12.0)) is None


def test_pytest_shows_the_table_of_a_subset_at_its_end(tmp_path):
    """A run of one test of two, one of whose rows misses its goal."""
    room = tmp_path / "room"
    room.mkdir()
    (room / "conftest.py").write_text(
        "from pathlib import Path\n"
        "from tests.benchmarks import conftest, results\n"
        "from tests.benchmarks.conftest import pytest_terminal_summary\n"
        "conftest.finish = lambda rows: results.finish(rows, Path('kept'))\n"
    )
    (room / "test_few.py").write_text(
        "from tests.benchmarks.measure import Report\n"
        "from tests.benchmarks.results import at_most\n"
        "def test_one():\n"
        "    report = Report('Area')\n"
        "    report.add('slow', 3, 'x', repeats=7, goal=at_most(2))\n"
        "    assert report.add('fast', 1, 'x', repeats=7, goal=at_most(2)).met\n"
        "def test_two():\n"
        "    Report('Area').add('left out', 1, 'x', repeats=7)\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "one"]
    options = ["--rootdir", str(room), "-c", "/dev/null"]
    done = subprocess.run(
        [*command, *options, str(room)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(results.ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert cells(lines, "slow")["met"] == "**missed**"
    assert cells(lines, "fast")["met"] == "met"
    assert "left out" not in done.stdout
    assert [row.what for row in history(tmp_path / "kept")[0].rows] == ["slow", "fast"]
