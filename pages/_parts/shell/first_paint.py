"""Our title and style sheet in the page itself, so that its first paint has them.

Streamlit sends an empty page and everything else later. A style sheet among its
elements comes after some of them are drawn, and these then move.
"""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages._parts.shell import address, navigation, style

HTML = "text/html"
ROOT = "<html"
TITLE = "<title>Streamlit</title>"
# With these a browser that has the page of an older version would go on using it.
NOT_PASSED_ON = (b"accept-encoding", b"if-none-match", b"if-modified-since")
OF_STREAMLITS_PAGE = ("etag", "last-modified")
BODY = "<body>"  # after the head, where Streamlit puts its own style sheets


class FirstPaint:
    """ASGI middleware that completes the pages of `app`, and nothing else."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["method"] == "GET"
        if not asked or HTML not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        name = scope["path"].rstrip("/").rpartition("/")[-1]
        query = parse_qs(scope["query_string"].decode("latin-1"))
        completed = _Completed(send, name, query.get(address.PRESENT) == ["1"])
        await self.app(_plain(scope), receive, completed)


def _plain(scope: Scope) -> Scope:
    """The same request, to be answered in full and without compression."""
    headers = [(k, v) for k, v in scope["headers"] if k not in NOT_PASSED_ON]
    return {**scope, "headers": headers}


class _Completed:
    """Passes an answer on; a page waits for its end and gets title and style."""

    def __init__(self, send: Send, name: str, presenting: bool):
        self.send, self.name, self.presenting = send, name, presenting
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
        page = complete(text, self.name, self.presenting)
        body = page.encode(errors="surrogateescape")
        headers = MutableHeaders(scope=self.start)
        headers["content-length"] = str(len(body))
        for name in OF_STREAMLITS_PAGE:
            del headers[name]
        await self.send(self.start)
        await self.send({"type": "http.response.body", "body": body})


def complete(page: str, name: str, presenting: bool = False) -> str:
    """Streamlit's page with our title and style; any other page as it is.

    Parameters
    ----------
    page : str
        HTML as Streamlit sends it.
    name : str
        Last part of the address; empty for the first page.
    presenting : bool
        Whether the page opens in present mode.
    """
    if TITLE not in page:  # a file that somebody downloads
        return page
    found = navigation.at(name)
    room = f'{ROOT} data-hm-room="{"sided" if found.sided else "plain"}"'
    if presenting:
        room += ' data-hm-present="1"'
    title = f"<title>{found.tab}</title>"
    return (
        page.replace(ROOT, room, 1)
        .replace(TITLE, title, 1)
        .replace(BODY, f"{BODY}<style>{style.CSS}</style>", 1)
    )
