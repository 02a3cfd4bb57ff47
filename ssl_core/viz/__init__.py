"""Figures and sentences made of a trace: plotly in, no widget, no solver.

>>> from ssl_core import viz
>>> viz.norm_curves(trace, mark=7)  # doctest: +SKIP
"""

from ssl_core.viz.boundary import decision_boundary, output_agreement
from ssl_core.viz.curves import (
    error_curves,
    line_search_figure,
    norm_curves,
    objective_curve,
)
from ssl_core.viz.fields import field_frames, fit_extent, grid, thin_frames
from ssl_core.viz.measures import error_rates
from ssl_core.viz.narrate import narrate
from ssl_core.viz.stopping import optimum_errors, stopping_figure, stopping_table

__all__ = [
    "decision_boundary",
    "error_curves",
    "error_rates",
    "field_frames",
    "fit_extent",
    "grid",
    "line_search_figure",
    "narrate",
    "norm_curves",
    "objective_curve",
    "optimum_errors",
    "output_agreement",
    "stopping_figure",
    "stopping_table",
    "thin_frames",
]
