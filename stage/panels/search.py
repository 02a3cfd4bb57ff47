"""The line search that led to each frame."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from halfmoon.stage.panels.base import Panel


@dataclass(frozen=True)
class Search:
    """The piecewise linear psi(s) of one step: break points, values and its zero."""

    s: np.ndarray
    psi: np.ndarray
    s_star: float


@dataclass(frozen=True)
class Searches(Panel):
    """psi(s) of the step that led to the frame under the cursor.

    Parameters
    ----------
    title, below
        As in `Panel`.
    searches : sequence of T (Search or None)
    """

    kind: ClassVar[str] = "search"

    searches: tuple[Search | None, ...]

    def per_frame(self):
        return {"searches": self.searches}

    def packed(self, pack, name):
        """All line searches end to end; `starts` says where each frame's begins."""
        sizes = [0 if search is None else len(search.s) for search in self.searches]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        s, psi = np.zeros(starts[-1]), np.zeros(starts[-1])
        stars = np.full(len(sizes), np.nan)
        for i, (search, (a, b)) in enumerate(
            zip(self.searches, pairwise(starts), strict=True)
        ):
            if search is not None:
                s[a:b], psi[a:b], stars[i] = search.s, search.psi, search.s_star
        pack.add(f"{name}_s", s, "float32")
        pack.add(f"{name}_psi", psi, "float32")
        pack.add(f"{name}_star", stars, "float32")
        return super().packed(pack, name) | {"starts": starts.tolist()}
