"""The import map: which room of the house may know which.

Read from the import statements, so that no import has to succeed. A new room gets a
line here; a room that needs more than its line allows is in the wrong place.
"""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from halfmoon import PARTS
from tests.rows import each

ROOT = Path(__file__).parents[1]
GROUND = {
    "common",
    "losses",
    "kernels",
    "features",
    "graph",
    "linalg",
    "numerals",
    "threads",
}
DECLARED = {"settings"}
WATCHING = {"maker", "quantities", "trace", "stopping"}
CORE = GROUND | WATCHING | {"driver", "problems", "solvers", "estimators"}
NAMES = {"guide", "looks", "references", "registry"}

# Room -> rooms it may import, its own modules apart. All may import `halfmoon`, where
# Halfmoon is found and what its version is.
MAP = {
    # The command knows experiments, `open_scenario` what a scenario is and how it runs.
    "halfmoon": {"common", "datasets", "estimators", "experiments", "scenario"}
    | {"model_selection", "notebook", "ssl_core", "stopping", "views"},
    "common": set(),
    "losses": set(),
    "kernels": {"linalg"},
    "features": {"linalg"},
    "graph": {"kernels", "linalg"},
    "linalg": {"common", "threads"},
    "numerals": set(),
    "threads": set(),
    "guide": set(),
    "maker": set(),
    "looks": {"common", "trace"},
    "references": set(),
    "quantities": set(),
    "settings": {"common"},
    "trace": {"maker", "quantities"},
    "stopping": {"common", "numerals", "quantities", "trace"},
    "models": GROUND | WATCHING,
    "driver": WATCHING,
    "problems": GROUND,
    "solvers": GROUND | WATCHING | DECLARED | {"driver", "problems"},
    "estimators": GROUND
    | WATCHING
    | DECLARED
    | {"driver", "models", "problems", "solvers"},
    "archive": {
        "common",
        "kernels",
        "losses",
        "maker",
        "models",
        "problems",
        "solvers",
        "trace",
    },
    "comparison": GROUND | {"estimators", "problems", "solvers"},
    "model_selection": WATCHING | DECLARED | {"estimators"},
    "landscape": GROUND | {"problems", "solvers"},
    "registry": DECLARED
    | {"common", "estimators", "guide", "looks", "references", "stopping", "trace"},
    "catalogue": {"estimators", "guide", "looks", "registry"},
    "ssl_core": {
        "catalogue",
        "common",
        "comparison",
        "problems",
        "registry",
        "stopping",
        "trace",
    },
    "viz": WATCHING | NAMES | {"losses", "numerals"},
    "experiments": CORE | NAMES | {"ssl_core", "datasets"},
    "datasets": {"common"},
    "stage": set(),
    "views": WATCHING
    | {
        "common",
        "estimators",
        "looks",
        "numerals",
        "registry",
        "ssl_core",
        "stage",
        "viz",
    },
    "scenario": {"common", "datasets", "ssl_core", "stage", "views", "viz"},
    "notebook": WATCHING
    | {"common", "estimators", "registry", "scenario", "stage", "views"},
    "pages": CORE
    | NAMES
    | {"ssl_core", "datasets", "viz", "experiments", "landscape", "stage", "archive"}
    | {"scenario", "views"},
    "app": {"pages", "ssl_core"},
}
# Module -> rooms that its functions import once they are called: the methods of a value
# whose work is done above it.
LATER = {"ssl_core.trace": {"archive", "notebook", "views"}}
# Package -> rooms that may know it; tests may know all.
GUESTS = {
    "streamlit": {"app", "halfmoon", "pages"},
    "plotly": {"views"},  # for the library's users: pages have charts of their own
    "numba": {"common", "linalg", "threads"},
    "scs": {"solvers"},
    "sklearn": {
        "graph",
        "kernels",
        "estimators",
        "model_selection",
        "datasets",
        "experiments",
        "notebook",
        "pages",
        "views",
    },
    "joblib": {"experiments", "datasets"},
    "matplotlib": {"views"},
    "anywidget": {"notebook"},
    "IPython": {"notebook"},
    "traitlets": {"notebook"},
    "PIL": {"views"},
    "imageio_ffmpeg": {"views"},
    "dask": {"experiments"},
}


def modules():
    """All modules of the project but the tests, by dotted name."""
    found = {}
    for top in ("halfmoon", "ssl_core", *PARTS, "app.py"):
        start = ROOT / top
        for path in [start] if start.is_file() else sorted(start.rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            parts = ("halfmoon", *parts) if top in PARTS else parts
            name = ".".join(p for p in parts if p != "__init__")
            found[name] = path
    return found


MODULES = modules()


def room(name):
    top, *inner = name.split(".")
    if top == "halfmoon":
        return inner[0] if inner and inner[0] in PARTS else top
    return inner[0] if top == "ssl_core" and inner not in ([], ["__main__"]) else top


@cache
def parsed(name):
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imports(name):
    """Dotted names that a module's import statements mention, `LATER` ones apart."""
    later = {t for t in _imports(name, inside=True) if room(t) in LATER.get(name, ())}
    return frozenset(_imports(name)) - (later - set(_imports(name, inside=False)))


def _imports(name, inside=None):
    """The same for statements inside of functions, outside of them, or all (None)."""
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    functions = [n for n in ast.walk(parsed(name)) if isinstance(n, ast.FunctionDef)]
    within = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(parsed(name)):
        if inside is not None and (id(node) in within) != inside:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                parents = parents[: len(parents) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield full if full in MODULES else base


def test_there_is_something_to_read():
    some = {"ssl_core.solvers.pcg", "halfmoon.datasets", "halfmoon.pages._parts.main"}
    assert some <= MODULES.keys()
    assert "ssl_core.problems.laplacian" in imports("ssl_core.estimators.laplacian")


@each("name", MODULES)
def test_module_imports_only_what_its_room_may_know(name):
    here = room(name)
    assert here in MAP, f"{here} has no place in the import map yet"
    inside = {target for target in imports(name) if room(target) in MAP}
    wrong = {t for t in inside if room(t) not in MAP[here] | {here, "halfmoon"}}
    assert not wrong, f"{name} may not import {sorted(wrong)}"


@each("name", MODULES)
def test_guest_packages_stay_in_their_rooms(name):
    here = room(name)
    packages = {target.partition(".")[0] for target in imports(name)}
    wrong = {p for p in packages & GUESTS.keys() if here not in GUESTS[p]}
    assert not wrong, f"{name} may not import {sorted(wrong)}"


@each("name", LATER)
def test_later_imports_are_inside_of_functions_and_are_made(name):
    later = {room(target) for target in _imports(name, inside=True)}
    assert later >= LATER[name]
    assert not {room(t) for t in _imports(name, inside=False)} & LATER[name]


def test_there_are_no_import_cycles():
    graph = {
        name: {target for target in imports(name) if target in MODULES} - {name}
        for name in MODULES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


def test_no_two_classes_of_the_library_share_a_name():
    """Those of a screen and its scenario are compared in pages/test_rooms.py."""
    homes = {}
    for name in MODULES:
        if room(name) not in ("app", "pages", "scenario"):
            for node in ast.walk(parsed(name)):
                if isinstance(node, ast.ClassDef):
                    homes.setdefault(node.name, []).append(name)
    assert not {name: found for name, found in homes.items() if len(found) > 1}


@each("name", [n for n in MODULES if room(n) in CORE | NAMES])
def test_the_core_prints_nothing(name):
    """No print, no verbose: whoever wants to watch iterates."""
    calls = {
        node.func.id
        for node in ast.walk(parsed(name))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "print" not in calls
