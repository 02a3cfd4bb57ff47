"""All visitors of a process share one server, and none of them can clear it away."""

import threading

import streamlit as st

from pages._parts.running import runs


def test_files_stay_when_a_visitor_clears_the_caches():
    digest = runs.server().keep_file(b"a,b\n1,2\n")
    st.cache_data.clear()
    st.cache_resource.clear()
    assert runs.server().files.get(digest) == b"a,b\n1,2\n"


def test_visitors_who_come_first_at_once_meet_at_one_desk(monkeypatch):
    monkeypatch.setattr(runs, "_server", None)
    monkeypatch.setattr(runs.run_server, "warm", lambda server: server.warm.set())
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
