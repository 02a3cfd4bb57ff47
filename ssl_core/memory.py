"""How much memory can be had, on systems that say so in different ways."""

import ctypes
import os
from pathlib import Path


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
            return found
    return None


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
