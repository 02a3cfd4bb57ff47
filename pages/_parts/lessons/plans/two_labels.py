"""Two labels are enough: what semi-supervised learning is, on two moons."""

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.watched import same_labels
from halfmoon.scenario import default

GRAPH = default()
LABELS_ONLY = GRAPH.with_algorithm("svm")

LESSON = Lesson(
    name="two_labels",
    order=10,
    minutes=3,
    scenes={
        "graph": Scene(GRAPH, "Learning from all points"),
        "alone": Scene(
            LABELS_ONLY, "Learning from the labels alone", toggles=("mistakes",)
        ),
    },
    steps=(
        Step("guess", "graph", right="all", plays=True),
        Step("alone", "alone", right="halfway"),
        Step("why", "graph", at="spread"),
        Step("remember", "graph"),
    ),
    facts={
        "n_labels": lambda runs: runs["graph"].n_labels,
        "n": lambda runs: runs["graph"].n,
        "n_guesses": lambda runs: runs["graph"].n_guesses,
        "wrong_first": lambda runs: runs["graph"].wrong_at(1),
        "wrong_spread": lambda runs: runs["graph"].wrong_at(spread(runs)),
        "t_spread": lambda runs: spread(runs),
        "settled": lambda runs: runs["graph"].settled,
        "wrong_alone": lambda runs: runs["alone"].last_wrong,
    },
    moments={
        "start": lambda runs: 0,
        "first": lambda runs: 1,
        "spread": lambda runs: spread(runs),
        "settled": lambda runs: runs["graph"].settled,
    },
    claims={
        "title": lambda runs: (runs["graph"].n_labels, runs["graph"].n) == (2, 200),
        "all": lambda runs: runs["graph"].last_wrong == 0,
        "halfway": lambda runs: halfway(runs),
        "unknown": lambda runs: len(set(runs["graph"].sides[0])) == 1,
        "stays": lambda runs: not runs["graph"].wrong[runs["graph"].settled :].any(),
        "cuts": lambda runs: len(set(wrong_classes(runs["alone"]))) == 2,
        "same": lambda runs: same_labels(runs["graph"], runs["alone"]),
    },
    thumbnail="graph",
    onward="graph",
)


def spread(runs) -> int:
    """The first iteration from which on at most 10 predictions are wrong."""
    run = runs["graph"]
    return int(run.t[(run.wrong > 10).nonzero()[0][-1]]) + 1


def wrong_classes(run) -> list[int]:
    """True classes of the points that are predicted wrong in the end."""
    return run.problem.truth[run.mistakes[-1]].tolist()


def halfway(runs) -> bool:
    """Whether the two labelled points have opposite outputs of one size."""
    run = runs["alone"]
    outputs = run.trace.final.f[run.problem.given >= 0]
    return bool(abs(outputs.sum()) < 0.05 * abs(outputs).max())
