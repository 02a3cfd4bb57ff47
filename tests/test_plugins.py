"""What a package or a script from outside brings is found everywhere, and leaves."""

import subprocess
import sys
import textwrap
import threading
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import halfmoon
from halfmoon import ALGORITHMS, DATASETS, load, make, plugins, register_rule
from halfmoon.__main__ import main, without_plugins
from halfmoon.pages._parts.benchmarks.work import command
from halfmoon.pages._parts.export.imported import imports
from halfmoon.pages._parts.export.notebook import notebook
from halfmoon.pages._parts.export.script import script
from halfmoon.pages._parts.reference import algorithm_page
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.running.warming import warm
from halfmoon.pages._parts.widgets import gallery
from halfmoon.scenario import default
from ssl_core.experiments import (
    PROTOCOLS,
    TABLES,
    luggage,
    place,
    register_protocol,
)
from ssl_core.experiments.__main__ import main as experiments
from ssl_core.guide import Guide, Place
from ssl_core.registry import register_algorithm
from ssl_core.stopping import RULES, NamedRule, stability_check
from tests.pages.finding import APP, menus, shown_on_stage

PAGES = algorithm_page.navigation.PAGES
MODULE = "halfmoon_demo"
SOURCE = '''
import numpy as np
from sklearn.svm import SVC
from halfmoon import (Algorithm, Curve, NamedRule, make, register_algorithm,
    register_dataset, register_protocol, register_rule)
from halfmoon.datasets import Dataset
from ssl_core.estimators import KernelClassifier
from ssl_core.experiments import labels_only, own_protocol
from ssl_core.registry import Family
from ssl_core.stopping import StabilityCheck
from ssl_core.trace import ExpansionState, Status

class VoteClassifier(KernelClassifier):
    """Labels vote by kernel."""
    _state = ExpansionState
    def _machine(self, K, y, start):
        for t, status in enumerate([Status.RUNNING] * 3 + [Status.FINISHED]):
            alpha = t / 3 * y / len(y)
            yield ExpansionState(t=t, objective=-float(alpha @ K @ y), status=status,
                f=K @ alpha, alpha=alpha, b=0.0)

@register_dataset(title="Two bars", kind="toy", n_classes=2, dims=2, n_labeled=2,
    n_points=80)
def two_bars(*, rng):
    """Two bars beside each other."""
    y = np.arange(80) % 2
    return Dataset(X=rng.random((80, 2)) + 2 * y[:, None], y=y)

register_algorithm(Algorithm(id="vote", estimator=VoteClassifier, title="Kernel vote",
    family=Family("demo", "from a package", 9), idea="Labels vote.",
    objective="-y' K y", curves=(Curve("Objective", ("objective",)),), max_n=900))
register_rule("always", NamedRule(lambda tol=None, every=1: StabilityCheck(1, 3.0),
    "Always", "It has begun", check=True))
register_protocol(own_protocol("bars", "Bars", data=["two_bars"], splits=2,
    methods={"Vote": make("vote", sigma=0.5), "SVC": labels_only(SVC())}))
'''


def distribution(folder: Path, source: str = SOURCE, name: str = MODULE) -> Path:
    """A package as an installer leaves it: a module, and what is said of it."""
    info = folder / f"{name}-1.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.5\n"
    )
    (info / "entry_points.txt").write_text(f"[{plugins.GROUP}]\ndemo = {name}\n")
    (folder / f"{name}.py").write_text(source)
    return folder


@pytest.fixture
def clean(tmp_path, monkeypatch):
    """Whatever is registered or imported meanwhile is gone afterwards."""
    monkeypatch.setenv("HALFMOON_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(place, "SHIPPED", tmp_path / "none")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.setenv(plugins.VARIABLE, "")  # the command sets it
    with plugins.temporarily():
        yield tmp_path
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def demo(clean, monkeypatch):
    """The package, installed."""
    monkeypatch.syspath_prepend(distribution(clean / "site"))
    plugins.load(again=True)


def everything():
    registries = ALGORITHMS, DATASETS, RULES, PROTOCOLS, TABLES, plugins.PLUGINS
    return [list(one) for one in registries], ALGORITHMS["svm"].knob("stop").choices


def test_a_package_is_found_by_its_entry_point_and_leaves_nothing_behind(
    tmp_path, monkeypatch
):
    before = everything()
    monkeypatch.setattr(sys, "path", [str(distribution(tmp_path)), *sys.path])
    with plugins.temporarily():
        plugins.load(again=True)
        assert everything() != before
        brought = plugins.brought_by("demo")
        assert brought == {
            "algorithm": ["vote"],
            "data set": ["two_bars"],
            "stopping rule": ["always"],
            "protocol": ["bars"],
            "table": ["bars", "bars-seconds"],
        }
        assert plugins.PLUGINS["demo"].distribution == f"{MODULE}==1.5"
        assert ALGORITHMS["vote"].solver == ALGORITHMS["vote"].problem == MODULE
        again = everything()
        plugins.load(again=True)  # once is enough
        assert everything() == again
    assert everything() == before
    del sys.modules[MODULE]


def test_an_interpreter_that_asks_for_data_first_finds_it_all(tmp_path):
    code = """
    import sys
    import halfmoon
    assert "ssl_core" not in sys.modules
    bars = halfmoon.load("two_bars")
    est = halfmoon.make("vote", sigma=0.5)
    y = halfmoon.hide_labels(bars, n_labeled=8)
    assert (est.fit(bars.X, y).predict(bars.X) == bars.y).all()
    assert "vote" in halfmoon.ALGORITHMS and len(halfmoon.ALGORITHMS) > 10
    """
    root = Path(halfmoon.__file__).parents[1]
    site = f"{distribution(tmp_path)}:{root}"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={"PYTHONPATH": site},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr


def test_the_playground_trains_the_packages_method_on_its_data(demo):
    scenario = default().with_algorithm("vote").with_data("two_bars")
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(scenario.to_url())
    app.run()
    assert not app.exception
    assert not app.error
    assert (menus(app)["algorithm"].value, menus(app)["data"].value) == (
        "vote",
        "two_bars",
    )
    assert "from a package" in str(menus(app)["algorithm"].groups).lower()
    assert len(shown_on_stage(app)["frame_t"]) == 4
    stop = ALGORITHMS["vote"].knob("stop")
    assert stop.word("always") == "It has begun"
    assert any("It has begun" in box.options for box in app.selectbox)
    assert "always" in ALGORITHMS["svm"].knob("stop").choices
    bars = load("two_bars")
    y = halfmoon.hide_labels(bars, n_labeled=4)
    assert len(make("vote", stop="always").trace(bars.X, y)) == 2


def test_without_a_guide_and_a_paper_the_reference_and_what_is_taken_home_are_whole(
    demo,
):
    app = AppTest.from_file(str(PAGES / "reference.py"), default_timeout=60)
    app.query_params["algorithm"] = "vote"
    app.run()
    assert not app.exception
    words = "\n".join(element.value for element in app.markdown)
    assert "No paper describes it." in words
    assert "From the plug-in demo" in words
    scenario = default().with_algorithm("vote").with_data("two_bars")
    solved = RunServer(1).ask(scenario).outcome()
    assert "None" not in notebook(scenario, solved.problem)
    code = script(scenario, solved.problem)
    assert f"pip install {MODULE}==1.5" in code
    names = {}
    exec(compile(code, "script.py", "exec"), names)
    assert names["trace"].final.objective == solved.trace.final.objective


def test_the_reference_lists_plugins_and_what_each_brought(demo, clean):
    with pytest.warns(plugins.PluginWarning):
        plugins.add_script("gone")
    app = AppTest.from_file(str(PAGES / "reference.py"), default_timeout=60)
    app.run()
    assert not app.exception
    assert app.subheader[-1].value == "Plug-ins"
    first, second = (m.value.replace("\\", "") for m in app.markdown[-2:])
    for words in ("demo: ", "algorithm vote", "data set two_bars", "rule always"):
        assert words in first
    assert "plug-in gone cannot be used" in second


def test_the_runner_lists_runs_and_reports_its_protocol_apart(demo, clean, capsys):
    chosen = ["--protocol", "bars"]
    assert experiments(["run", *chosen]) == 0
    assert "4 finished" in capsys.readouterr().out
    assert experiments(["list", "bars"]) == 0
    assert "4 of    4 cells" in capsys.readouterr().out
    assert experiments(["report", "--out", "tables"]) == 0
    written = {path.name for path in (clean / "tables").iterdir()}
    assert {"bars.md", "own.md", "own.html", "published.md", "lapsvm.md"} <= written
    for name in ("published.md", "published.html"):
        assert "bars" not in (clean / "tables" / name).read_text().lower()
    assert "lapsvm" not in (clean / "tables" / "own.md").read_text()
    assert "| Two bars | 0.0 ± 0.0 |" in (clean / "tables" / "bars.md").read_text()
    assert place.default_path().parent == clean


def test_the_projects_own_tables_are_the_papers(demo, clean, capsys, monkeypatch):
    project = clean / "docs"
    monkeypatch.setattr(place, "TABLES_OF_PROJECT", project)
    for words in (["report", "bars"], ["report", "--protocol", "bars"]):
        assert experiments([*words, "--out", str(project)]) == 1
        assert "papers' only; give another folder" in capsys.readouterr().err
    assert experiments(["report", "--out", str(project)]) == 0
    assert "for bars: left out" in capsys.readouterr().err
    assert not {"own.md", "bars.md"} & {path.name for path in project.iterdir()}
    cells = ["export", "--protocol", "bars", "--out", str(project / "cells")]
    assert experiments(cells) == 1


def test_the_page_benchmarks_shows_own_tables_in_a_group_of_their_own(demo):
    app = AppTest.from_file(str(PAGES / "benchmarks.py"), default_timeout=60)
    app.run()
    assert not app.exception
    assert "Own protocols" in [title.value for title in app.subheader]
    app.query_params["table"] = "bars"
    app.run()
    assert not app.exception
    assert [title.value for title in app.header] == ["Bars, error"]


# -- scripts --------------------------------------------------------------------------

RULE = """
from halfmoon import NamedRule, register_rule, stability_check
register_rule({name!r}, NamedRule(stability_check, "Twin", "Twin", check=True))
"""


def test_scripts_are_named_by_module_or_by_file(clean, capsys):
    (clean / "first_rule.py").write_text(RULE.format(name="first"))
    (clean / "sub").mkdir()
    (clean / "sub" / "second_rule.py").write_text(RULE.format(name="second"))
    words = ["--plugin", "first_rule", "--plugin=sub/second_rule.py"]
    assert main([*words, "experiments", "list", "csk08-8"]) == 0
    assert {"first", "second"} <= RULES.keys()
    assert plugins.PLUGINS["second_rule"].source == RULE.format(name="second")
    assert plugins.listed() == ["first_rule", "sub/second_rule.py"]
    assert capsys.readouterr().err == ""
    assert main(["--plugin"]) == 2
    assert "--plugin needs a module" in capsys.readouterr().err
    rest = ["--server.port", "80"]
    assert without_plugins(["--plugin", "a", *rest]) == (["a"], rest)


def test_a_script_may_declare_its_encoding_or_be_in_a_zip(clean, monkeypatch):
    source = "# -*- coding: latin-1 -*-\nNAME = 'Caf\xe9'\n"
    (clean / "western.py").write_text(source, encoding="latin-1")
    with zipfile.ZipFile(clean / "packed.zip", "w") as file:
        file.writestr("zipped.py", RULE.format(name="zipped"))
    monkeypatch.syspath_prepend(clean / "packed.zip")
    monkeypatch.setenv(plugins.VARIABLE, "western.py,zipped")
    plugins.load(again=True)
    parcel = plugins.PLUGINS["western"]
    assert parcel.source == source
    assert plugins.PLUGINS["zipped"].source == RULE.format(name="zipped")
    plugins.forget("western")  # as on a worker, which has no such file
    luggage._import(parcel)
    assert sys.modules["western"].NAME == "Caf\xe9"
    assert plugins.PLUGINS["western"] == parcel


def test_threads_that_load_at_once_register_once(clean, monkeypatch):
    """Looking for what is installed takes a while, and gives way to other threads."""
    begun, calls = threading.Barrier(2, timeout=30), []

    def slow(**group):
        calls.append(group)
        time.sleep(0.2)
        return ()

    def load():
        begun.wait()
        plugins.load(again=True)

    monkeypatch.setattr(plugins, "entry_points", slow)
    threads = [threading.Thread(target=load) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1


BROKEN = {
    "gone": (None, "No module named 'gone'; start in the folder"),
    "halved": (RULE.format(name="half") + "1 / 0\n", "ZeroDivisionError: division"),
    "quits": ("raise SystemExit(3)", "SystemExit: 3"),
    "takes": (RULE.format(name="stability"), "stability is registered already"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_script_is_named_and_nothing_of_it_stays(name, clean, monkeypatch):
    source, words = BROKEN[name]
    if source is not None:
        (clean / f"{name}.py").write_text(source)
    (clean / "whole.py").write_text(RULE.format(name="whole"))
    monkeypatch.setenv(plugins.VARIABLE, f"{name}, whole")
    before = list(RULES)
    with pytest.warns(plugins.PluginWarning, match=f"plug-in {name} cannot be used"):
        plugins.load(again=True)
    (sentence,) = plugins.troubles()
    assert words in sentence
    assert sentence.endswith(plugins.ELSE)
    assert list(RULES) == [*before, "whole"]
    assert name not in sys.modules


def test_the_app_says_once_that_a_plugin_is_broken(clean, monkeypatch):
    monkeypatch.setenv(plugins.VARIABLE, "gone")
    with pytest.warns(plugins.PluginWarning):
        plugins.load(again=True)
    app = AppTest.from_file(APP, default_timeout=120)
    app.run()
    assert not app.exception
    (toast,) = app.toast
    assert "plug-in gone cannot be used" in toast.value.replace("\\", "")
    app.run()
    assert not app.toast


FAILING = SOURCE.replace("y = np.arange(80) % 2", "raise ArithmeticError('no bars')")


def test_what_fails_later_takes_nothing_else_along(clean, monkeypatch):
    """The gallery and the warming of a server run what a plug-in brought."""
    source = FAILING.replace("alpha = t / 3", "alpha = 1 / 0 + t")
    monkeypatch.syspath_prepend(distribution(clean / "site", source))
    plugins.load(again=True)
    warm(RunServer(1))
    (sentence,) = plugins.troubles()
    assert "demo (halfmoon_demo==1.5) cannot be used: ZeroDivisionError" in sentence
    app = AppTest.from_file(APP, default_timeout=120)
    app.run()
    assert not app.exception
    assert not app.error
    assert "two_bars" in DATASETS
    assert "two_bars" not in [picture["name"] for picture in gallery.pictures()]


# -- refused --------------------------------------------------------------------------


def test_names_that_are_taken_or_none_are_refused(clean):
    rule = NamedRule(stability_check, "Twin", "Twin")
    for name in ("stability", "two words", "../up", "", None, "é"):
        words = "registered already" if name == "stability" else "must be made of"
        with pytest.raises(ValueError, match=words):
            register_rule(name, rule)
    with pytest.raises(ValueError, match="algorithm must be an Algorithm"):
        register_algorithm("svm")
    with pytest.raises(ValueError, match="rule must be NamedRule"):
        register_rule("twin", stability_check)
    with pytest.raises(ValueError, match="needs a default"):
        register_rule("twin", NamedRule(lambda tol: None, "Twin", "Twin"))
    with pytest.raises(ValueError, match="protocol must be a Protocol"):
        register_protocol("bars")
    lapsvm = PROTOCOLS["lapsvm"]
    with pytest.raises(ValueError, match="lapsvm is registered already"):
        register_protocol(lapsvm)
    with pytest.raises(ValueError, match="mb11-4 is registered already"):
        register_protocol(replace(lapsvm, key="mine"))
    with pytest.raises(ValueError, match="must not be own, which is a file"):
        register_protocol(replace(lapsvm, key="own"))
    tables = tuple(replace(table, key=f"my-{table.key}") for table in lapsvm.tables)
    with pytest.raises(ValueError, match="must name it, got cells of lapsvm"):
        register_protocol(replace(lapsvm, key="mine", tables=tables))


def test_the_command_for_a_scripts_table_names_the_script(clean, monkeypatch):
    (clean / "bars_script.py").write_text(SOURCE)
    monkeypatch.setenv(plugins.VARIABLE, "bars_script")
    plugins.load(again=True)
    cells = TABLES["bars"].cells
    line = command("bars", cells, cells)
    assert line == "halfmoon --plugin bars_script experiments run bars"
    by_rule = default().with_parameter("stop", "always")
    for scenario in (default().with_algorithm("vote"), by_rule):
        assert "import bars_script  # the plug-in" in "\n".join(imports(scenario))
        others = imports(default(), others=[scenario])
        assert any(line.startswith("import bars_script") for line in others)
    assert "bars_script" not in "\n".join(imports(default()))


def test_two_packages_of_one_name_and_a_module_that_is_known(clean, monkeypatch):
    monkeypatch.syspath_prepend(distribution(clean / "one", "", "one_rule"))
    monkeypatch.syspath_prepend(distribution(clean / "two", "", "two_rules"))
    monkeypatch.setenv(plugins.VARIABLE, f"one_rule,{clean / 'json.py'}")
    with pytest.warns(plugins.PluginWarning, match="cannot be used") as said:
        plugins.load(again=True)
    words = [str(one.message) for one in said]
    assert len(words) == 2
    assert "its name is that of one from" in words[0]
    assert "there is another module json; rename the file" in words[1]


def test_a_guide_from_outside_shows_its_own_code(demo):
    place = Place("[D] eq. (1)", "the vote", MODULE, "VoteClassifier._machine")
    guide = Guide("It votes.", (), (place,), ("Quick.",), ("Simple.",), ("Nothing.",))
    ALGORITHMS["vote"] = replace(ALGORITHMS["vote"], guide=guide)
    app = AppTest.from_file(str(PAGES / "reference.py"), default_timeout=60)
    app.query_params["algorithm"] = "vote"
    app.run()
    assert not app.exception
    assert not app.error
    line = SOURCE.splitlines().index("    def _machine(self, K, y, start):") + 1
    assert f"line {line}" in app.table[-1].value.to_csv()
    with pytest.raises(ValueError, match="There is no source of nowhere"):
        replace(place, file="nowhere").lines()
