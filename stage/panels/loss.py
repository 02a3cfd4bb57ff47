"""The loss of unlabelled points at each frame, with the points standing on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfmoon.stage.panels.base import Panel

TALLEST = 2.4  # of what is drawn: a squared hinge at -0.5
LEAST = 1.15  # height of a picture of losses that never exceed 1
FOOT = 0.05  # of the height, below the lowest: room for the points that stand there
BEYOND = 1.5  # of the height: how far curves are known
STEPS = 32767  # of which a loss is told


@dataclass(frozen=True)
class Losses(Panel):
    """What an unlabelled point pays as a function of its output, frame by frame.

    The points are those of the stage, at the outputs ``f_per_frame`` of the view, which
    has two classes. Each stands on the curve of the moment, unless `positive` or
    `heights` says where it stands instead.

    Parameters
    ----------
    title, below
        As in `Panel`.
    outputs : array-like of shape (g,)
        Evenly spaced outputs, symmetric about 0; what lies beyond is only counted.
    curves : array-like of shape (T, g)
        The loss there at each frame.
    notes : sequence of T str
        What the loss is at each frame: "T = 0.12".
    labelled : array-like of shape (g,), optional
        Loss of a labelled point whose margin y f is ``outputs``. Given, labelled points
        stand on it, on the branch of their class.
    positive : bool array-like of shape (T, n), optional
        For methods with hard labels: whether an unlabelled point is taken for class 1.
        It then stands on the branch of that class, and above the curve if the other
        label would cost less.
    heights : array-like of shape (T, n), optional
        Where each point stands, if every point has a curve of its own.
    others : sequence of int
        Frames whose curves stay in sight, faint.
    """

    kind: ClassVar[str] = "loss"

    outputs: np.ndarray
    curves: np.ndarray
    notes: tuple[str, ...]
    labelled: np.ndarray | None = None
    positive: np.ndarray | None = None
    heights: np.ndarray | None = None
    others: tuple[int, ...] = ()

    def __post_init__(self):
        outputs = np.asarray(self.outputs, dtype=float)
        steps = np.diff(outputs)
        even = len(steps) and np.allclose(steps, steps[0]) and steps[0] > 0
        if not (even and np.isclose(outputs[0], -outputs[-1])):
            raise ValueError(
                "outputs must rise in equal steps from -reach to reach; "
                "np.linspace(-reach, reach, 121) does."
            )
        for name in ("curves", "labelled"):
            values = getattr(self, name)
            if values is not None and np.shape(values)[-1] != len(outputs):
                raise ValueError(
                    f"{name} must hold one loss for each of the {len(outputs)} "
                    f"outputs, got {np.shape(values)[-1]}."
                )
        if self.positive is not None and self.labelled is None:
            raise ValueError(
                "positive puts points on the branches of `labelled`, which is missing."
            )
        strange = [i for i in self.others if not 0 <= i < len(self.curves)]
        if strange:
            raise ValueError(f"others must be numbers of frames, got {strange}.")

    def per_frame(self):
        return {
            "loss curves": self.curves,
            "notes of the loss": self.notes,
            "hard labels of the loss": self.positive,
            "heights on the loss": self.heights,
        }

    def check(self, view):
        k = len(view.class_names)
        if view.f_per_frame is None or k != 2:
            raise ValueError(
                "a panel of losses shows the outputs of a view with two classes; this "
                f"one has {k} classes and "
                f"{'no' if view.f_per_frame is None else 'its'} f_per_frame."
            )
        for name in ("positive", "heights"):
            values = getattr(self, name)
            if values is not None and np.shape(values)[1] != view.n_points:
                raise ValueError(
                    f"{name} must hold one column for each of the {view.n_points} "
                    f"points, got {np.shape(values)[1]}."
                )

    @property
    def limits(self) -> tuple[float, float]:
        """Lowest and highest loss that is drawn."""
        curves = np.asarray(self.curves)
        high = TALLEST
        if self.positive is None:
            high = float(np.clip(1.06 * curves.max(), LEAST, TALLEST))
        return min(0.0, float(curves.min())) - FOOT * high, high

    def packed(self, pack, name):
        low, high = self.limits
        # In 15 bits, a little beyond the picture, where lines leave it.
        share = (np.asarray(self.curves) - low) / (BEYOND * (high - low))
        steps = np.rint(STEPS * np.clip(share, 0, 1))
        pack.add(f"{name}_curves", steps, "int16", delta=True)
        if self.labelled is not None:
            pack.add(f"{name}_labelled", self.labelled, "float32")
        if self.positive is not None:
            positive = np.asarray(self.positive, dtype=bool)[:, pack.shown]
            bits = np.packbits(positive, axis=1, bitorder="little")
            pack.add(f"{name}_positive", bits, "uint8")
        if self.heights is not None:
            share = (np.asarray(self.heights)[:, pack.shown] - low) / (high - low)
            steps = np.rint(254 * np.clip(share, 0, 1.0))  # 255: above the picture
            steps = np.where(share > 1, 255, steps)
            pack.add(f"{name}_heights", steps, "uint8", delta=True)
        return super().packed(pack, name) | {
            "reach": float(np.asarray(self.outputs)[-1]),
            "limits": [low, high],
            "step": BEYOND * (high - low) / STEPS,
            "notes": list(self.notes),
            "others": [int(i) for i in self.others],
        }
