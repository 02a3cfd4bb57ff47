"""What the lesson pages share: their scenario in the session and in the link.

The scenario is the one truth; widgets show it and change it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages._parts import address, errors, runs
from pages._parts.callbacks import standing, unbroken
from pages._parts.desk import Job, Solved
from pages._parts.scenario import Scenario


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

    def current(self) -> Scenario:
        return st.session_state[self.key]

    def change(self, scenario: Scenario) -> None:
        st.session_state[self.key] = scenario

    def open(self) -> None:
        """Keep the visitor's scenario, or read the one of a link."""
        url = address.brought(self.key, first=self.key not in st.session_state)
        if url is not None:
            scenario, remarks = self.from_link(url)
            with unbroken():
                self.change(scenario)
                st.session_state[f"{self.key}_remarks"] = remarks
        with st.container():
            for remark in st.session_state.get(f"{self.key}_remarks", ()):
                st.info(errors.plain(remark), icon=":material/info:")

    def write_link(self) -> None:
        """The address shows what the screen shows."""
        address.write(self.key, self.current().to_url())

    def at(self, name: str, value) -> dict:
        """Key of a widget of this page that stands at ``value``."""
        return standing(f"{self.prefix}_{name}", value)

    def moved(self, name: str):
        """Where the visitor put a widget."""
        return st.session_state[f"{self.prefix}_{name}"]


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
