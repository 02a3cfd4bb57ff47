"""Finished cells as lines of JSON: what a repository can hold and a person can read."""

import json
from collections.abc import Iterable
from pathlib import Path

from ssl_core.experiments.cell import Cell
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
        cell = Cell.of(**content["cell"])
        version, protocol_version = map(int, content["versions"])
        checksum = str(content["checksum"])
        return Kept(
            # The key of its time: an old version is kept, but not shown.
            key=cell.key(checksum, protocol_version, version),
            cell=cell,
            checksum=checksum,
            version=version,
            protocol_version=protocol_version,
            result=dict(content["result"]),
            seconds=float(content["seconds"]),
            finished=float(content["finished"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not a finished cell ({error}): {line[:60]!r}") from error


def write(kept: Iterable[Kept], path: Path) -> int:
    """Write cells to a file, in the order of their specs; how many."""
    lines = [as_line(k) for k in sorted(kept, key=lambda k: (k.cell.spec, k.finished))]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def read(path: Path) -> list[Kept]:
    """All cells of a file; a StoreError names the line that is none."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(from_line(line))
        except ValueError as error:
            raise StoreError(f"{path}, line {number}: {error}") from error
    return found


def take_in(store: Store, path: Path) -> int:
    """Cells of a file into a store; how many were new."""
    return store.keep_all(read(path))
