"""Ticks of plotly's axes: few, round, and each label the number that it stands for."""

import numpy as np
import pytest

from ssl_core.viz.axes import log_axis, log_labels, nice_ticks, percent_axis
from ssl_core.viz.benchmarks import Number, ours_and_published, speed_ups
from ssl_core.viz.comparison import Route, objective_against_error
from ssl_core.viz.theme import template

RANGES = [(6, 32), (10.4, 11.2), (1e-8, 3), (0.5, 2), (900, 1_777), (1e4, 1e9)]


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_a_log_axis_is_labelled_with_whole_numbers(low, high):
    axis = log_axis(low, high)
    assert 2 <= len(axis["tickvals"]) <= 9
    assert all(low <= v <= high for v in axis["tickvals"])
    texts = axis["ticktext"]
    assert len(set(texts)) == len(texts)


def test_twenty_is_not_labelled_as_two():
    """Plotly wrote 6 7 8 9 10 2 3 along the objectives from 6 to 32."""
    assert log_labels(6, 32)["ticktext"] == ["6", "7", "8", "9", "10", "20", "30"]
    routes = [Route("one", 0, np.array([32.0, 7.0]), np.array([0.4, 0.1]))]
    axis = objective_against_error(routes).layout.xaxis
    assert {"10", "20", "30"} <= set(axis.ticktext)
    assert axis.dtick is None


def test_percent_stands_apart_from_its_number():
    assert percent_axis(0.45)["ticktext"] == ["0 %", "10 %", "20 %", "30 %", "40 %"]


@pytest.mark.parametrize(("low", "high"), [(1.7e18, 1.7e18 + 1000), (0, 1e-300)])
def test_ticks_end_where_doubles_are_too_coarse_for_a_step(low, high):
    assert len(nice_ticks(low, high)) <= 9


def test_benchmarks_on_log_axes_are_labelled_the_same_way():
    numbers = [Number("a", "x", 0.5, None, 2e3), Number("a", "y", 40.0, None, 1777.0)]
    panel = ours_and_published(numbers, title="a", unit="s", by="column")
    assert "1,000" in panel.layout.xaxis.ticktext
    ratios = speed_ups(numbers).layout.xaxis
    assert len(ratios.ticktext) == len(ratios.tickvals)
    assert "published 1,777 s" in panel.data[-2].hovertext[1]


def test_other_axes_set_thousands_apart_and_write_powers():
    axis = template("light").layout.xaxis
    assert axis.separatethousands
    assert axis.exponentformat == "power"
