"""The path against its rivals, as the documents say; slow, run by ``make tables``."""

import numpy as np
import pytest

from ssl_core.experiments import TABLES, Work, summarise
from ssl_core.experiments.place import SHIPPED
from ssl_core.experiments.protocols import s3vm_path_random as problems
from ssl_core.experiments.report import number
from ssl_core.experiments.runner import compute
from ssl_core.experiments.table import SAME
from tests.tables.finished import summary

pytestmark = pytest.mark.slow

TABLE = TABLES["path-random"]
SUBSET = f"the first {problems.N_SUBSET}"


@pytest.fixture(scope="module")
def fresh():
    """Results on the first problems, computed here and now."""
    results = {}
    for method in problems.METHODS:
        for cell in problems.cells(method, range(problems.N_SUBSET)):
            checksum = problems.pose(dict(cell.problem)).checksum
            outcome = compute(Work(cell, "", checksum))
            assert not outcome.error
            results[cell.spec] = outcome.result
    return results


def excess(results, method):
    """How far a method ends above the path, relative to the path."""
    J, J_path = (
        np.array([results[cell.spec]["objective"] for cell in cells])
        for cells in (
            problems.cells(name, range(problems.N_SUBSET))
            for name in (method, problems.PATH)
        )
    )
    return J / J_path - 1.0


def test_counts_are_those_of_the_document(fresh):
    texts = [
        number(summarise(TABLE, TABLE.entries[SUBSET, method], fresh), 0)
        for method in TABLE.columns
    ]
    line = f"| {SUBSET} | " + " | ".join(texts) + " |"
    document = (SHIPPED.parent / "s3vm_path_random.md").read_text(encoding="utf-8")
    assert line in document.splitlines()


def test_a_fine_ladder_of_switching_ends_where_the_path_does(fresh):
    above = excess(fresh, problems.FINE)
    assert np.mean(np.abs(above) <= SAME) >= 0.9


def test_annealing_is_what_lowers_the_objective(fresh):
    assert np.median(excess(fresh, problems.PLAIN)) > 0.05


def test_the_path_ends_lower_than_cccp_in_most_trainings_of_figure_5():
    """On the two smallest sets, where a fresh run takes a minute."""
    duels = [
        summary("oits13-5-duel", title, f"CCCP, C = {C}").duel
        for title in ("Breast Cancer", "Ionosphere")
        for C in (1, 10, 100)
    ]
    lower, _, higher = np.sum(duels, axis=0)
    assert lower > higher
