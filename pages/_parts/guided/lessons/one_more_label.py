"""One more label: where the guess was right, and where it was wrong."""

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.scenario import Labels, Scenario, default

SEED, NOISE = 3, 0.12
GIVEN = ((132, 1), (172, 0))  # one label of each class
RIGHT, WRONG = (145, 0), (99, 1)  # labels for points guessed right and wrong


def moons(*more: tuple[int, int]) -> Scenario:
    """Moons that nearly touch, with two labels and perhaps more."""
    scenario = default().with_data_knob("noise", NOISE).with_seed(SEED)
    hand = tuple(sorted((*GIVEN, *more)))
    return scenario.with_labels(Labels("hand", hand=hand))


def output(runs, point: int) -> float:
    """The machine's output for a point when it has two labels."""
    return float(runs["two"].trace.final.f[point])


LESSON = Lesson(
    name="one_more_label",
    minutes=4,
    scenes={
        "two": Scene(moons(), "Two labels", toggles=("mistakes",)),
        "sure": Scene(
            moons(RIGHT),
            "A third label where the guess was right",
            toggles=("mistakes",),
        ),
        "unsure": Scene(
            moons(WRONG),
            "A third label where the guess was wrong",
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
        "n_guesses": lambda runs: runs["two"].n_guesses,
        "wrong_two": lambda runs: runs["two"].last_wrong,
        "wrong_sure": lambda runs: runs["sure"].last_wrong,
        "f_right": lambda runs: abs(output(runs, RIGHT[0])),
        "f_wrong": lambda runs: abs(output(runs, WRONG[0])),
    },
    claims={
        "Two labels leave some guesses wrong, all in the same tip.": (
            lambda runs: 15 < runs["two"].last_wrong < 60 and same_tip(runs)
        ),
        "The first point was guessed right.": (
            lambda runs: not runs["two"].mistakes[-1][RIGHT[0]]
        ),
        "The second point was guessed wrong.": (
            lambda runs: runs["two"].mistakes[-1][WRONG[0]]
        ),
        "A label that agrees with the guess changes little, here not for the better.": (
            lambda runs: (
                0
                <= runs["sure"].last_wrong - runs["two"].last_wrong
                <= 0.2 * runs["two"].last_wrong
            )
        ),
        "A label where the guess was wrong puts everything right.": (
            lambda runs: runs["unsure"].last_wrong == 0
        ),
        "The machine was surer of the point that it guessed right.": (
            lambda runs: abs(output(runs, RIGHT[0])) > 2 * abs(output(runs, WRONG[0]))
        ),
        "The new labels are true.": (
            lambda runs: all(
                runs["two"].problem.truth[i] == c for i, c in (RIGHT, WRONG)
            )
        ),
    },
    thumbnail="unsure",
    onward="two",
)


def same_tip(runs) -> bool:
    """Whether all wrong guesses lie in the left half of the lower moon."""
    run = runs["two"]
    places = run.problem.X[run.mistakes[-1]]
    return bool((abs(places[:, 0]) < 0.5).all())
