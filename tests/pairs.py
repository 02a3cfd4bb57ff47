"""Parametrising over several factors: all pairs of values, not all combinations.

A fault that shows only for certain values is nearly always one of a single value or of
two together. With ``@pairwise(a=..., b=..., c=...)`` each value of each factor meets
each value of every other factor in at least one test; with 3 x 11 x 2 x 2 values these
are 33 tests instead of 132. Two factors alone are left as their full product.
"""

from collections.abc import Sequence
from itertools import combinations, product

import pytest


def pairwise(**factors):
    """A mark like ``pytest.mark.parametrize``.

    A factor is a sequence of values, or a mapping from a test's label to the value.
    """
    named = [
        [*values.items()]
        if isinstance(values, dict)
        else [(_label(value), value) for value in values]
        for values in factors.values()
    ]
    params = [
        pytest.param(*(value for _, value in row), id="-".join(str(k) for k, _ in row))
        for row in pairs(named)
    ]
    return pytest.mark.parametrize(list(factors), params)


def _label(value):
    return getattr(value, "__name__", None) or str(value)


def pairs(factors: Sequence[Sequence]) -> list[tuple]:
    """Rows, one value of each factor, in which any two values of two factors meet.

    Each next row is the first of those that bring most new pairs, so that the rows are
    the same every time.
    """
    rows = list(product(*(range(len(values)) for values in factors)))
    if len(factors) < 2:
        return [tuple(v[i] for v, i in zip(factors, row, strict=True)) for row in rows]
    met = {row: set(combinations(enumerate(row), 2)) for row in rows}
    missing, chosen = set().union(*met.values()), []
    while missing:
        best = max(rows, key=lambda row: len(met[row] & missing))
        missing -= met[best]
        chosen.append(best)
    return [tuple(v[i] for v, i in zip(factors, row, strict=True)) for row in chosen]
