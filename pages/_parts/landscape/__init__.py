"""The landscape: an objective on a plane through three solutions, with routes on it."""

from pages._parts.landscape.drawn import caption, show_landscape
from pages._parts.landscape.routes import (
    OTHERS,
    LandscapeRun,
    Route,
    Slice,
    Solution,
    slice_of,
)

__all__ = [
    "OTHERS",
    "LandscapeRun",
    "Route",
    "Slice",
    "Solution",
    "caption",
    "show_landscape",
    "slice_of",
]
