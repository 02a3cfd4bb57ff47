"""Features behind a kernel: products, centring, deformation and the way back."""

import numpy as np
import pytest

from ssl_core.features import METHODS, Space, features
from ssl_core.graph import Laplacian, knn_weights
from ssl_core.kernels import gram

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
NEW = RNG.normal(size=(7, 3))
K, K_NEW = gram(X, sigma=1.5), gram(NEW, X, sigma=1.5)
UNLABELED = np.arange(6, 40)
L = Laplacian(knn_weights(X, 5))
SPACES = {
    "raw": Space(K),
    "centred": Space(K).centred(UNLABELED),
    "deformed": Space(K).deformed(L, 3.0),
    "deformed and centred": Space(K).deformed(L, 3.0).centred(UNLABELED),
}
methods = pytest.mark.parametrize("method", METHODS)
spaces = pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)


@methods
@spaces
def test_products_of_features_are_the_kernel(space, method):
    made = features(space, method=method)
    np.testing.assert_allclose(made.Z @ made.Z.T, space.K, atol=1e-8)
    assert made.error <= 1e-8


@methods
@spaces
def test_a_function_of_features_comes_back_in_the_caller_s_kernel(space, method):
    made = features(space, method=method)
    v = RNG.normal(size=made.d + 1)
    alpha, b = made.expand(v[:-1], v[-1])
    np.testing.assert_allclose(K @ alpha + b, made.outputs(v), atol=1e-6)
    again = made.contract(alpha)
    shift = made.outputs(v) - made.Z @ again
    np.testing.assert_allclose(shift, shift[0], atol=1e-5)


def test_the_centred_kernel_is_the_paper_s_formula():
    u = len(UNLABELED)
    expected = np.empty_like(K)
    for i in range(len(K)):
        for j in range(len(K)):
            expected[i, j] = (
                K[i, j]
                - K[i, UNLABELED].sum() / u
                - K[UNLABELED, j].sum() / u
                + K[np.ix_(UNLABELED, UNLABELED)].sum() / u**2
            )
    np.testing.assert_allclose(SPACES["centred"].K, expected, atol=1e-13)


def test_outputs_in_a_centred_space_have_the_mean_b_on_its_points():
    made = features(SPACES["centred"])
    v = RNG.normal(size=made.d + 1)
    assert made.outputs(v)[UNLABELED].mean() == pytest.approx(v[-1], abs=1e-10)


def test_the_deformed_kernel_is_the_paper_s_formula_also_on_new_points():
    space = SPACES["deformed"]
    M = 3.0 * L.toarray()
    inner = np.linalg.solve(np.eye(40) + M @ K, M)
    np.testing.assert_allclose(space.K, K - K @ inner @ K, atol=1e-10)
    beta = RNG.normal(size=40)
    alpha, b = space.expand(beta)
    expected = (K_NEW - K_NEW @ inner @ K) @ beta
    np.testing.assert_allclose(K_NEW @ alpha + b, expected, atol=1e-10)


@methods
def test_a_low_rank_states_what_it_leaves_out(method):
    made = features(Space(K), method=method, rank=5)
    assert made.Z.shape == (40, 5)
    left = np.trace(K - made.Z @ made.Z.T) / np.trace(K)
    assert made.error == pytest.approx(left, rel=1e-9)
    assert made.error > 0.01


def test_eigenvectors_leave_out_the_least():
    errors = [features(Space(K), method=m, rank=5).error for m in METHODS]
    best = 1 - np.linalg.eigvalsh(K)[-5:].sum() / np.trace(K)
    assert errors[1] == pytest.approx(best, rel=1e-9)
    assert errors[0] >= best


@methods
def test_a_singular_kernel_has_as_many_features_as_its_rank(method):
    made = features(Space(gram(X, kernel="linear")), method=method)
    assert made.d == 3
    doubled = gram(np.vstack([X, X]), sigma=1.5)
    assert features(Space(doubled), method=method).d <= 40


@methods
def test_points_that_are_all_alike_leave_only_the_bias(method):
    made = features(Space(np.zeros((5, 5))), method=method)
    np.testing.assert_array_equal(made.outputs(np.array([3.0, 0.5])), 0.5)
    alpha, b = made.expand(np.array([3.0]), 0.5)
    assert not alpha.any()
    assert b == 0.5
