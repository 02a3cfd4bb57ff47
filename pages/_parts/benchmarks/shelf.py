"""What is in the experiment store, read once for everybody until the file changes.

Looking never writes. Where there is no store, or an empty or unreadable one, the cells
that come with the project are shown from memory, and `Shelf.trouble` says so. No
streamlit here.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ssl_core.experiments import Kept, Store, StoreError, Table, lines, place, summarise
from ssl_core.experiments.progress import Costs
from ssl_core.experiments.table import Summary

Mark = tuple  # what a file looked like when it was read


@dataclass(frozen=True)
class Shelf:
    """Finished cells as a value; it never changes.

    Parameters
    ----------
    kept : tuple of Kept
        The oldest first.
    writable : bool
        Whether a run can add to them.
    trouble : str
        What is wrong with the store; empty where nothing is.
    """

    kept: tuple[Kept, ...] = ()
    writable: bool = True
    trouble: str = ""
    _summaries: dict = field(default_factory=dict, repr=False, compare=False)

    def rows(self) -> Iterator[Kept]:
        """As `Store.rows`."""
        yield from self.kept

    @cached_property
    def newest(self) -> dict[str, Kept]:
        """By spec, the newest row of each cell at today's version of its algorithm."""
        today = (kept for kept in self.kept if kept.version == kept.cell.version)
        return {kept.cell.spec: kept for kept in today}

    @cached_property
    def results(self) -> dict[str, dict]:
        """As `Store.results`."""
        return {spec: kept.result for spec, kept in self.newest.items()}

    @cached_property
    def costs(self) -> Costs:
        return Costs(self)

    def summaries(self, table: Table) -> dict[tuple[str, str], Summary]:
        """Every number of a table."""
        if table.key not in self._summaries:
            self._summaries[table.key] = {
                place: summarise(table, entry, self.results)
                for place, entry in table.entries.items()
            }
        return self._summaries[table.key]


_last: tuple[Mark, Shelf] | None = None
_reading = threading.Lock()


def look() -> Shelf:
    """The store as it is now; read again only when its file has changed."""
    global _last
    with _reading:
        path = place.default_path()
        mark = _mark(path)
        if _last is None or _last[0] != mark:
            _last = mark, _read(path)
        return _last[1]


def _mark(path: Path) -> Mark:
    """Changes whenever a cell is written, or the file or its folder are changed.

    Two writes within a few milliseconds can leave a file with the same time and size;
    SQLite's own counter differs.
    """
    found = [str(path), str(place.SHIPPED), _change_counter(path)]
    for one in (path, path.parent, *_shipped_files()):
        try:
            told = one.stat()
        except OSError:
            found.append(None)
            continue
        size = told.st_size if one.is_file() else None
        when = told.st_mtime_ns if one.is_file() else None
        found.append((when, size, told.st_mode, told.st_ino))
    return tuple(found)


def _change_counter(path: Path) -> bytes:
    """The counter at byte 24 of an SQLite file, one more with each write."""
    try:
        with path.open("rb") as file:
            return file.read(28)[24:]
    except OSError:
        return b""


def _read(path: Path) -> Shelf:
    writable, trouble = may_write(path), ""
    if not writable:
        trouble = (
            "The experiment store cannot be written here, so no run can be started "
            "from this page."
        )
    try:
        kept = _rows(path)
    except StoreError as error:
        kept, writable, trouble = (), False, str(error)
    if not kept:
        try:
            kept = tuple(one for file in _shipped_files() for one in lines.read(file))
        except (OSError, UnicodeDecodeError) as error:
            trouble = f"{trouble} The cells of the project cannot be read: {error}"
    return Shelf(kept, writable, trouble.strip())


def _shipped_files() -> list[Path]:
    return sorted(place.SHIPPED.glob("*.jsonl"))


def _rows(path: Path) -> tuple[Kept, ...]:
    """Of the store; none where there is no file yet or nothing in it."""
    try:
        if path.stat().st_size == 0:
            return ()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        with Store(path, readonly=True) as store:
            return tuple(store.rows())
    except StoreError:
        # A writer that was killed leaves a journal, which only a writer can play back.
        if not path.with_name(path.name + "-journal").exists() or not may_write(path):
            raise
        with Store(path) as store:
            return tuple(store.rows())


def may_write(path: Path) -> bool:
    """Whether a run can keep its cells there: in the file, and a journal beside it."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    with suppress(OSError):
        if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
            return False
        return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    return False
