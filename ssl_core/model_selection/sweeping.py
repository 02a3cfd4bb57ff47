"""One method over a grid of parameters: shared kernel and graph, seeded solvers."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from ssl_core.estimators._inputs import MatrixLike
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.groups import FeatureMap
from ssl_core.estimators.prepared import Prepared
from ssl_core.estimators.s3vm_path import S3VMPathClassifier
from ssl_core.estimators.spaces import Graph, Kernel
from ssl_core.settings import check_switch, settings_of
from ssl_core.trace import Array, State, Status

# A change of one of these, dearest first, makes a kernel, a graph or features again.
COSTLY = [
    name
    for group in (Kernel, Graph, FeatureMap)
    for name in settings_of(group)
    if name != "gamma_I"
]


@dataclass(frozen=True, eq=False)
class Sweep:
    """All fits of a sweep, in the order of the grid, the last parameter fastest.

    Attributes
    ----------
    params : tuple of dict
    estimators : tuple of classifiers
        Fitted; those with the same kernel share its training points.
    seeds : tuple of int or None
        Which of the fits each began from.
    seconds : ndarray of shape (m,)
        Wall time, with that of kernel and graph where a fit made them.
    """

    params: tuple[dict[str, Any], ...]
    estimators: tuple[SemiSupervisedClassifier, ...]
    seeds: tuple[int | None, ...]
    seconds: Array

    def __len__(self) -> int:
        return len(self.params)

    @property
    def states(self) -> tuple[State, ...]:
        """The last state of every fit."""
        return tuple(est.state_ for est in self.estimators)

    @property
    def objective(self) -> Array:
        """Of every fit at its own parameters, of shape (m,)."""
        return np.array([state.objective for state in self.states])

    @property
    def n_iter(self) -> Array:
        """Iterations of every fit, of shape (m,)."""
        return np.array([state.t for state in self.states])

    @property
    def status(self) -> tuple[Status, ...]:
        """Why every fit ended."""
        return tuple(state.status for state in self.states)

    @property
    def f(self) -> Array:
        """Outputs on the training points, of shape (m, n) or (m, n, k)."""
        return np.stack([state.f for state in self.states])

    def decision_function(self, X: MatrixLike) -> Array:
        """Outputs of every fit on the rows of X, one product for each kernel."""
        X = self.estimators[0]._checked(X, reset=False)
        found: list[Any] = [None] * len(self)
        groups: dict[int, list[int]] = {}
        for i, est in enumerate(self.estimators):
            groups.setdefault(id(est.model_), []).append(i)
        for rows in groups.values():
            states = [self.states[i] for i in rows]
            outputs = self.estimators[rows[0]].model_.outputs(states, X)
            for i, F in zip(rows, outputs, strict=True):
                found[i] = F
        return np.stack(found)

    def scores(self, X: MatrixLike, y: ArrayLike) -> Array:
        """Accuracy of every fit on the labelled points of (X, y)."""
        return np.array([est.score(X, y) for est in self.estimators])

    def to_frame(self) -> Any:
        """A pandas DataFrame, one row for each fit."""
        import pandas as pd

        frame = pd.DataFrame(list(self.params))
        frame["objective"] = self.objective
        frame["n_iter"] = self.n_iter
        frame["status"] = [status.name.lower() for status in self.status]
        frame["seed"] = pd.array(list(self.seeds), dtype="Int64")
        frame["seconds"] = self.seconds
        return frame


def sweep(
    estimator: SemiSupervisedClassifier,
    X: MatrixLike,
    y: ArrayLike,
    grid: Mapping[str, Sequence[Any]],
    *,
    warm_start: bool = True,
) -> Sweep:
    """Fit a classifier at every point of a grid, each from its neighbour's solution.

    Kernel matrix, graph and features are made once for all fits that agree in them,
    and with ``warm_start`` every solver is seeded by the fit before it, whose
    parameters differ by one step of one of them: the papers' seeding along C, lambda
    or gamma. Nothing is held out: choose by `Sweep.scores` on a validation set, or by
    scikit-learn's GridSearchCV with `SemiSupervisedKFold`.

    The Laplacian family, its supervised baselines and `l2svm_mfn` are convex: a seed
    changes the number of iterations and not the solution, within ``tol``: thresholds of
    norms are relative to the start without the seed, as in separate fits. All other
    S3VMs have local minima. A seed leads to one near the neighbour's, and a schedule
    (annealing, a rising C*) goes on from the seed's place, so that most of it is
    skipped: a sweep follows one minimum along the grid, where separate fits each
    search from the start and may find better or worse ones. ``warm_start=False`` gives
    exactly the separate fits and still shares kernel and graph.

    Parameters
    ----------
    estimator : classifier of Halfmoon
        Stays as it is.
    X, y
        As of `fit`.
    grid : dict from parameter to values
        Values in ascending or descending order have neighbours that are close.
    warm_start : bool, default=True

    Examples
    --------
    >>> from halfmoon import hide_labels, load, make
    >>> moons = load("two_moons", n=200, noise=0.08)
    >>> y = hide_labels(moons, n_labeled=4)
    >>> grid = {"gamma_A": [1e-3, 1e-2], "gamma_I": [0.1, 1.0, 10.0]}
    >>> found = sweep(make("lapsvm_pcg", sigma=0.35), moons.X, y, grid)
    >>> len(found), found.decision_function(moons.X).shape
    (6, (6, 200))
    """
    _check(estimator, grid, warm_start)
    places = list(product(*(range(len(values)) for values in grid.values())))
    params = [
        {name: values[i] for (name, values), i in zip(grid.items(), place, strict=True)}
        for place in places
    ]
    number = {place: i for i, place in enumerate(places)}
    found: dict[int, tuple[SemiSupervisedClassifier, int | None, float]] = {}
    prepared, before = Prepared(keep=True), None
    for place in _walk(grid):
        i = number[place]
        seed = before if warm_start else None
        start = None if seed is None else found[seed][0].state_
        begin = time.perf_counter()
        est = clone(estimator).set_params(**params[i])
        est._seeded_fit(X, y, start, prepared)
        found[i] = est, seed, time.perf_counter() - begin
        before = i
    estimators, seeds, seconds = zip(
        *(found[i] for i in range(len(places))), strict=True
    )
    return Sweep(tuple(params), estimators, seeds, np.array(seconds))


def _walk(grid) -> Iterator[tuple[int, ...]]:
    """All places of a grid, each a neighbour of the one before; costly steps are rare.

    Boustrophedon: the fastest parameter goes forth and back.
    """
    order = sorted(
        range(len(grid)),
        key=lambda j: (COSTLY + list(grid)).index(list(grid)[j]),
    )
    sizes = [len(list(grid.values())[j]) for j in order]
    place, steps = [0] * len(order), [1] * len(order)
    while True:
        yield tuple(place[order.index(j)] for j in range(len(order)))
        for j in reversed(range(len(order))):
            if 0 <= place[j] + steps[j] < sizes[j]:
                place[j] += steps[j]
                break
            steps[j] = -steps[j]
        else:
            return


def _check(estimator, grid, warm_start):
    if not isinstance(estimator, SemiSupervisedClassifier):
        raise TypeError(
            f"estimator must be a classifier of Halfmoon, got "
            f"{type(estimator).__name__}; of a pipeline pass the last step, and the "
            f"points as the other steps make them."
        )
    check_switch("warm_start", warm_start)
    if not isinstance(grid, Mapping) or not grid:
        raise ValueError(
            f"grid must be a dict from parameters to values such as "
            f"{{'gamma_I': [0.1, 1.0]}}, got {grid!r}."
        )
    known = estimator.get_params().keys() - {"unlabeled"}  # y is one for all fits
    for name, values in grid.items():
        if name not in known:
            raise ValueError(
                f"grid must have parameters of {type(estimator).__name__}, got "
                f"{name!r}; there are: {', '.join(sorted(known))}."
            )
        listed = isinstance(values, np.ndarray | Sequence) and not isinstance(
            values, str
        )
        if not listed or getattr(values, "ndim", 1) != 1 or len(values) == 0:
            raise ValueError(
                f"grid[{name!r}] must be a list of values, got {values!r}."
            )
    if warm_start and isinstance(estimator, S3VMPathClassifier):
        raise ValueError(
            "warm_start must be False for s3vm_path, got True: a seeded path begins at "
            "its seed; `at` gives every C_u of one path."
        )
