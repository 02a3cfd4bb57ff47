"""What the lesson pages share: their scenario in the session and in the link.

The scenario is the one truth; widgets show it and change it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages._parts.running import runs
from pages._parts.running.job import Job, Solved
from pages._parts.scenario import Scenario
from pages._parts.shell import address
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import choosing, moved, picking, standing, unbroken


@dataclass
class Kept:
    """A page's scenario in a session; changed in place, as `session.Visitor` is."""

    scenario: Scenario | None = None
    remarks: Sequence[str] = ()


@dataclass(frozen=True)
class Lesson:
    """One page's scenario, kept while other pages are visited.

    Parameters
    ----------
    key, prefix : str
        Names of the page and of its widgets in the session.
    from_link : callable
        Function from query parameters to a scenario and remarks on what was odd.
    """

    key: str
    prefix: str
    from_link: Callable[[dict], tuple[Scenario, list[str]]]

    @property
    def kept(self) -> Kept:
        if self.key not in st.session_state:
            st.session_state[self.key] = Kept()
        return st.session_state[self.key]

    def current(self) -> Scenario:
        return self.kept.scenario

    def change(self, scenario: Scenario) -> None:
        self.kept.scenario = scenario

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
    """The run of another scenario, from the shelf or made now under a spinner."""
    return finished(runs.desk().ask(scenario), words)


def finished(job: Job, words: str) -> Solved:
    """The outcome of a run; looking at it every second keeps it alive."""
    if not job.over:
        with st.spinner(words):
            while not job.wait(1.0):
                pass
    return job.outcome()
