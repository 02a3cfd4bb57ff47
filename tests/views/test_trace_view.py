"""Views of a trace alone: the same pictures as the app's, from what a trace knows."""

import json

import numpy as np
import pytest

from halfmoon import __version__, hide_labels, load, stage
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import default
from halfmoon.stage.pack import unpack
from halfmoon.views import Budget, trace_view
from ssl_core import ALGORITHMS, Trace, make
from ssl_core.registry import algorithm_of

MOONS = load("two_moons", n=60, noise=0.1, random_state=0)
Y = hide_labels(MOONS, n_labeled=4, random_state=0)


def blobs(n=60, labels=(0, 1, 2)):
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 3
    X = rng.normal(size=(n, 2), scale=0.3) + np.array([[0, 0], [2, 0], [1, 2]])[truth]
    y = np.full(n, -1)
    for c in labels:
        y[np.flatnonzero(truth == c)[:3]] = c
    return X, y, truth


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.mark.parametrize(
    "name", ["lapsvm_pcg", "svm", "cccp", "da_kernel", "tsvm", "branch_and_bound"]
)
def test_a_trace_alone_makes_the_picture_of_the_app(name, server):
    scenario = default().with_algorithm(name)
    solved = server.ask(scenario).outcome()
    picture = server.picture(scenario)
    app = stage_views.run_view(solved, scenario, picture)
    data = solved.problem.data
    truth = [None if c < 0 else c for c in solved.problem.truth]
    own = trace_view(solved.trace, truth=truth, class_names=data.class_names)
    assert own.captions == app.captions
    assert own.tiles == app.tiles
    assert own.title == app.title
    assert own.status == app.status
    assert own.events == app.events
    assert own.marks_name == app.marks_name
    assert [p.title for p in own.panels] == [p.title for p in app.panels]
    same = ("points", "given", "truth", "frame_t", "field", "f_per_frame")
    for part in (*same, "p_per_frame", "marks_per_frame", "edges"):
        ours, theirs = getattr(own, part), getattr(app, part)
        assert (ours is None) == (theirs is None), part
        if ours is not None:
            np.testing.assert_array_equal(ours, theirs, err_msg=part)
    assert (own.extent, own.class_names) == (app.extent, app.class_names)


def test_every_estimator_of_the_registry_is_known_by_its_trace():
    kinds = [entry.estimator.__name__ for entry in ALGORITHMS.values()]
    assert len(set(kinds)) == len(kinds)
    trace = make("lapsvm_pcg").trace(MOONS.X, Y)
    assert algorithm_of(trace).id == "lapsvm_pcg"


def test_classes_have_the_callers_names():
    y = np.where(Y < 0, None, np.where(Y > 0, "sick", "healthy"))
    truth = np.where(MOONS.y > 0, "sick", "healthy")
    trace = make("lapsvm_pcg", unlabeled=None, sigma=0.35).trace(MOONS.X, y)
    view = trace_view(trace, truth=truth)
    assert view.class_names == ("healthy", "sick")
    np.testing.assert_array_equal(view.truth, MOONS.y)
    np.testing.assert_array_equal(view.given, Y)
    renamed = trace_view(trace, class_names=["class A", "class B"])
    assert renamed.class_names == ("class A", "class B")


def test_a_class_without_a_label_is_there_and_never_wins():
    X, y, truth = blobs(labels=(0, 2))
    view = trace_view(make("lapsvm_pcg", sigma=0.5).trace(X, y), truth=truth)
    assert view.class_names == ("0", "2", "1")
    assert set(view.f_per_frame.argmax(axis=2).ravel()) <= {0, 1}
    np.testing.assert_array_equal(view.truth, np.array([0, 2, 1])[truth])
    (tile,) = (t for t in view.tiles if t.label == "unlabelled error")
    assert float(tile.values[-1].removesuffix(" %")) >= 30  # a third has no label


@pytest.mark.parametrize("unknown", [None, np.nan])
def test_what_nobody_knows_is_not_counted(unknown):
    truth = [unknown if i % 2 else int(c) for i, c in enumerate(MOONS.y)]
    view = trace_view(make("svm", sigma=0.35).trace(MOONS.X, Y), truth=truth)
    known = view.truth >= 0
    labelled = np.flatnonzero(Y >= 0)
    expected = {*range(0, len(Y), 2), *labelled}  # a label is known
    assert set(np.flatnonzero(known)) == expected


def test_more_features_are_shown_by_principal_components_and_without_a_field():
    digits = load("digits")
    y = hide_labels(digits.y[:300], per_class=2, random_state=0)
    est = make("lapsvm_pcg", sigma="auto", max_iter=3)
    view = trace_view(est.trace(digits.X[:300], y))
    assert view.field is None
    assert view.axis_names == ("PC 1", "PC 2")
    assert view.f_per_frame.shape[1:] == (300, 10)
    own = np.random.default_rng(0).normal(size=(300, 2))
    trace = est.trace(digits.X[:300], y)
    placed = trace_view(trace, points=own, axis_names=("a", "b"))
    np.testing.assert_array_equal(placed.points, own)
    assert placed.axis_names == ("a", "b")


def test_a_precomputed_kernel_has_points_where_its_caller_puts_them():
    K = np.exp(-((MOONS.X[:, None] - MOONS.X) ** 2).sum(-1))
    trace = make("svm", kernel="precomputed").trace(K, Y)
    with pytest.raises(ValueError, match="points must be given"):
        trace_view(trace)
    assert trace_view(trace, points=MOONS.X).field is None


def test_the_caption_says_what_made_the_picture():
    trace = make("lapsvm_pcg", sigma=0.35, gamma_I=2.0).trace(MOONS.X, Y)
    about = trace_view(trace, data="Two moons").about
    assert about.startswith("Two moons: 60 points, 4 labels. Laplacian SVM, PCG (")
    assert "sigma = 0.35" in about
    assert "gamma_I = 2" in about
    assert about.endswith(f"Halfmoon {__version__}.")
    assert "n_neighbors" not in about  # it has its default


def test_a_saved_trace_is_shown_as_the_one_it_was(tmp_path):
    trace = make("lapsvm_pcg", sigma=0.35).trace(MOONS.X, Y)
    trace.save(tmp_path / "run.npz")
    views = [trace_view(t) for t in (trace, Trace.load(tmp_path / "run.npz"))]
    ours, theirs = (unpack(stage.payload(view)) for view in views)
    assert json.dumps(ours[0]) == json.dumps(theirs[0])
    for name in ours[1]:
        np.testing.assert_array_equal(ours[1][name], theirs[1][name])


def test_a_graph_from_outside_is_not_drawn_as_another():
    W = np.ones((60, 60)) - np.eye(60)
    view = trace_view(make("laprlsc", W=W, sigma=0.35).trace(MOONS.X, Y))
    assert view.edges is None


def test_a_long_run_is_thinned_as_the_app_thins_it():
    trace = make("lapsvm_pcg", tol=0, max_iter=200, sigma=0.35).trace(MOONS.X, Y)
    view = trace_view(trace, budget=Budget(frames=40))
    assert view.n_frames <= 80
    assert view.frame_t[-1] == trace.final.t


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"truth": [0, 1]}, "truth must hold a class for each of the 60"),
        ({"class_names": ["a"]}, "class_names must hold a name for each of the 2"),
        ({"points": np.zeros((60, 3))}, "points must hold two finite numbers"),
        ({"points": np.full((60, 2), np.nan)}, "points must hold two finite numbers"),
    ],
)
def test_what_does_not_fit_is_refused(given, message):
    trace = make("svm", sigma=0.35).trace(MOONS.X, Y)
    with pytest.raises(ValueError, match=message):
        trace_view(trace, **given)


WRONG = {
    "class_names must be a list, got 3": {"class_names": 3},
    "class_names must be a list, got 'ab'": {"class_names": "ab"},
    "truth must be a list, got 3": {"truth": 3},
    "axis_names must be a list, got 3": {"axis_names": 3},
    "axis_names must be two, got 1": {"axis_names": ["x"]},
    "points must hold two numbers for each point, got 'abc'": {"points": "abc"},
}


@pytest.mark.parametrize(("sentence", "shown"), WRONG.items(), ids=WRONG)
def test_what_cannot_be_meant_is_refused_in_a_sentence(sentence, shown):
    trace = make("svm").trace(MOONS.X, Y)
    with pytest.raises((TypeError, ValueError), match=sentence):
        trace_view(trace, **shown)


def test_points_in_one_place_are_shown_without_a_warning():
    X = np.ones((20, 3))
    trace = make("svm", sigma=1.0).trace(X, np.r_[0, 1, [-1] * 18])
    assert np.isfinite(trace_view(trace).points).all()
