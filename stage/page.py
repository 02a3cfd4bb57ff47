"""The stage in HTML: in the app's first page, and alone in a file without a server."""

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape

from halfmoon.stage.assets import UNSTYLED, asset, code_and_loader

CODE, _ = code_and_loader()
HOST = "halfmoon-stage"  # id of the element that holds it; its place is the page's
# A document fetches nothing and runs nothing but our code, whatever its texts hold.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src blob: data:; "
NOT_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def script(source: str) -> str:
    """What starts it when the page is read.

    Parameters
    ----------
    source : str
        Where `CODE` is found, as ``./code.js``.
    """
    return (
        f'<script type="module">import {{ standIn }} from "{source}";'
        f'const host = document.getElementById("{HOST}");'
        "standIn(host, host.dataset.view);</script>"
    )


def element(block: bytes) -> str:
    """The stage with a packed view, none of which can be read as HTML."""
    view = base64.b64encode(block).decode()
    return (
        f'<div id="{HOST}" data-view="{view}"><template shadowrootmode="open">'
        f"<style>{UNSTYLED}</style>{asset('html/stage.html')}</template></div>"
    )


def document(
    blocks: Sequence[bytes],
    *,
    title: str,
    words: Sequence[str] = (),
    about: Sequence[str] = (),
    sync: str = "",
    framed: bool = False,
) -> str:
    """A page of HTML that shows packed views: one file, no network.

    Parameters
    ----------
    blocks : sequence of bytes
        Of `payload`, one for each stage.
    title : str
    words : sequence of str
        Paragraphs above the stages.
    about : sequence of str
        Lines below them: data, algorithm, settings, version.
    sync : str
        The name under which the views move in step; they have a deck then.
    framed : bool
        Whether it is shown in a frame of another page, which has its own heading.
    """
    deck = {"sync": sync, "about": sync, "t": None, "unit": "iterations"}
    views = [base64.b64encode(block).decode() for block in blocks]
    content = json.dumps({"views": views, "deck": deck if sync else None})
    content = content.replace("<", "\\u003c")
    digest = base64.b64encode(hashlib.sha256(CODE.encode()).digest()).decode()
    policy = f"{POLICY}script-src 'sha256-{digest}'"
    heading = f"<h1>{text(title)}</h1>{_paragraphs(words)}"
    return f"""<!doctype html>
<html lang="en" data-halfmoon="closed"{" data-framed" if framed else ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{text(title)}</title>
<style>{asset("css/page.css")}</style>
</head>
<body>
<header{" hidden" if framed else ""}><div>{heading}</div>
<button type="button" data-role="colours" hidden><span class="dark">Dark colours</span
><span class="light">Light colours</span></button></header>
<noscript><p>This page needs JavaScript to play the run that it holds.</p></noscript>
<main id="halfmoon"></main>
<footer{" hidden" if framed else ""}>{_paragraphs(about)}</footer>
<script type="application/halfmoon+json">{content}</script>
<script type="module">{CODE}</script>
</body>
</html>
"""


def text(words: str) -> str:
    """Words as HTML that shows them as they are."""
    return escape(NOT_TEXT.sub("\ufffd", words))


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{text(line)}</p>" for line in lines)
