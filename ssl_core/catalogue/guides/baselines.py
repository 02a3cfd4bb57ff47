"""Baselines, explained."""

from ssl_core.catalogue import formulas as tex
from ssl_core.guide import Guide, Place, Term

EDGES = Term(
    tex.ENERGY,
    "The energy: outputs that differ across an edge of the graph, by the weight of the "
    "edge.",
)
KEPT = Term(tex.KEPT, "Given labels are kept exactly.")
NEW_POINTS = (
    "A new point takes the mean of the outputs of its nearest training points, "
    "weighted by the inverse distance; scikit-learn weights by its kernel instead."
)
ENERGY = Place(
    "[ZGL03] section 2", "the energy", "problems/graph.py", "GraphProblem.energy"
)
FAST = "Very fast: a step is one product with a sparse matrix."
ONLY_GRAPH = (
    "It sees the points only through the graph: where an edge joins two classes, "
    "labels cross it, and a part of the graph without a label stays without one."
)

LABEL_PROPAGATION = Guide(
    story=(
        "In each step every unlabelled point takes the mean of its neighbours, of "
        "those that labels have reached, and the given labels are put back. Labels "
        "travel one edge per step. The limit is the harmonic function. The iterates "
        "are those of scikit-learn's LabelPropagation on the same graph. " + NEW_POINTS
    ),
    terms=(EDGES, KEPT),
    places=(
        Place(
            "[ZG02] section 2.2",
            "propagate, normalise, put the labels back",
            "solvers/label_propagation.py",
            "label_propagation",
        ),
        ENERGY,
    ),
    good=(FAST, "Easy to follow: each frame is one step along the edges."),
    bad=(
        ONLY_GRAPH,
        "A wrong label is never corrected: label spreading can overrule it.",
        "The limit is approached slowly on a large graph: the harmonic function has it "
        "in far fewer steps.",
    ),
    watch=(
        "The points reached grow edge by edge until every part of the graph with a "
        "label is covered; then the largest change falls.",
    ),
)
LABEL_SPREADING = Guide(
    story=(
        "Each point has a score. In each step it gets a share α of its neighbours' "
        "scores, each divided by the square roots of both degrees, and a share 1 - α "
        "of its own label. Outputs are the scores divided by those that labels of one "
        "class would give. The iterates are those of scikit-learn's LabelSpreading on "
        "the same graph, whose default is α = 0.2; the paper's experiments have 0.99. "
        + NEW_POINTS
    ),
    terms=(
        Term(
            tex.SPREAD,
            "Scores should change little along the edges. S is D^(-1/2) W D^(-1/2), so "
            "that points with many edges do not count more.",
        ),
        Term(
            tex.FITTED,
            "Scores should be close to the labels, and to 0 elsewhere. It weighs less "
            "where α is close to 1.",
        ),
    ),
    places=(
        Place(
            "[ZBLWS04] section 2",
            "the iteration",
            "solvers/label_spreading.py",
            "label_spreading",
        ),
        Place(
            "[ZBLWS04] section 3",
            "the cost that it minimises",
            "solvers/label_spreading.py",
            "cost",
        ),
    ),
    good=(FAST, "A wrong label among many is overruled by its neighbours."),
    bad=(
        ONLY_GRAPH,
        "Scores decay with the distance from the labels: with a small α the nearest "
        "label decides.",
        "With α close to 1 nearly all points go to the class with more labels, or with "
        "labels at points of more edges.",
    ),
    watch=("Raise α: given labels count less and less against their neighbours.",),
)
HARMONIC = Guide(
    story=(
        "Outputs of unlabelled points are the mean of their neighbours', those of "
        "labelled points their labels. Such a function has the least energy. Its value "
        "is also the chance that a random walk from the point meets a label +1 first, "
        "less that of meeting a label -1. The conjugate gradient method solves the "
        "linear system, one product with W per step. The class mass normalisation of "
        "the paper is left out. " + NEW_POINTS
    ),
    terms=(EDGES, KEPT),
    places=(
        Place(
            "[ZGL03] section 2",
            "the linear system",
            "solvers/harmonic.py",
            "harmonic",
        ),
    ),
    good=(
        FAST,
        "Exact: the one solution, which no start and no order of the points changes.",
    ),
    bad=(
        ONLY_GRAPH,
        "With very few labels on a large graph all outputs are nearly the same, with a "
        "spike at each label: Poisson learning is made for that.",
    ),
    watch=(
        "The distance from the neighbours' mean does not fall at every step, the "
        "energy does.",
    ),
)
POISSON = Guide(
    story=(
        "Each label is a source, its value less the mean of all labels, so that "
        "sources and sinks cancel. What flows along the edges solves Poisson's "
        "equation L f = b. The number of steps is that after which a random walk from "
        "the labels has reached its limit, as in the paper. On a graph in several "
        "parts whose labels do not cancel there is no solution: outputs of such a part "
        "grow towards the class that is over-represented in it. With several classes "
        "the largest output decides, without known shares of the classes. " + NEW_POINTS
    ),
    terms=(
        Term(
            tex.HALF_ENERGY,
            "Half the energy: outputs that differ across an edge of the graph, by the "
            "weight of the edge.",
        ),
        Term(
            tex.SOURCES,
            "What the sources gain: outputs should be large where a label is above the "
            "mean of all labels, ȳ, and small where it is below.",
        ),
    ),
    places=(
        Place("[CCTS20] Algorithm 1", "the iteration", "solvers/poisson.py", "poisson"),
        Place("[CCTS20] section 2", "the sources", "solvers/poisson.py", "sources"),
    ),
    good=(
        "Made for very few labels, where a harmonic function is nearly constant.",
        FAST,
    ),
    bad=(
        ONLY_GRAPH,
        "Labels are not kept: an output at a label is not the label.",
        "On a graph without odd cycles, such as that of one neighbour per point, the "
        "random walk swings from side to side, which ends the run.",
    ),
    watch=(
        "Outputs rise around the labels first; the boundary settles long before the "
        "random walk has reached its limit.",
    ),
)
SELF_TRAINING = Guide(
    story=(
        "The supervised SVM is trained on the given labels. Then the points with the "
        "largest outputs get the labels that it gives them, it is trained again, and "
        "so on, until no point is left or no output is above the threshold. A guessed "
        "label is never taken back. With several classes all are trained in a round, "
        "and the largest output decides. The rounds are those of scikit-learn's "
        "SelfTrainingClassifier with this SVM."
    ),
    terms=(
        Term(
            tex.TAUGHT,
            "The labels of round t, given and guessed: a loss within the margin, as in "
            "the supervised SVM.",
        ),
        Term(
            tex.AMBIENT,
            "The ambient norm: f should be smooth everywhere in space. γ_A weighs it.",
        ),
    ),
    places=(
        Place(
            "[Y95] section 4",
            "train, label the most confident points, repeat",
            "solvers/self_training.py",
            "self_training",
        ),
    ),
    good=(
        "It works with any classifier, and labels spread along the data when few "
        "points are added per round.",
    ),
    bad=(
        "An early mistake is confirmed by what is trained on it: on two circles with "
        "one label each it goes wrong, where a graph does not.",
        "It does not push the boundary into gaps between the points, as an S3VM does.",
    ),
    watch=(
        "The rings show the points that have just got a label.",
        "Raise the points per round: labels are guessed farther from the known ones.",
    ),
)
