"""Entries that compare two cells of each split: ratios and duels."""

import pytest

from ssl_core.experiments import Cell, Entry, Table, summarise
from ssl_core.experiments.report import number
from ssl_core.experiments.table import DUEL, MATCHES, WAITING


def cells(algorithm, count=4):
    return tuple(
        Cell.of("toy", {"data": "a", "split": k}, algorithm) for k in range(count)
    )


def shown(show, ours, theirs, published=None):
    results = {
        cell.spec: {"error": value}
        for name, values in (("svm", ours), ("rlsc", theirs))
        for cell, value in zip(cells(name), values, strict=True)
        if value is not None
    }
    entry = Entry(cells("svm"), published, against=cells("rlsc"), show=show)
    table = Table("t", "T", {("row", "column"): entry}, tolerance=0.1)
    return summarise(table, entry, results)


def test_a_split_is_lower_the_same_or_higher():
    found = shown(DUEL, (1.0, 2.0, 3.0, 4.0), (2.0, 2.0 + 1e-9, 2.5, 5.0))
    assert found.duel == (2, 1, 1)
    assert number(found, 1) == "2 / 1 / 1"


def test_two_zeros_are_the_same():
    assert shown(DUEL, (0.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 0.0)).duel == (1, 2, 1)


def test_splits_that_one_of_the_two_lacks_do_not_count():
    found = shown(DUEL, (1.0, None, 3.0, 4.0), (2.0, 2.0, None, 4.0))
    assert found.duel == (1, 1, 0)
    assert number(found, 1) == "1 / 1 / 0 (2)"


@pytest.mark.parametrize(
    ("show", "value"),
    [("mean", 3.5), ("median", 2.5), ("largest", 8.0), ("smallest", 1.0)],
)
def test_ratios_are_told_as_the_entry_asks(show, value):
    found = shown(show, (1.0, 4.0, 6.0, 8.0), (1.0, 2.0, 2.0, 1.0), published=value)
    assert found.values == (1.0, 2.0, 3.0, 8.0)
    assert found.value == value
    assert found.verdict == MATCHES
    assert (found.deviation is None) == (show != "mean")


def test_a_ratio_is_not_judged_before_both_sides_are_there():
    found = shown("median", (1.0, 2.0, 3.0, None), (1.0, 1.0, 1.0, 1.0), published=2.0)
    assert found.verdict == WAITING


def test_all_cells_of_both_sides_are_needed():
    entry = Entry(cells("svm"), against=cells("rlsc"), show=DUEL)
    assert set(entry.every) == {*cells("svm"), *cells("rlsc")}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"show": "mode"}, "show must be one of mean, median"),
        ({"show": DUEL}, "a duel needs two sides"),
        ({"against": cells("rlsc", 2)}, "one cell for each of the 4 cells, got 2"),
    ],
)
def test_what_cannot_be_compared_is_refused(wrong, words):
    with pytest.raises(ValueError, match=words):
        Entry(cells("svm"), **wrong)
