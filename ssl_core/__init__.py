"""Instrumented solvers for semi-supervised learning.

from ssl_core import ALGORITHMS, make

est = make("lapsvm_pcg", sigma=0.35, n_neighbors=6)
for state in est.iterate(X, y):  # y: -1 = unlabeled
    print(state.t, state.objective, state.status)

Names are loaded when they are first asked for, so that whoever needs only a part of the
house (`datasets` needs its knobs) does not load all solvers.
"""

from importlib import import_module

_HOMES = {
    **dict.fromkeys(("ALGORITHMS", "Algorithm", "make", "register"), "registry"),
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
    if name not in _HOMES:
        raise AttributeError(f"module 'ssl_core' has no attribute {name!r}")
    if _HOMES[name] == "registry":
        import_module("ssl_core.catalogue")  # importing it registers the algorithms
    value = getattr(import_module(f"ssl_core.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
