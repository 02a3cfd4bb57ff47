"""Numbers of a run beside the stage: tiles, curves, line searches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon import stage
from halfmoon.views.shown_run import ShownRun
from ssl_core import Trace
from ssl_core.quantities import LINE_SEARCH, NODE, title_of, with_role
from ssl_core.registry import Curve
from ssl_core.viz.line_search import shown_search
from ssl_core.viz.measures import PARTS, error_rates, iterations, relative
from ssl_core.viz.words import duration, number, rate

ROLES = ("accent", "warn", "ink", "good", "muted")
ERROR_TILES = {part: f"{words} error" for part, words in PARTS.items()}
OBJECTIVE = (Curve("Objective", ("objective",)),)
ERROR_ROLES = {"L": "muted", "U": "accent", "V": "warn", "T": "good"}
FEW = 30  # frames; curves of fewer are drawn through the states between them, too


def tiles(run: ShownRun, frames) -> tuple[stage.Tile, ...]:
    """Figures at the cursor: errors where they are known, objective, time."""
    trace = run.trace
    made = []
    for part, rates in error_rates(trace, run.truth).items():
        texts = tuple(rate(rates[i]) for i in frames)
        made.append(stage.Tile(ERROR_TILES[part], texts))
    objective = trace.column("objective")
    values = tuple(number(objective[i]) for i in frames)
    made.append(stage.Tile(name_of(trace, "objective"), values))
    spent = np.cumsum(trace.seconds)
    made.append(stage.Tile("run time", tuple(duration(spent[i]) for i in frames)))
    return tuple(made)


def name_of(trace: Trace, name: str, relative: bool = False) -> str:
    """What a field is called beside its number, in tiles and legends alike."""
    words = title_of(type(trace.final), name)
    return f"{words} / start" if relative and name == "objective" else words


def curves(run: ShownRun, frames) -> tuple[stage.Curves, ...]:
    """The registry's curves and the errors, over the frames shown."""
    trace = run.trace
    x = iterations(trace)[frames]
    # A line search and a tree are panels of their own, and need the room.
    growing = bool(with_role(type(trace.final), NODE)) and not trace.multiclass
    searching = growing or any(_search(trace.states[i]) for i in frames)
    panels, known = [], trace.scalar_names()
    for curve in declared(run)[: 1 if searching else 2]:
        made = _panel(trace, curve, known, frames)
        if made is not None:
            panels.append(made)
    panels[1:1] = _errors(run, frames)
    return tuple(panels) if len(x) > 1 else ()


def with_trails(panels, run: ShownRun, n_frames: int) -> tuple[stage.Panel, ...]:
    """Panels of a run of which few states are shown: curves go through all states."""
    t = iterations(run.trace)
    if n_frames >= min(FEW, len(t)):
        return tuple(panels)
    whole = {panel.title: panel.series for panel in curves(run, np.arange(len(t)))}
    return tuple(
        replace(
            panel,
            series=tuple(
                replace(line, trail=(t, full.values))
                for line, full in zip(panel.series, whole[panel.title], strict=True)
            ),
        )
        if isinstance(panel, stage.Curves) and panel.title in whole
        else panel
        for panel in panels
    )


def curves_named(run: ShownRun, frames, titles) -> tuple[stage.Curves, ...]:
    """Those of all curves of the registry, and the errors, that have these titles."""
    trace = run.trace
    known = trace.scalar_names()
    made = {panel.title: panel for panel in _errors(run, frames)}
    for curve in declared(run):
        if curve.title in titles:
            made[curve.title] = _panel(trace, curve, known, frames)
    return tuple(made[title] for title in titles)


def declared(run: ShownRun) -> tuple[Curve, ...]:
    """The curves of the method's entry; the objective of one that has none."""
    return OBJECTIVE if run.entry is None else run.entry.curves


def _errors(run: ShownRun, frames) -> list[stage.Curves]:
    """The panel of errors, where any are known."""
    rates = error_rates(run.trace, run.truth)
    lines = tuple(
        stage.Series(PARTS[part], values[frames], ERROR_ROLES[part])
        for part, values in rates.items()
    )
    return [stage.Curves("Errors", lines, percent=True)] if lines else []


def _panel(trace: Trace, curve, known, frames):
    lines = []
    for name, role in zip(curve.fields, ROLES, strict=False):
        if name not in known:
            continue
        values = trace.column(name)
        values = relative(values) if curve.relative else values
        title = name_of(trace, name, curve.relative)
        lines.append(stage.Series(title, values[frames], role))
    return stage.Curves(curve.title, tuple(lines), log=curve.log) if lines else None


def line_searches(
    states, machine: int | None = None, title: str = "Line search at this step"
) -> tuple[stage.Searches, ...]:
    """A panel of psi(s); none where the solver has none.

    Of several classes each has a search of its own: that of ``machine`` is shown, and
    none where nobody says which.
    """
    found = []
    for state in states:
        search = _search(state)
        if isinstance(search, tuple):
            search = None if machine is None else search[machine]
        if search is None or not np.isfinite(search.step):
            found.append(None)
        else:
            found.append(stage.Search(*shown_search(search), search.step))
    if not any(found):
        return ()
    return (stage.Searches(title, tuple(found)),)


def _search(state):
    """The line search that led to a state, where its solver shows one."""
    names = with_role(type(state), LINE_SEARCH)
    return getattr(state, names[0]) if names else None
