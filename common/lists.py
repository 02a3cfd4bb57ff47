"""Several values where a caller gives them, and a sentence where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def listed(values: Any, name: str) -> list[Any]:
    """Several values as a list; text and single values are none."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(
            f"{name} must be a list, got {values!r:.60}; for one entry, too."
        )
    return list(values)
