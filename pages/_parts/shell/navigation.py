"""The pages, in one table by section, and the door through which each is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

from pages._parts.shell import style

PAGES = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Entry:
    """One page: the file ``pages/<name>.py``, at the address ``/<name>``.

    Parameters
    ----------
    name, title, icon : str
    takes : str
        Where the function is that makes a scenario of a link that other pages bring,
        as "module:function"; empty for a page that shows no run. See `open_in`.
    """

    name: str
    title: str
    icon: str
    takes: str = ""

    @property
    def path(self) -> Path:
        return PAGES / f"{self.name}.py"

    @property
    def exists(self) -> bool:
        return self.path.exists()


LESSONS = "pages._parts.lessons"
SECTIONS: Mapping[str, tuple[Entry, ...]] = {  # without a title: plain links
    "Play": (
        Entry(
            "playground",
            "Playground",
            ":material/play_circle:",
            "pages._parts.scenario:Scenario.from_url",
        ),
        Entry(
            "compare",
            "Compare",
            ":material/view_column:",
            "pages._parts.compare.session:from_link",
        ),
    ),
    "Lessons": (
        Entry("lessons", "Start here", ":material/school:"),
        Entry(
            "early_stopping",
            "Early stopping",
            ":material/timer:",
            f"{LESSONS}.early_stopping:from_link",
        ),
        Entry(
            "annealing",
            "Annealing",
            ":material/device_thermostat:",
            f"{LESSONS}.annealing:from_link",
        ),
        Entry(
            "path",
            "Path and jumps",
            ":material/timeline:",
            f"{LESSONS}.path:from_link",
        ),
    ),
    "": (
        Entry("benchmarks", "Benchmarks", ":material/leaderboard:"),
        Entry("reference", "Reference", ":material/menu_book:"),
    ),
}
FIRST = "playground"  # what a new visitor meets


def sections() -> dict[str, list[Entry]]:
    """The sections with the pages that are there, none of them empty."""
    there = {
        title: [entry for entry in section if entry.exists]
        for title, section in SECTIONS.items()
    }
    return {title: section for title, section in there.items() if section}


def entries() -> Iterator[Entry]:
    """All pages that are there, in order."""
    return chain.from_iterable(sections().values())


def paths() -> list[str]:
    """What the addresses of the pages end in; the first page has no name there."""
    return ["" if e.name == FIRST else e.name for e in entries()]


def navigation():
    """Streamlit's navigation over the table; the page that was asked for."""
    pages = {title: [_page(e) for e in found] for title, found in sections().items()}
    chosen = st.navigation(pages, position="top")
    # Plain links stand first in the bar, and Streamlit marks them itself.
    plain = len(pages.get("", ()))
    titled = [found for title, found in pages.items() if title]
    for number, found in enumerate(titled, start=plain):
        if chosen.url_path in {page.url_path for page in found}:
            style.mark_section(number)
    return chosen


def _page(entry: Entry):
    return st.Page(
        entry.path,
        title=entry.title,
        icon=entry.icon,
        url_path=entry.name,
        default=entry.name == FIRST,
    )


def through_app() -> None:
    """Start over through app.py where Streamlit opened this page by itself.

    Until ``st.navigation`` was called once in a server's life, Streamlit takes every
    file in ``pages/`` for a page of its own: the first visitor of a fresh server who
    follows a link to one would meet it without app.py, its navigation and layout.
    """
    if getattr(PagesManager, "uses_pages_directory", False):
        PagesManager.uses_pages_directory = False
        st.rerun()
