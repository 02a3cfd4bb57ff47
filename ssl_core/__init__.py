"""Instrumented solvers for semi-supervised learning.

from ssl_core import ALGORITHMS, make

est = make("lapsvm_pcg", sigma=0.35, n_neighbors=6)
for state in est.iterate(X, y):  # y: -1 = unlabelled
    print(state.t, state.objective, state.status)
"""

from halfmoon.common import plugins
from ssl_core import catalogue  # noqa: F401 - fills ALGORITHMS
from ssl_core.comparison import Retraining, retrained_objective
from ssl_core.problems.probabilities import balanced_labels
from ssl_core.registry import (
    ALGORITHMS,
    Algorithm,
    Curve,
    make,
    register,
    register_algorithm,
    register_rule,
)
from ssl_core.stopping import (
    NamedRule,
    gradient_norm,
    judge,
    mixed_check,
    mixed_product,
    objective_decrease,
    preconditioned_norm,
    stability_check,
    validation_check,
)
from ssl_core.trace import Event, State, Status, Trace

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Curve",
    "Event",
    "NamedRule",
    "Retraining",
    "State",
    "Status",
    "Trace",
    "balanced_labels",
    "gradient_norm",
    "judge",
    "make",
    "mixed_check",
    "mixed_product",
    "objective_decrease",
    "preconditioned_norm",
    "register",
    "register_algorithm",
    "register_rule",
    "retrained_objective",
    "stability_check",
    "validation_check",
]

plugins.load()  # the last line: a plug-in finds everything in place
