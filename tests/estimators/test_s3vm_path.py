"""The S3VM path as an estimator: `at`, `best`, and what a recording leaves of them."""

import pickle
from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError

from ssl_core import Status, make
from ssl_core.estimators import s3vm_path as module
from ssl_core.models import KernelExpansion
from tests.path_problems import outputs_by_qp

BOTH = pytest.mark.parametrize("centered", [False, True])


def two_moons(n=100, per_class=2):
    X, truth = make_moons(n, noise=0.1, random_state=0)
    y = np.full(n, -1)
    for c in (0, 1):
        y[np.flatnonzero(truth == c)[:per_class]] = c
    return X, y, truth


def three_blobs(n=90, seed=1):
    X, truth = make_blobs(n, centers=[[0, 0], [2.5, 0], [1, 2]], random_state=seed)
    y = np.full(n, -1)
    for c in range(3):
        y[np.flatnonzero(truth == c)[:4]] = c
    return X, y, truth


@cache
def recorded(centered=False, record_states="full"):
    X, y, _ = two_moons()
    est = make("s3vm_path", sigma=0.5, C=10.0, centered=centered)
    return est, est.trace(X, y, record_states=record_states)


@cache
def three_classes():
    X, y, _ = three_blobs()
    est = make("s3vm_path", sigma=0.8)
    return est, est.trace(X, y, record_states="metrics")


def wrong_at(est, C_u, X, y):
    """Error of the machine at C_u, one product of its own."""
    f = est.model_.outputs([est.at(C_u).state_], X)[0]
    decisions = f > 0 if f.ndim == 1 else f.argmax(axis=1)
    return np.mean(decisions != y)


# at -------------------------------------------------------------------------------


@BOTH
def test_at_a_break_point_is_its_state_after_the_jump(centered):
    est, trace = recorded(centered)
    jumps = 0
    for state, following in pairwise(trace.states):
        if following.C_u == state.C_u:
            jumps += following.step_kind == "DJ"
            continue
        found = est.at(state.C_u).state_
        assert found.t == state.t
        assert found.C_u == state.C_u
        for name in ("f", "alpha", "beta"):
            ours, theirs = getattr(found, name), getattr(state, name)
            np.testing.assert_allclose(ours, theirs, atol=1e-10, err_msg=name)
        assert found.b == pytest.approx(state.b, abs=1e-12)
        np.testing.assert_array_equal(found.y_u, state.y_u)
        assert found.objective == pytest.approx(state.objective, rel=1e-12)
    assert jumps > 2


@BOTH
def test_at_the_end_is_the_fitted_machine(centered):
    est, trace = recorded(centered)
    last = est.at(10.0).state_
    assert last.status is Status.FINISHED
    np.testing.assert_allclose(last.f, trace.final.f, atol=1e-10)
    np.testing.assert_allclose(last.alpha, est.state_.alpha, atol=1e-10)


def test_at_has_the_sizes_of_its_piece():
    est, trace = recorded()
    for a, b in pairwise(trace.states):
        if b.C_u == a.C_u:
            continue
        found = est.at(0.3 * a.C_u + 0.7 * b.C_u).state_
        names = ("n_O", "n_M", "n_I_l", "n_I_u")
        assert [getattr(found, n) for n in names] == [getattr(a, n) for n in names]
        np.testing.assert_array_equal(found.on_margin, a.on_margin)


def test_at_agrees_with_a_fresh_qp_anywhere():
    est, _ = recorded()
    X, y, _ = two_moons()
    problem = est.path_[0].problem
    problem.K = est.model_.matrix(X)
    for C_u in np.random.default_rng(0).uniform(0, 10, 10):
        found = est.at(C_u).state_
        f, objective = outputs_by_qp(problem, found.y_u, C_u)
        np.testing.assert_allclose(found.f, f, atol=1e-7)
        assert found.objective == pytest.approx(objective, rel=1e-9)
        np.testing.assert_array_equal(found.y_u, np.sign(found.f[y < 0]))
    problem.K = None


def check_optimal(est, C_u, X, y):
    """[OITS13] eq. (8) of a fitted classifier, from its outputs and its duals alone."""
    state, labels = est.state_, np.where(y < 0, 0, 2 * y - 1)
    labels[y < 0] = state.y_u
    f = est.decision_function(X)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * est.sigma_**2))
    np.testing.assert_allclose(K @ state.alpha + state.b, f, atol=1e-9)
    assert state.b == pytest.approx(2 * (y[y >= 0] == 1).mean() - 1)
    dual, margin = labels * state.alpha, labels * f
    cap = np.where(y < 0, C_u, est.C)
    assert (margin[y < 0] > -1e-8).all()
    assert (dual > -1e-10).all()
    assert (dual < cap + 1e-10).all()
    np.testing.assert_allclose(dual[margin > 1 + 1e-7], 0, atol=1e-10)
    inside = margin < 1 - 1e-7
    np.testing.assert_allclose(dual[inside], cap[inside], atol=1e-10)
    loss = cap * np.maximum(0, 1 - margin)
    objective = state.alpha @ K @ state.alpha / 2 + loss.sum()
    assert state.objective == pytest.approx(objective, rel=1e-9)


def test_at_gives_a_fitted_classifier_and_leaves_the_estimator_as_it_was():
    est, _ = recorded()
    X, y, truth = two_moons()
    last = est.state_
    for C_u in np.random.default_rng(1).uniform(0, 10, 8):
        found = est.at(C_u)
        assert type(found) is type(est)
        check_optimal(found, C_u, X, y)
        np.testing.assert_allclose(
            found.decision_function(X), found.state_.f, atol=1e-9
        )
        predicted = (found.decision_function(X) > 0).astype(int)
        np.testing.assert_array_equal(found.predict(X), predicted)
        assert found.score(X, truth) == np.mean(predicted == truth)
        assert found.get_params() == est.get_params()
        assert found.at(1.0).state_.objective == est.at(1.0).state_.objective
    assert est.state_ is last
    found.fit(X[:40], y[:40])
    assert len(est.decision_function(X)) == len(est.state_.f) == len(X)


def test_at_a_jump_is_either_side_of_it():
    est, trace = recorded()
    X, y, _ = two_moons()
    jumps = 0
    for a, b in pairwise(trace.states):
        if b.step_kind != "DJ":
            continue
        jumps += 1
        before, after = est.at(b.C_u, before=True), est.at(b.C_u)
        for found, state in ((before, a), (after, b)):
            np.testing.assert_allclose(found.state_.f, state.f, atol=1e-9)
            np.testing.assert_array_equal(found.state_.y_u, state.y_u)
            check_optimal(found, b.C_u, X, y)
        assert after.state_.objective < before.state_.objective
        assert np.flatnonzero(before.state_.y_u != after.state_.y_u).size
    assert jumps == 7
    np.testing.assert_array_equal(est.at(0, before=True).state_.f, est.at(0).state_.f)


@pytest.mark.parametrize("policy", ["metrics", 50])
def test_a_thinned_recording_leaves_the_path_whole(policy):
    est, trace = recorded(False, policy)
    full, _ = recorded()
    assert len(trace.kept) < len(trace) / 10
    for state in trace.states:  # what tells of a jump survives
        assert state.step_kind in ("CP", "DJ")
        assert (state.step_kind == "DJ") == bool(state.flipped)
    assert sum(s.step_kind == "DJ" for s in trace.states) == 7
    for C_u in (0.0, 1e-3, 0.0442, 0.3, 9.9, 10.0):
        np.testing.assert_array_equal(est.at(C_u).state_.f, full.at(C_u).state_.f)


def test_the_path_is_kept_in_a_few_numbers_per_break_point():
    est, trace = recorded()
    on_margin = sum(s.n_M for s in trace.states)
    n = len(trace.y)
    assert est.path_[0].nbytes < 12 * on_margin + 10 * 4 * n + 30 * len(trace)
    assert est.path_[0].nbytes < 0.2 * 8 * n * len(trace)


@pytest.mark.parametrize(
    ("C_u", "words"),
    [
        (-0.1, "C_u must be a number >= 0, got -0.1"),
        (10.5, "C_u must be at most 10, where this path ends, got 10.5"),
        (np.nan, "C_u must be a number >= 0, got nan"),
        ("much", "C_u must be a number >= 0, got 'much'"),
    ],
)
def test_places_off_the_path_are_refused_in_a_sentence(C_u, words):
    est, _ = recorded()
    with pytest.raises(ValueError, match=words):
        est.at(C_u)


def test_before_a_run_there_is_no_path():
    for call in (lambda e: e.at(0.5), lambda e: e.best([[0.0, 0.0]], [1])):
        with pytest.raises(NotFittedError):
            call(make("s3vm_path"))


def test_an_abandoned_run_has_its_path_so_far():
    X, y, truth = two_moons()
    est = make("s3vm_path", sigma=0.5, C=10.0)
    *_, state = islice(est.iterate(X, y), 30)
    np.testing.assert_allclose(est.at(state.C_u).state_.f, state.f, atol=1e-10)
    with pytest.raises(ValueError, match="where this path ends"):
        est.at(10.0)
    assert est.best(X, truth).intervals[-1][1] <= state.C_u
    next(est.iterate(X, y))
    assert est.at(0.0).state_.C_u == 0.0
    assert est.best(X, truth).intervals == ((0.0, 0.0),)


def test_a_run_stopped_by_its_limit_says_so_and_keeps_its_path():
    X, y, _ = two_moons()
    est = make("s3vm_path", sigma=0.5, C=10.0, max_iter=30)
    with pytest.warns(UserWarning, match="30 iterations; raise max_iter"):
        est.fit(X, y)
    np.testing.assert_allclose(
        est.at(est.state_.C_u).state_.f, est.state_.f, atol=1e-10
    )


def test_a_kernel_with_a_ridge_gives_the_outputs_of_its_states():
    X, y, _ = two_moons(60)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 0.5)
    K -= 0.02 * np.eye(60)  # no longer positive semi-definite
    est = make("s3vm_path", kernel="precomputed", C=1.0)
    trace = est.trace(K, y)
    assert trace.states[0].events[0].kind == "ridge"
    for state in trace.states[:: len(trace) // 7]:
        if est.at(state.C_u).state_.t == state.t:
            np.testing.assert_allclose(est.at(state.C_u).state_.f, state.f, atol=1e-10)


def test_a_pickled_estimator_has_its_path():
    est, _ = recorded()
    again = pickle.loads(pickle.dumps(est))
    np.testing.assert_array_equal(again.at(0.7).state_.f, est.at(0.7).state_.f)


# best -----------------------------------------------------------------------------


def check_best(est, best, X, y, end):
    """The error is least inside the intervals and larger beside and between them."""
    places = np.concatenate([np.geomspace(1e-4, end, 40), np.linspace(0, end, 40)])
    for C_u in np.minimum(places, end):
        error = wrong_at(est, C_u, X, y)
        inside = any(
            low <= C_u and (C_u < high or C_u == end == high)
            for low, high in best.intervals
        )
        assert (error == pytest.approx(best.error)) == inside, C_u
        assert error >= best.error - 1e-12
    for low, high in best.intervals:
        hair = 1e-6 * (high - low)
        assert wrong_at(est, low + hair, X, y) == pytest.approx(best.error)
        assert wrong_at(est, high - hair, X, y) == pytest.approx(best.error)
        if low - hair > 0:
            assert wrong_at(est, low - hair, X, y) > best.error
        if high + hair < end:
            assert wrong_at(est, high + hair, X, y) > best.error


@BOTH
@pytest.mark.parametrize("seed", range(3))
def test_the_best_interval_is_exact(centered, seed):
    est, _ = recorded(centered)
    X, y = make_moons(40, noise=0.25, random_state=seed)
    best = est.best(X, y)
    check_best(est, best, X, y, 10.0)
    widest = max(best.intervals, key=lambda i: i[1] - i[0])
    assert best.C_u == pytest.approx(sum(widest) / 2)
    assert wrong_at(est, best.C_u, X, y) == pytest.approx(best.error)


def test_the_best_interval_may_lie_strictly_inside_and_come_in_parts():
    est, _ = three_classes()
    X, _, truth = three_blobs(60, seed=2)
    intervals = est.best(X, truth).intervals
    assert len(intervals) > 1
    assert intervals[0][0] > 0
    assert intervals[-1][1] < 1


@pytest.mark.parametrize("seed", [2, 3])
def test_the_best_interval_of_several_classes_is_exact(seed):
    est, _ = three_classes()
    X, _, truth = three_blobs(50, seed)
    check_best(est, est.best(X, truth), X, truth, 1.0)


def test_outputs_that_rounding_makes_parallel_still_change_their_order():
    """Class 1 leads at the end, but both slopes are 4 in double precision."""
    left, right = np.array([[[-3.0, -3.0]]]), np.array([[[1.0, 1.0 + 2**-52]]])
    places, changes = module.wrong_of_several(
        np.array([0.0, 1.0]), left, right, np.array([1])
    )
    assert places.tolist() == [0.0, 1.0]
    assert changes.tolist() == [1, -1]


def test_best_leaves_out_points_without_a_class_and_refuses_to_judge_by_none():
    est, _ = recorded()
    X, y = make_moons(40, noise=0.25, random_state=0)
    some = np.where(np.arange(40) < 25, y, -1)
    assert est.best(X, some) == est.best(X[:25], y[:25])
    with pytest.raises(ValueError, match="y_val must have a point of one of the class"):
        est.best(X, np.full(40, -1))
    with pytest.raises(ValueError, match="X_val and y_val must have the same length"):
        est.best(X, y[:-1])


# Several classes, and the rest ----------------------------------------------------


def test_several_classes_have_a_path_each_and_meet_at_any_weight():
    est, trace = three_classes()
    X, y, _ = three_blobs()
    assert len(est.path_) == 3
    state = est.at(0.3).state_
    assert state.f.shape == (90, 3)
    assert state.C_u == 0.3
    np.testing.assert_array_equal(state.per_class["C_u"], 0.3)
    for j in range(3):
        alone = make("s3vm_path", sigma=0.8, unlabeled=-9)
        alone.fit(X, np.where(y < 0, -9, (y == j).astype(int)))
        np.testing.assert_allclose(state.f[:, j], alone.at(0.3).state_.f, atol=1e-9)
    np.testing.assert_allclose(est.at(1.0).state_.f, trace.final.f, atol=1e-10)


def test_what_is_no_number_is_kept_for_each_class():
    _, trace = three_classes()
    for state in trace.states:
        assert len(state.step_kind) == len(state.flipped) == 3
        for kind, flipped in zip(state.step_kind, state.flipped, strict=True):
            assert kind in ("CP", "DJ")
            assert kind == "DJ" or not flipped
    assert any("DJ" in state.step_kind for state in trace.states)


def test_a_run_of_several_classes_can_be_seeded():
    X, y, _ = three_blobs()
    est = make("s3vm_path", sigma=0.8)
    states = list(est.iterate(X, y))
    *_, last = est.iterate(X, y, start=states[len(states) // 2])
    np.testing.assert_allclose(last.f, states[-1].f, atol=1e-8)


def test_r_may_be_one_number_or_one_per_class():
    X, y, _ = two_moons()
    est = make("s3vm_path", sigma=0.5, r=0.3).fit(X, y)
    assert est.state_.b == pytest.approx(-0.4)
    X, y, _ = three_blobs()
    est = make("s3vm_path", sigma=0.8, r=[0.2, 0.3, 0.5]).fit(X, y)
    np.testing.assert_allclose(est.state_.b, [-0.6, -0.4, 0.0])
    with pytest.raises(ValueError, match="r must be one number, or one per class"):
        make("s3vm_path", r=[0.2, 0.8]).fit(X, y)
    for r in (0.0, 1.0, 1, "half"):
        with pytest.raises(ValueError, match="r must be a share of positive points"):
            make("s3vm_path", r=r).fit(X, y)


def test_the_mean_output_is_kept_where_the_kernel_is_centred():
    est, trace = recorded(centered=True)
    _, y, _ = two_moons()
    for state in trace.states[::40]:
        assert state.f[y < 0].mean() == pytest.approx(0.0, abs=1e-9)
    f = est.decision_function(two_moons()[0])
    np.testing.assert_allclose(f, trace.final.f, atol=1e-9)


def test_a_seeded_run_has_the_path_from_its_seed_on():
    est, trace = recorded()
    X, y, _ = two_moons()
    seed = trace.states[60]
    again = make("s3vm_path", sigma=0.5, C=10.0)
    *_, last = again.iterate(X, y, start=seed)
    np.testing.assert_allclose(last.f, trace.final.f, atol=1e-8)
    np.testing.assert_allclose(again.at(0.5).state_.f, est.at(0.5).state_.f, atol=1e-8)
    with pytest.raises(ValueError, match="where this path begins"):
        again.at(seed.C_u / 2)


def test_at_has_a_lens_and_builds_the_gram_matrix_once(monkeypatch):
    X, y, _ = two_moons(40)
    est = make("s3vm_path", sigma=0.35).fit(X, y)
    small = len(pickle.dumps(est))
    built, matrix = [], KernelExpansion.matrix
    monkeypatch.setattr(
        KernelExpansion, "matrix", lambda *args: built.append(1) or matrix(*args)
    )
    places = [est.at(C_u).state_ for C_u in (0.0, 0.3, 1.0)]
    assert len(built) == 1
    assert [place.lens.weight for place in places] == [0.0, 0.3, 1.0]
    np.testing.assert_array_equal(places[1].lens.labels, places[1].y_u)
    np.testing.assert_allclose(places[-1].f, est.state_.f, atol=1e-9)
    assert len(pickle.dumps(est)) == small
    again = pickle.loads(pickle.dumps(est)).at(0.3).state_
    np.testing.assert_array_equal(again.f, places[1].f)
    est.fit(X, y)
    assert est._matrix is None


def test_at_keeps_no_gram_matrix_that_is_large(monkeypatch):
    X, y, _ = two_moons(40)
    est = make("s3vm_path", sigma=0.35).fit(X, y)
    kept = est.at(0.3).state_.f
    monkeypatch.setattr(module, "KEPT_BYTES", 1000)
    est.fit(X, y)
    np.testing.assert_allclose(est.at(0.3).state_.f, kept, atol=1e-12)
    assert est._matrix is None
