"""A lower objective is no promise of fewer errors."""

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.guided.lessons.moons import moons

SEED, DRAW = 5, 0


def machine(algorithm: str, title: str, beside: str = "") -> Scene:
    scenario = moons(SEED, DRAW, algorithm)
    return Scene(scenario, title, toggles=("mistakes",), beside=beside)


def objective(run) -> float:
    """That of all S3VMs alike: trained anew on the labels that were predicted."""
    return float(run.column("transductive_objective")[-1])


LESSON = Lesson(
    name="lower_objective",
    minutes=3,
    scenes={
        "low": machine("nabla_s3vm", "B: gradient S3VM"),
        "both": machine("cccp", "A: concave-convex procedure", beside="low"),
        "lowest": machine("cs3vm", "C: continuation S3VM"),
    },
    steps=(
        Step("two", "both", right="B_more"),
        Step("lowest", "lowest", right="zero", before="both"),
        Step("remember", "lowest"),
    ),
    facts={
        "n_guesses": lambda runs: runs["both"].n_guesses,
        "J_high": lambda runs: objective(runs["both"]),
        "J_low": lambda runs: objective(runs["low"]),
        "J_lowest": lambda runs: objective(runs["lowest"]),
        "wrong_high": lambda runs: runs["both"].last_wrong,
        "wrong_low": lambda runs: runs["low"].last_wrong,
    },
    claims={
        "B has the lower objective and far more errors.": (
            lambda runs: (
                objective(runs["low"]) < 0.9 * objective(runs["both"])
                and runs["low"].last_wrong > 3 * runs["both"].last_wrong
            )
        ),
        "B is worse than tossing a coin.": (
            lambda runs: runs["low"].last_wrong > 0.5 * runs["low"].n_guesses
        ),
        "C has the lowest objective of the three and no error.": (
            lambda runs: (
                objective(runs["lowest"]) < objective(runs["low"])
                and runs["lowest"].last_wrong == 0
            )
        ),
        "All three have the same points, labels, kernel, weights and ratio.": (
            lambda runs: (
                len(
                    {
                        tuple(runs[n].solved.scenario.params[p] for p in SAME)
                        for n in ("both", "low", "lowest")
                    }
                )
                == 1
            )
        ),
    },
    thumbnail="low",
    onward="low",
)
SAME = ("kernel", "sigma", "C", "C_u", "r", "balance")
