"""Means, deviations, differences and verdicts of hand-made results."""

import pytest

from ssl_core.experiments import Cell, Entry, Table, summarise, tally
from ssl_core.experiments.table import (
    BEATS,
    MATCHES,
    MISSES,
    OPEN,
    WAITING,
)
from ssl_core.experiments.table import (
    by_chance as table_by_chance,
)


def cells(name, count=3):
    return tuple(
        Cell.of("toy", {"data": name, "split": k}, "svm") for k in range(count)
    )


def results(numbers, metric="error"):
    """Results of cells by data set: a number for each split, None where there is none.

    A pair is a number and what it is chosen by.
    """
    found = {}
    for name, values in numbers.items():
        for cell, value in zip(cells(name, len(values)), values, strict=True):
            if isinstance(value, tuple):
                found[cell.spec] = {metric: value[0], "val": value[1]}
            elif value is not None:
                found[cell.spec] = {metric: value}
    return found


def one(published=None, **options):
    entry = Entry(cells("a"), published)
    return Table("t", "T", {("row", "column"): entry}, **options), entry


def test_mean_deviation_and_difference_are_those_worked_out_by_hand():
    found = summarise(*one(4.5), results({"a": [2.0, 4.0, 9.0]}))
    assert found.values == (2.0, 4.0, 9.0)
    assert found.mean == pytest.approx(5.0)
    assert found.deviation == pytest.approx(13.0**0.5)  # (9 + 1 + 16) / 2
    assert found.difference == pytest.approx(0.5)
    assert found.count == 3


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        (5.0, MATCHES),
        (6.5, MATCHES),
        (3.5, MATCHES),
        (6.6, BEATS),
        (3.4, MISSES),
        (None, OPEN),
    ],
)
def test_a_number_matches_within_the_tolerance_and_at_it(published, verdict):
    table, entry = one(published, tolerance=1.5)
    found = summarise(table, entry, results({"a": [5.0, 5.0, 5.0]}))
    assert found.verdict == verdict
    assert tally(table, results({"a": [5.0, 5.0, 5.0]}))[verdict] == 1


# Ours is 5 with a deviation of 13 ** 0.5 over three splits.
OURS = (13.0 / 3.0) ** 0.5


@pytest.mark.parametrize(
    ("away", "spread", "verdict", "by_chance"),
    [
        (1.4, None, MATCHES, False),
        (1.99 * OURS, None, MATCHES, True),
        (2.01 * OURS, None, MISSES, False),
        (-2.01 * OURS, None, BEATS, False),
        (2.01 * OURS, 1.0, MATCHES, True),
        (2.0 * (13.0 / 3.0 + 3.0) ** 0.5 - 0.01, 3.0, MATCHES, True),
        (2.0 * (13.0 / 3.0 + 3.0) ** 0.5 + 0.01, 3.0, MISSES, False),
    ],
)
def test_a_mean_also_matches_within_two_standard_errors(
    away, spread, verdict, by_chance
):
    table = Table("t", "T", {("r", "c"): Entry(cells("a"), 5.0 - away, spread=spread)})
    (entry,) = table.entries.values()
    measured = results({"a": [2.0, 4.0, 9.0]})
    found = summarise(table, entry, measured)
    assert (found.verdict, found.by_chance) == (verdict, by_chance)
    assert table_by_chance(table, measured) == by_chance


def test_a_number_without_a_spread_has_no_standard_error():
    """One split of ours, and none printed: only the tolerance decides."""
    table = Table("t", "T", {("r", "c"): Entry(cells("a")[:1], 3.0)})
    (entry,) = table.entries.values()
    found = summarise(table, entry, results({"a": [5.0]}))
    assert found.error is None
    assert found.verdict == MISSES
    median = Entry(cells("a"), 3.0, show="median", spread=9.0)
    assert summarise(table, median, results({"a": [2.0, 5.0, 9.0]})).error is None


@pytest.mark.parametrize(("ours", "published"), [(7.8, 6.3), (8.2, 6.7), (1.6, 0.1)])
def test_rounding_does_not_decide_at_the_tolerance(ours, published):
    for mean in (ours, ours - 3.0):
        table, entry = one(published, tolerance=1.5)
        found = summarise(table, entry, results({"a": [mean] * 3}))
        assert found.verdict == MATCHES


@pytest.mark.parametrize(("published", "verdict"), [(4.6, MATCHES), (4.5, MISSES)])
def test_a_relative_tolerance_is_a_share_of_the_published_number(published, verdict):
    for sign in (1.0, -1.0):
        table, entry = one(sign * published, tolerance=0.1, relative=True)
        found = summarise(table, entry, results({"a": [sign * 5.0] * 3}))
        assert (found.verdict == MATCHES) == (verdict == MATCHES)


def test_an_ungraded_table_tells_a_difference_and_judges_nothing():
    found = summarise(*one(1.0, graded=False), results({"a": [5.0] * 3}))
    assert (found.verdict, found.difference) == (OPEN, 4.0)


def test_missing_splits_are_counted_and_not_judged():
    found = summarise(*one(2.0), results({"a": [2.0, None, None]}))
    assert (found.values, found.count, found.verdict) == ((2.0,), 3, WAITING)
    assert found.deviation is None
    nothing = summarise(*one(2.0), {})
    assert (nothing.mean, nothing.deviation, nothing.difference) == (None,) * 3
    assert nothing.verdict == WAITING


def test_a_cell_without_the_metric_is_missing():
    found = summarise(*one(2.0), results({"a": [2.0] * 3}, metric="objective"))
    assert (found.values, found.verdict) == ((), WAITING)


# -- grids ----------------------------------------------------------------------------


def grid():
    candidates = tuple((f"C = {name}", cells(name)) for name in ("1", "10", "100"))
    entry = Entry(published=5.0, grid=candidates)
    return Table("t", "T", {("row", "column"): entry}), entry


FULL = {
    "1": [(9.0, 3.0), (9.0, 3.0), (9.0, 3.0)],
    "10": [(4.0, 2.0), (5.0, 1.0), (6.0, 3.0)],
    "100": [(1.0, 9.0), (1.0, 0.0), (1.0, 0.0)],  # best in error, not by choice
}


def test_a_grid_shows_the_candidate_of_least_mean_on_validation_points():
    found = summarise(*grid(), results(FULL))
    assert (found.chosen, found.values) == ("C = 10", (4.0, 5.0, 6.0))
    assert found.verdict == MATCHES


def test_the_first_of_equal_candidates_is_chosen():
    even = {name: [(float(name), 1.0)] * 3 for name in FULL}
    assert summarise(*grid(), results(even)).chosen == "C = 1"


def test_an_unfinished_grid_is_chosen_on_splits_that_all_have_and_not_judged():
    numbers = FULL | {"100": [(1.0, 9.0), (1.0, 0.0), None]}
    found = summarise(*grid(), results(numbers))
    assert (found.chosen, found.values, found.count) == ("C = 10", (4.0, 5.0), 3)
    assert found.verdict == WAITING


def test_a_grid_with_a_candidate_missing_gives_no_number():
    """Not that of the first candidate, which nobody has chosen."""
    found = summarise(*grid(), results({name: FULL[name] for name in ("1", "10")}))
    assert (found.chosen, found.values, found.verdict) == ("", (), WAITING)


# -- the table itself -----------------------------------------------------------------


def test_rows_columns_and_cells_stand_in_order_and_once():
    shared = cells("a")
    table = Table(
        "t",
        "T",
        {
            ("b", "x"): Entry(shared),
            ("a", "y"): Entry(shared, metric="seconds"),
            ("b", "y"): Entry(cells("b")),
        },
    )
    assert table.rows == ("b", "a")
    assert table.columns == ("x", "y")
    assert table.cells == (*shared, *cells("b"))
