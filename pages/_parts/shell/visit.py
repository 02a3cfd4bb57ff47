"""What a session keeps beside its pages, in one object that is changed in place."""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

VISIT = "visit"
MOST = 2000  # addresses remembered; an echo is a few seconds old at most
MOST_LATER = 3  # sentences at once; more would cover the page
T = TypeVar("T")


class Addresses:
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
        return mark_of(url) in self.marks

    def note(self, page: str, url: dict[str, str]) -> None:
        mark = mark_of(url)
        self.marks.pop(mark, None)
        self.marks[mark] = None
        self.of_page[page] = mark
        while len(self.marks) > MOST:
            del self.marks[next(iter(self.marks))]


def mark_of(url: dict[str, str]) -> str:
    text = repr(sorted(url.items()))
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()


@dataclass
class Visit:
    """One visitor.

    Parameters
    ----------
    token : str
        Who brings a file: no name, only told apart from other visitors.
    addresses : Addresses
    later : deque of str
        Sentences to be shown when a page is drawn, see `errors.later`.
    noted : set of str
        Sentences on plug-ins that were shown.
    kept : dict of type to object
        See `kept`.
    """

    token: str = field(default_factory=lambda: secrets.token_hex(8))
    addresses: Addresses = field(default_factory=Addresses)
    later: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_LATER))
    noted: set[str] = field(default_factory=set)
    kept: dict[type, Any] = field(default_factory=dict)


def visit() -> Visit:
    if VISIT not in st.session_state:
        st.session_state[VISIT] = Visit()
    return st.session_state[VISIT]


def kept(kind: type[T]) -> T:
    """What a room keeps of this visitor: one object of its own kind, changed in place.

    Where a page assigns something else to its session, Streamlit holds what was there
    before until the page is done: a whole run for each visitor.
    """
    found = visit().kept
    if kind not in found:
        found[kind] = kind()
    return found[kind]
