"""A method of the graph alone: averages of neighbours, added with one entry.

Outputs of unlabelled points are the mean of their neighbours', those of labelled points
their labels. A newcomer wrote it with CONTRIBUTING.md alone.
"""

from dataclasses import dataclass
from itertools import count

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.utils.estimator_checks import parametrize_with_checks
from streamlit.testing.v1 import AppTest

from halfmoon import plugins
from halfmoon.scenario import default
from ssl_core import ALGORITHMS, Status, make
from ssl_core.estimators import GraphClassifier
from ssl_core.estimators.groups import Stopping
from ssl_core.graph import knn_weights
from ssl_core.quantities import DISTANCE, quantity
from ssl_core.registry import MANIFOLD, Algorithm, Curve, register_algorithm
from ssl_core.settings import shared
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import State
from tests.pages.finding import APP, shown_on_stage
from tests.small_problems import BY_NAME, MULTICLASS

BINARY = BY_NAME["two_moons"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragesState(State):
    """Snapshot after a sweep; `objective` is the energy f' (D - W) f."""

    moved: float = quantity("largest change", role=DISTANCE, merge="max")


class Averages(Solver):
    """Settings of `averages`."""

    tol: float = shared(Usual, doc="Largest change of an output that ends the run.")

    def __call__(self, problem, start=None):
        return averages(*problem, **self.values, start=start)


def averages(W, y, *, tol=Averages.tol, start=None):
    """f <- D^-1 W f on unlabelled points until no output moves."""
    degrees = W.sum(axis=1)
    free = (y == 0) & (degrees > 0)
    f = np.where(y == 0, 0.0 if start is None else start.f, y).astype(float)
    moved = 2.0  # before the first sweep: from one label to the other
    for t in count():
        sums = W @ f
        done = moved <= tol
        yield AveragesState(
            t=t,
            objective=float(f @ (degrees * f - sums)),
            f=f,
            moved=moved,
            status=Status.CONVERGED if done else Status.RUNNING,
        )
        if done:
            return
        before, f = f, f.copy()
        f[free] = sums[free] / degrees[free]
        moved = float(np.abs(f - before).max())


class AveragesClassifier(GraphClassifier):
    """Unlabelled outputs are the mean of their neighbours'."""

    _state = AveragesState
    _solver = Averages

    tol: float = shared(Averages)
    max_iter: int = shared(Stopping, default=5_000, slider=(1, 20_000))

    def _machine(self, W, y, start):
        return self._solver.of(self)((W, y), start)


@pytest.fixture
def entry():
    with plugins.temporarily():
        register_algorithm(
            Algorithm(
                id="averages",
                estimator=AveragesClassifier,
                title="Averages of neighbours",
                family=MANIFOLD,
                idea="Each unlabelled point takes the mean of its neighbours.",
                objective=r"\sum_{i,j} w_{ij} (f_i - f_j)^2",
                curves=(Curve("Energy", ("objective",)),),
                max_n=4_000,
            )
        )
        yield ALGORITHMS["averages"]


@parametrize_with_checks(
    [AveragesClassifier()],
    expected_failed_checks=lambda estimator: {
        "check_classifiers_classes": "uses -1 as a class, as for the others",
    },
)
def test_it_passes_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("weights", ["binary", "heat"])
def test_it_is_the_solution_of_the_linear_system(weights):
    X, y = BINARY.X, BINARY.y
    est = AveragesClassifier(tol=1e-12, weights=weights, max_iter=50_000).fit(X, y)
    W = knn_weights(X, 6, weights=weights).toarray()
    free, sides = y < 0, 2.0 * y - 1
    L = np.diag(W.sum(axis=1)) - W
    f = np.linalg.solve(L[np.ix_(free, free)], W[np.ix_(free, ~free)] @ sides[~free])
    np.testing.assert_allclose(est.state_.f[free], f, atol=1e-8)
    np.testing.assert_allclose(est.decision_function(X), est.state_.f, atol=1e-12)


def test_sparse_points_and_several_classes():
    X, y = MULTICLASS.X, MULTICLASS.y
    est = AveragesClassifier(tol=1e-8).fit(X, y)
    assert est.state_.f.shape == (len(y), MULTICLASS.n_classes)
    twin = AveragesClassifier(tol=1e-8).fit(sp.csr_array(X), y)
    np.testing.assert_allclose(twin.state_.f, est.state_.f, atol=1e-6)
    new = X + 1e-3
    assert (est.predict(new) == est.predict(X)).mean() > 0.95


@pytest.mark.parametrize(("classes", "called"), [("ab", "b"), ("abc", "a")])
def test_points_that_no_label_reaches_are_warned_of(classes, called):
    groups = [(i * 100.0 + np.arange(8.0))[:, None] for i in range(len(classes) + 1)]
    y = np.full((len(groups), 8), -1, dtype=object)
    y[:-1, 0] = list(classes)
    with pytest.warns(UserWarning, match=rf"8 of \d+ .* gives them class {called}"):
        est = AveragesClassifier(n_neighbors=2).fit(np.concatenate(groups), y.ravel())
    assert set(est.predict(groups[-1])) == {called}
    y[-1, 0] = classes[0]
    AveragesClassifier(n_neighbors=2).fit(np.concatenate(groups), y.ravel())


def test_its_knobs_are_those_of_a_graph(entry):
    assert entry.inputs == "graph"
    names = {knob.name for knob in entry.knobs}
    assert {"n_neighbors", "weights", "tol", "stop"} <= names
    assert not names & {"kernel", "sigma", "degree", "coef0"}
    assert make("averages", n_neighbors=4).n_neighbors == 4


def test_the_playground_shows_it(entry):
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params.update(default().with_algorithm("averages").to_url())
    app.run()
    assert not app.exception
    assert not app.error
    assert len(shown_on_stage(app)["frame_t"]) > 2
