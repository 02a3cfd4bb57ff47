"""Compare: two to four methods on one setting, in lock-step."""

from pathlib import Path

import streamlit as st

from datasets import DatasetUnavailable
from pages._parts.compare import controls, evidence, plane, stages, take_home
from pages._parts.compare import session as comparison
from pages._parts.playground import session
from pages._parts.running import runs
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import on_screen

CSS = (Path(stages.__file__).parent / "compare.css").read_text(encoding="utf-8")


def page() -> None:
    st.html(f"<style>{CSS}</style>")
    comparison.open_comparison()
    scenario, numbers, seen = comparison.begin()
    actions = st.container()  # stands first and is filled last, when the runs are known
    problem, found = None, []
    try:
        with st.spinner("Fetching the data …"):
            problem = runs.server().pose(scenario)
            picture = runs.server().picture(scenario)
    except (ValueError, DatasetUnavailable) as error:
        errors.show(error)
        comparison.offer_first()
    with st.sidebar:
        controls.sidebar(problem)
    with st.container():
        session.show_remarks()
    waiting = []
    if problem is not None:
        found = stages.solve(scenario, numbers)
        waiting = stages.show(found, scenario, problem, picture, seen)
        with st.container():
            session.show_notes(problem)
        with st.container():
            evidence.show(found, scenario, problem)
        with st.container():
            plane.section(found, scenario)
    with actions:
        take_home.actions(problem, found)
    comparison.write_link(scenario)
    runs.watch(waiting)


navigation.through_app()
with on_screen(comparison.SCREEN):
    page()
