"""Newton's method of [MB11] 3.1 and the direct solve of eq. (14)."""

import itertools

import numpy as np
import pytest

from ssl_core import Status, make
from ssl_core.driver import drive
from ssl_core.estimators.laplacian import LapSVMNewtonClassifier
from ssl_core.problems.laplacian import LapRLSC, LapSVM
from ssl_core.problems.supervised import RLSC, SVM
from ssl_core.solvers.newton import newton
from tests import paper
from tests.small_problems import BY_NAME, MULTICLASS, SMALL_PROBLEMS

problems = pytest.mark.parametrize("problem", SMALL_PROBLEMS, ids=str)
ROUNDING = 1e-12


@problems
def test_ends_where_the_gradient_of_equation_9_vanishes(problem):
    """J is convex: a zero gradient is the optimum, whatever way led there."""
    states = list(newton(problem.build(LapSVM)))
    start, end = states[0], states[-1]
    assert end.status is Status.CONVERGED
    at_start = paper.stacked_gradients(start.alpha, start.b, *problem.dense())[1]
    at_end = paper.stacked_gradients(end.alpha, end.b, *problem.dense())[1]
    assert np.linalg.norm(at_end) <= 1e-9 * np.linalg.norm(at_start)
    assert end.objective == pytest.approx(
        paper.objective(end.alpha, end.b, *problem.dense()), rel=1e-9
    )


@problems
def test_a_full_step_is_equation_10(problem):
    K, _, y, _, _ = problem.dense()
    states = list(newton(problem.build(LapSVM)))
    full_steps = 0
    for here, there in itertools.pairwise(states):
        if there.step == 1:
            errors = (y != 0) & (y * here.f < 1)
            alpha, b = paper.newton_point(errors, *problem.dense())
            f = K @ alpha + b
            scale = max(1, np.abs(f).max())
            np.testing.assert_allclose(there.f, f, atol=1e-7 * scale)
            full_steps += 1
    assert full_steps >= 1


@problems
def test_steps_stay_on_the_ray_to_the_newton_point(problem):
    """Every step, full or not, lies between the last point and eq. (10)'s."""
    K, _, y, _, _ = problem.dense()
    states = list(newton(problem.build(LapSVM)))
    for here, there in itertools.pairwise(states):
        errors = (y != 0) & (y * here.f < 1)
        alpha, b = paper.newton_point(errors, *problem.dense())
        f = here.f + there.step * (K @ alpha + b - here.f)
        scale = max(1, np.abs(f).max())
        np.testing.assert_allclose(there.f, f, atol=1e-7 * scale)
        assert there.step > 0


@problems
def test_objective_never_increases(problem):
    objective = np.array([s.objective for s in newton(problem.build(LapSVM))])
    assert np.all(np.diff(objective) <= ROUNDING * objective[:-1])


@problems
def test_counts_and_norms_are_those_of_the_point(problem):
    y = problem.Y[:, 0]
    for state in newton(problem.build(LapSVM)):
        assert state.n_error_vectors == np.count_nonzero((y != 0) & (y * state.f < 1))
        g, _ = paper.stacked_gradients(state.alpha, state.b, *problem.dense())
        assert state.grad_norm == pytest.approx(np.linalg.norm(g), rel=1e-6, abs=1e-7)
        np.testing.assert_allclose(
            state.f, problem.K @ state.alpha + state.b, atol=1e-8
        )


def test_the_table_has_problems_on_which_newton_works():
    """On two moons one step is enough; a fault in the second would go unseen."""
    steps = [len(list(newton(p.build(LapSVM)))) - 1 for p in SMALL_PROBLEMS]
    assert sum(count >= 3 for count in steps) >= 6
    assert max(steps) <= 20  # "usually a tiny number of iterations"


@problems
def test_laprlsc_solves_equation_14(problem):
    alpha, b = paper.laprlsc(*problem.dense())
    f = problem.K @ alpha + b
    knobs = problem.knobs
    est = make("laprlsc", **knobs).fit(problem.X, problem.y)
    direct = paper.objective(alpha, b, *problem.dense(), loss="squared")
    assert est.state_.objective == pytest.approx(direct, rel=1e-8)
    scale = max(1, np.abs(f).max())
    # alpha is not unique for a singular K; f is, as far as (14) is well posed.
    np.testing.assert_allclose(est.state_.f, f, atol=1e-5 * scale)
    ghat = paper.stacked_gradients(
        est.state_.alpha, est.state_.b, *problem.dense(), loss="squared"
    )[1]
    assert np.linalg.norm(ghat) <= 1e-8 * np.linalg.norm(problem.Y)


@problems
@pytest.mark.parametrize("loss", [LapRLSC, RLSC], ids=lambda c: c.__name__)
def test_squared_loss_takes_one_step(problem, loss):
    labeled = np.flatnonzero(problem.y >= 0)
    if loss is LapRLSC:
        built = problem.build(loss)
    else:
        built = loss(problem.K[:, labeled], problem.Y, gamma_A=1e-2)
    states = list(newton(built))
    assert [s.t for s in states] == [0, 1]
    assert states[-1].status in (Status.CONVERGED, Status.FINISHED)


def test_lapsvm_is_laprlsc_while_all_labelled_points_are_error_vectors():
    """Section 5, on plain two moons."""
    problem = BY_NAME["two_moons"]
    *_, svm = newton(problem.build(LapSVM))
    *_, rlsc = newton(problem.build(LapRLSC))
    assert svm.n_error_vectors == np.count_nonzero(problem.y >= 0)
    np.testing.assert_allclose(svm.f, rlsc.f, atol=1e-10)


@pytest.mark.parametrize("loss", [LapSVM, LapRLSC, SVM], ids=lambda c: c.__name__)
def test_classes_together_are_binary_runs_side_by_side(loss):
    problem = MULTICLASS
    labeled = np.flatnonzero(problem.y >= 0)

    def end(Y):
        if loss is SVM:
            built = SVM(problem.K[:, labeled], Y, gamma_A=1e-2)
        else:
            built = problem.build(loss, Y=Y)
        *_, last = newton(built)
        return last

    together = end(problem.Y)
    total = 0
    for j in range(problem.n_classes):
        alone = end(problem.Y[:, [j]])
        np.testing.assert_allclose(together.f[:, j], alone.f, atol=1e-9)
        np.testing.assert_allclose(together.alpha[:, j], alone.alpha, atol=1e-8)
        np.testing.assert_allclose(together.b[j], alone.b, atol=1e-9)
        assert together.per_class["objective"][j] == pytest.approx(alone.objective)
        total += alone.objective
    assert together.objective == pytest.approx(total)


def test_singular_gram_matrix_is_no_obstacle():
    """Every point twice: K has rank n / 2, yet outputs are finite and optimal."""
    problem = BY_NAME["two_moons"]
    X, y = np.vstack([problem.X] * 2), np.concatenate([problem.y] * 2)
    est = make("lapsvm_newton", sigma=0.35, gamma_I=0.1).fit(X, y)
    f = est.state_.f
    assert np.isfinite(f).all()
    np.testing.assert_allclose(f[: problem.n], f[problem.n :], atol=1e-6)
    np.testing.assert_allclose(est.decision_function(X), f, atol=1e-6)


@pytest.mark.parametrize("name", ["label_noise", "many_labels"])
def test_seeding_at_the_optimum_converges_at_once(name):
    problem = BY_NAME[name]
    built = problem.build(LapSVM)
    *_, optimum = newton(built)
    again = list(newton(built, start=optimum))
    assert again[0].t == 0
    assert again[0].objective == pytest.approx(optimum.objective, rel=1e-10)
    assert again[-1].t <= 1
    assert again[-1].objective == pytest.approx(optimum.objective, rel=1e-10)


@pytest.mark.parametrize("name", ["label_noise", "many_labels", "imbalanced_classes"])
def test_seeding_after_a_label_changed_reaches_the_same_optimum(name):
    problem = BY_NAME[name]
    *_, seed = newton(problem.build(LapSVM))
    cold, warm = [], []
    for point in np.flatnonzero(problem.y < 0)[:8]:
        Y = problem.Y.copy()
        Y[point] = 1.0
        cold.append(list(newton(problem.build(LapSVM, Y=Y)))[-1])
        warm.append(list(newton(problem.build(LapSVM, Y=Y), start=seed))[-1])
        assert warm[-1].objective == pytest.approx(cold[-1].objective, rel=1e-10)
    assert np.mean([s.t for s in warm]) < np.mean([s.t for s in cold])


def test_flipping_labels_flips_outputs():
    problem = BY_NAME["label_noise"]
    *_, here = newton(problem.build(LapSVM))
    *_, there = newton(problem.build(LapSVM, Y=-problem.Y))
    np.testing.assert_allclose(there.f, -here.f, atol=1e-9)


def test_max_iter_is_kept():
    problem = BY_NAME["many_labels"]
    states = list(drive(newton(problem.build(LapSVM)), max_iter=2))
    assert [s.t for s in states] == [0, 1, 2]
    assert states[-1].status is Status.MAX_ITER


def test_the_default_tolerance_asks_for_the_same_set_of_error_vectors():
    problem = BY_NAME["many_labels"].build(LapSVM)
    exact, usual, rough = (
        [state.objective for state in newton(problem, tol=tol)]
        for tol in (0.0, LapSVMNewtonClassifier().tol, 0.1)
    )
    assert usual == exact
    assert len(rough) < len(exact)
    assert np.all(np.diff(rough) < 0)
