"""Callbacks that lose nothing, and blocks that no newer message breaks off."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from functools import wraps
from weakref import WeakValueDictionary

from halfmoon.pages._parts.shell import errors, inside

_LOCKS: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
_MAKING = threading.Lock()


def whole(callback: Callable[..., None]) -> Callable[..., None]:
    """A callback that a newer message cannot break off, and whose errors are shown."""

    @wraps(callback)
    def run(*args):
        with unbroken(), errors.as_sentences_later():
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
    then, on the same session; so the block is also locked. The lock is ours and does
    not depend on how Streamlit is made inside.
    """
    session = inside.session_id()
    if not session:
        yield
        return
    with inside.without_looking(), _lock_of(session):
        yield


def _lock_of(session_id: str) -> threading.RLock:
    """One lock a session; while nobody holds it, it need not exist."""
    with _MAKING:
        lock = _LOCKS.get(session_id)
        if lock is None:
            lock = _LOCKS[session_id] = threading.RLock()
        return lock
