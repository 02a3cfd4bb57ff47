"""The problems behind kernel S3VMs: gradients, quadratic pieces, exact trainings."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from ssl_core.features import Space, features
from ssl_core.kernels import gram
from ssl_core.losses import Bell, SquaredHinge
from ssl_core.problems.bias import FREE, REGULARISED, fixed
from ssl_core.problems.s3vm import S3VM, FeatureSVM, KernelBlock, NewtonSystem
from ssl_core.solvers._lbfgs import lbfgs
from ssl_core.solvers._mfn import train
from ssl_core.solvers.svm import EXACT, svm

RNG = np.random.default_rng(1)
X = RNG.normal(size=(36, 2))
Y = np.zeros(36)
Y[:8] = np.where(X[:8, 0] > 0, 1.0, -1.0)
KERNELS = {
    "rbf": gram(X, sigma=0.8),
    "linear": gram(X, kernel="linear"),
    "doubled": gram(np.vstack([X[:18], X[:18]]), sigma=0.8),
}
BIASES = {"free": FREE, "regularised": REGULARISED, "fixed": fixed(0.3)}
kernels = pytest.mark.parametrize("K", KERNELS.values(), ids=KERNELS)
biases = pytest.mark.parametrize("bias", BIASES.values(), ids=BIASES)


def problem(K, bias=FREE, **parameters):
    parameters = {"C": 3.0, "C_u": 2.0, "r": 0.5} | parameters
    return S3VM(features(Space(K)), Y, bias=bias, **parameters)


def minimum(machine, v):
    """By scipy, from the formula of the objective alone."""

    def value(x):
        x = x.copy()
        if not machine.bias.moves:
            x[-1] = machine.bias.value
        return machine.value(x)

    found = minimize(value, v, method="BFGS", options={"gtol": 1e-9})
    return found.fun


@kernels
@biases
def test_newton_on_pieces_reaches_the_minimum_of_every_machine(K, bias):
    p = problem(K, bias)
    y_u = np.where(RNG.normal(size=p.u) > 0, 1, -1)
    machines = {
        "labels": p.with_labels(y_u, 2.0),
        "probabilities": p.with_probabilities(RNG.uniform(size=p.u)),
        "tangent": p.tangent(y_u, 2.0),
    }
    for name, machine in machines.items():
        v = np.zeros(p.features.d + 1)
        v[-1] = 0.0 if bias.moves else bias.value
        here, _ = train(machine, v, p.features.outputs(v), schedule=EXACT)
        assert here.grad_norm <= 1e-6, name
        assert here.objective <= minimum(machine, here.v) + 1e-6, name
        np.testing.assert_allclose(here.f, p.features.outputs(here.v), atol=1e-8)


@biases
def test_gradients_of_machines_match_finite_differences(bias):
    p = problem(KERNELS["rbf"], bias)
    signs = np.where(RNG.normal(size=p.u) > 0, 1, -1)
    v = RNG.normal(size=p.features.d + 1)
    for machine in (p.with_labels(signs, 2.0), p.tangent(signs, 2.0)):
        grad = machine.gradient(v, machine.terms(p.features.outputs(v)))
        moving = slice(None) if bias.moves else slice(-1)
        for i in range(0, len(v), 7):
            step = np.zeros_like(v)
            step[i] = 1e-6
            slope = (machine.value(v + step) - machine.value(v - step)) / 2e-6
            assert grad[i] == pytest.approx(slope, abs=1e-4)
        assert grad[-1] == 0.0 or bias.moves
        assert np.isfinite(grad[moving]).all()


@pytest.mark.parametrize("T", [0.1, 3.0])
def test_the_annealed_objective_needs_no_derivative_of_p(T):
    """[CSK08] eq. (9): the gradient at the best p is the gradient."""
    p = problem(KERNELS["rbf"])
    objective = p.annealed(T)
    v = 0.3 * RNG.normal(size=p.features.d + 1)

    def value(x):
        losses, _ = objective.losses(p.features.outputs(x))
        return 0.5 * x[:-1] @ x[:-1] + losses

    _, slope = objective.losses(p.features.outputs(v))
    grad = objective.gradient(v, slope)
    for i in [0, 5, len(v) - 1]:
        step = np.zeros_like(v)
        step[i] = 1e-6
        assert grad[i] == pytest.approx(
            (value(v + step) - value(v - step)) / 2e-6, abs=1e-4
        )
    assert objective.p.mean() == pytest.approx(0.5, abs=1e-12)


def test_at_zero_temperature_the_annealed_objective_is_the_hard_one():
    p = problem(KERNELS["rbf"])
    v = RNG.normal(size=p.features.d + 1)
    f = p.features.outputs(v)
    v[-1] -= np.median(f[p.unlabeled])  # half of them positive, as r says
    f = p.features.outputs(v)
    losses, _ = p.annealed(1e-9).losses(f)
    hard = p.hard_objective(v, f)
    assert losses + 0.5 * v[:-1] @ v[:-1] == pytest.approx(hard, rel=1e-6)


def test_lbfgs_descends_to_a_point_without_slope():
    p = problem(KERNELS["rbf"]).fixed_at(0.1)
    objective = p.smooth(SquaredHinge(), Bell(), 2.0)
    v = np.append(np.zeros(p.features.d), 0.1)
    steps = list(lbfgs(objective, v, p.features.outputs(v), tol=1e-7))
    values = [step.objective for step in steps]
    assert all(b <= a for a, b in pairwise(values))
    assert steps[-1].grad_norm <= 1e-6
    assert steps[-1].v[-1] == 0.1
    np.testing.assert_allclose(steps[-1].f, p.features.outputs(steps[-1].v), atol=1e-10)


@pytest.mark.parametrize("changes", [0, 1, 4])
def test_a_factor_serves_sets_that_differ_little(changes):
    K = KERNELS["rbf"]
    weight = np.full(36, 4.0)
    E = np.arange(2, 32)
    block = KernelBlock(K, E, weight)
    other = np.setdiff1d(np.arange(2 - min(changes, 2), 32 + changes), [5, 9][:changes])
    assert block.serves(other, weight) or changes == 4
    right = RNG.normal(size=(len(other), 2))
    A = K[np.ix_(other, other)] + np.diag(1 / weight[other])
    np.testing.assert_allclose(
        block.solve(other, weight, right), np.linalg.solve(A, right), atol=1e-9
    )


def test_a_factor_serves_one_set_after_another():
    """Points come, leave and come again; what was solved for them is kept."""
    K, rng = KERNELS["rbf"], np.random.default_rng(0)
    weight = rng.uniform(1.0, 4.0, size=36)
    E = np.arange(3, 30)
    block = KernelBlock(K, E, weight)
    for k in range(12):
        changed = rng.choice(36, k % 6, replace=False)
        other = np.setxor1d(E, changed)
        outside = np.setdiff1d(np.arange(36), E)
        weight[outside] = rng.uniform(1.0, 4.0, size=len(outside))  # of no factor yet
        right = rng.normal(size=(len(other), 1 + k % 3))
        A = K[np.ix_(other, other)] + np.diag(1 / weight[other])
        np.testing.assert_allclose(
            block.solve(other, weight, right), np.linalg.solve(A, right), atol=1e-9
        )


def test_a_factor_does_not_hold_borders_without_end():
    K, weight = KERNELS["rbf"], np.full(36, 4.0)
    block = KernelBlock(K, np.arange(30), weight)
    for i in range(9):
        other = np.setdiff1d(np.arange(30), [i])
        assert block.serves(other, weight)
        block.solve(other, weight, np.ones((29, 1)))
    assert not block.serves(np.setdiff1d(np.arange(30), [9]), weight)
    assert block.serves(np.setdiff1d(np.arange(30), [0]), weight)


def test_a_factor_does_not_serve_other_weights():
    K, weight = KERNELS["rbf"], np.full(36, 4.0)
    block = KernelBlock(K, np.arange(30), weight)
    changed = weight.copy()
    changed[3] = 5.0
    assert not block.serves(np.arange(30), changed)
    changed = weight.copy()
    changed[33] = 5.0  # has no part
    assert block.serves(np.arange(30), changed)


def test_a_point_of_hardly_any_weight_does_not_leave_a_factor():
    """Its row of the inverse is its weight: the border would be singular."""
    K, weight = KERNELS["rbf"], np.full(36, 4.0)
    weight[7] = 1e-12
    block = KernelBlock(K, np.arange(30), weight)
    without = np.setdiff1d(np.arange(30), [7])
    assert not block.serves(without, weight)
    assert block.serves(np.setdiff1d(np.arange(30), [8]), weight)


def test_weights_that_are_rounding_make_no_equation():
    """Annealing leaves probabilities of 1e-310: 1 / weight would overflow."""
    system = NewtonSystem(features(Space(KERNELS["rbf"])))
    c_pos = np.full(36, 2.0)
    c_pos[5:9] = 1e-310
    machine = FeatureSVM(system, c_pos, np.zeros(36), FREE)
    terms = machine.terms(np.zeros(36))
    assert not np.isin(np.arange(5, 9), terms.rows).any()
    assert len(terms.rows) == 32


def test_the_svm_of_given_labels_is_scikit_learns():
    from sklearn.svm import SVC

    # C sum xi^2 is the hard margin in K + 1 / (2 C).
    K, C = KERNELS["rbf"][:8, :8], 3.0
    exact = SVC(kernel="precomputed", C=1e10, tol=1e-10).fit(
        K + np.eye(8) / (2 * C), Y[:8]
    )
    here = svm(features(Space(K)), Y[:8], C)
    f = exact.decision_function(K)
    np.testing.assert_allclose(here.f, f, atol=1e-5)


def test_a_regularised_bias_is_a_constant_feature():
    K = KERNELS["rbf"]
    with_b = svm(features(Space(K)), Y, 3.0, REGULARISED)
    feature = svm(features(Space(K + 1.0)), Y, 3.0, fixed(0.0))
    np.testing.assert_allclose(with_b.f, feature.f, atol=1e-7)
    assert with_b.objective == pytest.approx(feature.objective, rel=1e-9)
