"""One more label: where the prediction was right, and where it was wrong."""

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.scenario import Labels, Scenario, default

SEED, NOISE = 3, 0.12
GIVEN = ((132, 1), (172, 0))  # one label of each class
RIGHT, WRONG = (145, 0), (99, 1)  # labels of points predicted right and wrong


def moons(*more: tuple[int, int]) -> Scenario:
    """Moons that almost touch, with two labels and perhaps more."""
    scenario = default().with_data_knob("noise", NOISE).with_seed(SEED)
    hand = tuple(sorted((*GIVEN, *more)))
    return scenario.with_labels(Labels("hand", hand=hand))


def output(runs, point: int) -> float:
    """The output at a point when there are two labels."""
    return float(runs["two"].trace.final.f[point])


LESSON = Lesson(
    name="one_more_label",
    order=30,
    minutes=4,
    scenes={
        "two": Scene(moons(), "Two labels", toggles=("mistakes",)),
        "sure": Scene(
            moons(RIGHT),
            "A third label where the prediction was right",
            toggles=("mistakes",),
        ),
        "unsure": Scene(
            moons(WRONG),
            "A third label where the prediction was wrong",
            toggles=("mistakes",),
        ),
    },
    steps=(
        Step("start", "two"),
        Step("right", "sure", right="nothing", before="two"),
        Step("wrong", "unsure", right="all", before="two"),
        Step("try", "two", invites=True),
        Step("remember", "unsure"),
    ),
    facts={
        "n_two": lambda runs: runs["two"].n_labels,
        "n_three": lambda runs: runs["sure"].n_labels,
        "n_guesses": lambda runs: runs["two"].n_guesses,
        "wrong_two": lambda runs: runs["two"].last_wrong,
        "wrong_sure": lambda runs: runs["sure"].last_wrong,
        "f_right": lambda runs: abs(output(runs, RIGHT[0])),
        "f_wrong": lambda runs: abs(output(runs, WRONG[0])),
    },
    claims={
        "title": lambda runs: (
            {runs[name].n_labels - runs["two"].n_labels for name in ("sure", "unsure")}
            == {1}
        ),
        "short": lambda runs: runs["two"].last_wrong > 0,
        "tip": lambda runs: same_tip(runs["two"]),
        "was_right": lambda runs: not guessed_wrong(runs["two"], *RIGHT),
        "was_wrong": lambda runs: guessed_wrong(runs["two"], *WRONG),
        "nothing": lambda runs: (
            0
            <= runs["sure"].last_wrong - runs["two"].last_wrong
            <= 0.2 * runs["two"].last_wrong
        ),
        "harder": lambda runs: runs["sure"].last_wrong > runs["two"].last_wrong,
        "all": lambda runs: runs["unsure"].last_wrong == 0,
        "surer": lambda runs: (
            abs(output(runs, RIGHT[0])) > 2 * abs(output(runs, WRONG[0]))
        ),
    },
    thumbnail="unsure",
    onward="two",
)


def guessed_wrong(run, point: int, label: int) -> bool:
    """Whether a point is predicted wrong at the end; its new label must be true."""
    if run.problem.truth[point] != label:
        raise ValueError(f"Point {point} is not of class {label}.")
    return bool(run.mistakes[-1][point])


def same_tip(run) -> bool:
    """Whether all errors lie in the left tip of the lower moon, class 1."""
    wrong = run.mistakes[-1]
    left = (abs(run.problem.X[wrong, 0]) < 0.5).all()
    return bool(left and (run.problem.truth[wrong] == 1).all())
