"""Toy data as small pictures: one click, or the arrow keys, choose them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from halfmoon.common import plugins
from halfmoon.datasets import DATASETS, Dataset, load
from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.shell.callbacks import whole
from ssl_core.viz.theme import DARK, LIGHT

HERE = Path(__file__).parent
GRAIN = 100  # places along each side of a picture
MOST = 90  # points drawn
_gallery = st.components.v2.component(
    "halfmoon_gallery",
    html='<div class="hm-gallery" role="radiogroup" aria-label="Toy data"></div>',
    css=(HERE / "gallery.css").read_text(encoding="utf-8"),
    js=bundle("gallery"),
)


def show_gallery(desk: Desk, chosen: str | None, choose: Callable[..., Any]) -> None:
    """The pictures.

    Parameters
    ----------
    chosen : str or None
        Data that are marked, if they have a picture.
    choose : callable
        Event: from a screen and the name of the data whose picture was chosen.
    """
    key = desk.key("gallery")

    def taken():
        name = door.message(key, "chosen", str)
        desk.page.tell(lambda screen: choose(screen, name))

    data = {"pictures": pictures(), "chosen": chosen, "colours": COLOURS}
    _gallery(key=key, data=data, on_chosen_change=whole(taken))


COLOURS = {theme.name: list(theme.classes[:4]) for theme in (LIGHT, DARK)}


def pictures() -> list[dict]:
    """Name, title and points of every toy that lies in the plane."""
    made = []
    for name, entry in DATASETS.items():
        if entry.kind == "toy" and entry.dims == 2:
            with plugins.excused(DATASETS.brought.get(name)):
                made.append(_picture(name, entry.function))
    return made


@cache
def _picture(name: str, function: Callable[..., Dataset]) -> dict:
    """Points as whole numbers, in the data's own proportions, class by class."""
    data = load(name, random_state=0)
    rng = np.random.default_rng(0)
    some = np.sort(rng.permutation(len(data.X))[:MOST])
    X, y = data.X[some], data.y[some]
    low, high = X.min(axis=0), X.max(axis=0)
    scale = GRAIN / (high - low).max()
    places = (X - (low + high) / 2) * scale + GRAIN / 2
    places[:, 1] = GRAIN - places[:, 1]
    points = np.column_stack([places.round().astype(int), y])
    return {
        "name": name,
        "title": DATASETS[name].title,
        "points": points.tolist(),
    }
