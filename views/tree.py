"""The panel of a search tree, for runs whose states declare one."""

from __future__ import annotations

import numpy as np

from halfmoon import stage
from ssl_core import Trace
from ssl_core.viz.search_tree import FOLDED, SearchTree, search_tree

WORDS = {  # of fates and other kinds: name in the legend, mark
    "": ("branched", "dot"),
    "bound": ("pruned by bound", "bar"),
    "balance": ("pruned by balance", "cross"),
    "solved": ("all labels decided", "square"),
    FOLDED: ("small subtrees, folded", "wedge"),
    "waiting": ("open", "ring"),
    "dropped": ("dropped unseen", "stub"),
    "better": ("better labelling found", "star"),
}


def trees(trace: Trace, frames) -> tuple[stage.Tree, ...]:
    """A panel of the tree that a run searched; none where it searched none.

    Parameters
    ----------
    frames : int ndarray of shape (T,)
        Numbers of the states shown.
    """
    tree = search_tree(trace)
    return () if tree is None or len(tree) < 2 else (_panel(tree, frames),)


def _panel(tree: SearchTree, frames) -> stage.Tree:
    def kind(word):
        name, mark = WORDS.get(word, (word, "dot"))
        return stage.TreeKind(name, _counts(tree, word)[frames], mark)

    def shown_from(moments):
        """The first frame at or after a state; a fold is none of the counts."""
        late = np.searchsorted(frames, moments)
        return np.where(late < len(frames), late, stage.NEVER)

    bounds = {
        name: None if values is None else values[frames]
        for name, values in (("lower", tree.lower), ("upper", tree.upper))
    }
    return stage.Tree(
        "The search tree",
        below=True,
        parent=tree.parent,
        depth=tree.depth,
        x=tree.x,
        seen=shown_from(tree.seen),
        examined=shown_from(tree.examined),
        dropped=shown_from(tree.dropped),
        fate=tree.fate,
        better=tree.better,
        size=tree.size,
        bound=tree.bound,
        promise=tree.promise,
        now=tree.now[frames],
        kinds=tuple(map(kind, tree.fates)),
        waiting=kind("waiting"),
        given_up=kind("dropped"),
        improved=kind("better"),
        **bounds,
    )


def _counts(tree, word):
    """Nodes of a kind at every state; those folded away, where they are."""
    if word == FOLDED:
        folds = np.sort(tree.examined[tree.size > 1])
        return np.searchsorted(folds, np.arange(len(tree.now)), side="right")
    return tree.counts[word]
