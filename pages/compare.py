"""Compare: two to four methods on one setting, in lock-step."""

from pathlib import Path

import streamlit as st

from halfmoon.datasets import DatasetUnavailable
from halfmoon.pages._parts.compare import comparison_menus, evidence, plane, stages
from halfmoon.pages._parts.compare.comparison import COMPARE, FIRST
from halfmoon.pages._parts.compare.method_controls import comparison_sidebar
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import errors
from halfmoon.pages._parts.widgets import refused, remarks

CSS = (Path(stages.__file__).parent / "compare.css").read_text(encoding="utf-8")


def page() -> None:
    st.html(f"<style>{CSS}</style>")
    desk = COMPARE.begin()
    scenario = desk.scenario
    actions = st.container()  # stands first and is filled last, when the runs are known
    problem, found, views = None, [], []
    try:
        with st.spinner("Fetching the data …"):
            runs.server().check(scenario)
            problem = runs.server().pose(scenario)
            picture = runs.server().picture(scenario)
    except (ValueError, DatasetUnavailable) as error:
        errors.show_error(error)
        refused.offer(desk, error, Screen.with_way)
        remarks.offer_back(desk, FIRST)
    with st.sidebar:
        comparison_sidebar(desk, problem)
    with st.container():
        remarks.show_remarks(desk.screen)
    waiting = []
    if problem is not None:
        found = stages.solve(desk.screen)
        waiting, views = stages.show_stages(desk, found, problem, picture)
        with st.container():
            remarks.show_notes(problem)
        with st.container():
            evidence.show_evidence(found, scenario, problem)
        with st.container():
            plane.section(desk, found)
    with actions:
        comparison_menus.actions(desk, problem, found, views)
    desk.end()
    runs.watch(waiting)


page()
