"""The previous run, as the stage draws it behind the present one."""

from __future__ import annotations

from dataclasses import replace

from halfmoon import stage
from halfmoon.pages._parts.pictures.changes import what_came_of_it, what_changed
from halfmoon.pages._parts.pictures.kept import KeptRun
from halfmoon.views.curves import ERROR_TILES
from halfmoon.views.ghost import NAME
from ssl_core.viz.words import number

MINUS = "−"


def ghost_of(before: KeptRun, now: KeptRun) -> stage.Ghost:
    """An earlier run as a ghost beside ``now``, and what is different."""
    came, flipped = what_came_of_it(before, now)
    curves = before.curves
    start = now.scenario.start
    if start is not None and start.origin == before.scenario:
        # It goes on from there: what came after that iteration is beside it.
        curves = tuple(replace(panel, x=panel.x - start.t) for panel in curves)
    comparable = before.field is not None and len(before.class_names) == len(
        now.class_names
    )
    return stage.Ghost(
        NAME,
        before.field if comparable else None,
        curves,
        extent=before.extent,
        words=f"{what_changed(before, now)}: {came}.",
        flipped=flipped,
        changes=changes(before, now),
    )


def changes(before: KeptRun, now: KeptRun) -> tuple[stage.TileChange, ...]:
    """Differences of the figures, for the tiles that both runs have.

    Fewer errors are better. Objectives are compared where one method gave both, and
    neither is better: another label makes another objective.
    """
    made = []
    method, was = now.scenario.method, before.scenario.method
    alike = (method.algorithm, method.parameters) == (was.algorithm, was.parameters)
    for label, value in now.figures.items():
        error = label in ERROR_TILES.values()
        if label not in before.figures or not (error or alike):
            continue
        change = value - before.figures[label]
        tone = ""
        if error:
            size = f"{abs(100 * change):.1f}" if abs(change) >= 0.0005 else "0"
            tone = "" if size == "0" else "bad" if change > 0 else "good"
        else:
            same = number(value) == number(before.figures[label])
            size = "0" if same else number(abs(change))
        made.append(stage.TileChange(label, signed(size, change), tone))
    return tuple(made)


def signed(size: str, change: float) -> str:
    """A size with the sign of the change: +2.1, −0.4; ±0 for one too small to see."""
    return ("±" if size == "0" else "+" if change > 0 else MINUS) + size
