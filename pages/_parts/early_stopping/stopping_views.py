"""From a recorded run and its exact optimum to what the early-stopping stage shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from halfmoon import stage
from halfmoon.pages._parts.pictures.stage_views import run_view, shown_run
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from halfmoon.stage.panels.stopping import MAX_DECISIONS
from halfmoon.views.curves import (
    ERROR_ROLES,
    line_searches,
    name_of,
)
from halfmoon.views.plane import Picture
from halfmoon.views.stage_view import GRID, frame_bytes
from ssl_core.stopping import default_check_interval
from ssl_core.trace import Status, Trace
from ssl_core.viz.fields import field_frames
from ssl_core.viz.measures import (
    PARTS,
    iterations,
    labeled_mask,
    relative,
    wrong_counts,
)

PAYLOAD = 1_100_000  # bytes that fields and outputs may take, before they are packed
MAX_FRAMES = 160
OPTIMUM = "Newton’s optimum"
DECREASE = "decrease per step"  # of the objective, from one iteration to the next
NORMS = {  # rule: field of the states, colour
    "gradient": ("grad_norm", "accent"),
    "preconditioned": ("precond_grad_norm", "warn"),
    "mixed_product": ("mixed_product", "ink"),
}


def stopping_view(
    run: Solved,
    exact: Solved,
    scenario: Scenario,
    picture: Picture,
    *,
    rules: Mapping[str, str],
    exponents,
    usual: Mapping[str, float],
) -> stage.StageView:
    """Everything the stage needs to play the run and to judge every rule on it.

    Parameters
    ----------
    run, exact : Solved
        The recorded run, and Newton's solution of the same problem.
    rules : mapping from name to title
        In the order of the rows.
    exponents, usual
        As in `stage.Rules`.
    """
    trace = run.trace
    frames = stopping_frames(trace, len(run.problem.train), picture.honest)
    view = run_view(run, scenario, picture, frames=frames)
    errors = error_panel(run, frames)
    panels = [
        norm_panel(trace, frames, exponents),
        stage.Rules(
            "Where each rule stops",
            record_of(run, exact),
            tuple(rules.items()),
            tuple(exponents),
            usual,
            answer=True,
        ),
        replace(errors, below=True),
        *search_panels(run, frames),
    ]
    struck = None
    if view.field is None:
        struck = trace.labels[frames] != exact.trace.labels[-1]
    return replace(
        view,
        panels=tuple(panels),
        title="",  # its room is the rows'
        tiles=(),
        tools=(),
        ghost=optimum(exact, view, errors, trace.final.t),
        struck_per_frame=struck,
        struck_name="other class at the optimum",
    )


def stopping_frames(trace: Trace, n: int, with_field: bool) -> np.ndarray:
    """All states while they fit, else all early ones, and ever fewer later on."""
    cost = frame_bytes(trace, n, GRID if with_field else (0, 0))
    most = int(np.clip(PAYLOAD / cost, 40, MAX_FRAMES))
    kept = trace.kept
    if len(kept) <= most:
        return kept
    early = most // 2
    later = np.geomspace(early, len(kept) - 1, most - early).round().astype(int)
    return kept[np.union1d(np.arange(early), later)]


# -- panels --------------------------------------------------------------------------


def norm_panel(trace: Trace, frames, exponents) -> stage.Norms:
    """The four quantities of [MB11] Figure 4, and the objective's decrease."""
    t = iterations(trace)
    lines, thresholds = [], {}

    def add(name, values, role):
        lines.append(stage.Series(name, values[frames], role, trail=(t, values)))

    for rule, (name, role) in NORMS.items():
        title = name_of(trace, name)
        thresholds[rule] = title
        add(title, relative(trace.column(name)), role)
    objective = trace.column("objective")
    add("objective", relative(objective), "good")
    add(DECREASE, decreases(objective), "bad")
    thresholds["objective"] = DECREASE
    return stage.Norms(
        "What the solver sees, relative to the start",
        tuple(lines),
        log=True,
        thresholds=thresholds,
        floor=10.0 ** min(exponents),
    )


def decreases(objective) -> np.ndarray:
    """Of the objective in every step, relative to what it was; NaN at the start."""
    before = objective[:-1]
    fall = (before - objective[1:]) / np.maximum(np.abs(before), 1e-300)
    return np.concatenate([[np.nan], fall])


def error_panel(run: Solved, frames) -> stage.Curves:
    t = iterations(run.trace)
    lines = []
    for part, (wrong, total) in wrong_counts(run.trace, run.truth).items():
        values = wrong / total
        role = ERROR_ROLES[part]
        lines.append(stage.Series(PARTS[part], values[frames], role, trail=(t, values)))
    title = "Errors; dotted: at the optimum"
    return stage.Curves(title, tuple(lines), percent=True, answer=True)


def search_panels(run: Solved, frames) -> list[stage.Searches]:
    """psi(s), [MB11] Figure 2; of several classes the first one's."""
    states = [run.trace.states[i] for i in frames]
    title = "Slope ψ(s) of the objective along this step"
    if run.trace.multiclass:
        title = f"{title}, class {run.problem.data.class_names[run.classes[0]]}"
    found = line_searches(states, 0, title)
    return [replace(panel, below=True, answer=True) for panel in found]


def optimum(exact: Solved, view, errors: stage.Curves, last: int) -> stage.Ghost:
    """The exact solution to compare with: its boundary and its errors."""
    trace, field = exact.trace, None
    if view.field is not None:
        found = field_frames(trace, view.extent, GRID, [len(trace) - 1])
        field = shown_run(exact).outputs(found)[0]
    best = {
        PARTS[part]: wrong[-1] / total
        for part, (wrong, total) in wrong_counts(trace, exact.truth).items()
    }
    level = tuple(
        stage.Series(line.name, np.full(2, best[line.name]), line.role)
        for line in errors.series
    )
    curves = stage.Curves(errors.title, level, percent=True, x=np.array([0.0, last]))
    return stage.Ghost(OPTIMUM, field, (curves,))


# -- the record ----------------------------------------------------------------------


def record_of(run: Solved, exact: Solved) -> stage.StoppingRecord:
    """What the rules look at, at every iteration."""
    trace = run.trace
    counts = wrong_counts(trace, run.truth)
    best = wrong_counts(exact.trace, exact.truth)
    labels = trace.labels[:, ~labeled_mask(trace)]
    fields = {rule: name for rule, (name, _) in NORMS.items()}
    fields["objective"] = "objective"
    return stage.StoppingRecord(
        t=iterations(trace),
        norms={rule: trace.column(name) for rule, name in fields.items()},
        decisions=_classes(trace, labels) if labels.size <= MAX_DECISIONS else None,
        every=default_check_interval(trace.labels.shape[1]),
        wrong={part: wrong for part, (wrong, _) in counts.items()},
        total={part: total for part, (_, total) in counts.items()},
        best={part: wrong[-1] for part, (wrong, _) in best.items()},
        moving=still_moving(labels),
        spent=np.cumsum(trace.seconds) - trace.seconds[0],
        newton=float(exact.trace.seconds[1:].sum()),
        complete=trace.status is Status.CONVERGED,
    )


def _classes(trace: Trace, labels) -> np.ndarray:
    return (labels if trace.multiclass else labels > 0).astype(np.uint8)


def still_moving(labels) -> np.ndarray:
    """(m,) how many points of (m, u) labels change at least once after each state."""
    changes = labels[1:] != labels[:-1]
    later = np.logical_or.accumulate(changes[::-1], axis=0)[::-1].sum(axis=1)
    return np.append(later, 0)
