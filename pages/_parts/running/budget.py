"""What a run may take of a server's memory; one that does not fit is refused."""

from __future__ import annotations

from halfmoon.common.memory import fitting, in_words, refusal
from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.running.sizes import data_bytes
from halfmoon.scenario import Scenario, suggested
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.refusals import (
    RefusedError,
    Way,
    another_algorithm,
    fewer_points,
    single_precision,
)
from ssl_core import ALGORITHMS, make
from ssl_core.estimators.budget import Size, either, need_of

SAME_SIZE = ("unit_norm", "scale")  # knobs of data that change no size


def size_of(problem: Problem) -> Size:
    n, k = len(problem.train), len(set(problem.given[problem.given >= 0].tolist()))
    return Size(n, problem.n_labelled, max(2, k), round(data_bytes(problem.data)))


def known_size(scenario: Scenario) -> Size | None:
    """The size of a benchmark as the registry has it, before its file is read.

    None where the file must be read to know it: knobs that choose a part of the data,
    toys, which are quickly made, and files of one's own.
    """
    entry = DATASETS.get(scenario.data)
    if entry is None or entry.kind != "benchmark":
        return None
    knobs = scenario.knobs
    free = (*SAME_SIZE, "n")
    if any(
        knobs[k.name] != k.default for k in entry.knobs.values() if k.name not in free
    ):
        return None
    n = min(knobs.get("n") or entry.n_points, entry.n_points)
    n -= min(scenario.n_val + scenario.n_test, n // 2)
    labels = scenario.labels.count * (
        entry.n_classes if scenario.labels.how == "random" else 1
    )
    data = 0 if entry.sparse else 8 * n * entry.dims
    return Size(n, min(labels, n), entry.n_classes, data)


def check_size(
    scenario: Scenario, size: Size, budget: float, trace_bytes: float
) -> float:
    """What a run needs.

    Parameters
    ----------
    scenario : Scenario
    size : Size
        Of its training points.
    budget, trace_bytes : float
        Bytes for one run, and for the states it keeps.

    Raises
    ------
    RefusedError
        Where the points are more than its algorithm is offered for, or need more
        memory than the budget: how much, and the largest n that fits.
    """
    entry = ALGORITHMS[scenario.algorithm]
    est = make(scenario.algorithm, **scenario.params)

    def need(n: int) -> float:
        return need_of(est, size.at(n), trace_bytes)

    def takes(name: str) -> bool:
        if size.n > ALGORITHMS[name].max_n:
            return False
        other = make(name, **dict(suggested(name, scenario.data, scenario.knobs)))
        return need_of(other, size, trace_bytes) <= budget

    if size.n <= entry.max_n and need(size.n) <= budget:
        return need(size.n)
    fewer = fewer_points(scenario, fitting(need, min(size.n, entry.max_n), budget))
    other = another_algorithm(scenario, takes)
    if size.n > entry.max_n:
        raise RefusedError(
            f"{entry.title} is offered for up to {entry.max_n:,} points here, and "
            f"there are {size.n:,}; choose fewer points or another algorithm.",
            fewer,
            other,
        )
    single = _single(scenario, size, budget, trace_bytes)
    words = {"single precision (dtype)": single, "another algorithm": other}
    ways = ["fewer points", *(text for text, way in words.items() if way)]
    sentence = refusal(
        "This run",
        need,
        size.n,
        budget,
        limit=f"one run may take {in_words(budget)} on this server",
        way_out=f"choose {either(ways)}",
    )
    raise RefusedError(sentence, fewer, single, other)


def check_unread(scenario: Scenario, budget: float, trace_bytes: float) -> None:
    """`check_size` of a benchmark whose file need not be read for it.

    Raises
    ------
    RefusedError
        Where none of the scenario's methods takes the data.
    """
    size, refused = known_size(scenario), []
    for index in range(len(scenario.methods) if size is not None else 0):
        try:
            check_size(scenario.alone(index), size, budget, trace_bytes)
        except RefusedError as error:
            refused.append(error)
    if len(refused) == len(scenario.methods):
        raise refused[0]


def _single(scenario, size, budget, trace_bytes) -> Way | None:
    """The kernel in single precision, where that is a way out."""
    params = scenario.params
    if params.get("dtype") != "float64":
        return None
    est = make(scenario.algorithm, **{**params, "dtype": "float32"})
    return single_precision() if need_of(est, size, trace_bytes) <= budget else None
