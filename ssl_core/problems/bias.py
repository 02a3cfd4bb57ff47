"""What becomes of b in f = K alpha + b: a policy of the problem.

Solvers ask two things: does b move, and what is it if it does not.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Bias:
    """One of `FREE`, `REGULARISED`, `NO_BIAS` or `fixed(value)`.

    Attributes
    ----------
    moves : bool
        Whether b is a variable of the problem.
    value : float
        What b is where it does not move.
    regularised : bool
        Whether b is a weight like the others, with the same penalty.
    """

    moves: bool
    value: float = 0.0
    regularised: bool = False

    def impose(self, b):
        """The biases (k,) under this policy: b itself, or the value it is fixed at."""
        return b if self.moves else np.full(np.shape(b), self.value)

    def slope(self, g_b):
        """Derivatives (k,) in the biases: g_b itself, or 0 where b does not move."""
        return g_b if self.moves else np.zeros_like(g_b)


FREE = Bias(moves=True)
REGULARISED = Bias(moves=True, regularised=True)
NO_BIAS = Bias(moves=False)


def fixed(value) -> Bias:
    """b = value throughout; `NO_BIAS` is fixed(0)."""
    if not np.isfinite(value):
        raise ValueError(f"bias must be fixed at a finite number, got {value}.")
    return Bias(moves=False, value=float(value))
