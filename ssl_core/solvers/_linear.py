"""States of linear machines."""

from dataclasses import dataclass

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
