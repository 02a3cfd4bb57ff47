"""Charts of published tables: every number is there and needs no colour."""

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
)
from ssl_core.viz.chart import SYMBOLS

NUMBERS = [
    Number("g50c", "CCCP", 6.5, 0.5, 6.3, MATCHES),
    Number("g50c", "SVM", 9.9, 1.5, 8.2, HIGHER),
    Number("Text", "CCCP", 5.0, None, 8.3, LOWER),
    Number("Text", "SVM", None, None, 14.8),
    Number("Coil3", "CCCP", 12.0, 2.0),
]


def marks(chart, name):
    (found,) = (m for m in chart.marks if m.name == name)
    return found


def named(chart, found):
    return [chart.y.names[place] for place in found.y]


def test_ours_stand_with_their_deviations_beside_the_published():
    chart = ours_and_published(NUMBERS[:2], title="g50c", unit="%")
    ours, theirs = marks(chart, "ours"), marks(chart, "published")
    assert ours.x == [6.5, 9.9]
    np.testing.assert_allclose([ours.low, ours.high], [[6.0, 8.4], [7.0, 11.4]])
    assert theirs.x == [6.3, 8.2]
    assert named(chart, ours) == named(chart, theirs) == ["CCCP", "SVM"]
    assert ours.symbol != theirs.symbol
    assert ours.said[0] == "CCCP: ours 6.5 ± 0.5 %"


def test_a_number_that_is_missing_on_one_side_is_shown_on_the_other():
    chart = ours_and_published(NUMBERS[3:], title="", by="row")
    assert named(chart, marks(chart, "ours")) == ["Coil3"]
    assert named(chart, marks(chart, "published")) == ["Text"]
    assert not [m for m in chart.marks if m.line]


def test_a_wide_range_has_a_log_axis_on_which_no_bar_ends_below_zero():
    wide = [Number("a", "x", 0.1, 0.3), Number("a", "y", 500.0, 10.0)]
    assert spread([0.1, 500.0])
    assert not spread([0.0, 500.0])
    assert not spread([])
    chart = ours_and_published(wide, title="")
    assert chart.x.log
    assert min(chart.marks[-1].low) > 0


def test_differences_have_a_mark_for_each_verdict_and_a_band():
    chart = differences(NUMBERS, tolerance=1.5, unit="%")
    assert [m.name for m in chart.marks] == [MATCHES, LOWER, HIGHER]
    assert len({m.symbol for m in chart.marks}) == 3
    assert marks(chart, HIGHER).x[0] == pytest.approx(1.7)
    assert chart.band == (-1.5, 1.5)
    assert chart.y.names == ["g50c", "Text", "Coil3"]  # also without a difference


def test_relative_differences_are_percent_of_the_published_number():
    chart = differences(NUMBERS, tolerance=0.1, relative=True)
    assert chart.band[1] == pytest.approx(10.0)
    assert marks(chart, MATCHES).x[0] == pytest.approx(100 * 0.2 / 6.3)
    assert apart_of(Number("a", "b", 0.0, None, 0.0), True) == 0.0


def test_speed_ups_against_the_paper_and_against_a_method():
    against_paper = ratios(NUMBERS, None)
    assert against_paper["Text", "CCCP"] == pytest.approx(8.3 / 5.0)
    assert ("Text", "SVM") not in against_paper
    assert ratios(NUMBERS, "SVM") == {("g50c", "CCCP"): pytest.approx(9.9 / 6.5)}


@pytest.mark.parametrize("baseline", [None, "SVM"])
def test_speed_ups_have_a_log_axis_with_1_on_it(baseline):
    chart = speed_ups(NUMBERS, baseline=baseline)
    assert chart.x.log
    assert chart.at == 1.0
    assert all(m.symbol in SYMBOLS for m in chart.marks)
    assert len({m.symbol for m in chart.marks}) == len(chart.marks)
    assert baseline not in {m.name for m in chart.marks}


def test_nothing_to_compare_is_a_chart_as_well():
    for chart in (
        speed_ups([], baseline=None),
        differences([], tolerance=1.0),
        ours_and_published([], title=""),
    ):
        assert list(chart.y.names) == []
        assert not any(m.x for m in chart.marks)
