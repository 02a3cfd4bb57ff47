"""A jump on the path of the S3VM."""

import numpy as np

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.path import path_runs
from halfmoon.pages._parts.path.path_places import with_places
from halfmoon.pages._parts.path.path_views import jumps_of
from ssl_core import ALGORITHMS
from ssl_core.viz.words import number

PATH = path_runs.scenario_for("swing")
PANEL = "Objective"


def shown(runs):
    """The path with the places between its break points, as the stage shows it."""
    return with_places(runs["path"].solved).trace


def jump(runs):
    return jumps_of(runs["path"].trace)[0]


def before(runs) -> int:
    """Iteration of the state before the jump, as the stage counts."""
    trace = shown(runs)
    return int(trace.states[jumps_of(trace)[0].before].t)


LESSON = Lesson(
    name="jump",
    order=100,
    minutes=4,
    scenes={
        "path": Scene(
            PATH, "Along the weight C*", curves=(PANEL,), toggles=("predictions",)
        ),
    },
    steps=(
        Step("glide", "path", right="jump", at="before"),
        Step("why", "path", right="lower", at="before", before="path"),
        Step("grid", "path", at="after"),
        Step("remember", "path"),
    ),
    facts={
        "n": lambda runs: runs["path"].n,
        "grid": lambda runs: ALGORITHMS["cccp"].defaults["steps"],
        "C_jump": lambda runs: number(jump(runs).C_u),
        "hit": lambda runs: int(
            runs["path"].problem.row[runs["path"].problem.train][jump(runs).hit[0]]
        ),
        "flipped": lambda runs: len(jump(runs).flipped),
        "J_before": lambda runs: jump(runs).event.data["before"],
        "J_after": lambda runs: jump(runs).event.data["after"],
        "wrong_before": lambda runs: int(runs["path"].wrong[jump(runs).before]),
    },
    moments={
        "start": lambda runs: 0,
        "before": before,
        "after": lambda runs: before(runs) + 1,
        "end": lambda runs: int(shown(runs).final.t),
    },
    claims={
        "jump": lambda runs: len(jumps_of(runs["path"].trace)) == 1 and smooth(runs),
        "ends": lambda runs: at_the_ends(runs["path"].problem),
        "same": lambda runs: same_weight(runs),
        "at_zero": lambda runs: (
            abs(runs["path"].trace.states[jump(runs).before].f[jump(runs).hit[0]])
            < 1e-9
        ),
        "one_hit": lambda runs: len(jump(runs).hit) == 1 < len(jump(runs).flipped),
        "lower": lambda runs: (
            jump(runs).event.data["after"] < 0.9 * jump(runs).event.data["before"]
        ),
        "mended": lambda runs: (
            runs["path"].wrong[jump(runs).before]
            > 0
            == runs["path"].wrong[jump(runs).before + 1]
        ),
    },
    thumbnail="path",
    onward="path",
)


def at_the_ends(problem) -> bool:
    """Whether each class has one label, at one end of its stripe."""
    given, x = problem.given, problem.X[:, 0]
    ends = [{x[problem.truth == c].min(), x[problem.truth == c].max()} for c in (0, 1)]
    return all(len(x[given == c]) == 1 and x[given == c][0] in ends[c] for c in (0, 1))


def same_weight(runs) -> bool:
    """Whether C* is the same before and after the jump, and the outputs are not."""
    at = jumps_of(shown(runs))[0].before
    first, then = shown(runs).states[at : at + 2]
    return bool(first.C_u == then.C_u and np.abs(first.f - then.f).max() > 0.1)


def smooth(runs) -> bool:
    """Whether no other step moves an output as far as the jump does."""
    F = np.stack([s.f for s in shown(runs).states])
    moved = np.abs(np.diff(F, axis=0)).max(axis=1)
    at = jumps_of(shown(runs))[0].before
    return bool(moved[at] > 2 * np.delete(moved, at).max())
