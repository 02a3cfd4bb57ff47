"""The tree of a run that searches one, laid out once for every moment of the run.

What a node is, who its parent is and why it was left are declared by the state (the
roles of a tree in `quantities`); no method is known here by its name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ssl_core.quantities import (
    FATE,
    LOWER,
    NODE,
    NODE_BOUND,
    PARENT,
    SIDE,
    UPPER,
    WAITING,
    with_role,
)
from ssl_core.trace import Array, Trace

NEVER = np.iinfo(np.int32).max
SAME = 1e-9  # of the incumbent: nodes that promise less than this are dropped
FOLDED = "folded"


@dataclass(frozen=True)
class SearchTree:
    """Nodes as rows, every parent before its children: first those looked at, in order.

    Attributes
    ----------
    parent : int ndarray of shape (m,)
        Row of the parent; -1 for the root.
    depth : int ndarray of shape (m,)
    x : ndarray of shape (m,)
        Place in [0, 1]: leaves side by side, a parent above the middle of its children.
    seen, examined, dropped : int ndarrays of shape (m,)
        States from which on it waits, is done with, and is given up without a look;
        `NEVER` where that does not happen.
    fate : int ndarray of shape (m,)
        Why nothing is left to do below it, an index of `fates`; -1 if never looked at.
    fates : tuple of str
        The first is "": it was branched.
    bound, promise : ndarrays of shape (m,)
        Nothing below it is better: known when it was looked at, and while it waited;
        NaN where the method tells no bounds.
    better : bool ndarray of shape (m,)
        Whether a new incumbent was found there.
    size : int ndarray of shape (m,)
        Nodes that the row stands for: more than one where a subtree is `FOLDED`.
    now : int ndarray of shape (n_states,)
        Row that each state looks at.
    lower, upper : ndarrays of shape (n_states,), or None
        The optimum lies between them.
    counts : mapping from str to int ndarray of shape (n_states,)
        Nodes by fate so far, and those that are "waiting", "dropped" or were "better".
    """

    parent: Array
    depth: Array
    x: Array
    seen: Array
    examined: Array
    dropped: Array
    fate: Array
    fates: tuple[str, ...]
    bound: Array
    promise: Array
    better: Array
    size: Array
    now: Array
    lower: Array | None
    upper: Array | None
    counts: dict[str, Array]

    def __len__(self) -> int:
        return len(self.parent)


def search_tree(trace: Trace, most: int = 4000) -> SearchTree | None:
    """The tree that a run has searched; None where its states declare none.

    Parameters
    ----------
    trace : Trace
        Of two classes: the machines of several have a tree each.
    most : int
        Rows at most; beyond it the smallest subtrees are folded into one row each.
    """
    kind = type(trace.final)
    if not (with_role(kind, NODE) and with_role(kind, PARENT)) or trace.multiclass:
        return None
    tree = _laid_out(_counted(_grown(trace), len(trace)))
    return tree if len(tree) <= most else _laid_out(_folded(tree, most))


def _column(trace, role, otherwise):
    """One value per state of the field that has a role."""
    names = with_role(type(trace.final), role)
    if not names:
        return [otherwise] * len(trace)
    return [getattr(state, names[0]) for state in trace.states]


def _numbers(trace, role):
    names = with_role(type(trace.final), role)
    return trace.column(names[0]) if names else None


@dataclass
class _Nodes:
    """Rows of a tree that grows; the fields are those of `SearchTree`."""

    parent: list[int]
    seen: list[int]
    examined: list[int]
    dropped: list[int]
    bound: list[float]
    promise: list[float]


def _grown(trace) -> SearchTree:
    """Nodes, parents and moments; places and counts are still missing."""
    number, fate = _column(trace, NODE, 0), _column(trace, FATE, "")
    upper = _numbers(trace, UPPER)
    rows = {node: row for row, node in enumerate(dict.fromkeys(number))}
    nodes = _looked_at(trace, number, rows)
    why = [fate[i] for i in nodes.examined]
    fates = tuple(dict.fromkeys(["", *why]))
    _add_waiting(nodes, trace, upper)
    m = len(nodes.parent)
    depth = np.zeros(m, dtype=int)
    for row, p in enumerate(nodes.parent):
        depth[row] = 0 if p < 0 else depth[p] + 1
    better = np.zeros(m, dtype=bool)
    if upper is not None:
        falls = np.flatnonzero(upper[1:] < upper[:-1]) + 1
        better = np.isin(nodes.examined, falls)
    return SearchTree(
        parent=np.array(nodes.parent),
        depth=depth,
        x=np.zeros(m),
        seen=np.array(nodes.seen),
        examined=np.array(nodes.examined),
        dropped=np.array(nodes.dropped),
        fate=np.array([*map(fates.index, why)] + [-1] * (m - len(why))),
        fates=fates,
        bound=np.array(nodes.bound, dtype=float),
        promise=np.array(nodes.promise, dtype=float),
        better=better,
        size=np.ones(m, dtype=int),
        now=np.array([rows[node] for node in number]),
        lower=_numbers(trace, LOWER),
        upper=upper,
        counts={},
    )


def _looked_at(trace, number, rows) -> _Nodes:
    """Nodes that some state looks at.

    A node may be looked at twice, as the root is that begins a run: it waits from the
    first time on and is done with at the last.
    """
    above, side = _column(trace, PARENT, -1), _column(trace, SIDE, None)
    waiting, bound = _column(trace, WAITING, ()), _numbers(trace, NODE_BOUND)
    examined = list({node: i for i, node in enumerate(number)}.values())
    parent = [rows.get(above[i], -1) for i in examined]
    bounds = [np.nan if bound is None else bound[i] for i in examined]
    promises = [
        waiting[examined[p]][side[i]] if p >= 0 and waiting[examined[p]] else bound_
        for p, i, bound_ in zip(parent, examined, bounds, strict=True)
    ]
    seen = [0 if p < 0 else examined[p] for p in parent]
    return _Nodes(parent, seen, examined, [NEVER] * len(rows), bounds, promises)


def _add_waiting(nodes: _Nodes, trace, upper) -> None:
    """Children that no state looks at, behind the others."""
    side, waiting = _column(trace, SIDE, None), _column(trace, WAITING, ())
    pairs = zip(nodes.parent, nodes.examined, strict=True)
    looked_at = {(p, side[i]) for p, i in pairs}
    for row, i in enumerate(tuple(nodes.examined)):
        for j, promise in enumerate(waiting[i]):
            if (row, j) in looked_at:
                continue
            nodes.parent.append(row)
            nodes.seen.append(i)
            nodes.examined.append(NEVER)
            nodes.dropped.append(_first(upper[i:] * (1 - SAME) <= promise, i))
            nodes.bound.append(promise)
            nodes.promise.append(promise)


def _first(holds, start) -> int:
    """The state, counted from `start`, where it first holds."""
    return start + int(holds.argmax()) if holds.any() else NEVER


def _counted(tree, n_states) -> SearchTree:
    """With how many nodes of each kind there are at every state."""
    at = np.arange(n_states)

    def until(moments):
        return np.searchsorted(np.sort(moments), at, side="right")

    counts = {
        word: until(tree.examined[tree.fate == code])
        for code, word in enumerate(tree.fates)
    }
    dropped = until(tree.dropped)
    examined = sum(counts.values())
    counts["waiting"] = until(tree.seen) - examined - dropped
    counts["dropped"] = dropped
    counts["better"] = until(tree.examined[tree.better])
    return replace(tree, counts=counts)


def _laid_out(tree) -> SearchTree:
    """Leaves side by side, in the order in which they were looked at.

    A folded subtree is as wide as the number of its nodes has digits to the base 2.
    """
    m, parent = len(tree), tree.parent
    children: list[list[int]] = [[] for _ in range(m)]
    for row in np.lexsort((np.arange(m), tree.examined)):
        if parent[row] >= 0:
            children[parent[row]].append(int(row))
    width = np.zeros(m)
    for row in range(m - 1, -1, -1):
        own = 1 + np.log2(tree.size[row])
        width[row] = sum(width[c] for c in children[row]) if children[row] else own
    left = np.zeros(m)
    for row in range(m):
        at = left[row]
        for child in children[row]:
            left[child] = at
            at += width[child]
    x = np.zeros(m)
    for row in range(m - 1, -1, -1):
        below = children[row]
        x[row] = left[row] + width[row] / 2
        if below:
            x[row] = (x[below[0]] + x[below[-1]]) / 2
    return replace(tree, x=x / width[0])


def _folded(tree, most) -> SearchTree:
    """The smallest subtrees as one row each, until there are few enough rows.

    Such a row is looked at when its own root is.
    """
    m, parent = len(tree), tree.parent
    size, better = np.ones(m, dtype=int), tree.better.copy()
    for row in range(m - 1, 0, -1):
        size[parent[row]] += size[row]
        better[parent[row]] |= better[row]
    large, least = np.ones(m, dtype=bool), 1
    while True:
        shown = large | large[parent]
        shown[0] = True
        if shown.sum() <= most:
            break
        least *= 2
        large = size >= least
    rows = np.flatnonzero(shown)
    place = np.cumsum(shown) - 1
    home = np.arange(m)  # the row that stands for each node
    for row in range(1, m):
        if not shown[row]:
            home[row] = home[parent[row]]
    folds = shown & ~large & (size > 1)
    fate = np.where(folds, len(tree.fates), tree.fate)
    return replace(
        tree,
        parent=np.where(parent[rows] < 0, -1, place[parent[rows]]),
        depth=tree.depth[rows],
        x=np.zeros(len(rows)),
        seen=tree.seen[rows],
        examined=tree.examined[rows],
        dropped=tree.dropped[rows],
        fate=fate[rows],
        fates=(*tree.fates, FOLDED),
        bound=tree.bound[rows],
        promise=tree.promise[rows],
        better=np.where(folds, better, tree.better)[rows],
        size=np.where(folds, size, 1)[rows],
        now=place[home[tree.now]],
    )
