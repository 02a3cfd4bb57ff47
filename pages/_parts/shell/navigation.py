"""The pages, in one table by section, and the door through which each is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import streamlit as st

from halfmoon.pages._parts.shell import style

PAGES = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class PageEntry:
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

    @property
    def sided(self) -> bool:
        """Whether it has a sidebar: with the knobs of a run."""
        return bool(self.takes)

    @property
    def tab(self) -> str:
        """What the browser's tab says."""
        return "Halfmoon" if self.name == FIRST else f"{self.title} · Halfmoon"

    def file(self, ending: str) -> str:
        """The name of a file that the page hands out."""
        return f"halfmoon_{self.name}.{ending}"


SECTIONS: Mapping[str, tuple[PageEntry, ...]] = {  # without a title: plain links
    "Play": (
        PageEntry(
            "playground",
            "Playground",
            ":material/play_circle:",
            "halfmoon.scenario:Scenario.from_url",
        ),
        PageEntry(
            "compare",
            "Compare",
            ":material/view_column:",
            "halfmoon.pages._parts.compare.comparison:from_link",
        ),
    ),
    "Lessons": (
        PageEntry("lessons", "Start here", ":material/school:"),
        PageEntry(
            "early_stopping",
            "Early stopping",
            ":material/timer:",
            "halfmoon.pages._parts.early_stopping.stopping_runs:from_link",
        ),
        PageEntry(
            "annealing",
            "Annealing",
            ":material/device_thermostat:",
            "halfmoon.pages._parts.annealing.annealed_runs:from_link",
        ),
        PageEntry(
            "path",
            "Path and jumps",
            ":material/timeline:",
            "halfmoon.pages._parts.path.path_runs:from_link",
        ),
    ),
    "": (
        PageEntry("benchmarks", "Benchmarks", ":material/leaderboard:"),
        PageEntry("reference", "Reference", ":material/menu_book:"),
    ),
}
FIRST = "playground"  # what a new visitor meets


def sections() -> dict[str, list[PageEntry]]:
    """The sections with the pages that are there, none of them empty."""
    there = {
        title: [entry for entry in section if entry.exists]
        for title, section in SECTIONS.items()
    }
    return {title: section for title, section in there.items() if section}


def entries() -> Iterator[PageEntry]:
    """All pages that are there, in order."""
    return chain.from_iterable(sections().values())


def entry(name: str) -> PageEntry:
    """The page of that name; KeyError where there is none."""
    return {entry.name: entry for entry in chain.from_iterable(SECTIONS.values())}[name]


def at(path: str) -> PageEntry:
    """The page at an address that ends in `path`; the first one for any other."""
    found = {entry.name: entry for entry in entries()}
    return found.get(path, found[FIRST])


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


def _page(entry: PageEntry):
    return st.Page(
        entry.path,
        title=entry.title,
        icon=entry.icon,
        url_path=entry.name,
        default=entry.name == FIRST,
    )
