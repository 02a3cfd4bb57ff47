"""What a live stage is given, checked once: a sentence for what cannot be meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from halfmoon.common.lists import listed
from ssl_core.estimators._inputs import (
    check_container,
    check_finite,
    check_shapes,
    check_structure,
    is_missing,
)

PARTS = ("val", "test")


def classifier(estimator: Any, name: str) -> Any:
    """A copy of a classifier of ours, not fitted; ``name`` is what its caller says."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{name} must be a classifier, got the class {estimator.__name__}; pass an "
            f"instance, {estimator.__name__}()."
        )
    parts = ("trace", "iterate", "unlabeled", "get_params")
    if not all(hasattr(estimator, part) for part in parts):
        raise TypeError(
            f"{name} must be a classifier of Halfmoon, as make(name) gives it, "
            f"got {type(estimator).__name__}."
        )
    return clone(estimator)


def check_mark(estimator: Any, mark: Any) -> None:
    """One that is put into a lab must mark unlabelled points as its y does."""
    got = estimator.unlabeled
    if (is_missing(got) and is_missing(mark)) or (type(got), got) == (type(mark), mark):
        return
    raise ValueError(
        f"est must mark unlabelled points as y does, by {mark!r}, got "
        f"unlabeled={got!r}; pass unlabeled={mark!r} to it."
    )


def matrix(X: Any) -> Any:
    """Points as a matrix of numbers that is the lab's own."""
    check_container(X, "X")
    check_shapes(X, None)
    if sp.issparse(X):
        own = X.tocsr(copy=True)
        check_structure(own)
    else:
        try:
            own = np.array(X)
            own = own if own.dtype.kind in "fiu" else own.astype(float)
        except (TypeError, ValueError):
            raise ValueError(
                "X must hold numbers, got text or objects; encode them, or drop these "
                "columns."
            ) from None
        own.setflags(write=False)
    check_finite(own)
    return own


def columns_of(X: Any) -> list[str] | None:
    """Names of the columns of a table; None where they are not text."""
    names = list(getattr(X, "columns", ()))
    return names if names and all(isinstance(name, str) for name in names) else None


def check_rows(X: Any, n: int) -> None:
    """As many points as there are labels."""
    if X.shape[0] != n:
        raise ValueError(
            f"X must have one row for each of the {n:,} labels, got {X.shape[0]:,}."
        )


def check_parts(parts: Mapping[str, Any], X: Any) -> dict[str, Any]:
    """Validation and test points, those that are there; they come with their labels."""
    found = {name: part for name, part in parts.items() if part is not None}
    for part in PARTS:
        A, y = found.get(f"X_{part}"), found.get(f"y_{part}")
        if A is None and y is None:
            continue
        if A is None or y is None:
            got = "X" if y is None else "y"
            raise ValueError(
                f"X_{part} and y_{part} must come together, got only {got}_{part}."
            )
        shape, n = np.shape(A) if not sp.issparse(A) else A.shape, len(y)
        if len(shape) != 2 or shape[1] != X.shape[1] or shape[0] != n:
            raise ValueError(
                f"X_{part} must have one row for each label of y_{part} and the "
                f"features of X, shape ({n:,}, {X.shape[1]:,}), got {tuple(shape)}."
            )
    return found


def names_of_axes(names: Any) -> tuple[str, str] | None:
    """What the two axes are called."""
    if names is None:
        return None
    found = tuple(map(str, listed(names, "axis_names")))
    if len(found) != 2:
        raise ValueError(f"axis_names must be two, got {len(found)}: {names!r:.60}.")
    return found


def places_of_points(points: Any) -> np.ndarray | None:
    """Where points are drawn, as numbers."""
    if points is None:
        return None
    try:
        return np.array(points, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            f"points must hold two numbers for each point, got {points!r:.60}."
        ) from None
