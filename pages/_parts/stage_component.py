"""The stage on a Streamlit page: all that joins the package `stage` to Streamlit.

A page uses three things::

    stage_component.receive("playground", apply)  # first: edits made since last time
    view = stage.StageView(points=..., ...)       # then: arrays in
    stage_component.show(view, key="playground")  # last: on the screen

Playing and scrubbing happen in the browser and never cause a rerun; edits do.
"""

import streamlit as st

from halfmoon import stage
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.shell.visit import kept
from halfmoon.stage.assets import UNSTYLED, asset, code_and_loader
from halfmoon.stage.edits import new_edits
from halfmoon.views.glossary import terms_in

_CODE, _LOADER = code_and_loader()
_code = st.components.v2.component("halfmoon_code", js=_CODE)
_component = st.components.v2.component(
    "halfmoon_stage",
    html=asset("html/stage.html"),
    css=UNSTYLED,
    js=_LOADER,
)


_deck = st.components.v2.component(
    "halfmoon_deck",
    html=asset("html/deck.html"),
    css=UNSTYLED,
    js=_LOADER,
)


_link = st.components.v2.component(
    "halfmoon_link",
    html=asset("html/link.html"),
    css=asset("css/link.css"),
    js=asset("dist/link.js"),
)


_moments = st.components.v2.component(
    "halfmoon_moments",
    html='<div class="hm-moments"><table><thead></thead><tbody></tbody></table></div>',
    css=asset("css/moments.css"),
    js=asset("dist/moments.js"),
)


class HandedOver(dict[str, stage.Seen]):
    """Which edits have reached the pages, by the key of their stage."""


def seen(key):
    """Which edits of the stage `key` have been handed over so far."""
    return kept(HandedOver).get(key, stage.Seen())


def under_way(key, *, stages=None):
    """Whether the last edit handed over is a stroke that has not ended yet.

    While a point is dragged, the places it passes are solved and shown; they are no
    steps of their own, for a history or for a comparison.

    Parameters
    ----------
    key, stages
        As for `receive`.
    """
    for name in (key,) if stages is None else stages:
        message = door.message(name, "edits")
        if not isinstance(message, dict) or message.get("live") is not True:
            continue
        if seen(key) == (message.get("client"), message.get("seq")):
            return True
    return False


def receive(key, apply, *, data_id=None, stages=None):
    """Hand the edits made since the last run to `apply`, once each.

    Call it at the top of the page, before the view is built, so that the same run
    already shows the result. Streamlit may break off a run at any use of
    ``st.session_state``; edits count as applied only when `apply` has returned, so
    `apply` should store its result in one assignment, as its last statement.

    Parameters
    ----------
    key : str
        The key given to `show`, or the name of stages that share their edits.
    apply : callable
        Takes a list of edits (see `edits`), not called when there are none. A
        ``ValueError`` it raises reaches the page, and the edits are not repeated.
    data_id : str, optional
        Edits made on other data are dropped.
    stages : sequence of str, optional
        Keys of the stages that share their edits. They have one log in the browser:
        whichever of them speaks repeats all that is not confirmed, in one order.
    """
    handed_over = kept(HandedOver)
    for name in (key,) if stages is None else stages:
        message = door.message(name, "edits")
        edits, *after = new_edits(message, *seen(key), data_id)
        try:
            if edits:
                apply(edits)
        except ValueError:
            handed_over[key] = stage.Seen(*after)
            raise
        handed_over[key] = stage.Seen(*after)


def payload(view, key, seen):
    """What travels of a view that includes the edits ``seen``."""
    client, seq = seen
    return stage.payload(view, key=key, client=client, seq_seen=seq, explain=terms_in)


def show(view, *, key="stage", confirmed=None, on_asked=None):
    """Put the stage on the page; under the same key it stays mounted over reruns.

    Parameters
    ----------
    view : StageView
    key : str
        Unique on the page; `receive` takes the same one.
    confirmed : Seen, optional
        The edits that `view` includes; default are all that were handed over.
    on_asked : callable, optional
        Called when a prompt of the view asks for what only the page can do; `asked`
        tells which.
    """
    block = payload(view, key, confirmed or seen(key))
    with st.container(gap=None, key=f"stage-{key}"):  # what present mode leaves
        _code(key=f"{key}_code")
        _component(
            key=key,
            data=block,
            on_edits_change=lambda: None,
            on_numbers_change=lambda: None,
            on_asked_change=on_asked or (lambda: None),
        )


def asked(key):
    """Which prompt of the stage `key` asks the page, in a callback of `show`."""
    return door.message(key, "asked", str)


def show_deck(*, key, sync, about="", t=None, unit="iterations"):
    """Transport and tools for all stages that move in step under one name.

    Parameters
    ----------
    key : str
    sync : str
        The name, as in their views.
    about : str
        Names the screen; when it changes, the cursor goes to ``t``.
    t : float, optional
        Where to begin, in the unit; None: at the end.
    unit : {"iterations", "seconds"}
        What they move by, until the reader says otherwise.
    """
    data = {"sync": sync, "about": about, "t": t, "unit": unit}
    with st.container(gap=None, key=f"stage-deck-{key}"):
        _code(key=f"{key}_code")
        _deck(key=key, data=data)


def show_link(query, *, key, of):
    """The link to the screen, with the place of the stage `of` as it is now, and the
    code of a frame that shows it in another page.

    Parameters
    ----------
    query : str
        The server's part of the link: what stands behind the question mark.
    key, of : str
        Keys of this element and of the stage; the cursor and the views switched on
        there are added in the browser, which alone knows them.
    """
    _link(key=key, data={"query": query, "stage": of})


def show_moments(columns, rows, *, key, of, query):
    """A table in which every row leads the stage `of` to a moment of its run.

    Nothing is asked of the server: the row that is clicked moves the cursor.

    Parameters
    ----------
    columns : sequence of str
    rows : sequence of (t, last, cells)
        Iterations from `t` to `last` are the row's own: the first is where it leads,
        and with the cursor on any of them the row is marked. One text per column.
    key, of : str
        Keys of this element and of the stage.
    query : str
        The server's part of the link to the screen; a row is also a link.
    """
    rows = [{"t": t, "last": last, "cells": list(cells)} for t, last, cells in rows]
    data = {"columns": list(columns), "rows": rows, "stage": of, "query": query}
    _moments(key=key, data=data)
