"""What a run will hold in memory, before any work; one that does not fit is refused."""

from __future__ import annotations

from bisect import bisect_right

from sklearn.base import clone

from pages._parts.running.learning_problem import Problem
from pages._parts.running.sizes import data_bytes
from ssl_core.estimators.base import SemiSupervisedClassifier, Size

STATE_VECTORS = 4  # numbers that a state keeps of each point and machine, about


def size_of(problem: Problem) -> Size:
    n, k = len(problem.train), len(set(problem.given[problem.given >= 0].tolist()))
    return Size(n, problem.n_labelled, max(2, k), round(data_bytes(problem.data)))


def need_of(est: SemiSupervisedClassifier, size: Size, trace_bytes: float) -> float:
    """Bytes at the peak of a run: its data, its matrices, the states it keeps."""
    states = 1 + min(getattr(est, "max_iter", None) or 1, 10**9)
    kept = 8 * STATE_VECTORS * size.n * size.n_classes * states
    return size.data_bytes + est.peak_bytes(size) + min(kept, trace_bytes)


def check_budget(
    est: SemiSupervisedClassifier, size: Size, *, budget: float, trace_bytes: float
) -> float:
    """What a run needs.

    Raises
    ------
    ValueError
        Where that is more than the budget: how much, and the largest n that fits.
    """
    need = need_of(est, size, trace_bytes)
    if need <= budget:
        return need
    fits = bisect_right(
        range(1, size.n), budget, key=lambda n: need_of(est, size.at(n), trace_bytes)
    )
    most = f"at most {fits:,} points fit" if fits > 1 else "no number of points fits"
    raise ValueError(
        f"This run needs about {in_words(need)} of memory for {size.n:,} points, and "
        f"one run may take {in_words(budget)} on this server: {most}; choose fewer "
        f"points{_single(est, size, budget, trace_bytes)}, or another algorithm."
    )


def _single(est, size, budget, trace_bytes) -> str:
    """The way out of storing the kernel in single precision, where there is one."""
    if getattr(est, "dtype", "") != "float64":
        return ""
    single = clone(est).set_params(dtype="float32")
    fits = need_of(single, size, trace_bytes) <= budget
    return ", single precision (dtype)" if fits else ""


def in_words(bytes_: float) -> str:
    """A size for a sentence: 340 MB, 1.2 GB."""
    if bytes_ < 999.5e6:
        return f"{max(1, round(bytes_ / 1e6))} MB"
    return f"{bytes_ / 1e9:.1f} GB"
