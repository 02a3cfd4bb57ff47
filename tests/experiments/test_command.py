"""``halfmoon experiments``, called as a function."""

import json

import pytest

from halfmoon.datasets import download
from ssl_core.experiments import Store, place, posed
from ssl_core.experiments.__main__ import differences, main
from ssl_core.experiments.protocols import PROTOCOLS
from tests.experiments import toy

QUICK = ("--protocol", toy.QUICK.key)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HALFMOON_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(place, "SHIPPED", tmp_path / "none")
    return tmp_path


@pytest.fixture
def say(capsys):
    def called(*arguments):
        """Code and words of a call."""
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return called


def test_list_run_and_list_again(say, folder):
    code, out, _ = say("list", *QUICK)
    assert code == 0
    assert "toy-quick             0 of   12 cells, about 12 s left" in out
    code, out, _ = say("run", *QUICK)
    assert code == 0
    assert "0 cells are finished, 12 are to do." in out
    assert "12 of 12 cells" in out
    assert "12 finished in" in out
    assert "0 failed, 0 left" in out
    code, out, _ = say("run", *QUICK)
    assert (code, "12 cells are finished, 0 are to do." in out) == (0, True)
    assert "12 of   12 cells  " in say("list", *QUICK)[1]
    assert set(toy.computed(folder).values()) == {1}


def test_a_run_from_scratch_does_without_what_comes_with_the_project(
    say, folder, monkeypatch
):
    say("run", *QUICK)
    say("export", *QUICK, "--out", folder / "shipped")
    monkeypatch.setattr(place, "SHIPPED", folder / "shipped")
    code, out, _ = say("run", *QUICK, "--store", folder / "new.sqlite")
    assert (code, "12 cells are finished, 0 are to do." in out) == (0, True)
    store = folder / "scratch.sqlite"
    code, out, _ = say("run", *QUICK, "--scratch", "--store", store)
    assert (code, "0 cells are finished, 12 are to do." in out) == (0, True)


def test_a_run_that_is_not_whole_says_so_and_ends_with_one(say):
    code, out, _ = say("run", "--protocol", toy.FAULTY.key)
    assert code == 1
    assert "failed: nothing to divide by" in out
    assert "failed: error is nan, no finite number" in out
    assert "4 finished in" in out
    assert "2 failed, 0 left" in out
    code, out, _ = say("run", *QUICK, "--minutes", "0")
    assert (code, "12 left" in out) == (1, True)


@pytest.fixture
def no_data(folder, monkeypatch):
    """An empty data folder, an empty cache and no network; nothing is remembered."""
    monkeypatch.setattr(download, "RAW", "no-network:")
    monkeypatch.setenv("HALFMOON_DATA", str(folder / "data"))
    monkeypatch.setenv("HALFMOON_CACHE", str(folder / "cache"))
    (folder / "data").mkdir()
    (folder / "cache").mkdir()
    posed.data.cache_clear()
    yield
    posed.data.cache_clear()


ONE_EACH = ("--data", "g50c,coil3,2moons", "--algorithms", "cccp", "--splits", "1")


def test_missing_and_corrupt_data_are_told_and_the_others_are_run(say, folder, no_data):
    (folder / "data" / "coil20.npz").write_bytes(b"PK no archive")
    code, out, err = say("run", "csk08-8", *ONE_EACH)
    assert code == 1
    assert "1 finished" in out
    assert "1 of the cells cannot be computed: g50c could not be fetched" in err
    assert "coil20.npz is not a readable benchmark file" in err
    assert len(err.splitlines()) == 2


def test_a_corrupt_cache_is_told_and_finished_cells_are_kept(say, folder, no_data):
    say("run", *QUICK)
    (folder / "cache" / "g50c.npz").write_bytes(b"half a fi")
    (folder / "cache" / "g50c.npz.sha256").write_text("0" * 64)
    with pytest.warns(UserWarning, match=r"g50c.npz is damaged \(its SHA-256"):
        code, _, err = say("run", "csk08-8", *ONE_EACH)
    assert code == 1
    assert "g50c could not be fetched" in err
    with Store(folder / "store.sqlite") as store:
        assert len(store) == 13


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "csk08-99"), "There is no table csk08-99; there are mb11-4"),
        (("report", "csk08-99"), "There is no table csk08-99"),
        (("run", *QUICK, "--data", "moon"), "no data set moon; they have toy"),
        (("run", *QUICK, "--algorithms", "a, b"), "no algorithm a, b; they have toy"),
        (("run", *QUICK, "--jobs", "0"), "--jobs must be at least 1, got 0"),
        (("list", "--protocol", "moon"), "There is no protocol moon; there are lapsvm"),
        (("list", "--protocol", "os:path"), "There is no protocol os:path"),
        (("import", "none.jsonl"), "none.jsonl cannot be read"),
        (("list", "--store", "."), "cannot be opened"),
        (("report", "--out", "/proc/none"), "/proc/none"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(say, arguments, words):
    code, _, err = say(*arguments)
    assert code == 1
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_cells_are_chosen_by_data_algorithm_and_split(say):
    some = ("--data", "2moons_noisy, g50c", "--algorithms", "cccp", "--splits", "2")
    _, out, _ = say("list", "csk08-8", *some)
    assert "csk08-8               0 of    4 cells" in out
    assert len(out.splitlines()) == 1


def test_a_real_cell_is_computed_and_verified(say):
    some = ("csk08-8", "--data", "2moons_noisy", "--algorithms", "nabla_da")
    code, out, _ = say("run", *some, "--splits", "1")
    assert (code, "1 finished" in out) == (0, True)
    code, out, _ = say("verify", *some)
    assert code == 0
    assert "nabla_da (data=2moons_noisy, split=0, r=true, C=10, C_u=10, sigma=" in out
    assert "1 of 1 are the same." in out


def test_a_number_that_cannot_be_had_again_is_found(say, folder):
    say("run", *QUICK)
    with Store(folder / "store.sqlite") as store:
        store._db.execute("""UPDATE cells SET result = '{"error": 99.0}'""")
    code, out, _ = say("verify", *QUICK, "--sample", "3")
    assert code == 1
    assert "error 99.0 is 1" in out
    assert "0 of 3 are the same." in out


def test_export_and_import_give_the_same_report(say, folder):
    say("run", *QUICK)
    assert say("report", *QUICK, "--out", "one")[0] == 0
    code, out, _ = say("export", *QUICK, "--out", "cells")
    assert (code, "12 cells" in out) == (0, True)
    (file,) = (folder / "cells").iterdir()
    other = ("--store", "other.sqlite")
    assert "12 new cells" in say("import", file, *other)[1]
    assert "0 new cells" in say("import", file, *other)[1]
    assert say("report", *QUICK, *other, "--out", "two")[0] == 0
    names = {"tests.experiments.toy.QUICK.md", "own.md", "own.html"}
    assert {path.name for path in (folder / "one").iterdir()} == names
    for name in names:
        text = (folder / "one" / name).read_text()
        assert text == (folder / "two" / name).read_text()
    assert "15.5 ± 3.6 [12, +3.5] =" in (folder / "one" / "own.html").read_text()


def test_the_papers_tables_are_told_from_an_empty_store(say, folder):
    code, out, _ = say("report", "--out", "docs")
    assert code == 0
    for protocol in PROTOCOLS.values():
        assert (folder / "docs" / f"{protocol.key}.md").exists()
        for table in protocol.tables:
            assert f"`{table.key}`" in out


def test_a_corrupt_line_takes_nothing_in(say, folder):
    (folder / "bad.jsonl").write_text(json.dumps({"cell": 1}))
    code, _, err = say("import", "bad.jsonl")
    assert code == 1
    assert "bad.jsonl, line 1: not a finished cell" in err


def test_a_cell_from_before_its_ending_was_recorded_is_verified_by_its_numbers():
    assert differences({"error": 1.0}, {"error": 1.0, "capped": 1}) == []
    assert differences({"error": 1.0, "capped": 0}, {"error": 1.0, "capped": 1})
