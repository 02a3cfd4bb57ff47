"""The stage in a page of HTML that brings its first view along."""

import base64

from halfmoon.stage.assets import UNSTYLED, asset, code_and_loader

CODE, _ = code_and_loader()
HOST = "halfmoon-stage"  # id of the element that holds it; its place is the page's


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
