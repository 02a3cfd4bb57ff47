"""Below the stage: what the algorithm does, and how the stage is used."""

from pathlib import Path

import streamlit as st

from halfmoon.pages._parts import glossary
from halfmoon.scenario import Scenario
from halfmoon.views.plane import Picture
from ssl_core import ALGORITHMS

TEXTS = Path(__file__).parents[1] / "texts"


def show_explanations(scenario: Scenario, picture: Picture) -> None:
    """Texts that come when opened: formulas bring a script of 260 kB along."""
    if picture.note:
        st.caption(picture.note)
    entry = ALGORITHMS[scenario.algorithm]
    method = st.expander(f"About {entry.title}", key="about", on_change="rerun")
    if method.open:
        with method:
            glossary.show_explained(entry.idea)
            st.latex(entry.objective)
            if entry.source:
                st.caption(entry.source)
    usage = st.expander("How to use this page", key="usage", on_change="rerun")
    if usage.open:
        with usage:
            glossary.show_explained(
                (TEXTS / "playground.md").read_text(encoding="utf-8")
            )
