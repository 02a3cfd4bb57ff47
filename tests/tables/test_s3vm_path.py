"""The path against its rivals, as the documents say; slow, run by ``make tables``."""

import numpy as np
import pytest

from ssl_core import make
from ssl_core.kernels import gram
from tests.tables import s3vm_path as paper
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


def test_parts_of_a_split_are_those_of_the_paper():
    _, y = paper.data("breast_cancer")
    rows = paper.divide(y, 0)
    assert (len(rows.train), rows.n_labeled, len(rows.val)) == (284, 28, 28)
    parts = np.concatenate([rows.train, rows.val, rows.test])
    assert np.array_equal(np.sort(parts), np.arange(569))


def test_retraining_on_the_paths_labels_gives_the_paths_objective():
    X, y = paper.data("breast_cancer")
    rows = paper.divide(y, 0)
    K, truth = gram(X[rows.train], sigma=4.0), (y[rows.train] + 1) // 2
    given = np.where(np.arange(len(truth)) < rows.n_labeled, truth, -1)
    est = make("s3vm_path", C=10.0, kernel="precomputed").fit(K, given)
    end = est.at(10.0)
    labels = np.where(given < 0, paper.signs(end.f), y[rows.train])
    found = paper.objective(K, given, labels, 10.0)
    assert found == pytest.approx(end.objective, rel=1e-9)
