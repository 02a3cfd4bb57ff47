"""Problems whose path is worth a look."""

from collections.abc import Mapping
from dataclasses import dataclass

STRIPES = "stripes"


@dataclass(frozen=True)
class PathPreset:
    """A problem worth looking at, and what its path shows, see `path_facts`."""

    title: str
    look: str
    data: str
    knobs: Mapping[str, object]
    seed: int
    params: Mapping[str, object]
    per_class: int = 2  # of labels, where the data have no ends
    held_out: int = 0


LINEAR = {"kernel": "linear"}
PRESETS: Mapping[str, PathPreset] = {
    "swing": PathPreset(
        "Two stripes, a line",
        "{n_labels:Word} labels at opposite ends tilt the line. {single? One point "
        "is pushed to f = 0, {flips} labels flip at once, and then no prediction is "
        "wrong.}",
        STRIPES,
        {"n": 20, "gap": 0.8},
        9,
        {**LINEAR, "C": 1.0},
    ),
    "avalanche": PathPreset(
        "Two stripes, a wide kernel",
        "{n_jumps:Word} jumps flip {flips} labels{grows? : the last is the largest}.",
        STRIPES,
        {"n": 40, "gap": 1.0},
        1,
        {"kernel": "rbf", "sigma": 2.0, "C": 10.0},
    ),
    "grid": PathPreset(
        "Two stripes, a wide kernel, another seed",
        "{n_jumps:Word} jumps flip {flips} labels{apart? , the last at {ratio} times "
        "the C* of the first}.",
        STRIPES,
        {"n": 40, "gap": 1.0},
        9,
        {"kernel": "rbf", "sigma": 2.0, "C": 10.0},
    ),
    "four": PathPreset(
        "Two stripes, a line, large C",
        "The axis runs to C* = {C_end}{crowded? , and all {n_jumps:word} jumps come by "
        "{C_last}: on a linear axis they cannot be distinguished}.",
        STRIPES,
        {"n": 30, "gap": 0.8},
        9,
        {**LINEAR, "C": 100.0},
    ),
    "moons": PathPreset(
        "Two moons",
        "The validation error is least on intervals of C* that are known exactly; they "
        "are shaded{early? , and they end before C* = C}.",
        "two_moons",
        {"n": 200, "noise": 0.1},
        5,
        {"kernel": "rbf", "sigma": 0.5, "C": 10.0},
        held_out=50,
    ),
    "cancer": PathPreset(
        "Breast cancer",
        "{n_features} features, drawn by the two main directions; the path uses "
        "all of them.",
        "breast_cancer",
        {},
        0,
        {"kernel": "rbf", "sigma": 5.5, "C": 1.0},
        per_class=5,
        held_out=100,
    ),
}
FIRST = "swing"
