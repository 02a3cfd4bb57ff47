"""How many bytes things take that are kept in memory, and giving memory back."""

from __future__ import annotations

import ctypes
import gc
import os

from halfmoon.datasets import Dataset
from halfmoon.scenario import Upload
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved
from halfmoon.views.plane import Picture

_LIBC = ctypes.CDLL(None) if os.name == "posix" else None
LARGE = 2**20  # bytes from which an array gets pages of its own
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h


def keep_large_apart() -> None:
    """Give large arrays pages of their own, which go back when they are freed.

    Left to itself the GNU C library does so only until the first large array was freed.
    From then on kernel matrices of up to 32 MB lie among the small states of many runs,
    in places that numpy has asked huge pages for, and less of it can be given back.
    Where the C library cannot be told, nothing happens.
    """
    tell = getattr(_LIBC, "mallopt", None)
    if tell is not None:
        tell(M_MMAP_THRESHOLD, LARGE)
        tell(M_TRIM_THRESHOLD, 2 * LARGE)  # as the library itself relates the two


def give_back() -> None:
    """Return freed memory to the system, where the C library can be asked to."""
    gc.collect()
    trim = getattr(_LIBC, "malloc_trim", None)
    if trim is not None:
        trim(0)


def run_bytes(solved: Solved) -> float:
    return solved.nbytes + problem_bytes(solved.problem)


def problem_bytes(problem: Problem) -> float:
    own = 0 if problem.data is problem.base else data_bytes(problem.data)
    return own + 4 * problem.row.nbytes


def view_bytes(view) -> float:
    if isinstance(view, bytes):  # packed
        return len(view)
    arrays = (view.field, view.f_per_frame, view.points, view.thumbnails)
    return sum(a.nbytes for a in arrays if a is not None)


def picture_bytes(picture: Picture) -> float:
    return picture.points.nbytes


def data_bytes(data: Dataset) -> float:
    X = data.X
    return (X.data.nbytes + X.indices.nbytes) if data.is_sparse else X.nbytes


def table_bytes(kept: tuple[Upload, Dataset | str]) -> float:
    """Of a table with the options that it was read by, which are a visitor's too."""
    upload, table = kept
    words = (upload.name, upload.label_column or "", *upload.feature_columns)
    key = sum(100 + 4 * len(word) for word in words)
    if isinstance(table, str):
        return key + 4 * len(table)
    return key + data_bytes(table) + table.y.nbytes
