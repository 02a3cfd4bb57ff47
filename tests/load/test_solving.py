"""A few visitors with a solve under way each; `python -m tests.load.solving` is long.

Also what becomes of a run whose tab is closed.
"""

import asyncio
import sys
import time

import pytest

from tests.load.client import Client, Server, run
from tests.load.solving import crowd, read_log, scenario_of

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory and CPU are read from /proc"
)
SMALL = {"n": 1000, "max_iter": 300}
LONG = {"n": 4000, "max_iter": 2000}  # many seconds


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return tmp_path_factory.mktemp("load") / "log"


@pytest.fixture(scope="module")
def server(log):
    with Server(env={"HALFMOON_LOG": str(log)}) as running:
        yield running


@pytest.mark.slow
def test_nobody_of_five_visitors_is_starved(server, log):
    found = run(crowd(server, log, visitors=5, seconds=10, size=SMALL, rest=6))
    assert len(found.by_visitor) == 5
    assert len(found.answers) >= 10
    # Memory is the long run's matter: here the first visitors warm the server up. So is
    # the longest wait of a single run: of a dozen on a crowded machine one stands out.
    late = ("memory", "the run that waited")
    assert [f for f in found.faults if not f.startswith(late)] == []
    assert all(r["cpu"] > 0 for r in found.runs)


def test_the_run_of_a_closed_tab_ends_within_seconds(server, log):
    async def visit():
        query = scenario_of(77, **LONG).to_query()
        begun = time.time()
        async with Client(server, query=query, seed=7) as client:
            while not any("Iteration" in text for text in client.progress):
                await asyncio.sleep(0.05)
            assert read_log(log, begun)[0] == []
        closed, end = time.time(), time.monotonic() + 20
        while not (ended := read_log(log, begun)[0]) and time.monotonic() < end:
            await asyncio.sleep(0.1)
        assert [entry["end"] for entry in ended] == ["left"]
        assert ended[0]["time"] - closed < 10
        assert ended[0]["iterations"] < LONG["max_iter"]

    run(visit())


def test_who_waits_is_told_the_place_and_the_long_runs_go_on(server, log):
    """Six long runs at once on the server's places: some wait, and all of them move.

    On a busy machine they may come one after another, and each finds a place: then more
    of them come.
    """

    def newcomers(*seeds):
        return [
            Client(server, query=scenario_of(80 + i, **LONG).to_query(), seed=i)
            for i in seeds
        ]

    async def visit():
        clients = newcomers(*range(6))
        try:
            await asyncio.gather(*(client.__aenter__() for client in clients))
            end = time.monotonic() + 60
            while time.monotonic() < end:
                told = [any(" in line" in t for t in c.progress) for c in clients]
                moved = [any("Iteration" in t for t in c.progress) for c in clients]
                if all(moved) and any(told):
                    break
                if all(moved) and len(clients) < 15:
                    more = newcomers(*range(len(clients), len(clients) + 3))
                    clients += more
                    await asyncio.gather(*(client.__aenter__() for client in more))
                await asyncio.sleep(0.1)
            assert all(moved)
            assert any(told)
        finally:
            for client in clients:
                await client.__aexit__()

    run(visit())
