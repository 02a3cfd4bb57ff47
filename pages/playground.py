"""Playground: pick data, click a few labels, choose an algorithm, watch it think."""

import streamlit as st

from datasets import DatasetUnavailable
from pages._parts import about, controls, errors, runs, session, share, stage, views

STAGE = "playground"

session.open_scenario()
session.take_edits(STAGE)
scenario = controls.current()
actions = st.container()  # stands first and is filled last, when the run is known

problem = solved = None
trouble = ""
try:
    with st.spinner("Fetching the data …"):
        problem = runs.desk().pose(scenario)
        picture = runs.desk().picture(scenario)
except (ValueError, DatasetUnavailable) as error:
    trouble = str(error)

with st.sidebar:
    controls.sidebar(problem)

session.show_remarks(problem)
if problem is None:
    st.error(errors.plain(trouble), icon=":material/error:")
    session.offer_default()
else:
    try:
        solved = runs.solve(scenario)
    except ValueError as error:
        st.info(errors.plain(str(error)), icon=":material/info:")
        view = views.still_view(scenario, problem, picture, str(error))
    else:
        view = session.view_of(solved, picture)
    stage.show(view, key=STAGE)
if solved is not None:
    session.run_notes(solved)
    about.show(scenario, picture)
with actions:
    share.actions(problem, solved)
session.write_link()
