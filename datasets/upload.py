"""Data of the user's own: CSV, Parquet and svmlight files.

Whatever is wrong with a file is said in one sentence that can stand in a page.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from datasets._base import Dataset

if TYPE_CHECKING:
    import pandas as pd

MAX_BYTES = 50_000_000
MAX_ROWS = 200_000
MAX_COLUMNS = 5_000  # of a table; an svmlight file may have MAX_SPARSE_COLUMNS
MAX_SPARSE_COLUMNS = 1_000_000
MAX_CLASSES = 50
DENSE_FROM = 1 / 3  # share of nonzeros from which an svmlight file becomes dense

LABEL_NAMES = ("label", "labels", "target", "y", "class", "species", "category")
INDEX_NAMES = ("", "id", "index", "row", "unnamed: 0")
UNKNOWN_LABELS = ("", "?", "unknown", "unlabeled", "unlabelled", "na", "nan", "none")
SEPARATORS = ",;\t|"
CSV_ENDINGS = (".csv", ".tsv", ".txt", ".data")
PARQUET_ENDINGS = (".parquet", ".pq")
SVMLIGHT_ENDINGS = (".svm", ".svmlight", ".libsvm", ".scale")
_SVMLIGHT_LINE = re.compile(
    r"^[-+\d.eE]+(\s+qid:\d+)?(\s+\d+:[-+\d.eEnaif]+)+\s*(#.*)?$"
)
_DECIMAL_COMMA = re.compile(r"^\s*[-+]?\d+,\d+\s*$")


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
        ``unlabeled`` mark points whose label nobody knows.
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
    table, notes = _parquet(content, name) if kind == "parquet" else _csv(content, name)
    return _from_table(table, name, label_column, feature_columns, notes)


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
    else:
        content = file.read(max_bytes + 1)
        name = name or getattr(file, "name", None)
    if not name:
        raise ValueError("name must be given when file is not a path; it ends in .csv.")
    if len(content) > max_bytes:
        raise ValueError(
            f"{name} is larger than {max_bytes / 1e6:g} MB; upload a sample of it."
        )
    if not content.strip():
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


def _csv(content: bytes, name: str) -> tuple[pd.DataFrame, list[str]]:
    import pandas as pd

    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name} is not UTF-8 text (byte {content[error.start]:#04x} at position "
            f"{error.start}); save it as UTF-8."
        ) from error
    if "\0" in text:
        raise ValueError(f"{name} holds binary data, not comma-separated text.")
    lines = text.splitlines()
    separator = _separator(lines)
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error as error:
        raise ValueError(f"{name} cannot be read as CSV ({error}).") from error
    _check_lengths(rows, name)
    rows = [row for row in rows if row]
    header, notes = _header(rows, name)
    body = rows[1:] if header is not None else rows
    if not body:
        raise ValueError(f"{name} has a header and no rows.")
    _check_shape(len(body), len(body[0]), name)
    names = header or [f"x{j + 1}" for j in range(len(body[0]))]
    cells = pd.DataFrame(body, columns=names, dtype=object)
    table = {}
    for column in names:
        table[column], comma = _numbers_or_text(cells[column])
        if comma:
            notes.append(f"Column {column} was read with a decimal comma.")
    return pd.DataFrame(table), notes


def _separator(lines: list[str]) -> str:
    """The separator that cuts the first lines into the most fields, all alike."""
    sample = [line for line in lines[:20] if line.strip()]

    def fields(separator: str) -> int:
        counts = {len(row) for row in csv.reader(sample, delimiter=separator)}
        return counts.pop() if len(counts) == 1 else 0

    best = max(SEPARATORS, key=fields)
    if fields(best) > 1:
        return best
    # Ragged rows have no common count; the header's own separator will name them.
    return max(SEPARATORS, key=sample[0].count)


def _check_lengths(rows: list[list[str]], name: str) -> None:
    expected = None
    for number, row in enumerate(rows, start=1):
        if not row:
            continue
        expected = expected or len(row)
        if len(row) != expected:
            raise ValueError(
                f"{name} has {len(row)} fields in line {number} where the first line "
                f"has {expected}; every line needs the same number."
            )


def _header(rows: list[list[str]], name: str) -> tuple[list[str] | None, list[str]]:
    """Column names, or None when the first line is data already."""
    first = [cell.strip() for cell in rows[0]]
    if any(_is_number(cell) for cell in first):
        return None, ["The file has no header; columns are called x1, x2, ..."]
    repeated = sorted({cell for cell in first if first.count(cell) > 1})
    if repeated:
        raise ValueError(
            f"{name} has the column {repeated[0]!r} more than once; give each column "
            f"its own name."
        )
    return first, []


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _numbers_or_text(cells: pd.Series) -> tuple[pd.Series, bool]:
    """Numbers where every filled cell is one, else the text as it was.

    Returns the column and whether its decimals were written with a comma.
    """
    import pandas as pd

    text = cells.str.strip()
    text = text.mask(text.str.lower().isin(("", "na", "nan", "null", "none", "?")))
    numbers = pd.to_numeric(text, errors="coerce")
    if numbers.notna().sum() == text.notna().sum() and text.notna().any():
        return numbers, False
    filled = text.dropna()
    if len(filled) and filled.str.match(_DECIMAL_COMMA).any():
        numbers = pd.to_numeric(
            text.str.replace(",", ".", regex=False), errors="coerce"
        )
        if numbers.notna().sum() == len(filled):
            return numbers, True
    return text, False


def _parquet(content: bytes, name: str) -> tuple[pd.DataFrame, list[str]]:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # The footer tells the shape before anything is unpacked.
        facts = pq.ParquetFile(io.BytesIO(content)).metadata
        _check_shape(facts.num_rows, facts.num_columns, name)
        table = pd.read_parquet(io.BytesIO(content))
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{name} is not a readable Parquet file.") from error
    table.columns = [str(column) for column in table.columns]
    if not len(table):
        raise ValueError(f"{name} has columns and no rows.")
    return table.reset_index(drop=True), []


def _check_shape(n_rows: int, n_columns: int, name: str) -> None:
    if n_columns < 2:
        raise ValueError(
            f"{name} has only one column; it needs at least a feature and a label, or "
            f"two features."
        )
    if n_rows > MAX_ROWS:
        raise ValueError(
            f"{name} has {n_rows} rows, the most is {MAX_ROWS}; upload a sample of it."
        )
    if n_columns > MAX_COLUMNS:
        raise ValueError(
            f"{name} has {n_columns} columns, the most is {MAX_COLUMNS}; keep fewer, "
            f"or use svmlight for sparse data."
        )


def _from_table(
    table: pd.DataFrame,
    name: str,
    label_column: str | None,
    feature_columns: Sequence[str] | None,
    notes: list[str],
) -> Dataset:
    for column in [label_column, *(feature_columns or ())]:
        if column is not None and column not in table.columns:
            raise ValueError(
                f"{name} has no column {column!r}; it has "
                f"{', '.join(map(str, table.columns[:20]))}."
            )
    guessed = label_column is None
    if guessed:
        label_column = _guess_label(table, feature_columns or ())
        notes = [*notes, _told_label(label_column)]
    columns, dropped = _features(table, name, label_column, feature_columns)
    if dropped:
        notes = [*notes, f"Not numeric, so left out: {', '.join(dropped)}."]
    if feature_columns is None:
        counters = [c for c in columns if _is_counter(c, table[c])]
        if counters and len(counters) < len(columns):
            columns = [c for c in columns if c not in counters]
            notes = [*notes, f"Row numbers, so left out: {', '.join(counters)}."]
    X = _matrix(table, columns, name)
    if label_column is None:
        y, classes = np.full(len(table), -1), ()
    else:
        y, classes = _classes(table[label_column], label_column, name)
    return _dataset(X, y, classes, columns, name, label_column, guessed, notes)


def _guess_label(table: pd.DataFrame, taken: Sequence[str]) -> str | None:
    """By name; else the last text column; else the last one of few whole numbers."""
    free = [column for column in table.columns if column not in taken]
    for wanted in LABEL_NAMES:
        for column in free:
            if column.strip().lower() == wanted:
                return column
    for column in reversed(free):
        if not _is_numeric(table[column]) and _may_be_label(table[column]):
            return column
    for column in reversed(free):
        values = table[column].dropna()
        if (
            _is_numeric(values)
            and len(free) > 1
            and np.all(np.mod(values.to_numpy(dtype=float), 1) == 0)
            and _may_be_label(values)
        ):
            return column
    return None


def _may_be_label(values: pd.Series) -> bool:
    """Two to 50 values, most of which come up more than once."""
    n_values = values.nunique()
    return 2 <= n_values <= min(MAX_CLASSES, max(2, len(values) // 2))


def _told_label(column: str | None) -> str:
    if column is None:
        return "No column looks like labels; every point is unlabeled."
    return f"Column {column} was taken for the labels."


def _is_numeric(values: pd.Series) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return bool(is_numeric_dtype(values) or is_bool_dtype(values))


def _is_counter(name: str, values: pd.Series) -> bool:
    """A row number under one of the names that spreadsheets give it."""
    if name.strip().lower() not in INDEX_NAMES:
        return False
    numbers = values.to_numpy(dtype=float)
    return bool(np.all(np.diff(numbers) == 1))


def _features(table, name, label_column, feature_columns) -> tuple[list, list]:
    """Columns to use, and those left out for not being numeric."""
    asked = list(feature_columns) if feature_columns is not None else None
    if asked is not None and label_column in asked:
        raise ValueError(
            f"{label_column!r} is the label column and cannot be a feature as well."
        )
    candidates = asked or [c for c in table.columns if c != label_column]
    numeric = [c for c in candidates if _is_numeric(table[c])]
    text = [c for c in candidates if c not in numeric]
    if asked and text:
        words = [v for v in table[text[0]].dropna() if not _is_number(str(v))]
        came = repr(str(words[0])[:40]) if words else "no value at all"
        raise ValueError(
            f"column {text[0]} of {name} must be numeric, got {came}; choose other "
            f"columns or clean this one."
        )
    if not numeric:
        raise ValueError(
            f"{name} has no numeric column besides the labels; features must be "
            f"numbers."
        )
    return numeric, text


def _matrix(table: pd.DataFrame, columns: list[str], name: str) -> np.ndarray:
    X = table[columns].to_numpy(dtype=np.float64, na_value=np.nan)
    for what, bad in (("missing", np.isnan(X)), ("infinite", np.isinf(X))):
        counts = bad.sum(axis=0)
        if counts.any():
            worst = int(counts.argmax())
            others = int(np.count_nonzero(counts)) - 1
            more = f" (and {others} other columns have some)" if others else ""
            raise ValueError(
                f"{name} has {counts[worst]} {what} values in column "
                f"{columns[worst]}{more}; fill them in or leave the column out."
            )
    return X


def _classes(
    values: pd.Series, column: str, name: str
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Class indices, -1 where unknown, and class names in order."""
    known = values.notna().to_numpy()
    if _is_numeric(values):
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        if not np.all(np.mod(numbers[known], 1) == 0):
            raise ValueError(
                f"label column {column} of {name} holds fractions; classes must be "
                f"words or whole numbers."
            )
        words, index = np.unique(numbers[known].astype(np.int64), return_inverse=True)
    else:
        text = values.astype(str).str.strip()
        known = known & ~text.str.lower().isin(UNKNOWN_LABELS).to_numpy()
        words, index = np.unique(text[known].to_numpy(dtype=str), return_inverse=True)
    if len(words) > MAX_CLASSES:
        raise ValueError(
            f"label column {column} of {name} has {len(words)} different values, the "
            f"most is {MAX_CLASSES}; choose another label_column."
        )
    if len(words) < 2 and known.all():
        raise ValueError(
            f"label column {column} of {name} has one class only, {str(words[0])!r}; "
            f"two are needed."
        )
    y = np.full(len(values), -1)
    y[known] = index
    return y, tuple(str(word) for word in words)


# -- svmlight ------------------------------------------------------------------------


def _from_svmlight(content: bytes, name: str) -> Dataset:
    try:
        X, y = load_svmlight_file(io.BytesIO(content))
    except (ValueError, OverflowError, IndexError) as error:
        raise ValueError(
            f"{name} is not a readable svmlight file ({error}); lines look like "
            f"'+1 3:0.5 7:1.2'."
        ) from error
    if X.shape[0] > MAX_ROWS:
        raise ValueError(
            f"{name} has {X.shape[0]} rows, the most is {MAX_ROWS}; upload a sample."
        )
    if X.shape[1] > MAX_SPARSE_COLUMNS:
        raise ValueError(
            f"{name} has {X.shape[1]} columns, the most is {MAX_SPARSE_COLUMNS}."
        )
    if not X.nnz:
        raise ValueError(f"{name} has labels and no features.")
    return _sparse_dataset(X, y, name)


def _sparse_dataset(X: sp.csr_matrix, y: np.ndarray, name: str) -> Dataset:
    import pandas as pd

    if not np.isfinite(X.data).all():
        bad = int(np.count_nonzero(~np.isfinite(X.data)))
        raise ValueError(f"{name} has {bad} values that are not finite; fill them in.")
    labels, classes = _classes(pd.Series(y), "(first field)", name)
    notes = []
    if X.nnz >= DENSE_FROM * X.shape[0] * X.shape[1]:
        X = X.toarray()
        notes.append("Most values are nonzero, so the points are kept dense.")
    columns = [f"x{j + 1}" for j in range(X.shape[1])]
    return _dataset(X, labels, classes, columns, name, "(first field)", False, notes)


def _dataset(X, y, classes, columns, name, label_column, guessed, notes) -> Dataset:
    unknown = int(np.count_nonzero(y == -1))
    if unknown and classes:
        notes = [*notes, f"{unknown} of {len(y)} points have no label."]
    data = Dataset(
        X,
        y,
        class_names=classes or ("class 0", "class 1"),
        feature_names=tuple(map(str, columns)),
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
