"""What a process may have: its machine's memory, or its control group's."""

import pytest

from pages._parts.running import limits as limits_module
from pages._parts.running.limits import limits, processors
from ssl_core import memory


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


@pytest.mark.parametrize("text", ["0", "-1", "2.5", "four", "1e3"])
def test_a_setting_that_is_no_number_is_told(text):
    with pytest.raises(ValueError, match="HALFMOON_SLOTS must be a whole number >= 1"):
        limits({"HALFMOON_SLOTS": text})
