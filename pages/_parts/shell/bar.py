"""The bar of every page: present mode, light or dark, and what the page has itself.

Both work in the browser at once. The server is told afterwards: of present mode for the
address, of the colours for the figures that it draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.shell import address, door, navigation, style
from halfmoon.pages._parts.shell.callbacks import whole

KEY = "bar"
_bar = st.components.v2.component(
    "halfmoon_bar",
    html=style.asset("bar.html"),
    css=style.asset("bar.css"),
    js=bundle("bar"),
)
_more = st.components.v2.component(
    "halfmoon_more",
    html=style.asset("more.html"),
    css=style.asset("more.css"),
    js=bundle("more"),
)


def show_bar(sided: bool) -> None:
    """The buttons; they stand first and the style sheet puts them at the top right.

    With them goes whether the page has a sidebar: its room is kept until it comes.
    """
    data = {
        "present": address.presenting(),
        "pages": navigation.paths(),
        "sided": sided,
    }
    with st.container(key="shell_bar"):
        _bar(
            key=KEY,
            data=data,
            on_present_change=whole(_presented),
            on_theme_change=_nothing,
        )


@contextmanager
def actions() -> Iterator[DeltaGenerator]:
    """What is drawn inside: in the bar where it has room there, else in a menu.

    Yields
    ------
    container
        For what is always in sight: ways on for the run that is shown.
    """
    with st.container(key="actions"):
        ways = st.container(horizontal=True, key="actions_ways")
        with st.container(horizontal=True, key="actions_row"):
            yield ways
        _more(key="more")


def _presented() -> None:
    address.present(bool(door.message(KEY, "present")))


def _nothing() -> None:
    """The run that follows asks for the colours itself."""
