"""Why a run is worse than the supervised SVM on the same labels, in a sentence.

Everything said is computed: the SVM's error, the edges of the graph between different
classes, the objective of the true labels. The true classes are known here and not to
the methods.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.pages._parts.running.cache import Cache
from halfmoon.pages._parts.running.graphs import graph_of
from halfmoon.pages._parts.running.judging import Protocol, predicted
from halfmoon.scenario import suggested
from halfmoon.scenario.solving import Solved
from ssl_core import ALGORITHMS, make
from ssl_core.graph import bridges
from ssl_core.viz.measures import error_rates
from ssl_core.viz.words import count, number, rate

SVM, LINEAR_SVM = "svm", "l2svm_mfn"
LABELS_ONLY = (
    "Both learn from the labels alone and differ only in loss, weights or kernel."
)
NO_EDGE = (
    "No edge of the graph joins different classes, so the kernel or the "
    "weights are the cause: a smaller σ or γ_A lets f follow the graph."
)
NO_EDGE_ALONE = (
    "No edge of its graph joins different classes: it can only be wrong in parts of "
    "the graph that have no label of their class."
)
MAX_ENTRIES = 4_000_000  # of the SVM's kernel matrix: some 0.1 s
MAX_RETRAINED = 1000  # points up to which an SVM is retrained on all of them
MAX_GRAPH = 4000  # points up to which edges are counted
SAME = 1e-3  # relative difference below which two objectives are the same
_known = Cache(1e6, lambda sentence: 200.0 + len(sentence))


def worse_than_svm(solved: Solved) -> str:
    """The sentence, remembered with the run; empty where there is nothing to say."""
    if solved.interrupted or solved.scenario.algorithm == SVM:
        return ""
    known = _known.get(solved.scenario)
    if known is None:
        known = _sentence(solved)
        _known.put(solved.scenario, known)
    return known


def _sentence(solved: Solved) -> str:
    svm = svm_error(solved)
    if svm is None:
        return ""
    error = float(error_rates(solved.trace, solved.truth)["U"][-1])
    if error <= svm:
        return ""
    n = round((error - svm) * _judged(solved.problem).sum())
    text = (
        f"The supervised SVM does better with the same labels: {rate(svm)} wrong "
        f"against {rate(error)} here, {count(n, 'point')} fewer."
    )
    return f"{text} {_why(solved, error)}".strip()


def svm_error(solved: Solved) -> float | None:
    """Unlabelled error of the supervised SVM; None where unknown or expensive."""
    problem = solved.problem
    judged = _judged(problem)
    if not judged.any() or len(problem.given) * problem.n_labelled > MAX_ENTRIES:
        return None
    scenario = solved.scenario
    params = dict(suggested(SVM, scenario.data, scenario.knobs))
    if scenario.upload is not None:  # its width was chosen for the file
        params |= {k: v for k, v in scenario.params.items() if k in ("kernel", "sigma")}
    machine = make(SVM, **params).fit(problem.X, problem.given)
    return float((machine.predict(problem.X) != problem.truth)[judged].mean())


def _judged(problem) -> np.ndarray:
    """(n,) bool: unlabelled points whose class is known."""
    return (problem.given < 0) & (problem.truth >= 0)


def _why(solved: Solved, error: float) -> str:
    params, entry = solved.scenario.params, ALGORITHMS[solved.scenario.algorithm]
    if entry.inputs == "graph":
        return _leaks(solved, NO_EDGE_ALONE)
    if hasattr(solved.trace.final, "taught"):
        return _guesses(solved)
    if params.get("gamma_I") and "n_neighbors" in params:
        return _leaks(solved, NO_EDGE)
    if entry.inputs == "linear" and (straight := _straight(solved, error)):
        return straight
    if "C" in params or "lam_u" in params:
        return _objectives(solved)
    return LABELS_ONLY


def _leaks(solved: Solved, none: str) -> str:
    """Edges of the graph between different classes; ``none`` where there are none."""
    problem = solved.problem
    n, known = len(problem.given), problem.truth >= 0
    if n > MAX_GRAPH or not known.all():
        return ""
    W = graph_of(solved.scenario, problem.X)
    n_between, n_edges = bridges(W, problem.truth), W.nnz // 2
    if n_between == 0:
        return none
    return (
        f"{n_between:,} of the {n_edges:,} edges of its graph "
        f"({rate(n_between / n_edges)}) join different classes, and labels spread "
        f"across them."
    )


def _guesses(solved: Solved) -> str:
    """Labels that a self-trained classifier guessed wrong, and since when."""
    taught = solved.trace.final.taught
    guessed = np.flatnonzero((taught > 0) & (solved.problem.truth >= 0))
    made = solved.trace.labels[taught[guessed] - 1, guessed]
    wrong = guessed[made != solved.truth[guessed]]
    if len(wrong) == 0:
        return LABELS_ONLY
    return (
        f"{len(wrong):,} of the {len(guessed):,} labels that it guessed are wrong, the "
        f"first of them in round {taught[wrong].min():,}, and later rounds were "
        f"trained on them."
    )


def _straight(solved: Solved, error: float) -> str:
    """What a linear machine could reach at best, where that is no better."""
    problem, params = solved.problem, solved.scenario.params
    truth = np.where(problem.given >= 0, problem.given, problem.truth)
    machine = make(LINEAR_SVM, lam=params["lam"]).fit(problem.X, truth)
    best = (machine.predict(problem.X) != problem.truth)[_judged(problem)].mean()
    if best < error / 2:
        return ""
    return (
        f"Its boundary is straight, and none fits: a linear SVM trained on "
        f"every label still has {rate(best)} wrong."
    )


def _objectives(solved: Solved) -> str:
    """Whether the true labels are a better or a worse minimum than those found."""
    problem = solved.problem
    n, hidden = len(problem.given), problem.given < 0
    known = np.isin(problem.truth[hidden], solved.classes).all()
    if not known:
        return ""
    if n > MAX_RETRAINED:
        return (
            f"Whether it ended in a local minimum is computed for up to "
            f"{MAX_RETRAINED:,} points, these are {n:,}."
        )
    retraining = _protocol(solved).retraining(problem)
    found = retraining.objective(predicted(solved, solved.trace.final.f))
    true = retraining.objective(np.where(hidden, problem.truth, problem.given))
    compared = (
        f"an SVM retrained on its labels has the objective {number(found)}, on the "
        f"true ones {number(true)}"
    )
    if true < found * (1 - SAME):
        return f"It ended in a local minimum: {compared}."
    return (
        f"{compared[0].upper()}{compared[1:]}: the boundary it looks for, one where "
        f"points are few, is not the one between the classes."
    )


def _protocol(solved: Solved) -> Protocol:
    """Weights and kernel of the method itself, for squared hinge losses."""
    params, problem = solved.scenario.params, solved.problem
    protocol = Protocol.of(solved.scenario)
    if "C_u" in params:
        return protocol
    if "C" in params:  # the path ends where both weights are the same
        return replace(protocol, C_u=params["C"])
    lam, l, u = params["lam"], problem.n_labelled, problem.n_unlabelled  # noqa: E741
    C, C_u = 1 / (2 * lam * l), params["lam_u"] / (2 * lam * max(u, 1))
    return replace(protocol, kernel="linear", C=C, C_u=C_u)
