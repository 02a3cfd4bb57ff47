"""When unlabelled points hurt: classes that cut across the groups."""

import numpy as np

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.scenario import DRAWN, Drawing, Labels, Scenario

N, SEED = 120, 2
APART, WIDE, TALL = 1.0, 0.3, 0.4  # of the two groups
LIGHT, HEAVY = 0.03, 1.0  # weights C* of the unlabelled points


def points() -> Drawing:
    """Two groups side by side; the class is whether a point is in the upper half."""
    rng = np.random.default_rng(SEED)
    x = np.where(np.arange(N) % 2 == 0, -APART, APART) + WIDE * rng.normal(size=N)
    y = TALL * rng.normal(size=N)
    X = np.round(np.column_stack([x, y]), 2)
    return Drawing(added=tuple((float(a), float(b), int(b > 0)) for a, b in X))


LABELS = ((4, 1), (13, 0), (20, 0), (37, 1))  # an upper and a lower one in each group


def crossing(algorithm: str, **parameters) -> Scenario:
    scenario = Scenario.of(DRAWN, algorithm).with_drawing(points())
    scenario = scenario.with_labels(Labels("hand", hand=LABELS))
    return scenario.with_parameters({"kernel": "linear", **parameters})


def s3vm(weight: float, title: str) -> Scene:
    scenario = crossing("cs3vm", C=1.0, C_u=weight, r=0.5)
    return Scene(scenario, title, toggles=("mistakes",))


def labels_wrong(run) -> int:
    """Labelled points that end on the other side."""
    labelled = run.problem.given >= 0
    return int(((run.sides[-1] != (run.solved.truth > 0)) & labelled).sum())


def level(run, index: int = -1) -> bool:
    """Whether the boundary of a linear classifier is closer to horizontal."""
    plane = np.column_stack([run.problem.X, np.ones(run.n)])
    w = np.linalg.lstsq(plane, run.trace.states[index].f, rcond=None)[0]
    return bool(abs(w[1]) > 2 * abs(w[0]))


LESSON = Lesson(
    name="hurt",
    order=120,
    minutes=4,
    scenes={
        "labels": Scene(crossing("svm"), "Labels alone", toggles=("mistakes",)),
        "heavy": s3vm(HEAVY, "With the grey points"),
        "light": s3vm(LIGHT, "Grey points with little weight"),
    },
    steps=(
        Step("labels", "labels", right="few"),
        Step("hurt", "heavy", right="upright", before="labels", plays=True),
        Step("light", "light", right="back", before="heavy"),
        Step("remember", "heavy"),
    ),
    facts={
        "n": lambda runs: runs["labels"].n,
        "n_guesses": lambda runs: runs["labels"].n_guesses,
        "n_labels": lambda runs: runs["labels"].n_labels,
        "wrong_heavy": lambda runs: runs["heavy"].last_wrong,
        "wrong_light": lambda runs: runs["light"].last_wrong,
        "given_up": lambda runs: labels_wrong(runs["heavy"]),
        "C_heavy": lambda runs: HEAVY,
        "C_light": lambda runs: LIGHT,
        "t_turn": lambda runs: turn(runs),
    },
    moments={
        "first": lambda runs: 1,
        "turn": lambda runs: turn(runs),
        "end": lambda runs: runs["heavy"].end,
    },
    claims={
        "few": lambda runs: runs["labels"].last_wrong == 0,
        "upright": lambda runs: level(runs["labels"]) and not level(runs["heavy"]),
        "gives_up": lambda runs: (
            labels_wrong(runs["heavy"]) > 0 == labels_wrong(runs["labels"])
        ),
        "turns": lambda runs: (
            level(runs["heavy"], runs["heavy"].at(1)) and turn(runs) > 1
        ),
        "gap": lambda runs: clean_gap(runs),
        "back": lambda runs: (
            runs["light"].last_wrong < 0.2 * runs["heavy"].last_wrong
            and level(runs["light"])
        ),
    },
    thumbnail="labels",
    onward="heavy",
)


def turn(runs) -> int:
    """The first iteration at which the boundary is vertical."""
    run = runs["heavy"]
    tilted = [not level(run, i) for i in range(1, len(run.trace))]
    return int(run.t[1 + tilted.index(True)])


def clean_gap(runs) -> bool:
    """Whether fewer points lie inside the margin than for the labels alone."""
    inside = {n: (abs(runs[n].trace.final.f) < 1).mean() for n in ("labels", "heavy")}
    return bool(inside["heavy"] < inside["labels"])
