"""Runs that stand side by side and move in step: less around each picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon import stage
from halfmoon.views.curves import ERROR_ROLES, ERROR_TILES, name_of
from halfmoon.views.shown_run import ShownRun
from halfmoon.views.stage_view import Budget
from ssl_core.viz.measures import PARTS, error_rates, iterations
from ssl_core.viz.words import rate

MOST = 4  # runs
# What is sent of each run when there are so many: together no more than one alone, so
# that a label is on all stages as soon.
BUDGETS = {
    1: Budget(),
    2: Budget(frames=80, grid=(56, 42), payload=440_000),
    3: Budget(frames=44, grid=(48, 36), payload=300_000),
    4: Budget(frames=32, grid=(40, 30), payload=220_000),
}
LEFT_OUT = ERROR_TILES["L"]


def compact(view: stage.StageView, run: ShownRun) -> stage.StageView:
    """A view with few figures, two curves, and the clock."""
    trace = run.trace
    t = iterations(trace)
    frames = np.searchsorted(t, view.frame_t)
    counted = tuple(f"{i} of {t[-1]}" for i in view.frame_t)
    tiles = [tile for tile in view.tiles if tile.label != LEFT_OUT]
    return replace(
        view,
        seconds=np.cumsum(trace.seconds)[frames],
        panels=_two_curves(run, frames),
        tiles=(*tiles, stage.Tile("iteration", counted)),
        ghost=None,
        edges=None,
    )


def _two_curves(run: ShownRun, frames) -> tuple[stage.Panel, ...]:
    """The errors that are judged, and the method's own objective."""
    if len(frames) < 2:
        return ()
    trace = run.trace
    rates = error_rates(trace, run.truth)
    lines = tuple(
        stage.Series(PARTS[part], rates[part][frames], ERROR_ROLES[part])
        for part in ("U", "V", "T")
        if part in rates
    )
    own = trace.column("objective")[frames]
    own = stage.Series(name_of(trace, "objective"), own, "accent")
    panels = [stage.Curves("Errors", lines, percent=True)] if lines else []
    return (*panels, stage.Curves("Objective", (own,)))


def run_headline(name: str, run: ShownRun, stopped: bool = False) -> str:
    """Method and result: "Laplacian SVM, PCG: 0 % wrong at the end"."""
    rates = error_rates(run.trace, run.truth).get("U")
    ending = ", stopped" if stopped else ""
    if rates is None:
        return f"{name}{ending}"
    return f"{name}: {rate(rates[-1])} wrong at the end{ending}"
