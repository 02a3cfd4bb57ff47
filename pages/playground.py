"""Playground: pick data, click a few labels, choose an algorithm, watch it think."""

import streamlit as st

from datasets import DatasetUnavailable
from pages._parts.export import take_home
from pages._parts.guided import welcome
from pages._parts.pictures import stage_views
from pages._parts.playground import session
from pages._parts.running import runs
from pages._parts.shell import navigation
from pages._parts.widgets import errors, explanations, sidebar

navigation.through_app()
session.open_scenario()
scenario, seen = session.begin()
actions = st.container()  # stands first and is filled last, when the run is known

problem = solved = None
try:
    with st.spinner("Fetching the data …"):
        problem = runs.server().pose(scenario)
        picture = runs.server().picture(scenario)
except (ValueError, DatasetUnavailable) as error:
    errors.show(error)
    session.offer_default()

# A run that is at hand is shown before the controls, which take the browser longer.
at_hand = problem is not None and runs.at_hand(scenario)
if not at_hand:
    with st.sidebar:
        sidebar.sidebar(problem)

# Each kind of remark has a place of its own: what comes and goes outside of it would
# move the stage, and Streamlit would build it anew.
with st.container():
    if session.visitor().new:
        welcome.show_sentence()
    session.show_remarks()
scene = st.container()  # progress comes below it: nothing moves under a clicking hand
if problem is not None:
    try:
        meanwhile = session.preview(scenario, problem, picture, scene, seen)
        solved = runs.solve(scenario, meanwhile)
    except ValueError as error:
        view = stage_views.still_view(scenario, problem, picture, str(error))
    else:
        view = session.view_of(scenario, solved, picture)
        view = session.with_ghost(view, scenario, solved)
    with scene:
        session.show(view, scenario, seen)
    if at_hand:
        with st.sidebar:
            sidebar.sidebar(problem)
    with st.container():
        session.show_notes(problem)
    explanations.show(scenario, picture)
    with st.container():
        if session.visitor().new:
            welcome.show_cards()
with actions:
    take_home.actions(problem, solved)
session.write_link(scenario)
