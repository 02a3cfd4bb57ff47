"""Figures, sentences and measures made of a trace: no widget, no solver.

>>> from ssl_core import viz
>>> viz.narrate(trace, 7)  # doctest: +SKIP
"""

from ssl_core.viz.fields import field_frames, fit_extent, grid, thin_frames
from ssl_core.viz.measures import error_rates
from ssl_core.viz.narrate import narrate

__all__ = [
    "error_rates",
    "field_frames",
    "fit_extent",
    "grid",
    "narrate",
    "thin_frames",
]
