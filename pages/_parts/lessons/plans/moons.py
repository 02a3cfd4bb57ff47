"""Two small moons with one label each, on which S3VMs are shown."""

from halfmoon.scenario import Labels, Scenario, default

N, NOISE, SIGMA = 120, 0.08, 0.3


def small_moons(seed: int, draw: int, algorithm: str, **parameters) -> Scenario:
    """One label of each class, drawn at random, and a method with its parameters."""
    scenario = default().with_data_knob("n", N).with_data_knob("noise", NOISE)
    scenario = scenario.with_seed(seed).with_labels(Labels("random", 1, draw))
    scenario = scenario.with_algorithm(algorithm)
    if algorithm == "svm":
        return scenario.with_parameters({"sigma": SIGMA})
    return scenario.with_parameters({"sigma": SIGMA, "r": 0.5, **parameters})
