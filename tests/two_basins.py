"""Two moons with one label each, where methods end in basins that are not alike.

make_moons(100, noise=0.1, random_state=0), rows 60 and 30 labelled: the global optimum
has no error and an objective of 6.147; label switching and CCCP end above 10.
"""

import numpy as np
from sklearn.datasets import make_moons

from halfmoon.datasets import load
from halfmoon.scenario import Drawing, Labels, Scenario, default

LABELLED = (60, 30)
PARAMETERS = {"sigma": 0.3, "C": 10.0, "C_u": 1.0, "r": 0.5}
METHODS = {"s3vm_light": "S3VM-light", "cccp": "CCCP", "cs3vm": "cS3VM"}


def setting():
    """The app's two moons, each point moved to where scikit-learn has one."""
    X, generated = make_moons(100, noise=0.1, random_state=0)
    base = default().with_data_knob("n", 100)
    own = load("two_moons", random_state=base.seed, **base.knobs)
    rows = np.empty(100, dtype=int)
    for c in (0, 1):
        rows[generated == 1 - c] = np.flatnonzero(own.y == c)
    moved = tuple(
        (int(row), float(x), float(y)) for row, (x, y) in zip(rows, X, strict=True)
    )
    hand = tuple((int(rows[i]), int(1 - generated[i])) for i in LABELLED)
    scenario = base.with_drawing(Drawing(moved=moved))
    return scenario.with_labels(Labels("hand", 2, 0, hand))


def scenario_of(name):
    scenario = setting().with_algorithm(name)
    known = scenario.params
    values = {k: v for k, v in PARAMETERS.items() if k in known}
    if "balance" in known:
        values["balance"] = "exact"
    return scenario.with_parameters(values)


def side_by_side():
    """The scenario of a comparison of all methods."""
    methods = tuple(scenario_of(name).method for name in METHODS)
    return Scenario(setting().setting, methods)


def solve(server, name):
    job = server.ask(scenario_of(name))
    assert job.wait(60)
    return job.outcome()
