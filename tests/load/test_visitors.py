"""A few visitors for a few seconds; `python -m tests.load.visitors` is the long run."""

import sys

import pytest

from tests.load.client import Client, Server, run
from tests.load.visitors import crowd

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory and CPU are read from /proc"
)


@pytest.fixture(scope="module")
def server():
    with Server() as running:
        yield running


@pytest.mark.slow  # a short one of what `make attack` does with twenty
def test_nothing_is_lost_while_three_visitors_are_quick(server):
    found = run(crowd(server, visitors=3, seconds=8, lessons=False))
    assert found.actions > 20
    assert found.total("clicks") > 10
    assert found.faults == []


def test_a_label_is_seen_by_the_one_who_clicked_and_by_no_other(server):
    async def visit():
        async with Client(server, seed=1) as one, Client(server, seed=2) as other:
            await one.settled(60)
            await other.settled(60)
            i = int((one.stage.given < 0).argmax())
            before = other.stage.given.tolist()
            await one.label(i, 1)
            await one.settled()
            await other.rerun()
            await other.settled()
            assert one.stage.given[i] == 1
            assert (one.stage.pending, one.stage.lost()) == ([], [])
            assert other.stage.given.tolist() == before

    run(visit())
