"""Products over active rows against numpy, on one thread, on many, and in two."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from ssl_core import threads
from ssl_core.linalg import sparse
from ssl_core.linalg.sparse import design
from tests.pairs import pairwise

ROOT = Path(__file__).parents[2]
RTOL = 1e-12  # sums of a few thousand terms in another order


def matrix(n=300, d=40, density=0.15, seed=0, dtype=float):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, d)) * (rng.random((n, d)) < density)
    A[5], A[:, 7] = 0.0, 0.0  # a row and a column without entries
    return sp.csr_matrix(A.astype(dtype))


def with_int64(X):
    X = X.copy()
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


FORMATS = {
    "csr": lambda X: X,
    "csr_int64": with_int64,
    "csc": lambda X: X.tocsc(),
    "dense": lambda X: X.toarray(),
    "fortran": lambda X: np.asfortranarray(X.toarray()),
    "strided": lambda X: np.repeat(X.toarray(), 2, axis=0)[::2],
    "csr_float32": lambda X: X.astype(np.float32),
}
formats = pytest.mark.parametrize("form", FORMATS, ids=str)


def dense(X):
    A = X.toarray() if sp.issparse(X) else np.asarray(X)
    return np.column_stack([A.astype(float), np.ones(len(A))])


@pytest.fixture
def many_chunks(monkeypatch):
    """Small problems in several chunks, as large ones are."""
    monkeypatch.setattr(sparse, "CHUNK_NONZEROS", 64)
    monkeypatch.setattr(sparse, "CHUNK_COLUMNS", 0)


def rows_of(kind, n, rng):
    return {
        "all": np.arange(n),
        "some": np.flatnonzero(rng.random(n) < 0.3),
        "one": np.array([3]),
        "none": np.array([], dtype=np.int64),
    }[kind]


@pairwise(
    form=list(FORMATS),
    kind=["all", "some", "one", "none"],
    chunks=["one chunk", "many chunks"],
)
def test_products_equal_numpys(form, kind, chunks, request):
    if chunks == "many chunks":
        request.getfixturevalue("many_chunks")
    rng = np.random.default_rng(1)
    X = FORMATS[form](matrix())
    A, product = dense(X), design(X)
    n, d = X.shape
    v, q, weight = rng.normal(size=d + 1), rng.normal(size=n), rng.random(n)
    rows = rows_of(kind, n, rng)
    B = A[rows]
    np.testing.assert_allclose(product.outputs(v), A @ v, rtol=RTOL, atol=1e-12)
    np.testing.assert_allclose(
        product.adjoint(q, rows), B.T @ q[rows], rtol=RTOL, atol=1e-12
    )
    expected = B.T @ (weight[rows] * (B @ v))
    np.testing.assert_allclose(
        product.normal(v, weight, rows), expected, rtol=RTOL, atol=1e-12
    )
    f, filled = np.full(n, np.nan), np.full(n, np.nan)
    again = product.normal(v, weight, rows, f)
    np.testing.assert_allclose(again, expected, rtol=RTOL, atol=1e-12)
    product.fill(v, rows, filled)
    for outputs in (f, filled):  # those of the given rows are promised
        np.testing.assert_allclose(outputs[rows], B @ v, rtol=RTOL, atol=1e-12)


@pytest.mark.parametrize("form", ["csr", "csc", "dense", "fortran"])
def test_data_are_not_copied(form):
    X = FORMATS[form](matrix())
    product = design(X)
    if not sp.issparse(X):
        assert product.X is X
        return
    indptr, indices, data = product._arrays
    assert np.shares_memory(indptr, X.indptr)
    assert np.shares_memory(indices, X.indices)
    assert data is X.data


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
def test_read_only_data_are_taken(form):
    X = FORMATS[form](matrix())
    for array in (X.data, X.indices, X.indptr) if sp.issparse(X) else (X,):
        array.flags.writeable = False
    v = np.ones(X.shape[1] + 1)
    np.testing.assert_allclose(design(X).outputs(v), dense(X) @ v)


def test_other_sparse_formats_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"got coo; convert it with X\.tocsr"):
        design(matrix().tocoo())


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
@pytest.mark.usefixtures("many_chunks")
def test_results_are_the_same_to_the_last_bit_on_any_number_of_threads(
    form, monkeypatch
):
    if not threads.PARALLEL:
        pytest.skip("no thread-safe layer can be loaded here")
    rng = np.random.default_rng(2)
    X = FORMATS[form](matrix(n=900))
    product = design(X)
    v, weight, rows = rng.normal(size=41), rng.random(900), np.arange(0, 900, 2)

    def results():
        return (
            product.outputs(v),
            product.adjoint(weight, rows),
            product.normal(v, weight, rows),
        )

    parallel = results()
    with threads.capped(loops=1):
        one = results()
    monkeypatch.setattr(threads, "PARALLEL", False)
    serial = results()
    for a, b, c in zip(parallel, one, serial, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)


def test_chunks_grow_with_the_work_and_are_bounded():
    assert sparse.n_chunks(1000, 10) == 1
    assert sparse.n_chunks(1_140_000, 20_000) == 4
    assert sparse.n_chunks(10**9, 47_000) == sparse.MAX_CHUNKS
    # A sum as long as the work is no gain.
    assert sparse.n_chunks(1_000_000, 1_000_000) == 1


def python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=240,
        env=os.environ | environment,
    )


TWO_THREADS = """
import threading
import numpy as np, scipy.sparse as sp, numba
from ssl_core import threads
from ssl_core.linalg import sparse
sparse.CHUNK_NONZEROS, sparse.CHUNK_COLUMNS = 64, 0
X = sp.random(2000, 300, 0.05, format="csr", rng=np.random.default_rng(0))
product = sparse.design(X)
v, weight, rows = np.ones(301), np.ones(2000), np.arange(2000)
expected = product.normal(v, weight, rows)
barrier, wrong = threading.Barrier(4), []
def work():
    barrier.wait()
    for _ in range(300):
        if not np.array_equal(product.normal(v, weight, rows), expected):
            wrong.append(1)
crowd = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in crowd]; [t.join() for t in crowd]
assert not wrong
layer = numba.threading_layer() if threads.PARALLEL else None
print(threads.LAYER, layer)
"""


@pytest.mark.parametrize(
    "wish",
    [
        "",
        "workqueue",
        *(pytest.param(w, marks=pytest.mark.slow) for w in ("tbb", "omp")),
    ],
)
def test_python_threads_may_enter_parallel_loops_at_once(wish):
    """Under workqueue this process would be aborted."""
    result = python(TWO_THREADS, NUMBA_THREADING_LAYER=wish or "default")
    assert result.returncode == 0, result.stderr
    chosen, running = result.stdout.split()
    assert chosen == running
    assert chosen in ("tbb", "omp", "None")


def test_the_claim_above_can_fail_workqueue_does_abort():
    code = TWO_THREADS.replace(
        "from ssl_core.linalg import sparse",
        "numba.config.THREADING_LAYER = 'workqueue'\n"
        "from ssl_core.linalg import sparse\n"
        "numba.config.THREADING_LAYER = 'workqueue'",
    )
    result = python(code)
    assert result.returncode != 0
    assert "Concurrent access has been detected" in result.stderr


def test_without_a_safe_layer_loops_are_serial_and_say_so():
    code = (
        "import sys\n"
        "sys.modules['numba.np.ufunc.tbbpool'] = None\n"
        "sys.modules['numba.np.ufunc.omppool'] = None\n" + TWO_THREADS
    )
    result = python(code)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["None", "None"]


def test_a_running_workqueue_is_not_joined():
    code = (
        "import numba, numpy as np\n"
        "numba.config.THREADING_LAYER = 'workqueue'\n"
        "@numba.njit(parallel=True)\n"
        "def f(x):\n"
        "    for i in numba.prange(len(x)):\n"
        "        x[i] += 1\n"
        "f(np.zeros(10))\n"
        "from ssl_core import threads\n"
        "print(threads.LAYER, threads.PARALLEL)\n"
    )
    result = python(code)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["None", "False"]
