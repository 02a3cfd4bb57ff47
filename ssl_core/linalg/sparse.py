"""Products with the rows of X and a constant feature, which is never stored.

`design(X)` wraps CSR, CSC or dense X, without copying it, in an object with these
products; v stands for (w, b), so that X~ v = X w + b, where X~ = [X, 1]:

    outputs(v)                  X~ v
    fill(v, rows, f)            f = X~ v               at the given rows only
    adjoint(q, rows)            X~' q                  over the given rows only
    normal(v, weight, rows, f)  X~' diag(weight) X~ v  over the given rows only,
                                whose X~ v are left in f

For CSR and C-ordered dense X, `normal` is one pass: a row is multiplied and, while it
is still in cache, added to the result. Measured on 20,000 x 20,000 with 57 nonzeros a
row (million nonzeros a second, one core): X v 1500 and X' q 1240, SciPy 1320 and 1050,
plain numba loops 580 and 500. The gain over plain loops is that of unsigned indices,
which need no check for negative ones, and of four sums side by side. The fused pass
takes 1.9 ms on one core and 0.95 ms on two, against 1.95 ms for SciPy's two products.

Rows go in chunks, each with a sum of its own. Their number depends on the problem and
never on the threads: a result is the same to the last bit on one core and on many.
"""

import numpy as np
import scipy.sparse as sp
from numba import prange

from halfmoon.common.compiled import compiled
from ssl_core import threads

CHUNK_NONZEROS = 2**17  # below about 0.1 ms of work a second thread does not pay
CHUNK_COLUMNS = 12  # work per chunk that its own sum, of length d + 1, must be worth
MAX_CHUNKS = 16

ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)


def design(X):
    """The products above for X, which is neither copied nor changed.

    Parameters
    ----------
    X : {ndarray, CSR or CSC matrix} of shape (n, d), float64 or float32
        A dense array that is neither C- nor Fortran-ordered is copied once.
    """
    if sp.issparse(X):
        if X.format == "csr":
            return CSRDesign(X)
        if X.format == "csc":
            return CSCDesign(X)
        raise ValueError(
            f"X must be dense, CSR or CSC, got {X.format}; convert it with X.tocsr()."
        )
    X = np.asarray(X)
    if X.flags.c_contiguous:
        return DenseDesign(X)
    if X.flags.f_contiguous:
        return ColumnDesign(X)
    return DenseDesign(np.ascontiguousarray(X))


def n_chunks(nonzeros, length):
    """How many parts a pass falls into whose chunks each sum a vector of ``length``."""
    work = max(CHUNK_NONZEROS, CHUNK_COLUMNS * length)
    return int(min(max(nonzeros // work, 1), MAX_CHUNKS))


class CSRDesign:
    """Products of a CSR matrix, over the rows that matter."""

    def __init__(self, X):
        self.X = X
        self.n, self.d = X.shape
        self._arrays = _unsigned(X.indptr), _unsigned(X.indices), X.data
        self._rows = np.arange(self.n)
        self.nonzeros_per_row = X.nnz / max(self.n, 1)

    def outputs(self, v):
        f = np.empty(self.n)
        self.fill(v, self._rows, f)
        return f

    def fill(self, v, rows, f):
        parts = n_chunks(len(rows) * self.nonzeros_per_row, 0)
        run = gather_parallel if _pays(parts) else gather_serial
        run(*self._arrays, _unsigned(rows), v, v[-1], parts, f)

    def adjoint(self, q, rows):
        sums = self._sums(rows)
        run = scatter_parallel if _pays(len(sums)) else scatter_serial
        run(*self._arrays, _unsigned(rows), q, sums)
        return add_up(sums)

    def normal(self, v, weight, rows, f=None):
        f = np.empty(self.n) if f is None else f
        sums = self._sums(rows)
        run = normal_parallel if _pays(len(sums)) else normal_serial
        run(*self._arrays, _unsigned(rows), weight, v, f, sums)
        return add_up(sums)

    def _sums(self, rows):
        parts = n_chunks(len(rows) * self.nonzeros_per_row, self.d)
        return np.empty((parts, self.d + 1))


class CSCDesign:
    """Products of a CSC matrix, column by column.

    Columns do not know which rows matter: weights of 0 take the others out, and
    nothing is saved by them.
    """

    def __init__(self, X):
        self.X = X
        self.n, self.d = X.shape
        self._arrays = _unsigned(X.indptr), _unsigned(X.indices), X.data
        self._columns = np.arange(self.d, dtype=np.uint64)

    def outputs(self, v):
        # A chunk's sum has one cell too many: `scatter` adds up what it scatters.
        sums = np.empty((n_chunks(self.X.nnz, self.n), self.n + 1))
        run = scatter_parallel if _pays(len(sums)) else scatter_serial
        run(*self._arrays, self._columns, v, sums)
        f = add_up(sums)[:-1]
        f += v[-1]
        return f

    def adjoint(self, q, rows):
        q = _only(q, rows)
        out = np.empty(self.d + 1)
        parts = n_chunks(self.X.nnz, 0)
        run = gather_parallel if _pays(parts) else gather_serial
        run(*self._arrays, self._columns, q, 0.0, parts, out)
        out[-1] = q.sum()
        return out

    def fill(self, v, rows, f):
        f[rows] = self.outputs(v)[rows]

    def normal(self, v, weight, rows, f=None):
        f = np.empty(self.n) if f is None else f
        f[:] = self.outputs(v)
        return self.adjoint(weight * f, rows)


class DenseDesign:
    """Products of a C-ordered array, over the rows that matter."""

    def __init__(self, X):
        self.X = X
        self.n, self.d = X.shape

    def outputs(self, v):
        return self.X @ v[:-1] + v[-1]

    def adjoint(self, q, rows):
        sums = self._sums(rows)
        run = dense_scatter_parallel if _pays(len(sums)) else dense_scatter_serial
        run(self.X, _unsigned(rows), q, sums)
        return add_up(sums)

    def fill(self, v, rows, f):
        f[rows] = self.outputs(v)[rows]

    def normal(self, v, weight, rows, f=None):
        f = np.empty(self.n) if f is None else f
        sums = self._sums(rows)
        run = dense_normal_parallel if _pays(len(sums)) else dense_normal_serial
        run(self.X, _unsigned(rows), weight, v, f, sums)
        return add_up(sums)

    def _sums(self, rows):
        return np.empty((n_chunks(len(rows) * self.d, self.d), self.d + 1))


class ColumnDesign:
    """Products of a Fortran-ordered array, by BLAS; 0 takes the other rows out."""

    def __init__(self, X):
        self.X = X
        self.n, self.d = X.shape

    def outputs(self, v):
        return self.X @ v[:-1] + v[-1]

    def adjoint(self, q, rows):
        q = _only(q, rows)
        return np.append(self.X.T @ q, q.sum())

    def fill(self, v, rows, f):
        f[rows] = self.outputs(v)[rows]

    def normal(self, v, weight, rows, f=None):
        f = np.empty(self.n) if f is None else f
        f[:] = self.outputs(v)
        return self.adjoint(weight * f, rows)


def _unsigned(indices):
    """The same memory read as unsigned: no check for negative indices is compiled."""
    return indices.view(np.uint32 if indices.dtype.itemsize == 4 else np.uint64)


def _only(q, rows):
    """q with 0 outside the given rows."""
    if len(rows) == len(q):
        return q
    out = np.zeros_like(q)
    out[rows] = q[rows]
    return out


def _pays(parts):
    return parts > 1 and threads.several()


def add_up(sums):
    """Sum of the chunks' sums, in their order."""
    return sums[0] if len(sums) == 1 else sums.sum(axis=0)


# A chunk is the rows [first, last) of a list. numba caches by name and line, not by
# the `parallel` flag, hence two drivers for every chunk.


@compiled(nogil=True, inline="always")
def _limits(count, parts, part):
    first = np.uint64(count * part // parts)
    return first, np.uint64(count * (part + 1) // parts)


@compiled(nogil=True, inline="always")
def _dot(indices, data, v, first, last):
    """Sparse row times v: four sums side by side, for the latency of an addition."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    k = first
    while k + FOUR <= last:
        s0 += data[k] * v[indices[k]]
        s1 += data[k + ONE] * v[indices[k + ONE]]
        s2 += data[k + TWO] * v[indices[k + TWO]]
        s3 += data[k + THREE] * v[indices[k + THREE]]
        k += FOUR
    while k < last:
        s0 += data[k] * v[indices[k]]
        k += ONE
    return (s0 + s1) + (s2 + s3)


@compiled(nogil=True, inline="always")
def _add_row(indices, data, q, first, last, out):
    """out += q times a sparse row."""
    k = first
    while k + FOUR <= last:
        out[indices[k]] += q * data[k]
        out[indices[k + ONE]] += q * data[k + ONE]
        out[indices[k + TWO]] += q * data[k + TWO]
        out[indices[k + THREE]] += q * data[k + THREE]
        k += FOUR
    while k < last:
        out[indices[k]] += q * data[k]
        k += ONE


@compiled(nogil=True)
def _gather(indptr, indices, data, rows, v, bias, first, last, out):
    for r in range(first, last):
        i = np.uint64(rows[r])
        begin, end = np.uint64(indptr[i]), np.uint64(indptr[i + ONE])
        out[i] = _dot(indices, data, v, begin, end) + bias


@compiled(nogil=True)
def gather_serial(indptr, indices, data, rows, v, bias, parts, out):
    """out = X v + bias at the given rows."""
    for part in range(parts):
        first, last = _limits(len(rows), parts, part)
        _gather(indptr, indices, data, rows, v, bias, first, last, out)


@compiled(nogil=True, parallel=True)
def gather_parallel(indptr, indices, data, rows, v, bias, parts, out):
    for part in prange(parts):
        first, last = _limits(len(rows), parts, part)
        _gather(indptr, indices, data, rows, v, bias, first, last, out)


@compiled(nogil=True)
def _scatter(indptr, indices, data, rows, q, first, last, out):
    out[:] = 0.0
    total = 0.0
    for r in range(first, last):
        i = np.uint64(rows[r])
        begin, end = np.uint64(indptr[i]), np.uint64(indptr[i + ONE])
        _add_row(indices, data, q[i], begin, end, out)
        total += q[i]
    out[np.uint64(len(out) - 1)] = total


@compiled(nogil=True)
def scatter_serial(indptr, indices, data, rows, q, sums):
    """sums[part] = [X, 1]' q over the part's rows."""
    parts = len(sums)
    for part in range(parts):
        first, last = _limits(len(rows), parts, part)
        _scatter(indptr, indices, data, rows, q, first, last, sums[part])


@compiled(nogil=True, parallel=True)
def scatter_parallel(indptr, indices, data, rows, q, sums):
    parts = len(sums)
    for part in prange(parts):
        first, last = _limits(len(rows), parts, part)
        _scatter(indptr, indices, data, rows, q, first, last, sums[part])


@compiled(nogil=True)
def _normal(indptr, indices, data, rows, weight, v, f, first, last, out):
    out[:] = 0.0
    bias, total = v[np.uint64(len(v) - 1)], 0.0
    for r in range(first, last):
        i = np.uint64(rows[r])
        begin, end = np.uint64(indptr[i]), np.uint64(indptr[i + ONE])
        f[i] = _dot(indices, data, v, begin, end) + bias
        q = weight[i] * f[i]
        _add_row(indices, data, q, begin, end, out)
        total += q
    out[np.uint64(len(out) - 1)] = total


@compiled(nogil=True)
def normal_serial(indptr, indices, data, rows, weight, v, f, sums):
    """sums[part] = [X, 1]' diag(weight) [X, 1] v over the part's rows, in one pass.

    ``f`` receives [X, 1] v at these rows.
    """
    parts = len(sums)
    for part in range(parts):
        first, last = _limits(len(rows), parts, part)
        _normal(indptr, indices, data, rows, weight, v, f, first, last, sums[part])


@compiled(nogil=True, parallel=True)
def normal_parallel(indptr, indices, data, rows, weight, v, f, sums):
    parts = len(sums)
    for part in prange(parts):
        first, last = _limits(len(rows), parts, part)
        _normal(indptr, indices, data, rows, weight, v, f, first, last, sums[part])


@compiled(nogil=True, fastmath={"reassoc", "contract"})
def _dense_scatter(X, rows, q, first, last, out):
    d = X.shape[1]
    out[:] = 0.0
    for r in range(first, last):
        i = np.uint64(rows[r])
        for j in range(d):
            out[j] += q[i] * X[i, j]
        out[d] += q[i]


@compiled(nogil=True)
def dense_scatter_serial(X, rows, q, sums):
    """As `scatter_serial` for a C-ordered array."""
    parts = len(sums)
    for part in range(parts):
        first, last = _limits(len(rows), parts, part)
        _dense_scatter(X, rows, q, first, last, sums[part])


@compiled(nogil=True, parallel=True)
def dense_scatter_parallel(X, rows, q, sums):
    parts = len(sums)
    for part in prange(parts):
        first, last = _limits(len(rows), parts, part)
        _dense_scatter(X, rows, q, first, last, sums[part])


@compiled(nogil=True, fastmath={"reassoc", "contract"})
def _dense_normal(X, rows, weight, v, f, first, last, out):
    d = X.shape[1]
    out[:] = 0.0
    for r in range(first, last):
        i = np.uint64(rows[r])
        q = v[d]
        for j in range(d):
            q += X[i, j] * v[j]
        f[i] = q
        q *= weight[i]
        for j in range(d):
            out[j] += q * X[i, j]
        out[d] += q


@compiled(nogil=True)
def dense_normal_serial(X, rows, weight, v, f, sums):
    """As `normal_serial` for a C-ordered array."""
    parts = len(sums)
    for part in range(parts):
        first, last = _limits(len(rows), parts, part)
        _dense_normal(X, rows, weight, v, f, first, last, sums[part])


@compiled(nogil=True, parallel=True)
def dense_normal_parallel(X, rows, weight, v, f, sums):
    parts = len(sums)
    for part in prange(parts):
        first, last = _limits(len(rows), parts, part)
        _dense_normal(X, rows, weight, v, f, first, last, sums[part])
