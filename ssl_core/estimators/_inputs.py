"""Checks of the input: one clear message before any computation."""

from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from halfmoon.common.memory import check_room
from ssl_core.trace import Array, Event, State

MatrixLike: TypeAlias = ArrayLike | sp.spmatrix | sp.sparray
FAR = 1e4  # centre over spread of a feature; the digits lost are twice its logarithm


def check_structure(X, name="X"):
    """Indices of a sparse matrix outside its shape would read foreign memory."""
    if not sp.issparse(X):
        return
    n_major, n_minor = X.shape if X.format == "csr" else X.shape[::-1]
    indptr, indices = X.indptr, X.indices
    count = len(indices)
    good = (
        len(indptr) == n_major + 1
        and indptr[0] == 0
        and indptr[-1] <= count == len(X.data)
        and bool((indptr[1:] >= indptr[:-1]).all())
        and (count == 0 or (indices.min() >= 0 and indices.max() < n_minor))
    )
    if not good:
        raise ValueError(
            f"{name} must be a valid {X.format.upper()} matrix, got indices that point "
            f"outside its shape {X.shape}; X.check_format(full_check=True) says which."
        )


def check_size(X, largest, name="X"):
    """Numbers whose products would overflow, before any of them is computed."""
    values = X.data if sp.issparse(X) else X
    if not np.issubdtype(values.dtype, np.number) or values.size == 0:
        return
    found = max(abs(float(values.max())), abs(float(values.min())))
    if found > largest:
        raise ValueError(
            f"{name} must hold numbers up to {largest:g} in size, got {found:.1e}; "
            f"scale the features."
        )


def check_finite(X, name="X"):
    """NaN and infinity, with their position and a remedy."""
    values = X.data if sp.issparse(X) else X
    if not np.issubdtype(values.dtype, np.floating) or np.isfinite(values).all():
        return
    what = "NaN" if np.isnan(values).any() else "infinity (inf)"
    if sp.issparse(X):
        count = int((~np.isfinite(values)).sum())
        where = f"{count} of its stored values"
    else:
        bad = ~np.isfinite(X)
        row, column = np.argwhere(bad)[0]
        where = (
            f"{int(bad.any(axis=1).sum())} of {len(X)} rows "
            f"(first: row {row}, column {column})"
        )
    raise ValueError(
        f"{name} must be finite, got {what} in {where}; drop or impute them."
    )


def check_container(A, name):
    """Objects that are not arrays of numbers or labels, before their values are read.

    Raises
    ------
    TypeError
        As scikit-learn does for what is of the wrong type.
    """
    if isinstance(A, np.matrix):
        raise TypeError(f"{name} must be an array, got np.matrix; use np.asarray.")
    if isinstance(A, np.ma.MaskedArray) and np.ma.is_masked(A):
        way_out = "drop or impute them" if name[0] == "X" else "mark or drop them"
        raise ValueError(f"{name} must be whole, got masked values; {way_out}.")
    if name[0] == "y":
        if sp.issparse(A):
            raise TypeError(
                f"{name} must be a dense array, got {type(A).__name__}; use "
                f"{name}.toarray().ravel()."
            )
        return
    # A table of pyarrow has columns too, which are not their names.
    columns = list(A.columns) if hasattr(A, "columns") and hasattr(A, "dtypes") else []
    kinds = {type(column).__name__ for column in columns}
    if len(kinds) > 1 and "str" in kinds:
        raise TypeError(
            f"{name} must have column names that are all text, got "
            f"{' and '.join(sorted(kinds))}; use {name}.columns = "
            f"{name}.columns.astype(str)."
        )
    dtypes = list(A.dtypes) if columns else [getattr(A, "dtype", None)]
    dates = [d for d in dtypes if getattr(d, "kind", "") in ("M", "m")]
    if dates:
        raise TypeError(
            f"{name} must hold real numbers, got dates or times ({dates[0]}); use the "
            f"days since the first one, say."
        )
    twice = [found for i, found in enumerate(columns) if found in columns[:i]]
    if twice:
        raise ValueError(
            f"{name} must have column names that differ, got {twice[0]!r} more than "
            f"once; rename or drop one of them."
        )


def check_mark(name, value):
    """The mark of unlabelled points is one label, or a missing value."""
    usual = str | bool | int | float | np.bool_ | np.integer | np.floating
    if not (isinstance(value, usual) or is_missing(value)):
        raise ValueError(
            f"{name} must be one label, text or a number, or None, NaN or pandas' NA, "
            f"got an object of {type(value).__name__}."
        )


def marking(unlabeled) -> str:
    """What to do about missing values in y where they are not the mark."""
    return (
        f"mark unlabelled points by {unlabeled!r}, or pass unlabeled=None where "
        f"missing values mark them"
    )


def check_labels(y, unlabeled):
    """Labels that have no equality or no order are refused before any work."""
    check_container(y, "y")
    known = isinstance(getattr(y, "dtype", None), np.dtype | None)
    try:
        values = np.asarray(y, dtype=None if known else object)
    except (ValueError, TypeError):
        raise ValueError(
            "y must be a 1d array of labels, got rows of different length."
        ) from None
    if values.dtype.kind == "c":  # in scikit-learn's words
        raise ValueError("y must hold class labels: Complex data not supported.")
    if values.dtype.kind in "Mm":
        raise ValueError(
            f"y must hold class labels, text or numbers, got dates or times "
            f"({values.dtype}); name the classes by text."
        )
    if values.dtype.kind not in "SOV":
        return
    kinds = {}
    for value in values.ravel() if values.dtype.kind != "V" else values.ravel()[:1]:
        kinds.setdefault(_kind_of(value), value)
    if "a missing value" in kinds:
        raise ValueError(
            f"y must be whole, got {kinds['a missing value']!r}; {marking(unlabeled)}."
        )
    if "bytes" in kinds:
        found = bytes(kinds["bytes"])
        raise TypeError(
            f"y must hold text or numbers, got bytes such as {found!r}; decode them "
            f"into text."
        )
    if "other" in kinds:
        raise ValueError(
            f"y must hold class labels, text or numbers, got {kinds['other']!r:.60}; "
            f"name the classes by text."
        )
    if len(kinds) > 1 and any(
        _kind_of(v) == "a number" and str(v) != str(unlabeled) for v in values.ravel()
    ):
        raise ValueError(
            f"y must hold either text or numbers, got {kinds['text']!r:.60} and "
            f"{kinds['a number']!r}; use one of them for all classes."
        )


def _kind_of(label) -> str:
    if isinstance(label, str):
        return "text"
    if isinstance(label, bytes):
        return "bytes"
    if is_missing(label):
        return "a missing value"
    if isinstance(label, bool | int | float | np.bool_ | np.integer | np.floating):
        large = isinstance(label, int) and label.bit_length() >= 64
        return "other" if large else "a number"
    return "other"


def check_shapes(X, y):
    """One row of X for each entry of y; scikit-learn's words take several lines."""
    shape = _shape(X)
    if len(shape) != 2:
        raise ValueError(
            f"X must be a 2D array of shape (n, d), got shape {shape}. Reshape "
            f"your data: X.reshape(-1, 1) for one feature, X.reshape(1, -1) for one "
            f"point."
        )
    if y is None:
        return
    n_labels = _shape(y)[:1]
    if n_labels != (shape[0],):
        got = n_labels[0] if n_labels else "a single value"
        raise ValueError(
            f"X and y must have the same length, got {shape[0]} and {got}."
        )


def _shape(A):
    if hasattr(A, "shape"):
        return tuple(A.shape)
    try:
        return np.asarray(A).shape
    except ValueError:
        raise ValueError(
            "X must be a 2D array of shape (n, d), got rows of different length."
        ) from None


def check_start(start, kind, n, n_classes):
    """A seed must be a whole state of a run on the same points and classes.

    ``kind`` is the class of this run's own states; the seed may be of another
    algorithm, but must have the same kind of function.
    """
    if start is None:
        return
    if not isinstance(start, State):
        raise ValueError(
            f"start must be a state of an earlier run, got {type(start).__name__}."
        )
    function = kind.__mro__[kind.__mro__.index(State) - 1]
    if not isinstance(start, function):
        raise ValueError(
            f"start must be a state of the same kind of model, an "
            f"{function.__name__}, got {type(start).__name__}."
        )
    if start.f is None:
        raise ValueError(
            "start must be a state that kept its arrays; this one was recorded thin. "
            'Record with record_states="full", or start from the last state.'
        )
    shape = (n,) if n_classes == 2 else (n, n_classes)
    if start.f.shape != shape:
        raise ValueError(
            f"start must come from a run on the same points and classes, with f of "
            f"shape {shape}, got {start.f.shape}."
        )


def labels_of(y, X):
    """Labels of the rows of X as a flat array, for what only looks at them."""
    check_container(y, "y")
    check_shapes(X, y)
    return column_or_1d(without_string_type(y))


def without_string_type(y):
    """Labels of numpy's StringDType as objects, which scikit-learn knows."""
    return y.astype(object) if getattr(y, "dtype", np.dtype(object)).kind == "T" else y


def is_missing(value) -> bool:
    """None, NaN, and what pandas has for it."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def missing_mask(y) -> Array:
    """Where labels are missing values, of shape (n,)."""
    values = plain(y)
    if values.dtype.kind == "O":
        return np.array([is_missing(v) for v in values], dtype=bool)
    if values.dtype.kind == "f":
        return np.isnan(values)
    return np.zeros(len(values), dtype=bool)


def plain(y) -> Array:
    """Labels as they are; numpy would turn integers of pandas with NA into floats."""
    known = isinstance(getattr(y, "dtype", None), np.dtype | None)
    return np.asarray(y, dtype=None if known else object).ravel()


def filled(y, missing):
    """Labels with one that is given in the place of those that are missing."""
    if not missing.any():
        return y
    given = plain(y)[~missing]
    if given.dtype.kind == "O":  # as an array without missing values would have come
        given = np.array(given.tolist())
    values = np.zeros(len(missing), dtype=given.dtype)
    values[missing], values[~missing] = given[0] if given.size else 0, given
    return values


def encode_labels(y, unlabeled, hidden=None) -> tuple[Array, Array]:
    """Classes and class indices, -1 where a point is unlabeled.

    ``hidden`` masks the unlabeled points where their mark is a missing value.

    Returns
    -------
    classes : ndarray of shape (k,)
    codes : int ndarray of shape (n,)
    """
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(
            f"y must be finite, got NaN or infinity; {marking(unlabeled)}."
        )
    hidden = is_unlabeled(y, unlabeled) if hidden is None else hidden
    given = y[~hidden]
    if given.size == 0:
        raise ValueError(
            f"y has no labelled points: every entry is {unlabeled!r} (unlabelled); "
            f"label at least one point of each of two classes."
        )
    try:
        check_classification_targets(given)
    except ValueError as error:
        kind = str(error).partition(".")[0]  # Unknown label type: continuous
        raise ValueError(
            f"y must hold class labels, got values such as {given[0]!s} ({kind}); cut "
            f"them into classes, or use a regression method."
        ) from None
    classes, indices = np.unique(given, return_inverse=True)
    if len(classes) == 1:
        hint = (
            f" If {unlabeled!r} is a class here, pass unlabeled=0."
            if hidden.any() and not is_missing(unlabeled) and unlabeled == -1
            else " At least two classes are needed."
        )
        raise ValueError(
            f"y has one labelled class, {classes.tolist()}; {unlabeled!r} marks "
            f"unlabelled points.{hint}"
        )
    codes = np.full(len(y), -1)
    codes[~hidden] = indices
    return classes, codes


def is_unlabeled(y, unlabeled):
    """Mask of the points that carry the mark of unlabeled ones."""
    if is_missing(unlabeled):
        hidden = missing_mask(y)
        if y.dtype.kind == "U":  # numpy turns NaN among words into one
            hidden |= y == str(unlabeled)
        return hidden
    if y.dtype.kind in "OUS":
        # Text labels have no -1: the mark may come as a number or as its text.
        return np.array([v == unlabeled or str(v) == str(unlabeled) for v in y])
    if isinstance(unlabeled, str):
        return np.zeros(len(y), dtype=bool)
    return y == unlabeled


def encode_truth(y, classes) -> Array:
    """True classes in the core's convention: +-1 for two classes, else indices.

    Entries that are none of ``classes`` (unlabeled, say) become 0, or -1 for k > 2.
    """
    missing = missing_mask(y)
    y = np.asarray(filled(y, missing))
    if len(classes) == 2:
        codes = np.zeros(len(y), dtype=np.int8)
        codes[y == classes[0]], codes[y == classes[1]] = -1, 1
        codes[missing] = 0
        return codes
    codes = np.full(len(y), -1, dtype=np.int16)
    for index, name in enumerate(classes):
        codes[y == name] = index
    codes[missing] = -1
    return codes


def one_vs_rest(codes, n_classes) -> Array:
    """(n, 1) signs for two classes, (n, k) for more; 0 = unlabeled."""
    if n_classes == 2:
        Y = np.where(codes < 0, 0.0, 2.0 * codes - 1.0)[:, None]
        return np.asfortranarray(Y)
    Y = np.where(codes[:, None] == np.arange(n_classes), 1.0, -1.0)
    Y[codes < 0] = 0.0
    return np.asfortranarray(Y)


def double_bytes(X) -> int:
    """Bytes of X in double precision."""
    if sp.issparse(X):
        return 8 * X.nnz + sum(
            part.nbytes for part in vars(X).values() if isinstance(part, np.ndarray)
        )
    return 8 * int(np.prod(X.shape))


def check_conversion(X):
    """Numbers that are not of floating point are copied: refused if it does not fit."""
    kind = getattr(getattr(X, "dtype", None), "kind", "f")
    if kind == "f" and getattr(X, "dtype", None) in (np.float32, np.float64, None):
        return
    n = X.shape[0]
    check_room(
        f"X of {X.dtype} as numbers of floating point",
        lambda rows: double_bytes(X) * rows / n,
        n,
        "take fewer points or features",
    )


def data_notes(X, codes) -> list[Event]:
    """Unusual properties of the data that are no reason to refuse them."""
    notes = []
    if (codes >= 0).all():
        text = (
            "All points are labelled: there are no unlabelled points to learn from, "
            "and the intrinsic term only smooths."
        )
        notes.append(Event("note", text, {"what": "no_unlabeled"}))
    if not sp.issparse(X) and X.shape[1] > 1:
        constant = int((X.max(axis=0) == X.min(axis=0)).sum())
        if constant:
            text = f"{constant} of {X.shape[1]} features are constant, without effect."
            notes.append(Event("note", text, {"what": "constant_features"}))
    return notes


def offset_notes(X, kernel) -> list[Event]:
    """For kernels of x'z, which keep no digits of small differences far from 0."""
    if sp.issparse(X):
        return []
    spread = X.std(axis=0, dtype=float)
    center = np.abs(X.mean(axis=0, dtype=float))
    ratio = float(np.max(center[spread > 0] / spread[spread > 0], initial=0.0))
    if ratio <= FAR:
        return []
    text = (
        f"A feature lies {ratio:.0e} times its spread away from 0, where the {kernel} "
        f"kernel rounds away what the points differ by: centre the features."
    )
    return [Event("note", text, {"what": "offset", "ratio": ratio})]
