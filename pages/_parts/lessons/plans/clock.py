"""The supervised SVM on the clock, and why the data's own shape helps."""

from dataclasses import replace

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.watched import same_labels
from halfmoon.scenario import Scenario, default

CLOCK = default().with_data("clock")
FOUR, EIGHT, MANY = 4, 8, 32  # labels


def taught(count: int) -> Scenario:
    """The supervised SVM with so many labels."""
    scenario = CLOCK.with_algorithm("svm")
    return scenario.with_labels(replace(scenario.labels, count=count))


def alone(count: int) -> Scene:
    title = f"Labels alone: {count} labels"
    return Scene(taught(count), title, toggles=("mistakes",))


def given_to(run) -> list[int]:
    """Classes of the labelled points."""
    return sorted(run.problem.given[run.problem.given >= 0].tolist())


LESSON = Lesson(
    name="clock",
    order=40,
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
        "n_labels": lambda runs: runs["alone"].n_labels,
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
        "title": lambda runs: given_to(runs["alone"]) == [0, 1],
        "one_each": lambda runs: given_to(runs["alone"]) == [0, 1],
        "third": lambda runs: (
            0.28 < runs["alone"].last_wrong / runs["alone"].n_guesses < 0.4
        ),
        "none": lambda runs: runs["shape"].last_wrong == 0,
        "thirty": lambda runs: (
            runs["many"].last_wrong == 0 and 28 <= runs["many"].n_labels <= 32
        ),
        "same": lambda runs: same_labels(runs["shape"], runs["alone"]),
        "chains": lambda runs: (
            runs["shape"].n_between == 0 and runs["shape"].n_connected == 2
        ),
        "still": lambda runs: runs["shape"].wrong_at(1) == runs["alone"].last_wrong,
        "slowly": lambda runs: runs["eight"].last_wrong > runs["four"].last_wrong,
    },
    thumbnail="shape",
    onward="shape",
)
