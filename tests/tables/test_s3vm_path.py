"""The path against label switching and CCCP; slow, run by ``make tables``."""

import numpy as np
import pytest

from tests.tables import s3vm_path_random as table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rows():
    return table.measure(range(table.N_SUBSET))


def test_counts_are_those_of_the_document(rows):
    assert table.tally(rows, table.SUBSET) in table.OUT.read_text().splitlines()


def test_a_fine_ladder_of_switching_ends_where_the_path_does(rows):
    above = table.excess(rows, "label switching, 100 steps")
    assert np.mean(np.abs(above) <= table.SAME) >= 0.9


def test_annealing_is_what_lowers_the_objective(rows):
    above = table.excess(rows, "CCCP, no annealing")
    assert np.median(above) > 0.05
