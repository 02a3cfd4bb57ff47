"""The supervised SVM on the clock, and why the data's own shape helps."""

from dataclasses import replace

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.scenario import Scenario, default

CLOCK = default().with_data("clock")
FOUR, EIGHT, MANY = 4, 8, 32  # labels


def taught(count: int) -> Scenario:
    """The supervised machine with so many labels."""
    scenario = CLOCK.with_algorithm("svm")
    return scenario.with_labels(replace(scenario.labels, count=count))


def alone(count: int) -> Scene:
    title = f"Labels alone: {count} of them"
    return Scene(taught(count), title, toggles=("mistakes",))


LESSON = Lesson(
    name="clock",
    minutes=4,
    scenes={
        "alone": alone(2),
        "shape": Scene(
            CLOCK, "Labels and the shape of the data", toggles=("mistakes",)
        ),
        "four": alone(FOUR),
        "eight": alone(EIGHT),
        "many": alone(MANY),
    },
    steps=(
        Step("labels", "alone", right="third"),
        Step("shape", "shape", right="none", before="alone", plays=True),
        Step("price", "many", right="thirty", before="alone"),
        Step("remember", "shape"),
    ),
    facts={
        "n": lambda runs: runs["alone"].n,
        "n_guesses": lambda runs: runs["alone"].n_guesses,
        "wrong_alone": lambda runs: runs["alone"].last_wrong,
        "wrong_four": lambda runs: runs["four"].last_wrong,
        "wrong_eight": lambda runs: runs["eight"].last_wrong,
        "wrong_first": lambda runs: runs["shape"].wrong_at(1),
        "settled": lambda runs: runs["shape"].settled,
        "four": lambda runs: runs["four"].n_labels,
        "eight": lambda runs: runs["eight"].n_labels,
        "many": lambda runs: runs["many"].n_labels,
    },
    moments={
        "first": lambda runs: 1,
        "settled": lambda runs: runs["shape"].settled,
    },
    claims={
        "The usual classifier gets about a third wrong.": (
            lambda runs: 0.28 < runs["alone"].last_wrong / runs["alone"].n_guesses < 0.4
        ),
        "With the shape of the data no guess is wrong.": (
            lambda runs: runs["shape"].last_wrong == 0
        ),
        "Both have the same two labels.": (
            lambda runs: (
                runs["shape"].problem.given.tobytes()
                == runs["alone"].problem.given.tobytes()
            )
        ),
        "Four and eight labels still leave many mistakes.": (
            lambda runs: min(runs["four"].last_wrong, runs["eight"].last_wrong) > 40
        ),
        "Some thirty labels are needed without the shape.": (
            lambda runs: runs["many"].last_wrong == 0 and runs["many"].n_labels == MANY
        ),
        "One label is on the border, the other on the hands.": (
            lambda runs: sorted(runs["alone"].problem.given)[-2:] == [0, 1]
        ),
    },
    thumbnail="shape",
    onward="shape",
)
