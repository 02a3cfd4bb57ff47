"""What Python and JavaScript both know of a view: fields, kinds, limits, sentences."""

import ast
import inspect
import re
from textwrap import dedent

import numpy as np
import pytest

from halfmoon import stage
from halfmoon.pages._parts.early_stopping.stopping_runs import LIMITS
from halfmoon.stage import pack
from halfmoon.stage.panels import tree
from tests.javascript import ROOT, evaluate

TYPES = (ROOT / "stage/js/types.d.ts").read_text(encoding="utf-8")
BROWSERS_OWN = {"n", "k", "T", "veiled"}  # of a view: what it makes of the header
ROWS = {
    "curves": ("Row", "CurvesHead"),
    "norms": ("Row", "CurvesHead", "NormsRow"),
} | {kind: ("Row", f"{kind.capitalize()}Row") for kind in ("heat", "loss", "rules")}
ROWS |= {kind: ("Row", f"{kind.capitalize()}Row") for kind in ("search", "tree")}


def declared(name):
    """Fields of a type, those of the types within it apart."""
    body = re.search(rf"^type {name}(?:<\w+>)? =.*?{{(.*?)^}};", TYPES, re.M | re.S)
    line = re.search(rf"^type {name}(?:<\w+>)? =.*?{{(.*)}};$", TYPES, re.M)
    text = (line or body)[1]
    while (inner := re.sub(r"{[^{}]*}", "", text)) != text:
        text = inner
    return set(re.findall(r"(?:^|;)\s*(\w+)\??:", text, re.M))


def written(function):
    """Keys of the dictionaries that a function writes down, those inside apart."""
    tree_ = ast.parse(dedent(inspect.getsource(function)))
    found = [node for node in ast.walk(tree_) if isinstance(node, ast.Dict)]
    inside = {id(d) for one in found for d in ast.walk(one) if d is not one}
    return {
        key.value
        for node in found
        if id(node) not in inside
        for key in node.keys
        if isinstance(key, ast.Constant)
    }


def kinds(panel=stage.Panel):
    """Every kind of panel, with its class."""
    own = {panel.kind: panel} if hasattr(panel, "kind") else {}
    return own | {k: c for sub in panel.__subclasses__() for k, c in kinds(sub).items()}


def test_a_view_has_the_fields_that_the_browser_expects():
    assert written(pack.payload) == declared("View") - BROWSERS_OWN


def test_every_kind_of_panel_has_a_class_in_both_languages():
    assert set(evaluate(("panels.js",), "Object.keys(PANELS)")) == set(kinds())
    assert kinds().keys() == ROWS.keys()


@pytest.mark.parametrize("kind", ROWS)
def test_a_panel_has_the_fields_that_the_browser_expects(kind):
    bases = [c for c in kinds()[kind].__mro__ if "packed" in vars(c)]
    sent = set().union(*(written(base.packed) for base in bases))
    assert sent == set().union(*map(declared, ROWS[kind]))


@pytest.mark.parametrize("below", [True, False, None])
def test_a_panel_stands_where_python_says(below):
    row = {"kind": "heat", "title": "Beliefs", "below": below, "answer": False}
    modules = "../../tests/js/canvas.js", "panel.js"
    assert evaluate(modules, "new BasePanel(data).below", row) is below


def test_every_mark_of_a_node_has_a_colour():
    assert evaluate(("tree.js",), "Object.keys(markColours({}))") == list(tree.MARKS)


def test_what_is_moved_on_the_stage_has_the_limits_of_a_link():
    limits = {name: (low, high) for name, low, high in LIMITS}
    limits["theta"] = 1, limits["theta"][1]  # 0 is the paper's interval, by default
    for name, control in evaluate(("rules.js",), "CONTROLS").items():
        assert (control["min"], control["max"]) == limits[name], name


def test_that_there_is_no_room_for_points_is_said_alike():
    sentence = evaluate(("hand.js",), "FULL").removesuffix(".")
    add = {"op": "add", "x": 0, "y": 0}
    with pytest.raises(ValueError, match=re.escape(sentence)):
        stage.apply_edits(np.zeros((1, 2)), [-1], [add], max_number=1)
