"""All methods of a comparison under one protocol, [CSK08] section 5.2.

Every method minimises an objective of its own. So their predictions are judged: an SVM
is trained on the labels that each predicts, with one kernel and one pair of weights for
all, and its objective is the one compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from halfmoon.pages._parts.running.cache import Cache
from halfmoon.scenario import Scenario, suggested
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.solving import Solved
from ssl_core import Retraining
from ssl_core.kernels import kernel_width
from ssl_core.viz.comparison import Route
from ssl_core.viz.measures import error_rates
from ssl_core.viz.words import number

MODEL = "s3vm_light"  # whose usual values stand in where no method has any
WEIGHTS, KERNEL = ("C", "C_u"), ("kernel", "sigma", "degree", "coef0")
MAX_POINTS = 1000  # retraining on more takes longer than the runs
MAX_ON_THE_WAY = 400  # points up to which moments on the way are judged as well
MOMENTS = 6  # of each run, its end included
_known = Cache(4e6, lambda judged: 200.0 + 16 * len(judged.objective))


@dataclass(frozen=True)
class Protocol:
    """What the labels of all methods are retrained with."""

    C: float
    C_u: float
    kernel: str
    sigma: float | str
    degree: int
    coef0: float

    @classmethod
    def of(cls, scenario: Scenario) -> Protocol:
        """Of each value, that of the first method which has one."""
        usual = dict(suggested(MODEL, scenario.data, scenario.knobs))
        values = {}
        for method in (*scenario.methods, None):
            params = usual if method is None else method.params
            for name in (*WEIGHTS, *KERNEL):
                if name in params:
                    values.setdefault(name, params[name])
        return cls(**values)

    @property
    def words(self) -> str:
        auto = self.sigma == "auto"
        width = "automatic width" if auto else f"width σ = {number(self.sigma)}"
        shape = {
            "rbf": f"Gaussian kernel of {width}",
            "poly": f"polynomial kernel of degree {self.degree}",
            "linear": "linear kernel",
        }
        kernel = shape.get(self.kernel, f"{self.kernel} kernel")
        return f"{kernel}, C = {number(self.C)}, C* = {number(self.C_u)}"

    def kernel_on(self, X) -> dict:
        """Arguments of `ssl_core.kernels.gram` for these points."""
        shape = {name: getattr(self, name) for name in KERNEL}
        if self.kernel == "rbf" and self.sigma == "auto":
            shape["sigma"] = kernel_width(X)
        return shape

    def retraining(self, problem: Problem) -> Retraining:
        weights = {name: getattr(self, name) for name in WEIGHTS}
        shape = self.kernel_on(problem.X)
        return Retraining.of(problem.X, problem.given, **weights, **shape)


def why_not(problem: Problem) -> str:
    """Why there is no objective after retraining here; empty where there is one."""
    n = len(problem.train)
    if n > MAX_POINTS:
        return (
            f"Retraining is left out: with {n:,} points it takes longer than the runs "
            f"({MAX_POINTS:,} is the most here)."
        )
    return ""


@dataclass(frozen=True, eq=False)
class Judged:
    """Moments of a run, the end last: retrained objective and unlabelled error.

    The error is NaN where no true class is known.
    """

    objective: np.ndarray
    error: np.ndarray


def judge(
    found: Sequence[Solved], protocol: Protocol
) -> tuple[list[Judged], float | None]:
    """All runs on one problem, and the objective that the true labels have.

    Runs that were judged before are remembered; kernel and features are made once.
    """
    if not found or why_not(found[0].problem):
        return [], None
    problem, made = found[0].problem, []

    def objective(labels):
        if not made:
            made.append(protocol.retraining(problem))
        return made[0].objective(labels)

    judged = [_judge(solved, protocol, objective) for solved in found]
    return judged, _true_labels(found[0], protocol, objective)


def _judge(solved: Solved, protocol: Protocol, objective) -> Judged:
    key = solved.key, protocol
    known = _known.get(key)
    if known is None:
        known = Judged(*_moments(solved, objective))
        _known.put(key, known)
    return known


def _moments(solved: Solved, objective) -> tuple[np.ndarray, np.ndarray]:
    trace = solved.trace
    few = MOMENTS if len(solved.problem.train) <= MAX_ON_THE_WAY else 1
    kept = np.asarray(trace.kept)
    # The first steps decide most labels, so moments are denser there.
    share = (np.linspace(0, 1, few) ** 2) if few > 1 else np.ones(1)
    chosen = kept[np.unique(np.rint(share * (len(kept) - 1)).astype(int))]
    rates = error_rates(trace, solved.truth).get("U", np.full(len(trace), np.nan))
    values, memory = [], {}
    for i in chosen:
        labels = predicted(solved, trace.states[i].f)
        name = labels.tobytes()
        if name not in memory:
            memory[name] = objective(labels)
        values.append(memory[name])
    return np.array(values), np.asarray(rates, dtype=float)[chosen]


def predicted(solved: Solved, f: np.ndarray) -> np.ndarray:
    """The data's classes that outputs stand for."""
    codes = (f >= 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)
    return solved.classes[codes]


def _true_labels(solved: Solved, protocol: Protocol, objective) -> float | None:
    problem = solved.problem
    hidden = problem.truth[problem.given < 0]
    if not len(hidden) or not np.isin(hidden, solved.classes).all():
        return None
    key = solved.scenario.setting, protocol
    known = _known.get(key)
    if known is None:
        value = objective(np.where(problem.given >= 0, problem.given, problem.truth))
        known = Judged(np.array([value]), np.zeros(1))
        _known.put(key, known)
    return float(known.objective[0])


def route(name: str, place: int, judged: Judged) -> Route | None:
    """A run in the figure; None where its errors are not known."""
    if not np.isfinite(judged.error).all():
        return None
    return Route(name, place, judged.objective, judged.error)
