"""A jump on the path of the S3VM."""

import numpy as np

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.lessons.path import scenario_for
from pages._parts.pictures.path_places import with_places
from pages._parts.pictures.path_views import jumps_of
from ssl_core.viz.words import number

PATH = scenario_for("swing")
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
        "There is one jump, and one point is hit.": (
            lambda runs: (
                len(jumps_of(runs["path"].trace)) == 1 and len(jump(runs).hit) == 1
            )
        ),
        "Several labels flip although one point was hit.": (
            lambda runs: len(jump(runs).flipped) > len(jump(runs).hit)
        ),
        "The objective is lower after the jump, at the same C*.": (
            lambda runs: (
                jump(runs).event.data["after"] < 0.9 * jump(runs).event.data["before"]
            )
        ),
        "The jump puts all guesses right.": (
            lambda runs: (
                runs["path"].wrong[jump(runs).before]
                > 0
                == runs["path"].wrong[jump(runs).before + 1]
            )
        ),
        "Before and after it the outputs move a little at a time.": (
            lambda runs: smooth(runs)
        ),
        "The point that is hit has f = 0.": (
            lambda runs: (
                abs(runs["path"].trace.states[jump(runs).before].f[jump(runs).hit[0]])
                < 1e-9
            )
        ),
        "The last state is right, too.": lambda runs: runs["path"].last_wrong == 0,
    },
    thumbnail="path",
    onward="path",
)


def smooth(runs) -> bool:
    """Whether no other step moves an output as far as the jump does."""
    F = np.stack([s.f for s in shown(runs).states])
    moved = np.abs(np.diff(F, axis=0)).max(axis=1)
    at = jumps_of(shown(runs))[0].before
    return bool(moved[at] > 2 * np.delete(moved, at).max())
