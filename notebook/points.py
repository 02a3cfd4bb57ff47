"""Points and labels under a hand: what edits of the stage make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from halfmoon.stage.edits import apply_edits

REDRAWING = ("move", "add", "remove", "add_many", "remove_many")
MOST_ADDED = 2_000  # points by hand, beyond those that were given


@dataclass(frozen=True, eq=False)
class EditedPoints:
    """What is learned from, as the stage numbers it.

    Parameters
    ----------
    X : {ndarray, sparse matrix} of shape (n, d)
    given, truth : int ndarray of shape (n,)
        Places in the classes; -1 = unlabelled, unknown.
    number : int ndarray of shape (n,)
        What edits call each point.
    next_number, max_number : int
        What the next new point is called, and where new ones end.
    fixed : bool
        Whether they are drawn elsewhere than X says, so that none can be moved.
    """

    X: Any
    given: np.ndarray
    truth: np.ndarray | None
    number: np.ndarray
    next_number: int
    max_number: int
    fixed: bool = False

    @classmethod
    def of(cls, X, given, truth=None, *, fixed: bool = False) -> EditedPoints:
        n = len(given)
        return cls(X, given, truth, np.arange(n), n, n + MOST_ADDED, fixed)

    @property
    def plane(self) -> bool:
        """Whether the points can be moved, added and removed where they are shown."""
        flat = not sp.issparse(self.X) and self.X.shape[1] == 2
        return flat and not self.fixed

    def edited(
        self, edits: Sequence[dict], n_classes: int, refused: list[str]
    ) -> EditedPoints:
        """After edits of the stage; those that cannot be applied go to ``refused``."""
        if not self.plane:
            edits = [e for e in edits if not _redraws(e)]
        places = self.X if self.plane else np.zeros((len(self.given), 2))
        after = apply_edits(
            places,
            self.given,
            edits,
            number=self.number,
            next_number=self.next_number,
            n_classes=n_classes,
            max_number=self.max_number,
            refused=refused,
        )
        truth = self.truth
        if truth is not None:
            new = after.source < 0
            truth = np.where(new, after.given, truth[after.source])
        moved = self.plane and any(map(_redraws, edits))
        after.points.setflags(write=False)
        return replace(
            self,
            X=after.points if moved else self.X,
            given=after.given,
            truth=truth,
            number=after.number,
            next_number=after.next_number,
        )

    def same_kind(self, other: EditedPoints) -> bool:
        """Whether a run on one can go on with the other: same points, same classes."""
        labelled = [{*p.given[p.given >= 0].tolist()} for p in (self, other)]
        return labelled[0] == labelled[1] and np.array_equal(self.number, other.number)


def _redraws(edit: Any) -> bool:
    return isinstance(edit, dict) and edit.get("op") in REDRAWING
