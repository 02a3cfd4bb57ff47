"""The caller's labels, and their places in a list of classes, which the stage knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ssl_core.estimators._inputs import check_labels, is_missing, is_unlabeled, plain

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
        self.values = list(map(_scalar, names or ()))
        if names is None:
            found = {c for labels in (y, truth) for c in self._labelled(labels)}
            self.values = sorted(found, key=lambda c: (str(type(c)), c))
        if len(set(self.values)) < max(2, len(self.values)):
            raise ValueError(
                f"classes must name two classes or more, each once, got "
                f"{self.values!r:.200}; pass classes=[...] where y and truth have only "
                f"one of them yet."
            )
        self.place = {c: i for i, c in enumerate(self.values)}

    def enough(self, places: np.ndarray) -> bool:
        """Whether two classes have a label, so that there is something to learn."""
        return len(np.unique(places[places >= 0])) > 1

    def shown(self, names: Sequence[str] | None) -> tuple[str, ...]:
        """What the classes are called on the stage."""
        if names is not None and len(names) != len(self.values):
            raise ValueError(
                f"class_names must hold a name for each of the {len(self.values)} "
                f"classes {self.values}, got {len(names)}."
            )
        return tuple(map(str, self.values if names is None else names))

    def _labelled(self, labels: Any) -> list[Any]:
        if labels is None:
            return []
        values = plain(labels)
        hidden = is_unlabeled(values, self.mark)
        found = [_scalar(c) for c in values[~hidden]]
        return [c for c in found if not is_missing(c)]

    def places(self, y: Any, name: str) -> np.ndarray:
        """(n,) places of labels, -1 where a point has none."""
        check_labels(_filled(y, self.mark), self.mark)
        values = plain(y)
        hidden = is_unlabeled(values, self.mark)
        strange = {_scalar(c) for c in values[~hidden]} - self.place.keys()
        strange = {c for c in strange if not is_missing(c)}
        if strange:
            raise ValueError(
                f"{name} must hold classes out of {self.values}, or {self.mark!r} for "
                f"none, got {sorted(map(str, strange))[:5]}; pass classes=[...] with "
                f"all of them."
            )
        places = [self.place.get(_scalar(c), HIDDEN) for c in values]
        places = np.array(places, dtype=int)
        places[hidden] = HIDDEN
        return places

    def labels(self, places: np.ndarray) -> np.ndarray:
        """(n,) labels at places, as the caller names them; nobody can write to them."""
        values = [*self.values, self.mark]
        alike = all(type(v) is type(values[0]) for v in values)
        y = np.empty(len(places), dtype=np.array(values).dtype if alike else object)
        y[:] = [values[p] for p in places]
        y.setflags(write=False)
        return y


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _filled(y: Any, mark: Any) -> Any:
    """Labels without their marks, for checks that know no missing values."""
    values = plain(y)
    return values[~is_unlabeled(values, mark)]
