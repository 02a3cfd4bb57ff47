"""The tree that a run searches, as far as it has grown at the cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfmoon.stage.panels.base import Panel

NODES = {  # what is known of each node, and how it travels
    "depth": "int16",
    "x": "float32",
    "seen": "int16",
    "examined": "int16",
    "dropped": "int16",
    "fate": "int8",
    "better": "uint8",
    "size": "uint32",
    "bound": "float32",
    "promise": "float32",
}
NEVER = np.iinfo(np.int16).max  # a frame that no run has


@dataclass(frozen=True)
class TreeKind:
    """Nodes that look alike.

    Parameters
    ----------
    name : str
    counts : int array-like of shape (T,)
        How many there are at each frame.
    mark : str
        Out of `MARKS`: how they are drawn.
    """

    name: str
    counts: np.ndarray
    mark: str


MARKS = ("dot", "bar", "cross", "square", "wedge", "ring", "stub", "star")


@dataclass(frozen=True)
class Tree(Panel):
    """Nodes by depth, or by bound, that appear, wait and are dealt with.

    Parameters
    ----------
    title, below
        As in `Panel`.
    parent : int ndarray of shape (m,)
        Row of each node's parent, which stands before it; -1 for the root.
    depth : int ndarray of shape (m,)
    x : ndarray of shape (m,)
        Place across the picture, in [0, 1].
    seen, examined, dropped : int ndarrays of shape (m,)
        Frames at which a node begins to wait, is dealt with, or is given up without a
        look; `NEVER` where that does not happen.
    fate : int ndarray of shape (m,)
        What it is once it is dealt with: an index of `kinds`.
    better : bool ndarray of shape (m,)
        Whether a better solution was found there.
    size : int ndarray of shape (m,)
        Nodes that a row stands for.
    bound, promise : ndarrays of shape (m,)
        Of a node that was looked at, and while it waits; NaN where none is known.
    now : int ndarray of shape (T,)
        Row that is looked at.
    kinds : sequence of TreeKind
    waiting, given_up, improved : TreeKind
        Nodes that wait, were dropped unseen, and those marked `better`.
    lower, upper : ndarrays of shape (T,), optional
        What the optimum lies between.
    """

    kind: ClassVar[str] = "tree"

    parent: np.ndarray
    depth: np.ndarray
    x: np.ndarray
    seen: np.ndarray
    examined: np.ndarray
    dropped: np.ndarray
    fate: np.ndarray
    better: np.ndarray
    size: np.ndarray
    bound: np.ndarray
    promise: np.ndarray
    now: np.ndarray
    kinds: tuple[TreeKind, ...]
    waiting: TreeKind
    given_up: TreeKind
    improved: TreeKind
    lower: np.ndarray | None = None
    upper: np.ndarray | None = None

    def __post_init__(self):
        m = len(self.parent)
        for name in NODES:
            if len(getattr(self, name)) != m:
                raise ValueError(
                    f"{name} must hold one value for each of {m} nodes, got "
                    f"{len(getattr(self, name))}."
                )
        if not np.all(np.asarray(self.parent) < np.arange(m)):
            raise ValueError("parent must name an earlier row; put parents first.")
        for kind in self._all_kinds():
            if kind.mark not in MARKS:
                raise ValueError(f"mark must be one of {MARKS}, got {kind.mark!r}.")

    def _all_kinds(self):
        return (*self.kinds, self.waiting, self.given_up, self.improved)

    def per_frame(self):
        counts = {f"nodes {kind.name!r}": kind.counts for kind in self._all_kinds()}
        bounds = {"lower": self.lower, "upper": self.upper}
        return counts | bounds | {"now": self.now}

    def packed(self, pack, name):
        kinds = self._all_kinds()
        counts = np.stack([kind.counts for kind in kinds], axis=1)
        pack.add(f"{name}_parent", np.maximum(self.parent, 0), "uint32")
        pack.add(f"{name}_now", self.now, "uint32")
        for part, dtype in NODES.items():
            pack.add(f"{name}_{part}", getattr(self, part), dtype)
        pack.add(f"{name}_counts", counts, "uint32", delta=True)
        for part in ("lower", "upper"):
            if getattr(self, part) is not None:
                pack.add(f"{name}_{part}", getattr(self, part), "float64")
        return super().packed(pack, name) | {
            "kinds": [{"name": kind.name, "mark": kind.mark} for kind in kinds],
        }
