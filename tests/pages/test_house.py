"""The house of the pages: short modules, and nobody reaches into another's session."""

import ast
from functools import cache
from pathlib import Path

from tests.rows import each

ROOT = Path(__file__).parents[2]
MODULES = sorted([*ROOT.glob("pages/**/*.py"), *ROOT.glob("scenario/**/*.py")])
LONGEST = 360  # lines of a module: what one reads in a sitting
TALLEST = 80  # lines of a function: two screens


def name_of(path):
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@each("path", MODULES, ids=name_of)
def test_no_module_is_longer_than_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@each("path", MODULES, ids=name_of)
def test_no_function_needs_scrolling_twice(path):
    functions = (n for n in ast.walk(parsed(path)) if isinstance(n, ast.FunctionDef))
    tall = {f.name: f.end_lineno - f.lineno + 1 for f in functions}
    assert not {name: n for name, n in tall.items() if n > TALLEST}


def keys(tree):
    """The expressions by which a module reaches into ``st.session_state``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and is_session(node.value):
            yield node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if is_session(node.func.value) and node.args:
                yield node.args[0]
        elif isinstance(node, ast.Compare) and is_session(node.comparators[0]):
            yield node.left


def is_session(node):
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "session_state"
        and isinstance(node.value, ast.Name)
        and node.value.id == "st"
    )


@each("path", MODULES, ids=name_of)
def test_a_module_reaches_only_its_own_keys_of_the_session(path):
    """Keys are names of the module itself; no text that two modules have to agree on,
    no name that was imported, no constant of another module."""
    tree = parsed(path)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    wrong = []
    for key in keys(tree):
        names = {n.id for n in ast.walk(key) if isinstance(n, ast.Name)}
        if isinstance(key, ast.Constant) or names & imported:
            wrong.append(ast.unparse(key))
    assert not wrong


def test_there_are_keys_to_look_at():
    found = [k for path in MODULES for k in keys(parsed(path))]
    assert len(found) > 10
