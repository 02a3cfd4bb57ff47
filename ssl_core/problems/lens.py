"""What an unlabelled point pays for its output at one moment of a run."""

from dataclasses import dataclass

import numpy as np

from ssl_core.losses import Loss, SquaredHinge
from ssl_core.problems.base import Array

HINGE = SquaredHinge()


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """The part of a state's objective that belongs to the unlabelled points.

        weight * sum_j phi(o_j),   or with labels   weight * sum_j phi(y_j o_j)

    A solver that puts one into its states (the field with the role `LENS`) has its loss
    drawn wherever states are, with the points standing on it.

    Attributes
    ----------
    loss : Loss
        phi. Its parameters may differ from point to point: arrays of shape (u,).
    weight : float
        Of each point: C*, or lambda' / (2 u); 0 while they do not count.
    labels : int8 ndarray of shape (u,) or None
        Labels +-1 that the method assigns; phi is then a loss of the margin.
    labeled : Loss
        Of the labelled points, as a function of their margin.
    shares : ndarray of shape (u,) or None
        What each point counts beside the others, 1 on average; None means 1.
    """

    loss: Loss
    weight: float
    labels: Array | None = None
    labeled: Loss = HINGE
    shares: Array | None = None

    def values(self, f_u) -> Array:
        """phi at the outputs of the unlabelled points, in the order of row numbers."""
        return self.loss.value(f_u if self.labels is None else self.labels * f_u)

    def total(self, f_u) -> float:
        """What the unlabelled points add to the objective."""
        values = self.values(f_u)
        counted = values if self.shares is None else self.shares * values
        return self.weight * float(counted.sum())

    # For drawing: what all points get alike is taken off, so that the curves of all
    # moments fit into one picture.

    @property
    def level(self) -> float:
        return getattr(self.loss, "level", 0.0)

    def heights(self, f_u) -> Array:
        """`values` above the level."""
        return self.values(f_u) - self.level

    def curve(self, o) -> Array:
        """phi above the level at any outputs, of a typical point with its better label.

        Parameters
        ----------
        o : ndarray
        """
        loss = self.loss.typical() if self.differs else self.loss
        if self.labels is None:
            return loss.value(o) - self.level
        return np.minimum(loss.value(o), loss.value(-o))

    @property
    def differs(self) -> bool:
        """Whether every point has a curve of its own."""
        return np.ndim(getattr(self.loss, "variance", 0.0)) > 0
