"""Checks at the door: one clear sentence before any work is done."""

import numpy as np
import scipy.sparse as sp
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ssl_core.kernels import gram_bytes
from ssl_core.memory import available_memory
from ssl_core.trace import Array, Event, State

FAR = 1e4  # centre over spread of a feature; the digits lost are twice its logarithm
MEMORY_SHARE = 0.8  # of what is free; the rest of the machine wants to live too


def check_structure(X, name="X"):
    """Indices of a sparse matrix that point outside it are read from foreign memory."""
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
    """NaN and infinity, with where they are and the way out."""
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
    return tuple(A.shape if hasattr(A, "shape") else np.asarray(A).shape)


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
            f"start must be a state of a machine of the same kind, an "
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


def encode_labels(y, unlabeled) -> tuple[Array, Array]:
    """Classes and class indices, -1 where a point is unlabeled.

    Returns
    -------
    classes : ndarray of shape (k,)
    codes : int ndarray of shape (n,)
    """
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(
            f"y must be finite, got NaN or infinity; mark unlabelled points by "
            f"{unlabeled!r}."
        )
    hidden = is_unlabeled(y, unlabeled)
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
            if hidden.any() and unlabeled == -1
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
    y = np.asarray(y)
    if len(classes) == 2:
        codes = np.zeros(len(y), dtype=np.int8)
        codes[y == classes[0]], codes[y == classes[1]] = -1, 1
        return codes
    codes = np.full(len(y), -1, dtype=np.int16)
    for index, name in enumerate(classes):
        codes[y == name] = index
    return codes


def one_vs_rest(codes, n_classes) -> Array:
    """(n, 1) signs for two classes, (n, k) for more; 0 = unlabeled."""
    if n_classes == 2:
        Y = np.where(codes < 0, 0.0, 2.0 * codes - 1.0)[:, None]
        return np.asfortranarray(Y)
    Y = np.where(codes[:, None] == np.arange(n_classes), 1.0, -1.0)
    Y[codes < 0] = 0.0
    return np.asfortranarray(Y)


def check_memory(n, dtype, n_columns=None, *, single=True):
    """A Gram matrix that would not fit is refused before it is begun.

    ``single`` says whether the machine could store it in single precision.
    """
    n_columns = n if n_columns is None else n_columns
    need, free = gram_bytes(n, dtype) * n_columns // n, available_memory()
    if free is not None and need > MEMORY_SHARE * free:
        double = np.dtype(dtype) == np.float64
        smaller = "dtype='float32', " if single and double else ""
        raise ValueError(
            f"the Gram matrix of {n} x {n_columns} points in {np.dtype(dtype)} needs "
            f"{need / 1e9:.1f} GB and {free / 1e9:.1f} GB are free; use {smaller}fewer "
            f"points or a linear method."
        )


def data_notes(X, codes) -> list[Event]:
    """What is odd about the data, yet no reason to refuse it."""
    notes = []
    if (codes >= 0).all():
        text = (
            "All points are labelled: there is nothing unlabelled to learn from, "
            "the intrinsic term only smooths."
        )
        notes.append(Event("note", text, {"what": "no_unlabeled"}))
    if not sp.issparse(X) and X.shape[1] > 1:
        constant = int((X.max(axis=0) == X.min(axis=0)).sum())
        if constant:
            text = f"{constant} of {X.shape[1]} features are constant and say nothing."
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
