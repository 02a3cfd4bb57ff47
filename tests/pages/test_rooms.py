"""The rooms of pages/_parts: which may know which, and names that are used once.

Shared rooms first, a room for each page after them. A room knows rooms above it, so
there is no cycle; a page's script knows all of them. All may know `halfmoon.scenario`,
and share no names with it.
"""

import ast
from collections import defaultdict
from functools import cache

from halfmoon import stage
from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.shell import navigation
from tests.rows import each
from tests.test_imports import MODULES, imports, parsed

GROUND = {"bundles", "glossary", "texts", "shell", "running", "pictures"}
GROUND |= {"stage_component"}
CONTROLS = GROUND | {"screen", "widgets", "export"}
STUDY = CONTROLS | {"compare", "study"}

# Room -> rooms it may know, itself apart.
ROOMS = {
    "glossary": set(),
    "texts": set(),
    "bundles": set(),
    "shell": {"bundles"},
    "stage_component": {"shell"},
    "running": {"shell"},
    "pictures": {"bundles", "running"},
    "screen": GROUND,
    "widgets": GROUND | {"screen"},
    "export": GROUND | {"screen", "widgets"},
    "landscape": {"bundles", "running"},
    "compare": CONTROLS | {"landscape"},
    "study": CONTROLS | {"compare"},
    "annealing": STUDY,
    "early_stopping": STUDY,
    "path": STUDY,
    "lessons": GROUND | {"screen", "path"},
    "playground": CONTROLS | {"compare", "lessons"},
    "benchmarks": GROUND | {"screen", "export"},
    "reference": {"shell", "glossary", "screen"},
    "main": {"running", "shell"},  # what Streamlit runs for a visitor
}
PARTS = "halfmoon.pages._parts."
SCENARIO = [name for name in MODULES if name.split(".")[1:2] == ["scenario"]]


def inside():
    return [name for name in MODULES if name.startswith(PARTS)]


def named():
    """Modules whose names are compared."""
    return [*inside(), *SCENARIO]


def room(name):
    return name.removeprefix(PARTS).partition(".")[0]


@cache
def known(name):
    """Rooms that a module knows, its own apart."""
    met = {room(target) for target in imports(name) if target.startswith(PARTS)}
    return met - {room(name)}


def test_each_room_knows_only_rooms_above_it():
    above = set()
    for name, may in ROOMS.items():
        assert may <= above, f"{name} may not know {sorted(may - above)}"
        above.add(name)


@each("name", inside())
def test_a_module_knows_only_what_its_room_may_know(name):
    assert room(name) in ROOMS, f"{room(name)} has no place in the map yet"
    wrong = known(name) - ROOMS[room(name)]
    assert not wrong, f"{name} may not know {sorted(wrong)}"


def test_every_page_has_a_room_of_its_name():
    assert {entry.name for entry in navigation.entries()} <= ROOMS.keys()


def where(kinds):
    homes = defaultdict(list)
    for name in named():
        for node in ast.walk(parsed(name)):
            if isinstance(node, kinds):
                homes[node.name].append(name)
    return homes


def test_no_two_modules_share_a_name():
    homes = defaultdict(list)
    for name in {*named()} - {"halfmoon.scenario"}:
        leaf = name.rpartition(".")[2]
        if name != f"{PARTS}{leaf}.{leaf}":  # the module that gives a room its name
            homes[leaf].append(name)
    assert not {leaf: found for leaf, found in homes.items() if len(found) > 1}


def test_no_two_classes_share_a_name():
    homes = where(ast.ClassDef)
    assert not {name: found for name, found in homes.items() if len(found) > 1}


def test_a_function_that_others_import_has_its_name_to_itself():
    """Others may share one: they are read with the name of their module before it."""
    homes, taken = defaultdict(set), set()
    pages = [name for name in MODULES if name.startswith("halfmoon.pages")]
    pages += SCENARIO
    for name in pages:
        for node in ast.walk(parsed(name)):
            if isinstance(node, ast.ImportFrom) and node.module in pages:
                taken |= {alias.name for alias in node.names}
        for node in parsed(name).body:
            if isinstance(node, ast.FunctionDef):
                homes[node.name].add(name)
    assert {"headline", "run_view"} <= taken & homes.keys()
    assert not {name: homes[name] for name in taken if len(homes[name]) > 1}


@each("name", [m for m in MODULES if m.startswith("halfmoon.pages")])
def test_what_is_asked_of_the_stage_is_there(name):
    known = {"stage": stage, "stage_component": stage_component}
    if not known.keys() & {target.rpartition(".")[2] for target in imports(name)}:
        return
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            home = known.get(node.value.id)
            assert home is None or hasattr(home, node.attr), node.attr


def test_what_a_module_shows_is_in_the_name_of_its_function():
    homes = [name for name in inside() for f in parsed(name).body if is_show(f)]
    assert homes == ["halfmoon.pages._parts.stage_component"]


def is_show(node):
    return isinstance(node, ast.FunctionDef) and node.name == "show"
