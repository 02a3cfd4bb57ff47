"""Charts on a page, which the browser draws in the reader's colours."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import streamlit as st

from halfmoon.pages._parts.bundles import bundle
from halfmoon.stage.assets import asset
from ssl_core.viz.chart import Chart

HERE = Path(__file__).parent
_charts = st.components.v2.component(
    "halfmoon_charts",
    html='<div class="hm-charts"></div>',
    css=asset("css/card.css") + (HERE / "charts.css").read_text(encoding="utf-8"),
    js=bundle("charts"),
)


def show_charts(charts: Sequence[Chart], *, key: str) -> None:
    """Put charts on the page, side by side where there is room.

    Parameters
    ----------
    charts : sequence of Chart
    key : str
        Unique on the page.
    """
    alone = len(charts) == 1  # then its room is known before it is drawn
    height = charts[0].height if alone else "content"
    _charts(key=key, data={"charts": [asdict(c) for c in charts]}, height=height)
