"""What every kernel problem shares: labels, loss, objective.

All classes of a one-vs-rest problem live side by side: Y, alpha and F have one
column per binary machine, so that K and L are multiplied once for all of them.
"""

import numpy as np

from ssl_core.losses import Loss

Array = np.ndarray


class KernelProblem:
    """Regularised risk of kernel machines, one objective per column of Y.

        J(alpha, b) = 1/2 ( sum_labeled phi(y_i f_i)
                            + gamma_A alpha' K alpha
                            + gamma_I f' L f ),      f = K alpha + b

    Parameters
    ----------
    K : ndarray
        Kernel values; the shape is the subclass's.
    Y : ndarray of shape (n, k)
        One column per binary machine, entries in {-1, 0, +1}, 0 = unlabeled.
    gamma_A : float
        Weight of the ambient norm, > 0.
    """

    loss: Loss
    gamma_I = 0.0

    def __init__(self, K, Y, *, gamma_A):
        self.K = K
        self.Y = np.asfortranarray(Y, dtype=float)
        self.gamma_A = float(gamma_A)
        self.n, self.k = self.Y.shape
        self.labeled = np.flatnonzero(self.Y.any(axis=1))
        self.Y_labeled = np.asfortranarray(self.Y[self.labeled])

    def K_product(self, V):
        """K V, of shape (n, k)."""
        raise NotImplementedError  # a subclass says what K is

    def L_product(self, F):
        """L F; 0 where there is no intrinsic term."""
        return 0.0 * F

    def outputs(self, alpha, b):
        """F = K alpha + b, of shape (n, k)."""
        return self.K_product(alpha) + b

    def margins(self, F):
        """y f of the labelled points, of shape (l, k)."""
        return self.Y_labeled * F[self.labeled]

    def error_vectors(self, F):
        """Mask of the labelled points with a loss, of shape (l, k)."""
        return self.loss.active(self.margins(F))

    def objective(self, alpha, b, F, LF):
        """J per class, of shape (k,), from quantities a solver has at hand."""
        loss = self.loss.value(self.margins(F)).sum(axis=0)
        ambient = np.einsum("ij,ij->j", alpha, F) - b * alpha.sum(axis=0)
        intrinsic = np.einsum("ij,ij->j", F, LF)
        return 0.5 * (loss + self.gamma_A * ambient + self.gamma_I * intrinsic)

    def value(self, alpha, b):
        """J per class at any point."""
        F = self.outputs(alpha, b)
        return self.objective(alpha, b, F, self.L_product(F))

    def residuals(self, F, columns=slice(None)):
        """phi'(y f) y / 2 on the labelled points: f - y on error vectors, else 0."""
        Y = self.Y_labeled[:, columns]
        return 0.5 * self.loss.slope(Y * F[self.labeled]) * Y
