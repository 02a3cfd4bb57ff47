"""Scenarios worth starting from: the papers' figures and a few that teach."""

from dataclasses import dataclass

from halfmoon.scenario import DRAWN, Labels, Scenario, default


@dataclass(frozen=True, slots=True)
class Preset:
    """A scenario with a title and a sentence on what to look for."""

    title: str
    look: str
    scenario: Scenario


START = default()
CLOCK = START.with_data("clock")
DIGITS = {"stop": "stability", "check_every": 5}

PRESETS = {
    "moons": Preset(
        "Two moons, two labels",
        "Two labels are enough when the classes follow the shape of the data.",
        START,
    ),
    "figure3": Preset(
        "Figure 3: run to convergence",
        "Predictions settle after a few iterations; the norms need dozens more.",
        START.with_parameters({"tol": 1e-8, "max_iter": 200}),
    ),
    "stable": Preset(
        "Stopped when stable",
        "The same run, stopped as soon as no prediction changes any more.",
        START.with_parameter("stop", "stability"),
    ),
    "figure1": Preset(
        "Figure 1: the clock",
        "The border and the hands are separated with one label each.",
        CLOCK,
    ),
    "figure1_supervised": Preset(
        "Figure 1: labels only",
        "The supervised SVM uses two points and cuts the clock in half.",
        CLOCK.with_algorithm("svm"),
    ),
    "spirals": Preset(
        "Two spirals",
        "Labels spread along the arms, from neighbour to neighbour.",
        START.with_data("spirals"),
    ),
    "hard": Preset(
        "Hard: the moons touch",
        "Noise fills the gap, and labels spread across. Where would one more help?",
        START.with_data_knob("noise", 0.22).with_labels(Labels("random", 1, 3)),
    ),
    "switching": Preset(
        "A local minimum",
        "Label switching ends where no pair helps any more: 37 points are still wrong.",
        START.with_algorithm("s3vm_light"),
    ),
    "proved": Preset(
        "The global optimum, proved",
        "The same objective: 11.8 by switching labels, 6.6 here, and nothing is lower.",
        START.with_algorithm("branch_and_bound"),
    ),
    "relaxed": Preset(
        "A lower bound",
        "Label products become real numbers; rounding them to labels costs accuracy.",
        START.with_data_knob("n", 60).with_algorithm("convex_relaxation"),
    ),
    "clusters": Preset(
        "Too few labels",
        "Clusters without a label are not known. Choose the most informative points.",
        START.with_data("clusters").with_labels(Labels("random", 1, 0)),
    ),
    "arcs": Preset(
        "Three classes",
        "One classifier per class, all trained together.",
        START.with_data("three_arcs"),
    ),
    "digits": Preset(
        "Digits, ten classes",
        "1,777 digits predicted from 20 labels. Hover over a point to see its image.",
        START.with_data("digits").with_parameters(DIGITS),
    ),
    "wine": Preset(
        "Wine, with a test set",
        "13 measurements, three cultivars, and a test error on held-out wines.",
        START.with_data("wine").with_held_out(0, 60),
    ),
    "drawn": Preset(
        "An empty stage",
        "Choose a brush and click; Spray adds many points at once.",
        START.with_data(DRAWN),
    ),
}
