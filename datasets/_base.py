"""What a data set is: points, every label, names, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp


@dataclass(frozen=True, slots=True, eq=False)
class OriginalSplits:
    """Labelled sets that came with a benchmark file, for comparable numbers.

    Parameters
    ----------
    labeled : mapping of int to ndarray of shape (n_splits, n_labeled)
        Row numbers of the labelled points, one split a row, under the number of
        labels. Every other point of the file is unlabelled.
    """

    labeled: Mapping[int, np.ndarray]

    def __post_init__(self) -> None:
        object.__setattr__(self, "labeled", dict(self.labeled))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of labels on offer, smallest first."""
        return tuple(sorted(self.labeled))

    def count(self, n_labeled: int) -> int:
        """Number of splits with ``n_labeled`` labels."""
        return len(self.labeled[n_labeled])


class NumberedColumns(Sequence):
    """Names x1, x2, ... of n columns, made on request."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(self.n))]
        if not -self.n <= i < self.n:
            raise IndexError(f"column number must be below {self.n}, got {i}.")
        return self._name(i % self.n)

    def _name(self, i: int) -> str:
        return f"x{i + 1}"


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Points with every label; hiding labels is a separate, visible step.

    Parameters
    ----------
    X : ndarray or csr_matrix of shape (n, d), float64
        Points.
    y : ndarray of shape (n,), int64
        Class indices ``0 .. k-1``. Only data of a user's own may hold -1, which
        marks a point whose label is unknown.
    class_names : tuple of str
        ``class_names[y[i]]`` names the class of point i.
    feature_names : sequence of str
        One name a column; may be a lazy sequence.
    image_shape : (int, int) or None
        ``X[i].reshape(image_shape)`` is an upright image when given.
    name, description : str
        Registry name and one or two sentences, scaling included.
    splits : OriginalSplits or None
        Splits distributed with the file.
    test_start : int or None
        Rows from here on are the original test part.
    meta : mapping
        Anything more: source, licence, reference, knobs, geometry.
    """

    X: np.ndarray | sp.csr_matrix
    y: np.ndarray
    class_names: tuple[str, ...] = ()
    feature_names: Sequence[str] = ()
    image_shape: tuple[int, int] | None = None
    name: str = ""
    description: str = ""
    splits: OriginalSplits | None = None
    test_start: int | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        X, y = self.X, np.asarray(self.y)
        if X.ndim != 2 or y.ndim != 1 or X.shape[0] != y.shape[0]:
            raise ValueError(
                f"X must be (n, d) and y (n,) with the same n, "
                f"got {X.shape} and {y.shape}."
            )
        if sp.issparse(X):
            X = sp.csr_matrix(X, dtype=np.float64)
        else:
            X = np.ascontiguousarray(X, dtype=np.float64)
        y = y.astype(np.int64)
        if not self.class_names:
            n_classes = int(y.max(initial=-1)) + 1
            names = tuple(f"class {i + 1}" for i in range(n_classes))
            object.__setattr__(self, "class_names", names)
        if y.size and (y.min() < -1 or y.max() >= len(self.class_names)):
            raise ValueError(
                f"y must hold class indices below {len(self.class_names)} "
                f"(or -1), got values from {y.min()} to {y.max()}."
            )
        if not len(self.feature_names):
            names = tuple(f"x{j + 1}" for j in range(X.shape[1]))
            object.__setattr__(self, "feature_names", names)
        if len(self.feature_names) != X.shape[1]:
            raise ValueError(
                f"feature_names must have one name a column, got "
                f"{len(self.feature_names)} names for {X.shape[1]} columns."
            )
        if self.image_shape and int(np.prod(self.image_shape)) != X.shape[1]:
            raise ValueError(
                f"image_shape must multiply to the number of columns "
                f"{X.shape[1]}, got {self.image_shape}."
            )
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)
        object.__setattr__(self, "meta", dict(self.meta))

    @property
    def n(self) -> int:
        """Number of points."""
        return self.X.shape[0]

    @property
    def dims(self) -> int:
        """Number of columns."""
        return self.X.shape[1]

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.class_names)

    @property
    def is_sparse(self) -> bool:
        """Whether X is a CSR matrix."""
        return sp.issparse(self.X)

    def take(self, rows: np.ndarray) -> Dataset:
        """The data set made of ``rows``; original splits and test part go."""
        return replace(
            self, X=self.X[rows], y=self.y[rows], splits=None, test_start=None
        )

    def __repr__(self) -> str:
        form = "csr" if self.is_sparse else "dense"
        return (
            f"Dataset({self.name or 'unnamed'!r}, {self.n} x {self.dims} {form}, "
            f"{self.n_classes} classes)"
        )
