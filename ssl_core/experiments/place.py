"""Where the store lies, and the finished cells that come with the project."""

import os
from pathlib import Path

from ssl_core.experiments import lines
from ssl_core.experiments.store import Store

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "docs" / "tables" / "cells"
DOCS = ROOT / "docs" / "tables"


def default_path() -> Path:
    """``HALFMOON_STORE``, else results/experiments.sqlite of the project."""
    named = os.environ.get("HALFMOON_STORE")
    if named:
        return Path(named).expanduser()
    return ROOT / "results" / "experiments.sqlite"


def open_store(path: Path | None = None, *, readonly: bool = False) -> Store:
    """The store; a new one takes in the cells that come with the project."""
    path = default_path() if path is None else path
    store = Store(path, readonly=readonly)
    if not readonly and len(store) == 0:
        for file in sorted(SHIPPED.glob("*.jsonl")):
            lines.take_in(store, file)
    return store
