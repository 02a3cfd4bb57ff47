"""Speed of the sparse linear family, on request.

    python -m tests.benchmarks.bench_sparse                  20,000 x 20,000 documents
    python -m tests.benchmarks.bench_sparse --large 1/16 1/4 1     parts of 800,000

The first compares two settings of our own implementation in one run: "svmlin", in
which every machine is trained to SVMlin's tolerance along the whole path, and "fast".
The SVMlin program's seconds on one idle core stand beside them; of ours the median of
repeats in turns is given, as wall time and as CPU time of all threads. The second shows
that time grows with the nonzeros and how much memory is needed besides the matrix: one
run each. Both are kept in the one table, see `results`.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from fractions import Fraction

import numba
import numpy as np

from halfmoon.datasets.text import topic_text
from ssl_core import threads
from ssl_core.estimators.linear import DAClassifier, L2SVMClassifier, TSVMClassifier
from ssl_core.linalg.sparse import design
from tests.benchmarks.measure import Report, in_turns, timed
from tests.benchmarks.results import ROOT, at_least, at_most, finish

SVMLIN_SECONDS = {"tsvm": 5.4, "da": 8.2}  # the C++ program, one idle core
METHODS = {"l2svm_mfn": L2SVMClassifier, "tsvm": TSVMClassifier, "da": DAClassifier}
REPEATS = 5
NO_WORSE = 1e-3  # relative; two local minima differ by about 1e-4
FULL = 800_000


def documents(n, n_features, nnz_per_row, n_labeled, seed=0):
    """X and y with -1 where hidden: an even number of labels, half of each class."""
    rng = np.random.default_rng(seed)
    data = topic_text(n, n_features, nnz_per_row, rng=rng)
    y = np.full(n, -1)
    for side in (0, 1):
        rows = rng.choice(np.flatnonzero(data.y == side), n_labeled // 2, replace=False)
        y[rows] = side
    return data.X, y, data.y


def fit(method, schedule, X, y):
    """Seconds, CPU seconds of all threads and the machine; r is given to it."""
    knobs = {} if method == "l2svm_mfn" else {"r": 0.5, "lam_u": 1.0}
    est = METHODS[method](lam=1e-3, schedule=schedule, **knobs)
    cpu = time.process_time()
    seconds, _ = timed(lambda: est.fit(X, y))
    return seconds, time.process_time() - cpu, est


def objective(est):
    state = est.state_
    return getattr(state, "transductive_objective", state.objective)


def medium(report=None):
    """20,000 x 20,000, 57 nonzeros a row, 50 labels: both settings in turns.

    Rows by method and by what is asked of it.
    """
    report = report or Report("Sparse linear family, 20,000 documents")
    X, y, truth = documents(20_000, 20_000, 57, 50)
    rows = {}
    products(report, X)
    for method in METHODS:
        seconds, machines = {}, {}
        for schedule in ("fast", "svmlin"):
            fit(method, schedule, X, y)  # compile, fill caches
        for _ in range(REPEATS):
            for schedule in ("fast", "svmlin"):
                *times, machines[schedule] = fit(method, schedule, X, y)
                seconds.setdefault(schedule, []).append(times)
        medians = {name: np.median(times, axis=0) for name, times in seconds.items()}
        for schedule, (wall, cpu) in medians.items():
            est = machines[schedule]
            error = 100 * np.mean(est.predict(X) != truth)
            report.add(
                f"`{method}`, {schedule}",
                wall,
                "s",
                repeats=REPEATS,
                also={"CPU s": cpu, "objective": objective(est), "% error": error},
            )
        if method in SVMLIN_SECONDS:
            rows[method] = against_svmlin(report, method, medians, machines)
    return rows


def against_svmlin(report, method, medians, machines):
    """What is asked of a method: its time and its objective beside SVMlin's."""
    (wall, cpu), (_, reference) = medians["fast"], medians["svmlin"]
    program = SVMLIN_SECONDS[method]
    return {
        "ratio": report.add(
            f"`{method}`, CPU time of fast",
            cpu / reference,
            "x",
            repeats=REPEATS,
            goal=at_most(0.5),
            against="SVMlin's settings",
        ),
        "cpu": report.add(
            f"`{method}`, CPU seconds of all threads",
            cpu,
            "CPU s",
            repeats=REPEATS,
            goal=at_most(program / 2),
            against=f"half of the SVMlin program's {program} s",
        ),
        "program": report.add(
            f"`{method}`, wall time",
            program / wall,
            "x faster",
            repeats=REPEATS,
            goal=at_least(10),
            against=f"the SVMlin program's {program} s",
        ),
        "objective": report.add(
            f"`{method}`, objective of fast",
            objective(machines["fast"]) / objective(machines["svmlin"]),
            "x",
            repeats=1,
            goal=at_most(1 + NO_WORSE),
            against="SVMlin's settings",
        ),
    }


def products(report, X):
    """One pass for X' C X v against SciPy's two, and half the rows against all."""
    n, d = X.shape
    rng = np.random.default_rng(0)
    v, weight, rows = rng.normal(size=d + 1), rng.random(n), np.arange(n)
    product, transposed = design(X), X.T
    half = rows[::2]

    def scipys():
        return transposed @ (weight * (X @ v[:-1] + v[-1]))

    def single():
        with threads.capped(loops=1):
            return product.normal(v, weight, rows)

    ours, one, halved, theirs = in_turns(
        lambda: product.normal(v, weight, rows),
        single,
        lambda: product.normal(v, weight, half),
        scipys,
        repeats=51,
    )
    report.add(
        "X' C X v",
        ours / theirs,
        "x",
        repeats=51,
        against="SciPy's two products",
        also={
            "ms": 1e3 * ours,
            "ms on one thread": 1e3 * one,
            "ms for half the rows": 1e3 * halved,
            "ms for SciPy": 1e3 * theirs,
            "threads": numba.get_num_threads() if threads.PARALLEL else 1,
        },
    )


def large_part(scale: Fraction) -> dict:
    """One part of 800,000 x 47,000 with 75 nonzeros a row, in this process."""
    before = _peak()
    X, y, truth = documents(int(FULL * scale), 47_000, 75, 1000)
    matrix = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    small, few = slice(0, 2000), np.full(2000, -1)
    few[:2] = 0, 1
    result = {"n": X.shape[0], "nnz": int(X.nnz), "matrix": matrix}
    for method in METHODS:
        METHODS[method]().fit(X[small], few)  # compile
        elapsed, cpu, est = fit(method, "fast", X, y)
        result[method] = {
            "seconds": elapsed,
            "cpu": cpu,
            "objective": objective(est),
            "error": 100 * float(np.mean(est.predict(X) != truth)),
        }
    result["memory"] = _peak() - before
    return result


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def large(scales):
    """Every part in a process of its own, for the sake of its peak memory.

    75 nonzeros a row, 47,000 features, 1000 labels, lam = 0.001, lam_u = 1. Memory is
    the peak above that of the bare process, the data included.
    """
    report = Report("Sparse linear family, parts of 800,000 documents")
    for scale in scales:
        command = [sys.executable, "-m", "tests.benchmarks.bench_sparse", "--part"]
        output = subprocess.run(
            [*command, str(scale)], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
        part = json.loads(output.splitlines()[-1])
        for method in METHODS:
            run = part[method]
            report.add(
                f"`{method}`, {part['n']:,} documents",
                run["seconds"],
                "s",
                repeats=1,
                goal=at_most(60) if part["n"] == FULL else None,
                also={
                    "CPU s": run["cpu"],
                    "CPU ns per nonzero": 1e9 * run["cpu"] / part["nnz"],
                    "objective": run["objective"],
                    "% error": run["error"],
                },
            )
        report.add(
            f"memory, {part['n']:,} documents",
            part["memory"] / part["matrix"],
            "x",
            repeats=1,
            goal=at_most(2) if part["n"] == FULL else None,
            against="the matrix",
        )
    print("\n".join(finish(report.rows)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", nargs="+", type=Fraction, metavar="SCALE")
    parser.add_argument("--part", type=Fraction, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        print(json.dumps(large_part(arguments.part)))
    elif arguments.large:
        large(arguments.large)
    else:
        report = Report("Sparse linear family, 20,000 documents")
        medium(report)
        print("\n".join(finish(report.rows)))


if __name__ == "__main__":
    main()
