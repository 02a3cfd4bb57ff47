"""What the lesson pages share: their scenario in the session and in the link.

The scenario is the one truth; widgets show it and change it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages._parts import errors, runs
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
        url = st.query_params.to_dict()
        remarks: list[str] = []
        written = st.session_state.get(f"{self.key}_url")
        if self.key not in st.session_state or (url and url != written):
            scenario, remarks = self.from_link(url)
            self.change(scenario)
        with st.container():
            for remark in remarks:
                st.info(errors.plain(remark), icon=":material/info:")

    def write_link(self) -> None:
        """The address shows what the screen shows."""
        url = self.current().to_url()
        if url != st.query_params.to_dict():
            st.query_params.from_dict(url)
        st.session_state[f"{self.key}_url"] = url

    def at(self, name: str, value) -> dict:
        """Key of a widget that stands at ``value``.

        A widget that stands there already is left alone: setting it again would take
        a slider back that its visitor has moved on meanwhile.
        """
        key = f"{self.prefix}_{name}"
        if key not in st.session_state or st.session_state[key] != value:
            st.session_state[key] = value
        return {"key": key}

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
