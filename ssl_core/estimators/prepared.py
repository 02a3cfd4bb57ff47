"""What runs on the same points have in common: kernel, graph, features."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from ssl_core.trace import Event

MADE_OF = {"gram": ("features",)}  # is discarded with it


class Prepared:
    """Results of the first, expensive steps of a run, by what they depend on.

    Parameters
    ----------
    keep : bool
        Whether later runs on the same X and y will ask too. Of each kind the last
        result is kept; otherwise none is.
    """

    def __init__(self, keep: bool = False):
        self.keep = keep
        self._made: dict[str, tuple[Any, Any, list[Event]]] = {}

    def __call__(
        self,
        kind: str,
        key: Any,
        make: Callable[[list[Event]], Any],
        notes: list[Event] | None = None,
    ) -> Any:
        """What ``make(notes)`` gives; notes are repeated for every run that asks."""
        notes = [] if notes is None else notes
        if not self.keep:
            return make(notes)
        if kind not in self._made or not same(self._made[kind][0], key):
            for stale in (kind, *MADE_OF.get(kind, ())):
                self._made.pop(stale, None)  # before memory is asked for again
            said: list[Event] = []
            self._made[kind] = key, make(said), said
        _, result, said = self._made[kind]
        notes += said
        return result


def same(a: Any, b: Any) -> bool:
    """Whether two keys are equal: tuples and settings, also with matrices in them."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if is_dataclass(a):
        names = [field.name for field in fields(a)]
        return all(same(getattr(a, name), getattr(b, name)) for name in names)
    if sp.issparse(a):
        return a.shape == b.shape and (a != b).nnz == 0
    if hasattr(a, "__array__"):
        return a is b or np.array_equal(a, b)
    return bool(a == b)
