"""The address bar: read when somebody brings a link, written when the screen changes.

With every message a browser sends the address it has at that moment. While a newer
one is on its way from the server, that is an old address of ours, an echo, and not a
link that somebody opened. So a session remembers the addresses it has had; only an
address that is new to it, one to which the visitor went by Back or Forward, or one
with which another page led here, is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

import streamlit as st

from halfmoon.pages._parts.shell import inside
from halfmoon.pages._parts.shell.visit import mark_of, visit

PRESENT = "present"  # a word of every page's link: the stage alone, in large type
EMBED = "embed"  # the stage alone, for a frame; a word that Streamlit passes on itself
OF_FRAMES = EMBED, "embed_options"  # Streamlit's: it never shows them to a page


def brought(page: str, *, first: bool) -> dict[str, str] | None:
    """The link to be read in this run, or None when the screen stays as it is.

    Parameters
    ----------
    page : str
        Which page asks: each has a screen of its own.
    first : bool
        The session shows this page for the first time, so whatever the address says
        is to be read.
    """
    url = _without_present(st.query_params.to_dict())
    known = visit().addresses
    led_here, known.last = known.last != page, page
    if not first:
        if known.of_page.get(page) == mark_of(url):
            return None  # what the screen shows already
        meant = led_here or not known.has(url)
        if not inside.by_history() and not (url and meant):
            return None
    known.note(page, url)
    return url


def write(page: str, url: dict[str, str]) -> None:
    """Put the link of the screen into the address bar.

    It is noted before it is sent: a run can be broken off while it sends.
    """
    visit().addresses.note(page, url)
    if presenting():
        url = {**url, PRESENT: "1"}
    if url != st.query_params.to_dict():
        st.query_params.from_dict(url)


def presenting() -> bool:
    """Whether the stage stands alone: as the first link says, then as was chosen."""
    if embedding():
        return False
    known = visit().addresses
    if known.present is None:
        known.present = st.query_params.get(PRESENT) == "1"
    return known.present


def present(on: bool) -> None:
    """What was chosen in the browser, which shows it already; the link follows."""
    visit().addresses.present = on


def embedding() -> bool:
    """Whether the page fills a frame of somebody else's page."""
    return is_embedded(dict(parse_qsl(inside.query())))


def is_embedded(url: Mapping[str, str]) -> bool:
    """Whether a link is for a frame; "true" has a meaning of its own to Streamlit."""
    return url.get(EMBED, "").lower() in ("1", "true")


def _without_present(url: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in url.items() if name != PRESENT}
