"""The store: what was finished stays, and a cell has one worker at a time."""

import gc
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ssl_core import registry
from ssl_core.experiments import Cell, Kept, Store, StoreError, lines, open_store, place
from ssl_core.experiments import store as module
from tests.experiments import toy

CELLS = toy.QUICK.cells


def kept(cell=CELLS[0], checksum="data", *, error=1.0, finished=100.0, protocol=1):
    key = cell.key(checksum, protocol)
    result = {"error": error}
    return Kept(key, cell, checksum, cell.version, protocol, result, 0.5, finished)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.sqlite"


@pytest.fixture
def store(path):
    with Store(path) as made:
        yield made


def sql(path, statement, *values):
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(statement, values).fetchall()


# -- finished cells -------------------------------------------------------------------


def test_a_finished_cell_is_kept_once(store, path):
    assert store.keep(kept())
    assert not store.keep(kept(error=2.0))
    with Store(path) as again:
        assert list(again.rows()) == [kept()]
        assert again.finished({kept().key, "another"}) == {kept().key}
        assert again.results() == {CELLS[0].spec: {"error": 1.0}}


def test_other_data_are_another_row_and_the_newest_is_shown(store):
    store.keep(kept(checksum="new", error=2.0, finished=200.0))
    store.keep(kept(checksum="old", error=1.0, finished=100.0))
    assert len(store) == 2
    assert store.results() == {CELLS[0].spec: {"error": 2.0}}


def test_rows_of_another_version_are_kept_and_not_shown(store, monkeypatch):
    asked_for = module.known.__globals__["_own"]
    monkeypatch.delitem(asked_for, toy.QUICK.key, raising=False)
    cell = Cell.of("s3vm_review", {"data": "g50c", "split": 0}, "svm")
    store.keep(kept(cell))
    store.keep(kept(CELLS[1], protocol=2))
    assert store.results() == {cell.spec: {"error": 1.0}, CELLS[1].spec: {"error": 1.0}}
    monkeypatch.setitem(asked_for, toy.QUICK.key, toy.QUICK)
    assert store.results() == {cell.spec: {"error": 1.0}}
    entry = registry.ALGORITHMS["svm"]
    monkeypatch.setitem(registry.ALGORITHMS, "svm", replace(entry, version=99))
    assert store.results() == {}
    assert len(store) == 2


def test_many_are_kept_all_or_none(store):
    with pytest.raises(ValueError, match="JSON"):
        store.keep_all([kept(), kept(CELLS[1], error=float("nan"))])
    assert len(store) == 0
    assert store.keep_all([kept(), kept(CELLS[1])]) == 2


def test_a_commit_that_fails_leaves_no_open_transaction(store, path, monkeypatch):
    store._db.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM cells").fetchall()
        with pytest.raises(StoreError, match="busy for 30 s"):
            store.keep(kept())  # SQLite commits when no reader is left
    assert store.keep(kept())


# -- claims ---------------------------------------------------------------------------


def test_a_claim_has_one_holder(store, path):
    with Store(path) as other:
        assert store.claim("a") == "mine"
        assert store.claim("a") == "mine"
        assert other.claim("a") == "taken"
        store.release("a")
        assert other.claim("a") == "mine"
        other.release("b")
        store.release("a")  # not its own: it stays
        assert store.claim("a") == "taken"
        other.keep(kept())
        assert store.claim(kept().key) == "finished"
    assert store.claim("a") == "mine"  # the other has been closed


def test_many_threads_claim_each_cell_once(path):
    keys, won, lock = [f"{k}" for k in range(40)], [], threading.Lock()

    def claims():
        with Store(path) as store:
            mine = [key for key in keys if store.claim(key) == "mine"]
            with lock:
                won.extend(mine)
            ready.wait(20)  # closing gives back

    ready = threading.Barrier(3)
    threads = [threading.Thread(target=claims) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == sorted(keys)


def runner_row(path, key, *, host, pid, silent):
    """A claim of a runner that was last heard some seconds ago."""
    sql(
        path,
        "INSERT INTO runners VALUES ('x', ?, ?, ?)",
        *(host, pid, time.time() - silent),
    )
    sql(path, "INSERT INTO claims VALUES (?, 'x')", key)


def dead_pid():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


@pytest.mark.parametrize(
    ("host", "alive", "silent", "answer"),
    [
        ("here", False, 0.0, "mine"),  # killed on this machine: at once
        ("here", True, 0.0, "taken"),
        ("here", True, module.LEASE + 5, "mine"),  # its number went to another process
        ("elsewhere", False, module.LEASE - 5, "taken"),
        ("elsewhere", False, module.LEASE + 5, "mine"),
        ("elsewhere", False, -module.LEASE - 5, "mine"),  # a clock that was put back
    ],
)
def test_claims_of_the_dead_are_taken_over(store, path, host, alive, silent, answer):
    host = socket.gethostname() if host == "here" else host
    pid = os.getpid() if alive else dead_pid()
    runner_row(path, "a", host=host, pid=pid, silent=silent)
    assert store.claim("a") == answer


def test_a_claim_without_a_runner_is_free(store, path):
    sql(path, "INSERT INTO claims VALUES ('a', 'nobody')")
    assert store.claim("a") == "mine"


def test_a_runner_goes_on_saying_that_it_lives(store, path, monkeypatch):
    monkeypatch.setattr(module, "BEAT", 0.05)
    store.claim("a")
    ((first,),) = sql(path, "SELECT beat FROM runners")
    deadline = time.monotonic() + 20
    while sql(path, "SELECT beat FROM runners") == [(first,)]:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_store_that_is_forgotten_falls_silent(path, monkeypatch):
    monkeypatch.setattr(module, "BEAT", 0.05)
    store = Store(path)
    store.claim("a")
    name = "heartbeat of the store"
    store._db.close()  # nobody does so for a forgotten one; here the file is let go
    del store
    gc.collect()
    deadline = time.monotonic() + 20
    while any(thread.name == name for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_closing_gives_back_and_leaves_nothing(path):
    store = Store(path)
    store.claim("a")
    store.close()
    with pytest.raises(StoreError):
        store._beat()  # one that was under way comes too late
    assert sql(path, "SELECT * FROM claims") == sql(path, "SELECT * FROM runners") == []


# -- files that are no store ----------------------------------------------------------


def opened(path, **options):
    with pytest.raises(StoreError) as error:
        Store(path, **options).close()
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("readonly", [False, True])
@pytest.mark.parametrize("content", [b"no database, a text\n" * 80, b"\x00" * 4096])
def test_a_file_of_something_else_is_refused_and_left_alone(path, content, readonly):
    path.write_bytes(content)
    assert "is damaged or no store at all" in opened(path, readonly=readonly)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_alone(path):
    sql(path, "CREATE TABLE cells (key TEXT)")
    before = path.read_bytes()
    assert "is a database of another program" in opened(path)
    assert path.read_bytes() == before


def test_a_store_of_a_newer_format_is_refused(path):
    Store(path).close()
    sql(path, "PRAGMA user_version = 2")
    assert "format 2" in opened(path)


@pytest.mark.parametrize("readonly", [False, True])
def test_a_truncated_store_is_damaged(path, readonly):
    with Store(path) as store:
        cells = toy.cells("QUICK", 400)
        store.keep_all([kept(cell, error=float(k)) for k, cell in enumerate(cells)])
    whole = path.read_bytes()
    for size in (60, 1000, len(whole) // 2):
        path.write_bytes(whole[:size])
        with (
            pytest.raises(StoreError, match=r"damaged|disk is full or failing"),
            Store(path, readonly=readonly) as store,
        ):
            store.check()


def test_a_store_with_scribbles_is_found_damaged_by_a_check(path):
    with Store(path) as store:
        cells = toy.cells("QUICK", 400)
        store.keep_all([kept(cell, error=float(k)) for k, cell in enumerate(cells)])
        store.check()
    content = bytearray(path.read_bytes())
    content[8192:8292] = b"?" * 100
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is damaged"), Store(path) as store:
        store.check()


@pytest.mark.parametrize("result", ["[1", "7", "[[1, 2, 3]]"])
def test_a_row_that_cannot_be_read_is_named(store, path, result):
    store.keep(kept())
    sql(path, "UPDATE cells SET result = ?", result)
    with pytest.raises(StoreError, match=f"the row {kept().key} cannot be read"):
        store.results()


def test_a_folder_or_a_file_in_the_way_is_said(tmp_path):
    assert "is it a folder" in opened(tmp_path)
    (tmp_path / "file").write_text("")
    assert "cannot be opened" in opened(tmp_path / "file" / "store.sqlite")


def test_whoever_only_looks_makes_no_store(path):
    assert "There is no store" in opened(path, readonly=True)
    assert not path.exists()
    path.touch()
    assert "the file is empty" in opened(path, readonly=True)


def test_a_store_that_is_deleted_during_a_run_is_missed(store, path):
    store.keep(kept())
    path.unlink()
    with pytest.raises(StoreError, match="moved or deleted while it was in use"):
        store.keep(kept(CELLS[1]))


def test_a_store_that_another_program_holds_is_waited_for_and_then_told(
    path, monkeypatch
):
    Store(path).close()
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        assert "another program holds it" in opened(path)
        assert time.monotonic() - start >= 0.2


@pytest.mark.parametrize(
    "name", ["a b", "50%", "what?mode=ro", "#1", "ä€😀", "a%20b", "'", ";", "a&b=c"]
)
def test_any_name_is_a_place_for_a_store(tmp_path, name):
    path = tmp_path / name / f"{name}.sqlite"
    with Store(path) as store:
        store.keep(kept())
    assert [found.name for found in path.parent.iterdir()] == [path.name]
    with Store(path, readonly=True) as store:
        assert len(store) == 1


def test_a_link_and_its_target_are_one_store(tmp_path, path):
    link = tmp_path / "folder" / "link.sqlite"
    link.parent.mkdir()
    link.symlink_to(path)
    with Store(link) as one, Store(path) as other:
        assert one.claim("a") == "mine"
        assert other.claim("a") == "taken"
        one.keep(kept())
        assert len(other) == 1
    assert link.is_symlink()


def test_whoever_only_reads_a_store_whose_writer_was_killed_sees_what_was_finished(
    path,
):
    """The journal of a killed writer must be undone, which a reader alone cannot."""
    with Store(path) as store:
        store.keep(kept())
    code = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN")
for k in range(200):
    db.execute("INSERT INTO claims VALUES (?, ?)", (f"{k}", "x" * 500))
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", code, path], check=False)
    assert Path(f"{path}-journal").stat().st_size > 0
    with Store(path, readonly=True) as store:
        assert list(store.rows()) == [kept()]
        store.check()
        assert store._db.execute("SELECT count(*) FROM claims").fetchone() == (0,)


# -- lines of JSON --------------------------------------------------------------------


def test_cells_go_through_lines_and_back(store, tmp_path):
    odd = Cell.of("toy", {"data": "a\u2028b\x85c\n", "split": 0}, "svm")
    every = [kept(), kept(CELLS[1], error=1 / 3), kept(odd)]
    file = tmp_path / "cells.jsonl"
    assert lines.write(every, file) == 3
    assert lines.take_in(store, file) == 3
    assert lines.take_in(store, file) == 0
    found = {k.key: k.result["error"] for k in store.rows()}
    assert found == pytest.approx({k.key: k.result["error"] for k in every}, rel=1e-9)
    assert {k.cell for k in store.rows()} == {k.cell for k in every}


def broken(**changes):
    return json.dumps(json.loads(lines.as_line(kept())) | changes)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        "null",
        broken()[:-9],
        broken(cell=[1]),
        broken(cell={"protocol": "toy"}),
        broken(cell=json.loads(CELLS[0].spec) | {"problem": [1]}),
        broken(cell=json.loads(CELLS[0].spec) | {"problem": {"a": {"b": 1}}}),
        broken(cell=json.loads(CELLS[0].spec) | {"algorithm": "\ud800"}),
        broken(versions=[1]),
        broken(versions=[10**30, 1]),
        broken(versions=[float("inf"), 1]),
        broken(versions="11"),
        broken(result=[1, 2]),
        broken(result={"error": float("nan")}),
        broken().replace("1.0", "1e999"),
        broken(seconds=None),
        broken(finished=float("inf")),
        "[" * 100_000,
    ],
)
def test_a_line_that_is_no_cell_is_named_and_nothing_is_taken_in(store, tmp_path, line):
    file = tmp_path / "cells.jsonl"
    file.write_text(f"{lines.as_line(kept())}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(StoreError, match=r"cells.jsonl, line 3: not a finished cell"):
        lines.take_in(store, file)
    assert len(store) == 0


def test_a_file_that_cannot_be_read_is_said(store, tmp_path):
    (tmp_path / "latin").write_bytes(b"\xff\xfe\x00")
    for name in ("none", "latin", ""):
        with pytest.raises(StoreError, match="cannot be read as lines"):
            lines.take_in(store, tmp_path / name)


# -- where it lies --------------------------------------------------------------------


def test_a_new_store_takes_in_what_comes_with_the_project_or_none_of_it(
    tmp_path, path, monkeypatch
):
    monkeypatch.setattr(place, "SHIPPED", tmp_path)
    lines.write([kept()], tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_text("{\n")
    with pytest.raises(StoreError, match="line 1"):
        open_store(path)
    with Store(path) as store:
        assert len(store) == 0
    lines.write([kept(CELLS[1])], tmp_path / "b.jsonl")
    with open_store(path) as store:
        assert len(store) == 2
    (tmp_path / "b.jsonl").write_text("{\n")
    with open_store(path) as store:  # one that has cells takes in none
        assert len(store) == 2


def test_the_store_is_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("HALFMOON_STORE", str(tmp_path / "mine.sqlite"))
    monkeypatch.setattr(place, "SHIPPED", tmp_path)
    with open_store() as store:
        assert store.path == tmp_path / "mine.sqlite"
        assert store.path.exists()
