"""Speed of the sparse linear family, on request.

    python -m tests.benchmarks.bench_sparse                  20,000 x 20,000 documents
    python -m tests.benchmarks.bench_sparse --large 1/16 1/4 1     parts of 800,000

The first compares two settings of our own implementation in one run: "svmlin", in
which every machine is trained to SVMlin's tolerance along the whole path, and "fast".
The SVMlin program's seconds on one idle core stand beside them; of ours the least of
three runs is given, as wall time and as CPU time of all threads. The second shows that
time grows with the nonzeros and how much memory is needed besides the matrix. Writes
docs/tables/speed_sparse.md and docs/tables/speed_sparse_large.md.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from fractions import Fraction

import numpy as np

from datasets.text import topic_text
from ssl_core import threads
from ssl_core.estimators.linear import DAClassifier, L2SVMClassifier, TSVMClassifier
from ssl_core.linalg.sparse import design
from tests.benchmarks.measure import DOCS, ROOT, Report, in_turns, timed

SVMLIN_SECONDS = {"tsvm": 5.4, "da": 8.2}  # the C++ program, one idle core
METHODS = {"l2svm_mfn": L2SVMClassifier, "tsvm": TSVMClassifier, "da": DAClassifier}
REPEATS = 3
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
    """20,000 x 20,000, 57 nonzeros a row, 50 labels: both settings in turns."""
    report = report or Report("speed_sparse", "Sparse linear family, 20,000 documents")
    X, y, truth = documents(20_000, 20_000, 57, 50)
    results = {}
    products(report, X)
    for method in METHODS:
        seconds, machines = {}, {}
        for schedule in ("fast", "svmlin"):
            fit(method, schedule, X, y)  # compile, fill caches
        for _ in range(REPEATS):
            for schedule in ("fast", "svmlin"):
                *times, machines[schedule] = fit(method, schedule, X, y)
                seconds.setdefault(schedule, []).append(times)
        for schedule, times in seconds.items():
            est, (wall, cpu) = machines[schedule], np.min(times, axis=0)
            error = 100 * np.mean(est.predict(X) != truth)
            text = (
                f"{wall:.2f} s, {cpu:.2f} CPU seconds, objective "
                f"{objective(est):.6f}, error {error:.1f} %"
            )
            goal = f"SVMlin program {SVMLIN_SECONDS.get(method, float('nan'))} s"
            report.add(f"`{method}`, {schedule}", text, goal.replace("nan s", "–"))
        results[method] = {
            "ratio": _cpu(seconds["fast"]) / _cpu(seconds["svmlin"]),
            "cpu": _cpu(seconds["fast"]),
            "objective": objective(machines["fast"]),
            "reference": objective(machines["svmlin"]),
        }
    load = os.getloadavg()[0]
    report.add("threads, layer, load of the machine", f"{_threads()}, {load:.1f}", "–")
    return results


def _cpu(times):
    """Least CPU seconds: what other processes do matters least there."""
    return float(np.min(times, axis=0)[1])


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
    text = (
        f"{1e3 * ours:.2f} ms, one thread {1e3 * one:.2f} ms, half the rows "
        f"{1e3 * halved:.2f} ms"
    )
    report.add("X' C X v", text, f"SciPy's two products {1e3 * theirs:.2f} ms")


def _threads():
    return f"{threads.n_threads()}, {threads.LAYER}"


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
    """Every part in a process of its own, for the sake of its peak memory."""
    lines = [
        "# Sparse linear family, parts of 800,000 documents",
        "",
        "75 nonzeros a row, 47,000 features, 1000 labels, lam = 0.001, lam_u = 1. "
        "Memory is the peak above that of the bare process, the data included. "
        "CPU seconds are those of all threads.",
        "",
        "| documents | nonzeros | method | seconds | CPU seconds | CPU ns per nonzero "
        "| objective | error | memory / matrix |",
        "|---" * 9 + "|",
    ]
    for scale in scales:
        command = [sys.executable, "-m", "tests.benchmarks.bench_sparse", "--part"]
        output = subprocess.run(
            [*command, str(scale)], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
        part = json.loads(output.splitlines()[-1])
        for method in METHODS:
            run = part[method]
            lines.append(
                f"| {part['n']:,} | {part['nnz']:,} | `{method}` "
                f"| {run['seconds']:.1f} | {run['cpu']:.1f} "
                f"| {1e9 * run['cpu'] / part['nnz']:.0f} | {run['objective']:.5f} "
                f"| {run['error']:.2f} % | {part['memory'] / part['matrix']:.2f} |"
            )
            print(lines[-1], flush=True)
        DOCS.mkdir(parents=True, exist_ok=True)
        (DOCS / "speed_sparse_large.md").write_text("\n".join(lines) + "\n")


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
        medium()


if __name__ == "__main__":
    main()
