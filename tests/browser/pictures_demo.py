"""A stage for each view of pictured.py: ``?view=moons``."""

import streamlit as st

from halfmoon.pages._parts import stage_component
from tests.browser.pictured import view_of

st.set_page_config(page_title="Pictures", layout="wide")
name = st.query_params["view"]
stage_component.show(view_of(name), key=name)
