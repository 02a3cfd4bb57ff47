"""Plotly figures on a page: the reader's palette, one size of margins, calm tools."""

from collections.abc import Mapping

import plotly.graph_objects as go
import streamlit as st

CONFIG: Mapping = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "png", "scale": 2, "filename": "halfmoon"},
}


def mode() -> str:
    """ "light" or "dark", as this visitor reads."""
    return st.context.theme.type or "light"


def show_chart(figure: go.Figure, *, key: str, height: int, alt: str) -> None:
    """Put a figure on the page in its own colours.

    Parameters
    ----------
    figure : Figure
        Made for `mode`.
    key : str
        Unique on the page.
    height : int
        In pixels.
    alt : str
        What the figure shows, for those who cannot see it.
    """
    figure.update_layout(height=height)
    st.plotly_chart(figure, theme=None, key=key, config=dict(CONFIG), alt=alt)
