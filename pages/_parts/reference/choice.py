"""What the reference shows: one algorithm, all of them, or the glossary.

The choice stands in the link: ``?algorithm=lapsvm_pcg``, ``?show=glossary``, or nothing
for the list of all algorithms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages._parts.shell import address
from ssl_core import ALGORITHMS

PAGE = "reference"
KEPT = "_reference"
SECTIONS = ("Algorithms", "Glossary")


@dataclass(frozen=True, slots=True)
class Choice:
    """A section, and the algorithm where one is chosen."""

    glossary: bool = False
    algorithm: str | None = None

    @property
    def url(self) -> dict[str, str]:
        if self.glossary:
            return {"show": "glossary"}
        return {"algorithm": self.algorithm} if self.algorithm else {}


def read(url: Mapping[str, str]) -> tuple[Choice, str]:
    """The choice of a link, and a sentence where it names what is not there."""
    if url.get("show") == "glossary":
        return Choice(glossary=True), ""
    name = url.get("algorithm")
    if name is None or name in ALGORITHMS:
        return Choice(algorithm=name), ""
    return Choice(), "The link names an algorithm that is not here; these are all."


@dataclass
class Kept:
    """What the session keeps; changed in place."""

    choice: Choice | None = None
    remark: str = ""


def kept() -> Kept:
    if KEPT not in st.session_state:
        st.session_state[KEPT] = Kept()
    return st.session_state[KEPT]


def open_link() -> None:
    """Read the address where it is new."""
    mine = kept()
    url = address.brought(PAGE, first=mine.choice is None)
    if url is not None:
        mine.choice, mine.remark = read(url)


def current() -> Choice:
    """The choice, as far as it is still there."""
    choice = kept().choice
    return choice if choice.algorithm in (None, *ALGORITHMS) else Choice()


def choose(choice: Choice) -> None:
    kept().choice, kept().remark = choice, ""


def write_link() -> None:
    address.write(PAGE, current().url)
