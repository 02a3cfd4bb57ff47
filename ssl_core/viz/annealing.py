"""Label probabilities of an annealing run, in numbers for a picture.

A probability p of the positive class is what a run gives to an unlabelled
point: p itself for deterministic annealing, 0 or 1 for the labels of a transductive
SVM.
"""

from collections.abc import Sequence

import numpy as np

from ssl_core.trace import Array, State
from ssl_core.viz.narrate import DECIDED

UNDECIDED = (0.4, 0.6)  # probabilities in here count as undecided


def beliefs(state: State) -> Array:
    """(u,) probability of the positive class, unlabelled points in row order."""
    p = getattr(state, "p", None)
    return (state.y_u > 0).astype(float) if p is None else p


def n_sure(state: State) -> int:
    """How many unlabelled points are decided."""
    p = beliefs(state)
    return int((np.maximum(p, 1 - p) >= DECIDED).sum())


def belief_rows(states: Sequence[State], order: Array) -> Array:
    """(len(states), len(order)) probabilities, a column for each point of ``order``."""
    return np.stack([beliefs(state)[order] for state in states])


def is_epilogue(state: State) -> bool:
    """Whether a run that has cooled down returns to its best classifier here."""
    return any(event.kind == "best" for event in state.events)


def leading_words(w: Array, k: int) -> Array:
    """Indices of the k most positive and the k most negative weights, largest first.

    Weights of zero are left out.
    """
    order = np.argsort(w, kind="stable")
    negative = [j for j in order[:k] if w[j] < 0]
    positive = [j for j in order[::-1][:k] if w[j] > 0]
    return np.array([*positive, *negative[::-1]], dtype=int)


def word_rows(states: Sequence[State], words: Array) -> Array:
    """(len(states), len(words)) weights between 0 and 1, 0.5 for none.

    Divided by the largest of their state: they all grow as a run gets surer, and what
    changes between words would be hidden.
    """
    largest = np.array([np.abs(state.w).max() for state in states])
    W = np.stack([state.w[words] for state in states])
    return 0.5 + W / (2 * np.where(largest > 0, largest, 1.0)[:, None])
