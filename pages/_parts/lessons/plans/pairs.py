"""Why labels are switched in pairs: the class ratio."""

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.plans.moons import small_moons
from halfmoon.scenario import Labels, Scenario, default
from ssl_core.viz.words import percent

SEED, DRAW = 4, 0
RIGHT, SKEWED = 0.5, 0.9  # share of class 2 among the unlabelled points
SWITCHED = "Pairs switched"


def free(balance: str, title: str) -> Scene:
    scenario = small_moons(SEED, DRAW, "nabla_s3vm", balance=balance)
    return Scene(scenario, title, toggles=("predictions", "mistakes"))


def stripes(r: float) -> Scenario:
    """Two stripes, two labels, and label switching with a line."""
    scenario = default().with_data("stripes").with_data_knob("n", 60)
    scenario = scenario.with_seed(7).with_labels(Labels("random", 1, 0))
    scenario = scenario.with_algorithm("s3vm_light")
    return scenario.with_parameters({"kernel": "linear", "r": r})


def switching(r: float, title: str) -> Scene:
    toggles = ("predictions", "mistakes")
    return Scene(
        stripes(r),
        title,
        curves=("Errors", SWITCHED),
        lines=("unlabelled",),
        toggles=toggles,
    )


def share(run) -> float:
    """Share of the unlabelled points on the side of class 2, at the end."""
    return float(run.sides[-1][run.guessed].mean())


def positives(run) -> set[int]:
    """How many guessed labels are of class 2, in every state."""
    return {int((state.y_u > 0).sum()) for state in run.trace.states}


def first_switch(runs) -> int:
    run = runs["pairs"]
    return int(run.t[(run.column("n_switched") > 0).nonzero()[0][0]])


LESSON = Lesson(
    name="pairs",
    order=80,
    minutes=5,
    scenes={
        "free": free("fixed", "Without a class ratio"),
        "kept": free("linear", "With the class ratio"),
        "pairs": switching(RIGHT, "Labels switched in pairs"),
        "skewed": switching(SKEWED, "With a wrong ratio"),
    },
    steps=(
        Step("free", "free", right="side"),
        Step("kept", "kept", right="gap", before="free"),
        Step("pairs", "pairs", right="pair"),
        Step("skewed", "skewed", right="forced", before="pairs"),
        Step("remember", "pairs"),
    ),
    facts={
        "ratio": lambda runs: percent(RIGHT),
        "n_labels": lambda runs: runs["skewed"].n_labels,
        "share_free": lambda runs: percent(share(runs["free"])),
        "wrong_free": lambda runs: runs["free"].last_wrong,
        "wrong_first": lambda runs: runs["pairs"].wrong_at(0),
        "switched": lambda runs: int(runs["pairs"].column("n_switched").sum()),
        "held": lambda runs: min(positives(runs["pairs"])),
        "n_stripes": lambda runs: runs["pairs"].n_guesses,
        "t_switch": first_switch,
        "skewed": lambda runs: percent(SKEWED),
        "wrong_skewed": lambda runs: runs["skewed"].last_wrong,
    },
    moments={
        "start": lambda runs: 0,
        "switch": first_switch,
        "end": lambda runs: runs["pairs"].end,
    },
    claims={
        "half": lambda runs: (
            abs(runs["free"].problem.truth.mean() - RIGHT) < 0.01
            and abs(runs["pairs"].problem.truth.mean() - RIGHT) < 0.01
        ),
        "side": lambda runs: not 0.2 < share(runs["free"]) < 0.8,
        "gap": lambda runs: runs["kept"].last_wrong == 0,
        "pair": lambda runs: len(positives(runs["pairs"])) == 1,
        "mended": lambda runs: (
            runs["pairs"].wrong_at(0) > 10 and runs["pairs"].last_wrong == 0
        ),
        "forced": lambda runs: runs["skewed"].last_wrong > 15,
    },
    thumbnail="pairs",
    onward="pairs",
)
