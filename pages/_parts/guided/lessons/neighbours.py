"""What the graph carries, and what too many neighbours do."""

from pages._parts.guided.lesson import Lesson, Scene, Step
from pages._parts.scenario import default

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
        "few": lambda runs: FEW,
        "some": lambda runs: SOME,
        "many": lambda runs: MANY,
        "most": lambda runs: MOST,
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
        "With few neighbours no edge joins the moons, and no guess is wrong.": (
            lambda runs: runs["few"].n_between == 0 == runs["few"].last_wrong
        ),
        "Two or so edges between the classes do no harm yet.": (
            lambda runs: runs["some"].n_between > 0 == runs["some"].last_wrong
        ),
        "Fifteen or so edges between the classes do harm.": (
            lambda runs: runs["many"].n_between > 10 and runs["many"].last_wrong > 10
        ),
        "Every step makes more edges between the classes.": (
            lambda runs: (
                runs["few"].n_between
                < runs["some"].n_between
                < runs["many"].n_between
                < runs["most"].n_between
            )
        ),
        "Forty neighbours are worse than fifteen.": (
            lambda runs: runs["most"].last_wrong > runs["many"].last_wrong
        ),
        "Less than one edge in a hundred is a bridge, and that is enough.": (
            lambda runs: runs["many"].n_between < 0.01 * runs["many"].n_edges
        ),
        "The labels are the same in all four.": (
            lambda runs: len({r.problem.given.tobytes() for r in all_of(runs)}) == 1
        ),
    },
    thumbnail="few",
    onward="many",
    with_graph=True,
)


def all_of(runs):
    return [runs[name] for name in ("few", "some", "many", "most")]
