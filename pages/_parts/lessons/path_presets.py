"""Problems whose path is worth a look."""

from collections.abc import Mapping
from dataclasses import dataclass

STRIPES = "stripes"


@dataclass(frozen=True)
class Preset:
    """A problem worth looking at, and what to look for."""

    title: str
    look: str
    data: str
    knobs: Mapping[str, object]
    seed: int
    params: Mapping[str, object]
    per_class: int = 2  # of labels, where the data have no ends
    held_out: int = 0


LINEAR = {"kernel": "linear"}
PRESETS: Mapping[str, Preset] = {
    "swing": Preset(
        "One jump turns the line",
        "Two labels that stand askew hold the line. One point is pushed to f = 0, four "
        "labels flip at once, and the line lies level between the stripes.",
        STRIPES,
        {"n": 20, "gap": 0.8},
        9,
        {**LINEAR, "C": 1.0},
    ),
    "avalanche": Preset(
        "An avalanche",
        "Three jumps flip 2, 2 and 6 labels: the first cannot be seen on the stage, "
        "the last cannot be missed.",
        STRIPES,
        {"n": 40, "gap": 1.0},
        1,
        {"kernel": "rbf", "sigma": 2.0, "C": 10.0},
    ),
    "grid": Preset(
        "One label, then eight",
        "A jump of one label, and much later one of eight.",
        STRIPES,
        {"n": 40, "gap": 1.0},
        9,
        {"kernel": "rbf", "sigma": 2.0, "C": 10.0},
    ),
    "four": Preset(
        "Four jumps in a row",
        "The axis runs to C* = 100, and all four jumps come before 0.05: on a linear "
        "axis they cannot be told apart.",
        STRIPES,
        {"n": 30, "gap": 0.8},
        9,
        {**LINEAR, "C": 100.0},
    ),
    "moons": Preset(
        "Two moons",
        "The validation error is least on intervals of C* that are known exactly; they "
        "are shaded, and they end before C* = C.",
        "two_moons",
        {"n": 200, "noise": 0.1},
        5,
        {"kernel": "rbf", "sigma": 0.5, "C": 10.0},
        held_out=50,
    ),
    "cancer": Preset(
        "Breast cancer",
        "Thirty features, seen through the two main directions; the path knows all of "
        "them.",
        "breast_cancer",
        {},
        0,
        {"kernel": "rbf", "sigma": 5.5, "C": 1.0},
        per_class=5,
        held_out=100,
    ),
}
FIRST = "swing"
