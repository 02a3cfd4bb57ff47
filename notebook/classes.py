"""The caller's labels, and their places in a list of classes, which the stage knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from halfmoon.common.lists import listed
from ssl_core.estimators._inputs import (
    check_container,
    check_labels,
    is_missing,
    is_unlabeled,
    marking,
    missing_mask,
    plain,
)
from ssl_core.trace import Array

HIDDEN = -1  # the place of a point without a label


class Classes:
    """All classes that points can be labelled as.

    Parameters
    ----------
    mark : object
        Of unlabelled points in y, as the classifier's ``unlabeled``.
    y, truth : array-like of shape (n,)
        Labels and true classes as the caller has them; truth may be None.
    names : sequence or None
        The classes in the order they are shown; those of y and truth when None.
    """

    def __init__(self, mark: Any, y: Any, truth: Any, names: Sequence[Any] | None):
        self.mark = mark
        if names is None:
            labels = {"y": y, "truth": truth}
            found = {c for n, v in labels.items() for c in self._labelled(v, n)}
            self.values = sorted(found, key=lambda c: (str(type(c)), c))
        else:
            self.values = self._named(names)
        if len(set(self.values)) < max(2, len(self.values)):
            raise ValueError(
                f"classes must name two classes or more, each once, got "
                f"{self.values!r:.200}; pass classes=[...] where y and truth do not "
                f"have all of them yet."
            )
        self.place = {c: i for i, c in enumerate(self.values)}

    def enough(self, places: np.ndarray) -> bool:
        """Whether two classes have a label, so that there is something to learn."""
        return len(np.unique(places[places >= 0])) > 1

    def shown(self, names: Sequence[str] | None) -> tuple[str, ...]:
        """What the classes are called on the stage."""
        if names is not None and len(listed(names, "class_names")) != len(self.values):
            raise ValueError(
                f"class_names must hold a name for each of the {len(self.values)} "
                f"classes {self.values}, got {len(names)}."
            )
        return tuple(map(str, self.values if names is None else names))

    def _named(self, names: Any) -> list[Any]:
        """Classes as the caller lists them."""
        values = [_scalar(c) for c in listed(names, "classes")]
        wrong = [c for c in values if not isinstance(c, str | bool | int | float)]
        wrong += [c for c in values if is_missing(c)]
        if wrong:
            raise ValueError(
                f"classes must be text or numbers, got {wrong[0]!r:.60}; give each "
                f"class as y has it."
            )
        if is_unlabeled(np.array(values, dtype=object), self.mark).any():
            raise ValueError(
                f"classes must not hold the mark of unlabelled points, {self.mark!r}; "
                f"if it is a class here, pass another unlabeled= to the estimator."
            )
        return values

    def _labelled(self, labels: Any, name: str) -> list[Any]:
        if labels is None and name == "truth":
            return []
        values = column(labels, name)
        hidden = is_unlabeled(values, self.mark)
        found = [_scalar(c) for c in values[~hidden]]
        return [c for c in found if not is_missing(c)]

    def places(self, y: Any, name: str) -> np.ndarray:
        """(n,) places of labels, -1 where a point has none."""
        values = column(y, name)
        hidden = is_unlabeled(values, self.mark)
        if name == "y":  # what nobody knows is missing in the truth
            check_labels(values[~hidden], self.mark)
            if missing_mask(values[~hidden]).any():
                raise ValueError(f"y must be whole, got NaN; {marking(self.mark)}.")
        strange = {_scalar(c) for c in values[~hidden]} - self.place.keys()
        strange = {c for c in strange if not is_missing(c)}
        if strange:
            raise ValueError(
                f"{name} must hold classes out of {self.values!r:.200}, or "
                f"{self.mark!r} for none, got {sorted(map(repr, strange))[0]:.60}; "
                f"pass classes=[...] with all of them."
            )
        places = np.array([self.place.get(_scalar(c), HIDDEN) for c in values], int)
        places[hidden] = HIDDEN
        return places

    def labels(self, places: np.ndarray) -> np.ndarray:
        """(n,) labels at places, as the caller names them; nobody can write to them."""
        values = [*self.values, self.mark]
        kinds = {type(v) for v in values}
        alike = len(kinds) == 1 or kinds == {int, float}
        y = np.empty(len(places), dtype=np.array(values).dtype if alike else object)
        y[:] = [values[p] for p in places]
        y.setflags(write=False)
        return y


def column(labels: Any, name: str) -> np.ndarray:
    """Labels as a flat array; single values and tables are none."""
    if name == "y":
        check_container(labels, name)
    known = labels if hasattr(labels, "shape") else np.asarray(labels, dtype=object)
    shape = tuple(known.shape)
    if len(shape) != 1:
        got = f"shape {shape}" if shape else f"{labels!r:.60}"
        raise ValueError(f"{name} must hold one label for each point, got {got}.")
    inside = known if known.dtype == object else ()
    strange = [v for v in inside if isinstance(v, list | tuple | dict | set | Array)]
    if strange:
        raise ValueError(
            f"{name} must hold one label for each point, got {strange[0]!r:.60} for "
            f"one of them."
        )
    return plain(labels)


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
