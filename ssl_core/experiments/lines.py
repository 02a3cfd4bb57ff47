"""Finished cells as lines of JSON: what a repository can hold and a person can read."""

import json
from collections.abc import Iterable
from pathlib import Path

from ssl_core.experiments.cell import Cell, measured
from ssl_core.experiments.store import Kept, Store, StoreError


def as_line(kept: Kept) -> str:
    """One cell; floats are cut to ten digits, which no table shows."""
    content = {
        "cell": json.loads(kept.cell.spec),
        "checksum": kept.checksum,
        "versions": [kept.version, kept.protocol_version],
        "result": _short(kept.result),
        "seconds": _short(kept.seconds),
        "finished": round(kept.finished),
    }
    return json.dumps(content, ensure_ascii=False)


def _short(value):
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {name: _short(v) for name, v in value.items()}
    if isinstance(value, list):
        return [_short(v) for v in value]
    return value


def from_line(line: str) -> Kept:
    """The cell of a line; ValueError where it is none."""
    try:
        content = json.loads(line)
        measured({name: content[name] for name in ("seconds", "finished")})
        cell = Cell.of(**content["cell"])
        version, protocol_version = map(_version, content["versions"])
        checksum = str(content["checksum"])
        return Kept(
            # The key of its time: an old version is kept, but not shown.
            key=cell.key(checksum, protocol_version, version),
            cell=cell,
            checksum=checksum,
            version=version,
            protocol_version=protocol_version,
            result=measured(content["result"]),
            seconds=float(content["seconds"]),
            finished=float(content["finished"]),
        )
    except (
        *(ArithmeticError, AttributeError, LookupError),
        *(RecursionError, TypeError, ValueError),
    ) as error:
        raise ValueError(f"not a finished cell ({error}): {line[:60]!r}") from error


def _version(value) -> int:
    if not isinstance(value, int) or not 0 < value < 2**31:
        raise ValueError(f"{value!r:.20} is no version")
    return value


def write(kept: Iterable[Kept], path: Path) -> int:
    """Write cells to a file, in the order of their specs; how many."""
    lines = [as_line(k) for k in sorted(kept, key=lambda k: (k.cell.spec, k.finished))]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def read(path: Path) -> list[Kept]:
    """All cells of a file; a StoreError names the line that is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read as lines of JSON: {error}.") from error
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(from_line(line))
        except ValueError as error:
            raise StoreError(f"{path}, line {number}: {error}") from error
    return found


def take_in(store: Store, *paths: Path) -> int:
    """Cells of files into a store, of all files or of none; how many were new."""
    return store.keep_all([kept for path in paths for kept in read(path)])
