"""Claims about every row of a table: one test, which reports all rows that fail.

A test of its own costs 5 ms in pytest, twice what most rows of our tables need.
"""

import inspect
from functools import wraps

import pytest


def each(names, values, ids=None):
    """A mark in the place of ``pytest.mark.parametrize``: one test for all values.

    Fixtures are made once for all rows. ``ids`` gives a row's label from its value; a
    mapping's values are its keys, as with pytest.
    """
    names = [name.strip() for name in names.split(",")]
    rows = [value if len(names) > 1 else (value,) for value in values]
    assert rows, "a table without rows shows nothing"

    def decorate(test):
        @wraps(test)
        def every_row(**fixtures):
            failed = []
            for row in rows:
                try:
                    test(**fixtures, **dict(zip(names, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    label = ids(*row) if ids else ", ".join(map(str, row))
                    error.add_note(f"row: {label}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"of {len(rows)} rows", failed)

        signature = inspect.signature(test)
        kept = [p for name, p in signature.parameters.items() if name not in names]
        every_row.__signature__ = signature.replace(parameters=kept)
        return every_row

    return decorate
