"""Two labels are enough: what semi-supervised learning is, on two moons."""

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.scenario import default

GRAPH = default()
LABELS_ONLY = GRAPH.with_algorithm("svm")

LESSON = Lesson(
    name="two_labels",
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
        "Nothing is known at the start: every point is given the same class.": (
            lambda runs: len(set(runs["graph"].sides[0])) == 1
        ),
        "All guesses are right in the end.": (
            lambda runs: runs["graph"].last_wrong == 0
        ),
        "From there on no guess is wrong any more.": (
            lambda runs: not runs["graph"].wrong[runs["graph"].settled :].any()
        ),
        "The first step is as bad as learning from the labels alone.": (
            lambda runs: abs(runs["graph"].wrong_at(1) - runs["alone"].last_wrong) <= 3
        ),
        "The line runs halfway between the two labels.": lambda runs: halfway(runs),
        "The labels alone leave some moons cut in two.": (
            lambda runs: runs["alone"].last_wrong > 20
        ),
        "Both machines have the same two labels.": (
            lambda runs: (
                list(runs["graph"].problem.given) == list(runs["alone"].problem.given)
            )
        ),
    },
    thumbnail="graph",
    onward="graph",
)


def spread(runs) -> int:
    """The last iteration before hardly any guess is wrong."""
    run = runs["graph"]
    return int(run.t[(run.wrong > 10).nonzero()[0][-1]]) + 1


def halfway(runs) -> bool:
    """Whether the two labelled points have opposite outputs of one size."""
    run = runs["alone"]
    outputs = run.trace.final.f[run.problem.given >= 0]
    return bool(abs(outputs.sum()) < 0.05 * abs(outputs).max())
