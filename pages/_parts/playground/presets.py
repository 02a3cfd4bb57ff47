"""Scenarios worth starting from: the papers' figures and a few that teach."""

from dataclasses import dataclass

from pages._parts.scenario import DRAWN, Labels, Scenario, default


@dataclass(frozen=True, slots=True)
class Preset:
    """A scenario with a title and a sentence on what to look for."""

    title: str
    look: str
    scenario: Scenario


def _figure_1() -> Scenario:
    return default().with_data("clock")


def _figure_1_supervised() -> Scenario:
    return _figure_1().with_algorithm("svm")


def _figure_3() -> Scenario:
    """Runs on to see the norms fall long after the decisions have settled."""
    scenario = default().with_parameter("tol", 1e-8)
    return scenario.with_parameter("max_iter", 200)


def _stable() -> Scenario:
    return default().with_parameter("stop", "stability")


def _hard() -> Scenario:
    """Noise lets the moons touch, and a label stands at the wrong end."""
    scenario = default().with_data_knob("noise", 0.22)
    return scenario.with_labels(Labels("random", 1, 3))


def _spirals() -> Scenario:
    return default().with_data("spirals")


def _arcs() -> Scenario:
    return default().with_data("three_arcs")


def _clusters() -> Scenario:
    scenario = default().with_data("clusters")
    return scenario.with_labels(Labels("random", 1, 0))


def _digits() -> Scenario:
    scenario = default().with_data("digits").with_parameter("stop", "stability")
    return scenario.with_parameter("check_every", 5)


def _wine() -> Scenario:
    return default().with_data("wine").with_held_out(0, 60)


def _switching() -> Scenario:
    return default().with_algorithm("s3vm_light")


def _proved() -> Scenario:
    return default().with_algorithm("branch_and_bound")


def _relaxed() -> Scenario:
    return default().with_data_knob("n", 60).with_algorithm("convex_relaxation")


def _drawn() -> Scenario:
    return default().with_data(DRAWN)


PRESETS = {
    "moons": Preset(
        "Two moons, two labels",
        "Two labels are enough when the classes follow the shape of the data.",
        default(),
    ),
    "figure3": Preset(
        "Figure 3: run to convergence",
        "Predictions settle after a few iterations; the norms need dozens more.",
        _figure_3(),
    ),
    "stable": Preset(
        "Stopped when stable",
        "The same run, stopped as soon as no prediction changes any more.",
        _stable(),
    ),
    "figure1": Preset(
        "Figure 1: the clock",
        "The border and the hands are separated with one label each.",
        _figure_1(),
    ),
    "figure1_supervised": Preset(
        "Figure 1: labels only",
        "The supervised SVM uses two points and cuts the clock in half.",
        _figure_1_supervised(),
    ),
    "spirals": Preset(
        "Two spirals",
        "Labels spread along the arms, from neighbour to neighbour.",
        _spirals(),
    ),
    "hard": Preset(
        "Hard: the moons touch",
        "Noise fills the gap, and labels spread across. Where would one more help?",
        _hard(),
    ),
    "switching": Preset(
        "A local minimum",
        "Label switching ends where no pair helps any more: 37 points are still wrong.",
        _switching(),
    ),
    "proved": Preset(
        "The global optimum, proved",
        "The same objective: 11.8 by switching labels, 6.6 here, and nothing is lower.",
        _proved(),
    ),
    "relaxed": Preset(
        "A lower bound",
        "Label products become real numbers; rounding them to labels costs accuracy.",
        _relaxed(),
    ),
    "clusters": Preset(
        "Too few labels",
        "Clusters without a label are not known. Choose the most informative points.",
        _clusters(),
    ),
    "arcs": Preset(
        "Three classes",
        "One classifier per class, all trained together.",
        _arcs(),
    ),
    "digits": Preset(
        "Digits, ten classes",
        "1,777 digits predicted from 20 labels. Hover over a point to see its image.",
        _digits(),
    ),
    "wine": Preset(
        "Wine, with a test set",
        "13 measurements, three cultivars, and a test error on held-out wines.",
        _wine(),
    ),
    "drawn": Preset(
        "An empty stage",
        "Choose a brush and click; Spray adds many points at once.",
        _drawn(),
    ),
}
