"""Runs of annealing and of label switching as the stage shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from halfmoon import stage
from halfmoon.pages._parts.pictures.stage_views import run_view
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from halfmoon.views.curves import ERROR_ROLES
from halfmoon.views.lens import lens_panels
from halfmoon.views.plane import Picture
from halfmoon.views.stage_view import Budget, choose_frames
from ssl_core.trace import Trace
from ssl_core.viz.annealing import (
    belief_rows,
    is_epilogue,
    leading_words,
    n_sure,
    word_rows,
)
from ssl_core.viz.measures import PARTS, error_rates, iterations, labeled_mask
from ssl_core.viz.words import count, number

MAX_ROWS = 160  # points in the heat map; the screen has no more pixels
WORDS = 8  # of each class
LEAST_SHOWN = 1e-9  # entropy and divergence below this are drawn as none
TOGGLES = ("predictions",)  # probabilities are shown as colours


# -- which frames --------------------------------------------------------------------


def frames_of(run: Solved, picture: Picture) -> np.ndarray:
    """Indices of the states that travel."""
    n = len(run.problem.train)
    return choose_frames(run.trace, n, picture.honest, Budget())


def first_frames(run: Solved, picture: Picture) -> np.ndarray:
    """Those that give nothing away: the first temperature, or the first labels."""
    trace, frames = run.trace, frames_of(run, picture)
    name = "T" if hasattr(trace.final, "T") else "lam_u"
    setting = trace.column(name)[frames]
    return frames[: max(1, int(np.argmax(setting != setting[0])))]


# -- views ---------------------------------------------------------------------------


def cooling_view(
    run: Solved,
    scenario: Scenario,
    picture: Picture,
    *,
    frames: np.ndarray,
    words: Sequence[str],
    start: int | None,
    has_words: bool = False,
) -> stage.StageView:
    """A run of deterministic annealing: loss and probabilities beside the stage.

    Parameters
    ----------
    frames : ndarray of int
        Indices of the states to show.
    words : sequence of str
        A sentence on each of them, behind the narration.
    start : int or None
        Iteration at which the cursor opens; None for the last.
    has_words : bool
        Whether the features are words.
    """
    base = run_view(run, scenario, picture, frames=frames)
    states = [run.trace.states[i] for i in frames]
    panels = [
        *lens_panels(run.trace, states, title="The loss at this temperature"),
        beliefs_panel(run, states),
    ]
    if has_words:
        panels.append(words_panel(run, states))
    panels += [*error_panels(run, frames), *cooling_panels(run.trace, frames, states)]
    sure = tuple(f"{n_sure(s):,} of {len(s.p):,}" for s in states)
    return replace(
        base,
        panels=tuple(panels) if len(frames) > 1 else (),
        tiles=(
            stage.Tile("temperature T", tuple(temperature(s) for s in states)),
            stage.Tile("at least 90 % certain", sure),
        ),
        captions=captioned(base.captions, words),
        **place(scenario, states, start),
    )


def switching_view(
    run: Solved,
    scenario: Scenario,
    picture: Picture,
    *,
    frames: np.ndarray,
    words: Sequence[str],
    start: int | None,
) -> stage.StageView:
    """A run of the transductive SVM: who stands where, and who switches next."""
    base = run_view(run, scenario, picture, frames=frames)
    trace, states = run.trace, [run.trace.states[i] for i in frames]
    panels = (
        *lens_panels(
            trace, states, title="The loss and the current label of each point"
        ),
        beliefs_panel(run, states, title="Labels, one row per point", middle=""),
        *error_panels(run, frames),
        *switching_panels(trace, frames),
    )
    pairs = tuple(f"{s.n_switched:,}" for s in states)
    rings = switching_next(trace, frames)
    return replace(
        base,
        panels=panels if len(frames) > 1 else (),
        tiles=(
            stage.Tile("weight λ′", tuple(number(s.lam_u) for s in states)),
            stage.Tile("pairs just switched", pairs),
        ),
        struck_per_frame=rings if rings.any() else None,
        struck_name="switched next",
        guess_per_frame=guessed(trace, frames),
        captions=captioned(base.captions, words),
        **place(scenario, states, start),
    )


def beside_view(run: Solved, scenario: Scenario, picture: Picture, *, title: str):
    """One of two runs that are watched in step, with its loss."""
    frames = frames_of(run, picture)
    base = run_view(run, scenario, picture, frames=frames)
    states = [run.trace.states[i] for i in frames]
    return replace(
        base,
        panels=lens_panels(run.trace, states) if len(frames) > 1 else (),
        tiles=(),
        title=title,
        sync="comparison",
        **place(scenario, states, None),
    )


def place(scenario: Scenario, states, start: int | None) -> dict:
    """Where the cursor opens, what is switched on, and that nothing is edited."""
    t = np.array([s.t for s in states])
    opens = None if start is None else int(np.abs(t - start).argmin())
    toggles = TOGGLES if scenario.view.toggles is None else scenario.view.toggles
    return {"start_frame": opens, "toggles": toggles, "tools": (), "ghost": None}


def captioned(captions, words) -> tuple[str, ...]:
    both = zip(captions, words, strict=True)
    return tuple(f"{caption} {more}".strip() for caption, more in both)


def temperature(state) -> str:
    return "final training" if is_epilogue(state) else number(state.T)


# -- panels --------------------------------------------------------------------------


def beliefs_panel(
    run: Solved,
    states,
    title: str = "Probability p, one row per point",
    middle: str = "undecided",
) -> stage.Heat:
    """What every unlabelled point is taken for, in the order of its last output."""
    trace, names = run.trace, run.problem.data.class_names
    order = np.argsort(trace.final.f[~labeled_mask(trace)], kind="stable")
    if len(order) > MAX_ROWS:
        order = order[np.linspace(0, len(order) - 1, MAX_ROWS).round().astype(int)]
    return stage.Heat(title, belief_rows(states, order), tuple(names), middle)


def words_panel(run: Solved, states) -> stage.Heat:
    """The words that lead in the end, with their weights at every frame."""
    data, trace = run.problem.data, run.trace
    words = leading_words(trace.final.w, WORDS)
    return stage.Heat(
        "Words with the largest final weights",
        word_rows(states, words),
        tuple(data.class_names),
        "no weight",
        rows=tuple(str(data.feature_names[j]) for j in words),
        row_name="word",
    )


def error_panels(run: Solved, frames) -> tuple[stage.Curves, ...]:
    rates = error_rates(run.trace, run.truth)
    lines = [
        stage.Series(PARTS[part], rates[part][frames], ERROR_ROLES[part])
        for part in ("U", "T")
        if part in rates
    ]
    return (stage.Curves("Error", tuple(lines), percent=True),) if lines else ()


def cooling_panels(trace: Trace, frames, states) -> tuple[stage.Curves, ...]:
    """Temperature, entropy and objectives; the epilogue is set apart."""
    apart = epilogue(trace, frames)
    free = [s.objective - s.lens.weight * len(s.p) * s.lens.level for s in states]
    hard = trace.column("transductive_objective")[frames]
    T = stage.Series("T", trace.column("T")[frames], "warn")
    doubt = stage.Series("entropy of p", shown(trace, "entropy", frames), "accent")
    change = stage.Series("its change", shown(trace, "kl", frames), "muted")
    both = (
        stage.Series("at T", np.array(free), "warn"),
        stage.Series("at T = 0", hard, "good"),
    )
    return (
        stage.Curves("Temperature", (T,), log=True, below=True, **apart),
        stage.Curves("Entropy", (doubt, change), log=True, below=True, **apart),
        stage.Curves("Objective", both, log=True, below=True, **apart),
    )


def switching_panels(trace: Trace, frames) -> tuple[stage.Curves, ...]:
    weight = stage.Series("λ′", trace.column("lam_u")[frames], "warn")
    pairs = stage.Series("pairs", trace.column("n_switched")[frames], "accent")
    objective = stage.Series("objective", trace.column("objective")[frames], "good")
    return (
        stage.Curves("Weight λ′ of the unlabelled points", (weight,), log=True),
        stage.Curves("Pairs of labels switched", (pairs,)),
        stage.Curves("Objective", (objective,), log=True),
    )


def shown(trace: Trace, name: str, frames) -> np.ndarray:
    """A column, with a gap where a logarithm has no place for it."""
    values = trace.column(name)[frames]
    return np.where(values > LEAST_SHOWN, values, np.nan)


def epilogue(trace: Trace, frames) -> dict:
    """The last step of a run that goes back to its best machine, for a shade."""
    if not is_epilogue(trace.final) or len(frames) < 2 or frames[-1] != len(trace) - 1:
        return {}
    t = iterations(trace)
    return {"shaded": ((t[-2], t[-1]),), "shaded_name": "final training"}


# -- switches ------------------------------------------------------------------------


def switch_after(trace: Trace, i: int):
    """The event by which state ``i + 1`` begins: labels switched, or None."""
    if i + 1 >= len(trace):
        return None
    events = trace.states[i + 1].events
    return next((e for e in events if e.kind == "switch"), None)


def switching_next(trace: Trace, frames) -> np.ndarray:
    """(T, n) which points exchange their labels before the next training."""
    rings = np.zeros((len(frames), len(trace.y)), dtype=bool)
    for row, i in zip(rings, frames, strict=True):
        event = switch_after(trace, int(i))
        if event is not None:
            row[event.data["to_negative"]] = row[event.data["to_positive"]] = True
    return rings


def guessed(trace: Trace, frames) -> np.ndarray:
    """(T, n) which unlabelled points have the label +1, whatever their output says."""
    labels = np.zeros((len(frames), len(trace.y)), dtype=bool)
    labels[:, ~labeled_mask(trace)] = [trace.states[i].y_u > 0 for i in frames]
    return labels


def switch_words(trace: Trace, i: int) -> str:
    """Why the next pairs switch: their losses now, and with exchanged labels."""
    event = switch_after(trace, i)
    if event is None:
        return ""
    state = trace.states[i]
    row = np.concatenate([event.data["to_negative"], event.data["to_positive"]])
    sign = np.repeat([1.0, -1.0], [len(event.data["to_negative"]), len(row) // 2])
    loss = state.lens.loss
    now, then = (float(loss.value(s * state.f[row]).sum()) for s in (sign, -sign))
    pairs = count(len(row) // 2, "pair")
    verb = "switches" if len(row) == 2 else "switch"
    return (
        f"Next {pairs} {verb}: the losses of these {len(row)} points add up to "
        f"{number(now)}, and with each other's labels to {number(then)}."
        f"{_on_one_side(event, state)}"
    )


def _on_one_side(event, state) -> str:
    """Pairs whose predictions are the same: the ring alone shows the labels they have.

    A label is chosen by the class ratio and by switching; the output need not agree.
    """
    ends = state.f[event.data["to_negative"]], state.f[event.data["to_positive"]]
    alike = int(((ends[0] > 0) == (ends[1] > 0)).sum())
    if not alike:
        return ""
    whose = "Both points" if len(ends[0]) == 1 else f"In {count(alike, 'pair')} both"
    return (
        f" {whose} lie on one side of the boundary: the mark has the colour of the "
        "prediction, the ring that of the label which is switched."
    )
