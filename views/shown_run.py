"""A run as views see it: its trace, and what is known of classes and points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfmoon.common.lists import listed
from ssl_core import Trace
from ssl_core.registry import Algorithm, algorithm_of
from ssl_core.viz.measures import labeled_mask


@dataclass(frozen=True, eq=False)
class ShownRun:
    """What a view of a run is made of.

    Parameters
    ----------
    trace : Trace
    entry : Algorithm or None
        What is known of the method; None for one that is not registered.
    class_names : sequence of str
        Of all classes of the data.
    classes : ndarray of shape (m,)
        Which of these the run knew, in the order of its outputs.
    truth : ndarray of shape (n,) or None
        True classes of the training points in the core's convention; see
        `ssl_core.viz.measures.error_rates`.
    """

    trace: Trace
    entry: Algorithm | None
    class_names: tuple[str, ...]
    classes: np.ndarray
    truth: np.ndarray | None = None

    @property
    def n_classes(self) -> int:
        return len(self.class_names)

    @property
    def given(self) -> np.ndarray:
        """(n,) place of each label's class in `class_names`, -1 = unlabelled."""
        known = labeled_mask(self.trace)
        codes = np.asarray(self.trace.y, dtype=int)
        places = codes if self.trace.multiclass else (codes > 0).astype(int)
        given = np.full(len(codes), -1)
        given[known] = self.classes[places[known]]
        return given

    def outputs(self, F: np.ndarray) -> np.ndarray:
        """Outputs of the run over all classes of the data.

        The classes that no point was labelled as never win.

        Parameters
        ----------
        F : ndarray of shape (T, ...) for two known classes, or (T, ..., m)

        Returns
        -------
        F as it is for two classes, else (T, ..., k)
        """
        k, classes = self.n_classes, self.classes
        if k == 2 or (len(classes) == k and k > 2):
            return F
        if len(classes) == 2:
            F = np.stack([-F, F], axis=-1)
        full = np.full((*F.shape[:-1], k), F.min() - 1.0)
        full[..., classes] = F
        return full


def run_of(
    trace: Trace, truth: Sequence[Any] | None, class_names: Sequence[str] | None
) -> tuple[ShownRun, np.ndarray | None]:
    """A trace as a run, and the true classes as places in its names.

    Parameters
    ----------
    trace : Trace
    truth : array-like of shape (n,) or None
        True classes as the caller of the estimator names them; None or NaN where
        nobody knows.
    class_names : sequence of str or None
        For the trace's classes, in their order; they are called as they are when None.
    """
    class_names = None if class_names is None else listed(class_names, "class_names")
    truth = None if truth is None else listed(truth, "truth")
    known = list(trace.classes) or list(range(2 if not trace.multiclass else 0))
    if trace.multiclass and not trace.classes:
        known = list(range(trace.final.f.shape[1]))
    if class_names is not None and len(class_names) != len(known):
        raise ValueError(
            f"class_names must hold a name for each of the {len(known)} classes "
            f"{known}, got {len(class_names)}."
        )
    names = [str(name) for name in (known if class_names is None else class_names)]
    classes, entry = np.arange(len(known)), algorithm_of(trace)
    run = ShownRun(trace, entry, tuple(names), classes)
    if truth is None:
        return run, None
    true, others = _places(truth, known, len(trace.y))
    true = np.where(run.given >= 0, run.given, true)  # it is what it was labelled
    everyone = (*names, *(str(c) for c in others))
    return ShownRun(trace, entry, everyone, classes, encoded(true, classes)), true


def _places(truth, known: list, n: int) -> tuple[np.ndarray, list]:
    """True classes as places, -1 = unknown, and those that no label has."""
    truth = list(np.asarray(truth, dtype=object))
    if len(truth) != n:
        raise ValueError(
            f"truth must hold a class for each of the {n:,} training points, got "
            f"{len(truth):,}."
        )
    places = {c: i for i, c in enumerate(known)}
    found = np.full(n, -1)
    for i, c in enumerate(truth):
        c = c.item() if isinstance(c, np.generic) else c
        if c is None or c != c:  # nobody knows
            continue
        found[i] = places.setdefault(c, len(places))
    return found, list(places)[len(known) :]


def encoded(true: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """True classes as `ssl_core` writes those of a run.

    A class without a label cannot be guessed right: it gets a code that no decision
    equals.

    Parameters
    ----------
    true : ndarray of shape (n,)
        Places in the names of all classes, -1 = unknown.
    classes : ndarray of shape (m,)
        Which of these the run knew.
    """
    m = len(classes)
    code = np.full(max([-1, *true, *classes]) + 2, m)
    code[classes] = np.arange(m) if m > 2 else [-1, 1]
    code[-1] = -1 if m > 2 else 0  # unknown
    return code[true]
