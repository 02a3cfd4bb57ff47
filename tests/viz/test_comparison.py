"""Objective against error: every method named, and told apart without colour."""

import numpy as np
import pytest

from ssl_core.viz.comparison import Route, name_places, objective_against_error

ROUTES = [
    Route("first", 0, np.array([40.0, 9.0, 6.0]), np.array([0.5, 0.2, 0.1])),
    Route("second", 1, np.array([12.0, 8.0]), np.array([0.4, 0.1])),
    Route("third", 3, np.array([30.0]), np.array([0.3])),
]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_method_has_its_way_and_its_named_end(mode):
    figure = objective_against_error(ROUTES, true_labels=5.0, mode=mode)
    ends = [t for t in figure.data if t.mode == "markers+text"]
    assert [t.text[0].strip() for t in ends] == [
        "first",
        "second",
        "third",
        "true labels",
    ]
    assert [(t.x[0], t.y[0]) for t in ends[:3]] == [(6.0, 0.1), (8.0, 0.1), (30.0, 0.3)]
    ways = [t for t in figure.data if t.mode == "lines+markers"]
    np.testing.assert_array_equal(ways[0].x, [40.0, 9.0, 6.0])


def test_methods_differ_in_dash_and_mark_as_well_as_in_colour():
    ways = [t for t in objective_against_error(ROUTES).data if "lines" in t.mode]
    assert len({t.line.dash for t in ways}) == 3
    assert len({t.marker.symbol for t in ways}) == 3
    assert len({t.line.color for t in ways}) == 3


def test_everything_lies_inside_the_axes():
    figure = objective_against_error(ROUTES, true_labels=5.0)
    low, high = 10 ** np.array(figure.layout.xaxis.range)
    assert low < 5.0 < 40.0 < high
    bottom, top = figure.layout.yaxis.range
    assert bottom < 0 < 0.5 < top


def test_names_of_ends_that_are_near_stand_apart():
    places = name_places(ROUTES[:2], 0.5, 100.0)
    assert len(set(places)) == 2


def test_one_method_that_never_moves_is_a_figure_as_well():
    alone = [Route("alone", 0, np.array([3.0]), np.array([0.0]))]
    assert objective_against_error(alone).layout.xaxis.range[0] < np.log10(3.0)
