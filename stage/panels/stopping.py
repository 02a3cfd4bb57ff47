"""Where stopping rules end a recorded run: the norms they watch, and what they find.

Both panels are judged in the browser by ``stopping.js``, which answers as
`ssl_core.stopping.judge` does: whatever a rule looks at travels, at every iteration,
frames or not. The thresholds are numbers of the view that the reader moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfmoon.stage.panels.base import Panel
from halfmoon.stage.panels.curves import Curves

MAX_DECISIONS = 8_000_000  # bytes in the browser; on the way they are nearly all zeros


@dataclass(frozen=True)
class Norms(Curves):
    """Curves with a line for every threshold, which the reader drags.

    Parameters
    ----------
    title, series, ...
        As in `Curves`, on a logarithmic ordinate.
    thresholds : mapping from name of a rule to name of a series
        The number of that name is the exponent of its threshold.
    floor : float
        Where the ordinate ends; what lies below is cut off.
    """

    kind: ClassVar[str] = "norms"

    thresholds: Mapping[str, str] = None
    floor: float = 0.0

    def packed(self, pack, name):
        return super().packed(pack, name) | {
            "thresholds": dict(self.thresholds or {}),
            "floor": self.floor,
        }


@dataclass(frozen=True)
class StoppingRecord:
    """All that stopping rules ask of a run, and what they are worth there.

    Parameters
    ----------
    t : int ndarray of shape (m,)
        Iteration of every state.
    norms : mapping from name of a rule to ndarray of shape (m,)
        What "gradient", "preconditioned", "mixed_product" and "objective" look at.
    decisions : int ndarray of shape (m, u) or None
        Classes of the unlabelled points. None: too many to be sent.
    every : int
        Iterations between two checks where nobody says otherwise.
    wrong : mapping from "L", "U", "V", "T" to int ndarray of shape (m,)
        Points that are decided wrongly.
    total, best : mapping from part to int
        Points there are, and wrong ones at the exact optimum.
    moving : int ndarray of shape (m,)
        Unlabelled points that change sides later.
    spent : ndarray of shape (m,)
        Seconds until there.
    newton : float
        Seconds of the exact solver.
    complete : bool
        Whether the run went on to its end.
    """

    t: np.ndarray
    norms: Mapping[str, np.ndarray]
    decisions: np.ndarray | None
    every: int
    wrong: Mapping[str, np.ndarray]
    total: Mapping[str, int]
    best: Mapping[str, int]
    moving: np.ndarray
    spent: np.ndarray
    newton: float
    complete: bool


@dataclass(frozen=True)
class Rules(Panel):
    """A row for every stopping rule, and the controls of those without a line.

    Parameters
    ----------
    title, below, answer
        As in `Panel`.
    record : StoppingRecord
    rules : sequence of (name, title)
        In the order of the rows; numbers of the view point into it.
    exponents : sequence of float
        Thresholds that a norm can have, as powers of ten, rising in equal steps.
    usual : mapping from name to float
        Numbers that a link leaves out.
    """

    kind: ClassVar[str] = "rules"

    record: StoppingRecord
    rules: Sequence[tuple[str, str]]
    exponents: Sequence[float]
    usual: Mapping[str, float]

    def packed(self, pack, name):
        record = self.record
        pack.add(f"{name}_t", record.t, "uint32")
        pack.add(f"{name}_spent", record.spent, "float64")
        pack.add(f"{name}_moving", record.moving, "uint32")
        # Powers from here: the browser's own may differ in their last digit.
        tolerances = [10**exponent for exponent in self.exponents]
        pack.add(f"{name}_tolerances", tolerances, "float64")
        for part, values in record.norms.items():
            pack.add(f"{name}_{part}", values, "float64")
        for part, values in record.wrong.items():
            pack.add(f"{name}_wrong{part}", values, "uint32")
        if record.decisions is not None:
            pack.add(f"{name}_decisions", record.decisions, "uint8", delta=True)
        return super().packed(pack, name) | {
            "rules": [{"name": name, "title": title} for name, title in self.rules],
            "norms": list(record.norms),
            "exponents": [float(e) for e in self.exponents],
            "every": record.every,
            "total": {part: int(n) for part, n in record.total.items()},
            "best": {part: int(n) for part, n in record.best.items()},
            "newton": float(record.newton),
            "complete": record.complete,
            "usual": {name: float(value) for name, value in self.usual.items()},
        }
