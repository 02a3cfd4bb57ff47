"""What visitors share is in nobody's power: raw messages of one hurt no other."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from halfmoon.scenario import UPLOAD
from tests.load.client import Client, Server, run

TABLE = b"a,b,kind\n" + b"".join(
    b"%d,%d,%s\n" % (i, i * i % 7, b"xy"[i % 2 : i % 2 + 1]) for i in range(40)
)


@pytest.fixture(scope="module")
def server():
    with Server() as running:
        yield running


def _raw(kind):
    """A message that no page of ours sends, but any browser may."""
    message = BackMsg()
    if kind == "file_urls_request":
        message.file_urls_request.file_names.extend(["../../x", "y" * 10_000])
    elif kind == "backend_operation_request":
        message.backend_operation_request.request_id = "1"
        message.backend_operation_request.session_id = "someone else's"
    elif kind == "rerun_script":
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.json_value = "$$ID-0-nothing", "{"
    else:
        setattr(message, kind, True)
    return message


async def _with_file(server):
    """A visitor whose own file is on the stage."""
    owner = Client(server, query="", seed=1)
    await owner.__aenter__()
    await owner.settled(60)
    await owner.put(owner.find("data"), UPLOAD)
    await owner.settled()
    await owner.upload("upload", "mine.csv", TABLE)
    assert await owner.settled()
    return owner


KINDS = [field.name for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields]
QUICK = ("clear_cache", "rerun_script", "file_urls_request")  # the others on request


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=() if kind in QUICK else pytest.mark.slow)
        for kind in KINDS
    ],
)
def test_a_raw_message_takes_nothing_from_another_visitor(server, kind):
    async def visit():
        owner = await _with_file(server)
        try:
            assert len(owner.stage.given) == 40
            link, points = owner.query, owner.stage.given.tolist()
            async with Client(server, seed=2) as stranger:
                await stranger.settled()
                await stranger.send(_raw(kind))
                await asyncio.sleep(0.3)
            await owner.rerun()
            await owner.settled()
            assert owner.stage.given.tolist() == points
            # The file itself is asked for again by a visitor who opens the link.
            asked = Client(server, query=link + "&count=5", seed=3)
            async with asked as friend:
                assert await friend.settled()
                assert friend.stage.given is not None, friend.texts
                assert len(friend.stage.given) == 40
                words = " ".join(text for text, _ in friend.texts.values())
                assert "no longer on this server" not in words
            assert owner.exceptions == []
            assert friend.exceptions == []
        finally:
            await owner.__aexit__()

    run(visit())


def test_after_clearing_the_caches_the_one_who_did_it_can_go_on(server):
    async def visit():
        async with Client(server, seed=4) as visitor:
            await visitor.settled(60)
            message = BackMsg()
            message.clear_cache = True
            await visitor.send(message)
            await asyncio.sleep(0.2)
            i = int((visitor.stage.given < 0).argmax())
            await visitor.label(i, 1)
            assert await visitor.settled()
            assert visitor.exceptions == []
            assert visitor.stage.given[i] == 1

    run(visit())
