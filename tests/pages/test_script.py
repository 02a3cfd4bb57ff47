"""The exported script runs as it is and finds the same numbers."""

import ast
import contextlib
import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import numpy as np
import pytest

from halfmoon.pages._parts.export.notebook import notebook
from halfmoon.pages._parts.export.script import script
from halfmoon.pages._parts.export.source import literal
from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.running.stage_edits import edit
from halfmoon.scenario import (
    DRAWN,
    UPLOAD,
    Labels,
    Scenario,
    Upload,
    default,
)
from ssl_core import ALGORITHMS
from tests.hostile import HOSTILE
from tests.pages.finding import played

ROOT = Path(__file__).resolve().parents[2]
DESK = RunServer(2)


def by_hand():
    scenario = default().with_held_out(20, 30)
    problem = DESK.pose(scenario)
    edits = [
        {"op": "label", "i": 5, "class": int(problem.truth[5])},
        {"op": "move", "i": 9, "x": 0.5, "y": 0.25},
        {"op": "remove", "i": 20},
        {"op": "add", "x": 0.1, "y": -0.3, "class": 1},
        {"op": "add", "x": 0.2, "y": -0.35, "class": -1},
    ]
    return edit(scenario, problem, edits)


def drawn():
    scenario = default().with_data(DRAWN)
    rng = np.random.default_rng(0)
    edits = [
        {"op": "add", "x": float(x), "y": float(y), "class": i % 2 if i < 6 else -1}
        for i, (x, y) in enumerate(rng.normal(size=(40, 2)) * 0.4)
    ]
    return edit(scenario, DESK.pose(scenario), edits)


def continued():
    scenario = default()
    problem = DESK.pose(scenario)
    label = [{"op": "label", "i": 30, "class": int(problem.truth[30])}]
    return edit(scenario.going_on(6), problem, label)


def unfinished():
    """Stopped by max_iter: the objective there tells whether the start was the same."""
    return continued().with_parameter("max_iter", 4)


CASES = {
    "landing": default,
    "by hand, held out": by_hand,
    "drawn": drawn,
    "continued": continued,
    "continued, cut short": unfinished,
    "random labels": lambda: default().with_labels(Labels("random", 3, 5)),
    "drawn, labels hidden": lambda: drawn().with_labels(Labels("random", 1, 2)),
    "three classes": lambda: default().with_data("three_arcs"),
    "wine with test points": lambda: PRESETS["wine"].scenario,
    "sparse": lambda: default().with_data("topic_text"),
    **{f"{name} on moons": lambda name=name: played(name) for name in ALGORITHMS},
}


def objective_of(out):
    return float(re.search(r"objective: (\S+)", out).group(1))


def run_here(text, folder="."):
    """In this process: the imports of a new one take longer than all the rest."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.chdir(folder):
        exec(compile(text, "exported.py", "exec"), {"__name__": "__main__"})
    return objective_of(out.getvalue()), out.getvalue()


def run_alone(text, folder):
    """In a process that has nothing but the script, and where a warning is an error."""
    path = folder / "exported.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr + text
    return objective_of(done.stdout), done.stdout


@pytest.mark.parametrize("name", CASES)
def test_the_script_finds_the_same_objective(name, tmp_path):
    scenario = CASES[name]()
    solved = DESK.ask(scenario).outcome()
    text = script(scenario, solved.problem)
    assert all(len(line) <= 100 for line in text.splitlines())
    run = run_alone if name == "landing" else run_here
    objective, _ = run(text, tmp_path)
    assert objective == pytest.approx(solved.trace.final.objective, rel=1e-7)


def test_the_script_tells_the_errors_the_page_shows(tmp_path):
    scenario = by_hand()
    solved = DESK.ask(scenario).outcome()
    _, out = run_here(script(scenario, solved.problem), tmp_path)
    free = solved.problem.given < 0
    free &= solved.problem.truth >= 0
    shown = solved.trace.error(solved.truth, free)[-1]
    assert f"error on unlabelled points: {shown:.2%}" in out
    assert f"error on test points: {solved.trace.output_error('test')[-1]:.2%}" in out


def test_the_script_reads_an_uploaded_file(tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        f"{x:.6f},{y:.6f},{'left' if x < 0 else 'right' if i % 3 else '?'}"
        for i, (x, y) in enumerate(rng.normal(size=(60, 2)))
    ]
    content = ("a,b,side\n" + "\n".join(rows)).encode()
    (tmp_path / "mine.csv").write_bytes(content)
    upload = Upload(DESK.keep_file(content), "mine.csv", "side", ("a", "b"), "range")
    scenario = default().with_data(UPLOAD, upload).with_labels(Labels("file"))
    scenario = scenario.with_parameter("sigma", 0.3)
    solved = DESK.ask(scenario).outcome()
    objective, _ = run_alone(script(scenario, solved.problem), tmp_path)
    assert objective == pytest.approx(solved.trace.final.objective, rel=1e-7)


@pytest.mark.parametrize("make_scenario", [default, by_hand], ids=["landing", "hand"])
def test_the_notebook_is_one_and_its_cells_run(make_scenario):
    scenario = make_scenario()
    solved = DESK.ask(scenario).outcome()
    document = json.loads(notebook(scenario, solved.problem))
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in document["cells"]}) == len(document["cells"])
    code = [c for c in document["cells"] if c["cell_type"] == "code"]
    assert all(c["outputs"] == [] for c in code)
    *lines, last = ("".join(c["source"]) for c in code)
    assert re.fullmatch(r"trace\.plot\((truth=.+)?\)", last)
    lines.append(f"assert {last}.data")
    objective, _ = run_here("\n".join(lines))
    assert objective == pytest.approx(solved.trace.final.objective, rel=1e-7)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_run(name):
    scenario = PRESETS[name].scenario
    if name == "drawn":
        with pytest.raises(ValueError, match="Choose a brush"):
            DESK.ask(scenario).outcome()
    else:
        assert len(DESK.ask(scenario).outcome().trace) > 1


# -- a stranger's words ---------------------------------------------------------------

CODE = (
    'a"""b.csv',
    "x\\x.csv",
    "a\\N{BULLET}.csv",
    "it's.csv",
    "'''x'''\\",
    '"""; import os; os.abort(); """',
    "x\nimport os\n",
    "x\rimport os",
    "x\u2028import os\u2029",
    "x\x0cimport os\x0b\x1c\x85",
    "x\0y",
    "\u202eimport os\u2066",
    "{trace} {{}} %s %(x)d {x!r}",
    "# x",
    "\\",
    "half \ud800",
    *HOSTILE,
)
COLUMNS = ("first column", "second column", "the label")


def with_words(name, columns):
    """An uploaded file's scenario with these words in it, checked or not."""
    upload = Upload("ab12", "plain.csv", columns[2], tuple(columns[:2]), "range")
    object.__setattr__(upload, "name", name)  # as if nothing had cleaned it
    scenario = default().with_data(UPLOAD, upload).with_labels(Labels("random", 2))
    return scenario.with_held_out(5, 5)


def skeleton(text, words):
    """The tree and the comments of a program, without the words."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in words:
            node.value = "a stranger's word"
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="\n").readline)
    comments = [t.string for t in tokens if t.type == tokenize.COMMENT]
    return ast.dump(tree), comments


@pytest.mark.parametrize("text", CODE, ids=ascii)
def test_words_of_a_stranger_stay_words_in_the_script_and_the_notebook(text):
    problem = DESK.pose(default().with_held_out(5, 5))
    harmless = with_words("plain.csv", COLUMNS)
    expected = skeleton(script(harmless, problem), ("plain.csv", *COLUMNS))
    columns = tuple(text + end for end in "123")
    hostile = with_words(text, columns)
    assert skeleton(script(hostile, problem), (text, *columns)) == expected
    ours, theirs = (
        json.loads(notebook(scenario, problem))["cells"]
        for scenario in (harmless, hostile)
    )
    for before, after in zip(ours, theirs, strict=True):
        assert before["cell_type"] == after["cell_type"]
        sources = "".join(before["source"]), "".join(after["source"])
        if before["cell_type"] == "markdown":
            assert sources[0] == sources[1]
        else:
            plain = skeleton(sources[0], ("plain.csv", *COLUMNS))
            assert skeleton(sources[1], (text, *columns)) == plain


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), np.float64(1), object(), ("a",), b"a", {}]
)
def test_only_plain_values_are_written_into_code(value):
    with pytest.raises(TypeError, match="plain values"):
        literal(value)


OWNING = '"""; open("owned", "w").close(); """'
OWNING_TOO = "'; open('owned', 'w').close() #"


def test_a_file_name_that_is_code_is_not_run(tmp_path):
    name, column = f"{OWNING}.csv", OWNING_TOO
    rng = np.random.default_rng(1)
    rows = [f"{x:.4f},{y:.4f},{'ab'[int(x > 0)]}" for x, y in rng.normal(size=(60, 2))]
    header = f'"{column}",u,side\n'
    content = (header + "\n".join(rows)).encode()
    upload = Upload(DESK.keep_file(content), name, "side", (column, "u"), "range")
    assert upload.name == name
    (tmp_path / name).write_bytes(content)
    scenario = default().with_data(UPLOAD, upload).with_labels(Labels("random", 3))
    again, remarks, _ = Scenario.from_json(scenario.to_json())
    assert (again, remarks) == (scenario, [])
    solved = DESK.ask(again).outcome()
    objective, _ = run_here(script(again, solved.problem), tmp_path)
    assert objective == pytest.approx(solved.trace.final.objective, rel=1e-7)
    cells = json.loads(notebook(again, solved.problem))["cells"]
    lines = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    run_here("\n".join(lines).replace("figure.show()", ""), tmp_path)
    assert not (tmp_path / "owned").exists()
