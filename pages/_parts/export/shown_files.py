"""What the stages of a page show, as files: a page of HTML, pictures, films.

They are made when they are asked for, in another thread; the session holds the views,
so that nothing is left of them when a visitor is gone.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

import streamlit as st

from halfmoon.pages._parts.export.download import download
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.shell.visit import kept
from halfmoon.scenario import Scenario
from halfmoon.scenario.setting import data_title
from halfmoon.views.page import Page
from halfmoon.views.pictures import FILMS, STAGE, drawable, film, picture
from ssl_core import ALGORITHMS

KINDS = ("svg", "pdf", "png")  # the most useful first
MOST_FILMS = 3  # under way at once; each takes seconds
WAIT = 60.0  # seconds that a film waits for others
AT_ONCE = threading.BoundedSemaphore(MOST_FILMS)
MISSING = "`pip install halfmoon[pictures]` adds SVG, PDF, GIF and MP4 here."
BUSY = "Other visitors are making films; try again in a minute."


@dataclass
class OnScreen:
    """What one visitor can save now."""

    page: Page | None = None


def shown_controls(exports: Exports) -> None:
    """Buttons for the page of HTML, and for pictures where these can be drawn."""
    if not exports.views:
        return
    here = kept(OnScreen)
    title = exports.title or title_of(exports.scenario)
    here.page = Page(tuple(exports.views), title, tuple(exports.words))
    download(
        "Page (HTML)",
        _later(here, Page.html),
        exports.file("html"),
        help="One file that plays by itself: no network, no server.",
    )
    if find_spec("matplotlib") is None:
        st.caption(MISSING)
        return
    drawing_controls(exports, here)


def drawing_controls(exports: Exports, here: OnScreen) -> None:
    """Which run, what of it, and at which iteration; then a button for each kind."""
    number = 0
    if len(exports.views) > 1:
        titles = [view.name or view.title for view in exports.views]
        places = range(len(titles))
        number = st.selectbox(
            "Run", places, format_func=titles.__getitem__, key="picture_run"
        )
    view = exports.views[number]
    what = st.selectbox(
        "Picture of", drawable(view), format_func=_capital, key="picture_of"
    )
    times = [int(t) for t in view.frame_t]
    frame = len(times) - 1
    if len(times) > 1:
        at = st.select_slider("At iteration", times, times[-1])
        frame = times.index(at)
    caption = st.toggle(
        "Caption",
        True,
        key="picture_caption",
        help="Data, algorithm, parameters and version below it.",
    )
    about = {"what": what, "frame": frame, "caption": caption}
    with st.container(horizontal=True):
        for kind in KINDS:
            draw = _later(here, _drawn, number, kind, about)
            download(f"Picture ({kind.upper()})", draw, exports.file(kind))
        for kind in FILMS if len(times) > 1 else ():
            make = _later(here, _filmed, number, kind, caption)
            download(f"Film ({kind.upper()})", make, exports.file(kind))


def title_of(scenario: Scenario) -> str:
    """Methods and data: "Laplacian SVM, PCG: Two moons"."""
    titles = dict.fromkeys(ALGORITHMS[m.algorithm].title for m in scenario.methods)
    return f"{' and '.join(titles)}: {data_title(scenario)}"


def _later(here: OnScreen, make: Callable[..., str | bytes], *how) -> Callable:
    """Makes a file of what is on the screen when it is asked for."""
    found = weakref.ref(here)

    def made() -> str | bytes:
        there = found()
        if there is None or there.page is None:
            raise RuntimeError("The visitor who asked for this file has left.")
        return make(there.page, *how)

    return made


def _drawn(page: Page, number: int, kind: str, about: dict) -> bytes:
    return picture(page.views[number], kind, **about)


def _filmed(page: Page, number: int, kind: str, caption: bool) -> bytes:
    if not AT_ONCE.acquire(timeout=WAIT):
        raise RuntimeError(BUSY)
    try:
        return film(page.views[number], kind, caption=caption)
    finally:
        AT_ONCE.release()


def _capital(what: str) -> str:
    return "The stage" if what == STAGE else what
