"""From a path of S3VMs to what the stage shows, along C* instead of the iteration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halfmoon import stage
from halfmoon.pages._parts.path.path_curves import Rival, path_errors, path_panels
from halfmoon.pages._parts.pictures.stage_views import (
    about_data,
    data_id,
    extent_of,
    run_id,
    scene_id,
    shown_run,
    thumbnails,
)
from halfmoon.scenario import Scenario
from halfmoon.scenario.headlines import headline
from halfmoon.scenario.solving import Solved
from halfmoon.views.about import about
from halfmoon.views.plane import Picture
from halfmoon.views.stage_view import GRID, marks
from ssl_core.looks import look_of
from ssl_core.trace import Event, Trace
from ssl_core.viz.fields import field_frames
from ssl_core.viz.measures import PARTS, labeled_mask
from ssl_core.viz.words import count, duration, number, rate

MAX_FRAMES = 240  # besides the states around jumps, which are always shown
AT_ZERO = 1e-12  # stands for an output of 0, of which rounding leaves either sign
TOGGLES = ("predictions",)  # flips are seen by their colours
MAX_TILES = 4  # two rows
DECADES = 6  # of a logarithmic axis at most
NAME = "C*"
WAY = "way"  # kind of event of a place between two break points


@dataclass(frozen=True)
class Jump:
    """Two states at the same C*: ``before`` and ``before + 1`` of a trace."""

    before: int
    event: Event

    @property
    def C_u(self) -> float:
        return self.event.data["C_u"]

    @property
    def hit(self) -> tuple[int, ...]:
        return self.event.data["hit"]

    @property
    def flipped(self) -> tuple[int, ...]:
        return self.event.data["flipped"]


def jumps_of(trace: Trace) -> list[Jump]:
    """All jumps of a path, in order."""
    return [
        Jump(i - 1, event)
        for i, state in enumerate(trace.states)
        for event in state.events
        if event.kind == "jump" and i > 0
    ]


def path_view(
    solved: Solved,
    scenario: Scenario,
    picture: Picture,
    *,
    linear: bool = False,
    rivals: tuple[Rival, ...] = (),
    begins: bool = False,
) -> stage.StageView:
    """Everything the stage needs to move along a path.

    Parameters
    ----------
    linear : bool
        Whether the axis of C* is linear and not logarithmic.
    rivals : sequence of Rival
        Shown as dots beside the path's objective.
    begins : bool
        Show the state at C* = 0 and nothing of what follows.
    """
    problem, trace, data = solved.problem, solved.trace, solved.problem.data
    jumps = [] if begins else jumps_of(trace)
    frames = trace.kept[:1] if begins else path_frames(trace, jumps)
    flips = sorted({i for jump in jumps for i in jump.flipped})
    states = [trace.states[i] for i in frames]
    C_u = np.array([s.C_u for s in states])
    extent = extent_of(scenario, problem.base, picture)
    honest = picture.honest and data.dims == 2
    return stage.StageView(
        points=picture.points[problem.train],
        given=problem.given,
        number=problem.row[problem.train],
        truth=problem.truth,
        class_names=data.class_names,
        extent=extent,
        frame_t=np.array([s.t for s in states]),
        axis=None if begins else axis_of(trace, C_u, linear),
        field=field_frames(trace, extent, GRID, frames) if honest else None,
        f_per_frame=outputs(trace, states),
        marks_per_frame=marks(shown_run(solved), states),
        marks_name="on the margin",
        struck_per_frame=None if begins else struck(frames, jumps, len(problem.train)),
        struck_name="hit, then flipped",
        thumbnails=thumbnails(data, problem.train),
        axis_names=picture.axis_names,
        events=tuple(
            stage.TimeMark(
                trace.states[j.before].t,
                j.event.kind,
                tick_text(j),
                look_of(j.event).tone,
            )
            for j in jumps
        ),
        captions=tuple(captions(solved, frames, jumps)),
        tiles=() if begins else path_tiles(solved, frames),
        panels=() if begins else path_panels(solved, frames, flips, rivals),
        start_frame=path_start(scenario, frames, states, jumps),
        toggles=TOGGLES if scenario.view.toggles is None else scenario.view.toggles,
        title=headline(problem),
        status=path_status(trace, jumps),
        tools=(),
        about=about(shown_run(solved), about_data(solved.scenario)),
        run_id=run_id(solved),
        data_id=data_id(scenario),
        scene_id=scene_id(scenario),
    )


def outputs(trace: Trace, states) -> np.ndarray:
    """(T, n) outputs; one that has reached 0 keeps the side of its label."""
    F = np.stack([s.f for s in states])
    free = ~labeled_mask(trace)
    labels = np.stack([s.y_u for s in states])
    F[:, free] = np.where(F[:, free] * labels > 0, F[:, free], AT_ZERO * labels)
    return F


def path_frames(trace: Trace, jumps: list[Jump]) -> np.ndarray:
    """Break points to show: all, or evenly so many, and both states of every jump."""
    kept = trace.kept
    if len(kept) <= MAX_FRAMES:
        return kept
    even = kept[np.linspace(0, len(kept) - 1, MAX_FRAMES).round().astype(int)]
    around = [i for j in jumps for i in (j.before, j.before + 1)]
    return np.union1d(even, np.intersect1d(around, kept))


def is_break_point(state) -> bool:
    return not any(event.kind == WAY for event in state.events)


def axis_of(trace: Trace, C_u: np.ndarray, linear: bool) -> stage.Axis:
    return stage.Axis(C_u, NAME, None if linear else floor_of(trace))


def floor_of(trace: Trace) -> float | None:
    """Where a logarithmic axis begins: a power of ten below nearly all that happens."""
    C_u = np.array([s.C_u for s in trace.states if is_break_point(s)])
    jumps = jumps_of(trace)
    positive = C_u[C_u > 0]
    if len(positive) == 0 or C_u[-1] <= 0:
        return None
    first = min([np.quantile(positive, 0.02), *(j.C_u for j in jumps if j.C_u > 0)])
    first = max(first, C_u[-1] * 10.0**-DECADES)
    return float(min(10.0 ** np.floor(np.log10(first)), C_u[-1] / 10))


def path_start(scenario: Scenario, frames, states, jumps: list[Jump]) -> int:
    """Where the link says, else just before the jump with the most labels."""
    if scenario.view.t is not None:
        times = np.array([s.t for s in states])
        return int(np.abs(times - scenario.view.t).argmin())
    if not jumps:
        return len(frames) - 1
    largest = max(jumps, key=lambda j: len(j.flipped))
    return int(np.searchsorted(frames, largest.before))


def struck(frames, jumps: list[Jump], n: int) -> np.ndarray:
    """Who is hit in the state before a jump, and who has flipped in the one after."""
    rings = np.zeros((len(frames), n), dtype=bool)
    for jump in jumps:
        for i, points in ((jump.before, jump.hit), (jump.before + 1, jump.flipped)):
            at = np.searchsorted(frames, i)
            if at < len(frames) and frames[at] == i:
                rings[at, list(points)] = True
    return rings


# -- words and numbers ---------------------------------------------------------------


def captions(solved: Solved, frames, jumps: list[Jump]):
    """A sentence for every state shown; the two of a jump say what happens there."""
    trace, row = solved.trace, solved.problem.row[solved.problem.train]
    before = {j.before: j for j in jumps}
    after = {j.before + 1: j for j in jumps}
    rates = path_errors(solved)
    for i in frames:
        state = trace.states[i]
        head = f"{NAME} = {number(state.C_u)}."
        if i in after:
            sentence = after_sentence(after[i], row, rates, i)
        elif i == 0:
            sentence = "The supervised SVM: unlabelled points do not count yet."
        else:
            sentence = " ".join(renamed(e, row) for e in state.events)
        if i in before:
            sentence = before_sentence(before[i], row)
        elif i == len(trace) - 1:
            sentence += " The end: unlabelled points count as much as labelled ones."
        yield f"{head} {sentence}".strip()


def renamed(event: Event, row) -> str:
    """What happened on the margin, with the point's number on the stage."""
    points = event.data.get("points", ())
    if len(points) != 1:
        return event.text
    return event.text.replace(f"Point {points[0]} ", f"Point {row[points[0]]} ", 1)


def before_sentence(jump: Jump, row) -> str:
    what = points_named(row[list(jump.hit)])
    verb = "has" if len(jump.hit) == 1 else "have"
    return (
        f"Before the jump: {what} {verb} reached f = 0 and cannot go further with "
        f"this label. Objective {exact(jump.event.data['before'])}. One step on, "
        f"{count(len(jump.flipped), 'label')} will flip."
    )


def after_sentence(jump: Jump, row, rates, i: int) -> str:
    data, flipped = jump.event.data, row[list(jump.flipped)]
    fell = f"Objective {exact(data['before'])} before, {exact(data['after'])} now"
    whose = "label" if len(flipped) == 1 else "labels"
    text = f"After the jump: the {whose} of {points_named(flipped)} flipped, and this "
    text += f"is the optimum for the new ones. {fell}."
    if "U" in rates and rates["U"][i] != rates["U"][i - 1]:
        was, now = rate(rates["U"][i - 1]), rate(rates["U"][i])
        text += f" Unlabelled error {was} before, {now} now."
    return text


def path_status(trace: Trace, jumps: list[Jump]) -> str:
    """Where the path came from, and what it cost."""
    found = sum(map(is_break_point, trace.states)) - 1
    spent = duration(float(trace.seconds.sum()))
    return f"{count(found, 'break point')}, {count(len(jumps), 'jump')}, in {spent}."


def tick_text(jump: Jump) -> str:
    flips = count(len(jump.flipped), "label")
    return f"Jump at {NAME} = {number(jump.C_u)}: {flips} flipped."


def points_named(points, most: int = 8) -> str:
    """Points by their numbers, as far as a sentence can hold them."""
    named = ", ".join(str(i) for i in points[:most])
    rest = f" and {len(points) - most} more" if len(points) > most else ""
    return f"{'point' if len(points) == 1 else 'points'} {named}{rest}"


def exact(value: float) -> str:
    """Six digits: the fall of the objective at an early jump is small."""
    return number(value, 6)


def path_tiles(solved: Solved, frames) -> tuple[stage.Tile, ...]:
    trace = solved.trace
    objective = trace.column("objective")
    made = [stage.Tile("objective", tuple(exact(objective[i]) for i in frames))]
    for part, rates in path_errors(solved).items():
        if part != "L":
            texts = tuple(rate(rates[i]) for i in frames)
            made.append(stage.Tile(f"{PARTS[part]} error", texts))
    flips = np.cumsum([len(s.flipped or ()) for s in trace.states])
    made.append(
        stage.Tile("labels flipped until here", tuple(f"{flips[i]:,}" for i in frames))
    )
    held = trace.column("n_M")
    words = tuple(f"{held[i]:,.0f}" for i in frames)
    made.append(stage.Tile("points on the margin", words))
    return tuple(made[:MAX_TILES])
