"""What pages hand out: every file under one name, written when it is asked for."""

import gc
import weakref

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.export import download
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.shell import navigation, open_in
from tests.pages.finding import played

LESSONS = ("early_stopping", "annealing", "path")
NAMES = {
    "playground": {"halfmoon_run.py", "halfmoon_run.ipynb"}
    | {"halfmoon.json", "halfmoon_trace.csv"},
    "compare": {"halfmoon_compare.py", "halfmoon_compare.csv", "halfmoon.json"},
} | {name: {f"halfmoon_{name}.py", "halfmoon_trace.csv"} for name in LESSONS}


@pytest.fixture
def handed_out(monkeypatch):
    """``handed_out(page)`` opens a page and its menus: contents by file name."""

    def opened(page):
        found = {}

        def button(label, content, name, *args, **more):
            assert name not in found
            found[name] = content

        monkeypatch.setattr(download.st, "download_button", button)
        app = AppTest.from_file(str(navigation.entry(page).path), default_timeout=120)
        for menu in ("menu_code", "menu_save"):
            app.session_state[menu] = True
        app.run()
        assert not app.exception
        return found

    return opened


@pytest.mark.parametrize("page", [entry.name for entry in navigation.entries()])
def test_every_file_is_called_after_its_page_with_one_ending(page, handed_out):
    assert handed_out(page).keys() == NAMES.get(page, set())


@pytest.mark.parametrize("page", LESSONS)
def test_a_lesson_writes_its_files_when_they_are_asked_for(
    page, handed_out, monkeypatch
):
    written = []
    table = download.trace_table
    monkeypatch.setattr(
        download, "trace_table", lambda run: written.append(run) or table(run)
    )
    found = handed_out(page)
    assert not written
    script, trace = found[f"halfmoon_{page}.py"](), found["halfmoon_trace.csv"]()
    assert "from halfmoon import" in script
    assert trace.startswith("t,")
    assert len(trace.splitlines()) == len(written[0].trace) + 1


def test_a_button_holds_no_run_and_still_knows_which(monkeypatch):
    server = RunServer(1)
    monkeypatch.setattr(runs, "server", lambda: server)
    run = server.ask(played("svm")).outcome()
    write, gone = download.when_asked(lambda run: run.scenario, run), weakref.ref(run)
    scenario = run.scenario
    del run
    server.runs.max_bytes = 0
    server.runs._drop(scenario)
    gc.collect()
    assert gone() is None
    assert write() == scenario


def test_a_page_that_does_not_exist_leads_nowhere():
    """A file's name was once taken for a page, which then offered itself."""
    with pytest.raises(KeyError):
        list(open_in.ways(played("svm"), "halfmoon_early_stopping.py"))
