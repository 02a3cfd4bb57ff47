"""Take a comparison home: link, script, table, file."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from halfmoon.pages._parts.compare import evidence
from halfmoon.pages._parts.compare.comparison import query_of, stage_key
from halfmoon.pages._parts.compare.comparison_script import comparison_source
from halfmoon.pages._parts.compare.stages import ComparedRun
from halfmoon.pages._parts.export.download import download
from halfmoon.pages._parts.export.menus import menu, save_controls, share_controls
from halfmoon.pages._parts.running.learning_problem import Problem
from halfmoon.pages._parts.scenario import Scenario
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import bar, open_in


def actions(
    desk: Desk[Screen], problem: Problem | None, found: Sequence[ComparedRun]
) -> None:
    """Code, Save, Open in and Share, as on the playground."""
    solved = [run for run in found if run.solved]
    with bar.actions():
        if problem is not None and solved:
            with menu("Code", ":material/code:") as code:
                if code.open:
                    code_controls(desk.scenario, problem, solved)
        with menu("Save", ":material/download:") as save:
            if save.open:
                if solved:
                    csv = evidence.values(solved, desk.scenario).to_csv(index=False)
                    download("Table (CSV)", csv, "halfmoon_compare.csv")
                save_controls(desk, None)
        open_in.show_ways(desk.scenario, desk.page.name)
        with menu("Share", ":material/link:", type="primary") as share:
            if share.open:
                share_controls(desk, link_of, longest(solved))


def link_of(scenario: Scenario) -> str:
    return urlencode(query_of(scenario), safe=",")


def longest(solved: Sequence[ComparedRun]) -> str:
    """The stage whose iteration goes into the link: the one that has most of them."""
    if not solved:
        return ""
    last = max(solved, key=lambda run: run.solved.trace.final.t)
    return stage_key(last.number)


def code_controls(
    scenario: Scenario, problem: Problem, solved: Sequence[ComparedRun]
) -> None:
    text = comparison_source(scenario, problem, solved)
    st.markdown("This script makes the same runs and prints their table.")
    with st.container(height=320):
        st.code(text, language="python")
    download("Script", text, "halfmoon_compare.py")
