"""Objective against error: every method named, and told apart without colour."""

import numpy as np

from ssl_core.viz.chart import DASHES, SYMBOLS
from ssl_core.viz.comparison import STYLES, Route, objective_against_error

ROUTES = [
    Route("first", 0, np.array([40.0, 9.0, 6.0]), np.array([0.5, 0.2, 0.1])),
    Route("second", 1, np.array([12.0, 8.0]), np.array([0.4, 0.1])),
    Route("third", 3, np.array([30.0]), np.array([0.3])),
]


def test_each_method_has_its_way_and_its_named_end():
    chart = objective_against_error(ROUTES, true_labels=5.0)
    ends = [m for m in chart.marks if m.words]
    assert [m.words[0] for m in ends] == ["first", "second", "third", "true labels"]
    places = [(m.x[0], m.y[0]) for m in ends]
    assert places == [(6.0, 0.1), (8.0, 0.1), (30.0, 0.3), (5.0, 0.0)]
    assert ends[0].said == ("first\nobjective 6, 10.0 %",)
    ways = [m for m in chart.marks if m.line]
    assert ways[0].x == [40.0, 9.0, 6.0]


def test_methods_differ_in_dash_and_mark_as_well_as_in_colour():
    ways = [m for m in objective_against_error(ROUTES).marks if m.line]
    assert len({m.line for m in ways}) == 3
    assert len({m.symbol for m in ways}) == 3
    assert len({m.role for m in ways}) == 3


def test_what_methods_are_drawn_with_is_known_where_they_are_drawn():
    assert {style.symbol for style in STYLES} <= set(SYMBOLS)
    assert {style.dash for style in STYLES} <= set(DASHES)
