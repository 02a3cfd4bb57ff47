"""How much memory can be had, on systems that say so in different ways.

Whoever is about to allocate a lot asks `check_room` first: what does not fit is refused
in a sentence, before any work.

On Linux a process may be held to less than its machine has, in a container or as a
service: its control group tells.
"""

import ctypes
import math
import os
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

GROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
SHARE = 0.8  # of what is free; the rest of the machine needs some too
LITTLE = 32 * 2**20  # bytes for which nobody asks


def available_memory() -> int | None:
    """Bytes that can be had without swapping.

    Where a system does not tell what is free (macOS), all of the machine's; where it
    tells neither, None, and nothing is refused for its size: numpy then says itself
    what it cannot allocate.
    """
    for ask in (_linux_memory, _windows_memory, _all_memory):
        try:
            found = ask()
        except (OSError, AttributeError, ValueError):  # another system's way to ask
            continue
        if found is not None:
            return _within(found, _left())
    return None


def total_memory() -> int | None:
    """Bytes that the process may have in all; None where the system does not tell."""
    try:
        found = _all_memory()
    except (OSError, AttributeError, ValueError):
        return None
    return None if found is None else _within(found, (most for most, _ in _limits()))


def room() -> float:
    """Bytes that a piece of work may take; infinite where the system does not tell."""
    free = available_memory()
    return math.inf if free is None else SHARE * free


def check_room(what: str, need: Callable[[int], float], n: int, way_out: str) -> None:
    """Refuse what would not fit.

    Parameters
    ----------
    what : str
        What needs the memory, as the sentence begins.
    need : callable
        Bytes for so many points; grows with them.
    n : int
        Points that there are.
    way_out : str
        What to do about it.

    Raises
    ------
    ValueError
        With the bytes needed, those that can be had, and the largest n.
    """
    if need(n) > LITTLE and need(n) > (most := room()):
        limit = f"{in_words(most)} can be used here"
        raise ValueError(refusal(what, need, n, most, limit=limit, way_out=way_out))


def refusal(what, need, n, most, *, limit, way_out) -> str:
    """The sentence of `check_room`; ``limit`` says in words what ``most`` bytes are."""
    fits = fitting(need, n - 1, most)
    points = f"at most {fits:,} points fit" if fits > 1 else "no number of points fits"
    return (
        f"{what} needs about {in_words(need(n))} of memory for {n:,} points, and "
        f"{limit}: {points}; {way_out}."
    )


def fitting(need: Callable[[int], float], n: int, most: float) -> int:
    """The largest number of points, at most ``n``, that take at most ``most`` bytes."""
    return bisect_right(range(1, n + 1), most, key=need)


def in_words(bytes_: float) -> str:
    """A size for a sentence: 340 MB, 1.2 GB."""
    if bytes_ < 999.5e6:
        return f"{max(1, round(bytes_ / 1e6))} MB"
    return f"{bytes_ / 1e9:.1f} GB"


def _within(bytes_: int, limits: Iterator[int]) -> int:
    return min((bytes_, *limits))


def _left() -> Iterator[int]:
    """What each limited group has left; files that the system keeps can go."""
    for most, folder in _limits():
        names = ("memory.current", "memory.usage_in_bytes")
        used = next(filter(None, (_read(folder / name) for name in names)), "0")
        stat = dict(
            line.split(" ", 1) for line in (_read(folder / "memory.stat")).splitlines()
        )
        files = stat.get("inactive_file", stat.get("total_inactive_file", "0"))
        yield max(0, most - int(used) + int(files))


def _limits() -> Iterator[tuple[int, Path]]:
    """Bytes and folder of every group above this process that has a limit."""
    names = ("memory.max", "memory.limit_in_bytes")
    for folder in control_groups("memory"):
        for text in (_read(folder / name).strip() for name in names):
            if text.isdigit():  # "max" is no limit
                yield int(text), folder


def control_groups(controller: str) -> Iterator[Path]:
    """Folders of the control groups this process is in, of version 2 and 1.

    A container sees its own group as the root, whatever its name is outside: hence
    folders that are not there are left out and the root always comes.
    """
    for line in _read(OWN_GROUPS).splitlines():
        _, controllers, name = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        root = GROUPS / controller if controllers else GROUPS
        path = PurePosixPath(name.lstrip("/"))
        for part in (path, *path.parents):
            if (folder := root / part).is_dir():
                yield folder


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


def _linux_memory() -> int | None:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _windows_memory() -> int | None:
    class MemoryStatus(ctypes.Structure):  # MEMORYSTATUSEX
        _fields_ = (
            ("length", ctypes.c_uint32),
            ("load", ctypes.c_uint32),
            ("total", ctypes.c_uint64),
            ("available", ctypes.c_uint64),
            *((name, ctypes.c_uint64) for name in "abcde"),
        )

    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    known = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
    return status.available if known else None


def _all_memory() -> int | None:
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return pages * size if pages > 0 else None
