"""The S3VM path of [OITS13] held against label switching and CCCP, random problems.

All minimise the same objective, hinge loss and b fixed at 2r - 1, and are compared
where the path ends, at C* = C. The switching is written here, after [CSK08] Algorithm 1
but with this objective: it shares no code with the path. The split's number is the
problem's.
"""

import time
from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.datasets import make_moons

from halfmoon.datasets import Split
from ssl_core import make
from ssl_core.experiments.cell import Cell
from ssl_core.experiments.notes import note
from ssl_core.experiments.posed import Posed
from ssl_core.experiments.table import CAPPED, DUEL, Entry, Protocol, Table
from ssl_core.experiments.warm import warm
from ssl_core.kernels import gram
from ssl_core.linalg.tangent import tangent_steps
from ssl_core.trace import Status, decide

KEY = "s3vm_path_random"
N_PROBLEMS, N_SUBSET, N_MORE = 100, 20, 400
STEPS, FIRST = 10, 1e-3  # values of C*, the first as a share of the last
TOL, MAX_STEPS = 1e-9, 1_000_000  # of a training, in outputs
KINDS = ("moons", "stripes", "gaussians")
SIGMAS = {
    "moons": (0.2, 0.5, 1.0),
    "stripes": (0.5, 1.0, 2.0),
    "gaussians": (1.5, 3.0, 6.0),
}
WEIGHTS = (1.0, 10.0, 100.0)
SWITCHING = "label_switching"
PATH = "path"
FINE, PLAIN = "label switching, 100 steps", "CCCP, no annealing"
CCCP = {"loss": "hinge", "balance": "fixed"}
METHODS = {  # algorithm and its parameters, C and sigma apart
    PATH: ("s3vm_path", {}),
    "label switching, 10 steps": (SWITCHING, {"steps": STEPS}),
    FINE: (SWITCHING, {"steps": 100}),
    "CCCP, 10 steps": ("cccp", CCCP | {"steps": STEPS}),
    PLAIN: ("cccp", CCCP | {"steps": 1}),
}


# -- points and labels ----------------------------------------------------------------


@dataclass(frozen=True)
class Sketch:
    """What is drawn before the points: kinds and C in turn, n and sigma at random."""

    kind: str
    C: float
    n: int
    sigma: float
    rng: np.random.RandomState


def sketch(i: int) -> Sketch:
    rng = np.random.RandomState(i)
    kind, C = KINDS[i % 3], WEIGHTS[i // 3 % 3]
    n, sigma = int(rng.randint(40, 121)), float(rng.choice(SIGMAS[kind]))
    return Sketch(kind, C, n, sigma, rng)


def pose(problem: dict) -> Posed:
    """Problem number i: 40 to 120 points, one to five labels of each class."""
    drawn = sketch(problem["split"])
    n, rng = drawn.n, drawn.rng
    if drawn.kind == "moons":
        X, truth = make_moons(n, noise=0.15, random_state=rng)
        truth = 2 * truth - 1
    else:
        truth = rng.permutation(np.where(np.arange(n) % 2 == 0, 1, -1))
        if drawn.kind == "stripes":
            X = np.column_stack([rng.normal(size=n), 0.8 * truth])
            X[:, 1] += 0.25 * rng.normal(size=n)
        else:
            X = rng.normal(size=(n, 10))
            X[:, 0] += 1.5 * truth
    rows = [
        rng.permutation(np.flatnonzero(truth == c))[: rng.randint(1, 6)]
        for c in (-1, 1)
    ]
    labeled, none = np.concatenate(rows), np.empty(0, dtype=int)
    rest = np.setdiff1d(np.arange(n), labeled)
    return Posed.of(X, (truth + 1) // 2, Split(labeled, rest, none, none))


# -- label switching ------------------------------------------------------------------


def train(K, y, caps, b, dual):
    """The SVM for given labels, its dual min 1/2 a'Ka - (y - b)'a, 0 <= y a <= caps."""
    dual = np.clip(dual, 0.0, caps)
    f = K @ (y * dual) + b
    tangent_steps(K, y, caps, np.zeros(len(y)), dual, f, TOL, MAX_STEPS)
    return dual, K @ (y * dual) + b


def switching(K, y, C, *, steps) -> tuple[np.ndarray, np.ndarray]:
    """C* rises; at each value the label with most to gain is flipped, until none has.

    A flip gains at once where y f < 0. Every flip is followed by a training, so that
    the objective falls each time: the rounds end. Gives alpha and f.
    """
    U, b = y == 0, float(y[y != 0].mean())
    given, zero = y, np.zeros(len(y))
    dual, f = train(K, np.where(U, 1.0, given), np.where(U, 0.0, C), b, zero)
    y = np.where(U, np.where(f < 0, -1.0, 1.0), given)
    for C_u in C * np.geomspace(FIRST, 1.0, steps):
        caps = np.where(U, C_u, C)
        dual, f = train(K, y, caps, b, dual)
        while (margin := np.where(U, y * f, 0.0)).min() < -1e-9:
            y[i := margin.argmin()] *= -1.0
            dual[i] = 0.0
            dual, f = train(K, y, caps, b, dual)
    return y * dual, f


def value(y, C, alpha, f) -> float:
    """1/2 |w|^2 + C sum_labeled (1 - y f)+ + C sum_unlabeled (1 - |f|)+."""
    b = float(y[y != 0].mean())
    margin = np.where(y == 0, np.abs(f), y * f)
    return float(alpha @ (f - b) / 2 + C * np.maximum(0.0, 1.0 - margin).sum())


# -- a cell ---------------------------------------------------------------------------


def run(posed: Posed, cell: Cell) -> dict:
    """Objective, error on the unlabelled points in percent, CPU seconds."""
    params = dict(cell.params)
    K, C = gram(posed.X, sigma=params.pop("sigma")), params.pop("C")
    given = posed.given
    y = np.where(given < 0, 0.0, 2.0 * given - 1.0)
    warm("cccp" if cell.algorithm == SWITCHING else cell.algorithm)
    start = time.thread_time()
    capped = 0  # label switching has no limit
    if cell.algorithm == SWITCHING:
        alpha, f = switching(K, y, C, **params)
    else:
        if cell.algorithm == "cccp":
            params["C_u"] = C
        est = make(cell.algorithm, C=C, kernel="precomputed", **params)
        for state in est.iterate(K, given):  # noqa: B007 - the last one counts
            pass
        alpha, f = state.alpha, K @ state.alpha + state.b
        capped = int(state.status is Status.MAX_ITER)
    seconds = time.thread_time() - start
    wrong = (decide(f) > 0) != posed.y
    return {
        "objective": value(y, C, alpha, f),
        "error": 100.0 * float(wrong[given < 0].mean()),
        "seconds": seconds,
        CAPPED: capped,
    }


def scene(cell: Cell) -> str:
    return "The points are drawn for this table; the playground has no such data."


# -- declarations ---------------------------------------------------------------------

EVERY = tuple(sketch(i) for i in range(N_PROBLEMS + N_MORE))


def cells(method: str, numbers) -> tuple[Cell, ...]:
    """A method on the problems of these numbers."""
    return tuple(_cell(method, i) for i in numbers)


@cache
def _cell(method: str, i: int) -> Cell:
    (algorithm, own), drawn = METHODS[method], EVERY[i]
    params = own | {"C": drawn.C, "sigma": drawn.sigma}
    return Cell.of(KEY, {"data": drawn.kind, "split": i}, algorithm, params)


FIRST_100 = range(N_PROBLEMS)
MORE = range(N_PROBLEMS, N_PROBLEMS + N_MORE)
GROUPS = {
    f"all {N_PROBLEMS}": FIRST_100,
    **{f"C = {C:g}": [i for i in FIRST_100 if EVERY[i].C == C] for C in WEIGHTS},
    **{kind: [i for i in FIRST_100 if EVERY[i].kind == kind] for kind in KINDS},
    f"the first {N_SUBSET}": range(N_SUBSET),
    f"{N_MORE} more": MORE,
}


def _duels() -> dict:
    return {
        (group, method): Entry(
            cells(PATH, numbers),
            metric="objective",
            against=cells(method, numbers),
            show=DUEL,
        )
        for group, numbers in GROUPS.items()
        for method in METHODS
        if method != PATH
    }


def _ratios(numbers) -> dict:
    """Objectives relative to the path's, errors and times, a row for each method."""
    found, path = {}, cells(PATH, numbers)
    for method in METHODS:
        mine = cells(method, numbers)
        for show in ("median", "largest", "smallest"):
            found[method, f"J / J of the path, {show}"] = Entry(
                mine, metric="objective", against=path, show=show, digits=3
            )
        found[method, "mean error, %"] = Entry(mine)
        found[method, "median CPU s"] = Entry(
            mine, metric="seconds", show="median", digits=4
        )
    return found


TABLES = (
    Table(
        "path-random",
        "The path's objective lower / the same / higher",
        _duels(),
        unit="problems",
    ),
    Table(
        "path-random-100",
        f"Objectives, errors and times of the first {N_PROBLEMS}",
        _ratios(FIRST_100),
        unit="",
    ),
    Table("path-random-400", f"The same of the other {N_MORE}", _ratios(MORE), unit=""),
)
PROTOCOL = Protocol(
    key=KEY,
    title="The S3VM path against label switching and CCCP",
    paper="OITS13",
    pose=pose,
    run=run,
    tables=TABLES,
    head=(
        f"{N_PROBLEMS} random problems, and {N_MORE} more (two moons, stripes, "
        "Gaussians in ten dimensions; three sigma each, C = 1, 10, 100, 40 to 120 "
        "points, 1 to 5 labels of each class), one objective (hinge loss, b = 2r - 1), "
        "at C* = C. The ladders of C* are geometric from C / 1000; label switching "
        "flips one label at a time, the one with most to gain. Two values are the same "
        "where they differ by less than 1e-6, relative."
    ),
    notes=note(KEY),
    scene=scene,
)
