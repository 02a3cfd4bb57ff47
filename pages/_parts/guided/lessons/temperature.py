"""What temperature is, and when a run is over."""

import numpy as np

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.guided.lessons.moons import moons
from ssl_core.quantities import PROBABILITY, with_role

TEMPERATURE, ENTROPY = "Temperature", "Entropy of the labels"
SLOW, FAST = 1.1, 1.5  # by how much the temperature is divided at each step
COIN = float(np.log(2))  # entropy of a label that is a coin toss
HALF = 0.5  # of that


def cooled(rate: float, title: str, *toggles: str) -> Scene:
    scenario = moons(4, 0, "nabla_da", rate=rate)
    return Scene(scenario, title, curves=(TEMPERATURE, ENTROPY), toggles=toggles)


def probabilities(run, index: int) -> np.ndarray:
    """Of the unlabelled points, as the run has them at a state."""
    state = run.trace.states[index]
    return getattr(state, with_role(type(state), PROBABILITY)[0])


def undecided(runs) -> int:
    """The last iteration at which labels are more than half a coin toss."""
    run = runs["slow"]
    return int(run.t[np.flatnonzero(run.column("entropy") > HALF * COIN)[-1]])


def ladder(run) -> int:
    """How many temperatures a run goes through."""
    return len(set(run.column("T").tolist()))


def rests(runs) -> bool:
    """Whether a step without a change comes before one with changes."""
    changes = (np.diff(runs["slow"].sides, axis=0) != 0).any(axis=1)
    return bool(changes[np.flatnonzero(~changes)[0] :].any())


LESSON = Lesson(
    name="temperature",
    minutes=5,
    scenes={
        "slow": cooled(SLOW, "Cooled slowly", "predictions"),
        "fast": cooled(FAST, "Cooled fast", "mistakes"),
        "cold": cooled(SLOW, "Cooled slowly", "mistakes"),
    },
    steps=(
        Step("hot", "slow", right="half", at="hot"),
        Step("over", "slow", right="decided", at="undecided", before="slow"),
        Step("fast", "fast", right="worse", before="slow"),
        Step("remember", "cold"),
    ),
    facts={
        "p_low": lambda runs: round(float(probabilities(runs["slow"], 1).min()), 2),
        "p_high": lambda runs: round(float(probabilities(runs["slow"], 1).max()), 2),
        "n_guesses": lambda runs: runs["slow"].n_guesses,
        "T_hot": lambda runs: runs["slow"].column("T")[0],
        "T_half": lambda runs: runs["slow"].column("T")[
            runs["slow"].at(undecided(runs))
        ],
        "T_end": lambda runs: runs["slow"].column("T")[-1],
        "settled": lambda runs: runs["slow"].settled,
        "end": lambda runs: runs["slow"].end,
        "ladder_slow": lambda runs: ladder(runs["slow"]),
        "ladder_fast": lambda runs: ladder(runs["fast"]),
        "wrong_fast": lambda runs: runs["fast"].last_wrong,
    },
    moments={
        "hot": lambda runs: 1,
        "undecided": undecided,
        "settled": lambda runs: runs["slow"].settled,
        "end": lambda runs: runs["slow"].end,
    },
    claims={
        "Hot, every label is a coin toss.": (
            lambda runs: np.abs(probabilities(runs["slow"], 1) - 0.5).max() < 0.1
        ),
        "In the end every label is certain.": (
            lambda runs: (
                np.minimum(
                    probabilities(runs["slow"], -1), 1 - probabilities(runs["slow"], -1)
                ).max()
                < 1e-3
            )
        ),
        "The run is over when the entropy is next to nothing, with T above 0.": (
            lambda runs: (
                runs["slow"].column("entropy")[-1] < 1e-4
                and runs["slow"].column("T")[-1] > 0.01
            )
        ),
        "Guesses rest for a while, and move again later.": lambda runs: rests(runs),
        "The temperature only falls.": (
            lambda runs: (np.diff(runs["slow"].column("T")) <= 0).all()
        ),
        "The guesses settle about halfway, and all are right.": (
            lambda runs: (
                0.3 < runs["slow"].settled / runs["slow"].end < 0.7
                and runs["slow"].last_wrong == 0
            )
        ),
        "Cooled fast, many guesses are wrong.": (
            lambda runs: runs["fast"].last_wrong > 15
        ),
        "Both minimise the same objective, and the slow one ends lower.": (
            lambda runs: (
                runs["slow"].column("transductive_objective")[-1]
                < 0.7 * runs["fast"].column("transductive_objective")[-1]
            )
        ),
    },
    thumbnail="slow",
    onward="slow",
)
