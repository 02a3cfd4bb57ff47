"""[OITS13] Table 2 and Figures 5 and 6 beside ours.

Run alone: ``python -m tests.tables.s3vm_path`` writes docs/tables/s3vm_path.md from the
cells in docs/tables/cells/s3vm_path.jsonl; with ``--run`` it computes what is missing
(``--data "dna;usps" --splits 10 --minutes 25``). A finished cell is a line of that file
and is never computed twice; all sets have their first split before any its second.

Protocol of the paper, as far as it is printed: half of the points train, min(30, 10 %)
of them labelled; as many validation points from the other half, the rest tests. C,
gamma and C* by validation error. What is not printed is chosen here: see NOTES.
"""

import argparse
import json
import time
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from sklearn.svm import SVC

from datasets import load
from ssl_core import make
from ssl_core.kernels import gram
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.solvers.s3vm_path import s3vm_path

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "tables" / "s3vm_path.md"
NOTES = ROOT / "docs" / "tables" / "s3vm_path_notes.md"
STORE = ROOT / "docs" / "tables" / "cells" / "s3vm_path.jsonl"

N_SPLITS = 10
MAX_TRAIN, MAX_TEST = 500, 1000
WEIGHTS = (1.0, 10.0, 100.0)  # the paper has 1000 as well
GAMMAS = (0.25, 0.5, 1.0, 2.0, 4.0)  # times 1 / d
METHODS = ("SVM", "S3VM-light", "CCCP", "path")  # the paper's
COLUMNS = (*METHODS, "SVM, b fixed")
CENTRED = "path, centred"
HALVINGS = {"S3VM-light": 9, "CCCP": 3}  # C* = C / 2^k, k up to this


@dataclass(frozen=True)
class Bench:
    """A data set: the paper's title, and Table 2's errors in the order of METHODS."""

    title: str
    unlabeled: tuple[float, ...]
    test: tuple[float, ...]


BENCHES = {
    "breast_cancer": Bench(
        "Breast Cancer", (8.13, 10.08, 6.41, 6.09), (7.62, 7.12, 5.95, 5.90)
    ),
    "ionosphere": Bench(
        "Ionosphere", (21.33, 15.76, 15.32, 12.53), (19.81, 13.96, 12.26, 10.14)
    ),
    "fourclass": Bench(
        "Four Class", (34.81, 22.12, 32.82, 32.54), (35.16, 29.48, 35.36, 33.42)
    ),
    "splice": Bench(
        "Splice", (35.85, 28.51, 29.11, 29.00), (36.55, 28.09, 28.28, 25.34)
    ),
    "segment": Bench("Segment", (4.87, 7.10, 5.61, 3.75), (4.97, 4.83, 5.81, 4.44)),
    "vehicle": Bench(
        "Vehicle", (32.44, 31.58, 36.34, 32.93), (30.97, 29.92, 34.58, 25.74)
    ),
    "usps": Bench("USPS", (15.72, 12.75, 12.07, 10.29), (15.92, 12.48, 12.22, 11.53)),
    "dna": Bench("DNA", (20.20, 11.41, 11.46, 10.85), (20.74, 10.30, 10.93, 12.19)),
}


# -- data -----------------------------------------------------------------------------


@cache
def data(name):
    """Features in [-1, 1]; of several classes the 1st, 3rd, ... are -1, the others +1.

    The paper does not say how it made two classes. Of first half against second half,
    one against the rest, and odd against even, the last gives its errors of the SVM.
    """
    found = load(name)
    low, high = found.X.min(axis=0), found.X.max(axis=0)
    wide = high > low
    X = 2.0 * (found.X[:, wide] - low[wide]) / (high - low)[wide] - 1.0
    codes = np.unique(found.y, return_inverse=True)[1]
    return X, np.where(codes % 2 == 0, -1, 1)


@dataclass(frozen=True)
class Division:
    """Rows of one split: training (labelled first), validation, test."""

    train: np.ndarray
    n_labeled: int
    val: np.ndarray
    test: np.ndarray


def divide(y, split) -> Division:
    """Drawn at random, again while the labelled points are of one class."""
    rng = np.random.default_rng(split)
    n = min(len(y) // 2, MAX_TRAIN)
    labeled = min(30, n // 10)
    while True:
        rows = rng.permutation(len(y))
        if abs(y[rows[:labeled]].sum()) < labeled:
            break
    val, test = rows[n : n + labeled], rows[n + labeled :][:MAX_TEST]
    return Division(rows[:n], labeled, val, test)


# -- methods --------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """What a method is given: Gram matrices, and -1 for labels that are hidden."""

    K: np.ndarray
    given: np.ndarray  # 0, 1, -1 = hidden
    K_val: np.ndarray
    val: np.ndarray  # -1, +1
    C: float


@dataclass(frozen=True)
class Candidate:
    """A machine that validation may choose: f = K alpha + b."""

    C_u: float
    error: float  # on the validation points
    alpha: np.ndarray
    b: float


def candidate(task, C_u, alpha, b) -> Candidate:
    wrong = signs(task.K_val @ alpha + b) != task.val
    return Candidate(C_u, float(wrong.mean()), alpha, b)


def signs(f):
    return np.where(f < 0, -1, 1)


def svm(task) -> list[Candidate]:
    """The supervised machine, b free."""
    L = np.flatnonzero(task.given >= 0)
    fitted = SVC(C=task.C, kernel="precomputed", tol=1e-6)
    fitted.fit(task.K[np.ix_(L, L)], 2 * task.given[L] - 1)
    alpha = np.zeros(len(task.K))
    alpha[L[fitted.support_]] = fitted.dual_coef_[0]
    return [candidate(task, 0.0, alpha, float(fitted.intercept_[0]))]


def s3vm_light(task) -> list[Candidate]:
    """One run, C* doubled from C / 512; every step of it is a candidate."""
    est = make(
        "s3vm_light",
        C=task.C,
        C_u=task.C,
        kernel="precomputed",
        first=2.0 ** -HALVINGS["S3VM-light"],
        rate=2.0,
    )
    last = {state.C_u: state for state in est.iterate(task.K, task.given)}
    return [candidate(task, C_u, s.alpha, s.b) for C_u, s in last.items() if C_u > 0]


def cccp(task) -> list[Candidate]:
    """A run for each C*, from the supervised machine; the path's objective."""
    found = []
    for k in range(HALVINGS["CCCP"], -1, -1):
        est = make(
            "cccp",
            C=task.C,
            C_u=task.C / 2**k,
            kernel="precomputed",
            loss="hinge",
            balance="fixed",
            steps=1,
        )
        for state in est.iterate(task.K, task.given):  # noqa: B007 - the last counts
            pass
        found.append(candidate(task, state.C_u, state.alpha, state.b))
    return found


def svm_fixed(task) -> list[Candidate]:
    """The supervised machine with b = 2r - 1: where the path starts."""
    est = make("s3vm_path", C=task.C, kernel="precomputed")
    state = next(iter(est.iterate(task.K, task.given)))
    return [candidate(task, 0.0, state.alpha, state.b)]


def path(task, centered=False) -> list[Candidate]:
    """The best C* of the whole interval, and the path's end."""
    est = make("s3vm_path", C=task.C, kernel="precomputed", centered=centered)
    est.fit(task.K, task.given)
    best = est.best(task.K_val, (task.val + 1) // 2)
    ends = [est.at(C_u) for C_u in (best.C_u, task.C)]
    return [candidate(task, s.C_u, s.alpha, s.b) for s in ends]


RUN = {
    "SVM": svm,
    "S3VM-light": s3vm_light,
    "CCCP": cccp,
    "path": path,
    "SVM, b fixed": svm_fixed,
    CENTRED: partial(path, centered=True),
}


def objective(K, given, y, C) -> float:
    """J of eq. (1) for labels y at C* = C: the machine trained on them, b = 2r - 1."""
    b = float(2 * given[given >= 0].mean() - 1)
    problem = FixedBiasS3VM(K, y, C=C, r=(b + 1) / 2)
    alpha = next(s3vm_path(problem)).beta
    f = K @ alpha + b
    primal = float(alpha @ (f - b) / 2 + C * np.maximum(0, 1 - y * f).sum())
    dual = float((y - b) @ alpha - alpha @ (f - b) / 2)
    assert primal - dual < 1e-6 * primal, (primal, dual)
    return primal


# -- cells ----------------------------------------------------------------------------


def run_cell(name, split, method) -> dict:
    """Errors of what validation chooses; at gamma = 1 / d objectives and seconds.

    With so few validation points many candidates are equally good: the errors are the
    means over all of these, as of a choice among them at random.
    """
    X, y = data(name)
    rows = divide(y, split)
    truth = (y[rows.train] + 1) // 2
    hidden = np.arange(len(truth)) >= rows.n_labeled
    given = np.where(hidden, -1, truth)
    tried, J, seconds, J_error = [], {}, {}, {}
    for scale in GAMMAS:
        sigma = np.sqrt(X.shape[1] / (2.0 * scale))
        K = gram(X[rows.train], sigma=sigma)
        K_val, K_test = (
            gram(X[part], X[rows.train], sigma=sigma) for part in (rows.val, rows.test)
        )
        for C in WEIGHTS:
            start = time.process_time()
            found = RUN[method](Task(K, given, K_val, y[rows.val], C))
            spent = time.process_time() - start
            choices = found[:1] if method.startswith("path") else found
            for c in choices:
                f, f_test = (M @ c.alpha + c.b for M in (K[hidden], K_test))
                tried.append(
                    {
                        "gamma": scale,
                        "C": C,
                        "C_u": c.C_u,
                        "val": c.error,
                        "unlabeled": _percent(f, y[rows.train][hidden]),
                        "test": _percent(f_test, y[rows.test]),
                    }
                )
            if scale == 1.0:
                end = found[-1]
                labels = signs(K @ end.alpha + end.b)
                J_error[C] = _percent(
                    (K @ end.alpha + end.b)[hidden], y[rows.train][hidden]
                )
                labels[~hidden] = y[rows.train][~hidden]
                J[C], seconds[C] = objective(K, given, labels, C), spent
    least = min(t["val"] for t in tried)
    tied = [t for t in tried if t["val"] == least]
    return {
        "data": name,
        "split": split,
        "method": method,
        "val": 100.0 * least,
        "unlabeled": float(np.mean([t["unlabeled"] for t in tied])),
        "test": float(np.mean([t["test"] for t in tied])),
        "tied": len(tied),
        "first": tied[0],
        "objective": J,
        "end": J_error,
        "seconds": seconds,
        "n": len(truth),
    }


def _percent(f, y):
    return 100.0 * float((signs(f) != y).mean())


def finished() -> list[dict]:
    if not STORE.exists():
        return []
    return [json.loads(line) for line in STORE.read_text().splitlines() if line]


def missing(names, n_splits) -> list[tuple]:
    done = {(c["data"], c["split"], c["method"]) for c in finished()}
    cells = [(n, s, m) for s in range(n_splits) for n in names for m in RUN]
    return [cell for cell in cells if cell not in done]


def run(names, n_splits, minutes):
    STORE.parent.mkdir(exist_ok=True)
    end = time.monotonic() + 60.0 * minutes
    for cell in missing(names, n_splits):
        if time.monotonic() > end:
            return
        start = time.process_time()
        row = run_cell(*cell)
        with STORE.open("a") as file:
            file.write(json.dumps(row) + "\n")
        spent = time.process_time() - start
        print(*cell, f"{row['test']:.2f}, {spent:.1f} s", flush=True)


# -- report ---------------------------------------------------------------------------

OTHERS = ("S3VM-light", "CCCP")
SAME = 1e-6  # relative


class Cells:
    """What the splits that are there give."""

    def __init__(self, rows):
        self.rows = {(r["data"], r["split"], r["method"]): r for r in rows}

    def of(self, name, method) -> list[dict]:
        found = [self.rows.get((name, split, method)) for split in range(N_SPLITS)]
        return [row for row in found if row is not None]

    def splits(self, name) -> list[int]:
        """Those that all methods have finished."""
        return [
            split
            for split in range(N_SPLITS)
            if all((name, split, method) in self.rows for method in COLUMNS)
        ]

    def values(self, name, method, field) -> np.ndarray:
        rows = [self.rows[name, split, method] for split in self.splits(name)]
        if field in ("objective", "seconds", "end"):
            return np.array([[row[field][str(C)] for C in WEIGHTS] for row in rows])
        return np.array([row[field] for row in rows])

    def title(self, name) -> str:
        count = len(self.splits(name))
        return BENCHES[name].title + (f" ({count})" if count < N_SPLITS else "")

    @property
    def names(self):
        return [name for name in BENCHES if self.splits(name)]


def _table(title, head, rows) -> list[str]:
    lines = [f"## {title}", "", "| | " + " | ".join(head) + " |"]
    lines.append("|---" * (len(head) + 1) + "|")
    lines += [f"| {name} | " + " | ".join(row) + " |" for name, row in rows]
    return [*lines, ""]


def errors(cells, field) -> list[tuple]:
    rows, means, printed = [], [], []
    for name in cells.names:
        published = (*getattr(BENCHES[name], field), None)
        texts, found = [], []
        for method, known in zip(COLUMNS, published, strict=True):
            values = cells.values(name, method, field)
            found.append(values.mean())
            error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0
            text = f"{values.mean():.1f} ({error:.1f})"
            texts.append(text if known is None else f"{text} [{known:.1f}]")
        means.append(found)
        printed.append(published[: len(METHODS)])
        rows.append((cells.title(name), texts))
    texts = [f"{m:.1f}" for m in np.mean(means, axis=0)]
    for k, known in enumerate(np.mean(printed, axis=0)):
        texts[k] += f" [{known:.1f}]"
    return [*rows, ("mean", texts)]


def best_of(cells, field) -> str:
    """How often each of the paper's four methods has the lowest mean."""
    ours = [
        METHODS[int(np.argmin([cells.values(n, m, field).mean() for m in METHODS]))]
        for n in cells.names
    ]
    theirs = [METHODS[int(np.argmin(getattr(BENCHES[n], field)))] for n in cells.names]
    return ", ".join(f"{m} {ours.count(m)} [{theirs.count(m)}]" for m in METHODS)


def wins(cells) -> str:
    """Splits on which the path's test error is lower, the same, higher."""
    texts = []
    for other in COLUMNS:
        if other == "path":
            continue
        gaps = np.concatenate(
            [
                cells.values(n, other, "test") - cells.values(n, "path", "test")
                for n in cells.names
            ]
        )
        lower, higher = (gaps > 1e-9).sum(), (gaps < -1e-9).sum()
        texts.append(f"{other} {lower} / {len(gaps) - lower - higher} / {higher}")
    return ", ".join(texts)


def objectives(cells) -> list[tuple]:
    """Mean J for each C, and how often the path's is lower / same / higher."""
    rows = []
    for name in cells.names:
        J = {m: cells.values(name, m, "objective") for m in ("SVM", *OTHERS, "path")}
        texts = [" · ".join(f"{x:.4g}" for x in J[m].mean(axis=0)) for m in J]
        texts += [_against(J[m], J["path"]) for m in OTHERS]
        rows.append((cells.title(name), texts))
    every = {
        m: np.concatenate(
            [cells.values(n, m, "objective").ravel() for n in cells.names]
        )
        for m in (*OTHERS, "path")
    }
    totals = [_against(every[m], every["path"]) for m in OTHERS]
    return [*rows, ("all", ["", "", "", "", *totals])]


def end_errors(cells) -> list[tuple]:
    rows = []
    for name in cells.names:
        found = [cells.values(name, m, "end").mean(axis=0) for m in COLUMNS]
        texts = [" · ".join(f"{x:.1f}" for x in means) for means in found]
        rows.append((cells.title(name), texts))
    return rows


def centred(cells) -> list[tuple]:
    """Test and unlabelled error on the splits that the centred path has."""
    rows = []
    for name in cells.names:
        found = cells.of(name, CENTRED)
        raw = [cells.rows[name, row["split"], "path"] for row in found]
        texts = [
            f"{np.mean([row[field] for row in which]):.1f}"
            for field in ("test", "unlabeled")
            for which in (raw, found)
        ]
        if found:
            rows.append((f"{BENCHES[name].title} ({len(found)})", texts))
    return rows


def _against(J, J_path) -> str:
    ratio = (J / J_path).ravel()
    lower, higher = (ratio > 1 + SAME).sum(), (ratio < 1 - SAME).sum()
    return f"{lower} / {len(ratio) - lower - higher} / {higher}"


def times(cells) -> list[tuple]:
    return [
        (
            cells.title(name),
            [str(cells.of(name, "path")[0]["n"])]
            + [f"{cells.values(name, m, 'seconds').mean():.3f}" for m in METHODS],
        )
        for name in cells.names
    ]


def report(cells: Cells) -> str:
    head = COLUMNS
    lines = _table("Table 2: test error", head, errors(cells, "test"))
    lines += [f"Lowest mean: {best_of(cells, 'test')}.", ""]
    lines += [f"Splits with the path lower / same / higher: {wins(cells)}.", ""]
    lines += _table(
        "Table 2: error on the unlabelled points", head, errors(cells, "unlabeled")
    )
    lines += [f"Lowest mean: {best_of(cells, 'unlabeled')}.", ""]
    weights = " · ".join(f"{C:g}" for C in WEIGHTS)
    head = ("SVM", *OTHERS, "path", *(f"path against {m}" for m in OTHERS))
    lines += _table(
        f"Figure 5: objective at C* = C = {weights}, gamma = 1 / d",
        head,
        objectives(cells),
    )
    lines += _table(
        "The same machines: error on the unlabelled points", COLUMNS, end_errors(cells)
    )
    head = ("test, raw", "test, centred", "unlabelled, raw", "unlabelled, centred")
    lines += _table("The path in the centred kernel", head, centred(cells))
    head = ("n", "SVM", "S3VM-light, 10 C*", "CCCP, 4 C*", "path, all C*")
    return "\n".join(
        lines + _table("Figure 6: CPU seconds, gamma = 1 / d", head, times(cells))
    )


HEAD = """# The paper's comparison of the S3VM path

Made by `python -m tests.tables.s3vm_path --run` and then without `--run`. Errors in
percent, mean over ten splits (over as many as stand in brackets behind the name) with
the standard error in round brackets, the published mean in square brackets.

"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--data", default=";".join(BENCHES))
    parser.add_argument("--splits", type=int, default=N_SPLITS)
    parser.add_argument("--minutes", type=float, default=np.inf)
    arguments = parser.parse_args()
    if arguments.run:
        run(arguments.data.split(";"), arguments.splits, arguments.minutes)
        return
    notes = NOTES.read_text() if NOTES.exists() else ""
    text = HEAD + report(Cells(finished())) + "\n" + notes
    OUT.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
