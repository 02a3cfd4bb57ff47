"""The SVM for given labels and costs, as S3VM methods train it again and again."""

import numpy as np

from ssl_core.features import Features
from ssl_core.problems.bias import FREE, Bias
from ssl_core.problems.s3vm import FeatureSVM, NewtonSystem
from ssl_core.solvers._mfn import MFNIterate, Schedule, train

EXACT = Schedule(eps=1e-12, tau=1e-10)


def svm(features: Features, y, cost, bias: Bias = FREE) -> MFNIterate:
    """Minimise  1/2 |w|^2 + sum_i cost_i max(0, 1 - y_i f_i)^2,  f = Z w + b.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Entries in {-1, 0, +1}; 0 takes no part.
    cost : float or ndarray of shape (n,)

    Returns
    -------
    here : MFNIterate
        Its v is (w, b); the coefficients of w in the points are -here.terms.slope.
    """
    c_pos, c_neg = np.where(y > 0, 2.0 * cost, 0.0), np.where(y < 0, 2.0 * cost, 0.0)
    machine = FeatureSVM(NewtonSystem(features), c_pos, c_neg, bias)
    v = np.zeros(features.d + 1)
    v[-1] = 0.0 if bias.moves else bias.value
    here, _ = train(machine, v, features.outputs(v), schedule=EXACT)
    return here
