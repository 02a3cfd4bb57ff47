"""Figures of published tables: every number is there and needs no colour."""

import numpy as np
import pytest

from ssl_core.viz.benchmarks import (
    HIGHER,
    LOWER,
    MATCHES,
    Number,
    apart_of,
    differences,
    ours_and_published,
    ratios,
    speed_ups,
    spread,
    tallies,
)

NUMBERS = [
    Number("g50c", "CCCP", 6.5, 0.5, 6.3, MATCHES),
    Number("g50c", "SVM", 9.9, 1.5, 8.2, HIGHER),
    Number("Text", "CCCP", 5.0, None, 8.3, LOWER),
    Number("Text", "SVM", None, None, 14.8),
    Number("Coil3", "CCCP", 12.0, 2.0),
]


def marks(figure, name):
    (trace,) = (t for t in figure.data if t.name == name)
    return trace


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_ours_stand_with_error_bars_beside_the_published(mode):
    figure = ours_and_published(NUMBERS[:2], title="g50c", unit="%", mode=mode)
    ours, theirs = marks(figure, "ours"), marks(figure, "published")
    np.testing.assert_array_equal(ours.x, [6.5, 9.9])
    np.testing.assert_array_equal(ours.error_x.array, [0.5, 1.5])
    np.testing.assert_array_equal(theirs.x, [6.3, 8.2])
    assert list(ours.y) == list(theirs.y) == ["CCCP", "SVM"]
    assert ours.marker.symbol != theirs.marker.symbol
    assert ours.hovertext[0] == "CCCP: ours 6.5 ± 0.5 %"


def test_a_number_that_is_missing_on_one_side_is_shown_on_the_other():
    figure = ours_and_published(NUMBERS[3:], title="", by="row")
    assert list(marks(figure, "ours").y) == ["Coil3"]
    assert list(marks(figure, "published").y) == ["Text"]
    assert not [t for t in figure.data if t.mode == "lines"]


def test_the_first_name_stands_on_top():
    figure = ours_and_published(NUMBERS[:2], title="")
    assert list(figure.layout.yaxis.categoryarray) == ["SVM", "CCCP"]


def test_a_wide_range_has_a_log_axis_on_which_no_bar_ends_below_zero():
    wide = [Number("a", "x", 0.1, 0.3), Number("a", "y", 500.0, 10.0)]
    assert spread([0.1, 500.0])
    assert not spread([0.0, 500.0])
    figure = ours_and_published(wide, title="")
    assert figure.layout.xaxis.type == "log"
    bars = marks(figure, "ours").error_x
    assert all(np.array(bars.arrayminus) < np.array(marks(figure, "ours").x))


def test_differences_have_a_mark_for_each_verdict_and_a_band():
    figure = differences(NUMBERS, tolerance=1.5, unit="%")
    assert {t.name for t in figure.data} == {MATCHES, HIGHER, LOWER}
    assert len({t.marker.symbol for t in figure.data}) == 3
    assert marks(figure, HIGHER).x[0] == pytest.approx(1.7)
    band = figure.layout.shapes[0]
    assert (band.x0, band.x1) == (-1.5, 1.5)
    rows = list(figure.layout.yaxis.categoryarray)
    assert rows == ["Coil3", "Text", "g50c"]  # also those without a difference


def test_relative_differences_are_percent_of_the_published_number():
    figure = differences(NUMBERS, tolerance=0.1, relative=True)
    assert figure.layout.shapes[0].x1 == pytest.approx(10.0)
    assert marks(figure, MATCHES).x[0] == pytest.approx(100 * 0.2 / 6.3)
    assert apart_of(Number("a", "b", 0.0, None, 0.0), True) == 0.0


def test_speed_ups_against_the_paper_and_against_a_method():
    against_paper = ratios(NUMBERS, None)
    assert against_paper["Text", "CCCP"] == pytest.approx(8.3 / 5.0)
    assert ("Text", "SVM") not in against_paper
    assert ratios(NUMBERS, "SVM") == {("g50c", "CCCP"): pytest.approx(9.9 / 6.5)}


@pytest.mark.parametrize("baseline", [None, "SVM"])
def test_speed_ups_lie_inside_a_log_axis_with_1_in_it(baseline):
    figure = speed_ups(NUMBERS, baseline=baseline)
    low, high = figure.layout.xaxis.range
    assert figure.layout.xaxis.type == "log"
    assert low < 0 < high
    for trace in figure.data:
        assert all(low < np.log10(x) < high for x in trace.x)
    assert baseline not in {t.name for t in figure.data}


def test_nothing_to_compare_is_a_figure_as_well():
    for figure in (
        speed_ups([], baseline=None),
        differences([], tolerance=1.0),
        ours_and_published([], title=""),
    ):
        assert figure.layout.yaxis.type == "category"


def test_bars_of_tables_differ_in_pattern():
    order = {"match": "good", "lower": "accent", "higher": "warn"}
    figure = tallies({"a": {"match": 3, "lower": 1}, "b": {"higher": 2}}, order=order)
    assert [list(t.x) for t in figure.data] == [[3, 0], [1, 0], [0, 2]]
    assert len({t.marker.pattern.shape for t in figure.data}) == 3
