"""A protocol of one's own in one call: data sets, methods, splits.

    register_protocol(
        own_protocol(
            "rings",
            "Three methods on rings",
            data=("two_circles",),
            methods={"LapSVM": make("lapsvm_pcg"), "SVC": labels_only(SVC())},
        )
    )

For grids, published numbers and other measures declare a `Protocol`.
"""

import inspect
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning

from halfmoon.datasets import DATASETS, split
from ssl_core.experiments.cell import Cell
from ssl_core.experiments.posed import Posed, data
from ssl_core.experiments.table import CAPPED, Entry, Protocol, Scene, Table
from ssl_core.experiments.warm import ROUNDS
from ssl_core.registry import ALGORITHMS

PLACE = ("data", "split", "labels", "test")  # of a problem; the rest are knobs
_warmed: set[tuple] = set()
Method = BaseEstimator | Callable[[Any, np.ndarray], Any]


class labels_only(ClassifierMixin, BaseEstimator):  # noqa: N801 - read as a verb
    """A supervised classifier among semi-supervised ones: it sees no unlabelled points.

    Parameters
    ----------
    classifier : scikit-learn classifier
    """

    def __init__(self, classifier: Any):
        self.classifier = classifier

    def fit(self, X: Any, y: Any) -> "labels_only":
        """Train on the points whose label is not -1."""
        known = np.asarray(y) != -1
        self.classifier_ = clone(self.classifier).fit(X[known], y[known])
        self.classes_ = self.classifier_.classes_
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The classifier's labels."""
        return self.classifier_.predict(X)


def own_protocol(
    key: str,
    title: str,
    *,
    data: Mapping[str, Mapping[str, Any]] | Iterable[str],
    methods: Mapping[str, Method],
    splits: int = 5,
    n_labeled: int | None = None,
    test_size: int | float = 0.25,
    version: int = 1,
    head: str = "",
    notes: str = "",
    paper: str = "",
) -> Protocol:
    """A protocol that compares methods on data sets, split by split.

    Its two tables have a row for each data set and a column for each method: the error
    on the test points (on the unlabelled ones where there are none), and CPU seconds.

    Parameters
    ----------
    key, title, version, head, notes, paper
        As in `Protocol`. Raise the version when a function among the methods, or data
        of the same name and values, are measured in another way.
    data : names, or mapping of name to knobs
        Data sets that are registered; all points are the same in every split.
    methods : mapping of title to method
        A classifier whose ``fit`` takes -1 as a mark of unlabelled points (those of
        Halfmoon, scikit-learn's semi-supervised ones, any other in `labels_only`), or
        a function from X and y to a fitted classifier.
    splits : int
    n_labeled : int, optional
        Labelled points, at least one of each class; as the data set suggests.
    test_size : int or float
        Test points, or their share.
    """
    knobs = dict(data) if isinstance(data, Mapping) else {name: {} for name in data}
    for name, values in knobs.items():
        if name not in DATASETS:
            raise ValueError(
                f"data of {key} must be registered, and {name!r:.60} is not; call "
                f"register_dataset first."
            )
        DATASETS[name].check_knobs(values)
    for name, method in methods.items():
        if not callable(method) and not hasattr(method, "fit"):
            raise ValueError(
                f"method {name} of {key} must be a classifier or a function that "
                f"returns a fitted one, got {method!r:.60}."
            )
    if splits < 1 or not knobs or not methods:
        raise ValueError(f"{key} needs data, methods and at least one split.")
    doer = _Doer(dict(methods))

    def cells(row: str, name: str) -> tuple[Cell, ...]:
        count = DATASETS[row].n_labeled if n_labeled is None else n_labeled
        place = {"labels": count, "test": test_size, **knobs[row]}
        algorithm, params = _said(methods[name])
        problems = [{"data": row, "split": k, **place} for k in range(splits)]
        return tuple(
            Cell.of(key, one, algorithm, params, {"method": name}) for one in problems
        )

    def table(name: str, words: str, metric: str, unit: str, digits: int) -> Table:
        entries = {
            (DATASETS[row].title, column): Entry(cells(row, column), metric=metric)
            for row in knobs
            for column in methods
        }
        return Table(name, words, entries, unit=unit, digits=digits)

    tables = (
        table(key, f"{title}, error", "error", "%", 1),
        table(f"{key}-seconds", f"{title}, CPU time", "seconds", "s", 3),
    )
    return Protocol(key, title, paper, pose, doer, tables, version, head, notes, _scene)


def pose(problem: dict) -> Posed:
    """Split number k of a registered data set."""
    knobs = {name: value for name, value in problem.items() if name not in PLACE}
    found, digest = data(problem["data"], **knobs)
    parts = split(
        found,
        n_labeled=problem["labels"],
        test_size=problem["test"],
        random_state=problem["split"],
    )
    return Posed.of(found.X, found.y, parts, digest)


@dataclass(frozen=True)
class _Doer:
    """Trains and measures the method that a cell names."""

    methods: dict[str, Method]

    def __call__(self, posed: Posed, cell: Cell) -> dict:
        part, method = posed.split, self.methods[dict(cell.setting)["method"]]
        rows = np.sort(part.train)
        X, given = posed.X[rows], posed.given[rows]
        if cell.algorithm in ALGORITHMS:
            _warm(method, X, given)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            start = time.thread_time()
            fitted = _fitted(method, X, given)
            seconds = time.thread_time() - start
        for one in caught:
            if not _is_limit(one):
                warnings.warn_explicit(
                    one.message, one.category, one.filename, one.lineno
                )
        judged = part.test if len(part.test) else part.unlabeled
        hidden = part.unlabeled
        return {
            "error": _error(fitted, posed, judged),
            "unlabeled": _error(fitted, posed, hidden),
            "seconds": seconds,
            CAPPED: int(any(_is_limit(one) for one in caught)),
        }


def _warm(method: BaseEstimator, X, given) -> None:
    """Compiled loops are loaded before the clock starts, those of many classes too."""
    key = type(method), len(np.unique(given)), sp.issparse(X)
    if key not in _warmed:
        for _ in zip(clone(method).iterate(X, given), range(ROUNDS), strict=False):
            pass
        _warmed.add(key)


def _fitted(method: Method, X, given):
    if hasattr(method, "fit"):
        return clone(method).fit(X, given)
    return method(X, given)


def _error(fitted, posed: Posed, rows) -> float:
    """In percent."""
    return 100.0 * float(np.mean(fitted.predict(posed.X[rows]) != posed.y[rows]))


def _is_limit(warning) -> bool:
    return issubclass(warning.category, ConvergenceWarning)


def _said(method: Method) -> tuple[str, dict[str, Any]]:
    """What a cell says of a method: its name, and parameters that are no defaults."""
    if not hasattr(method, "fit"):
        return getattr(method, "__name__", type(method).__name__), {}
    ids = {entry.estimator: name for name, entry in ALGORITHMS.items()}
    return ids.get(type(method), type(method).__name__), _changed(method)


def _changed(method: BaseEstimator) -> dict[str, Any]:
    usual = inspect.signature(type(method)).parameters
    return {
        name: _plain(value)
        for name, value in method.get_params(deep=False).items()
        if name not in usual or not _same(value, usual[name].default)
    }


def _same(value: Any, other: Any) -> bool:
    try:
        return bool(value is other or value == other)
    except ValueError:  # an array has no truth
        return False


def _plain(value: Any) -> Any:
    """A parameter as a cell can keep it."""
    if value is None or isinstance(value, str | bool | int | float | np.generic):
        return value
    if isinstance(value, np.ndarray | list | tuple):
        return np.asarray(value).tolist()
    if isinstance(value, BaseEstimator):
        inner = ", ".join(f"{n}={v}" for n, v in sorted(_changed(value).items()))
        return f"{type(value).__name__}({inner})"
    return getattr(value, "__qualname__", None) or repr(value)


def _scene(cell: Cell) -> Scene | str:
    """The run for the playground, where it has the method."""
    if cell.algorithm not in ALGORITHMS:
        return f"The playground has no {cell.algorithm}."
    problem = dict(cell.problem)
    knobs = {name: value for name, value in problem.items() if name not in PLACE}
    labeled = pose(problem).split.labeled
    return Scene(
        problem["data"],
        tuple(int(row) for row in labeled),
        cell.algorithm,
        knobs,
        dict(cell.params),
        remark="There the test points are unlabelled points as well.",
    )
