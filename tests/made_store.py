"""Stores with made-up results, for what only looks at them."""

import time

from ssl_core.experiments import PROTOCOLS, TABLES, Kept, Store

ENTRIES = [entry for table in TABLES.values() for entry in table.entries.values()]
NAMES = {name for entry in ENTRIES for name in (entry.metric, entry.select)}


def made_up(cell, number, seconds=0.2):
    """A finished cell in which everything measured is ``number``."""
    version = PROTOCOLS[cell.protocol].version
    checksum = "made up"
    result = dict.fromkeys(NAMES, float(number))
    return Kept(
        cell.key(checksum, version),
        cell,
        checksum,
        cell.version,
        version,
        result,
        seconds,
        time.time(),
    )


def fill(path, cells, number=10.0, seconds=0.2):
    """A store with these cells; the k-th one measured ``number + k % 3``."""
    with Store(path) as store:
        store.keep_all(
            made_up(cell, number + k % 3, seconds)
            for k, cell in enumerate(dict.fromkeys(cells))
        )
    return path
