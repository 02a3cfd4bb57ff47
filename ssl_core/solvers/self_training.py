"""Self-training: a classifier learns from its own most confident decisions, [Y95]."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from ssl_core.quantities import MARKS, quantity
from ssl_core.settings import choice, number
from ssl_core.solvers.newton import NewtonState, newton
from ssl_core.solvers.settings import Solver
from ssl_core.trace import Array, Event, ExpansionState, Status, some_points

CRITERIA = ("best", "threshold")
STEPS = 200  # of Newton's method in a round; it ends after a few


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTrainingState(ExpansionState):
    """The classifier of a round; `objective` is that of its training.

    Attributes
    ----------
    added : ndarray of shape (n,)
        1 where a point has just got the label that it is trained with, else 0.
    taught : ndarray of shape (n,)
        The round in which each point got its label: 0 for given labels, -1 for none.
    """

    n_guessed: int = quantity(
        "labels guessed",
        merge="same",
        sentence="The classifier is trained with {value} labels of its own.",
    )
    added: Array | None = quantity(role=MARKS, merge="same")
    taught: Array | None = quantity(merge="same")


class SelfTraining(Solver):
    """Settings of `self_training`."""

    criterion: str = choice(
        "best",
        CRITERIA,
        "Which points get a label in a round: the ``k_best`` largest outputs, or all "
        "above ``threshold``.",
        title="Labels for",
        words=("Most confident points", "Outputs above a threshold"),
        help="Which points get a label in each round.",
    )
    k_best: int = number(
        10,
        "Points that get a label in a round.",
        integer=True,
        at_least=1,
        title="Points per round",
        slider=(1, 100),
        needs=("criterion", "best"),
        up="fewer rounds, with labels that are less certain",
    )
    threshold: float = number(
        0.5,
        "Output above which a point gets a label; 1 is the margin.",
        at_least=0,
        title="Threshold",
        slider=(0.0, 2.0),
        step=0.05,
        needs=("criterion", "threshold"),
        up="fewer labels, which are more certain",
    )

    def __call__(self, problem_of, Y, start=None):
        return self_training(problem_of, Y, **self.values, start=start)


def self_training(
    problem_of: Callable,
    Y: Array,
    *,
    criterion: str = SelfTraining.criterion,
    k_best: int = SelfTraining.k_best,
    threshold: float = SelfTraining.threshold,
    start: SelfTrainingState | None = None,
) -> Iterator[SelfTrainingState]:
    """Train, label the most confident points, train again, and so on: [Y95] section 4.

    A guessed label is never taken back. All classes are trained in a round, and a
    point gets that of the largest output. The rounds are those of scikit-learn's
    ``SelfTrainingClassifier`` with a confidence that grows with the largest output.

    Parameters
    ----------
    problem_of : callable
        From labels (n, k) to the problem of the base classifier.
    Y : ndarray of shape (n, k)
        One column per binary machine, in {-1, 0, +1}.
    start : SelfTrainingState or None
        Points that had a guessed label get one from its model, where none is given now.
    """
    Y, taught = _labels_at_start(Y, start)
    added = np.zeros(len(Y), dtype=bool)
    model = None
    for t in count():
        model = _trained(problem_of(Y), model)
        done = t > 0 and not (added.any() and (taught < 0).any())
        yield _state(t, model, added, taught, _events(added, taught, t, done), done)
        if done:
            return
        F = model.f.reshape(len(Y), -1)
        added = _surest(F, taught < 0, criterion, k_best, threshold)
        Y, taught = Y.copy(), taught.copy()
        Y[added], taught[added] = decisions(F[added]), t + 1


def decisions(F: Array) -> Array:
    """Labels (m, k) in {-1, +1} of outputs (m, k): the sign, or the largest."""
    if F.shape[1] == 1:
        return np.where(F < 0, -1.0, 1.0)
    return np.where(np.arange(F.shape[1]) == F.argmax(axis=1)[:, None], 1.0, -1.0)


def confidence(F: Array) -> Array:
    """The output of the class that a point is given."""
    return np.abs(F[:, 0]) if F.shape[1] == 1 else F.max(axis=1)


def _surest(F, unknown, criterion, k_best, threshold):
    """Mask of the points that get a label next."""
    sure = np.where(unknown, confidence(F), -np.inf)
    if criterion == "threshold":
        return unknown & (sure > threshold)
    chosen = np.zeros(len(F), dtype=bool)
    chosen[np.argsort(-sure, kind="stable")[:k_best]] = True
    return chosen & unknown


def _labels_at_start(Y, start):
    given = Y.any(axis=1)
    taught = np.where(given, 0, -1)
    if start is None or start.taught is None:
        return Y.astype(float), taught
    kept = ~given & (start.taught > 0)
    guesses = decisions(start.f.reshape(len(Y), -1))
    return np.where(kept[:, None], guesses, Y).astype(float), np.where(kept, 1, taught)


def _trained(problem, before: NewtonState | None) -> NewtonState:
    """The minimum, found from the model of the round before; it depends on no start.

    Where rounding keeps Newton from ending, its last point is taken.
    """
    steps = islice(newton(problem, start=before), STEPS)
    return deque(steps, maxlen=1).pop()


def _events(added, taught, t, done) -> tuple[Event, ...]:
    left = int(np.count_nonzero(taught < 0))
    if added.any():
        text = f"{some_points(int(added.sum()))} got a label, {left:,} have none yet."
        return (Event("guessed", text, {"n": int(added.sum())}),)
    if done and left:
        text = f"No output is above the threshold: {some_points(left)} stay unlabelled."
        return (Event("unsure", text, {"n": left}),)
    return ()


def _state(t, model, added, taught, events, done) -> SelfTrainingState:
    return SelfTrainingState(
        t=t,
        objective=model.objective,
        f=model.f,
        alpha=model.alpha,
        b=model.b,
        n_guessed=int(np.count_nonzero(taught > 0)),
        added=added.astype(float),
        taught=taught,
        events=events,
        per_class=_per_class(model),
        status=Status.FINISHED if done else Status.RUNNING,
    )


def _per_class(model):
    """For several classes: the objectives, and that all of them go on together."""
    if model.per_class is None:
        return None
    objective = model.per_class["objective"]
    return {"objective": objective, "running": np.ones(len(objective), dtype=bool)}
