"""Dividing data into labelled, unlabelled, validation and test points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from halfmoon.common.memory import check_room
from halfmoon.datasets._base import Dataset
from halfmoon.datasets.registry import as_rng


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Row numbers of four disjoint parts.

    Parameters
    ----------
    labeled, unlabeled, val, test : ndarray of int64
        Sorted row numbers. Training uses ``labeled`` and ``unlabeled``; ``val``
        tunes and stops; ``test`` is looked at once.
    """

    labeled: np.ndarray
    unlabeled: np.ndarray
    val: np.ndarray
    test: np.ndarray

    def __post_init__(self) -> None:
        for part in ("labeled", "unlabeled", "val", "test"):
            rows = np.sort(np.asarray(getattr(self, part), dtype=np.int64))
            object.__setattr__(self, part, rows)
        rows = np.concatenate([self.labeled, self.unlabeled, self.val, self.test])
        if len(np.unique(rows)) != len(rows):
            raise ValueError(
                "`labeled`, `unlabeled`, `val` and `test` must be disjoint."
            )

    @property
    def train(self) -> np.ndarray:
        """Training rows: the labelled ones, then the unlabelled ones."""
        return np.concatenate([self.labeled, self.unlabeled])

    def y_train(self, y: np.ndarray | Dataset) -> np.ndarray:
        """Labels of the :attr:`train` rows, -1 where unlabelled.

        Parameters
        ----------
        y : ndarray of shape (n,) or Dataset
            Every label.

        Returns
        -------
        ndarray of shape (n_labeled + n_unlabeled,)
        """
        y = _with_room_for_mark(_labels_of(y))
        hidden = np.full(len(self.unlabeled), -1, dtype=y.dtype)
        return np.concatenate([y[self.labeled], hidden])

    def __repr__(self) -> str:
        return (
            f"Split({len(self.labeled)} labelled, {len(self.unlabeled)} unlabelled, "
            f"{len(self.val)} val, {len(self.test)} test)"
        )


def split(
    data: Dataset | np.ndarray,
    *,
    n_labeled: int | None = None,
    per_class: int | None = None,
    n_val: int = 0,
    test_size: int | float = 0,
    fold: tuple[int, int] | None = None,
    random_state: int | np.random.Generator = 0,
) -> Split:
    """Divide points at random.

    Parameters
    ----------
    data : Dataset or ndarray of shape (n,)
        Data, or its labels.
    n_labeled : int
        Labels to keep, at least one of each class.
    per_class : int
        Instead of ``n_labeled``: exactly so many labels of each class.
    n_val : int, default 0
        Validation points, at least one of each class when there are any.
    test_size : int or float, default 0
        Test points, or their share when a float below 1; stratified.
    fold : (int, int), optional
        Instead of ``test_size``: ``(i, k)`` tests on fold i of k stratified folds.
        The same seed gives the same folds for each i.
    random_state : int or Generator, default 0
        Seed.

    Returns
    -------
    Split
        Disjoint, and together all n points.
    """
    y = _complete_labels(data)
    rng = as_rng(random_state)
    if fold is not None:
        if test_size:
            raise ValueError("test_size and fold exclude each other; give one of them.")
        test = _fold(y, fold, rng)
    else:
        test = stratified_rows(y, _count(test_size, len(y)), rng)
    return _divide(y, test, _n_labeled(y, n_labeled, per_class), n_val, per_class, rng)


def hide_labels(
    data: Dataset | np.ndarray,
    n_labeled: int | None = None,
    *,
    per_class: int | None = None,
    random_state: int | np.random.Generator = 0,
) -> np.ndarray:
    """Labels with all but a few replaced by -1.

    Parameters
    ----------
    data : Dataset or ndarray of shape (n,)
        Data, or its labels.
    n_labeled : int
        Labels to keep, at least one of each class.
    per_class : int
        Instead of ``n_labeled``: exactly so many labels of each class.
    random_state : int or Generator, default 0
        Seed.

    Returns
    -------
    ndarray of shape (n,)
    """
    y = _complete_labels(data)
    parts = split(
        y, n_labeled=n_labeled, per_class=per_class, random_state=random_state
    )
    hidden = _with_room_for_mark(y).copy()
    hidden[parts.unlabeled] = -1
    return hidden


def original_split(data: Dataset, i: int = 0, n_labeled: int | None = None) -> Split:
    """Split number i of those that came with a benchmark file.

    Parameters
    ----------
    data : Dataset
        A data set with ``splits``.
    i : int, default 0
        Number of the split.
    n_labeled : int, optional
        Which family of splits; needed only when the file has several.

    Returns
    -------
    Split
        No validation and no test points: the papers test on the unlabelled ones.
    """
    if data.splits is None:
        raise ValueError(
            f"{data.name or 'this data set'} came without original splits; use split()."
        )
    sizes = data.splits.sizes
    if n_labeled is None and len(sizes) == 1:
        n_labeled = sizes[0]
    if n_labeled not in sizes:
        raise ValueError(
            f"n_labeled must be one of {', '.join(map(str, sizes))} for the original "
            f"splits of {data.name}, got {n_labeled}."
        )
    count = data.splits.count(n_labeled)
    if not 0 <= i < count:
        raise ValueError(f"i must be in [0, {count - 1}], got {i}.")
    labeled = np.asarray(data.splits.labeled[n_labeled][i], dtype=np.int64)
    rest = np.setdiff1d(np.arange(data.n), labeled)
    return Split(labeled, rest, _NONE, _NONE)


def lapsvm_protocol(
    data: Dataset | np.ndarray,
    n_labeled: int,
    n_val: int,
    *,
    n_repeats: int = 3,
    n_folds: int = 4,
    test_start: int | None = None,
    random_state: int | np.random.Generator = 0,
) -> Iterator[Split]:
    """The splits of Melacci and Belkin, section 6.2: 3 times 4 folds.

    Each fold has each class in the proportion of the whole. One fold is the test set;
    the other three give L and V at random, at least one point of each class in both
    and no other balance, and U is what remains.

    Parameters
    ----------
    data : Dataset or ndarray of shape (n,)
        Data, or its labels.
    n_labeled, n_val : int
        Sizes of L and V, Table 2 of the paper.
    n_repeats, n_folds : int
        3 and 4 in the paper.
    test_start : int, optional
        Rows from here on are the test set each time, and L and V have balanced
        classes: what the paper does with MNIST3VS8.
    random_state : int or Generator, default 0
        Seed.

    Yields
    ------
    Split
        ``n_repeats * n_folds`` of them.
    """
    y = _complete_labels(data)
    rng = as_rng(random_state)
    l = _n_labeled(y, n_labeled, None)  # noqa: E741 - the paper's letter
    if test_start is not None and not 0 < test_start < len(y):
        raise ValueError(f"test_start must be in [1, {len(y) - 1}], got {test_start}.")
    for _ in range(n_repeats):
        folds = _folds(y, n_folds, rng)
        for i in range(n_folds):
            if test_start is None:
                yield _divide(y, np.flatnonzero(folds == i), l, n_val, None, rng)
            else:
                yield _balanced(y, test_start, l, n_val, rng)


def stratified_rows(y: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """``size`` rows at random with each class in proportion, up to rounding.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Labels.
    size : int
        Rows to take.
    rng : Generator
        Source of randomness.

    Returns
    -------
    ndarray of shape (size,)
        Sorted row numbers.
    """
    classes, counts = np.unique(y, return_counts=True)
    exact = counts * size / len(y)
    take = np.floor(exact).astype(int)
    # The largest remainders get what rounding down left over.
    take[np.argsort(take - exact, kind="stable")[: size - take.sum()]] += 1
    chosen = [
        rng.choice(np.flatnonzero(y == c), m, replace=False)
        for c, m in zip(classes, take, strict=True)
    ]
    return np.sort(np.concatenate(chosen))


# -- labels and counts ---------------------------------------------------------------

_NONE = np.empty(0, dtype=np.int64)
VECTORS = 8  # of n numbers, while points are divided


def _labels_of(data: Dataset | np.ndarray) -> np.ndarray:
    return data.y if isinstance(data, Dataset) else np.asarray(data)


def _with_room_for_mark(y: np.ndarray) -> np.ndarray:
    """Labels of a type that can hold -1, or its text among words."""
    if y.dtype.kind in "bu":
        return y.astype(np.int64)
    return y.astype(np.promote_types(y.dtype, "U2")) if y.dtype.kind == "U" else y


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be a whole number, got {value!r}.")
    return int(value)


def _complete_labels(data: Dataset | np.ndarray) -> np.ndarray:
    y = _labels_of(data)
    if y.ndim != 1 or not len(y):
        raise ValueError(f"y must be one label a point, got shape {y.shape}.")
    item = 8 * VECTORS + y.dtype.itemsize
    check_room("a split", lambda n: item * n, len(y), "divide fewer points")
    if np.issubdtype(y.dtype, np.number) and (y == -1).any():
        raise ValueError(
            f"y must hold every label, got {np.count_nonzero(y == -1)} times -1, "
            f"which marks unlabelled points; divide the labelled rows only."
        )
    return y


def _n_labeled(y: np.ndarray, n_labeled: int | None, per_class: int | None) -> int:
    classes, counts = np.unique(y, return_counts=True)
    if (n_labeled is None) == (per_class is None):
        raise ValueError("give either n_labeled or per_class.")
    if per_class is not None:
        if not 1 <= _whole("per_class", per_class) <= counts.min():
            raise ValueError(
                f"per_class must be in [1, {counts.min()}], the size of the smallest "
                f"class, got {per_class}."
            )
        return per_class * len(classes)
    if not len(classes) <= _whole("n_labeled", n_labeled) <= len(y):
        raise ValueError(
            f"n_labeled must be in [{len(classes)}, {len(y)}], one label a class at "
            f"least, got {n_labeled}."
        )
    return n_labeled


def _count(test_size: int | float, n: int) -> int:
    if isinstance(test_size, float) and 0 <= test_size < 1:
        return round(test_size * n)
    real = isinstance(test_size, int | float | np.integer | np.floating)
    if real and float(test_size).is_integer() and 0 <= test_size < n:
        return int(test_size)
    raise ValueError(
        f"test_size must be a share in [0, 1) or a count below {n}, got {test_size}."
    )


def _divide(
    y: np.ndarray,
    test: np.ndarray,
    n_labeled: int,
    n_val: int,
    per_class: int | None,
    rng: np.random.Generator,
) -> Split:
    """Take L and then V out of everything but the test rows; U is the rest."""
    k = len(np.unique(y))
    rest = np.setdiff1d(np.arange(len(y)), test)
    if _whole("n_val", n_val) and n_val < k:
        raise ValueError(f"n_val must be 0 or at least {k}, one a class, got {n_val}.")
    if n_labeled + n_val > len(rest):
        raise ValueError(
            f"n_labeled + n_val must be at most {len(rest)}, the points that are not "
            f"test points, got {n_labeled} + {n_val}."
        )
    present = _class_sizes(y, rest)
    if per_class is not None:
        need_labeled = per_class
        labeled = np.concatenate(
            [_sample(rest[y[rest] == c], per_class, rng, c) for c in np.unique(y)]
        )
    else:
        need_labeled = 1
        _require(present, need_labeled + bool(n_val))
        # One of each class is set aside for V, so that a small class is not used up.
        kept = _one_of_each(y, rest, rng) if n_val else _NONE
        labeled = _at_least_one(y, np.setdiff1d(rest, kept), n_labeled, rng)
    _require(present, need_labeled + bool(n_val))
    rest = np.setdiff1d(rest, labeled)
    val = _at_least_one(y, rest, n_val, rng) if n_val else _NONE
    return Split(labeled, np.setdiff1d(rest, val), val, test)


def _balanced(
    y: np.ndarray, test_start: int, n_labeled: int, n_val: int, rng: np.random.Generator
) -> Split:
    """L and V with equal classes from the rows before ``test_start``."""
    rest, parts = np.arange(test_start), []
    classes = np.unique(y)
    for size in (n_labeled, n_val):
        shares = [
            size // len(classes) + (c < size % len(classes))
            for c in range(len(classes))
        ]
        chosen = np.concatenate(
            [
                _sample(rest[y[rest] == c], m, rng, c)
                for c, m in zip(classes, shares, strict=True)
            ]
        )
        parts.append(chosen)
        rest = np.setdiff1d(rest, chosen)
    return Split(parts[0], rest, parts[1], np.arange(test_start, len(y)))


def _class_sizes(y: np.ndarray, rows: np.ndarray) -> dict:
    return {c: int(np.count_nonzero(y[rows] == c)) for c in np.unique(y)}


def _require(sizes: dict, need: int) -> None:
    for c, size in sizes.items():
        if size < need:
            raise ValueError(
                f"class {c} has {size} points outside the test set and needs {need}, "
                f"one for each part; use a smaller test set or fewer parts."
            )


def _sample(pool: np.ndarray, size: int, rng: np.random.Generator, c) -> np.ndarray:
    if size > len(pool):
        raise ValueError(
            f"class {c} has {len(pool)} points left, {size} were asked for; ask for "
            f"fewer labels or validation points."
        )
    return rng.choice(pool, size, replace=False)


def _one_of_each(y: np.ndarray, rows: np.ndarray, rng) -> np.ndarray:
    return np.array([rng.choice(rows[y[rows] == c]) for c in np.unique(y)])


def _at_least_one(y: np.ndarray, pool: np.ndarray, size: int, rng) -> np.ndarray:
    """``size`` rows at random of which each class has one or more."""
    if size > len(pool):
        raise ValueError(
            f"{size} points were asked for and {len(pool)} are left once each class "
            f"has a validation point; ask for fewer labels."
        )
    first = _one_of_each(y, pool, rng)
    more = rng.choice(np.setdiff1d(pool, first), size - len(first), replace=False)
    return np.concatenate([first, more])


def _fold(y: np.ndarray, fold: tuple[int, int], rng) -> np.ndarray:
    whole = isinstance(fold, tuple) and len(fold) == 2
    i, k = (_whole("each number of fold", part) for part in fold) if whole else (0, 0)
    if not (2 <= k <= len(y) and 0 <= i < k):
        raise ValueError(
            f"fold must be (i, k) with 0 <= i < k and 2 <= k <= {len(y)}, got {fold}."
        )
    return np.flatnonzero(_folds(y, k, rng) == i)


def _folds(y: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """(n,) fold numbers; classes and fold sizes are even up to one point."""
    # Dealing the shuffled points class after class, like cards, does both at once.
    order = np.concatenate(
        [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
    )
    folds = np.empty(len(y), dtype=np.int64)
    folds[order] = np.arange(len(y)) % k
    return folds
