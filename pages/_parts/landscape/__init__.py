"""The landscape: an objective on a plane through three solutions, with routes on it."""

from pages._parts.landscape.routes import (
    OTHERS,
    Entry,
    Route,
    Slice,
    Solution,
    slice_of,
)
from pages._parts.landscape.show import caption, show

__all__ = [
    "OTHERS",
    "Entry",
    "Route",
    "Slice",
    "Solution",
    "caption",
    "show",
    "slice_of",
]
