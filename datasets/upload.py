"""Data of the user's own: CSV, Parquet and svmlight files.

Whatever is wrong with a file is said in one sentence that can stand in a page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import IO

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from halfmoon.datasets import _table as _limits
from halfmoon.datasets._base import Dataset, NumberedColumns
from halfmoon.datasets._csv import CsvTable
from halfmoon.datasets._table import UploadedTable, listed, shown

MAX_BYTES = 50_000_000
MAX_SPARSE_COLUMNS = 1_000_000
MAX_VALUE = 1e100  # squares, summed over all rows and columns, stay finite
MAX_WHOLE = 2.0**53  # whole numbers above it are not exact in double precision
DENSE_FROM = 1 / 3  # share of nonzeros from which an svmlight file becomes dense

LABEL_NAMES = ("label", "labels", "target", "y", "class", "species", "category")
INDEX_NAMES = ("", "id", "index", "row", "unnamed: 0")
CSV_ENDINGS = (".csv", ".tsv", ".txt", ".data")
PARQUET_ENDINGS = (".parquet", ".pq")
SVMLIGHT_ENDINGS = (".svm", ".svmlight", ".libsvm", ".scale")
_SVMLIGHT_LINE = re.compile(
    r"^[-+\d.eE]+(\s+qid:\d+)?(\s+\d+:[-+\d.eEnaif]+)+\s*(#.*)?$"
)
_SVMLIGHT_ROW = re.compile(rb"^[^\S\n]*[^#\s]", re.MULTILINE)


def read_table(
    file: str | PathLike | bytes | IO[bytes],
    name: str | None = None,
    *,
    label_column: str | None = None,
    feature_columns: Sequence[str] | None = None,
    max_bytes: int = MAX_BYTES,
) -> Dataset:
    """Read a user's file into a data set.

    Parameters
    ----------
    file : path, bytes or binary file
        The file or its content.
    name : str, optional
        File name; its ending tells the format. Needed unless ``file`` is a path.
    label_column : str, optional
        Column with the labels; guessed when not given. Empty cells, ``?`` and
        ``unlabeled`` mark points whose label is unknown.
    feature_columns : sequence of str, optional
        Columns to use; all other numeric columns when not given.
    max_bytes : int
        Largest size that is read.

    Returns
    -------
    Dataset
        ``y`` is -1 where the label is unknown. ``meta["label_column"]`` is the label
        column or None, ``meta["label_guessed"]`` whether it was guessed, and
        ``meta["notes"]`` says in sentences what was guessed, dropped or changed.

    Raises
    ------
    ValueError
        One sentence that says what is wrong and what to do.
    """
    content, name = _content(file, name, max_bytes)
    kind = _format(content, name)
    if kind == "svmlight":
        if label_column is not None or feature_columns is not None:
            raise ValueError(
                f"{name} is an svmlight file, which has no column names; leave out "
                f"label_column and feature_columns."
            )
        return _from_svmlight(content, name)
    table = _read(content, name, kind)
    return _from_table(table, name, label_column, feature_columns)


def read_svmlight(path: str | PathLike) -> Dataset:
    """Read an svmlight file of any size from disk.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Dataset
    """
    path = Path(path)
    X, y = load_svmlight_file(str(path))
    return _sparse_dataset(X, y, path.name)


def write_svmlight(
    path: str | PathLike | IO[bytes], X: np.ndarray | sp.csr_matrix, y: np.ndarray
) -> None:
    """Write points and labels as an svmlight file, columns counted from 1.

    Parameters
    ----------
    path : path or binary file
        Where to write.
    X : ndarray or csr_matrix of shape (n, d)
        Points.
    y : ndarray of shape (n,)
        Numeric labels.
    """
    y = np.asarray(y)
    if X.shape[0] != len(y):
        raise ValueError(
            f"X and y must have one row a point, got {X.shape[0]} and {len(y)}."
        )
    target = path if hasattr(path, "write") else str(path)
    dump_svmlight_file(X, y, target, zero_based=False)


# -- the bytes -----------------------------------------------------------------------


def _content(file, name: str | None, max_bytes: int) -> tuple[bytes, str]:
    """The bytes and the name; never reads more than the limit."""
    if isinstance(file, str | PathLike):
        path = Path(file)
        name = name or path.name
        try:
            with path.open("rb") as opened:
                content = opened.read(max_bytes + 1)
        except OSError as error:
            raise ValueError(f"{name} cannot be opened ({error.strerror}).") from error
    elif isinstance(file, bytes | bytearray | memoryview):
        content = bytes(file)
    elif not hasattr(file, "read"):
        raise TypeError(
            f"file must be a path, bytes or an open binary file, got an object of "
            f"{type(file).__name__}; points in memory need no file, pass them to fit."
        )
    else:
        content = file.read(max_bytes + 1)
        name = name or getattr(file, "name", None)
    if not name:
        raise ValueError("name must be given when file is not a path; it ends in .csv.")
    name = shown(str(name)[-120:], 120)  # the ending counts
    if len(content) > max_bytes:
        raise ValueError(
            f"{name} is larger than {max_bytes / 1e6:g} MB; upload a sample of it."
        )
    if not re.search(rb"\S", content):
        raise ValueError(f"{name} is empty; it needs a header and some rows.")
    return content, name


def _format(content: bytes, name: str) -> str:
    ending = Path(name).suffix.lower()
    if ending in PARQUET_ENDINGS or content[:4] == b"PAR1":
        return "parquet"
    if ending in SVMLIGHT_ENDINGS:
        return "svmlight"
    if ending in CSV_ENDINGS:
        # An svmlight file often ends in .txt or .data; its lines give it away.
        lines = content[:4096].splitlines()
        first = lines[0].decode("utf-8", errors="replace") if lines else ""
        return "svmlight" if _SVMLIGHT_LINE.match(first.strip()) else "csv"
    raise ValueError(
        f"{name} must end in .csv, .tsv, .parquet or .svmlight, got "
        f"{ending or 'no ending'!r}."
    )


# -- tables --------------------------------------------------------------------------


def _read(content: bytes, name: str, kind: str) -> UploadedTable:
    if kind == "csv":
        return CsvTable(content, name)
    from halfmoon.datasets._parquet import (
        ParquetTable,  # pyarrow takes a while to import
    )

    return ParquetTable(content, name)


def _from_table(
    table: UploadedTable,
    name: str,
    label_column: str | None,
    feature_columns: Sequence[str] | None,
) -> Dataset:
    known = set(table.names)
    for column in [label_column, *(feature_columns or ())]:
        if column is not None and column not in known:
            raise ValueError(
                f"{name} has no column {shown(column)!r}; it has "
                f"{listed(table.names, 20)}."
            )
    # Guessing a label looks at all numbers; a choice, at those that were chosen.
    chosen = feature_columns if label_column and feature_columns else table.names
    numeric = sum(table.kind(column) == "number" for column in chosen)
    _limits.check_cells(table.n, numeric, name)
    notes = list(table.notes)
    guessed = label_column is None
    if guessed:
        label_column = _guess_label(table, feature_columns or ())
        notes.append(_told_label(label_column))
    columns, dropped = _features(table, name, label_column, feature_columns)
    if dropped:
        notes.append(f"Not numeric, so left out: {listed(dropped)}.")
    if feature_columns is None:
        counters = {c for c in columns if _is_counter(c, table)}
        if counters and len(counters) < len(columns):
            columns = [c for c in columns if c not in counters]
            notes.append(f"Row numbers, so left out: {listed(sorted(counters))}.")
    if label_column is None:
        y, classes = np.full(table.n, -1), ()
    else:
        y, classes = _label_classes(table, label_column, name)
    X = _checked(table.matrix(columns), columns, name)
    return _dataset(X, y, classes, columns, name, label_column, guessed, notes)


def _guess_label(table: UploadedTable, taken: Sequence[str]) -> str | None:
    """By name; else the last text column; else the last one of few whole numbers."""
    taken = set(taken)
    free = [column for column in table.names if column not in taken]
    for wanted in LABEL_NAMES:
        for column in free:
            if column.strip().lower() == wanted:
                return column
    for column in reversed(free):
        if table.kind(column) == "text":
            words = table.words(column)
            fits = not (words.too_many or words.too_long)
            if fits and _may_be_label(words.n_words, table.n):
                return column
    if len(free) > 1:
        for column in reversed(free):
            if table.kind(column) == "number":
                values = table.numbers(column)
                values = values[~np.isnan(values)]
                whole = bool(len(values)) and _are_whole(values)
                if whole and _may_be_label(len(np.unique(values)), len(values)):
                    return column
    return None


def _may_be_label(n_values: int, n: int) -> bool:
    """Two to 50 values, most of which come up more than once."""
    return 2 <= n_values <= min(_limits.MAX_CLASSES, max(2, n // 2))


def _are_whole(values: np.ndarray) -> bool:
    """Whole numbers, of a size that tells one from the next."""
    return bool(np.all(np.abs(values) <= MAX_WHOLE) and np.all(values % 1 == 0))


def _told_label(column: str | None) -> str:
    if column is None:
        return "No column looks like labels; every point is unlabelled."
    return f"Column {shown(column)} was taken for the labels."


def _is_counter(name: str, table: UploadedTable) -> bool:
    """A row number under one of the names that spreadsheets give it."""
    if name.strip().lower() not in INDEX_NAMES:
        return False
    return bool(np.all(np.diff(table.numbers(name)) == 1))


def _features(table, name, label_column, feature_columns) -> tuple[list, list]:
    """Columns to use, and those left out for not being numeric."""
    wanted = list(dict.fromkeys(feature_columns or ()))
    if label_column in wanted:
        raise ValueError(
            f"{shown(label_column)!r} is the label column and cannot be a feature as "
            f"well."
        )
    numeric, others = [], []
    for column in wanted or table.names:
        if column != label_column:
            fits = table.kind(column) == "number"
            (numeric if fits else others).append(column)
    if wanted and others:
        found = table.kind(others[0])
        if found == "text":
            example = table.words(others[0]).example
            found = repr(shown(example, 40)) if example else "no value at all"
        raise ValueError(
            f"column {shown(others[0])} of {name} must be numeric, got {found}; choose "
            f"other columns or clean this one."
        )
    if not numeric:
        raise ValueError(
            f"{name} has no numeric column besides the labels; features must be "
            f"numbers."
        )
    return numeric, others


def _checked(X: np.ndarray, columns: Sequence[str], name: str) -> np.ndarray:
    """The points, all of them numbers that can be squared and summed."""
    if X.min() >= -MAX_VALUE and X.max() <= MAX_VALUE:  # False where one is NaN
        return X
    what, bad = "missing", np.isnan(X)
    if not bad.any():
        what, bad = "infinite", np.isinf(X)
    if not bad.any():
        what, bad = "too large", np.abs(X) > MAX_VALUE
    counts = bad.sum(axis=0)
    worst = int(counts.argmax())
    others = int(np.count_nonzero(counts)) - 1
    more = f" (and {others} other columns have some)" if others else ""
    raise ValueError(
        f"{name} has {counts[worst]} {what} values in column "
        f"{shown(columns[worst])}{more}; fill them in or leave the column out."
    )


def _label_classes(
    table: UploadedTable, column: str, name: str
) -> tuple[np.ndarray, tuple[str, ...]]:
    kind = table.kind(column)
    if kind == "number":
        return _number_classes(table.numbers(column), column, name)
    if kind != "text":
        raise ValueError(
            f"label column {shown(column)} of {name} holds {kind}; classes must be "
            f"words or whole numbers."
        )
    found = table.words(column)
    if found.too_long:
        raise ValueError(
            f"label column {shown(column)} of {name} has a value of {found.longest} "
            f"characters, the most is {_limits.MAX_NAME}; choose another label_column."
        )
    order = np.argsort(np.array(found.words, dtype=object))
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order], place[-1] = np.arange(len(order)), -1
    return _counted(
        place[found.codes], tuple(found.words[i] for i in order), column, name
    )


def _number_classes(
    values: np.ndarray, column: str, name: str
) -> tuple[np.ndarray, tuple[str, ...]]:
    known = ~np.isnan(values)
    if not _are_whole(values[known]):
        raise ValueError(
            f"label column {shown(column)} of {name} holds fractions or numbers beyond "
            f"{MAX_WHOLE:.0e}; classes must be words or whole numbers."
        )
    numbers, index = np.unique(values[known].astype(np.int64), return_inverse=True)
    y = np.full(len(values), -1)
    y[known] = index
    few = numbers[: _limits.MAX_CLASSES + 1]
    return _counted(y, tuple(str(number) for number in few), column, name)


def _counted(y, classes, column, name) -> tuple[np.ndarray, tuple[str, ...]]:
    """Class indices, -1 where unknown, and class names in order; not too many."""
    if len(classes) > _limits.MAX_CLASSES:
        raise ValueError(
            f"label column {shown(column)} of {name} has more than "
            f"{_limits.MAX_CLASSES} different values; choose another label_column."
        )
    if len(classes) < 2 and np.all(y >= 0):
        raise ValueError(
            f"label column {shown(column)} of {name} has one class only, "
            f"{shown(classes[0])!r}; two are needed."
        )
    return y, classes


# -- svmlight ------------------------------------------------------------------------


def _from_svmlight(content: bytes, name: str) -> Dataset:
    most = _limits.MAX_ROWS
    if sum(1 for _ in islice(_SVMLIGHT_ROW.finditer(content), most + 1)) > most:
        raise ValueError(f"{name} has more than {most} rows; upload a sample of it.")
    try:
        X, y = load_svmlight_file(io.BytesIO(content))
    except (ValueError, OverflowError, IndexError) as error:
        raise ValueError(_svmlight_fault(content, name)) from error
    if X.shape[1] > MAX_SPARSE_COLUMNS:
        raise ValueError(
            f"{name} has {X.shape[1]} columns, the most is {MAX_SPARSE_COLUMNS}."
        )
    if not X.nnz:
        raise ValueError(f"{name} has labels and no features.")
    return _sparse_dataset(X, y, name)


def _svmlight_fault(content: bytes, name: str) -> str:
    """Which line of an svmlight file cannot be read, and what is wrong with it."""
    way_out = "lines look like '+1 3:0.5 7:1.2', columns in order"
    for number, line in enumerate(io.BytesIO(content), start=1):
        fields = line.split(b"#")[0].split()
        last = -1
        for field in fields[1:]:
            column, colon, value = field.partition(b":")
            if column == b"qid":
                continue
            found = shown(field.decode("utf-8", "replace"), 30)
            where = f"{name} is not a readable svmlight file: line {number} has {found}"
            if not (colon and column.isdigit() and _reads_as_number(value)):
                return f"{where}; {way_out}."
            if len(column) > 18 or int(column) > MAX_SPARSE_COLUMNS:
                return f"{where}, and the most columns are {MAX_SPARSE_COLUMNS}."
            if int(column) <= last:
                return f"{where} after column {last}; {way_out}."
            last = int(column)
        if fields and not _reads_as_number(fields[0]):
            found = shown(fields[0].decode("utf-8", "replace"), 30)
            return (
                f"{name} is not a readable svmlight file: line {number} begins with "
                f"{found}; {way_out}."
            )
    return f"{name} is not a readable svmlight file; {way_out}."


def _reads_as_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _sparse_dataset(X: sp.csr_matrix, y: np.ndarray, name: str) -> Dataset:
    if not np.isfinite(X.data).all():
        bad = int(np.count_nonzero(~np.isfinite(X.data)))
        raise ValueError(f"{name} has {bad} values that are not finite; fill them in.")
    large = int(np.count_nonzero(np.abs(X.data) > MAX_VALUE))
    if large:
        raise ValueError(
            f"{name} has {large} values beyond {MAX_VALUE:g}; scale the columns down."
        )
    labels, classes = _number_classes(y, "(first field)", name)
    notes = []
    n_cells = X.shape[0] * X.shape[1]
    if DENSE_FROM * n_cells <= X.nnz and n_cells <= _limits.MAX_CELLS:
        X = X.toarray()
        notes.append("Most values are nonzero, so the points are kept dense.")
    columns = NumberedColumns(X.shape[1])
    return _dataset(X, labels, classes, columns, name, "(first field)", False, notes)


def _dataset(X, y, classes, columns, name, label_column, guessed, notes) -> Dataset:
    unknown = int(np.count_nonzero(y == -1))
    if unknown and classes:
        notes = [*notes, f"{unknown} of {len(y)} points have no label."]
    data = Dataset(
        X,
        y,
        class_names=classes or ("class 1", "class 2"),
        feature_names=columns
        if isinstance(columns, NumberedColumns)
        else tuple(columns),
        name=Path(name).stem,
        meta={
            "kind": "upload",
            "label_column": label_column,
            "label_guessed": guessed,
            "notes": tuple(notes),
        },
    )
    text = f"{data.n} points with {data.dims} features from {Path(name).name}."
    return replace(data, description=text)
