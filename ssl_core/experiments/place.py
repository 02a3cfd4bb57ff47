"""Where the store lies, and the finished cells that come with the project."""

import os
from pathlib import Path

from halfmoon import HOME
from ssl_core.experiments import lines
from ssl_core.experiments.store import Store

TABLES_OF_PROJECT = HOME / "docs" / "tables"
SHIPPED = TABLES_OF_PROJECT / "cells"
RESULTS = Path("results")  # in the working folder


def default_path() -> Path:
    """``HALFMOON_STORE``, else results/experiments.sqlite of the working folder."""
    named = os.environ.get("HALFMOON_STORE")
    if named:
        return Path(os.path.expanduser(named))
    return Path.cwd() / RESULTS / "experiments.sqlite"


def is_projects(folder: Path) -> bool:
    """Whether a folder is for the papers' tables, which come with the project."""
    return folder.resolve().is_relative_to(TABLES_OF_PROJECT.resolve())


def open_store(path: Path | None = None, *, readonly: bool = False) -> Store:
    """The store; a new one takes in the cells that come with the project."""
    path = default_path() if path is None else path
    store = Store(path, readonly=readonly)
    try:
        if not readonly and len(store) == 0:
            lines.take_in(store, *sorted(SHIPPED.glob("*.jsonl")))
    except BaseException:
        store.close()
        raise
    return store


def look_into(path: Path | None = None) -> Store:
    """The store for whoever only reads; it may lie where nothing can be written."""
    path = default_path() if path is None else path
    return open_store(path, readonly=os.path.isfile(path) and path.stat().st_size > 0)
