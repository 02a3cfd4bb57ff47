"""Widgets that lose nothing: where they stand, and what they do when they are moved."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import wraps
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._parts import errors

_LOCKS: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
_MAKING = threading.Lock()
BREAK = "_yield_callback"  # of Streamlit's session state: look for newer messages


def whole(callback: Callable[..., None]) -> Callable[..., None]:
    """A callback that a newer message cannot break off, and whose errors are told."""

    @wraps(callback)
    def run(*args):
        with unbroken(), errors.told_later():
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


def standing(key: str, value: Any) -> dict[str, str]:
    """The key of a widget that stands at ``value``.

    A widget that stands there already is left alone: setting it again would take a
    slider back that its visitor has moved on meanwhile, and the browser would send
    that old place as if it had been chosen.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    return {"key": key}
