"""What pip can install beside us, and the problems that all of them are given.

Settings are not tuned to any method: the same kernel width, neighbours and
weights for all, each program's own defaults for the rest. Kernel machines and S3VMs
minimise their own objectives with C and C_u translated into their scale. What was tried
and not kept is told in docs/tables/peers_notes.md.
"""

import contextlib
import importlib
import importlib.util
import io
import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.calibration import CalibratedClassifierCV
from sklearn.semi_supervised import (
    LabelPropagation,
    LabelSpreading,
    SelfTrainingClassifier,
)
from sklearn.svm import SVC, LinearSVC

from halfmoon.datasets import hide_labels, load, original_split
from ssl_core import make
from tests.benchmarks.bench_sparse import documents

LAM = 1e-3  # of the linear machines
INSTALL = "`make bench` installs it where it can"


# -- problems -------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """Points, labels with -1 where hidden, and the settings all methods get."""

    title: str
    X: Any
    y: np.ndarray
    truth: np.ndarray
    sigma: float = 1.0
    n_neighbors: int = 6
    C: float = 10.0
    C_u: float = 1.0
    graph: dict = field(default_factory=dict)  # of LapSVM alone

    @property
    def hidden(self) -> np.ndarray:
        return self.y < 0

    @property
    def gamma(self) -> float:
        return 0.5 / self.sigma**2

    @property
    def known(self):
        """The labelled points alone."""
        return self.X[~self.hidden], self.y[~self.hidden]


def moons(n):
    data = load("two_moons", n=n, random_state=0)
    y = hide_labels(data, per_class=3)
    return Problem(f"two moons, n = {n}", data.X, y, data.y, sigma=0.35)


def digits():
    """0-4 against 5-9, 25 labels of each, as for the kernel S3VMs."""
    data = load("digits")
    X, truth = data.X / data.X.max(), (data.y >= 5).astype(int)
    y = hide_labels(truth, per_class=25)
    return Problem("digits 0-4 / 5-9, n = 1797", X, y, truth, sigma=2.0, C_u=10.0)


def g50c():
    """[MB11] Table 9's graph, [CSK08]'s C."""
    data = load("g50c_original")
    rows = original_split(data, 0).labeled
    y = np.full(data.n, -1)
    y[rows] = data.y[rows]
    graph = {"gamma_A": 1e-6, "gamma_I": 1e-2, "laplacian_degree": 5}
    weights = {"sigma": 17.5, "n_neighbors": 50, "C": 19.0, "C_u": 19.0}
    return Problem("g50c, split 0", data.X, y, data.y, graph=graph, **weights)


def pcmac():
    """[MB11] Table 9's kernel and graph."""
    data = load("text_pcmac")
    y = hide_labels(data, per_class=25)
    graph = {"gamma_A": 1e-4, "gamma_I": 1.0, "laplacian_degree": 5}
    weights = {"sigma": 2.7, "n_neighbors": 50, "C_u": 10.0}
    return Problem("PCMAC, n = 1946", data.X, y, data.y, graph=graph, **weights)


def text():
    X, y, truth = documents(20_000, 20_000, 57, 50)
    return Problem("text, 20,000 documents", X, y, truth)


KERNEL_PROBLEMS = {
    "moons 200": lambda: moons(200),
    "moons 1000": lambda: moons(1000),
    "moons 2000": lambda: moons(2000),
    "digits": digits,
    "g50c": g50c,
    "pcmac": pcmac,
}
LINEAR_PROBLEMS = {"text": text}
DATA = {"g50c": "g50c_original", "pcmac": "text_pcmac"}  # not bundled


# -- methods --------------------------------------------------------------------------


@dataclass(frozen=True)
class Method:
    """``run`` gives the labels of the hidden points; ``refuses`` why it cannot.

    Where a run takes ten seconds or more, ``once`` names the problem: it is then timed
    once, and its row says so.
    """

    run: Callable[[Problem], np.ndarray]
    package: str = "sklearn"
    refuses: Callable[[Problem], str] = lambda problem: ""
    once: tuple[str, ...] = ()

    def missing(self) -> str:
        """Why the method cannot run here, or nothing."""
        if importlib.util.find_spec(self.package) is None:
            return f"{self.package} is not installed; {INSTALL}."
        return ""


def ours(name, settings):
    def run(problem):
        est = make(name, **settings(problem)).fit(problem.X, problem.y)
        return est.predict(problem.X[problem.hidden])

    return Method(run, "ssl_core")


def lapsvm(problem):
    return {
        "sigma": problem.sigma,
        "n_neighbors": problem.n_neighbors,
        **problem.graph,
    }


def s3vm(problem):
    return {"sigma": problem.sigma, "C": problem.C, "C_u": problem.C_u}


def supervised(problem):
    return {"sigma": problem.sigma, "gamma_A": 0.5 / problem.C}


def inductive(make_estimator):
    """An estimator that learns from all points and predicts the hidden ones."""

    def run(problem):
        est = make_estimator(problem).fit(problem.X, problem.y)
        return est.predict(problem.X[problem.hidden])

    return run


def from_labels(make_estimator):
    """An estimator that learns from the labelled points alone."""

    def run(problem):
        est = make_estimator(problem).fit(*problem.known)
        return est.predict(problem.X[problem.hidden])

    return run


def transductive(make_estimator):
    def run(problem):
        est = make_estimator(problem).fit(problem.X, problem.y)
        return est.transduction_[problem.hidden]

    return run


def svc(problem):
    return SVC(C=problem.C, gamma=problem.gamma)


def with_probabilities(estimator):
    """Self-training asks for probabilities, which a machine has from calibration."""
    return CalibratedClassifierCV(estimator, cv=3, ensemble=False)


def linear_svc(problem):
    """The objective of `l2svm_mfn`, whose bias is regularised as this one's is."""
    n_labeled = np.count_nonzero(~problem.hidden)
    return LinearSVC(C=0.5 / (n_labeled * LAM), intercept_scaling=1.0)


def tri_training(problem):
    wrapper = importlib.import_module("sslearn.wrapper")
    return wrapper.TriTraining(random_state=0)


def graph_learning(name):
    def run(problem):
        learning = importlib.import_module("graphlearning")
        matrix, k = learning.weightmatrix, problem.n_neighbors
        # exact neighbours: beyond five features its default is another package's guess
        search = "kdtree" if problem.X.shape[1] <= 5 else "brute"
        nearest = matrix.knnsearch(problem.X, k + 1, method=search)
        W = matrix.knn(problem.X, k, knn_data=nearest)
        rows = np.flatnonzero(~problem.hidden)
        model = getattr(learning.ssl, name)(W)
        return model.fit_predict(rows, problem.y[rows])[problem.hidden]

    return run


@cache
def qn_s3vm_class():
    """QN_S3VM with the names it has from ``from numpy import *`` as they were.

    Numpy 2 took ``mat`` away and put its own ``min`` in place of Python's. The import
    prints, and sets everybody's filters of warnings.
    """
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        module = importlib.import_module("semisupervised.qns3vm")
    module.mat, module.min, module.abs = np.asmatrix, min, abs
    return module.QN_S3VM


def qn_s3vm(problem):
    """Its objective, 1/l sum + lamU/u sum + lam |f|^2, for our C and C_u."""
    X, y = problem.known
    u = np.count_nonzero(problem.hidden)
    unlabeled = problem.X[problem.hidden].tolist()
    model = qn_s3vm_class()(
        X.tolist(),
        (2 * y - 1).tolist(),
        unlabeled,
        random.Random(0),
        lam=0.5 / (len(y) * problem.C),
        lamU=problem.C_u * u / (problem.C * len(y)),
        kernel_type="RBF",
        sigma=problem.sigma,
    )
    model.train()
    return (np.array(model.getPredictions(unlabeled)) > 0).astype(int)


def dense(problem):
    return "It takes no sparse points." if sp.issparse(problem.X) else ""


KERNEL_METHODS = {
    "`lapsvm_pcg`": ours("lapsvm_pcg", lapsvm),
    "`nabla_s3vm`": ours("nabla_s3vm", s3vm),
    "`svm`": ours("svm", supervised),
    "SVC": Method(from_labels(svc)),
    "LabelSpreading, rbf": Method(
        transductive(lambda problem: LabelSpreading("rbf", gamma=problem.gamma))
    ),
    "LabelSpreading, knn": Method(
        transductive(lambda p: LabelSpreading("knn", n_neighbors=p.n_neighbors))
    ),
    "LabelPropagation, rbf": Method(
        transductive(lambda problem: LabelPropagation("rbf", gamma=problem.gamma))
    ),
    "LabelPropagation, knn": Method(
        transductive(lambda p: LabelPropagation("knn", n_neighbors=p.n_neighbors))
    ),
    "SelfTrainingClassifier, SVC": Method(
        inductive(lambda p: SelfTrainingClassifier(with_probabilities(svc(p)))),
        once=("pcmac",),
    ),
    "sslearn TriTraining, trees": Method(inductive(tri_training), "sslearn", dense),
    "graphlearning laplace": Method(graph_learning("laplace"), "graphlearning", dense),
    "graphlearning poisson": Method(graph_learning("poisson"), "graphlearning", dense),
    "QN-S3VM": Method(qn_s3vm, "semisupervised", dense, ("digits",)),
}


def labels_only(problem):
    return {"lam": LAM}


def with_ratio(problem):
    return {"lam": LAM, "lam_u": 1.0, "r": 0.5}


LINEAR_METHODS = {
    "`l2svm_mfn`": ours("l2svm_mfn", labels_only),
    "`tsvm`": ours("tsvm", with_ratio),
    "`da`": ours("da", with_ratio),
    "LinearSVC": Method(from_labels(linear_svc)),
    "SelfTrainingClassifier, LinearSVC": Method(
        inductive(lambda p: SelfTrainingClassifier(with_probabilities(linear_svc(p))))
    ),
    "LabelSpreading, knn": Method(
        transductive(lambda p: LabelSpreading("knn", n_neighbors=p.n_neighbors)),
        once=("text",),
    ),
}
