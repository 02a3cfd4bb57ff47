"""The S3VM path held against label switching and CCCP on 100 random problems.

Run alone: ``python -m tests.tables.s3vm_path_random`` writes
docs/tables/s3vm_path_random.md. All minimise the same objective, hinge loss and b fixed
at 2r - 1, and are compared where the path ends, at C* = C. The switching is written
here, after [CSK08] Algorithm 1 but with this objective: it shares no code with the
path.
"""

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import make_moons

from ssl_core import make
from ssl_core.kernels import gram
from ssl_core.linalg.tangent import tangent_steps

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "tables" / "s3vm_path_random.md"

N_PROBLEMS, N_SUBSET, N_MORE = 100, 20, 400
SAME = 1e-6  # relative
STEPS, FIRST = 10, 1e-3  # values of C*, the first as a share of the last
TOL, MAX_STEPS = 1e-9, 1_000_000  # of a training, in outputs
KINDS = ("moons", "stripes", "gaussians")
SIGMAS = {
    "moons": (0.2, 0.5, 1.0),
    "stripes": (0.5, 1.0, 2.0),
    "gaussians": (1.5, 3.0, 6.0),
}
WEIGHTS = (1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Problem:
    kind: str
    sigma: float
    C: float
    K: np.ndarray
    y: np.ndarray  # -1, 0 = unlabelled, +1
    truth: np.ndarray


def problem(i) -> Problem:
    """Kinds and C in turn; sigma, n from 40 to 120 and 2 to 10 labels at random."""
    rng = np.random.RandomState(i)
    kind, C = KINDS[i % 3], WEIGHTS[i // 3 % 3]
    n, sigma = rng.randint(40, 121), float(rng.choice(SIGMAS[kind]))
    if kind == "moons":
        X, truth = make_moons(n, noise=0.15, random_state=rng)
        truth = 2 * truth - 1
    else:
        truth = rng.permutation(np.where(np.arange(n) % 2 == 0, 1, -1))
        if kind == "stripes":
            X = np.column_stack([rng.normal(size=n), 0.8 * truth])
            X[:, 1] += 0.25 * rng.normal(size=n)
        else:
            X = rng.normal(size=(n, 10))
            X[:, 0] += 1.5 * truth
    y = np.zeros(n)
    for c in (-1, 1):
        rows = rng.permutation(np.flatnonzero(truth == c))[: rng.randint(1, 6)]
        y[rows] = c
    return Problem(kind, sigma, C, gram(X, sigma=sigma), y, truth)


# -- label switching ------------------------------------------------------------------


def train(K, y, caps, b, dual):
    """The SVM for given labels, its dual min 1/2 a'Ka - (y - b)'a, 0 <= y a <= caps."""
    dual = np.clip(dual, 0.0, caps)
    f = K @ (y * dual) + b
    tangent_steps(K, y, caps, np.zeros(len(y)), dual, f, TOL, MAX_STEPS)
    return dual, K @ (y * dual) + b


def switching(p: Problem, steps=STEPS) -> tuple[float, np.ndarray]:
    """C* rises; at each value the label with most to gain is flipped, until none has.

    A flip gains at once where y f < 0. Every flip is followed by a training, so that
    the objective falls each time: the rounds end.
    """
    U, b = p.y == 0, float(p.y[p.y != 0].mean())
    y, zero = np.where(U, 1.0, p.y), np.zeros(len(p.y))
    dual, f = train(p.K, y, np.where(U, 0.0, p.C), b, zero)
    y = np.where(U, np.where(f < 0, -1.0, 1.0), p.y)
    for C_u in p.C * np.geomspace(FIRST, 1.0, steps):
        caps = np.where(U, C_u, p.C)
        dual, f = train(p.K, y, caps, b, dual)
        while (margin := np.where(U, y * f, 0.0)).min() < -1e-9:
            y[i := margin.argmin()] *= -1.0
            dual[i] = 0.0
            dual, f = train(p.K, y, caps, b, dual)
    return value(p, y * dual, f), f


def value(p: Problem, alpha, f) -> float:
    """1/2 |w|^2 + C sum_labeled (1 - y f)+ + C sum_unlabeled (1 - |f|)+."""
    b = float(p.y[p.y != 0].mean())
    margin = np.where(p.y == 0, np.abs(f), p.y * f)
    return float(alpha @ (f - b) / 2 + p.C * np.maximum(0.0, 1.0 - margin).sum())


# -- the others -----------------------------------------------------------------------


def ours(p: Problem, name, **parameters) -> tuple[float, np.ndarray]:
    est = make(name, C=p.C, kernel="precomputed", **parameters)
    given = np.where(p.y == 0, -1, (p.y > 0).astype(int))
    for state in est.iterate(p.K, given):  # noqa: B007 - the last one counts
        pass
    f = p.K @ state.alpha + state.b
    return value(p, state.alpha, f), f


def cccp(p: Problem, steps):
    return ours(p, "cccp", C_u=p.C, loss="hinge", balance="fixed", steps=steps)


METHODS = {
    "path": lambda p: ours(p, "s3vm_path"),
    "label switching, 10 steps": switching,
    "label switching, 100 steps": lambda p: switching(p, 100),
    "CCCP, 10 steps": lambda p: cccp(p, 10),
    "CCCP, no annealing": lambda p: cccp(p, 1),
}


def measure(numbers) -> list[dict]:
    rows = []
    for i in numbers:
        p = problem(i)
        row = {"C": p.C, "kind": p.kind, "J": {}, "error": {}, "seconds": {}}
        for name, method in METHODS.items():
            start = time.process_time()
            row["J"][name], f = method(p)
            row["seconds"][name] = time.process_time() - start
            wrong = np.where(f < 0, -1, 1) != p.truth
            row["error"][name] = 100.0 * float(wrong[p.y == 0].mean())
        rows.append(row)
    return rows


# -- report ---------------------------------------------------------------------------


def excess(rows, name):
    """How far a method ends above the path, relative to the path."""
    J = np.array([[row["J"][m] for m in (name, "path")] for row in rows])
    return J[:, 0] / J[:, 1] - 1.0


def counts(rows, name) -> str:
    above = excess(rows, name)
    lower, higher = (above > SAME).sum(), (above < -SAME).sum()
    return f"{lower} / {len(above) - lower - higher} / {higher}"


def tally(rows, title) -> str:
    """A line of the table: the path lower / same / higher than each of the others."""
    cells = [counts(rows, name) for name in METHODS if name != "path"]
    return f"| {title} | " + " | ".join(cells) + " |"


SUBSET = f"the first {N_SUBSET}"


def medians(rows) -> list[str]:
    """Objectives, errors and times, one line for each method."""
    lines = [
        "| | median J / J of the path | where they differ | largest | smallest "
        "| mean error, % | median CPU ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in METHODS:
        ratio = 1.0 + excess(rows, name)
        apart = ratio[np.abs(ratio - 1.0) > SAME]
        error = np.mean([row["error"][name] for row in rows])
        spent = np.median([row["seconds"][name] for row in rows])
        cells = ["1", "–", "–", "–"]
        if len(apart):
            found = (np.median(ratio), np.median(apart), ratio.max(), ratio.min())
            cells = [f"{x:.3f}" for x in found]
        cells += [f"{error:.1f}", f"{1000 * spent:.0f}"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def report(rows, more) -> str:
    others = [name for name in METHODS if name != "path"]
    lines = ["| | " + " | ".join(others) + " |", "|---" * (len(others) + 1) + "|"]
    lines.append(tally(rows, f"all {len(rows)}"))
    for C in WEIGHTS:
        lines.append(tally([r for r in rows if r["C"] == C], f"C = {C:g}"))
    for kind in KINDS:
        lines.append(tally([r for r in rows if r["kind"] == kind], kind))
    lines.append(tally(rows[:N_SUBSET], SUBSET))
    lines.append(tally(more, f"{len(more)} more"))
    return "\n".join(
        [*lines, "", *medians(rows), "", "The same of the others:", "", *medians(more)]
    )


def main():
    rows = measure(range(N_PROBLEMS + N_MORE))
    text = HEAD + report(rows[:N_PROBLEMS], rows[N_PROBLEMS:]) + "\n" + NOTES
    OUT.write_text(text)
    print(text)


HEAD = """# The path against label switching and CCCP

Made by `python -m tests.tables.s3vm_path_random`: 100 random problems, and 400 more
(two moons, stripes, Gaussians in ten dimensions; three sigma each, C = 1, 10, 100, 40
to 120 points, 1 to 5 labels of each class), one objective (hinge loss, b = 2r - 1), at
C* = C. The ladders of C* are geometric from C / 1000; label switching flips one label
at a time, the one with most to gain. In how many the path ends lower / at the same
value (1e-6, relative) / higher:

"""
NOTES = """
What it shows:

- Against ten steps of switching the path is lower in 46 of all 500, higher in 14 and
  the same in the others: "always lower" would be false. CCCP with ten steps: 48 and 15.
  CCCP without annealing ends above the path in six of ten problems, below in 17 of 500.
- Annealing is what counts, and a fine ladder does what the path does: a hundred steps
  end at the same value in 491 of 500 problems. Tried by hand, eight of the nine others
  agree as well once there are up to 3000 steps, or the first is at 1e-7 C: with C = 100
  the first jumps are below C / 1000. The one that is left (number 158) parts from the
  path within a jump: there the path flips two points at once that switching takes in
  turn, and it ends 8 % above.
- In the first hundred no two values are between 3e-7 and 3e-3 apart: the counts do not
  hang on the tolerance.
- A lower objective is not a lower error here. The means differ by less than a point and
  a half, and CCCP without annealing, with the highest objectives, has the lowest.
- On problems this small ten steps of switching take a third of the path's time, a
  hundred not quite twice its time.
"""


if __name__ == "__main__":
    main()
