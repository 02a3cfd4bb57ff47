"""From a scenario to arrays: the data as edited, who is labelled, who is held out.

The pages' `export.script` writes the same steps as a script; a test runs both and
compares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from halfmoon.datasets import Dataset, hide_labels, load, telling_points
from halfmoon.datasets.bundled import scale_columns
from halfmoon.scenario import DRAWN, UPLOAD, Drawing, Labels, Scenario
from halfmoon.scenario.refusals import (
    RefusedError,
    hold_out,
    one_label_per_class,
)
from ssl_core.viz.words import plural

NEED_VALIDATION = ("validation", "mixed")  # stopping rules
HELD_OUT = 20  # validation points that such a rule is given
Tables = Callable[[Scenario], Dataset]


@dataclass(frozen=True, eq=False)
class Problem:
    """What a run is made of.

    Parameters
    ----------
    base : Dataset
        Before anyone moved, added or removed a point.
    data : Dataset
        As the run sees it; ``y`` is -1 where the class is unknown.
    row : ndarray of shape (n,)
        Number of each point: its row of ``base``, or ``base.n + j`` for added point j.
    train, val, test : ndarray of int
        Rows of ``data``; ``train`` is what the stage shows, in this order.
    given : ndarray of shape (len(train),)
        Class of each training point as the run gets it, -1 = unlabelled.
    remarks : tuple of str
        What the reader should know about how it came about.
    n_added : int
        Points that were ever added, removed ones included.
    """

    base: Dataset
    data: Dataset
    row: np.ndarray
    train: np.ndarray
    val: np.ndarray
    test: np.ndarray
    given: np.ndarray
    remarks: tuple[str, ...] = ()
    n_added: int = 0

    @property
    def X(self):
        return self.data.X[self.train]

    @property
    def next_number(self) -> int:
        """What the next point that is added will be called."""
        return self.base.n + self.n_added

    @property
    def truth(self) -> np.ndarray:
        return self.data.y[self.train]

    @property
    def n_labelled(self) -> int:
        return int((self.given >= 0).sum())

    @property
    def n_unlabelled(self) -> int:
        return len(self.given) - self.n_labelled

    def part(self, name: str):
        """(X, y) of the held-out points "val" or "test" whose class is known."""
        rows = getattr(self, name)
        rows = rows[self.data.y[rows] >= 0]
        return self.data.X[rows], self.data.y[rows]


def read_data(scenario: Scenario, tables: Tables | None = None) -> Dataset:
    """The data before any edit; may take a while and may raise a sentence."""
    if scenario.data == DRAWN:
        k = scenario.knobs["n_classes"]
        names = tuple(f"class {c + 1}" for c in range(k))
        return Dataset(np.empty((0, 2)), np.empty(0, dtype=int), names, name=DRAWN)
    if scenario.data == UPLOAD:
        if tables is None:
            raise ValueError("The uploaded file is gone; upload it again.")
        data = tables(scenario)
        if data.is_sparse:
            return data
        return replace(data, X=scale_columns(data.X, scenario.upload.scale))
    return load(scenario.data, random_state=scenario.seed, **scenario.knobs)


def pose(scenario: Scenario, base: Dataset) -> Problem:
    """Apply a scenario's edits, hold points out and choose the labels."""
    remarks: list[str] = []
    data, row = apply_drawing(base, scenario.drawing)
    pinned = _pinned(scenario, base, row)
    val, test = held_out(data.n, scenario.n_val, scenario.n_test, scenario.seed, pinned)
    if len(val) < scenario.n_val or len(test) < scenario.n_test:
        remarks.append(
            f"Only {len(val)} validation and {len(test)} test points could be held "
            f"out: half of the {data.n} points always stay for training."
        )
    train = np.setdiff1d(np.arange(data.n), np.concatenate([val, test]))
    given = choose_labels(scenario, data, row, train, remarks)
    missing = np.setdiff1d(data.y[train], [-1, *given])
    if len(missing) and (given >= 0).any() and data.n_classes > 2:
        k, has = len(missing), "has" if len(missing) == 1 else "have"
        remarks.append(
            f"{k} of {data.n_classes} {plural(k, 'class')} {has} no label, so no point "
            f"is ever predicted as one of them."
        )
    n_added = len(scenario.drawing.added) if base.dims == 2 else 0
    return Problem(base, data, row, train, val, test, given, tuple(remarks), n_added)


def apply_drawing(base: Dataset, drawing: Drawing) -> tuple[Dataset, np.ndarray]:
    """Move, remove and add points.

    Returns
    -------
    data : Dataset
        The kept points in their order, then the added ones.
    row : ndarray of shape (n,)
        Row of ``base``, or ``base.n + j`` for added point j.
    """
    if drawing == Drawing() or base.dims != 2:
        return base, np.arange(base.n)
    X = np.array(base.X)
    for i, x, y in drawing.moved:
        if i < base.n:
            X[i] = x, y
    added = np.array([p[:2] for p in drawing.added], dtype=float).reshape(-1, 2)
    marks = np.array([p[2] for p in drawing.added], dtype=int)
    marks[marks >= base.n_classes] = -1
    row = np.setdiff1d(np.arange(base.n + len(added)), drawing.removed)
    X, y = np.vstack([X, added])[row], np.concatenate([base.y, marks])[row].astype(int)
    return replace(base, X=X, y=y, splits=None, test_start=None), row


def _pinned(scenario: Scenario, base: Dataset, row: np.ndarray) -> np.ndarray:
    """Rows of the edited data that must not be held out."""
    keep = row >= base.n
    if scenario.labels.how == "hand":
        keep |= np.isin(row, [i for i, _ in scenario.labels.hand])
    return np.flatnonzero(keep)


def held_out(n, n_val, n_test, seed, pinned=()) -> tuple[np.ndarray, np.ndarray]:
    """Rows for validation and test; at least half of the points stay for training."""
    order = np.random.default_rng(seed).permutation(n)
    order = order[~np.isin(order, pinned)][: n // 2]
    return np.sort(order[:n_val]), np.sort(order[n_val : n_val + n_test])


def choose_labels(scenario, data, row, train, remarks) -> np.ndarray:
    """Class of each training point as the run gets it; -1 = unlabelled."""
    labels: Labels = scenario.labels
    truth = data.y[train]
    given = np.full(len(train), -1)
    known = np.flatnonzero(truth >= 0)
    if labels.how == "hand":
        hand = dict(labels.hand)
        for i, r in enumerate(row[train]):
            c = hand.get(int(r), -1)
            given[i] = c if c < data.n_classes else -1
        shown = set(row[train].tolist())
        lost = sum(r not in shown for r, c in labels.hand if c >= 0)
        if lost:
            remarks.append(f"{lost} labels belong to points that do not exist here.")
    elif labels.how == "file":
        given[known] = truth[known]
    elif labels.how == "random":
        sizes = np.bincount(truth[known], minlength=data.n_classes)
        smallest = int(sizes[sizes > 0].min()) if sizes.any() else 0
        per_class = min(labels.count, smallest)
        if per_class < labels.count:
            remarks.append(
                f"The smallest class has {smallest} points, so {per_class} labels per "
                f"class are given."
            )
        if per_class:
            given[known] = hide_labels(
                truth[known], per_class=per_class, random_state=labels.draw
            )
    elif len(train):
        count = min(labels.count, len(train))
        chosen = telling_points(data.X[train], count, random_state=labels.draw)
        given[chosen] = truth[chosen]
        unknown = int((truth[chosen] < 0).sum())
        if unknown:
            remarks.append(f"The class of {unknown} of the chosen points is unknown.")
    return given


def encoded_truth(problem: Problem, est) -> np.ndarray:
    """True classes in the core's convention; a labelled point is what it was labelled.

    A point of a class that has no label cannot be guessed right: it gets a code that
    no decision equals, so that it counts as wrong and not as unknown.
    """
    classes = np.where(problem.given >= 0, problem.given, problem.truth)
    truth = est.encode(classes)
    k = len(est.classes_)
    truth[(classes >= 0) & ~np.isin(classes, est.classes_)] = 2 if k == 2 else k
    return truth


def check_posed(problem: Problem, scenario: Scenario) -> None:
    """Raise a sentence with a way out where no run is possible."""
    n = len(problem.train)
    if n < 2:
        found = "There is one point" if n else "There are no points yet"
        raise ValueError(
            f"{found}. Choose a brush and click on the stage to add some, or hold and "
            "move with Spray; the unlabelled brush adds points without a label."
        )
    classes = np.unique(problem.given[problem.given >= 0])
    if len(classes) < 2:
        found = "no point is labelled" if not len(classes) else "all are of one class"
        hint = (
            "ask for more of them"
            if scenario.labels.how == "telling"
            else "click a point of another class on the stage"
        )
        several = len(np.unique(problem.truth[problem.truth >= 0])) > 1
        raise RefusedError(
            f"Labels of at least two classes are needed, and {found}: {hint}.",
            one_label_per_class() if several else None,
        )
    if scenario.params.get("stop") in NEED_VALIDATION and not len(
        problem.part("val")[1]
    ):
        raise RefusedError(
            "This stopping rule watches the error on validation points, and none are "
            "held out: hold out a few, or choose another rule.",
            None if scenario.data == DRAWN else hold_out(HELD_OUT),
        )
