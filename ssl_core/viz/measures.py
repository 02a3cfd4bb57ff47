"""What a figure or a sentence measures on a trace: who was labelled, who is wrong."""

import numpy as np

from ssl_core.trace import Array, Trace, decide_stack

PARTS = {  # [MB11] section 6: the four sets on which errors are reported
    "L": "labelled",
    "U": "unlabelled",
    "V": "validation",
    "T": "test",
}


def labeled_mask(trace: Trace) -> Array:
    """(n,) bool: the training points whose labels the run was given."""
    return trace.y != (-1 if trace.multiclass else 0)


def known_mask(trace: Trace, truth) -> Array:
    """(n,) bool: the training points whose true class is known."""
    return np.asarray(truth) != (-1 if trace.multiclass else 0)


def iterations(trace: Trace) -> Array:
    """(n_states,) iteration number of every state."""
    return np.array([state.t for state in trace.states])


def error_rates(trace: Trace, truth=None) -> dict[str, Array]:
    """Error of every iteration on L, U, V and T, as far as they are known.

    Parameters
    ----------
    truth : ndarray of shape (n,) or None
        True classes of the training points in the core's convention: +-1 and 0 where
        nobody knows, or class indices and -1 for k > 2. Without it only V and T
        are reported.

    Returns
    -------
    dict from "L", "U", "V", "T" to ndarray of shape (n_states,)
    """
    counts = wrong_counts(trace, truth)
    return {part: wrong / total for part, (wrong, total) in counts.items()}


def wrong_counts(trace: Trace, truth=None) -> dict[str, tuple[Array, int]]:
    """As `error_rates`, counted: wrong points of every iteration, and all there are."""
    counts = {}
    if truth is not None:
        truth = np.asarray(truth)
        labeled, known = labeled_mask(trace), known_mask(trace, truth)
        for part, mask in (("L", labeled & known), ("U", ~labeled & known)):
            if mask.any():
                wrong = trace.labels[:, mask] != truth[mask]
                counts[part] = wrong.sum(axis=1), int(mask.sum())
    for part, name in (("V", "val"), ("T", "test")):
        if name in trace.outputs:
            decided = decide_stack(trace.outputs[name], multiclass=trace.multiclass)
            wrong = decided != trace.targets[name]
            counts[part] = wrong.sum(axis=1), len(trace.targets[name])
    return counts


def relative(values: Array) -> Array:
    """Values divided by the first; NaN throughout where that is 0 or unknown."""
    values = np.asarray(values, dtype=float)
    start = values[0]
    if not np.isfinite(start) or start == 0:
        return np.full(len(values), np.nan)
    return values / start
