"""A local minimum, and how annealing avoids it."""

import numpy as np

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.guided.lessons.moons import moons

SEED, DRAW = 2, 2
OBJECTIVES = "Objectives"
LINES = ("objective", "unlabelled")


def solved(steps: int, title: str, *toggles: str) -> Scene:
    scenario = moons(SEED, DRAW, "nabla_s3vm", steps=steps)
    return Scene(
        scenario, title, curves=(OBJECTIVES, "Errors"), lines=LINES, toggles=toggles
    )


def weights(run) -> list[float]:
    """The weights C* that a run goes through."""
    return sorted(set(run.column("C_u").tolist()))


LESSON = Lesson(
    name="local_minimum",
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
        "Both runs minimise the same objective, with the same weight in the end.": (
            lambda runs: weights(runs["once"])[-1] == weights(runs["annealed"])[-1]
        ),
        "At once: the gradient is next to zero at the end, so it is a minimum.": (
            lambda runs: (
                runs["once"].column("grad_norm")[-1]
                < 1e-3 * runs["once"].column("grad_norm").max()
            )
        ),
        "At once: from the first step on the objective goes down.": (
            lambda runs: (
                (np.diff(runs["once"].column("objective")[1:]) <= 0).all()
                and (runs["once"].column("C_u")[1:] == 1).all()
            )
        ),
        "At once: no better than the labels alone.": (
            lambda runs: runs["once"].last_wrong >= runs["once"].wrong_at(0)
        ),
        "Annealed: no guess is wrong.": lambda runs: runs["annealed"].last_wrong == 0,
        "Annealed: the objective ends at less than half.": (
            lambda runs: (
                runs["annealed"].trace.final.objective
                < 0.5 * runs["once"].trace.final.objective
            )
        ),
        "The weight grows step by step, from a tiny one.": (
            lambda runs: (
                len(weights(runs["annealed"])) > 8
                and weights(runs["annealed"])[1] < 0.01 * weights(runs["annealed"])[-1]
            )
        ),
        "They start from the same machine, that of the labels alone.": (
            lambda runs: (
                runs["once"].sides[0].tolist() == runs["annealed"].sides[0].tolist()
            )
        ),
    },
    thumbnail="annealed",
    onward="annealed",
)


def middle(runs) -> int:
    """An iteration on the way, when part of the mistakes are gone."""
    run = runs["annealed"]
    return int(run.t[(run.wrong > 0.3 * run.wrong[0]).nonzero()[0][-1]])
