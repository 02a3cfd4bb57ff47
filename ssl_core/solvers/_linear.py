"""States of linear machines and their seeds."""

from dataclasses import dataclass

import numpy as np

from ssl_core.quantities import DISTANCE, gradient, quantity
from ssl_core.trace import Array, State


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearState(State):
    """State of a linear machine f(x) = w'x + b.

    Attributes
    ----------
    w : ndarray of shape (d,) or (d, k)
    b : float or ndarray of shape (k,)
        The weight of the constant feature, regularised with w.
    grad_norm : float
        Norm of the gradient in (w, b) of the problem last trained.
    """

    w: Array | None
    b: float | Array | None = quantity("bias", merge="each")
    grad_norm: float = gradient(role=DISTANCE)


def weights(v) -> dict:
    """The fields w and b of a solver's v = (w, b), which must not change later."""
    return {"w": v[:-1], "b": float(v[-1])}


def start_vector(design, start: LinearState | None):
    """v = (w, b) and f = X v to start from: zeros, or an earlier state's."""
    if start is None:
        return np.zeros(design.d + 1), np.zeros(design.n)
    if start.w is None:
        raise ValueError(
            "start must be a state that kept its arrays; this one was recorded thin. "
            'Record with record_states="full", or start from the last state.'
        )
    if start.w.shape != (design.d,):
        raise ValueError(
            f"start must come from a run with the same {design.d} features and number "
            f"of classes, got w of shape {start.w.shape}."
        )
    v = np.append(start.w, start.b)
    return v, design.outputs(v)
