"""Numbers of the published tables from finished cells; what is missing is computed.

The store is the project's own, see `ssl_core.experiments.place`: a new one takes in
the cells that come with the project.
"""

from dataclasses import replace

import pytest

from ssl_core.experiments import TABLES, open_store, plan, run, summarise


def finished(cells) -> dict:
    """Results of these cells by spec."""
    with open_store() as store:
        made = plan(cells, store)
        for reason in made.missing:
            pytest.skip(reason)
        for outcome in run(made.work, store):
            assert not outcome.error, f"{outcome.work.cell}: {outcome.error}"
        results = store.results()
    return {cell.spec: results[cell.spec] for cell in cells if cell.spec in results}


def summary(key: str, row: str, column: str, n_splits: int | None = None):
    """A number of a table, over the first splits where so many are asked for."""
    table, entry = TABLES[key], TABLES[key].entries[row, column]
    if n_splits is not None:
        entry = replace(entry, cells=entry.cells[:n_splits])
    found = summarise(table, entry, finished(entry.every))
    assert len(found.values) == found.count
    return found
