"""Newton, PCG and the dual with a bias that is left out, or fixed at a value."""

import itertools

import numpy as np
import pytest
from scipy.optimize import Bounds, minimize
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import LinearSVC

from ssl_core import Status
from ssl_core.driver import drive
from ssl_core.problems.bias import FREE, NO_BIAS, fixed
from ssl_core.problems.laplacian import LapRLSC, LapSVM
from ssl_core.problems.supervised import RLSC, SVM
from ssl_core.solvers.lapsvm_dual import lapsvm_dual
from ssl_core.solvers.newton import newton
from ssl_core.solvers.pcg import pcg
from ssl_core.stopping import Run, mixed_product
from tests import paper
from tests.small_problems import BY_NAME, MULTICLASS, SMALL_PROBLEMS

LOSSES = {LapSVM: "squared_hinge", LapRLSC: "squared"}
LAPLACIAN = {SVM: LapSVM, RLSC: LapRLSC}
HELD = [NO_BIAS, fixed(-0.4)]
TOL = 1e-9

problems = pytest.mark.parametrize("problem", SMALL_PROBLEMS, ids=str)
changing = pytest.mark.parametrize(
    "problem",
    [
        BY_NAME[name]
        for name in ("label_noise", "many_labels", "heat", "imbalanced_classes")
    ],
    ids=str,
)
losses = pytest.mark.parametrize("loss", LOSSES, ids=lambda c: c.__name__)
held = pytest.mark.parametrize("bias", HELD, ids=lambda bias: f"b={bias.value}")


def last(states):
    *_, state = states
    return state


def pcg_states(built, start=None):
    """States of PCG without a rule."""
    nothing_unlabeled = np.zeros(built.n, dtype=bool)
    watch = mixed_product(0).watch(Run(built.n, nothing_unlabeled))
    return drive(pcg(built, start=start), watch=watch, max_iter=5000)


def pcg_end(built, start=None, tol=1e-10):
    """The first state whose mixed product is ``tol`` of the first."""
    states = pcg_states(built, start)
    first = next(states).mixed_product
    for state in states:
        if state.mixed_product <= tol * first:
            return state
    raise AssertionError(f"mixed product {state.mixed_product / first} at the end")


def supervised(problem, loss, **keywords):
    labeled = np.flatnonzero(problem.y >= 0)
    gamma_A = problem.gammas["gamma_A"]
    return loss(problem.K[:, labeled], problem.Y, gamma_A=gamma_A, **keywords)


# Newton --------------------------------------------------------------------------


@problems
@losses
@held
def test_newton_ends_where_the_gradient_in_alpha_vanishes(problem, loss, bias):
    """J is convex in alpha: a zero gradient is the optimum."""
    states = list(newton(problem.build(loss, bias=bias)))
    start, end = states[0], states[-1]
    assert end.status is Status.CONVERGED
    assert {s.b for s in states} == {bias.value}

    def norm(state):
        _, ghat = paper.stacked_gradients(
            state.alpha, state.b, *problem.dense(), LOSSES[loss], bias.value
        )
        return np.linalg.norm(ghat)

    assert norm(end) <= 1e-9 * norm(start)
    value = paper.objective(end.alpha, end.b, *problem.dense(), loss=LOSSES[loss])
    assert end.objective == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(end.f, problem.K @ end.alpha + end.b, atol=1e-8)


@changing
@held
def test_newton_steps_lie_on_the_ray_to_the_papers_point(problem, bias):
    K, _, y, _, _ = problem.dense()
    states = list(newton(problem.build(LapSVM, bias=bias)))
    assert len(states) >= 4
    for here, there in itertools.pairwise(states):
        errors = (y != 0) & (y * here.f < 1)
        alpha, b = paper.newton_point(errors, *problem.dense(), bias=bias.value)
        f = here.f + there.step * (K @ alpha + b - here.f)
        np.testing.assert_allclose(there.f, f, atol=1e-7 * max(1, np.abs(f).max()))
        assert there.step > 0
        assert there.objective <= here.objective


@pytest.mark.parametrize("problem", [BY_NAME["label_noise"], BY_NAME["heat"]], ids=str)
@held
def test_newton_reaches_an_independent_minimisers_objective(problem, bias):
    """L-BFGS on the plain formula, in coordinates where alpha'K alpha = |u|^2."""
    K, *rest = problem.dense()
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-10 * values.max()
    to_alpha = vectors[:, keep] / np.sqrt(values[keep])

    def formula(u):
        alpha = to_alpha @ u
        g, _ = paper.gradient(alpha, bias.value, K, *rest)
        return paper.objective(alpha, bias.value, K, *rest), to_alpha.T @ g

    found = minimize(
        formula,
        np.zeros(keep.sum()),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 20000, "maxfun": 40000, "ftol": 1e-15, "gtol": 1e-9},
    )
    ours = last(newton(problem.build(LapSVM, bias=bias)))
    assert ours.objective <= found.fun * (1 + 1e-12)
    assert ours.objective == pytest.approx(found.fun, rel=1e-7)


@problems
@held
def test_squared_loss_solves_the_normal_equations_without_b(problem, bias):
    alpha, b = paper.laprlsc(*problem.dense(), bias=bias.value)
    direct = paper.objective(alpha, b, *problem.dense(), loss="squared")
    states = list(newton(problem.build(LapRLSC, bias=bias)))
    assert [s.t for s in states] == [0, 1]
    assert states[-1].objective == pytest.approx(direct, rel=1e-8)


@pytest.mark.parametrize("v", [-0.4, 0.7])
def test_a_fixed_bias_shifts_the_targets_where_the_graph_does_not_see_it(v):
    """L 1 = 0 for a plain Laplacian: least squares on y - v, and f moved by v."""
    problem = BY_NAME["plain_laplacian"]
    K, L, y, gamma_A, gamma_I = problem.dense()
    E = np.diag((y != 0).astype(float))
    A = E @ K + gamma_A * np.eye(problem.n) + gamma_I * L @ K
    f = K @ np.linalg.solve(A, E @ (y - v)) + v
    ours = last(newton(problem.build(LapRLSC, bias=fixed(v))))
    np.testing.assert_allclose(ours.f, f, atol=1e-9)


@problems
@pytest.mark.parametrize("loss", [LapSVM, LapRLSC, SVM, RLSC], ids=lambda c: c.__name__)
def test_fixing_the_bias_where_it_ends_anyway_changes_nothing(problem, loss):
    def end(bias):
        if loss in LAPLACIAN:
            return last(newton(supervised(problem, loss, bias=bias)))
        return last(newton(problem.build(loss, bias=bias)))

    free = end(FREE)
    same = end(fixed(free.b))
    assert same.objective == pytest.approx(free.objective, rel=1e-9)
    np.testing.assert_allclose(same.f, free.f, atol=1e-6 * max(1, np.abs(free.f).max()))
    assert end(NO_BIAS).objective >= free.objective * (1 - 1e-12)


@problems
@pytest.mark.parametrize("loss", LAPLACIAN, ids=lambda c: c.__name__)
@held
def test_gamma_I_zero_gives_the_supervised_machine_of_the_same_bias(
    problem, loss, bias
):
    alone = last(newton(supervised(problem, loss, bias=bias)))
    manifold = last(newton(problem.build(LAPLACIAN[loss], gamma_I=0.0, bias=bias)))
    assert alone.b == manifold.b == bias.value
    assert manifold.objective == pytest.approx(alone.objective, rel=1e-8)
    scale = np.abs(alone.f).max()
    np.testing.assert_allclose(manifold.f, alone.f, atol=1e-6 * scale)


@problems
def test_rlsc_without_bias_is_kernel_ridge_regression(problem):
    labeled = problem.y >= 0
    ours = last(newton(supervised(problem, RLSC, bias=NO_BIAS)))
    ridge = KernelRidge(alpha=problem.gammas["gamma_A"], kernel="precomputed")
    ridge.fit(problem.K[np.ix_(labeled, labeled)], problem.Y[labeled, 0])
    f = ridge.predict(problem.K[:, labeled])
    np.testing.assert_allclose(ours.f, f, atol=1e-7 * np.abs(f).max())


@pytest.mark.parametrize("gamma_A", [1e-2, 1.0])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_linear_svm_without_bias_is_liblinears_without_intercept(loss, gamma_A):
    problem = BY_NAME["linear"]
    labeled = problem.y >= 0
    # J / gamma_A is LinearSVC's objective with C = 1 / (2 gamma_A), in both scalings.
    other = LinearSVC(
        loss=loss, C=1 / (2 * gamma_A), fit_intercept=False, tol=1e-10, max_iter=10**6
    )
    other.fit(problem.X[labeled], problem.y[labeled])
    if loss == "squared_hinge":
        built = supervised(problem, SVM, bias=NO_BIAS)
        built.gamma_A = gamma_A
        ours = last(newton(built))
    else:
        built = problem.build(LapSVM, gamma_A=gamma_A, gamma_I=0.0, bias=NO_BIAS)
        ours = last(lapsvm_dual(built, tol=TOL))
    np.testing.assert_allclose(ours.f, other.decision_function(problem.X), atol=1e-4)


# PCG -----------------------------------------------------------------------------


@problems
@losses
@held
def test_first_iterations_of_pcg_are_algorithm_1_without_b(problem, loss, bias):
    expected = paper.pcg(5, *problem.dense(), loss=LOSSES[loss], bias=bias.value)
    states = itertools.islice(pcg_states(problem.build(loss, bias=bias)), 6)
    for state, z in zip(states, expected, strict=True):
        f = problem.K @ z[1:] + z[0]
        np.testing.assert_allclose(state.f, f, atol=1e-8 * max(1.0, np.abs(f).max()))
        assert state.b == bias.value
        assert state.objective == pytest.approx(
            paper.objective(z[1:], z[0], *problem.dense(), loss=LOSSES[loss]), rel=1e-8
        )


@changing
@held
def test_norms_of_pcg_leave_the_bias_out(problem, bias):
    for state in itertools.islice(pcg_states(problem.build(LapSVM, bias=bias)), 15):
        g, ghat = paper.stacked_gradients(
            state.alpha, state.b, *problem.dense(), bias=bias.value
        )
        assert state.grad_norm == pytest.approx(np.linalg.norm(g), rel=1e-7)
        assert state.precond_grad_norm == pytest.approx(np.linalg.norm(ghat), rel=1e-7)
        assert state.mixed_product == pytest.approx(np.sqrt(g @ ghat), rel=1e-7)


@problems
@held
def test_pcg_reaches_newtons_objective_without_a_free_bias(problem, bias):
    built = problem.build(LapSVM, bias=bias)
    optimum = last(newton(built)).objective
    assert pcg_end(built).objective == pytest.approx(optimum, rel=1e-8)


def test_the_problems_above_have_error_vectors_that_change_without_bias():
    """Else PCG = Newton would be a claim about least squares only."""
    moves = []
    for problem in SMALL_PROBLEMS:
        states = itertools.islice(pcg_states(problem.build(LapSVM, bias=NO_BIAS)), 60)
        counts = [s.n_error_vectors for s in states]
        moves.append(np.count_nonzero(np.diff(counts)))
    assert sum(count >= 10 for count in moves) >= 6, moves


# Several classes and seeds -------------------------------------------------------


@held
def test_classes_with_a_held_bias_are_binary_runs_side_by_side(bias):
    problem = MULTICLASS
    solvers = (newton, lambda built: itertools.islice(pcg_states(built), 6))
    for solver in (*solvers, lambda built: lapsvm_dual(built, tol=TOL)):
        together = last(solver(problem.build(LapSVM, bias=bias)))
        np.testing.assert_array_equal(together.b, np.full(3, bias.value))
        for j in range(problem.n_classes):
            alone = last(solver(problem.build(LapSVM, Y=problem.Y[:, [j]], bias=bias)))
            np.testing.assert_allclose(together.f[:, j], alone.f, atol=1e-5)


@pytest.mark.parametrize(
    ("before", "after"), list(itertools.permutations([FREE, *HELD], 2))
)
@pytest.mark.parametrize("name", ["label_noise", "imbalanced_classes"])
def test_a_seed_of_another_policy_starts_with_the_bias_of_this_one(name, before, after):
    problem = BY_NAME[name]
    built = problem.build(LapSVM, bias=after)
    seed = last(newton(problem.build(LapSVM, bias=before)))
    optimum = last(newton(built)).objective
    for solver in (newton, pcg_states):
        start = next(iter(solver(built, start=seed)))
        np.testing.assert_array_equal(start.alpha, seed.alpha)
        assert start.b == (seed.b if after.moves else after.value)
        value = paper.objective(start.alpha, start.b, *problem.dense())
        assert start.objective == pytest.approx(value, rel=1e-9)
    assert last(newton(built, start=seed)).objective == pytest.approx(optimum, rel=1e-9)
    # PCG measures its end from where it starts, and a seed starts near.
    seeded = pcg_end(built, start=seed, tol=1e-8).objective
    assert seeded == pytest.approx(optimum, rel=1e-7)

    seed = last(lapsvm_dual(problem.build(LapSVM, bias=before), tol=TOL))
    cold = last(lapsvm_dual(built, tol=TOL))
    warm = last(lapsvm_dual(built, tol=TOL, start=seed))
    assert warm.status is Status.CONVERGED
    assert warm.objective == pytest.approx(cold.objective, rel=1e-7)


# The dual ------------------------------------------------------------------------


def dual_parts(problem, bias):
    """Q and c of  max c'beta - beta'Q beta / 2,  from the paper's own Q."""
    Q, _, M = paper.dual_matrix(*problem.dense())
    y = problem.Y[problem.y >= 0, 0]
    return Q, 1 - y * bias.value, M


def dual_state(problem, bias):
    return last(lapsvm_dual(problem.build(LapSVM, bias=bias), tol=TOL))


@changing
@held
def test_the_dual_of_a_held_bias_is_a_box_qp(problem, bias):
    Q, c, M = dual_parts(problem, bias)
    found = minimize(
        lambda beta: beta @ Q @ beta / 2 - c @ beta,
        np.full(len(c), 0.1),
        jac=lambda beta: Q @ beta - c,
        bounds=Bounds(0, 1),
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    state = dual_state(problem, bias)
    assert state.status is Status.CONVERGED
    beta = state.beta[problem.y >= 0]
    ours = c @ beta - beta @ Q @ beta / 2
    assert ours >= -found.fun - 1e-9 * abs(found.fun)
    assert ours == pytest.approx(-found.fun, rel=1e-6)
    assert state.dual_objective == pytest.approx(ours, rel=1e-9)
    y = problem.Y[problem.y >= 0, 0]
    np.testing.assert_allclose(state.alpha, M @ (y * beta), atol=1e-6)
    np.testing.assert_allclose(state.f, problem.K @ state.alpha + state.b, atol=1e-7)


@problems
@held
def test_strong_duality_holds_with_a_held_bias(problem, bias):
    Q, c, _ = dual_parts(problem, bias)
    state = dual_state(problem, bias)
    assert state.b == bias.value
    assert state.violation <= TOL
    beta = state.beta[problem.y >= 0]
    assert 0 <= beta.min() <= beta.max() <= 1
    primal = paper.dual_primal_objective(state.alpha, state.b, *problem.dense())
    dual = c @ beta - beta @ Q @ beta / 2
    assert state.objective == pytest.approx(primal, rel=1e-8)
    assert primal == pytest.approx(dual, rel=1e-6)
    assert state.gap == pytest.approx(primal - dual, abs=1e-6 * primal)


@problems
def test_the_dual_with_the_bias_fixed_where_it_ends_changes_nothing(problem):
    free = dual_state(problem, FREE)
    assert dual_state(problem, fixed(free.b)).objective == pytest.approx(
        free.objective, rel=1e-6
    )
    assert dual_state(problem, NO_BIAS).objective >= free.objective * (1 - 1e-7)


@problems
@held
def test_the_dual_needs_no_more_sweeps_without_a_free_bias(problem, bias):
    """Measured to 1e-6 on the table: 1 to 11 sweeps, 2 to 38 with a free bias."""
    states = list(lapsvm_dual(problem.build(LapSVM, bias=bias)))
    assert states[-1].status is Status.CONVERGED
    assert states[-1].t <= 20
    values = [s.dual_objective for s in states]
    assert values[0] == 0
    assert np.all(np.diff(values) >= -1e-12 * np.abs(values[:-1]))


def test_one_class_alone_has_a_dual_without_bias():
    """y'beta = 0 would leave nothing to optimise."""
    problem = BY_NAME["many_labels"]
    Y = np.abs(problem.Y)
    state = last(lapsvm_dual(problem.build(LapSVM, Y=Y, bias=NO_BIAS), tol=TOL))
    assert state.n_support > 0
    assert (state.f[problem.y >= 0] > 0).mean() > 0.9
