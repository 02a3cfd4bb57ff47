"""Curves along a path of S3VMs: outputs, duals, objective, errors, set sizes."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from halfmoon import stage
from halfmoon.scenario.solving import Solved
from halfmoon.views.curves import ERROR_ROLES
from halfmoon.views.lens import lens_panels
from ssl_core.trace import Trace, decide_stack
from ssl_core.viz.measures import PARTS, error_rates, known_mask, labeled_mask

MAX_LINES = 200  # thin lines in one panel


@dataclass(frozen=True)
class Rival:
    """A method that takes C* from a grid: its objective at each value."""

    name: str
    C_u: tuple[float, ...]
    objective: tuple[float, ...]


def path_errors(solved: Solved) -> dict[str, np.ndarray]:
    """As `error_rates`; an unlabelled point is what the path labels it.

    Before a jump the output of a point is 0, and rounding gives it either sign.
    """
    trace, truth = solved.trace, solved.truth
    rates = error_rates(trace, truth)
    if "U" not in rates:
        return rates
    free = ~labeled_mask(trace)
    known = known_mask(trace, truth)[free]
    for i, state in enumerate(trace.states):
        if state.y_u is not None:
            rates["U"][i] = (state.y_u != truth[free])[known].mean()
    return rates


def path_panels(solved: Solved, frames, flips, rivals) -> tuple[stage.Panel, ...]:
    """Objective, errors, loss; then, with more room, sizes of sets, outputs, duals."""
    if len(frames) < 2:
        return ()
    made = (
        objective_panel(solved.trace, frames, rivals),
        error_panel(solved, frames),
        *lens_panels(solved.trace, [solved.trace.states[i] for i in frames]),
        sizes_panel(solved.trace, frames),
        lines_panel(solved, frames, flips, "f", "Outputs f"),
        lines_panel(solved, frames, flips, "beta", "Signed duals"),
    )
    return tuple(panel for panel in made if panel is not None)


def lines_panel(solved: Solved, frames, flips, name: str, title: str) -> stage.Curves:
    """One thin line for each unlabelled point; those that ever flip stand out."""
    trace = solved.trace
    values = np.stack([getattr(trace.states[i], name) for i in frames])
    free = np.flatnonzero(~labeled_mask(trace))
    flips = np.intersect1d(free, flips).astype(int)[:MAX_LINES]
    rest = np.setdiff1d(free, flips)
    room = max(MAX_LINES - len(flips), 0)
    shown = rest
    if len(rest) > room:
        shown = np.sort(np.random.default_rng(0).choice(rest, room, replace=False))
    final = trace.final.f
    first, second = solved.problem.data.class_names[:2]
    groups = (
        (f"ends as {first}", shown[final[shown] < 0], "class0"),
        (f"ends as {second}", shown[final[shown] >= 0], "class1"),
        ("flips", flips, "accent"),
    )
    drawn = len(shown) + len(flips)
    part = f"{drawn}" if drawn == len(free) else f"{drawn} of {len(free)}"
    return stage.Curves(
        f"{title}, {part} unlabelled points",
        (),
        bundles=tuple(
            stage.Bundle(words, values[:, points], role)
            for words, points, role in groups
            if len(points)
        ),
    )


def objective_panel(trace: Trace, frames, rivals) -> stage.Curves:
    series = [stage.Series("path", trace.column("objective")[frames], "accent")]
    C_u = trace.column("C_u")[frames]
    for rival in rivals:
        at = np.searchsorted(rival.C_u, C_u, side="right") - 1
        trail = np.array(rival.C_u), np.array(rival.objective)
        values = np.where(at >= 0, trail[1][np.maximum(at, 0)], np.nan)
        series.append(stage.Series(rival.name, values, "warn", trail, dots=True))
    return stage.Curves("Objective", tuple(series))


def error_panel(solved: Solved, frames) -> stage.Curves | None:
    """Errors; those of held-out points change where an output crosses 0, exactly."""
    trace = solved.trace
    series = []
    for part, values in path_errors(solved).items():
        if part == "L":
            continue
        line = stage.Series(PARTS[part], values[frames], ERROR_ROLES[part])
        if part in ("V", "T"):
            name = {"V": "val", "T": "test"}[part]
            trail = error_steps(
                trace.column("C_u"), trace.outputs[name], trace.targets[name]
            )
            line = replace(line, trail=trail)
        series.append(line)
    if not series:
        return None
    X, y = solved.problem.part("val")
    best = solved.machine.best(X, y) if len(y) else None
    return stage.Curves(
        "Errors",
        tuple(series),
        percent=True,
        shaded=best.intervals if best else (),
        shaded_name="best on validation" if best else "",
    )


def error_steps(C_u, F, y) -> tuple[np.ndarray, np.ndarray]:
    """The error as the steps it makes, from outputs that are linear between states.

    Parameters
    ----------
    C_u : ndarray of shape (T,)
    F : ndarray of shape (T, m)
    y : ndarray of shape (m,)
        0 = unknown.
    """
    known = y != 0
    F, y = np.asarray(F, dtype=float)[:, known], y[known]
    wrong = decide_stack(F, multiclass=False) != y
    t, i = np.nonzero(wrong[1:] != wrong[:-1])
    share = F[t, i] / (F[t, i] - F[t + 1, i])
    at = C_u[t] + share * (C_u[t + 1] - C_u[t])
    change = wrong[t + 1, i].astype(int) - wrong[t, i]
    order = np.argsort(at, kind="stable")
    at, counts = at[order], wrong[0].sum() + np.cumsum(change[order])
    x = np.concatenate([[C_u[0]], np.repeat(at, 2), [C_u[-1]]])
    counts = np.concatenate([[wrong[0].sum()], counts])
    return x, np.repeat(counts, 2) / max(1, len(y))


def sizes_panel(trace: Trace, frames) -> stage.Curves:
    """How many points each set has, which changes at break points only."""
    names = {
        "n_O": ("outside", "muted"),
        "n_M": ("on the margin", "ink"),
        "n_I_l": ("inside, labelled", "good"),
        "n_I_u": ("inside, unlabelled", "accent"),
    }
    C_u = np.repeat(trace.column("C_u"), 2)[1:]
    series = []
    for name, (words, role) in names.items():
        values = trace.column(name)
        trail = C_u, np.repeat(values, 2)[:-1]
        series.append(stage.Series(words, values[frames], role, trail))
    return stage.Curves("Sizes of the sets", tuple(series))
