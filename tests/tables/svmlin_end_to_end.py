"""Pairs of 20-newsgroups classes and kdd99 from end to end: times and errors.

Run alone: ``python -m tests.tables.svmlin_end_to_end``. Writes
docs/tables/svmlin_end_to_end.md. As in [SK07] section 1.5 the setting is transductive:
errors are those on the unlabelled points, r is the true share, lam = 0.001, lam_u = 1.
"""

import time
from pathlib import Path

import numpy as np

from datasets import load
from datasets.splits import stratified_rows
from ssl_core import make

OUT = Path(__file__).parents[2] / "docs" / "tables" / "svmlin_end_to_end.md"
PAIRS = (
    "pc hardware / mac hardware",
    "windows / mac",
    "baseball / hockey",
    "autos / motorcycles",
    "atheism / christian",
    "rec / sci",
    "comp / rec",
)
METHODS = ("l2svm_mfn", "tsvm", "da")
N_SPLITS = 3
PAPER = "full kdd99 in the paper, 4,898,431 rows: SVM 0.29 %, TSVM 0.48 %, DA 0.22 %"


def row(title, data, n_labeled, n_splits) -> str:
    """One line of the table: mean error and seconds of every method."""
    positive = data.y == data.y.max()
    errors, seconds = np.zeros((n_splits, 3)), np.zeros((n_splits, 3))
    for seed in range(n_splits):
        labeled = stratified_rows(data.y, n_labeled, np.random.default_rng(seed))
        y = np.full(len(data.y), -1)
        y[labeled] = positive[labeled]
        hidden = y < 0
        for column, name in enumerate(METHODS):
            knobs = {} if name == "l2svm_mfn" else {"r": float(positive[hidden].mean())}
            est = make(name, lam=1e-3, **knobs)
            start = time.perf_counter()
            est.fit(data.X, y)
            seconds[seed, column] = time.perf_counter() - start
            wrong = (est.predict(data.X) > 0) != positive
            errors[seed, column] = 100 * wrong[hidden].mean()
    n, d = data.X.shape
    cells = [title, f"{n:,} x {d:,}", f"{n_labeled}"]
    cells += [
        f"{error:.2f} % in {time_:.2f} s"
        for error, time_ in zip(errors.mean(axis=0), seconds.mean(axis=0), strict=True)
    ]
    return "| " + " | ".join(cells) + " |"


def main():
    lines = [
        "# 20 newsgroups and kdd99 from end to end",
        "",
        "Made by `python -m tests.tables.svmlin_end_to_end`: error on the unlabelled "
        f"points and seconds, mean of {N_SPLITS} stratified splits (kdd99: one). "
        f"{PAPER[0].upper()}{PAPER[1:]}.",
        "",
        "| data | shape | labels | " + " | ".join(f"`{m}`" for m in METHODS) + " |",
        "|---" * 6 + "|",
    ]
    for pair in PAIRS:
        lines.append(row(pair, load("news20", pair=pair), 40, N_SPLITS))
        print(lines[-1], flush=True)
    for scale in ("max_abs", "log"):
        data = load("kdd99_10pct", scale=scale)
        lines.append(row(f"kdd99, 10 percent, {scale}", data, 1000, 1))
        print(lines[-1], flush=True)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
