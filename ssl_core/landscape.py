"""The objective of an S3VM on a plane through three machines.

    J(w, b) = 1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2 + C_u sum_unlabeled
              max(0, 1 - |f|)^2                                     [CSK08] eq. (5)

A machine f = K alpha + b is a point of a space with as many dimensions as there are
training points, and its outputs on them say all about it. Distances are those of
outputs: the root of the mean square of their difference, so that 1 is a margin. Three
machines span a plane; what lies off it has a nearest machine there, and a height.
"""

from dataclasses import dataclass, replace

import numpy as np

from halfmoon.common.memory import check_room
from ssl_core.features import Space, features
from ssl_core.problems.s3vm import sum_of_losses
from ssl_core.solvers.svm import svm

Array = np.ndarray

MATRICES = 4.2  # beside K: its features, and a factor beside what it is made of
APART = 1e-3  # outputs that differ by less are those of one machine
FLAT = 1e-2  # of the longest side: a triangle that is lower has no plane worth showing


@dataclass(frozen=True)
class LandscapeModel:
    """f = K alpha + b on the training points, with its objective.

    Attributes
    ----------
    alpha : ndarray of shape (n,)
    b : float
    f : ndarray of shape (n,)
    objective : float
        Of an S3VM: an unlabelled point may lie on either side.
    retrained : float
        Of the SVM on the labels it was trained on, to which every point is held: see
        `ssl_core.comparison.retrained_objective`. NaN where there are no such labels.
    """

    alpha: Array
    b: float
    f: Array
    objective: float
    retrained: float = np.nan

    def distance(self, other: "LandscapeModel") -> float:
        """Root mean square difference of the outputs."""
        return float(np.sqrt(np.mean((self.f - other.f) ** 2)))


class Landscape:
    """The S3VM objective over all machines of one kernel.

    Parameters
    ----------
    K : ndarray of shape (n, n)
    y : ndarray of shape (n,)
        Entries in {-1, 0, +1}, 0 = unlabeled.
    C, C_u : float
        Weights of labelled and unlabelled points.
    """

    def __init__(self, K, y, *, C, C_u):
        self.K, self.y = np.asarray(K, dtype=float), np.asarray(y, dtype=float)
        if self.K.shape != (len(self.y), len(self.y)):
            raise ValueError(
                f"K must have a row and a column for each of {len(self.y)} labels, got "
                f"shape {self.K.shape}."
            )
        self.C, self.C_u = float(C), float(C_u)
        self.labeled = np.flatnonzero(self.y)
        self.unlabeled = np.flatnonzero(self.y == 0)
        self._features = None

    def losses(self, F) -> Array:
        """The objective without the norm, for outputs of shape (..., n)."""
        return sum_of_losses(self, F, self.C_u)

    def machine(self, alpha, b) -> LandscapeModel:
        g = self.K @ alpha
        objective = 0.5 * float(alpha @ g) + float(self.losses(g + b))
        return LandscapeModel(np.asarray(alpha), float(b), g + b, objective)

    def trained(self, labels) -> LandscapeModel:
        """The SVM of predicted labels, as [CSK08] section 5.2 compares methods.

        Parameters
        ----------
        labels : ndarray of shape (n,)
            Entries in {-1, 0, +1}; given labels count, whatever is said of them, and 0
            takes no part: with no guess at all it is the supervised SVM.
        """
        signs = np.where(self.y != 0, self.y, labels).astype(float)
        cost = np.where(self.y != 0, self.C, self.C_u)
        if self._features is None:
            check_room(
                "the landscape",
                lambda n: 8 * MATRICES * n**2,
                len(self.y),
                "use fewer points",
            )
            self._features = features(Space(self.K))
        step = svm(self._features, signs, cost)
        found = self.machine(*self._features.expand(step.v[:-1], step.v[-1]))
        held = float(step.objective) if signs.all() else np.nan
        return replace(found, retrained=held)


class Plane:
    """All machines m_0 + s e_1 + t e_2 that three machines span.

    e_1 and e_2 are at right angles and of length 1 in the distance of outputs; e_1
    leads along the longest side of the triangle.

    Parameters
    ----------
    landscape : Landscape
    machines : sequence of three LandscapeModel
    """

    def __init__(self, landscape: Landscape, machines):
        if len(machines) != 3:
            raise ValueError(f"a plane takes 3 solutions, got {len(machines)}.")
        self.landscape = landscape
        sides = [(0, 1, 2), (0, 2, 1), (1, 2, 0)]
        sides.sort(key=lambda s: -machines[s[0]].distance(machines[s[1]]))
        a, b, c = (machines[i] for i in sides[0])
        rows = np.array([np.append(m.alpha, m.b) for m in (a, b, c)])
        outputs = np.array([m.f for m in (a, b, c)])
        # Steps from a, in coefficients and in outputs at once.
        steps = np.hstack([rows[1:] - rows[0], outputs[1:] - outputs[0]])
        n = len(a.f)
        length = a.distance(b)
        if length < APART:
            raise ValueError("the three solutions must differ; two of them are equal.")
        first = steps[0] / length
        second = steps[1] - (steps[1][-n:] @ first[-n:] / n) * first
        height = float(np.sqrt(np.mean(second[-n:] ** 2)))
        if height < FLAT * length:
            raise ValueError("the three solutions must not lie on a line.")
        basis = np.array([first, second / height])
        self.alpha = np.vstack([a.alpha, basis[:, :n]])
        self.b = np.append(a.b, basis[:, n])
        self.f = np.vstack([a.f, basis[:, -n:]])
        self._norm = self.alpha @ landscape.K @ self.alpha.T
        self.corners = np.array([self.place(m.f)[:2] for m in machines])

    def place(self, f) -> tuple[float, float, float]:
        """Where outputs lie: s, t of the nearest machine of the plane, and how far off.

        Exact for machines of the plane, whose height is 0 up to rounding.
        """
        step = np.asarray(f) - self.f[0]
        s, t = self.f[1:] @ step / len(step)
        rest = step - s * self.f[1] - t * self.f[2]
        return float(s), float(t), float(np.sqrt(np.mean(rest**2)))

    def machine(self, s, t) -> LandscapeModel:
        share = np.array([1.0, s, t])
        return self.landscape.machine(share @ self.alpha, float(share @ self.b))

    def values(self, s, t) -> Array:
        """The objective on a grid: the norm in closed form, the losses at all outputs.

        Parameters
        ----------
        s, t : ndarrays of shape (width,) and (height,)

        Returns
        -------
        J : ndarray of shape (height, width)
        """
        J = np.empty((len(t), len(s)))
        share = np.ones((len(s), 3))
        share[:, 1] = s
        for row, height in enumerate(t):
            share[:, 2] = height
            norm = np.einsum("pi,ij,pj->p", share, self._norm, share)
            J[row] = 0.5 * norm + self.landscape.losses(share @ self.f)
        return J


def different(machines) -> list[int]:
    """Which of some machines to keep so that all of them differ: the first of each."""
    kept: list[int] = []
    for i, machine in enumerate(machines):
        if all(machine.distance(machines[j]) >= APART for j in kept):
            kept.append(i)
    return kept
