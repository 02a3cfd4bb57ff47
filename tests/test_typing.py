"""Type checkers and editors understand the library as its users do."""

import inspect
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import halfmoon.model_selection
import ssl_core
from halfmoon import datasets, plugins
from ssl_core import ALGORITHMS, estimators
from ssl_core import model_selection as selection
from ssl_core.settings import settings_of
from tests.installed import as_installed

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "typed_script.py"
DATA_SCRIPT = ROOT / "tests" / "typed_data_script.py"
SCENARIO_SCRIPT = ROOT / "tests" / "typed_scenario_script.py"
SELECTION_SCRIPT = ROOT / "tests" / "typed_selection_script.py"
SCRIPTS = (SCRIPT, DATA_SCRIPT, SCENARIO_SCRIPT, SELECTION_SCRIPT)
WRONG = """
from ssl_core.estimators import LapSVMPCGClassifier

LapSVMPCGClassifier(sigma=0.35)
LapSVMPCGClassifier(sigmaa=0.35)
LapSVMPCGClassifier(n_neighbors="six")
"""
WRONG_DATA = """
import numpy as np
from halfmoon.datasets import two_moons

two_moons(noise=0.1, rng=np.random.default_rng(0)).n
two_moons(noize=0.1, rng=np.random.default_rng(0)).n
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return as_installed(tmp_path_factory.mktemp("library") / "site")


def checked(program, *options, path, library):
    """Output and exit code of a type checker that finds the library by its path."""
    found = subprocess.run(
        [sys.executable, "-m", program, *options, str(path)],
        capture_output=True,
        text=True,
        cwd=path.parent,
        env={"MYPYPATH": str(library), "PATH": ""},
        timeout=240,
    )
    return found.stdout + found.stderr, found.returncode


def pyright(path, library):
    settings = f'{{"extraPaths": ["{library}"], "typeCheckingMode": "standard"}}'
    (path.parent / "pyrightconfig.json").write_text(settings)
    python = ("--pythonpath", sys.executable)
    return checked("pyright", *python, path=path, library=library)


def test_mypy_accepts_scripts_that_use_every_public_name(tmp_path, library):
    for number, source in enumerate(SCRIPTS):
        script = tmp_path / f"script_{number}.py"
        script.write_text(source.read_text())
        options = ("--strict", "--follow-imports=silent", f"--cache-dir={tmp_path}")
        output, code = checked("mypy", *options, path=script, library=library)
        assert code == 0, output


def test_pyright_accepts_it_and_reports_what_is_wrong(tmp_path, library):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.read_text())
    output, code = pyright(script, library)
    assert code == 0, output
    script.write_text(WRONG)
    output, code = pyright(script, library)
    assert code == 1
    assert 'No parameter named "sigmaa"' in output
    assert ":6:" in output  # six is no number of neighbours
    assert "2 errors" in output
    script.write_text(DATA_SCRIPT.read_text())
    output, code = pyright(script, library)
    assert code == 0, output
    script.write_text(WRONG_DATA)
    output, code = pyright(script, library)
    assert 'No parameter named "noize"' in output
    assert "1 error," in output


def test_the_script_runs_and_uses_every_public_name(capsys):
    with plugins.temporarily():
        runpy.run_path(str(SCRIPT))
    text = SCRIPT.read_text()
    assert all(f"{name}" in text for name in ssl_core.__all__)
    lines = text.partition("as methods\n")[2].strip().splitlines()
    assert len(lines) <= 30
    runpy.run_path(str(DATA_SCRIPT))
    text = DATA_SCRIPT.read_text()
    assert all(name in text for name in datasets.__all__)
    runpy.run_path(str(SELECTION_SCRIPT))
    text = SELECTION_SCRIPT.read_text()
    assert all(name in text for name in selection.__all__)
    public = {name for name in vars(halfmoon.model_selection) if name[0] != "_"}
    assert public == set(selection.__all__)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_help_shows_the_signature_that_an_editor_shows(name):
    kind = ALGORITHMS[name].estimator
    assert getattr(estimators, kind.__name__) is kind
    signature = inspect.signature(kind)
    assert list(signature.parameters) == list(settings_of(kind))
    for parameter in signature.parameters.values():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert getattr(kind(), parameter.name) == parameter.default
        assert parameter.annotation is not inspect.Parameter.empty
        assert f"{parameter.name} : " in kind.__doc__


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "ssl_core" / "py.typed").exists()
    assert (ROOT / "halfmoon" / "py.typed").exists()
