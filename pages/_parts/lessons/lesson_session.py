"""What the lesson pages share: their scenario in the session and in the link.

The scenario is the one truth; widgets show it and change it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import streamlit as st

from pages._parts import stage
from pages._parts.lessons.settings import unusual
from pages._parts.running import runs
from pages._parts.running.job import Job, Solved
from pages._parts.scenario import Scenario, pairs
from pages._parts.shell import address
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import (
    choosing,
    moved,
    picking,
    standing,
    unbroken,
)


@dataclass(frozen=True)
class Told:
    """What a stage was told last of the numbers that its reader moves.

    Parameters
    ----------
    opening : int
        Counts how often the numbers were set from here.
    first : object
        The numbers at that opening, which is what the stage goes on being told.
    now : object
        What the reader has made of them since.
    """

    opening: int = 0
    first: Any = None
    now: Any = None


@dataclass
class Kept:
    """What a session keeps of a page; changed in place, as `session.Visitor` is.

    Parameters
    ----------
    scenario : Scenario or None
        None before the first link is read.
    remarks : sequence of str
        What was odd about the link.
    made : dict of name to (about, value)
        See `LessonSession.remembered`.
    told : Told
        See `LessonSession.numbers_on`.
    """

    scenario: Scenario | None = None
    remarks: Sequence[str] = ()
    made: dict[str, tuple] = field(default_factory=dict)
    told: Told = field(default_factory=Told)


@dataclass(frozen=True)
class LessonSession:
    """One page's scenario, kept while other pages are visited.

    Parameters
    ----------
    key, prefix : str
        Names of the page and of its widgets in the session.
    from_link : callable
        Function from query parameters to a scenario and remarks on what was odd.
    numbers_of : type
        Dataclass of the numbers that a page has beside its scenario, with a ``read``
        that makes them fit; they travel in the scenario's view.
    """

    key: str
    prefix: str
    from_link: Callable[[dict], tuple[Scenario, list[str]]]
    numbers_of: type

    @property
    def kept(self) -> Kept:
        if self.key not in st.session_state:
            st.session_state[self.key] = Kept()
        return st.session_state[self.key]

    def current(self) -> Scenario:
        return self.kept.scenario

    def change(self, scenario: Scenario) -> None:
        self.kept.scenario = scenario

    def numbers(self):
        """The page's own numbers, as the link has them."""
        return self.numbers_of.read(dict(self.current().view.thresholds))

    def set_numbers(self, **values) -> None:
        changed = unusual(replace(self.numbers(), **values))
        self.change(self.current().with_view(thresholds=pairs(changed)))

    def numbers_on(self, key: str) -> Told:
        """Take in what the reader moved on the stage ``key``; what to tell it.

        The stage moves the numbers by itself and speaks only when one is let go. It is
        told its own numbers only where a link, another page or this script set them:
        otherwise the view would change, and travel, with each of them.
        """
        with unbroken():
            told, numbers = self.kept.told, self.numbers()
            if told.now != numbers or not stage.mounted(key):
                told = Told(told.opening + 1, numbers, numbers)
            moved = stage.moved_numbers(key, told.opening)
            if moved is not None:
                self.set_numbers(**asdict(self.numbers_of.read(moved)))
                told = replace(told, now=self.numbers())
            self.kept.told = told
            return told

    def remembered(
        self,
        name: str,
        about,
        make: Callable[[], Any],
        good: Callable[[Any], bool] = lambda _: True,
    ):
        """What ``make`` made when the page was last ``about`` the same, if ``good``."""
        made = self.kept.made
        if name not in made or made[name][0] != about or not good(made[name][1]):
            made[name] = about, make()
        return made[name][1]

    def open(self) -> None:
        """Keep the visitor's scenario, or read the one of a link."""
        with unbroken():
            url = address.brought(self.key, first=self.kept.scenario is None)
            if url is not None:
                self.kept.scenario, self.kept.remarks = self.from_link(url)
        with st.container():
            for remark in self.kept.remarks:
                st.info(errors.plain(remark), icon=":material/info:")

    def write_link(self) -> None:
        """The address shows what the screen shows."""
        address.write(self.key, self.current().to_url())

    def at(self, name: str, value) -> dict:
        """`callbacks.standing` for a widget of this page."""
        return standing(f"{self.prefix}_{name}", value)

    def choosing(self, name: str, value, options) -> dict:
        return choosing(f"{self.prefix}_{name}", value, options)

    def picking(self, name: str, value) -> dict:
        return picking(f"{self.prefix}_{name}", value)

    def moved(self, name: str):
        """Where the visitor put a widget."""
        return moved(f"{self.prefix}_{name}")


def beside(scenario: Scenario, words: str) -> Solved:
    """The run of another scenario, from the cache or made now under a spinner."""
    return finished(runs.ask(scenario), words)


def finished(job: Job, words: str) -> Solved:
    """The outcome of a run; looking at it every second keeps it alive."""
    if not job.over:
        with st.spinner(words):
            while not job.wait(1.0):
                pass
    return job.outcome()
