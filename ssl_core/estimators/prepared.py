"""What runs on the same points have in common: kernel, graph, features."""

from collections.abc import Callable, Hashable
from typing import Any

from ssl_core.trace import Event

MADE_OF = {"gram": ("features",)}  # goes with it


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
        self._made: dict[str, tuple[Hashable, Any, list[Event]]] = {}

    def __call__(
        self,
        kind: str,
        key: Hashable,
        make: Callable[[list[Event]], Any],
        notes: list[Event] | None = None,
    ) -> Any:
        """What ``make(notes)`` gives; notes are repeated for every run that asks."""
        notes = [] if notes is None else notes
        if not self.keep:
            return make(notes)
        if kind not in self._made or self._made[kind][0] != key:
            for stale in (kind, *MADE_OF.get(kind, ())):
                self._made.pop(stale, None)  # before memory is asked for again
            said: list[Event] = []
            self._made[kind] = key, make(said), said
        _, result, said = self._made[kind]
        notes += said
        return result
