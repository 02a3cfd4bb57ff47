"""Semi-supervised SVM with hinge loss and a bias that does not move, [OITS13]."""

import numpy as np

from ssl_core.features import Space
from ssl_core.losses import Hinge
from ssl_core.problems.lens import Lens

Array = np.ndarray


class FixedBiasS3VM:
    """S3VM with labels of the unlabelled points as variables, [OITS13] eq. (1).

        J(f, yhat) = 1/2 |w|^2 + C sum_L max(0, 1 - y_i f_i)
                               + C_u sum_U max(0, 1 - yhat_i f_i)

    with f(x) = b + w'phi(x) = b + sum_i beta_i k(x, x_i) and b = 2r - 1; C_u is the
    paper's C*. The paper takes this b from work in which it makes the mean output on
    the unlabelled points 2r - 1, because the features are centred there. The paper
    itself does not centre them; `Space.centred` does.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Gram matrix, labelled and unlabelled points together.
    y : ndarray of shape (n,)
        In {-1, 0, +1}, both signs among them; 0 = unlabelled.
    C : float
    r : float or None
        Share of positive points, above 0 and below 1; None takes it from the labels.
    space : Space or None
        Where K comes from, and the way back, if it is not the caller's own kernel.
    """

    def __init__(
        self,
        K: Array,
        y: Array,
        *,
        C: float,
        r: float | None = None,
        space: Space | None = None,
    ):
        self.K, self.y, self.C = K, np.asarray(y, dtype=float), float(C)
        self.labeled = np.flatnonzero(self.y)
        self.unlabeled = np.flatnonzero(self.y == 0)
        self.r = float((self.y[self.labeled] > 0).mean()) if r is None else float(r)
        if not 0 < self.r < 1:
            raise ValueError(
                f"y must have labelled points of both classes, or r must be a share "
                f"above 0 and below 1, got r = {self.r:g}."
            )
        self.b, self.space = 2 * self.r - 1, space

    @property
    def n(self) -> int:
        return len(self.y)

    def caps(self, C_u: float) -> Array:
        """Largest duals: C on labelled points, C_u on the others."""
        return np.where(self.y == 0, C_u, self.C)

    def signs(self, y_u: Array) -> Array:
        """The labels of all points, given or assigned."""
        signs = self.y.copy()
        signs[self.unlabeled] = y_u
        return signs

    def objective(self, beta: Array, f: Array, y_u: Array, C_u: float) -> float:
        """J of [OITS13] eq. (1); beta and its outputs f on all points."""
        return self.value(beta, f, self.signs(y_u), self.caps(C_u))

    def value(self, beta: Array, f: Array, signs: Array, caps: Array) -> float:
        """J of [OITS13] eq. (1), labels and weights given for all points."""
        return float(beta @ (f - self.b) / 2 + caps @ Hinge().value(signs * f))

    def lens(self, y_u: Array, C_u: float) -> Lens:
        """What the unlabelled points add to J."""
        return Lens(Hinge(), C_u, y_u, labeled=Hinge())

    def expansion(self, beta: Array) -> tuple[Array, float]:
        """alpha and b of the same function in the caller's kernel."""
        return (beta, self.b) if self.space is None else self.space.expand(beta, self.b)
