"""What the page itself brings along, so that its first paint has it: title, style sheet
and, where its run is at hand, the stage.

Streamlit sends an empty page and everything else later. A style sheet among its
elements comes after some of them are drawn, and these then move. A stage among them
waits for a second until Streamlit's own code is compiled and the page is drawn; the one
in the page gives way to it then (standin.js).
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from halfmoon.pages._parts.shell import address, navigation, style
from halfmoon.stage import page as stage_page
from halfmoon.stage.assets import digest

FirstView = Callable[[Mapping[str, str]], "bytes | None"]
CODE = f"halfmoon-{digest(stage_page.CODE)}.js"  # the stage's, beside every page
FOR_EVER = "public, max-age=31536000, immutable"  # other code has another name
_CODE = gzip.compress(stage_page.CODE.encode(), mtime=0)
_views: dict[str, FirstView] = {}

HTML = "text/html"
ROOT = "<html"
TITLE = "<title>Streamlit</title>"
# With these a browser that has the page of an older version would go on using it.
NOT_PASSED_ON = (b"accept-encoding", b"if-none-match", b"if-modified-since")
OF_STREAMLITS_PAGE = ("etag", "last-modified")
BODY = "<body>"  # after the head, where Streamlit puts its own style sheets
END = "</body>"
# A page has one history with its frames: its Back goes past what is done in them.
NO_HISTORY = "<script>history.pushState = history.replaceState;</script>"
# Below a stage in a frame; embed.js tells what is shown and keeps the link up to date.
LINE = (
    '<footer class="hm-frame-line"><p></p>'
    '<a href="?{}" target="_blank" rel="noopener">Open in Halfmoon</a></footer>'
)


def offer(name: str, view: FirstView) -> None:
    """Have a page bring its stage along.

    Parameters
    ----------
    name : str
        Of the page.
    view : callable
        From the parameters of a link to a packed view, or None where it is not at hand.
        It is called in another thread, and knows of no session.
    """
    _views[name] = view


class FirstPaint:
    """ASGI middleware that completes the pages of `app`, and nothing else."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["method"] == "GET"
        name = scope["path"].rstrip("/").rpartition("/")[-1] if asked else ""
        if name == CODE:
            await _code(scope)(scope, receive, send)
        elif asked and HTML in Headers(scope=scope).get("accept", ""):
            query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            completed = _Completed(send, name, query)
            await self.app(_plain(scope), receive, completed)
        else:
            await self.app(scope, receive, send)


def _code(scope: Scope) -> Response:
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    body = stage_page.CODE.encode()
    if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
        headers["content-encoding"], body = "gzip", _CODE
    return Response(body, media_type="text/javascript", headers=headers)


def _first_view(name: str, query: Mapping[str, str]) -> bytes | None:
    """A page comes without its stage where that cannot be made, not as an error."""
    view = _views.get(navigation.at(name).name)
    try:
        return view(query) if view is not None else None
    except Exception:
        logging.getLogger(__name__).exception("No first view of %s.", name)
        return None


def _plain(scope: Scope) -> Scope:
    """The same request, to be answered in full and without compression."""
    headers = [(k, v) for k, v in scope["headers"] if k not in NOT_PASSED_ON]
    return {**scope, "headers": headers}


class _Completed:
    """Passes an answer on; a page waits for its end and is completed."""

    def __init__(self, send: Send, name: str, query: Mapping[str, str]):
        self.send, self.name, self.query = send, name, query
        self.start: Message | None = None
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = Headers(raw=message["headers"])
            if headers.get("content-type", "").startswith(HTML):
                self.start = message
                return
        elif self.start is not None and message["type"] == "http.response.body":
            self.body += message.get("body", b"")
            if not message.get("more_body", False):
                await self._finish()
            return
        await self.send(message)

    async def _finish(self) -> None:
        text = self.body.decode(errors="surrogateescape")
        if TITLE in text:  # not a file that somebody downloads
            mode, query = mode_of(self.query)
            view = await asyncio.to_thread(_first_view, self.name, query)
            text = complete(text, self.name, mode, view, query)
        body = text.encode(errors="surrogateescape")
        headers = MutableHeaders(scope=self.start)
        headers["content-length"] = str(len(body))
        for name in OF_STREAMLITS_PAGE:
            del headers[name]
        await self.send(self.start)
        await self.send({"type": "http.response.body", "body": body})


def mode_of(query: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """What the page's root says of how it is shown, and the link to the screen."""
    mode = "present" if query.get(address.PRESENT) == "1" else ""
    if address.is_embedded(query):
        mode = "embed"
    modes = address.PRESENT, *address.OF_FRAMES
    return mode, {name: text for name, text in query.items() if name not in modes}


def complete(
    page: str,
    name: str,
    mode: str = "",
    view: bytes | None = None,
    query: Mapping[str, str] | None = None,
) -> str:
    """Streamlit's page with our title, style and stage.

    Parameters
    ----------
    page : str
        HTML as Streamlit sends it.
    name : str
        Last part of the address; empty for the first page.
    mode : {"", "present", "embed"}
        How the page opens: as usual, in present mode, or for a frame.
    view : bytes, optional
        What its stage shows first.
    query : mapping, optional
        The link to its screen, for the line below a stage in a frame.
    """
    found = navigation.at(name)
    room = f'{ROOT} data-hm-room="{"sided" if found.sided else "plain"}"'
    if mode:
        room += f' data-hm-{mode}="1"'
    title, last = f"<title>{found.tab}</title>", ""
    if mode == "embed":
        title += NO_HISTORY
        last = LINE.format(escape(urlencode(query or {}, safe=",")))
    if view is not None:  # its code goes first: it has little to do before it draws
        title += stage_page.script(f"./{CODE}")
        last += stage_page.element(view)
    return (
        page.replace(ROOT, room, 1)
        .replace(TITLE, title, 1)
        .replace(BODY, f"{BODY}<style>{style.CSS}</style>", 1)
        .replace(END, f"{last}{END}", 1)
    )
