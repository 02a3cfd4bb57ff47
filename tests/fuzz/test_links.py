"""No link and no saved file raises, takes long or takes much memory."""

import random
import sys
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import Scenario
from tests.fuzz.links import BOMBS, MAX_BYTES, MAX_SECONDS, attempt, follow, link

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory is read from /proc"
)
FRESH = 100  # links after which a new server is taken: caches are allowed to fill


def resident_peak():
    text = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(row for row in text.splitlines() if row.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


@threadpool_limits.wrap(limits=1)  # threads that wait for a busy core burn CPU
def follow_all(numbers):
    posed = 0
    for number in range(20):  # imports and compiled code
        follow(number, RunServer(1))
    before = resident_peak()
    for number in numbers:
        if number % FRESH == 0:
            server = RunServer(1)
        try:
            seconds, was_posed = follow(number, server)
        except Exception as error:
            error.add_note(f"link or file number {number}")
            raise
        assert seconds < MAX_SECONDS, f"number {number} took {seconds:.1f} s of CPU"
        posed += was_posed
    assert resident_peak() - before < MAX_BYTES
    return posed


def test_many_fuzzed_links_open_to_several_methods():
    opened = [Scenario.from_url(link(random.Random(i)))[0] for i in range(200)]
    assert sum(len(scenario.methods) > 1 for scenario in opened) > 50
    assert sum(m.start is not None for s in opened for m in s.methods[1:]) > 5


@linux
def test_500_fuzzed_links_and_files_open_or_say_why_not():
    assert follow_all(range(500)) > 100


@linux
@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_10_000_fuzzed_links_and_files_open_or_say_why_not():
    assert follow_all(range(10_000)) > 2_000


@linux
@pytest.mark.parametrize(
    "name",
    [
        "link: largest swelling that is short enough",
        "file: as many points and labels as allowed",
    ],
)
def test_a_bomb_takes_little_time_and_memory(name):
    _, memory, seconds, _ = attempt(name)
    assert memory < MAX_BYTES
    assert seconds < MAX_SECONDS


@linux
@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_every_bomb_takes_little_time_and_memory(name):
    _, memory, seconds, _ = attempt(name)
    assert memory < MAX_BYTES
    assert seconds < MAX_SECONDS
