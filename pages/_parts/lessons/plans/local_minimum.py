"""A local minimum, and how annealing avoids it."""

import numpy as np

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.plans.moons import small_moons

SEED, DRAW = 2, 2
OBJECTIVES = "Objectives"
LINES = ("objective", "unlabelled")


def solved(steps: int, title: str, *toggles: str) -> Scene:
    scenario = small_moons(SEED, DRAW, "nabla_s3vm", steps=steps)
    return Scene(
        scenario, title, curves=(OBJECTIVES, "Errors"), lines=LINES, toggles=toggles
    )


def weights(run) -> list[float]:
    """The weights C* that a run goes through."""
    return sorted(set(run.column("C_u").tolist()))


def changed(one, other) -> set[str]:
    """Parameters in which the methods of two runs differ."""
    params, others = one.solved.scenario.params, other.solved.scenario.params
    return {name for name in params if params[name] != others[name]}


LESSON = Lesson(
    name="local_minimum",
    order=90,
    minutes=4,
    scenes={
        "once": solved(1, "All points at once", "mistakes"),
        "annealed": solved(10, "Annealed", "mistakes"),
    },
    steps=(
        Step("once", "once", right="stuck"),
        Step("anneal", "annealed", right="falls", before="once", plays=True),
        Step("compare", "annealed", at="middle"),
        Step("remember", "annealed"),
    ),
    facts={
        "n_guesses": lambda runs: runs["once"].n_guesses,
        "wrong_labels": lambda runs: runs["once"].wrong_at(0),
        "wrong_once": lambda runs: runs["once"].last_wrong,
        "J_once": lambda runs: runs["once"].trace.final.objective,
        "J_annealed": lambda runs: runs["annealed"].trace.final.objective,
        "first_weight": lambda runs: weights(runs["annealed"])[1],
        "last_weight": lambda runs: weights(runs["annealed"])[-1],
        "wrong_middle": lambda runs: runs["annealed"].wrong_at(middle(runs)),
        "settled": lambda runs: runs["annealed"].settled,
    },
    moments={
        "start": lambda runs: 0,
        "middle": lambda runs: middle(runs),
        "settled": lambda runs: runs["annealed"].settled,
    },
    claims={
        "stuck": lambda runs: runs["once"].last_wrong >= runs["once"].wrong_at(0),
        "downhill": lambda runs: (
            (np.diff(runs["once"].column("objective")[1:]) <= 0).all()
            and (runs["once"].column("C_u")[1:] == weights(runs["once"])[-1]).all()
        ),
        "minimum": lambda runs: (
            runs["once"].column("grad_norm")[-1]
            < 1e-3 * runs["once"].column("grad_norm").max()
        ),
        "same": lambda runs: (
            changed(runs["once"], runs["annealed"]) == {"steps"}
            and runs["once"].sides[0].tolist() == runs["annealed"].sides[0].tolist()
        ),
        "grows": lambda runs: (
            len(weights(runs["annealed"])) > 8
            and weights(runs["annealed"])[1] < 0.01 * weights(runs["annealed"])[-1]
        ),
        "falls": lambda runs: (
            runs["annealed"].trace.final.objective
            < 0.5 * runs["once"].trace.final.objective
        ),
        "none": lambda runs: runs["annealed"].last_wrong == 0,
        "rises": lambda runs: (np.diff(runs["annealed"].column("objective")) > 0).any(),
    },
    thumbnail="annealed",
    onward="annealed",
)


def middle(runs) -> int:
    """An iteration on the way, when part of the mistakes are gone."""
    run = runs["annealed"]
    return int(run.t[(run.wrong > 0.3 * run.wrong[0]).nonzero()[0][-1]])
