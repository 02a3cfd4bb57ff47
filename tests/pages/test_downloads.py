"""What pages hand out: the same on each, named after it, written when asked for."""

import csv
import gc
import io
import json
import re
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

import halfmoon
from halfmoon import Trace, open_scenario
from halfmoon.pages._parts.annealing import annealed_runs
from halfmoon.pages._parts.export import download, files
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.script import as_script
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.shell import navigation, open_in
from halfmoon.scenario import Labels, default
from tests.pages.finding import played

ROOT = Path(__file__).resolve().parents[2]
PAGES = [entry.name for entry in navigation.entries()]
WITHOUT = {"reference"}  # shows no run
ENDINGS = ("npz", "csv")  # of a trace
LINKS = {
    "lessons": {"lesson": "two_labels", "step": "remember"},
    "benchmarks": {"table": "csk08-8", "row": "g50c", "column": "CCCP"},
}
SHOWN = ("html", "svg", "pdf", "png", "gif", "mp4")  # of what the stages show
ASKING = {
    "early_stopping",
    "annealing",
    "path",
    "benchmarks",
}  # no answer before a guess
# Runs every script and every notebook of a folder where there is no Streamlit.
ALONE = """
import ast, contextlib, io, json, pathlib, sys

class NoStreamlit:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "streamlit":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, NoStreamlit())
from plotly.basedatatypes import BaseFigure

BaseFigure.show = lambda figure: print(len(figure.data), "lines are shown")
told = {}
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    text, out = path.read_text(encoding="utf-8"), io.StringIO()
    parts = [text]
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        parts = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    with contextlib.redirect_stdout(out):
        for part in parts:
            exec(compile(part, path.name, "exec"), names)
        last = ast.parse(part).body[-1]  # what a notebook shows below a cell
        if path.suffix == ".ipynb" and isinstance(last, ast.Expr):
            shown = eval(ast.unparse(last), names)
            if isinstance(shown, BaseFigure):
                shown.show()
    told[path.name] = out.getvalue()
print(json.dumps(told))
"""


def opened(page, found, **link):
    """A page with its menus open; ``found`` is filled with what it hands out."""
    app = AppTest.from_file(str(navigation.entry(page).path), default_timeout=120)
    app.query_params.update(link)
    for menu in ("menu_code", "menu_save"):
        app.session_state[menu] = True

    def button(label, content, name, *args, **more):
        assert name not in found
        found[name] = content

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(download.st, "download_button", button)
        app.run()
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def handed_out():
    """``handed_out(page)`` is what a page hands out, by the name of the file."""
    known = {}

    def by_name(page):
        if page not in known:
            if page == "benchmarks":  # as if the run was made in the playground
                played_before(page)
            opened(page, known.setdefault(page, {}), **LINKS.get(page, {}))
        return known[page]

    return by_name


def played_before(page):
    found = {}
    app = opened(page, found, **LINKS[page])
    assert not any("trace" in name for name in found)
    assert any("once the playground has made this run" in c.value for c in app.caption)
    document = found[f"halfmoon_{page}.json"]
    runs.server().ask(open_scenario(document).scenario).outcome()


def text_of(content):
    content = content() if callable(content) else content
    return content.decode() if isinstance(content, bytes) else content


def rows_of(trace):
    return list(csv.DictReader(io.StringIO(text_of(trace))))


@pytest.mark.parametrize("page", PAGES)
def test_every_page_with_a_run_hands_out_the_same(page, handed_out):
    found = handed_out(page).keys()
    if page in WITHOUT:
        assert not found
        return
    usual = {f"halfmoon_{page}.{ending}" for ending in ("py", "ipynb", "json")}
    if page not in ASKING:
        usual |= {f"halfmoon_{page}.{ending}" for ending in SHOWN}
    if page == "compare":
        traces = {
            f"halfmoon_compare_trace_{number}.{ending}"
            for number in (1, 2)
            for ending in ENDINGS
        }
        assert found == usual | traces | {"halfmoon_compare_table.csv"}
    else:
        traces = {f"halfmoon_{page}_trace.{ending}" for ending in ENDINGS}
        assert found == usual | traces


@pytest.fixture(scope="module")
def alone(handed_out, tmp_path_factory):
    """What all scripts and notebooks print where Streamlit is not installed."""
    folder = tmp_path_factory.mktemp("taken_home")
    for page in PAGES:
        for name, content in handed_out(page).items():
            if name.endswith((".py", ".ipynb")):
                (folder / name).write_text(text_of(content), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE, str(folder)],
        env={"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITHOUT])
def test_script_and_notebook_tell_the_numbers_of_the_trace(page, handed_out, alone):
    found = handed_out(page)
    said, in_notebook = alone[f"halfmoon_{page}.py"], alone[f"halfmoon_{page}.ipynb"]
    assert "lines are shown" in in_notebook
    if page == "compare":
        for line, number in zip(said.splitlines()[1:], (1, 2), strict=True):
            rows = rows_of(found[f"halfmoon_compare_trace_{number}.csv"])
            error = float(rows[-1]["error_unlabelled"])
            assert f"{error:.6f}" in line or f"{error:.1f}" in line
        return
    rows = rows_of(found[f"halfmoon_{page}_trace.csv"])
    for told in (said, in_notebook):
        objective = float(re.search(r"^objective: (\S+)", told, re.MULTILINE)[1])
        assert objective == pytest.approx(float(rows[-1]["objective"]), rel=1e-9)
    assert f"{len(rows)} states." in said


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITHOUT])
def test_the_saved_scenario_opens_in_the_library_with_the_runs_of_the_page(
    page, handed_out
):
    found = handed_out(page)
    saved = open_scenario(found[f"halfmoon_{page}.json"])
    traces = [found[name] for name in sorted(found) if re.search(r"trace.*csv", name)]
    assert len(saved) == len(traces)
    for trace, ours in zip(traces, saved.run(), strict=True):
        told = [float(row["objective"]) for row in rows_of(trace)]
        np.testing.assert_array_equal(ours.column("objective"), told)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WITHOUT])
def test_a_program_says_which_version_made_it_and_runs_with_any(page, handed_out):
    script = text_of(handed_out(page)[f"halfmoon_{page}.py"])
    assert "\nimport halfmoon\n" in script
    assert f'made_with, here = "{halfmoon.__version__}"' in script
    cells = json.loads(text_of(handed_out(page)[f"halfmoon_{page}.ipynb"]))["cells"]
    assert any("made_with" in line for cell in cells for line in cell["source"])


def test_another_major_version_is_told_and_is_no_error(monkeypatch, capsys):
    scenario = played("svm")
    run = RunServer(1).ask(scenario).outcome()
    text = as_script(Exports("playground", scenario, {"run": run}).program())
    exec(text, {"__name__": "__main__"})
    assert "Made with" not in capsys.readouterr().out
    made = halfmoon.__version__
    monkeypatch.setattr(halfmoon, "__version__", "17.1")
    exec(text, {"__name__": "__main__"})
    out = capsys.readouterr().out
    assert out.startswith(f"# Made with Halfmoon {made}; this is 17.1.\n")
    assert "objective: " in out


@pytest.mark.parametrize("page", ["early_stopping", "path", "lessons"])
def test_a_trace_is_written_when_it_is_asked_for(page, handed_out, tmp_path):
    whole, table = (handed_out(page)[f"halfmoon_{page}_trace.{e}"] for e in ENDINGS)
    assert callable(whole)
    (tmp_path / "run.npz").write_bytes(whole())
    trace = Trace.load(tmp_path / "run.npz")
    told = [float(row["objective"]) for row in rows_of(table)]
    np.testing.assert_array_equal(trace.column("objective"), told)


def test_a_saved_scenario_opens_on_the_page_of_its_topic():
    scenario = annealed_runs.scenario_for("two_moons")
    scenario = scenario.with_labels(Labels("random", 4, 2))
    app = opened("annealing", {})
    for saved in (scenario, default().with_data("clock")):  # of another page, too
        app.file_uploader(key="opened").set_value(
            ("x.json", files.saved(saved).encode(), "application/json")
        )
        app.run()
        assert not app.exception
        screen = app.session_state["page:annealing"].screen
        assert screen.scenario.setting == saved.setting
        assert screen.scenario.algorithm == "da"
        assert not screen.remarks


def test_a_view_of_another_run_hands_out_that_run():
    found = {}
    opened("annealing", found, **{"at.view": "1", "at.pairs": "1"})
    document = found["halfmoon_annealing.json"]
    saved = open_scenario(document)
    assert saved.scenario.algorithm == "tsvm"
    told = [
        float(r["objective"]) for r in rows_of(found["halfmoon_annealing_trace.csv"])
    ]
    np.testing.assert_array_equal(saved.trace().column("objective"), told)
    assert 'make("tsvm"' in found["halfmoon_annealing.py"].replace("'", '"')
    app = opened("annealing", {})
    app.file_uploader(key="opened").set_value(("x.json", document.encode(), ""))
    app.run()
    assert app.session_state["page:annealing"].screen.numbers.view == 1


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


def test_the_files_of_a_compared_method_stand_in_one_row():
    """With four methods half of each row was the method before."""
    app = AppTest.from_file(str(navigation.entry("compare").path), default_timeout=120)
    app.session_state["menu_save"] = True
    app.run()
    rows = [labels_in(block) for block in blocks_of(app.main)]
    traces = [row for row in rows if any("Trace of" in name for name in row)]
    assert len(traces) >= 2
    for states, table in traces:
        assert states.removesuffix(" (NPZ)") == table.removesuffix(" (CSV)")


def blocks_of(block):
    yield block
    for child in block.children.values():
        if isinstance(child, Block):
            yield from blocks_of(child)


def labels_in(block):
    """Labels of the buttons that hand out a file, of those right in a block."""
    buttons = (c for c in block.children.values() if c.type == "download_button")
    return [button.proto.label for button in buttons]
