"""Title and style are in the page that Streamlit sends, whatever answers it gives."""

import asyncio
import gzip
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import streamlit

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell import first_paint, navigation, style
from halfmoon.pages._parts.shell.first_paint import (
    BODY,
    CODE,
    END,
    NO_HISTORY,
    ROOT,
    TITLE,
    FirstPaint,
    complete,
)
from halfmoon.scenario import default
from halfmoon.stage import page as stage_page
from halfmoon.stage.pack import unpack

INDEX = Path(streamlit.__file__).parent / "static" / "index.html"


def answer(body, content_type, path="/", accept="text/html", chunks=1, query=b""):
    """What a visitor gets of an application that answers `body` in `chunks`."""
    asked, sent = [], []

    async def application(scope, receive, send):
        asked.append(dict(scope["headers"]))
        headers = [(b"content-type", content_type), (b"content-length", b"7")]
        headers += [(b"etag", b"theirs"), (b"last-modified", b"long ago")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        size = -(-len(body) // chunks)
        for k in range(chunks):
            part = body[k * size : (k + 1) * size]
            more = k < chunks - 1
            await send({"type": "http.response.body", "body": part, "more_body": more})

    async def send(message):
        sent.append(message)

    headers = [(b"accept", accept.encode()), (b"accept-encoding", b"gzip")]
    headers += [(b"if-none-match", b"theirs"), (b"if-modified-since", b"long ago")]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    scope["query_string"] = query
    # In a thread of its own: the browser's tests have a loop in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, FirstPaint(application)(scope, None, send)).result()
    start, *parts = sent
    whole = b"".join(p["body"] for p in parts)
    return dict(start["headers"]), whole, asked[0]


def code(encoding):
    """What a browser gets that asks for the stage's code."""
    sent = []

    async def send(message):
        sent.append(message)

    headers = [(b"accept-encoding", encoding.encode())]
    scope = {"type": "http", "method": "GET", "path": f"/base/{CODE}"}
    scope |= {"headers": headers, "query_string": b""}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, FirstPaint(None)(scope, None, send)).result()
    start, *parts = sent
    body = b"".join(p.get("body", b"") for p in parts)
    return dict(start["headers"]), body, None


@pytest.fixture(scope="module")
def index():
    return INDEX.read_text(encoding="utf-8")


def test_streamlits_page_has_the_places_that_are_filled(index):
    for place in (ROOT, TITLE, BODY, END):
        assert index.count(place) == 1


@pytest.mark.parametrize("entry", [*navigation.entries()], ids=lambda e: e.name)
def test_every_page_has_its_title_and_its_room_at_once(index, entry):
    name = "" if entry.name == navigation.FIRST else entry.name
    page = complete(index, name)
    assert f"<title>{entry.tab}</title>" in page
    assert page.count(style.CSS) == 1
    assert ('<html data-hm-room="sided"' in page) == entry.sided


def test_no_two_tabs_have_the_same_title():
    tabs = [entry.tab for entry in navigation.entries()]
    assert len(set(tabs)) == len(tabs)


def test_an_address_of_no_page_is_shown_as_the_first(index):
    assert complete(index, "nowhere") == complete(index, "")


@pytest.mark.parametrize("chunks", [1, 3])
def test_a_page_in_parts_is_completed_and_measured(index, chunks):
    headers, body, asked = answer(
        index.encode(), b"text/html; charset=utf-8", "/base/annealing", chunks=chunks
    )
    assert body.decode() == complete(index, "annealing")
    assert int(headers[b"content-length"]) == len(body)
    assert asked.keys() == {b"accept"}
    assert headers.keys() == {b"content-type", b"content-length"}  # of another page


@pytest.mark.parametrize("query", [b"", b"present=1", b"present=2&alg=da"])
def test_present_mode_is_there_at_once(index, query):
    _, body, _ = answer(index.encode(), b"text/html", query=query)
    assert (b'<html data-hm-room="sided" data-hm-present="1"' in body) == (
        query == b"present=1"
    )


@pytest.mark.parametrize("query", [b"embed=1", b"embed=true&present=1&data=a%22%3E"])
def test_a_frame_has_its_mode_and_its_line_at_once(index, query):
    _, body, _ = answer(index.encode(), b"text/html", query=query)
    text = body.decode()
    assert '<html data-hm-room="sided" data-hm-embed="1"' in text
    assert "hm-present" not in text.partition("<head>")[0]
    assert NO_HISTORY in text.partition("</head>")[0]
    link = "?data=a%22%3E" if b"data" in query else "?"
    assert f'<a href="{link}" target="_blank" rel="noopener">' in text


def test_only_a_frame_has_the_line(index):
    page = complete(index, "")
    assert NO_HISTORY not in page
    assert "<footer" not in page


def test_other_answers_pass_as_they_are():
    code = b"console.log('<body>')"
    headers, body, _ = answer(code, b"text/javascript", "/static/js/index.js")
    assert body == code
    assert headers[b"content-length"] == b"7"
    assert headers[b"etag"] == b"theirs"
    headers, body, asked = answer(b"<body>", b"text/html", accept="*/*")
    assert body == b"<body>"
    assert asked[b"accept-encoding"] == b"gzip"
    own = b"<html><title>A report</title><body>of ours \xff</body></html>"
    assert answer(own, b"text/html", "/media/report.html")[1] == own


def no_view(query):
    raise AssertionError("nobody asks for it")


@pytest.fixture
def offers(monkeypatch):
    """What pages offer to bring along; none at first."""
    monkeypatch.setattr(first_paint, "_views", found := {})
    return found


def test_a_page_brings_the_stage_that_it_offers(index, offers):
    asked = []
    offers["playground"] = lambda query: asked.append(query) or b"<script>"
    _, body, _ = answer(index.encode(), b"text/html", query=b"present=1&data=moons")
    text = body.decode()
    assert asked == [{"data": "moons"}]
    assert text.index(f'from "./{CODE}"') < text.index("static/js/index")
    assert text.index(f'id="{stage_page.HOST}"') > text.index('id="root"')
    assert "PHNjcmlwdD4=" in text  # as base64
    assert answer(index.encode(), b"text/html", "/annealing")[1].decode() == complete(
        index, "annealing"
    )


@pytest.mark.parametrize("error", [ValueError("odd"), KeyError("data"), OSError()])
def test_a_view_that_cannot_be_made_costs_nothing_but_the_view(
    index, offers, caplog, error
):
    def view(query):
        raise error

    offers["playground"] = view
    with caplog.at_level(logging.ERROR):
        _, body, _ = answer(index.encode(), b"text/html")
    assert body.decode() == complete(index, "")
    assert "No first view of" in caplog.text


def test_files_and_code_ask_for_no_view(offers):
    offers["playground"] = no_view
    report = b"<html><title>A report</title><body></body></html>"
    assert answer(report, b"text/html", "/media/report.html")[1] == report
    headers, body, _ = code("gzip, br")
    assert headers[b"content-encoding"] == b"gzip"
    assert gzip.decompress(body).decode() == stage_page.CODE
    headers, body, _ = code("identity")
    assert b"content-encoding" not in headers
    assert body.decode() == stage_page.CODE
    assert b"immutable" in headers[b"cache-control"]


def test_the_first_view_is_what_the_page_shows_first(monkeypatch):
    from halfmoon.pages._parts.playground import scene

    monkeypatch.setattr(runs, "_server", None)
    assert scene.first_view({}) is None  # nobody has run it yet
    runs.ask(default()).outcome()
    shown, arrays = unpack(scene.first_view({}))
    assert shown["key"] == "playground"
    assert shown["autoplay"]
    assert shown["prompts"]
    assert shown["seq_seen"] == 0
    assert (arrays["given"] >= 0).sum() == 2
    again, _ = unpack(scene.first_view({"data": "two_moons"}))
    assert not again["autoplay"]  # who brings a link is no new visitor
    assert again["run_id"] == shown["run_id"]
    assert scene.first_view({"data": "two_circles"}) is None
    assert scene.first_view({"data": "no such thing", "n": "1e400"}) is not None
