"""The settings of a classifier as the widget shows them: sliders, boxes, switches.

A widget knows places, Python the value at each: so nothing that a browser sends can be
a value that the setting does not have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from halfmoon.common.knobs import Knob
from halfmoon.scenario.values import knob_words
from ssl_core.registry import Algorithm

KINDS = {"choice": "choice", "bool": "switch"}  # all others have places of a slider


class Controls:
    """Settings of one classifier that can be turned.

    Parameters
    ----------
    entry : Algorithm or None
        What is known of it; a method that is not registered has none.
    names : sequence of str or None
        Which are shown, in this order; all of the entry's when None, the most important
        in front.
    """

    def __init__(self, entry: Algorithm | None, names: Sequence[str] | None = None):
        self._places: dict[str, list[Any]] = {}
        self.knobs: dict[str, Knob] = {}
        self.front: frozenset[str] = frozenset()
        if entry is None and names is not None:
            raise ValueError(
                "settings must be None for a classifier that is not registered; "
                "register_algorithm says which settings it has."
            )
        if entry is None:
            return
        knobs = entry.in_order if names is None else [entry.knob(n) for n in names]
        self.knobs = {knob.name: knob for knob in knobs}
        self.front = frozenset(entry.first if names is None else names)

    @classmethod
    def among(cls, entry: Algorithm | None, names: Sequence[str] | None) -> Controls:
        """Those of the names that a method has: it may take the place of another."""
        if entry is None or names is None:
            return cls(entry, None)
        known = {knob.name for knob in entry.in_order}
        return cls(entry, [name for name in names if name in known])

    def shown(self, values: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Every setting for the widget, standing at ``values``.

        A matrix, a function or a choice that the app has not cannot stand on a slider.
        """
        made = []
        for name, knob in self.knobs.items():
            value = values[name]
            value = value.item() if isinstance(value, np.generic) else value
            if value is not None and not isinstance(value, str | bool | int | float):
                continue
            places = knob.places(value)
            if value in places:
                self._places[name] = places
                made.append(self._one(name, knob, places.index(value), values))
        return made

    def value(self, name: str, place: Any) -> Any:
        """What a setting has at a place; raises ValueError where there is none."""
        places = self._places.get(name, []) if isinstance(name, str) else []
        if type(place) is not int or not 0 <= place < len(places):
            raise ValueError(
                f"setting must name a setting and one of its places, got {name!r:.40} "
                f"at {place!r:.40}."
            )
        return places[place]

    def _one(self, name, knob, place, values) -> dict[str, Any]:
        return {
            "name": name,
            "label": knob.label,
            "help": f"{knob.help} {knob.meaning}".strip(),
            "kind": KINDS.get(knob.kind, "places"),
            "value": place,
            "words": [knob_words(knob, value) for value in self._places[name]],
            "front": name in self.front,
            "idle": knob.idle(values),
        }
