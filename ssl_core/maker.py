"""Which classifier made a trace, in plain values that a caption can show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Plain = str | bool | int | float | None
LONGEST = 80  # characters of a value that is no plain one


@dataclass(frozen=True)
class Maker:
    """The classifier behind a trace.

    Attributes
    ----------
    estimator : str
        Name of its class.
    classes : tuple
        The classes as its caller names them, in the order of the outputs: of two
        classes the second is f > 0.
    settings : mapping of str to plain value
        All of its parameters; what is no number or text is described.
    changed : tuple of str
        Names of those that differ from the default.
    """

    estimator: str
    classes: tuple[Plain, ...] = ()
    settings: Mapping[str, Plain] = field(default_factory=dict)
    changed: tuple[str, ...] = ()


def maker_of(name: str, classes: Iterable, parameters, defaults) -> Maker:
    """The description of a classifier.

    Parameters
    ----------
    name : str
        Of its class.
    classes : iterable
    parameters, defaults : mapping of str to any value
    """
    settings = {key: plain(value) for key, value in parameters.items()}
    changed = [
        key for key, value in settings.items() if value != plain(defaults.get(key))
    ]
    return Maker(name, tuple(map(plain, classes)), settings, tuple(changed))


def plain(value: Any) -> Plain:
    """A number or text as it is, anything else in a few words."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (str, bool, int, float):
        return value
    shape = getattr(value, "shape", None)
    if shape is not None:
        return f"{type(value).__name__} of shape {tuple(shape)}"
    name = getattr(value, "__name__", "") if callable(value) else ""
    words = name or str(value)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
