"""Below the stage: what the algorithm does, and how the stage is used."""

from pathlib import Path

import streamlit as st

from pages._parts.projection import Picture
from pages._parts.scenario import Scenario
from ssl_core import ALGORITHMS
from ssl_core.references import REFERENCES

TEXTS = Path(__file__).parent / "texts"


def show(scenario: Scenario, picture: Picture) -> None:
    if picture.note:
        st.caption(picture.note)
    entry = ALGORITHMS[scenario.algorithm]
    with st.expander(f"About {entry.title}"):
        st.markdown(entry.idea)
        st.latex(entry.objective)
        st.caption(f"{REFERENCES[entry.paper]} Section {entry.section}.")
    with st.expander("How to use this page"):
        st.markdown((TEXTS / "playground.md").read_text(encoding="utf-8"))
