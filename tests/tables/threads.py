"""One BLAS thread against two: where does the second one pay?

Run alone: ``python -m tests.tables.threads``. Writes docs/tables/threads.md. The
solvers are called directly, without the cap that the estimators put around them. One
and two threads are timed in turns. The smallest time is that of a quiet moment; the
median with a spinning process on every core is what a busy machine gives.
"""

import contextlib
import multiprocessing
import os
import time
from itertools import islice
from pathlib import Path

import numpy as np
from threadpoolctl import ThreadpoolController

from ssl_core.driver import drive
from ssl_core.graph import Laplacian, knn_weights
from ssl_core.kernels import gram
from ssl_core.problems.laplacian import LapSVM
from ssl_core.solvers.newton import newton
from ssl_core.solvers.pcg import pcg
from ssl_core.threads import ONE_THREAD_ENTRIES

OUT = Path(__file__).parents[2] / "docs" / "tables" / "threads.md"
SIZES = (500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 12000)
NEWTON_SIZES = SIZES[:-2]  # the last ones take minutes
ITERATIONS = 20
REPEATS = 5
THREADS = (1, 2)


def problem(n) -> LapSVM:
    """Two noisy half circles with 2 % of the labels, as in the playground."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, np.pi, n)
    sign = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = np.column_stack([np.cos(angle) - sign / 2, sign * (np.sin(angle) - 0.25)])
    X += 0.1 * rng.standard_normal(X.shape)
    Y = np.zeros((n, 1), order="F")
    labeled = rng.choice(n, max(4, n // 50), replace=False)
    Y[labeled, 0] = sign[labeled]
    L = Laplacian(knn_weights(X, 6))
    K = gram(X, sigma=0.35)
    return LapSVM(K, L, Y, gamma_A=1e-4, gamma_I=1.0)


def iterations(p) -> list[float]:
    """Seconds of some PCG iterations."""
    states = drive(pcg(p), max_iter=ITERATIONS)
    next(states)
    marks = [time.perf_counter()]
    marks += [time.perf_counter() for _ in islice(states, ITERATIONS)]
    return np.diff(marks).tolist()


def whole_newton(p) -> list[float]:
    """Seconds of Newton's method, almost all of it one factorisation."""
    start = time.perf_counter()
    for _ in newton(p):
        pass
    return [time.perf_counter() - start]


def compared(measure, p, repeats, typical=min) -> list[float]:
    """Typical seconds with one and with two threads, timed in turns."""
    controller = ThreadpoolController()
    seconds = [[] for _ in THREADS]
    for _ in range(repeats):
        for times, threads in zip(seconds, THREADS, strict=True):
            time.sleep(0.05)  # BLAS threads spin before they sleep
            with controller.limit(limits=threads, user_api="blas"):
                times += measure(p)
    return [typical(times) for times in seconds]


@contextlib.contextmanager
def busy():
    """A spinning process on every core."""
    spinners = [
        multiprocessing.get_context("spawn").Process(target=spin, daemon=True)
        for _ in range(os.cpu_count() or 1)
    ]
    for spinner in spinners:
        spinner.start()
    time.sleep(1.0)
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.join()


def spin():
    while True:
        pass


def row(n) -> str:
    p = problem(n)
    pairs = [compared(iterations, p, REPEATS)]
    with busy():
        pairs.append(compared(iterations, p, REPEATS, np.median))
    if n in NEWTON_SIZES:
        pairs.append(compared(whole_newton, p, 4 if n <= 4000 else 2))
    cells = [f"{n:,}"]
    for one, two in pairs:
        cells += [f"{1e3 * one:.3g}", f"{1e3 * two:.3g}", f"{one / two:.2f}"]
    cells += [""] * (10 - len(cells))
    return "| " + " | ".join(cells) + " |"


def main():
    size = round(ONE_THREAD_ENTRIES**0.5)
    lines = [
        "# One BLAS thread against two",
        "",
        f"Made by `python -m tests.tables.threads` on {os.cpu_count()} cores: "
        f"milliseconds with one and with two threads, and how many times faster two "
        f"are, LapSVM on two moons. Quiet: the smallest time of a PCG iteration. Busy: "
        f"the median with a spinning process on every core. Newton: the smallest time "
        f"of a whole run. The load of the machine was {os.getloadavg()[0]:.1f} when "
        f"this began. The library solves with one thread up to n = {size:,}.",
        "",
        "| n | quiet, 1 | quiet, 2 | gain | busy, 1 | busy, 2 | gain | "
        "Newton, 1 | Newton, 2 | gain |",
        "|" + "---|" * 10,
    ]
    print("\n".join(lines))
    for n in SIZES:
        lines.append(row(n))
        print(lines[-1], flush=True)
    OUT.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
