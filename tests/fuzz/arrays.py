"""Hostile arrays, containers and parameters, drawn from one seed.

`answer` says what became of a fit: None where it gave a finite model, the sentence of a
refusal, or what went wrong.
"""

import warnings

import numpy as np
import scipy.sparse as sp

from ssl_core import ALGORITHMS, make
from ssl_core.models import Interpolation
from ssl_core.settings import settings_of

NUMBERS = (
    0, 1, 2, 3, 7, -1, 0.5, 1.0, 2.0, 1e-3, 1e-12, 1e-300, 1.0000001, 1.01, 1e6, 1e12,
    1e300, 10**9, 10**30, -1e-9, float("nan"), float("inf"), True, None, "word", (), [],
)  # fmt: skip
SHORT = {"max_iter": 12, "max_temperatures": 4, "max_nodes": 30, "chunk": 5}


def points(rng, n):
    """Numbers of some kind in a container of some kind."""
    d = int(rng.integers(1, 5))
    X = rng.normal(size=(n, d))
    kinds = ("plain", "large", "small", "far", "equal", "twice", "zero", "hole", "few")
    kind = rng.choice(kinds)
    if kind in ("large", "small"):
        X = X * 10.0 ** (rng.integers(3, 200) * (1 if kind == "large" else -1))
    elif kind == "far":
        X = X + 10.0 ** rng.integers(2, 15)
    elif kind in ("equal", "zero"):
        X[:] = kind == "equal"
    elif kind == "twice":
        X = X[rng.integers(0, max(1, n // 3), n)]
    elif kind == "hole":
        X[rng.integers(n), rng.integers(d)] = rng.choice([np.nan, np.inf, -np.inf])
    elif kind == "few":
        X[rng.random(X.shape) < 0.8] = 0.0
    return _contained(rng, X)


def _contained(rng, X):
    forms = {
        "array": lambda: X,
        "Fortran": lambda: np.asfortranarray(X),
        "strides": lambda: np.repeat(X, 2, axis=0)[::2],
        "backwards": lambda: X[::-1, ::-1],
        "locked": lambda: _locked(X),
        "big end": lambda: X.astype(">f8"),
        "single": lambda: X.astype(np.float32),
        "half": lambda: X.astype(np.float16),
        "whole": lambda: np.clip(X, -1e9, 1e9).astype(np.int64),
        "bytes": lambda: np.clip(X, 0, 9).astype(np.uint8),
        "signs": lambda: X > 0,
        "objects": lambda: X.astype(object),
        "text": lambda: X.astype(str),
        "complex": lambda: X.astype(complex),
        "long": lambda: X.astype(np.longdouble),
        "list": lambda: X.tolist(),
        "masked": lambda: np.ma.masked_less(X, 0),
        "matrix": lambda: X.view(np.matrix),
        "vector": lambda: X[:, 0],
        "no columns": lambda: X[:, :0],
        "CSR": lambda: sp.csr_array(X),
        "CSC": lambda: sp.csc_array(X),
        "COO": lambda: sp.coo_array(X),
        "CSR of integers": lambda: sp.csr_array(np.clip(X, -9, 9).astype(int)),
        "repeated": lambda: _repeated(X),
        "nothing stored": lambda: sp.csr_array(X.shape),
    }
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return forms[rng.choice(list(forms))]()


def _locked(X):
    X = X.copy()
    X.setflags(write=False)
    return X


def _repeated(X):
    A = sp.csr_array(X)
    data, indices = np.repeat(A.data / 2, 2), np.repeat(A.indices, 2)
    twice = sp.csr_array((data, indices, 2 * A.indptr), A.shape)
    twice.has_canonical_format = True
    return twice


def labels(rng, n):
    """Labels of some kind, most of them unlabelled or not."""
    k = int(rng.choice([1, 2, 2, 2, 2, 3, 4]))
    y = rng.integers(0, k, n)
    y[: min(k, n)] = np.arange(min(k, n))
    y[rng.random(n) < rng.choice([0.0, 0.5, 0.9])] = -1
    forms = {
        "array": lambda: y,
        "list": lambda: y.tolist(),
        "floats": lambda: y.astype(float),
        "column": lambda: y[:, None],
        "text": lambda: np.where(y < 0, "-1", y.astype(str)),
        "objects": lambda: y.astype(object),
        "mixed": lambda: np.array([v if v else "no" for v in y.tolist()], dtype=object),
        "None": lambda: np.array([None if v < 0 else v for v in y], dtype=object),
        "bytes": lambda: y.astype("S2"),
        "sparse": lambda: sp.csr_array(y[:, None]),
        "large": lambda: np.array([v * 10**25 for v in y.tolist()], dtype=object),
        "small": lambda: y.astype(np.int8),
        "signs": lambda: y > 0,
        "short": lambda: y[:-1],
        "real": lambda: y + rng.normal(size=n),
    }
    usual = rng.random() < 0.6
    return forms["array" if usual else rng.choice(list(forms))]()


def parameters(rng, name):
    """Some of a machine's parameters, with values that may not suit them."""
    known = settings_of(type(make(name)))
    chosen = {key: value for key, value in SHORT.items() if key in known}
    for key in rng.permutation(list(known))[: rng.integers(0, 3)]:
        chosen[str(key)] = NUMBERS[rng.integers(len(NUMBERS))]
    if "kernel" in known and "kernel" not in chosen:
        chosen["kernel"] = str(rng.choice(["rbf", "rbf", "linear", "poly"]))
    return chosen


def case(seed):
    """Machine, points and labels of a seed; all of it is decided by it."""
    rng = np.random.default_rng(seed)
    name = list(ALGORITHMS)[seed % len(ALGORITHMS)]
    n = int(rng.choice([1, 2, 3, 4, 6, 9, 15, 25]))
    return name, parameters(rng, name), points(rng, n), labels(rng, n)


def rounding_of_terms(est, X):
    """What no sum of k(x_i, x) alpha_i can do better, where its terms are huge."""
    if not hasattr(est.state_, "alpha"):
        return 0.0
    K = est.model_.matrix(est._checked(X, reset=False))
    return (
        100 * np.finfo(float).eps * float((np.abs(K) @ np.abs(est.state_.alpha)).max())
    )


def known_by_place(est):
    """Points whose outputs the place alone decides: a graph may tell duplicates apart,
    and a point that lies at the place of several gets their mean."""
    if not isinstance(est.model_, Interpolation):
        return slice(None)
    X = est.model_.X
    X = X.toarray() if sp.issparse(X) else X
    _, place, counts = np.unique(X, axis=0, return_inverse=True, return_counts=True)
    return counts[place.ravel()] == 1


def answer(seed):
    """What became of a fit: None, or the exception that it ended in."""
    name, params, X, y = case(seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            est = make(name, **params).fit(X, y)
        except Exception as error:
            return error
        f = est.decision_function(X)
        assert np.isfinite(f).all()
        assert np.isfinite(est.state_.objective)
        scale = max(1.0, np.abs(f).max())
        single = getattr(est, "dtype", "") == "float32"
        near = 1e-3 if single else 1e-5
        atol = near * scale + rounding_of_terms(est, X)
        known = known_by_place(est)
        np.testing.assert_allclose(f[known], est.state_.f[known], atol=atol)
        assert set(est.predict(X)) <= set(est.classes_)
    return None
