"""Finished cells in one SQLite file, and who works on which.

A cell is written when it is finished, in a transaction of its own, so that whatever
ends a run, what was finished before it stays. Runners that share a file claim a cell
before they compute it. A claim holds while its runner lives: it says so every few
seconds, and one that was killed on this machine is known at once.
"""

import json
import os
import socket
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ssl_core.experiments.cell import Cell

FORMAT = 1
BEAT = 5.0  # seconds between two signs of life
LEASE = 60.0  # a runner silent for so long, on another machine, is taken for dead
PATIENCE = 30.0  # seconds that a writer waits for another
SCHEMA = """
CREATE TABLE IF NOT EXISTS cells (
    key TEXT PRIMARY KEY,
    spec TEXT NOT NULL,
    checksum TEXT NOT NULL,
    version INTEGER NOT NULL,
    protocol_version INTEGER NOT NULL,
    result TEXT NOT NULL,
    seconds REAL NOT NULL,
    finished REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS cells_by_spec ON cells (spec);
CREATE TABLE IF NOT EXISTS runners (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, beat REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (
    key TEXT PRIMARY KEY, runner TEXT NOT NULL
) WITHOUT ROWID;
"""
COLUMNS = (
    "key",
    "spec",
    "checksum",
    "version",
    "protocol_version",
    "result",
    "seconds",
    "finished",
)


class StoreError(OSError):
    """The store cannot be used; the message is a sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished cell."""

    key: str
    cell: Cell
    checksum: str
    version: int
    protocol_version: int
    result: dict[str, Any]
    seconds: float  # by the clock
    finished: float  # seconds since 1970

    @property
    def row(self) -> tuple:
        return (
            self.key,
            self.cell.spec,
            self.checksum,
            self.version,
            self.protocol_version,
            json.dumps(self.result, sort_keys=True),
            self.seconds,
            self.finished,
        )


class Store:
    """One file of finished cells.

    Parameters
    ----------
    path : Path or str
        Made with its folder when it is not there.
    readonly : bool
        For whoever only looks; the file must be there.
    """

    def __init__(self, path: Path | str, *, readonly: bool = False):
        self.path, self.readonly = Path(path), readonly
        self.id = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._beating: threading.Event | None = None
        with self._told():
            if readonly:
                if not self.path.is_file():
                    raise StoreError(f"There is no store at {self.path}.")
                where = f"{self.path.resolve().as_uri()}?mode=ro"
            else:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                where = f"{self.path.resolve().as_uri()}?mode=rwc"
            self._db = sqlite3.connect(
                where,
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
                check_same_thread=False,
            )
            self._open()

    def _open(self) -> None:
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found not in (0, FORMAT):
            raise StoreError(
                f"{self.path} is a store of format {found}, and this Halfmoon reads "
                f"format {FORMAT}; use the Halfmoon that made it, or another file."
            )
        if found == FORMAT:
            self._db.execute("SELECT count(*) FROM cells").fetchone()
        elif not self.readonly:
            self._db.executescript(
                f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;"
            )

    def close(self) -> None:
        """Let go of the file and of what is claimed and not finished."""
        if self._beating is not None:
            self._beating.set()
            with self._told(), self._lock:
                self._db.execute("DELETE FROM claims WHERE runner = ?", (self.id,))
                self._db.execute("DELETE FROM runners WHERE id = ?", (self.id,))
            self._beating = None
        self._db.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    # -- finished cells ---------------------------------------------------------------

    def keep(self, kept: Kept) -> bool:
        """Write a finished cell; False when somebody else had finished it before."""
        return self.keep_all((kept,)) == 1

    def keep_all(self, kept: Iterable[Kept]) -> int:
        """Write finished cells, all or none; how many were new."""
        marks, new = ", ".join("?" * len(COLUMNS)), 0
        with self._told(), self._lock, self._transaction():
            for one in kept:
                new += self._db.execute(
                    f"INSERT OR IGNORE INTO cells VALUES ({marks})", one.row
                ).rowcount
                self._db.execute("DELETE FROM claims WHERE key = ?", (one.key,))
        return new

    def finished(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that are finished."""
        with self._told(), self._lock:
            known = {key for (key,) in self._db.execute("SELECT key FROM cells")}
        return known.intersection(keys)

    def results(self, cells: Iterable[Cell] | None = None) -> dict[str, dict[str, Any]]:
        """What was measured, by spec: of the newest row of each, at today's version."""
        wanted = None if cells is None else {cell.spec: cell for cell in cells}
        found = {}
        for kept in self.rows():
            spec = kept.cell.spec
            if wanted is not None and spec not in wanted:
                continue
            if kept.version == kept.cell.version:
                found[spec] = kept.result
        return found

    def rows(self) -> Iterator[Kept]:
        """All finished cells, the oldest first."""
        with self._told(), self._lock:
            rows = self._db.execute(
                f"SELECT {', '.join(COLUMNS)} FROM cells ORDER BY finished, key"
            ).fetchall()
        with self._told():
            for row in rows:
                key, spec, checksum, version, protocol, result, seconds, when = row
                yield Kept(
                    key,
                    Cell.from_spec(spec),
                    checksum,
                    version,
                    protocol,
                    json.loads(result),
                    seconds,
                    when,
                )

    def __len__(self) -> int:
        with self._told(), self._lock:
            return self._db.execute("SELECT count(*) FROM cells").fetchone()[0]

    def check(self) -> None:
        """Read the whole file; a StoreError where it is damaged."""
        with self._told(), self._lock:
            (told,) = self._db.execute("PRAGMA integrity_check").fetchone()
        if told != "ok":
            raise StoreError(_damaged(self.path, told))

    # -- claims -----------------------------------------------------------------------

    def claim(self, key: str) -> str:
        """Take a cell: "mine", or "finished", or "taken" by a runner that lives."""
        self._live()
        with self._told(), self._lock, self._transaction():
            if self._db.execute("SELECT 1 FROM cells WHERE key = ?", (key,)).fetchone():
                return "finished"
            holder = self._db.execute(
                "SELECT runner, host, pid, beat FROM claims LEFT JOIN runners "
                "ON runners.id = claims.runner WHERE key = ?",
                (key,),
            ).fetchone()
            if holder is not None and holder[0] != self.id and _alive(*holder[1:]):
                return "taken"
            self._db.execute("REPLACE INTO claims VALUES (?, ?)", (key, self.id))
        return "mine"

    def release(self, key: str) -> None:
        """Give a claimed cell back unfinished."""
        with self._told(), self._lock, self._transaction():
            self._db.execute(
                "DELETE FROM claims WHERE key = ? AND runner = ?", (key, self.id)
            )

    def _live(self) -> None:
        """Enter this runner, and go on saying that it lives."""
        if self._beating is not None:
            return
        self._beat()
        self._beating = threading.Event()

        def beating(ended: threading.Event):
            while not ended.wait(BEAT):
                try:
                    self._beat()
                except StoreError:  # who writes next is told; silence is no loss
                    continue

        name = "heartbeat of the store"
        threading.Thread(
            target=beating, args=(self._beating,), daemon=True, name=name
        ).start()

    def _beat(self) -> None:
        with self._told(), self._lock:
            self._db.execute(
                "REPLACE INTO runners VALUES (?, ?, ?, ?)",
                (self.id, socket.gethostname(), os.getpid(), time.time()),
            )

    # -- how it is written ------------------------------------------------------------

    @contextmanager
    def _transaction(self):
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _told(self):
        """SQLite's errors as sentences."""
        try:
            yield
        except StoreError:
            raise
        except (sqlite3.Error, OSError, ValueError) as error:
            if isinstance(error, ValueError) and not isinstance(
                error, json.JSONDecodeError
            ):
                raise
            raise StoreError(_sentence(self.path, error)) from error


def _alive(host: str | None, pid: int, beat: float) -> bool:
    if host is None or abs(time.time() - beat) > LEASE:
        return False
    if host != socket.gethostname():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's process: it lives
        return True
    return True


def _damaged(path, told) -> str:
    return (
        f"{path} is damaged or no store at all ({told}). Move it away and run again: "
        f"cells are computed anew, and those in docs/tables/cells are taken in first."
    )


def _sentence(path: Path, error: Exception) -> str:
    text = str(error)
    if "readonly" in text or "read-only" in text or isinstance(error, PermissionError):
        return (
            f"{path} cannot be written: the file or its folder is read-only. Give "
            f"another place with --store or HALFMOON_STORE."
        )
    if "disk is full" in text or "No space left" in text or "disk I/O" in text:
        return (
            f"{path} cannot be written: the disk is full or failing ({text}). What was "
            f"finished before is kept; make room and run again."
        )
    if "locked" in text:
        return (
            f"{path} has been busy for {PATIENCE:.0f} s: another program holds it. Let "
            f"it end, or give another file with --store."
        )
    if "unable to open" in text:
        return (
            f"{path} cannot be opened; is it a folder, or may it not be read? Give "
            f"another place with --store or HALFMOON_STORE."
        )
    return _damaged(path, text)
