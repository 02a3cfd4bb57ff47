"""Whether what was read is a trace: shapes agree, and states are states."""

from collections.abc import Mapping

import numpy as np

from ssl_core.archive.refusal import RefusedError
from ssl_core.kernels import KERNELS
from ssl_core.maker import Maker, plain
from ssl_core.models import Interpolation, KernelExpansion, LinearModel
from ssl_core.trace import Array, Event, State, Status, Trace


def check_trace(trace: Trace) -> None:
    """Refuse parts that do not belong together."""
    T = len(trace.seconds)
    _demand(trace.seconds.dtype == float, "its seconds are not in double precision")
    _demand(trace.labels.ndim == 2 and len(trace.labels) == T, "its labels do not fit")
    _demand(trace.labels.dtype.kind == "i", "its labels are not whole numbers")
    n = trace.labels.shape[1]
    _demand(trace.y is None or trace.y.shape == (n,), "its y does not fit its labels")
    _demand(trace.outputs.keys() == trace.targets.keys(), "its outputs lack targets")
    for part, F in trace.outputs.items():
        m = trace.targets[part].shape
        _demand(F.ndim in (2, 3) and F.shape[:2] == (T, *m), "its outputs do not fit")
    _demand(
        trace.X is None or (trace.X.ndim == 2 and trace.X.shape[0] == n),
        "its training points do not fit its labels",
    )
    for state in trace.states:
        _check_state(state, n)
    _check_model(trace)
    _check_maker(trace.made_by)


def _check_maker(maker) -> None:
    if maker is None:
        return
    _demand(isinstance(maker, Maker), "its classifier is not described")
    names = [maker.estimator, *maker.settings, *maker.changed]
    _demand(all(type(name) is str for name in names), "its classifier has no names")
    values = (*maker.classes, *maker.settings.values())
    _demand(all(plain(v) is v for v in values), "a setting is not a plain value")


def _check_state(state, n: int) -> None:
    _demand(isinstance(state, State), "one of its states is no state")
    _demand(type(state.t) is int, "a number t of its states is not whole")
    _demand(
        isinstance(state.objective, float | np.floating),
        "one of its objectives is not a number",
    )
    _demand(isinstance(state.status, Status), "one of its states has no status")
    f = state.f
    if f is not None:
        numbers = isinstance(f, Array) and f.ndim in (1, 2) and f.dtype.kind == "f"
        _demand(numbers and len(f) == n, "outputs of a state do not fit its labels")
    _demand(isinstance(state.events, tuple), "the events of a state are not a tuple")
    for event in state.events:
        _demand(isinstance(event, Event), "one of its events is no event")
        _demand(
            type(event.kind) is str and type(event.text) is str, "an event has no text"
        )
        _demand(
            isinstance(event.data, Mapping), "the data of an event are not a mapping"
        )
    per_class = state.per_class
    _demand(
        per_class is None or isinstance(per_class, Mapping),
        "its values per class are not a mapping",
    )


def _check_model(trace: Trace) -> None:
    model, f = trace.model, trace.final.f
    if isinstance(model, KernelExpansion):
        _demand(model.kernel in KERNELS, "its kernel is unknown")
        _demand(
            model.kernel == "precomputed" or _is_matrix(model.X),
            "its model has no points",
        )
        numbers = [model.coef0, model.degree]
        numbers += [model.sigma] if model.kernel == "rbf" else []  # else may be "auto"
        _demand(
            all(isinstance(v, float | int) for v in numbers),
            "a parameter of its kernel is not a number",
        )
    elif isinstance(model, Interpolation):
        _demand(type(model.n_neighbors) is int, "its number of neighbours is not whole")
        _demand(_is_matrix(model.X), "its model has no points")
    else:
        _demand(model is None or hasattr(model, "outputs"), "its model has no outputs")
    for state in trace.states:
        if state.f is not None:
            _demand(f is None or state.f.shape == f.shape, "its outputs change shape")
            _demand(_has_weights(state, trace), "coefficients of a state do not fit")


def _is_matrix(X) -> bool:
    return getattr(X, "ndim", 0) == 2


def _has_weights(state, trace) -> bool:
    """Whether a state has what its model multiplies with."""
    model = trace.model
    if isinstance(model, KernelExpansion):
        weights, X, axis = getattr(state, "alpha", None), model.X, 0
    elif isinstance(model, LinearModel):
        weights, X, axis = getattr(state, "w", None), trace.X, 1
    else:
        return True
    if not isinstance(weights, Array) or weights.ndim != state.f.ndim:
        return False
    if weights.shape[1:] != state.f.shape[1:]:
        return False
    if X is not None and len(weights) != X.shape[axis]:
        return False
    return np.shape(getattr(state, "b", None)) == state.f.shape[1:]


def _demand(holds: bool, else_: str) -> None:
    if not holds:
        raise RefusedError(f"{else_}.")
