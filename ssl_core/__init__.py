"""Instrumented solvers for semi-supervised learning.

from ssl_core import ALGORITHMS, make

est = make("lapsvm_pcg", sigma=0.35, n_neighbors=6)
for state in est.iterate(X, y):  # y: -1 = unlabeled
    print(state.t, state.objective, state.status)

Names are loaded when they are first asked for, so that whoever needs only a part of the
house (`datasets` needs its knobs) does not load all solvers.
"""

from importlib import import_module
from importlib.util import find_spec

_HOMES = {
    **dict.fromkeys(("ALGORITHMS", "Algorithm", "make", "register"), "registry"),
    **dict.fromkeys(
        ("Retraining", "balanced_labels", "retrained_objective"), "comparison"
    ),
    **dict.fromkeys(("Event", "State", "Status", "Trace"), "trace"),
    **dict.fromkeys(
        (
            "gradient_norm",
            "judge",
            "mixed_check",
            "mixed_product",
            "objective_decrease",
            "preconditioned_norm",
            "stability_check",
            "validation_check",
        ),
        "stopping",
    ),
}
__all__ = sorted(_HOMES)


def __getattr__(name: str):
    if name in _HOMES:
        value = getattr(import_module(f"ssl_core.{_HOMES[name]}"), name)
    elif not name.startswith("_") and find_spec(f"ssl_core.{name}"):
        value = import_module(f"ssl_core.{name}")
    else:
        raise AttributeError(f"module 'ssl_core' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
