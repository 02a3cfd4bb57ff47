"""Widgets that lose nothing: where they stand, and what they do when they are moved."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._parts.widgets import errors

_LOCKS: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
_MAKING = threading.Lock()
TURNS, TURN = "_turns", "~"
BREAK = "_yield_callback"  # of Streamlit's session state: look for newer messages
_SCREEN: ContextVar[str] = ContextVar("screen", default="")


@contextmanager
def on_screen(name: str):
    """Controls inside this block are about the screen ``name``, and so are their keys.

    A visitor has a screen on the playground and another one on each page that takes
    the same controls; without a block it is the playground's.
    """
    before = _SCREEN.set(name)
    try:
        yield
    finally:
        _SCREEN.reset(before)


def screen() -> str:
    """The screen that controls are about now; empty for the playground's."""
    return _SCREEN.get()


def whole(callback: Callable[..., None]) -> Callable[..., None]:
    """A callback that a newer message cannot break off, and whose errors are shown.

    It is about the screen on which its widget was made.
    """
    made_on = screen()

    @wraps(callback)
    def run(*args):
        with on_screen(made_on), unbroken(), errors.as_sentences_later():
            callback(*args)

    return run


@contextmanager
def unbroken():
    """Read and change the session as a whole, with nothing in between.

    At every use of ``st.session_state`` Streamlit looks for newer messages, and when
    one has come it breaks off what is running. A callback that was broken off is never
    called again: its slider would stand at the new place with nothing changed. Inside
    this block the newer message waits for the few lines that take.

    The run that answers the newer message may have begun in a thread of its own by
    then, on the same session; so the block is also locked.
    """
    ctx = get_script_run_ctx(suppress_warning=True)
    state = getattr(ctx, "session_state", None)
    look = getattr(state, BREAK, None)
    if look is None:  # no session: a plain script or a test
        yield
        return
    object.__setattr__(state, BREAK, lambda: None)
    try:
        with _lock_of(ctx.session_id):
            yield
    finally:
        object.__setattr__(state, BREAK, look)


def _lock_of(session_id: str) -> threading.RLock:
    """One lock a session; while nobody holds it, it need not exist."""
    with _MAKING:
        lock = _LOCKS.get(session_id)
        if lock is None:
            lock = _LOCKS[session_id] = threading.RLock()
        return lock


def standing(name: str, value: Any) -> dict[str, Any]:
    """Key and value of a slider, number or switch that stands at ``value``.

    A browser sends where all widgets stand with every message, also where one stood
    before the server moved it; that would look like a choice of its visitor. So a
    widget that the server moves is made anew under another key, and what is still on
    its way for the old one means nothing. A widget that stands right is left alone.

    The new one is told where it stands as its default, each time: what is put into
    ``st.session_state`` is told once, in a message that a newer run may throw away.
    """
    turns = _turns()
    if name not in turns:
        turns[name] = 0
    else:
        key = _key(name, turns[name])
        if key not in st.session_state or st.session_state[key] != value:
            turns[name] += 1
    return {"key": _key(name, turns[name]), "value": value}


def choosing(name: str, value: Any, options: Sequence) -> dict[str, Any]:
    """As `standing`, for a box in which one of the options is chosen, or none."""
    index = None if value is None else list(options).index(value)
    return {"key": standing(name, value)["key"], "index": index}


def picking(name: str, value: Any) -> dict[str, Any]:
    """As `standing`, for pills and boxes in which several can be chosen."""
    return {"key": standing(name, value)["key"], "default": value}


def moved(name: str) -> Any:
    """Where the visitor put a widget of `standing`."""
    return st.session_state[_key(name, _turns().get(name, 0))]


def key_of(name: str) -> str:
    """The key of a widget on the screen that controls are about."""
    return f"{screen()}:{name}" if screen() else name


def _key(name: str, turn: int) -> str:
    return key_of(f"{name}{TURN}{turn}" if turn else name)


def _turns() -> dict[str, int]:
    """How often the server has moved each widget; one dict, changed in place."""
    kept = key_of(TURNS)
    if kept not in st.session_state:
        st.session_state[kept] = {}
    return st.session_state[kept]
