"""What a process may have: its machine's memory, or its control group's, and what an
operator says in the environment."""

import logging
import shutil

import pytest

from halfmoon.common import memory
from halfmoon.datasets import DatasetUnavailable, load, store
from halfmoon.pages._parts.running import ledger
from halfmoon.pages._parts.running import run_limits as limits_module
from halfmoon.pages._parts.running.run_limits import limits, processors
from ssl_core.experiments import place
from ssl_core.experiments.store import StoreError


@pytest.fixture
def group(monkeypatch, tmp_path):
    """``group(version, path, **files)`` puts this process into a control group."""

    def make(version, path, root, **files):
        own = tmp_path / "own"
        line = f"0::{path}\n" if version == 2 else f"7:memory,cpu:{path}\n"
        own.write_text(line, encoding="ascii")
        monkeypatch.setattr(memory, "OWN_GROUPS", own)
        monkeypatch.setattr(memory, "GROUPS", tmp_path)
        folder = tmp_path / root
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            where = folder / name.replace("__", ".")
            where.write_text(text, encoding="ascii")

    return make


STAT = "anon 5\ninactive_file 100000000\nactive_file 3\n"


def test_a_container_has_what_its_group_allows(group):
    files = {"memory__max": "1000000000\n", "memory__current": "700000000\n"}
    group(2, "/", ".", **files, memory__stat=STAT)
    assert memory.total_memory() == 10**9
    assert memory.available_memory() == 4 * 10**8  # kept files can go


def test_a_service_is_held_by_the_groups_above_it(group):
    group(2, "/system/halfmoon", "system/halfmoon", memory__max="max\n")
    group(2, "/system/halfmoon", "system", memory__max="2000000000\n")
    assert memory.total_memory() == 2 * 10**9


def test_groups_of_version_1_are_understood(group):
    files = {"memory__limit_in_bytes": "500000000", "memory__usage_in_bytes": "1"}
    group(1, "/docker/abc", "memory", **files)  # a container sees its own as the root
    assert memory.total_memory() == 5 * 10**8
    assert memory.available_memory() == 5 * 10**8 - 1


def test_no_limit_leaves_the_machine(group, tmp_path, monkeypatch):
    group(2, "/", ".", memory__max="max\n")
    everything = memory.total_memory()
    monkeypatch.setattr(memory, "OWN_GROUPS", tmp_path / "nowhere")
    assert memory.total_memory() == everything
    assert everything > 2**20


@pytest.mark.parametrize(
    ("quota", "found"), [("150000 100000", 2), ("50000 100000", 1)]
)
def test_parts_of_a_processor_count_as_one(group, monkeypatch, quota, found):
    monkeypatch.setattr(
        limits_module.os, "sched_getaffinity", lambda _: range(8), raising=False
    )
    group(2, "/", ".", cpu__max="max 100000\n")
    assert processors() == 8
    group(2, "/", ".", cpu__max=quota)
    assert processors() == found


def test_limits_follow_from_memory_and_give_way_to_an_operator():
    found = limits({"HALFMOON_MEMORY": "4000", "HALFMOON_SLOTS": "3"})
    assert (found.slots, found.threads) == (3, 1)
    assert (found.runs, found.run, found.caches) == (2e9, 1e9, 1e9)
    found = limits({"HALFMOON_MEMORY": "4000", "HALFMOON_RUN_MEMORY": "1500"})
    assert (found.runs, found.run) == (2e9, 1.5e9)
    found = limits({"HALFMOON_MEMORY": "4000", "HALFMOON_RUN_MEMORY": "9000"})
    assert found.run == found.runs  # more than all together makes no sense
    assert limits({}).slots >= 1


NUMBERS = ("MEMORY", "RUN_MEMORY", "SLOTS", "THREADS")
NONSENSE = (
    "0",
    "-1",
    "2.5",
    "four",
    "1e3",
    "\u00b2",
    "9" * 25,
    "9" * 5000,
    "10000000000",
)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("text", NONSENSE, ids=lambda text: text[:12])
def test_a_number_that_cannot_be_meant_is_told_and_the_usual_one_taken(
    name, text, caplog
):
    assert limits({f"HALFMOON_{name}": text}) == limits({})
    (said,) = (r.getMessage() for r in caplog.records)
    assert said.startswith(f"HALFMOON_{name} must be a whole number from 1 to ")
    assert len(said) < 200


def test_a_log_that_cannot_be_written_is_told_and_none_is_kept(tmp_path, caplog):
    before = list(ledger.LOG.handlers)
    ledger.open_log(str(tmp_path / "missing" / "runs.log"))
    assert ledger.LOG.handlers == before
    assert "HALFMOON_LOG must be a file that can be written" in caplog.text


def test_a_log_whose_folder_is_removed_costs_no_run(tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "LOG", logging.getLogger("halfmoon.test_log"))
    monkeypatch.setattr(logging, "raiseExceptions", False)
    folder = tmp_path / "logs"
    folder.mkdir()
    ledger.open_log(str(folder / "runs.log"))
    ledger.write("run", {"n": 1})
    assert "run" in (folder / "runs.log").read_text(encoding="utf-8")
    shutil.rmtree(folder)
    ledger.write("run", {"n": 2})
    for handler in ledger.LOG.handlers:
        handler.close()


@pytest.mark.parametrize("name", ["HALFMOON_DATA", "HALFMOON_CACHE"])
@pytest.mark.parametrize("folder", ["~nobody-of-this-name/x", "x" * 5000, "/dev/null"])
def test_a_folder_that_cannot_be_one_holds_no_data(name, folder, monkeypatch):
    for variable in ("HALFMOON_DATA", "HALFMOON_CACHE"):
        monkeypatch.setenv(variable, "/dev/null")
    monkeypatch.setenv(name, folder)
    assert not store.at_hand("mnist")
    with store.at_hand_only(), pytest.raises(DatasetUnavailable):
        load("mnist")


@pytest.mark.parametrize("path", ["~nobody-of-this-name/x", "x" * 5000, "/dev/null/x"])
def test_a_store_that_cannot_be_one_is_told(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HALFMOON_STORE", path)
    if path.startswith("~"):  # a folder of that name, as a shell would make it
        place.look_into().close()
        return
    with pytest.raises(StoreError):
        place.look_into()
