"""From columns, one per binary machine, to the fields of a state."""

import numpy as np

from ssl_core.quantities import merged, quantities
from ssl_core.trace import Array, ExpansionState, State


def array_field(V: Array) -> Array:
    """A copy of (n, k) columns for a state; (n,) when there is one machine."""
    return V[:, 0].copy() if V.shape[1] == 1 else V.copy()


def scalar_fields(kind: type[State], running: Array, **columns: Array) -> dict:
    """Numbers of a state of class ``kind``, merged over the machines as it declares.

    For k > 1 machines with the values per class beside, and whether each still runs.
    """
    if len(running) == 1:
        return {name: values[0].item() for name, values in columns.items()}
    declared = quantities(kind)
    fields = {n: merged(declared[n].merge, v.tolist()) for n, v in columns.items()}
    per_class = {name: values.copy() for name, values in columns.items()}
    return {**fields, "per_class": {**per_class, "running": running.copy()}}


def bias_field(b: Array):
    return float(b[0]) if len(b) == 1 else b.copy()


def start_columns(problem, start: ExpansionState | None):
    """alpha (n, k) and b (k,) to start from: zeros, or an earlier state's.

    b is what the problem's policy says, whatever the earlier run had.
    """
    if start is None:
        b = problem.bias.impose(np.zeros(problem.k))
        return np.zeros((problem.n, problem.k), order="F"), b
    if start.alpha is None:
        raise ValueError(
            "start must be a state that kept its arrays; this one was recorded thin. "
            'Record with record_states="full", or start from the last state.'
        )
    alpha = np.array(start.alpha, dtype=float, order="F").reshape(problem.n, -1)
    if start.alpha.shape[0] != problem.n or alpha.shape[1] != problem.k:
        raise ValueError(
            f"start must come from a run on the same {problem.n} points and "
            f"{problem.k} machine(s), got alpha of shape {start.alpha.shape}."
        )
    if not problem.all_points:
        alpha[~problem.Y.any(axis=1)] = 0.0
    b = np.array(start.b, dtype=float).reshape(problem.k)
    return alpha, problem.bias.impose(b)
