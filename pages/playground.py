"""Playground: pick data, click a few labels, choose an algorithm, watch it think."""

import streamlit as st

from halfmoon.datasets import DatasetUnavailable
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.playground import (
    explanations,
    playground_menus,
    scene,
    sidebar,
    welcome,
)
from halfmoon.pages._parts.playground.playground_page import PLAYGROUND
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import errors, first_paint
from halfmoon.pages._parts.widgets import refused, remarks
from halfmoon.scenario import default

first_paint.offer(PLAYGROUND.name, scene.first_view)
desk = PLAYGROUND.begin()
screen, scenario = desk.screen, desk.scenario
actions = st.container()  # stands first and is filled last, when the run is known

problem = solved = view = refusal = None
try:
    with st.spinner("Fetching the data …"):
        runs.server().check(scenario.solving)
        problem = runs.server().pose(scenario)
        picture = runs.server().picture(scenario)
except (ValueError, DatasetUnavailable) as error:
    errors.show_error(error)
    refused.offer(desk, error, Screen.with_way)
    remarks.offer_back(desk, default())

# A run that is at hand is shown before the controls, which take the browser longer.
at_hand = problem is not None and runs.at_hand(scenario)
if not at_hand:
    with st.sidebar:
        sidebar.sidebar(desk, problem)

# Each kind of remark has a place of its own: what comes and goes outside of it would
# move the stage, and Streamlit would build it again.
sidebar.choices(desk)
with st.container():
    remarks.show_remarks(screen)
ways = st.container()
place = st.container()  # progress comes below it: nothing moves under a clicking hand
if problem is not None:
    try:
        meanwhile = scene.preview(desk, problem, picture, place)
        solved = runs.solve(scenario, meanwhile)
    except ValueError as error:
        view = stage_views.still_view(scenario, problem, picture, str(error))
        refusal = error
    else:
        view = scene.view_of(screen, scenario, solved, picture)
        view = scene.with_ghost(view, desk, solved)
    with place:
        scene.show_scene(desk, view)
    # A click on the stage can take the last label away: nothing moves under that hand.
    with ways if refused.by_size(refusal) else place:
        refused.offer(desk, refusal, Screen.with_way)
    if at_hand:
        with st.sidebar:
            sidebar.sidebar(desk, problem)
    with st.container():
        remarks.show_notes(problem, solved)
    explanations.show_explanations(scenario, picture)
    with st.container():
        if screen.new:
            welcome.show_welcome()
with actions:
    playground_menus.actions(desk, solved, view)
desk.end()
