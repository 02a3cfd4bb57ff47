"""What a user's table is made of: columns of numbers, columns of words, and limits.

`_csv` and `_parquet` read files into tables; `upload` chooses labels and features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

MAX_ROWS = 200_000
MAX_COLUMNS = 5_000  # of a table; an svmlight file may have more
# 96 MB in double precision. The largest benchmark here, 13,966 digits of 784 pixels,
# has 11 million; a file may pack any number of equal cells into a few bytes.
MAX_CELLS = 12_000_000
MAX_CLASSES = 50
MAX_NAME = 200  # characters of a class or a column
MISSING = ("", "?", "na", "nan", "none", "null")
UNKNOWN_LABELS = (*MISSING, "unknown", "unlabeled", "unlabelled")


@dataclass(frozen=True, eq=False)
class Words:
    """A column of text, as far as it can hold classes.

    Parameters
    ----------
    codes : ndarray of shape (n,), int32
        Which word each row has, -1 where none is known.
    words : tuple of str
        The different words as they came up; no more than one beyond MAX_CLASSES,
        for no label column needs them.
    longest : int
        Characters of the longest word that was looked at.
    example : str
        The first cell that is no number; empty when there is none.
    """

    codes: np.ndarray
    words: tuple[str, ...]
    longest: int
    example: str

    @property
    def n_words(self) -> int:
        return len(self.words)

    @property
    def too_many(self) -> bool:
        return len(self.words) > MAX_CLASSES

    @property
    def too_long(self) -> bool:
        return self.longest > MAX_NAME


class WordList:
    """Collects the words of a column, part by part; stops when they are too many."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.longest = 0
        self.example = ""

    def code(self, cell: str) -> int:
        """The number of a word, -1 for one that says nothing or comes too late."""
        word = cell.strip()
        known = self.index.get(word)
        if known is not None:
            return known
        if len(word) <= 12 and word.lower() in UNKNOWN_LABELS:
            return -1
        if not self.example and not is_number(word):
            self.example = word[:MAX_NAME]
        if len(self.index) > MAX_CLASSES:
            return -1
        self.longest = max(self.longest, len(word))
        return self.index.setdefault(word, len(self.index))

    def codes(self, cells: Sequence[str]) -> np.ndarray:
        """The numbers of many words; each different one is looked at once."""
        import pyarrow as pa

        if len(self.index) > MAX_CLASSES and self.example:
            return np.full(len(cells), -1, dtype=np.int32)  # nobody will ask
        entries = pa.array(cells, pa.string()).dictionary_encode()
        codes = [self.code(word) for word in entries.dictionary.to_pylist()]
        return np.array(codes, dtype=np.int32)[entries.indices.to_numpy()]

    def words(self, codes: Sequence[np.ndarray]) -> Words:
        joined = np.concatenate([np.empty(0, dtype=np.int32), *codes])
        return Words(joined, tuple(self.index), self.longest, self.example)


class UploadedTable(Protocol):
    """Columns under their names; what is not asked for may stay unread."""

    names: tuple[str, ...]
    n: int
    notes: list[str]

    def kind(self, name: str) -> str:
        """ "number", "text", or in words what else the column holds."""

    def numbers(self, name: str) -> np.ndarray:
        """A column of kind "number", (n,), NaN where a value is missing."""

    def words(self, name: str) -> Words:
        """A column of kind "text"."""

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        """Columns of kind "number" side by side, (n, len(names))."""


def shown(text: object, most: int = 60) -> str:
    """A stranger's words on one line: short, and nothing that does not print."""
    line = " ".join(str(text)[: 4 * most].split())
    line = "".join(c if c.isprintable() else "·" for c in line)
    return line if len(line) <= most else line[: most - 1] + "…"


def listed(names: Sequence[str], most: int = 10) -> str:
    """Names in a sentence; beyond ``most`` they are counted."""
    text = ", ".join(shown(name) for name in names[:most])
    more = len(names) - most
    return f"{text} and {more} more" if more > 0 else text


def is_number(cell: str) -> bool:
    try:
        number(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def number(cell: str) -> float:
    """A cell as a number; Python would take "2020_01" for one."""
    if "_" in cell:
        raise ValueError("an underscore is no digit")
    return float(cell)


def check_names(names: Sequence[str], name: str) -> None:
    """Every column has a name of its own that fits into a select box."""
    seen = set()
    for column in names:
        if column in seen:
            raise ValueError(
                f"{name} has the column {shown(column)!r} more than once; give each "
                f"column its own name."
            )
        if len(column) > MAX_NAME:
            raise ValueError(
                f"{name} has a column name of {len(column)} characters, the most is "
                f"{MAX_NAME}; it begins with {shown(column, 30)!r}."
            )
        seen.add(column)


def check_columns(n_columns: int, name: str) -> None:
    if n_columns < 2:
        raise ValueError(
            f"{name} has only one column; it needs at least a feature and a label, or "
            f"two features."
        )
    if n_columns > MAX_COLUMNS:
        raise ValueError(
            f"{name} has {n_columns} columns, the most is {MAX_COLUMNS}; keep fewer, "
            f"or use svmlight for sparse data."
        )


def check_cells(n_rows: int, n_columns: int, name: str) -> None:
    if n_rows * n_columns > MAX_CELLS:
        raise ValueError(
            f"{name} has {n_rows} rows of {n_columns} numbers, the most is "
            f"{MAX_CELLS:,} numbers in all; keep fewer rows or columns."
        )
