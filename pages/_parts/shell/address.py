"""The address bar: read when somebody brings a link, written when the screen changes.

With every message a browser sends the address it has at that moment. While a newer
one is on its way from the server, that is an old address of ours, an echo, and not a
link that somebody opened. So a session remembers the addresses it has had; only an
address that is new to it, one to which the visitor went by Back or Forward, or one
with which another page led here, is read.
"""

from __future__ import annotations

import hashlib

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

KNOWN = "_addresses"
PRESENT = "present"  # a word of every page's link: the stage alone, in large type
MOST = 2000  # addresses remembered; an echo is a few seconds old at most


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
    known = _known()
    led_here, known.last = known.last != page, page
    if not first:
        if known.of_page.get(page) == _mark(url):
            return None  # what the screen shows already
        meant = led_here or not known.has(url)
        if not _by_history() and not (url and meant):
            return None
    known.note(page, url)
    return url


def write(page: str, url: dict[str, str]) -> None:
    """Put the link of the screen into the address bar.

    It is noted before it is sent: a run can be broken off while it sends.
    """
    _known().note(page, url)
    if presenting():
        url = {**url, PRESENT: "1"}
    if url != st.query_params.to_dict():
        st.query_params.from_dict(url)


def presenting() -> bool:
    """Whether the stage stands alone: as the first link says, then as was chosen."""
    known = _known()
    if known.present is None:
        known.present = st.query_params.get(PRESENT) == "1"
    return known.present


def present(on: bool) -> None:
    """What was chosen in the browser, which shows it already; the link follows."""
    _known().present = on


def _without_present(url: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in url.items() if name != PRESENT}


def _by_history() -> bool:
    """Whether Back or Forward started this run; Streamlit tells its own widgets."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


class _Known:
    """Addresses a session has had, and what stands in the bar for each page.

    One object that is changed in place: there is no moment at which a broken-off run
    could leave it half written.
    """

    def __init__(self):
        self.marks: dict[str, None] = {}
        self.of_page: dict[str, str] = {}
        self.last: str | None = None  # the page that was shown last
        self.present: bool | None = None  # None before the first link is read

    def has(self, url: dict[str, str]) -> bool:
        return _mark(url) in self.marks

    def note(self, page: str, url: dict[str, str]) -> None:
        mark = _mark(url)
        self.marks.pop(mark, None)
        self.marks[mark] = None
        self.of_page[page] = mark
        while len(self.marks) > MOST:
            del self.marks[next(iter(self.marks))]


def _known() -> _Known:
    if KNOWN not in st.session_state:
        st.session_state[KNOWN] = _Known()
    return st.session_state[KNOWN]


def _mark(url: dict[str, str]) -> str:
    text = repr(sorted(url.items()))
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
