"""A box in which one of many options is chosen: in groups, with a line on each.

Streamlit's own box has neither, so this is a component; its list is searched by typing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.shell.callbacks import whole

HERE = Path(__file__).parent
_menu = st.components.v2.component(
    "halfmoon_menu",
    html=(HERE / "menu.html").read_text(encoding="utf-8"),
    css=(HERE / "menu.css").read_text(encoding="utf-8"),
    js=bundle("menu"),
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option: what an event is told, its name, and a line on what it is."""

    id: str
    title: str
    idea: str


@dataclass(frozen=True, slots=True)
class Group:
    """Options that stand together below a title."""

    title: str
    options: tuple[Option, ...]


def show_menu(
    desk: Desk,
    name: str,
    label: str,
    groups: Sequence[Group],
    chosen: str | None,
    choose: Callable[..., Any],
    *args: Any,
) -> None:
    """The box.

    Parameters
    ----------
    name : str
        Of its key.
    label : str
        Above what is chosen; alone where nothing is.
    groups : sequence of Group
    chosen : str or None
        Id of the option that is shown as chosen.
    choose : callable
        Event: from a screen, ``args`` and the id of an option. What a browser names
        otherwise tells nothing.
    """
    key = desk.key(name)
    offered = {option.id for group in groups for option in group.options}

    def taken():
        found = door.message(key, "chosen", str)
        if found in offered:
            desk.page.tell(lambda screen: choose(screen, *args, found))

    data = {
        "label": label,
        "chosen": chosen,
        "groups": [asdict(group) for group in groups],
    }
    _menu(key=key, data=data, on_chosen_change=whole(taken))
