"""The landscape on a page: a component of its own, led by the cursors of the stages."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import streamlit as st

from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.landscape.routes import Slice
from ssl_core.viz.comparison import STYLES

HERE = Path(__file__).parent

_component = st.components.v2.component(
    "halfmoon_landscape",
    html=(HERE / "landscape.html").read_text(encoding="utf-8"),
    css=(HERE / "landscape.css").read_text(encoding="utf-8"),
    js=bundle("landscape"),
)


def show_landscape(found: Slice, *, key: str) -> None:
    """Put a slice on the page; its dots follow the stages that its routes name."""
    _component(key=key, data=packed(found))


def packed(found: Slice) -> dict:
    """What the browser is told, in plain numbers with as many digits as can be seen."""
    return {
        "extent": list(found.extent),
        "shape": [found.values.shape[1], found.values.shape[0]],
        "values": _digits(found.values.ravel()),
        "solutions": [
            {
                "name": s.name,
                "place": _digits((s.s, s.t, s.height)),
                "objective": s.objective,
                "retrained": None if isnan(s.retrained) else s.retrained,
                "corner": s.corner,
                "star": s.star,
            }
            for s in found.solutions
        ],
        "routes": [
            {
                "name": r.name,
                "role": STYLES[r.place].role,
                "mark": STYLES[r.place].symbol,
                "stage": r.stage,
                "t": r.t.tolist(),
                "places": [_digits(place) for place in r.places],
                "objective": _digits(r.objective),
                "end": _digits(r.end),
                "retrained": r.retrained,
            }
            for r in found.routes
        ],
    }


def _digits(values) -> list[float]:
    return [float(f"{v:.5g}") for v in values]


def slice_caption(found: Slice) -> str:
    """What the picture is, and what it is not."""
    corners = ", ".join(found.corners[:-1]) + f" and {found.corners[-1]}"
    text = (
        f"This is a slice: the S3VM objective ({found.protocol.words}) has "
        f"{found.n} dimensions, one for each point, and this is the plane through "
        f"{corners}. A minimum of the slice may be none of the objective, and a ridge "
        "may be avoidable outside it. Routes run above the plane: more than 0.1 away "
        "they are dashed and fade, and their dots are hollow, with the distance beside "
        "them. Distances are those of the outputs (root mean square; 1 is a margin). "
        "Every route ends, dotted, at the SVM retrained on its labels. Its retrained "
        "objective is the one of the table above, where each point is held to its "
        "label; its S3VM objective, the height of the landscape, can be lower, since "
        "there a point may lie on either side."
    )
    others = [route.name for route in found.routes if route.retrained]
    if others:
        text += (
            f" {', '.join(others)}: another kernel or another objective, so at every "
            "change of its labels the SVM retrained on them is shown."
        )
    return text
