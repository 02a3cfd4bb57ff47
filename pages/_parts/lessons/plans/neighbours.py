"""What the graph carries, and what too many neighbours do."""

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.pages._parts.lessons.watched import same_labels
from halfmoon.scenario import default
from ssl_core.viz.words import percent

FEW, SOME, MANY, MOST = 6, 10, 15, 40  # neighbours


def graph(k: int) -> Scene:
    """Two moons with ``k`` neighbours, edges and mistakes in sight."""
    return Scene(
        default().with_parameter("n_neighbors", k),
        f"Each point joined to its {k} nearest",
        toggles=("graph", "mistakes"),
    )


LESSON = Lesson(
    name="neighbours",
    order=20,
    minutes=4,
    scenes={
        "few": graph(FEW),
        "some": graph(SOME),
        "many": graph(MANY),
        "most": graph(MOST),
    },
    steps=(
        Step("carries", "few", at="first"),
        Step("more", "many", right="worse", before="few"),
        Step("count", "most", right="bridge", before="many"),
        Step("remember", "few"),
    ),
    facts={
        "n_labels": lambda runs: runs["few"].n_labels,
        "few": lambda runs: FEW,
        "some": lambda runs: SOME,
        "many": lambda runs: MANY,
        "most": lambda runs: MOST,
        "share_most": lambda runs: percent(MOST / runs["most"].n),
        "edges_few": lambda runs: runs["few"].n_edges,
        "edges_many": lambda runs: runs["many"].n_edges,
        "edges_most": lambda runs: runs["most"].n_edges,
        "between_some": lambda runs: runs["some"].n_between,
        "between_many": lambda runs: runs["many"].n_between,
        "between_most": lambda runs: runs["most"].n_between,
        "wrong_first": lambda runs: runs["few"].wrong_at(1),
        "wrong_many": lambda runs: runs["many"].last_wrong,
        "wrong_most": lambda runs: runs["most"].last_wrong,
        "n_guesses": lambda runs: runs["few"].n_guesses,
        "settled": lambda runs: runs["few"].settled,
    },
    moments={
        "first": lambda runs: 1,
        "settled": lambda runs: runs["few"].settled,
    },
    claims={
        "worse": lambda runs: 0 == runs["few"].last_wrong < runs["many"].last_wrong,
        "bridge": lambda runs: in_order(runs, "n_between", "last_wrong"),
        "apart": lambda runs: runs["few"].n_between == 0 == runs["few"].last_wrong,
        "harmless": lambda runs: runs["some"].last_wrong == 0 < runs["some"].n_between,
        "enough": lambda runs: (
            runs["many"].n_between < 0.01 * runs["many"].n_edges
            and runs["many"].last_wrong > 10
        ),
        "same": lambda runs: same_labels(*all_of(runs)),
    },
    thumbnail="few",
    onward="many",
    with_graph=True,
)


def all_of(runs):
    return [runs[name] for name in ("few", "some", "many", "most")]


def in_order(runs, *names) -> bool:
    """Whether these numbers never fall from few neighbours to most."""
    columns = ([getattr(run, name) for run in all_of(runs)] for name in names)
    return all(column == sorted(column) for column in columns)
