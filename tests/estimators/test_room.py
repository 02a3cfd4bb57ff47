"""What does not fit into memory is refused before any work, with ways out that fit."""

import re
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from halfmoon.common import memory
from ssl_core import ALGORITHMS, make, models, retrained_objective
from ssl_core.estimators import laplacian, linear, s3vm_path
from ssl_core.estimators.budget import Size, check_run
from ssl_core.landscape import Landscape
from tests.small_problems import BY_NAME, MULTICLASS

PROBLEM = BY_NAME["two_moons"]
X, Y, N = PROBLEM.X, PROBLEM.y, PROBLEM.n
KERNEL = [n for n, entry in ALGORITHMS.items() if entry.inputs == "kernel"]


@pytest.fixture
def free(monkeypatch):
    """Say how much memory is free; the smallest request is asked about."""

    def say(bytes_):
        monkeypatch.setattr(memory, "available_memory", lambda: bytes_)

    monkeypatch.setattr(memory, "LITTLE", 0)
    return say


def named(sentence, est):
    """The machines that a refusal offers."""
    advice = sentence.split("; use ")[1]
    for name, single in re.findall(r"(\w+Classifier)(\(dtype='float32'\))?", advice):
        homes = (laplacian, linear)
        kind = next(getattr(home, name) for home in homes if hasattr(home, name))
        yield kind(**({"dtype": "float32"} if single else {}))
    if re.search(r"(?<!\()dtype='float32'", advice):
        yield type(est)(**est.get_params() | {"dtype": "float32"})


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_refusal_has_the_largest_n_and_advice_that_fits(name, free):
    y = np.where(np.arange(N) % 2, PROBLEM.truth, -1)
    size = Size(N, N // 2, 2, X.nbytes, True)
    est = make(name)
    need = est.peak_bytes(size)
    offered = set()
    for share in (0.99, 0.8, 0.5, 0.2, 0.05):
        free(share * need / memory.SHARE)
        with pytest.raises(ValueError, match=r"needs about .* of memory") as told:
            est.iterate(X, y)
        sentence = str(told.value)
        assert f"{N} points" in sentence
        fits = re.search(r"at most (\d+) points fit", sentence)
        most = int(fits[1]) if fits else 1
        needs = [est.peak_bytes(size.at(n)) for n in (most, most + 1)]
        assert (needs[0] if fits else 0) <= share * need < needs[1]
        for other in named(sentence, est):
            other.iterate(X, y)
            offered.add(type(other).__name__)
    free(need / memory.SHARE)
    est.iterate(X, y)
    assert offered or ALGORITHMS[name].inputs in ("linear", "graph")


def test_newton_on_40_000_points_is_refused_where_pcg_fits(free):
    free(23e9)
    size = Size(40_000, 10, 2, 16 * 40_000)
    with pytest.raises(ValueError, match=r"needs about 25\.\d GB") as told:
        check_run(make("lapsvm_newton"), size)
    assert "18.4 GB can be used here" in str(told.value)
    assert "use fewer points, LapSVMPCGClassifier or TSVMClassifier" in str(told.value)
    check_run(make("lapsvm_pcg"), size)
    free(None)
    check_run(make("lapsvm_newton"), size)  # unknown: left to numpy


@pytest.mark.parametrize("name", ["svm", "tsvm"])
def test_fewer_points_are_advised_only_where_some_number_of_them_fits(name, free):
    free(1e9)
    with pytest.raises(ValueError, match="no number of points fits") as told:
        check_run(make(name), Size(10, 2, 2, 10**13))
    assert "fewer points" not in str(told.value)
    assert str(told.value).endswith("use a computer with more memory.")


def test_nothing_is_begun_before_memory_is_asked_for(free, monkeypatch):
    monkeypatch.setattr(models, "gram", None)
    free(1000)
    for call in (make("lapsvm_pcg").fit, make("lapsvm_pcg").trace):
        with pytest.raises(ValueError, match="needs about"):
            call(X, Y)


def test_integers_that_would_not_fit_as_floats_are_refused(free):
    free(1000)
    whole = np.ones((N, 50), dtype=np.uint8)
    for points in (whole, sp.csr_array(whole)):
        with pytest.raises(ValueError, match=r"X of uint8 .* needs about"):
            make("l2svm_mfn").fit(points, Y)


@pytest.mark.parametrize("name", ["lapsvm_pcg", "l2svm_mfn"])
def test_prediction_needs_room_for_its_result_only(name, free):
    est = make(name).fit(X, Y)
    many = np.repeat(X, 400, axis=0)
    expected = np.repeat(est.decision_function(X), 400)
    free(2.0 * expected.nbytes)  # K would be a hundred times as large
    np.testing.assert_allclose(est.decision_function(many), expected, atol=1e-9)
    free(0.5 * expected.nbytes)
    for call in (est.decision_function, est.predict):
        with pytest.raises(ValueError, match="fewer points at a time") as told:
            call(many)
        most = re.search(r"at most ([\d,]+) points fit", str(told.value))[1]
        call(many[: int(most.replace(",", ""))])


def test_the_field_of_every_state_is_refused_where_it_does_not_fit(free):
    trace = make("lapsvm_pcg").trace(X, Y)
    grid = np.repeat(X, 20, axis=0)
    result = 8 * len(trace) * len(grid)
    free(result)
    with pytest.raises(ValueError, match=f"output of {len(trace)} states needs about"):
        trace.decision_function(grid)
    free(2 * result)
    assert trace.decision_function(grid).shape == (len(trace), len(grid))


def test_many_states_of_few_points_are_computed_in_small_blocks(monkeypatch):
    """Two points are used: a block of rows is bounded by its result."""
    monkeypatch.setattr(models, "BLOCK_BYTES", 2**16)
    est = make("svm").fit(X, Y)
    states, grid = [est.state_] * 300, np.repeat(X, 20, axis=0)
    tracemalloc.start()
    F = est.model_.outputs(states, grid)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.2 * F.nbytes


def test_watched_points_do_without_their_kernel_where_it_does_not_fit(free):
    watched = {"X_val": np.repeat(X, 20, axis=0), "y_val": np.repeat(PROBLEM.truth, 20)}
    est = make("lapsvm_pcg", stop="validation", max_iter=30)
    wide = est.trace(X, Y, **watched)
    free((est.peak_bytes(Size(N, 4, 2, X.nbytes)) + 8 * 20 * N * N) / memory.SHARE)
    asked = []
    matrix = models.KernelExpansion.matrix
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            models.KernelExpansion,
            "matrix",
            lambda self, A, *rest: asked.append(len(A)) or matrix(self, A, *rest),
        )
        narrow = est.trace(X, Y, **watched)
    assert len(asked) >= len(narrow)  # again for every state
    assert len(narrow) == len(wide)
    np.testing.assert_allclose(narrow.outputs["val"], wide.outputs["val"], atol=1e-9)


def test_a_recording_thins_itself_out_where_memory_is_short(free):
    est = make("lapsvm_pcg")
    free((est.peak_bytes(Size(N, 4, 2, X.nbytes)) + 40_000) / memory.SHARE)
    trace = est.trace(X, Y)
    assert 2 < len(trace.kept) < len(trace)


def test_the_best_interval_is_the_same_in_blocks(monkeypatch):
    for problem in (PROBLEM, MULTICLASS):
        est = make("s3vm_path", sigma=0.5).fit(problem.X, problem.y)
        points = np.vstack([problem.X, problem.X + 0.3])
        truth = np.tile(problem.truth, 2)
        whole = est.best(points, truth)
        with monkeypatch.context() as patch:
            patch.setattr(s3vm_path, "BLOCK_BYTES", 1)
            parts = est.best(points, truth)
        assert parts.error == whole.error
        np.testing.assert_allclose(parts.intervals, whole.intervals, rtol=1e-9)


def test_comparisons_are_refused_too(free):
    labels = PROBLEM.truth
    free(8 * N * N)
    with pytest.raises(ValueError, match=r"retrained_objective needs about .* most \d"):
        retrained_objective(X, Y, labels, C=1.0, C_u=0.1)
    machine = Landscape(PROBLEM.K, np.where(Y < 0, 0, 2 * Y - 1), C=1.0, C_u=0.1)
    with pytest.raises(ValueError, match="landscape needs about"):
        machine.trained(2 * labels - 1)
