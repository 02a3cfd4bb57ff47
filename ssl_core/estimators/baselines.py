"""Baselines: labels spread on the data graph, and self-training."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.bases import GraphClassifier
from ssl_core.estimators.groups import Ambient, Stopping
from ssl_core.estimators.linear import linear_instead
from ssl_core.estimators.spaces import Kernel
from ssl_core.problems.graph import parts_of
from ssl_core.problems.supervised import SVM
from ssl_core.settings import shared
from ssl_core.solvers.harmonic import Harmonic, HarmonicState
from ssl_core.solvers.label_propagation import LabelPropagation, PropagationState
from ssl_core.solvers.label_spreading import LabelSpreading, SpreadingState
from ssl_core.solvers.poisson import CANCEL, Poisson, PoissonState
from ssl_core.solvers.self_training import SelfTraining, SelfTrainingState
from ssl_core.trace import Event

STEPS: dict[str, Any] = {"default": 5_000, "slider": (1, 20_000)}


class LabelPropagationClassifier(GraphClassifier):
    """Label propagation, [ZG02]: each point takes the mean of its neighbours' labels.

    Given labels stay. The iterates are those of scikit-learn's ``LabelPropagation`` on
    the same graph; outputs are the differences of its probabilities.
    """

    _state = PropagationState
    _solver = LabelPropagation

    tol: float = shared(LabelPropagation)
    max_iter: int = shared(Stopping, **STEPS)


class LabelSpreadingClassifier(GraphClassifier):
    """Label spreading, [ZBLWS04]: neighbours' scores, mixed with the own label.

    The iterates are those of scikit-learn's ``LabelSpreading`` on the same graph;
    outputs are the differences of its probabilities.
    """

    _state = SpreadingState
    _solver = LabelSpreading

    share: float = shared(LabelSpreading)
    tol: float = shared(LabelSpreading)
    max_iter: int = shared(Stopping, **STEPS)


class HarmonicClassifier(GraphClassifier):
    """Harmonic function, [ZGL03]: each output is the mean of its neighbours'.

    The energy of the graph is minimised by conjugate gradients; labels are kept.
    """

    _state = HarmonicState
    _solver = Harmonic

    tol: float = shared(Harmonic)


class PoissonClassifier(GraphClassifier):
    """Poisson learning, [CCTS20]: labels are sources and sinks on the graph.

    For few labels, where a harmonic function is nearly constant away from them.
    Decisions are those of the paper without known shares of the classes.
    """

    _state = PoissonState
    _solver = Poisson

    tol: float = shared(Poisson)
    max_iter: int = shared(Stopping, **STEPS)

    def _graph_notes(self, W, Y):
        return unbalanced_parts(parts_of(W), Y)


class SelfTrainingClassifier(SemiSupervisedClassifier):
    """Self-training, [Y95], of the SVM with squared hinge loss.

    Each round trains the SVM on all labels and then labels the points that it is most
    confident about, for all classes together. Guessed labels are never taken back.
    """

    _space_kind = Kernel
    _state = SelfTrainingState
    _solver = SelfTraining
    _max_iter_advice = "raise max_iter or k_best"

    kernel: str | Callable = shared(Kernel)
    sigma: float | str = shared(Kernel)
    degree: int = shared(Kernel)
    coef0: float = shared(Kernel)
    gamma_A: float = shared(Ambient)
    bias: bool = shared(Ambient)
    criterion: str = shared(SelfTraining)
    k_best: int = shared(SelfTraining)
    threshold: float = shared(SelfTraining)
    stop: Any = shared(Stopping)
    max_iter: int = shared(Stopping, doc="Maximum number of rounds.")
    check_every: int | None = shared(Stopping)

    def lighter(self):
        return linear_instead(self)

    def _beside(self, size):
        """As the SVM, with the columns of the points that have labels at the end."""
        guessed = size.n
        if self.criterion == "best":
            guessed = min(size.n, self.k_best * self.max_iter)
        share = min(1.0, (size.n_labeled + guessed) / size.n)
        return 1.0 + share + 3.0 * share**2

    def _solve(self, task):
        K = self._space().gram(task.X, self.model_, task.notes)
        weights = Ambient.of(self).weights

        def problem_of(Y):
            return SVM(K[:, np.flatnonzero(Y.any(axis=1))], Y, **weights)

        return self._solver.of(self)(problem_of, task.Y, task.start)


def unbalanced_parts(parts, Y) -> list[Event]:
    """A note where Poisson's equation has no solution, as sources do not cancel."""
    labeled = Y.any(axis=1)
    sources = Y[labeled] - Y[labeled].mean(axis=0)
    sums = np.zeros((parts.max() + 1, Y.shape[1]))
    np.add.at(sums, parts[labeled], sources)
    count = int((np.abs(sums) > CANCEL).any(axis=1).sum())
    if not count:
        return []
    text = (
        f"In {count} of {len(sums)} parts of the graph the shares of the classes "
        f"differ from those among all labels: Poisson's equation has no solution, and "
        f"outputs grow with every step."
    )
    return [Event("note", text, {"what": "parts", "n": count})]
