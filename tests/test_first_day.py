"""What a newcomer meets on the first day: names, imports, options of Python."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import halfmoon
from halfmoon import make, plugins, read_table

ROOT = Path(__file__).parents[1]
MODULES = [n for n in halfmoon.__all__ if isinstance(getattr(halfmoon, n), ModuleType)]
X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def run(code, *options):
    found = subprocess.run(
        [sys.executable, "-B", *options, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_completion_shows_public_names_alone():
    shown = {name for name in dir(halfmoon) if not name.startswith("__")}
    assert shown == set(halfmoon.__all__)
    assert "__version__" in dir(halfmoon)


def test_public_modules_are_imported_by_their_names():
    assert {"plugins", "stopping", "model_selection", "datasets"} <= set(MODULES)
    for name in set(MODULES) - {"ssl_core"}:
        assert import_module(f"halfmoon.{name}") is getattr(halfmoon, name)


@pytest.mark.parametrize(
    "first", ["import halfmoon.plugins as a", "from halfmoon import plugins as a"]
)
def test_the_order_of_imports_makes_no_second_module(first):
    code = f"{first}\nfrom halfmoon.plugins import PLUGINS\nimport halfmoon"
    same = "halfmoon.plugins is a, a.PLUGINS is PLUGINS"
    assert run(f"{code}\nprint({same})") == "True True\n"


def test_data_are_made_without_docstrings():
    assert run("import halfmoon\nprint(halfmoon.load('two_moons', n=20).n)", "-OO")


@pytest.mark.parametrize(
    "y", [["a", "b", None, None], [0.0, 1.0, np.nan, np.nan]], ids=["text", "numbers"]
)
def test_missing_values_in_y_are_refused_with_the_way_that_works(y):
    with pytest.raises(ValueError, match="pass unlabeled=None"):
        make("rlsc").fit(X, np.array(y, dtype=None if y[0] == 0 else object))
    assert len(make("rlsc", unlabeled=None).fit(X, y).classes_) == 2


def test_what_stands_for_a_graph_is_named():
    with pytest.raises(ValueError, match="got 'knn'"):
        make("laprlsc", W="knn").fit(X, [0, 1, -1, -1])
    with pytest.raises(ValueError, match="got None"):
        make("laprlsc", W=lambda X: None).fit(X, [0, 1, -1, -1])


@pytest.mark.filterwarnings("ignore::halfmoon.common.plugins.PluginWarning")
def test_a_script_that_fails_is_said_to_be_of_the_option_or_the_variable(
    tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "odd_script.py").write_text("1 / 0")
    with plugins.temporarily():
        plugins.add_script("odd_script")
        [said] = plugins.troubles()
    assert "--plugin or HALFMOON_PLUGINS" in said


def test_a_table_in_memory_is_no_file():
    with pytest.raises(TypeError, match=r"file must be a path.*got an object of dict"):
        read_table({"a": [1, 2]})
