"""Comma-separated text as a table, read in parts and never held as cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from halfmoon.datasets import _table
from halfmoon.datasets._table import MISSING, WordList, Words, is_number, number, shown

SEPARATORS = ",;\t|"
MAX_LINE = 500_000  # bytes, 5,000 cells of 100 each; a line of twice that is refused
MAX_LINES = 1_000_000  # five for every row that a table may have
SAMPLE_LINES = 20
SAMPLE_CHARACTERS = 200_000  # enough for a few lines of the widest table
PART_CELLS = 200_000  # cells held as Python strings at a time, about 15 MB
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")


class CsvTable:
    """A CSV file, every column read: numbers as numbers, text as words.

    Parameters
    ----------
    content : bytes
        The file, UTF-8 text with or without a byte-order mark.
    name : str
        File name, for messages.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self._content, self._name = content, name
        self.notes: list[str] = []
        self._check_text()
        self._separator = self._guess_separator()
        self.names, self._has_header = self._header()
        numbers = self._read_numbers()
        others = [j for j, parts in enumerate(numbers) if parts is None]
        columns = self._read_others(others)
        columns |= {j: parts for j, parts in enumerate(numbers) if parts is not None}
        self._columns = {self.names[j]: columns[j] for j in range(len(self.names))}

    def kind(self, name: str) -> str:
        return "text" if isinstance(self._columns[name], Words) else "number"

    def numbers(self, name: str) -> np.ndarray:
        return self._columns[name]

    def words(self, name: str) -> Words:
        return self._columns[name]

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        X = np.empty((self.n, len(names)))
        for j, name in enumerate(names):
            X[:, j] = self._columns[name]
        return X

    # -- lines and rows --------------------------------------------------------------

    def _check_text(self) -> None:
        content, name = self._content, self._name
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise ValueError(f"{name} is UTF-16 text; save it as UTF-8.")
        if b"\0" in content:
            raise ValueError(f"{name} holds binary data, not comma-separated text.")
        if max(content.count(b"\n"), content.count(b"\r")) > MAX_LINES:
            raise ValueError(
                f"{name} has more than {MAX_LINES:,} lines, and a table has at most "
                f"{_table.MAX_ROWS:,} rows; upload a sample of it."
            )
        for start in range(0, len(content) - MAX_LINE, MAX_LINE):
            part = content[start : start + MAX_LINE]
            if b"\n" not in part and b"\r" not in part:
                line = 1 + content.count(b"\n", 0, start)
                raise ValueError(
                    f"{name} has more than {MAX_LINE:,} bytes in line {line}; a table "
                    f"has a line break after every row."
                )
        try:
            blank = not content.decode("utf-8-sig").strip()
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{name} is not UTF-8 text (byte {error.object[error.start]:#04x} at "
                f"position {error.start}); save it as UTF-8."
            ) from None
        if blank:
            raise ValueError(f"{name} is empty; it needs a header and some rows.")

    def _lines(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(self._content), "utf-8-sig", newline="")

    def _guess_separator(self) -> str:
        """The separator that cuts the first lines into the most fields, all alike."""
        sample, size = [], 0
        for line in self._lines():
            if line.strip():
                sample.append(line)
                size += len(line)
            if len(sample) == SAMPLE_LINES or size > SAMPLE_CHARACTERS:
                break

        def fields(separator: str) -> int:
            try:
                counts = {len(row) for row in csv.reader(sample, delimiter=separator)}
            except csv.Error:
                return 0
            return counts.pop() if len(counts) == 1 else 0

        scores = {separator: fields(separator) for separator in SEPARATORS}
        best = max(SEPARATORS, key=scores.get)
        if scores[best] > 1:
            return best
        # Ragged rows have no common count; the header's own separator will name them.
        return max(SEPARATORS, key=sample[0].count)

    def _rows(self) -> Iterator[list[str]]:
        """All rows that are not blank, as wide as the first."""
        reader = csv.reader(self._lines(), delimiter=self._separator)
        expected = None
        while True:
            try:
                row = next(reader, None)
            except csv.Error:
                raise ValueError(
                    f"{self._name} has a cell of more than {csv.field_size_limit():,} "
                    f"characters near line {reader.line_num}; shorten it, or close the "
                    f"quotation mark that was left open."
                ) from None
            if row is None:
                return
            if not row or (len(row) == 1 != expected and not row[0].strip()):
                continue
            expected = expected or len(row)
            if len(row) != expected:
                raise ValueError(
                    f"{self._name} has {len(row)} fields in line {reader.line_num} "
                    f"where the first line has {expected}; every line needs the same "
                    f"number."
                )
            yield row

    def _header(self) -> tuple[tuple[str, ...], bool]:
        """Column names, and whether the first line is where they come from."""
        first = [cell.strip() for cell in next(self._rows())]
        _table.check_columns(len(first), self._name)
        if any(is_number(cell) for cell in first):
            self.notes.append("The file has no header; columns are called x1, x2, ...")
            return tuple(f"x{j + 1}" for j in range(len(first))), False
        _table.check_names(first, self._name)
        return tuple(first), True

    def _parts(self, columns: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
        """The cells of some columns, so many rows at a time."""
        rows = islice(self._rows(), int(self._has_header), None)
        step = max(1, PART_CELLS // len(self.names))
        while part := list(islice(rows, step)):
            cells = list(zip(*part, strict=True))
            yield [cells[j] for j in columns]

    # -- columns ---------------------------------------------------------------------

    def _read_numbers(self) -> list[np.ndarray | None]:
        """Each column as numbers, or None where a cell is something else."""
        every = range(len(self.names))
        found: list = [[] for _ in every]
        self.n = 0
        for part in self._parts(every):
            self.n += len(part[0])
            if self.n > _table.MAX_ROWS:
                raise ValueError(
                    f"{self._name} has more than {_table.MAX_ROWS} rows; upload a "
                    f"sample of it."
                )
            _table.check_cells(self.n, len(self.names), self._name)
            for j, cells in enumerate(part):
                _extend(found, j, cells, _floats)
        if not self.n:
            raise ValueError(f"{self._name} has a header and no rows.")
        for j, parts in enumerate(found):  # in place: never all columns twice
            column = None if parts is None else np.concatenate(parts)
            found[j] = None if column is None or np.isnan(column).all() else column
        return found

    def _read_others(self, which: list[int]) -> dict[int, np.ndarray | Words]:
        """The other columns: numbers with a decimal comma, else words."""
        if not which:
            return {}
        lists = {j: WordList() for j in which}
        codes: dict[int, list[np.ndarray]] = {j: [] for j in which}
        commas: dict[int, list[np.ndarray] | None] = {j: [] for j in which}
        for part in self._parts(which):
            for j, cells in zip(which, part, strict=True):
                codes[j].append(lists[j].codes(cells))
                _extend(commas, j, cells, _comma_floats)
        columns: dict[int, np.ndarray | Words] = {}
        for j in which:
            numbers = np.concatenate(commas[j]) if commas[j] is not None else None
            if numbers is not None and not np.isnan(numbers).all():
                columns[j] = numbers
                self.notes.append(
                    f"Column {shown(self.names[j])} was read with a decimal comma."
                )
            else:
                columns[j] = lists[j].words(codes[j])
        return columns


def _extend(columns, j: int, cells: Sequence[str], read) -> None:
    """Add a part to column j, or give the column up when a cell is no number."""
    if columns[j] is None:
        return
    numbers = read(cells)
    if numbers is None:
        columns[j] = None
    else:
        columns[j].append(numbers)


def _floats(cells: Sequence[str]) -> np.ndarray | None:
    """Cells as numbers, NaN for missing ones; None when one is neither."""
    import pyarrow as pa
    from pyarrow import compute

    text = pa.array(cells, pa.string())
    try:  # three times as fast as Python's float, and as strict as can be
        return text.cast(pa.float64()).to_numpy()
    except pa.ArrowException:
        text = compute.utf8_trim_whitespace(text)
    missing = compute.is_in(compute.utf8_lower(text), pa.array(MISSING))
    try:
        filled = compute.if_else(missing, pa.scalar(None, pa.string()), text)
        return filled.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowException:
        pass
    try:  # with a plus sign, or beyond double precision
        return np.array([_float(cell) for cell in cells])
    except ValueError:
        return None


def _float(cell: str) -> float:
    cell = cell.strip()
    if len(cell) <= 4 and cell.lower() in MISSING:
        return np.nan
    return number(cell)


def _comma_floats(cells: Sequence[str]) -> np.ndarray | None:
    """As `_floats`, where decimals may be written with a comma."""
    try:
        return np.array([_comma_float(cell) for cell in cells])
    except ValueError:
        return None


def _comma_float(cell: str) -> float:
    if _DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(",", ".")
    return _float(cell)
