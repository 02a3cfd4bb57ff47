"""Finished cells in one SQLite file, and who works on which.

A cell is written when it is finished, in a transaction of its own, so that whatever
ends a run, what was finished before it stays. Runners that share a file claim a cell
before they compute it. A claim holds while its runner lives: it says so every few
seconds, and one that was killed on this machine is known at once.
"""

import errno
import json
import os
import socket
import sqlite3
import threading
import time
import uuid
import weakref
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ssl_core.experiments.cell import Cell
from ssl_core.experiments.protocols import known

FORMAT = 1
BEAT = 5.0  # seconds between two signs of life
# A runner silent for so long is taken for dead; a long call into compiled code may
# keep one that lives from speaking.
LEASE = 300.0
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
    def current(self) -> bool:
        """Whether algorithm and protocol have the versions that it was made at."""
        protocol = known(self.cell.protocol)
        return self.version == self.cell.version and (
            protocol is None or self.protocol_version == protocol.version
        )

    @property
    def row(self) -> tuple:
        return (
            self.key,
            self.cell.spec,
            self.checksum,
            self.version,
            self.protocol_version,
            json.dumps(self.result, sort_keys=True, allow_nan=False),
            self.seconds,
            self.finished,
        )


COLUMNS = tuple("spec" if f.name == "cell" else f.name for f in fields(Kept))


class Store:
    """One file of finished cells.

    Parameters
    ----------
    path : Path or str
        Made with its folder when it is not there.
    readonly : bool
        For reading only; the file must exist.
    """

    def __init__(self, path: Path | str, *, readonly: bool = False):
        self.path, self.readonly = Path(path), readonly
        self.id = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._beating: threading.Event | None = None
        with self._store_errors():
            if readonly and not self.path.is_file():
                raise StoreError(f"There is no store at {self.path}.")
            if not readonly:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._connect("ro" if readonly else "rwc")
            try:
                self._open()
            except BaseException:
                self._db.close()
                raise

    def _connect(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self.path.resolve().as_uri()}?mode={mode}",
            uri=True,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
        )

    def _open(self) -> None:
        if self.readonly:
            self._mend()
        # In one statement: another runner may be making the store at this moment.
        found, tables = self._db.execute(
            "SELECT user_version, (SELECT count(*) FROM sqlite_master) "
            "FROM pragma_user_version"
        ).fetchone()
        if found == FORMAT:
            self._db.execute("SELECT count(*) FROM cells").fetchone()
            return
        if found:
            raise StoreError(
                f"{self.path} is a store of format {found}, and this Halfmoon reads "
                f"format {FORMAT}; use the Halfmoon that made it, or another file."
            )
        if tables:
            raise StoreError(
                f"{self.path} is a database of another program; give another file with "
                f"--store or HALFMOON_STORE."
            )
        if self.readonly:
            raise StoreError(f"There is no store at {self.path}: the file is empty.")
        self._db.executescript(
            f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;"
        )

    def _mend(self) -> None:
        """Undo what a killed writer left half done; whoever only reads cannot."""
        with suppress(sqlite3.Error), closing(self._connect("rw")) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()

    def close(self) -> None:
        """Let go of the file and of what is claimed and not finished."""
        with self._lock:
            if self._beating is not None:
                self._beating.set()
                # A write that fails is reported already, and a runner's end is known.
                with suppress(sqlite3.Error):
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
        with self._store_errors(), self._lock, self._transaction():
            for one in kept:
                new += self._db.execute(
                    f"INSERT OR IGNORE INTO cells VALUES ({marks})", one.row
                ).rowcount
                self._db.execute("DELETE FROM claims WHERE key = ?", (one.key,))
        return new

    def finished(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that are finished."""
        with self._store_errors(), self._lock:
            known = {key for (key,) in self._db.execute("SELECT key FROM cells")}
        return known.intersection(keys)

    def results(self) -> dict[str, dict[str, Any]]:
        """What was measured, by spec: the newest row of each, at today's versions."""
        return {kept.cell.spec: kept.result for kept in self.rows() if kept.current}

    def rows(self) -> Iterator[Kept]:
        """All finished cells, the oldest first."""
        with self._store_errors(), self._lock:
            rows = self._db.execute(
                f"SELECT {', '.join(COLUMNS)} FROM cells ORDER BY finished, key"
            ).fetchall()
        for row in rows:
            key, spec, checksum, version, protocol, result, seconds, when = row
            try:
                cell, measured = Cell.from_spec(spec), dict(json.loads(result))
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                why = f"the row {key} cannot be read: {error}"
                raise StoreError(_damaged(self.path, why)) from error
            yield Kept(key, cell, checksum, version, protocol, measured, seconds, when)

    def __len__(self) -> int:
        with self._store_errors(), self._lock:
            return self._db.execute("SELECT count(*) FROM cells").fetchone()[0]

    def check(self) -> None:
        """Read the whole file; a StoreError where it is damaged."""
        with self._store_errors(), self._lock:
            (why,) = self._db.execute("PRAGMA integrity_check").fetchone()
        if why != "ok":
            raise StoreError(_damaged(self.path, why))

    # -- claims -----------------------------------------------------------------------

    def claim(self, key: str) -> str:
        """Take a cell: "mine", or "finished", or "taken" by a runner that lives."""
        self._live()
        with self._store_errors(), self._lock, self._transaction():
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
        with self._store_errors(), self._lock, self._transaction():
            self._db.execute(
                "DELETE FROM claims WHERE key = ? AND runner = ?", (key, self.id)
            )

    def _live(self) -> None:
        """Register this runner, and keep its heartbeat."""
        if self._beating is not None:
            return
        self._beat()
        self._beating = threading.Event()
        threading.Thread(
            target=_beating,
            args=(weakref.ref(self), self._beating),
            daemon=True,
            name="heartbeat of the store",
        ).start()

    def _beat(self) -> None:
        with self._store_errors(), self._lock:
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
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _store_errors(self):
        """Raise SQLite's errors as StoreError, each with a sentence."""
        try:
            yield
        except StoreError:
            raise
        except (sqlite3.Error, OSError) as error:
            raise StoreError(_sentence(self.path, error)) from error


def _beating(store: "weakref.ref[Store]", ended: threading.Event) -> None:
    """Say that a store's runner lives, until it is closed or forgotten."""
    while not ended.wait(BEAT):
        found = store()
        if found is None:
            return
        with suppress(StoreError):  # the next write reports it
            found._beat()
        del found


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


def _damaged(path, why) -> str:
    return (
        f"{path} is damaged or no store at all ({why}). Move it away and run again: "
        f"cells are computed again, and those in docs/tables/cells are taken in first."
    )


def _sentence(path: Path, error: Exception) -> str:
    text, name = str(error), getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_READONLY_DBMOVED":
        return (
            f"{path} was moved or deleted while it was in use. Run again: cells that "
            f"are not in it are computed again."
        )
    if name.startswith("SQLITE_READONLY") or (
        isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EROFS)
    ):
        return (
            f"{path} cannot be written: the file or its folder is read-only. Give "
            f"another place with --store or HALFMOON_STORE."
        )
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")) or "No space left" in text:
        return (
            f"{path} cannot be written: the disk is full or failing ({text}). What was "
            f"finished before is kept; make room and run again."
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return (
            f"{path} has been busy for {PATIENCE:.0f} s: another program holds it. Let "
            f"it end, or give another file with --store."
        )
    if name.startswith("SQLITE_CANTOPEN") or isinstance(error, OSError):
        return (
            f"{path} cannot be opened ({text}); is it a folder, or may it not be read? "
            f"Give another place with --store or HALFMOON_STORE."
        )
    return _damaged(path, text)
