"""The points and labels of a cell, and their checksum."""

import threading
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
import scipy.sparse as sp

from halfmoon.datasets import Dataset, Split, load
from ssl_core.kernels import gram

KEPT = 3  # data sets in memory at once
KEPT_MATRICES = 2
_matrices: dict[tuple[str, float], np.ndarray] = {}
_changing = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """What is trained on: all points, every class, and which rows are which.

    Attributes
    ----------
    X : {ndarray, CSR matrix} of shape (n, d)
    y : ndarray of shape (n,)
        Class numbers from 0.
    split : Split
        Labelled, unlabelled, validation and test rows.
    points : str
        Checksum of X and y.
    checksum : str
        Of all of these.
    """

    X: np.ndarray
    y: np.ndarray
    split: Split
    points: str
    checksum: str

    @classmethod
    def of(cls, X, y, split: Split, digest: str | None = None) -> "Posed":
        """With the checksum worked out; ``digest`` is that of X and y if known."""
        digest = digest_of(X, y) if digest is None else digest
        rows = (split.labeled, split.unlabeled, split.val, split.test)
        made = blake2b(digest.encode(), digest_size=16)
        for part in rows:
            made.update(f"|{len(part)}|".encode())
            made.update(np.ascontiguousarray(part, dtype="<i8"))
        return cls(X, y, split, digest, made.hexdigest())

    @property
    def given(self) -> np.ndarray:
        """(n,) labels in the order of the rows, -1 but for the labelled ones."""
        given = np.full(len(self.y), -1)
        given[self.split.labeled] = self.y[self.split.labeled]
        return given


def digest_of(X, y) -> str:
    """Checksum of points and classes, to single precision.

    The last bits of generated points differ between machines and decide nothing.
    """
    made = blake2b(digest_size=16)
    if sp.issparse(X):
        X = X.tocsr()
        parts = ((X.data, "<f4"), (X.indices, "<i8"), (X.indptr, "<i8"))
    else:
        parts = ((X, "<f4"),)
    for part, kind in (*parts, (y, "<i8")):
        made.update(f"{np.shape(part)}".encode())
        made.update(np.ascontiguousarray(part, dtype=kind))
    return made.hexdigest()


@lru_cache(maxsize=KEPT)
def data(name: str, **knobs) -> tuple[Dataset, str]:
    """A data set and its checksum, remembered."""
    found = load(name, **knobs)
    return found, digest_of(found.X, found.y)


def matrix(posed: Posed, sigma: float) -> np.ndarray:
    """The Gram matrix of all points, kept for the next cell that has the same ones."""
    key = (posed.points, float(sigma))
    K = _matrices.get(key)
    if K is None:
        with _changing:
            while len(_matrices) >= KEPT_MATRICES:
                del _matrices[next(iter(_matrices))]
        K = gram(posed.X, sigma=float(sigma))
        with _changing:
            _matrices[key] = K
    return K


def forget() -> None:
    """Give back the memory of data sets and matrices, in a process that lives on."""
    data.cache_clear()
    with _changing:
        _matrices.clear()
