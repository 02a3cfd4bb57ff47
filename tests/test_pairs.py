"""All pairs: every two values meet, in far fewer rows than all combinations."""

from itertools import combinations, product
from math import prod

import pytest

from tests.pairs import pairs, pairwise

SHAPES = [(1,), (3,), (1, 1), (4, 3), (2, 2, 2), (7, 2, 2, 2), (3, 11, 2, 2), (5, 4, 3)]


def factors_of(shape):
    return [[f"{'abcd'[i]}{j}" for j in range(n)] for i, n in enumerate(shape)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_any_two_values_of_two_factors_meet_in_a_row(shape):
    factors = factors_of(shape)
    rows = pairs(factors)
    for (i, one), (j, other) in combinations(enumerate(factors), 2):
        met = {(row[i], row[j]) for row in rows}
        assert met == set(product(one, other))
    for i, values in enumerate(factors):
        assert {row[i] for row in rows} == set(values)
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_rows_are_hardly_more_than_the_pairs_of_the_two_longest_factors(shape):
    least = prod(sorted(shape)[-2:])
    assert least <= len(pairs(factors_of(shape))) <= 1.5 * least


def test_two_factors_are_left_as_their_product():
    rows = pairs(factors_of((4, 3)))
    assert sorted(rows) == sorted(product(*factors_of((4, 3))))


def test_the_rows_are_the_same_every_time():
    assert pairs(factors_of((5, 4, 3))) == pairs(factors_of((5, 4, 3)))


def test_the_mark_names_its_tests_by_labels_and_values():
    mark = pairwise(form={"dense": object, "CSR": list}, n=[1, 2], kind=[None, "x"])
    assert mark.args[0] == ["form", "n", "kind"]
    ids = [param.id for param in mark.args[1]]
    assert "dense-1-None" in ids
    assert len(ids) == 4
