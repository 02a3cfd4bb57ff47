"""What temperature is, and when a run is over."""

import numpy as np

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.plans.moons import small_moons
from ssl_core.quantities import PROBABILITY, with_role

TEMPERATURE, ENTROPY = "Temperature", "Entropy of the labels"
SLOW, FAST = 1.1, 1.5  # by how much the temperature is divided at each step
COIN = float(np.log(2))  # entropy of an undecided label
HALF = 0.5  # of that


def cooled(rate: float, title: str, *toggles: str) -> Scene:
    scenario = small_moons(4, 0, "nabla_da", rate=rate)
    return Scene(scenario, title, curves=(TEMPERATURE, ENTROPY), toggles=toggles)


def probabilities(run, index: int) -> np.ndarray:
    """Of the unlabelled points, as the run has them at a state."""
    state = run.trace.states[index]
    return getattr(state, with_role(type(state), PROBABILITY)[0])


def undecided(runs) -> int:
    """The last iteration at which the entropy is above half of its maximum."""
    run = runs["slow"]
    return int(run.t[np.flatnonzero(run.column("entropy") > HALF * COIN)[-1]])


def entropy(run, t: int) -> float:
    return float(run.column("entropy")[run.at(t)])


def doubt(p: np.ndarray) -> float:
    """Distance of the least certain probability from 0 or 1."""
    return float(np.minimum(p, 1 - p).max())


def ladder(run) -> int:
    """How many temperatures a run goes through."""
    return len(set(run.column("T").tolist()))


def rests(runs) -> bool:
    """Whether a step without a change comes before one with changes."""
    changes = (np.diff(runs["slow"].sides, axis=0) != 0).any(axis=1)
    return bool(changes[np.flatnonzero(~changes)[0] :].any())


LESSON = Lesson(
    name="temperature",
    order=70,
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
        "half": lambda runs: np.abs(probabilities(runs["slow"], 1) - 0.5).max() < 0.1,
        "halved": lambda runs: (
            abs(entropy(runs["slow"], undecided(runs)) - HALF * COIN) < 0.1 * COIN
        ),
        "lowered": lambda runs: (np.diff(runs["slow"].column("T")) <= 0).all(),
        "decided": lambda runs: (
            doubt(probabilities(runs["slow"], -1)) < 1e-3
            and entropy(runs["slow"], runs["slow"].end) < 1e-4
            and runs["slow"].column("T")[-1] > 0.01
        ),
        "rests": lambda runs: rests(runs),
        "worse": lambda runs: (
            runs["fast"].last_wrong > 15 and runs["slow"].last_wrong == 0
        ),
        "better": lambda runs: (
            runs["slow"].column("transductive_objective")[-1]
            < 0.7 * runs["fast"].column("transductive_objective")[-1]
        ),
    },
    thumbnail="slow",
    onward="slow",
)
