"""All visitors of a process share one server, and none of them can clear it away."""

import gc
import threading
import time
import weakref
from types import SimpleNamespace

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell import inside


def test_files_stay_when_a_visitor_clears_the_caches():
    digest = runs.server().keep_file(b"a,b\n1,2\n")
    st.cache_data.clear()
    st.cache_resource.clear()
    assert runs.server().files.get(digest) == b"a,b\n1,2\n"


def test_visitors_who_come_first_at_once_meet_at_one_desk(monkeypatch):
    monkeypatch.setattr(runs, "_server", None)
    monkeypatch.setattr(runs.warming, "warm", lambda server: server.warm.set())
    gate, found = threading.Barrier(8), []

    def come():
        gate.wait()
        found.append(runs.server())

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({id(server) for server in found}) == 1


class Session:
    """As much of a session as Streamlit's storage looks at."""

    id = "gone"


def test_sessions_that_cannot_come_back_are_let_go(monkeypatch):
    """Streamlit's own storage, which would wait for the next one to be closed."""
    storage = MemorySessionStorage(ttl_seconds=0.05)
    storage.save(SimpleNamespace(session=Session()))
    gone = weakref.ref(storage._cache["gone"].session)
    time.sleep(0.1)
    assert storage.get("gone") is None  # nobody can come back to it,
    gc.collect()
    assert gone() is not None  # and yet it is there

    loop = SimpleNamespace(call_soon_threadsafe=lambda call: call())
    runtime = SimpleNamespace(
        _session_mgr=SimpleNamespace(_session_storage=storage),
        _async_objs=SimpleNamespace(eventloop=loop),
    )
    monkeypatch.setattr(Runtime, "exists", lambda: True)
    monkeypatch.setattr(Runtime, "instance", lambda: runtime)
    inside.forget_sessions()
    gc.collect()
    assert gone() is None
