"""Take a comparison home: link, script, table, file."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from pages._parts.compare import evidence
from pages._parts.compare.script import script
from pages._parts.compare.session import PAGE, query_of, stage_key
from pages._parts.compare.stages import Run
from pages._parts.export.download import download
from pages._parts.export.take_home import menu, save_controls, share_controls
from pages._parts.playground import session
from pages._parts.running.learning_problem import Problem
from pages._parts.scenario import Scenario
from pages._parts.shell import open_in


def actions(problem: Problem | None, found: Sequence[Run]) -> None:
    """Code, Save, Open in and Share, as on the playground."""
    solved = [run for run in found if run.solved]
    with st.container(horizontal=True, key="actions", horizontal_alignment="right"):
        if problem is not None and solved:
            with menu("Code", ":material/code:") as code:
                if code.open:
                    code_controls(problem, solved)
        with menu("Save", ":material/download:") as save:
            if save.open:
                if solved:
                    csv = evidence.values(solved, session.current()).to_csv(index=False)
                    download("Table (CSV)", csv, "halfmoon_compare.csv")
                save_controls(None)
        open_in.menu(session.current(), PAGE)
        with menu("Share", ":material/link:", type="primary") as share:
            if share.open:
                share_controls(link_of, of=longest(solved))


def link_of(scenario: Scenario) -> str:
    return urlencode(query_of(scenario), safe=",")


def longest(solved: Sequence[Run]) -> str:
    """The stage whose iteration goes into the link: the one that has most of them."""
    if not solved:
        return ""
    last = max(solved, key=lambda run: run.solved.trace.final.t)
    return stage_key(last.number)


def code_controls(problem: Problem, solved: Sequence[Run]) -> None:
    text = script(session.current(), problem, solved)
    st.markdown("This script makes the same runs and prints their table.")
    with st.container(height=320):
        st.code(text, language="python")
    download("Script", text, "halfmoon_compare.py")
