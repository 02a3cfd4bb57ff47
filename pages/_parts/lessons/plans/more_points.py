"""Why more unlabelled points can make it worse: bridges, and spikes at the labels."""

import numpy as np

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.scenario import Labels, Scenario, default
from ssl_core.viz.words import percent

SMALL, SOME, LARGE = 200, 500, 1000  # points
NEIGHBOURS, FEWER = 6, 4
WEIGHT, HEAVIER = 1.0, 10.0  # gamma_I
SIGMA, NARROW = 0.35, 0.1
GIVEN = ((44, 0), (444, 1))  # of the large data: labels as among the few points
TIPS = ((774, 0), (851, 1))  # one more for each class, where the guess was wrong
ENDS = ((652, 0), (614, 1))  # and where it was right
NEAR = 0.15  # labels this close stand at the same place


def moons(n: int, labels: tuple = (), **parameters) -> Scenario:
    """Two moons of ``n`` points; all settings are fixed, whatever n."""
    scenario = default().with_data_knob("n", n)
    if labels:
        hand = tuple(sorted(GIVEN + labels))
        scenario = scenario.with_labels(Labels("hand", hand=hand))
    fixed = {"n_neighbors": NEIGHBOURS, "gamma_I": WEIGHT, "gamma_A": 0.01}
    return scenario.with_parameters({**fixed, "sigma": SIGMA, **parameters})


def scene(scenario: Scenario, title: str, toggle: str = "mistakes") -> Scene:
    return Scene(scenario, title, toggles=(toggle,))


def share(run) -> str:
    return percent(run.last_wrong / run.n_guesses)


def outputs(run) -> tuple[float, float]:
    """|f| at the labels in the mean, and at the other points in the median."""
    f, labelled = np.abs(run.trace.final.f), run.problem.given >= 0
    return float(f[labelled].mean()), float(np.median(f[~labelled]))


def same_places(run, other) -> bool:
    """Whether the labels of two runs stand at the same places."""
    places = [
        [r.problem.X[r.problem.given == c].mean(axis=0) for c in (0, 1)]
        for r in (run, other)
    ]
    return bool(np.linalg.norm(np.subtract(*places), axis=1).max() < NEAR)


def added(run, more) -> bool:
    """Whether a run has the labels of another and true ones besides."""
    old, new = run.problem.given, more.problem.given
    kept = (new[old >= 0] == old[old >= 0]).all()
    return bool(kept and (new == more.problem.truth)[new >= 0].all())


def solved(run) -> bool:
    """Whether the solver has come to the minimum."""
    norm = run.column("grad_norm")
    return bool(norm[-1] < 1e-5 * norm[0])


def height(run) -> float:
    """How far the labels stand out."""
    at_labels, elsewhere = outputs(run)
    return at_labels / elsewhere


LESSON = Lesson(
    name="more_points",
    order=60,
    minutes=5,
    scenes={
        "small": scene(moons(SMALL), f"{SMALL} points"),
        "some": scene(moons(SOME), f"{SOME} points"),
        "large": scene(moons(LARGE), f"{LARGE:,} points"),
        "graph": scene(moons(LARGE), f"{LARGE:,} points and their graph", "graph"),
        "fewer": scene(
            moons(LARGE, n_neighbors=FEWER), "Fewer neighbours in the graph", "graph"
        ),
        "heavier": scene(moons(LARGE, gamma_I=HEAVIER), "More weight for the graph"),
        "narrow": scene(moons(LARGE, sigma=NARROW), "A narrower kernel"),
        "labels": scene(moons(LARGE, TIPS), "More labels where errors were"),
        "ends": scene(moons(LARGE, ENDS), "More labels where none were"),
    },
    steps=(
        Step("more", "large", right="worse", before="small"),
        Step("bridges", "graph", right="few", before="large"),
        Step("spikes", "large"),
        Step("helps", "labels", right="labels", before="large"),
        Step("remember", "labels"),
    ),
    facts={
        "n_small": lambda runs: runs["small"].n,
        "n_some": lambda runs: runs["some"].n,
        "n_large": lambda runs: runs["large"].n,
        "n_labels": lambda runs: runs["large"].n_labels,
        "n_more": lambda runs: runs["labels"].n_labels - runs["large"].n_labels,
        "n_guesses": lambda runs: runs["large"].n_guesses,
        "wrong_large": lambda runs: runs["large"].last_wrong,
        "share_small": lambda runs: share(runs["small"]),
        "share_some": lambda runs: share(runs["some"]),
        "share_large": lambda runs: share(runs["large"]),
        "edges": lambda runs: runs["graph"].n_edges,
        "bridges": lambda runs: runs["graph"].n_between,
        "k": lambda runs: NEIGHBOURS,
        "k_fewer": lambda runs: FEWER,
        "bridges_fewer": lambda runs: runs["fewer"].n_between,
        "wrong_fewer": lambda runs: runs["fewer"].last_wrong,
        "f_label": lambda runs: outputs(runs["large"])[0],
        "f_rest": lambda runs: outputs(runs["large"])[1],
        "f_label_small": lambda runs: outputs(runs["small"])[0],
        "f_rest_small": lambda runs: outputs(runs["small"])[1],
        "weight": lambda runs: WEIGHT,
        "heavier": lambda runs: HEAVIER,
        "wrong_heavier": lambda runs: runs["heavier"].last_wrong,
        "sigma": lambda runs: SIGMA,
        "narrow": lambda runs: NARROW,
        "wrong_narrow": lambda runs: runs["narrow"].last_wrong,
        "wrong_ends": lambda runs: runs["ends"].last_wrong,
        "wrong_labels": lambda runs: runs["labels"].last_wrong,
    },
    claims={
        "title": lambda runs: runs["large"].n == 5 * runs["small"].n,
        "none": lambda runs: runs["small"].last_wrong == 0,
        "placed": lambda runs: same_places(runs["small"], runs["large"]),
        "worse": lambda runs: (
            runs["large"].last_wrong > 0.1 * runs["large"].n_guesses
            and runs["small"].last_wrong == 0
        ),
        "minimum": lambda runs: solved(runs["small"]) and solved(runs["large"]),
        "few": lambda runs: 0 < runs["graph"].n_between < 0.01 * runs["graph"].n_edges,
        "useless": lambda runs: (
            runs["fewer"].n_between < runs["graph"].n_between
            and runs["fewer"].last_wrong > 0.9 * runs["large"].last_wrong
        ),
        "flat": lambda runs: height(runs["large"]) > 2 * height(runs["small"]),
        "reaches": lambda runs: (
            runs["narrow"].last_wrong < 0.7 * runs["large"].last_wrong
        ),
        "vain": lambda runs: (
            runs["heavier"].last_wrong > 0.9 * runs["large"].last_wrong
        ),
        "labels": lambda runs: (
            runs["labels"].last_wrong < 0.05 * runs["large"].last_wrong
        ),
        "added": lambda runs: added(runs["large"], runs["labels"]),
        "elsewhere": lambda runs: (
            added(runs["large"], runs["ends"])
            and runs["ends"].last_wrong > 0.9 * runs["large"].last_wrong
        ),
    },
    thumbnail="large",
    onward="large",
)
