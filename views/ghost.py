"""The run before, as the stage draws it behind the present one."""

from __future__ import annotations

import numpy as np

from halfmoon import stage
from ssl_core.viz.fields import thin_frames
from ssl_core.viz.words import count

NAME = "Previous run"
CURVE_POINTS = 60  # of each dotted line


def ghost_of(before: stage.StageView, now: stage.StageView) -> stage.Ghost:
    """An earlier view as a ghost behind ``now``, and how many predictions changed.

    Only points that both have, by their numbers, are compared.
    """
    _, a, b = np.intersect1d(
        before.number, now.number, assume_unique=True, return_indices=True
    )
    flipped = now.number[b][guesses(before)[a] != guesses(now)[b]]
    alike = before.field is not None and len(before.class_names) == len(now.class_names)
    changed = count(len(flipped), "prediction").capitalize()
    return stage.Ghost(
        NAME,
        before.field[-1] if alike else None,
        thinned_curves(before),
        extent=before.extent,
        words=f"{changed} changed since the previous run.",
        flipped=flipped,
    )


def guesses(view: stage.StageView) -> np.ndarray:
    """(n,) class of each point at the end, as its place in the names."""
    f = view.f_per_frame[-1]
    return (f >= 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)


def thinned_curves(view: stage.StageView) -> tuple[stage.Curves, ...]:
    """The view's curves, each over the iteration number."""
    at = thin_frames(view.n_frames, CURVE_POINTS)
    found = []
    for panel in view.panels:
        if not isinstance(panel, stage.Curves) or panel.x is not None:
            continue
        lines = tuple(
            stage.Series(line.name, np.asarray(line.values, dtype=np.float32)[at])
            for line in panel.series
        )
        x = np.asarray(view.frame_t, dtype=np.float32)[at]
        found.append(stage.Curves(panel.title, lines, panel.log, x=x))
    return tuple(found)
