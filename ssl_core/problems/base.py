"""What every kernel problem shares: labels, margins, loss, outputs and the bias.

All classes of a one-vs-rest problem live side by side: Y, alpha and F have one
column per binary machine, so that K and L are multiplied once for all of them.
"""

import numpy as np

from ssl_core.losses import Loss
from ssl_core.problems.bias import FREE, Bias

Array = np.ndarray


class KernelProblem:
    """Kernel machines f = K alpha + b with a loss phi(y f), one per column of Y.

    How loss and norms are weighed (gamma_A and gamma_I, or C, C_u and r) is the
    subclass's. A cost c_i of a labelled point multiplies its loss, as in [SK07]
    eq. (1.2); where sums of losses are written, each has this factor.

    Parameters
    ----------
    K : ndarray
        Kernel values; the shape is the subclass's.
    Y : ndarray of shape (n, k)
        One column per binary machine, entries in {-1, 0, +1}, 0 = unlabeled.
    bias : Bias
        `FREE`, `NO_BIAS` or `fixed(value)`. A regularised bias is a constant feature
        and belongs in the kernel: K + 1 with `NO_BIAS`.
    cost : ndarray of shape (n,) or None
        Costs c_i >= 0 of the points, of which those of labelled ones count; None
        means 1.
    """

    loss: Loss
    all_points = True  # whether alpha stands on all points, or on the labelled ones

    def __init__(self, K, Y, *, bias: Bias = FREE, cost=None):
        if bias.regularised:
            raise ValueError(
                "bias must be FREE, NO_BIAS or fixed(value) in a kernel machine, got "
                "REGULARISED; add the constant feature to the kernel, K + 1, and take "
                "NO_BIAS."
            )
        self.K = K
        self.Y = np.asfortranarray(Y, dtype=float)
        self.bias = bias
        self.n, self.k = self.Y.shape
        self.labeled = np.flatnonzero(self.Y.any(axis=1))
        self.Y_labeled = np.asfortranarray(self.Y[self.labeled])
        self.weighted = cost is not None
        cost = np.ones(self.n) if cost is None else np.asarray(cost, dtype=float)
        self.cost = cost[self.labeled]
        self._pull = np.asfortranarray(0.5 * self.cost[:, None] * self.Y_labeled)

    def K_product(self, V):
        """K V, of shape (n, k)."""
        raise NotImplementedError  # a subclass says what K is

    def outputs(self, alpha, b):
        """F = K alpha + b, of shape (n, k); [MB11] eq. (3) with a bias."""
        return self.K_product(alpha) + b

    def margins(self, F):
        """y f of the labelled points, of shape (l, k)."""
        return self.Y_labeled * F[self.labeled]

    def error_vectors(self, F):
        """Mask of the labelled points with a loss, of shape (l, k)."""
        active = self.loss.active(self.margins(F))
        return active & (self.cost > 0.0)[:, None] if self.weighted else active

    def labeled_loss(self, F):
        """sum_labeled c_i phi(y_i f_i) per class, of shape (k,)."""
        return self.weigh(self.loss.value(self.margins(F))).sum(axis=0)

    def weigh(self, losses):
        """Losses (l, k) of the labelled points times their costs."""
        return self.cost[:, None] * losses if self.weighted else losses

    def residuals(self, F):
        """c phi'(y f) y / 2 on the labelled points: c (f - y) on error vectors."""
        return self.loss.slope(self.margins(F)) * self._pull


class PenalisedProblem(KernelProblem):
    """Loss plus quadratic penalty, the shape `newton` and `pcg` work on.

        J(alpha, b) = 1/2 ( sum_labeled c_i phi(y_i f_i)
                            + penalty(alpha' K alpha, f' L f) ),     f = K alpha + b

    Both norms are quadratic forms, so that `penalty` weighs the parts of a slope or a
    curvature along a direction as well.
    """

    def penalty(self, ambient, intrinsic):
        """The norms weighed and added: linear in both."""
        raise NotImplementedError  # a subclass has the weights

    def L_product(self, F):
        """L F; 0 where there is no intrinsic term."""
        return 0.0 * F

    def objective(self, alpha, b, F, LF):
        """J per class, of shape (k,), from quantities a solver has at hand.

        [MB11] eq. (7), or [MB11] section 5 where the loss is the squared one.
        """
        ambient = np.einsum("ij,ij->j", alpha, F) - b * alpha.sum(axis=0)
        intrinsic = np.einsum("ij,ij->j", F, LF)
        return 0.5 * (self.labeled_loss(F) + self.penalty(ambient, intrinsic))

    def value(self, alpha, b):
        """J per class at any point."""
        F = self.outputs(alpha, b)
        return self.objective(alpha, b, F, self.L_product(F))
