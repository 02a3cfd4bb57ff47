"""Numbers that arithmetic is hard on: far from 0, huge, repeated, out of place."""

import math
import os

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs

from halfmoon.common import memory
from ssl_core import ALGORITHMS, make
from tests.pairs import pairwise
from tests.rows import each
from tests.small_problems import BY_NAME, quick

PROBLEM = BY_NAME["two_moons"]
KERNEL = [n for n, entry in ALGORITHMS.items() if entry.inputs == "kernel"]
FORMS = {"dense": np.asarray, "CSR": sp.csr_array}
LINEAR = [n for n, entry in ALGORITHMS.items() if entry.inputs == "linear"]
algorithms = pytest.mark.parametrize("name", ALGORITHMS)
kernel_machines = pytest.mark.parametrize("name", KERNEL)


def blobs(d):
    """Two groups of points; d = 20 takes the neighbour search past its trees."""
    X, truth = make_blobs(120, d, centers=2, cluster_std=1.0, random_state=0)
    X = np.round(X * 2**10) / 2**10  # so that a shift rounds as little as it can
    y = np.where(np.arange(120) < 12, truth, -1)
    return X, y, truth


def build(name, **parameters):
    if name == "nabla_da":  # its last machine is as exact as its gradient is small
        parameters |= {"tol": 1e-9}
    return make(name, **quick(name, parameters))


def outputs(est, X, y):
    *_, last = est.iterate(X, y)
    return last.f


# Far from the origin.


@pairwise(name=KERNEL, form=FORMS, d=[2, 20], shift=[1e7, 1e9])
def test_data_shifted_far_from_the_origin_give_the_same_machine(name, form, d, shift):
    X, y, truth = blobs(d)
    far = X + shift
    exact = far - shift  # what the shift left of the data
    sigma = 2.0 * np.sqrt(d)
    f = outputs(build(name, sigma=sigma), exact, y)
    est = build(name, sigma=sigma)
    np.testing.assert_allclose(outputs(est, form(far), y), f, rtol=1e-3, atol=1e-4)
    np.testing.assert_array_equal(est.predict(form(far)), f > 0)
    assert (est.predict(form(far)) == truth).mean() > 0.85  # as the class ratio allows
    np.testing.assert_allclose(est.decision_function(form(far)), f, atol=1e-3)


# Rounding a relaxation of twice as many points gives other labels in any case; branch
# and bound needs all its nodes to find labels as good as alone.
GROUPED = [n for n in KERNEL if n not in ("convex_relaxation", "branch_and_bound")]
ALL_NODES = {"branch_and_bound": {"max_nodes": 2000}}


@pytest.mark.parametrize(
    "name", [*GROUPED, pytest.param("branch_and_bound", marks=pytest.mark.slow)]
)
def test_two_groups_far_from_each_other_keep_their_shapes(name):
    """No one centre is near to both; neighbours within a group are still found."""
    X, truth, y = PROBLEM.X, PROBLEM.truth, PROBLEM.y
    wide = np.zeros((2 * len(X), 20))
    wide[: len(X), :2], wide[len(X) :, :2] = X, X
    wide[len(X) :] += 1e8
    given = np.concatenate([y, y])
    est, alone = (
        build(name, sigma=0.35).set_params(**ALL_NODES.get(name, {})) for _ in range(2)
    )
    outputs(est, wide, given)
    outputs(alone, X, y)
    right = (est.predict(wide) == np.concatenate([truth, truth])).mean()
    assert right >= (alone.predict(X) == truth).mean() - 0.02


@pytest.mark.parametrize("kernel", ["linear", "poly"])
@kernel_machines
def test_kernels_that_a_shift_changes_say_what_they_lose(name, kernel):
    X, y, _ = blobs(3)
    near = next(make(name, kernel=kernel).iterate(X, y))
    assert "centre" not in " ".join(e.text for e in near.events)
    far = next(make(name, kernel=kernel).iterate(X + 1e6, y))
    assert "centre the features" in " ".join(e.text for e in far.events)


# Entries that come twice.


def with_duplicates(X):
    """The same CSR matrix, every entry in two unsorted parts."""
    X = sp.csr_array(X)
    parts = (np.repeat(X.data, 2) * np.tile([0.25, 0.75], X.nnz))[::-1]
    rows = np.repeat(np.arange(X.shape[0]), 2 * np.diff(X.indptr))[::-1]
    order = np.argsort(rows, kind="stable")
    columns = np.repeat(X.indices, 2)[::-1]
    return sp.csr_array((parts[order], columns[order], 2 * X.indptr), shape=X.shape)


@algorithms
def test_csr_with_duplicate_entries_gives_the_machine_of_their_sums(name):
    X, y, _ = blobs(5)
    twice = with_duplicates(X)
    before = twice.data.copy(), twice.indices.copy(), twice.indptr.copy()
    assert abs(twice.toarray() - X).max() < 1e-12
    est = build(name)
    f = outputs(build(name), sp.csr_array(X), y)
    # Annealing makes 1e-4 of the rounding in a sum of two parts.
    np.testing.assert_allclose(outputs(est, twice, y), f, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(est.decision_function(twice), f, rtol=1e-3, atol=1e-3)
    after = twice.data, twice.indices, twice.indptr
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)  # the caller's matrix is the caller's


# Too large to square.


@pairwise(name=list(ALGORITHMS), form=FORMS, value=[1e156, 1e300, -1e300])
def test_numbers_whose_squares_overflow_are_refused(name, form, value):
    X, y = PROBLEM.X.copy(), PROBLEM.y
    X[3, 1] = value
    words = r"X must hold numbers up to 1e\+\d+ in size, got 1.0e\+\d+; scale"
    for call in (make(name).fit, make(name).iterate, make(name).trace):
        with pytest.raises(ValueError, match=words):
            call(form(X), y)
    est = make(name)
    with pytest.raises(ValueError, match=words):
        est.iterate(PROBLEM.X, y, X_val=form(X), y_val=y)


@pytest.mark.parametrize("name", LINEAR)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_largest_numbers_a_linear_machine_takes_are_learnt_from(name):
    """Beyond 1e77 conjugate gradients overflowed: half the points wrong, no word."""
    X, y, truth = blobs(3)
    X = (X - X.mean(axis=0)) / np.abs(X - X.mean(axis=0)).max()
    est = make(name).fit(1e70 * X, y)
    assert (est.predict(1e70 * X) == truth).mean() > 0.95
    with pytest.raises(ValueError, match="scale the features"):
        make(name).fit(1e72 * X, y)


@kernel_machines
def test_the_largest_numbers_a_kernel_machine_takes_give_a_finite_model(name):
    X, y, _ = blobs(3)
    X = 1e150 * X / np.abs(X).max()
    f = outputs(build(name, sigma=1e150), X, y)
    assert np.isfinite(f).all()


@pytest.mark.parametrize("name", ["svm", "rlsc"])
def test_a_system_that_rounding_made_singular_has_a_machine(name):
    X = np.full((4, 3), 1e10)
    est = make(name, kernel="linear").fit(X, [0, 1, 1, 1])
    assert np.isfinite(est.decision_function(X)).all()


def test_a_deformed_kernel_that_is_not_finite_is_refused():
    X = np.full((25, 2), 1e11)
    y = np.arange(25) % 2
    with pytest.raises(ValueError, match=r"graph deforms must be finite, got NaN"):
        make("lapsvm_s3vm", kernel="poly").fit(X, y)


# Switches, indices, memory.


@pytest.mark.parametrize("value", ["no", "yes", None, 1, 0, 2.0])
@pytest.mark.parametrize(
    ("name", "parameter"),
    [("da", "anneal"), ("laprlsc", "normalized"), ("lapsvm_pcg", "stop_per_class")],
)
def test_switches_take_true_or_false_only(name, parameter, value):
    with pytest.raises(ValueError, match=f"{parameter} must be True or False, got"):
        make(name, **{parameter: value}).iterate(PROBLEM.X, PROBLEM.y)
    make(name, **{parameter: np.True_}).iterate(PROBLEM.X, PROBLEM.y)


@algorithms
@each("fault", ["beyond", "negative", "rows", "missing"])
def test_sparse_indices_outside_the_matrix_are_refused(name, fault):
    """Followed by compiled code they would read, or write, foreign memory."""
    X = sp.csr_array(PROBLEM.X)
    if fault in ("beyond", "negative"):
        X.indices[5] = 10**9 if fault == "beyond" else -4
    elif fault == "rows":
        X.indptr[3] = X.indptr[9]
    else:
        X.indptr[-1] += 50
    with pytest.raises(ValueError, match=r"X must be a valid CSR matrix, got indices"):
        make(name).iterate(X, PROBLEM.y)


def test_memory_is_asked_for_without_sysconf(monkeypatch, tmp_path):
    """As on Windows, which has no sysconf, and where nothing at all is told."""
    assert memory.available_memory() > 2**20
    monkeypatch.delattr(os, "sysconf", raising=False)
    monkeypatch.setattr(memory, "_linux_memory", lambda: None)
    assert memory.available_memory() is None or os.name == "nt"
    assert memory.room() == math.inf  # unknown: left to numpy
    monkeypatch.setattr(memory, "_windows_memory", lambda: 10**9)
    assert memory.available_memory() == 10**9
    assert memory.room() == memory.SHARE * 10**9


def test_a_system_that_tells_only_what_it_has_is_believed(monkeypatch):
    monkeypatch.setattr(memory, "_linux_memory", lambda: None)
    names = {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", names.__getitem__, raising=False)
    if os.name != "nt":
        assert memory.available_memory() == 4_096_000
