"""A lower objective does not guarantee fewer errors."""

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.plans.moons import small_moons
from halfmoon.pages._parts.lessons.watched import same_labels

SEED, DRAW = 5, 0
SAME = ("kernel", "sigma", "C", "C_u", "r", "balance")


def machine(algorithm: str, title: str, beside: str = "") -> Scene:
    scenario = small_moons(SEED, DRAW, algorithm)
    return Scene(scenario, title, toggles=("mistakes",), beside=beside)


def objective(run) -> float:
    """That of all S3VMs alike: trained again on the labels that were predicted."""
    return float(run.column("transductive_objective")[-1])


def lower(runs) -> bool:
    """Whether B ends lower than A."""
    return objective(runs["low"]) < 0.9 * objective(runs["both"])


def same(runs) -> bool:
    """Whether all have the same labels, kernel, weights and ratio."""
    made = [runs[name] for name in ("both", "low", "lowest")]
    settings = {tuple(run.solved.scenario.params[p] for p in SAME) for run in made}
    return len(settings) == 1 and same_labels(*made)


LESSON = Lesson(
    name="lower_objective",
    order=110,
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
        "n_labels": lambda runs: runs["both"].n_labels,
        "n_guesses": lambda runs: runs["both"].n_guesses,
        "J_high": lambda runs: objective(runs["both"]),
        "J_low": lambda runs: objective(runs["low"]),
        "J_lowest": lambda runs: objective(runs["lowest"]),
        "wrong_high": lambda runs: runs["both"].last_wrong,
        "wrong_low": lambda runs: runs["low"].last_wrong,
    },
    claims={
        "title": lambda runs: lower(runs) and same(runs),
        "same": lambda runs: same(runs),
        "lower": lambda runs: lower(runs),
        "B_more": lambda runs: runs["low"].last_wrong > 3 * runs["both"].last_wrong,
        "coin": lambda runs: runs["low"].last_wrong > 0.5 * runs["low"].n_guesses,
        "lowest": lambda runs: objective(runs["lowest"]) < objective(runs["low"]),
        "zero": lambda runs: runs["lowest"].last_wrong == 0,
    },
    thumbnail="low",
    onward="low",
)
