"""The example of docs/plugins.md as it stands: here, in processes, on a cluster."""

import re
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.semi_supervised import LabelSpreading
from sklearn.svm import SVC

from halfmoon import load, make, plugins
from halfmoon.__main__ import main
from halfmoon.datasets import split
from ssl_core.experiments import RunError, Store, labels_only, own_protocol, place, plan
from ssl_core.experiments.luggage import Luggage, luggage_of, unpack
from ssl_core.experiments.protocols import PROTOCOLS
from ssl_core.experiments.runner import run
from tests.experiments.processes import extended
from tests.experiments.test_dask import Cluster

PAGE = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text()
EXAMPLE, AFTER = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
LINES = re.findall(r"^halfmoon (.* --protocol my_rings.*)$", PAGE, re.MULTILINE)
RUN, REPORT, ON_CLUSTER = map(shlex.split, LINES)
ADDRESS = "tcp://127.0.0.1:8786"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the script of the page; all of it is gone afterwards."""
    made = tmp_path / "work"
    made.mkdir()
    (made / "my_rings.py").write_text(EXAMPLE)
    monkeypatch.chdir(made)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.setattr(place, "SHIPPED", tmp_path / "none")
    monkeypatch.delenv("HALFMOON_STORE", raising=False)
    monkeypatch.setenv(plugins.VARIABLE, "")  # the command sets it
    with plugins.temporarily():
        yield made
    sys.modules.pop("my_rings", None)


@pytest.fixture
def cluster(folder, tmp_path):
    """Two workers in another folder: they cannot import what is in this one."""
    if sys.platform != "linux":
        pytest.skip("processes are forked from one that has it all")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    made = Cluster(folder)
    made.workers("1", "2", place=elsewhere)
    yield made
    for process in reversed(made.begun):
        process.end()


def results(folder):
    with Store(folder / "results" / "experiments.sqlite") as store:
        rows = [row for row in store.rows() if row.cell.protocol == "my_rings"]
    found = {row.cell.spec: dict(row.result) for row in rows}
    for result in found.values():
        del result["seconds"]
    return found


def test_the_example_runs_and_is_reported_as_written(folder, capsys):
    assert main(RUN) == 0
    assert "15 finished in" in capsys.readouterr().out
    assert main(REPORT) == 0
    tables = folder / "results" / "tables"
    assert {path.name for path in tables.iterdir()} == {
        "my_rings.md",
        "own.md",
        "own.html",
    }
    text = (tables / "my_rings.md").read_text()
    assert "| | LapSVM | LabelSpreading | SVC |" in text
    (row,) = re.findall(r"^\| Three rings \| (.*) \|$", text, re.MULTILINE)[:1]
    shown = [float(cell.split(" ±")[0]) for cell in row.split(" | ")]
    # the same, written anew
    rings = load("three_rings")
    errors = {name: [] for name in ("LapSVM", "LabelSpreading", "SVC")}
    for k in range(5):
        parts = split(rings, n_labeled=9, test_size=0.25, random_state=k)
        train, y = parts.train, parts.y_train(rings)
        order = np.argsort(train)
        train, y = train[order], y[order]
        some = y >= 0
        fitted = (
            make("lapsvm_pcg", sigma=0.3).fit(rings.X[train], y),
            LabelSpreading(gamma=20).fit(rings.X[train], y),
            SVC(gamma=1.0).fit(rings.X[train][some], y[some]),
        )
        for name, est in zip(errors, fitted, strict=True):
            wrong = est.predict(rings.X[parts.test]) != rings.y[parts.test]
            errors[name].append(100 * wrong.mean())
    means = [np.mean(values) for values in errors.values()]
    np.testing.assert_allclose(shown, means, atol=0.05)
    namespace = {"make": make}
    exec(compile(AFTER, "plugins.md", "exec"), namespace)


def test_two_dask_workers_get_the_script_and_find_the_same(folder, cluster, capsys):
    words = [cluster.address if word == ADDRESS else word for word in ON_CLUSTER]
    process = cluster.start(extended, *words)
    assert process.wait() == 0, process.said
    assert "15 finished in" in process.said
    there = results(folder)
    (folder / "results" / "experiments.sqlite").unlink()
    assert main(RUN) == 0
    assert there == results(folder)
    assert len(there) == 15

    # A script that is edited is sent again; one that imports a neighbour is refused.
    edited = EXAMPLE.replace("sigma=0.3", "sigma=0.2")
    (folder / "my_rings.py").write_text(edited)
    process = cluster.start(extended, *words)
    assert process.wait() == 0, process.said
    assert "5 finished in" in process.said
    edited = EXAMPLE.replace("sigma=0.3", "sigma=0.4")
    (folder / "my_rings.py").write_text(f"import my_neighbour\n{edited}")
    (folder / "my_neighbour.py").write_text("")
    process = cluster.start(extended, *words)
    assert process.wait() == 1, process.said
    *_, last = process.said.splitlines()
    assert re.match(r"The Dask worker \d at tcp://127.0.0.1:\d+ has trouble", last)
    assert "plug-in my_rings cannot be used" in last
    assert "No module named 'my_neighbour'" in last
    assert "nothing that it imports; install that on every machine" in last
    assert "Traceback" not in process.said


@pytest.mark.slow
def test_processes_of_this_machine_get_it_too(folder):
    (folder / "sub").mkdir()
    (folder / "my_rings.py").rename(folder / "sub" / "my_rings.py")
    plugins.add_script("sub/my_rings.py")  # no variable names it
    cells = [c for c in PROTOCOLS["my_rings"].cells if c.algorithm == "LabelSpreading"]
    with Store(folder / "store.sqlite") as store:
        made = list(run(plan(cells, store).work, store, jobs=2))
    assert [outcome.error for outcome in made] == [""] * 5


def test_a_worker_without_a_package_says_what_to_install(folder):
    theirs = plugins.Plugin("rings", "rings_package", "rings-package==1.2")
    cell = own_protocol(
        "some", "Some", data=["two_moons"], methods={"SVC": labels_only(SVC())}
    ).cells[0]
    with pytest.raises(RunError, match=r"W has no plug-in rings; install rings-pack"):
        unpack(Luggage((theirs,), ("rings",)), cell, "W")
    plugins.PLUGINS["rings"] = plugins.Plugin(
        "rings", "rings_package", "rings-package==1.1"
    )
    with pytest.raises(RunError, match=r"W has rings-package==1.1 .* runner has .*1.2"):
        unpack(Luggage((theirs,), ("rings",)), cell, "W")
    package = plugins.Plugin("loose.rings", "loose.rings")  # listed, never installed
    with pytest.raises(RunError, match=r"W has trouble: .*loose.rings cannot be used"):
        unpack(Luggage((package,), ("loose.rings",)), cell, "W")
    with pytest.raises(RunError, match="W does not know the protocol some, which no"):
        unpack(luggage_of(cell), cell, "W")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"data": ["nowhere"]}, "data of mine must be registered, and 'nowhere'"),
        ({"data": {"two_moons": {"holes": 3}}}, "two_moons has no knob holes"),
        ({"methods": {"A": 3}}, "method A of mine must be a classifier"),
        ({"methods": {}}, "needs data, methods"),
        ({"splits": 0}, "needs data, methods and at least one split"),
    ],
)
def test_a_protocol_that_cannot_run_is_refused_where_it_is_declared(change, words):
    usual = {"data": ["two_moons"], "methods": {"A": labels_only(SVC())}}
    with pytest.raises(ValueError, match=words):
        own_protocol("mine", "Mine", **usual | change)


def test_a_cell_changes_with_its_method_and_with_nothing_else():
    def spec(method):
        made = own_protocol("m", "M", data=["two_moons"], methods={"A": method})
        return made.cells[0].spec

    assert spec(labels_only(SVC())) == spec(labels_only(SVC(C=1.0)))
    different = {
        spec(method)
        for method in (
            labels_only(SVC()),
            labels_only(SVC(C=2.0)),
            labels_only(SVC(class_weight={0: 2.0})),
            LabelSpreading(),
            LabelSpreading(kernel=np.dot),
            make("svm"),
            make("svm", gamma_A=2.0),
        )
    }
    assert len(different) == 7


def test_a_limit_that_ended_a_fit_is_recorded():
    protocol = own_protocol(
        "m",
        "M",
        data=["two_moons"],
        methods={"cut": LabelSpreading(max_iter=1, gamma=0.1, alpha=0.9)},
    )
    cell = protocol.cells[0]
    assert protocol.run(protocol.pose(dict(cell.problem)), cell)["capped"] == 1


def test_parameters_that_no_signature_names_are_said():
    """Some classifiers of other packages take keywords and list them in get_params."""

    class Lenient(SVC):
        def __init__(self, *, C=1.0, **more):
            super().__init__(C=C, **more)

        def get_params(self, deep=True):
            return {"C": self.C, "gamma": self.gamma}

    methods = {"lenient": labels_only(Lenient(gamma=0.5))}
    (cell, *_) = own_protocol("o", "O", data=["two_moons"], methods=methods).cells
    assert dict(cell.params) == {"classifier": "Lenient(gamma=0.5)"}
