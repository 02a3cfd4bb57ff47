"""Parameters chosen by cross-validation, by hand, and by the mistake that is warned of.

``python -m tests.tables.model_selection`` (part of ``make tables``) writes
docs/tables/model_selection.md.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, ParameterGrid

from halfmoon.datasets import load
from halfmoon.model_selection import SemiSupervisedKFold, sweep
from ssl_core import make
from ssl_core.estimators.spaces import AUTO
from ssl_core.trace import Array

OUT = Path(__file__).parents[2] / "docs" / "tables" / "model_selection.md"
DRAWS = 5
HEAD = """# Choosing parameters with few labels

Laplacian least squares (`laprlsc`), its kernel width and intrinsic weight chosen on a
grid in several ways from the same labels, the model trained again on all of them, and
the error on points that took no part. Means over {draws} draws of the labels, with the
standard deviation; the parameters are those of the first draw, the score is what the
search reported as its best, as a mean. Made by
`python -m tests.tables.model_selection`.

- **Folds of the labels**: `GridSearchCV(est, grid, cv=SemiSupervisedKFold(5),
  scoring="accuracy")`, random folds.
- **Split by hand**: half of the labels of every class are hidden, `sweep` trains on
  the others and all unlabelled points, the hidden ones choose.
- **Plain folds, own score**: `GridSearchCV(est, grid, cv=5)`. The score of the
  estimators leaves unlabelled points out, but training folds lack a fifth of them.
- **The warned mistake**: `GridSearchCV(est, grid, cv=5, scoring="accuracy")`, which
  takes the mark of unlabelled points for a class. Its scores are those of the line
  above times the share of labelled points, as long as folds are of one size: the order
  of the parameters may survive, the numbers do not.
- **Best of the grid**: chosen by the new points themselves, for comparison.

On two moons a fold tests four points, so that many parameters share the best score. The
first of them wins: the defaults stand first in these grids. The reported score of a
search is the best of many estimates, and therefore optimistic.
"""
COLUMNS = ["data", "chosen by", "parameters", "score reported", "error on new points"]


@dataclass(frozen=True)
class Case:
    """Training points with hidden labels, new points, and a grid."""

    title: str
    X: Array
    truth: Array
    X_new: Array
    y_new: Array
    per_class: int
    grid: dict[str, list[Any]]

    def labels(self, draw: int) -> Array:
        rng = np.random.default_rng(draw)
        y = np.full(len(self.truth), -1)
        for c in np.unique(self.truth):
            members = np.flatnonzero(self.truth == c)
            y[rng.choice(members, self.per_class, replace=False)] = c
        return y


def two_moons() -> Case:
    train = load("two_moons", n=300, noise=0.2)
    new = load("two_moons", n=1000, noise=0.2, random_state=1)
    grid = {"gamma_I": [1.0, 1e-3, 1e-2, 0.1, 10.0], "sigma": [AUTO, 0.1, 0.2, 0.8]}
    title = "two moons, 300 points, 10 labels a class"
    return Case(title, train.X, train.y, new.X, new.y, 10, grid)


def digits() -> Case:
    data = load("digits")
    rows = np.random.default_rng(0).permutation(data.n)
    X, y, train, new = data.X / 16.0, data.y, rows[:900], rows[900:]
    grid = {"gamma_I": [1.0, 1e-2, 0.1], "sigma": [AUTO, 0.5, 4.0]}
    title = "digits, 900 images, 10 labels a class"
    return Case(title, X[train], y[train], X[new], y[new], 10, grid)


# -- ways to choose: parameters and the score that speaks for them ---------------------

Chosen = tuple[dict[str, Any], float]


def default(case: Case, y: Array) -> Chosen:
    return {}, np.nan


def by_folds(case: Case, y: Array) -> Chosen:
    cv = SemiSupervisedKFold(5, shuffle=True, random_state=0)
    return searched(case, y, cv=cv, scoring="accuracy")


def by_hand(case: Case, y: Array) -> Chosen:
    rng = np.random.default_rng(0)
    hidden = np.concatenate(
        [
            rng.permutation(np.flatnonzero(y == c))[: case.per_class // 2]
            for c in np.unique(case.truth)
        ]
    )
    given = y.copy()
    given[hidden] = -1
    found = sweep(make("laprlsc"), case.X, given, case.grid)
    scores = found.scores(case.X[hidden], y[hidden])
    best = int(np.argmax(scores))
    return found.params[best], float(scores[best])


def by_own_score(case: Case, y: Array) -> Chosen:
    return searched(case, y, cv=5)


def by_mistake(case: Case, y: Array) -> Chosen:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the test folds hold unlabelled points")
        return searched(case, y, cv=5, scoring="accuracy")


def by_new_points(case: Case, y: Array) -> Chosen:
    errors = {i: error(case, y, p) for i, p in enumerate(ParameterGrid(case.grid))}
    best = min(errors, key=errors.__getitem__)
    return ParameterGrid(case.grid)[best], np.nan


def searched(case: Case, y: Array, **how) -> Chosen:
    found = GridSearchCV(make("laprlsc"), case.grid, refit=False, **how)
    found.fit(case.X, y)
    return found.best_params_, float(found.best_score_)


WAYS: dict[str, Callable[[Case, Array], Chosen]] = {
    "Default parameters": default,
    "Folds of the labels": by_folds,
    "Split by hand": by_hand,
    "Plain folds, own score": by_own_score,
    "**The warned mistake**": by_mistake,
    "Best of the grid": by_new_points,
}


def error(case: Case, y: Array, params: dict[str, Any]) -> float:
    est = clone(make("laprlsc")).set_params(**params).fit(case.X, y)
    return 1.0 - est.score(case.X_new, case.y_new)


def line(case: Case, title: str) -> list[str]:
    found = []
    for draw in range(DRAWS):
        y = case.labels(draw)
        params, score = WAYS[title](case, y)
        found.append((params, score, error(case, y, params)))
    params, scores, errors = zip(*found, strict=True)
    shown = ", ".join(f"{k} = {v}" for k, v in sorted(params[0].items())) or "–"
    score = "–" if np.isnan(scores).any() else f"{np.mean(scores):.3f}"
    mean, deviation = 100 * np.mean(errors), 100 * np.std(errors)
    return [case.title, title, shown, score, f"{mean:.1f} ± {deviation:.1f} %"]


def written() -> str:
    rows = [COLUMNS, ["---"] * len(COLUMNS)]
    for case in (two_moons(), digits()):
        for title in WAYS:
            rows.append(line(case, title))
            print(*rows[-1], sep=" | ", flush=True)
    table = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([HEAD.format(draws=DRAWS), *table]) + "\n"


if __name__ == "__main__":
    OUT.write_text(written(), encoding="utf-8")
