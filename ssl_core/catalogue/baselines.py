"""Baselines to compare the papers' methods with: graphs alone, and self-training."""

from functools import partial

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides import baselines as guides
from ssl_core.estimators import baselines as machines
from ssl_core.looks import Look
from ssl_core.registry import BASELINE, Algorithm, Curve, register

ENERGY = Curve("Energy of the graph", ("objective",))
CHANGE = Curve("Largest change", ("moved",), log=True)
REACHED = Curve("Points reached", ("n_reached",))
on_graph = partial(
    Algorithm,
    family=BASELINE,
    max_n=12_000,
    problem="problems/graph.py",
)

for _algorithm in (
    on_graph(
        id="label_propagation",
        estimator=machines.LabelPropagationClassifier,
        title="Label propagation",
        paper="ZG02",
        section="2.2",
        idea="Each point takes the mean of its neighbours' labels, again and again.",
        objective=tex.ENERGY + tex.KEPT,
        curves=(ENERGY, CHANGE, REACHED),
        guide=guides.LABEL_PROPAGATION,
    ),
    on_graph(
        id="label_spreading",
        estimator=machines.LabelSpreadingClassifier,
        title="Label spreading",
        paper="ZBLWS04",
        section="2, 3",
        idea=(
            "Scores flow to the neighbours, and a share of each own label is added in "
            "every step, so that a wrong label can be overruled."
        ),
        objective=tex.half(tex.SPREAD, tex.FITTED),
        curves=(Curve("Objective", ("objective",)), CHANGE, REACHED),
        first=("n_neighbors", "share"),
        guide=guides.LABEL_SPREADING,
    ),
    on_graph(
        id="harmonic",
        estimator=machines.HarmonicClassifier,
        title="Harmonic function",
        paper="ZGL03",
        section="2, 3.1",
        idea=(
            "Each unlabelled output is the mean of its neighbours': the limit of label "
            "propagation, found by conjugate gradient."
        ),
        objective=tex.ENERGY + tex.KEPT,
        curves=(
            ENERGY,
            Curve("Distance from the neighbours' mean", ("off_mean",), log=True),
            Curve("Step length", ("step",), log=True),
        ),
        guide=guides.HARMONIC,
    ),
    on_graph(
        id="poisson",
        estimator=machines.PoissonClassifier,
        title="Poisson learning",
        paper="CCTS20",
        section="2, Algorithm 1",
        idea=(
            "Labels are sources and sinks of a flow along the graph, which tells the "
            "classes apart with very few labels."
        ),
        objective=f"{tex.HALF_ENERGY} - {tex.SOURCES}",
        end="Random walk has reached its limit",
        curves=(
            Curve("Objective", ("objective",)),
            Curve("Random walk to its limit", ("mixing",), log=True),
        ),
        guide=guides.POISSON,
    ),
    Algorithm(
        id="self_training",
        estimator=machines.SelfTrainingClassifier,
        title="Self-training",
        family=BASELINE,
        paper="Y95",
        section="4",
        idea=(
            "The supervised SVM labels the points that it is most confident about, "
            "and is trained again with these labels."
        ),
        objective=tex.half(tex.TAUGHT, tex.AMBIENT),
        end="No point is left to label",
        curves=(
            Curve("Objective of the round", ("objective",)),
            Curve("Labels guessed", ("n_guessed",)),
        ),
        first=("sigma", "criterion", "k_best"),
        max_n=1_500,
        marks="new labels",
        looks={"guessed": Look(tick=False), "unsure": Look("warn")},
        problem="problems/supervised.py",
        guide=guides.SELF_TRAINING,
    ),
):
    register(_algorithm)
