"""Bad input: one clear sentence that names the argument, before any work."""

import re
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning

from ssl_core import ALGORITHMS, make
from tests.rows import each
from tests.small_problems import BY_NAME, MULTICLASS

PROBLEM = BY_NAME["two_moons"]
X, Y = PROBLEM.X, PROBLEM.y
N = PROBLEM.n
KERNEL = [n for n, entry in ALGORITHMS.items() if entry.inputs == "kernel"]
algorithms = pytest.mark.parametrize("name", ALGORITHMS)
# What the machines begin with: a Gram matrix, a graph, or products with X.
WORK = ("gram", "knn_weights", "knn_weights_from_gram", "design")


@pytest.fixture
def no_work(monkeypatch):
    """Any Gram matrix, graph or product with X that is begun fails the test."""

    def begun(*arguments, **keywords):
        raise AssertionError("work was begun before the input was checked")

    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("ssl_core"):
            for function in WORK:
                if hasattr(module, function):
                    monkeypatch.setattr(module, function, begun)


def refused(call, words, kind=ValueError):
    """The call ends in one sentence that has all the words.

    A word stands by itself: "y" is not said by "dimensionality".
    """
    with pytest.raises(kind, match=words[0]) as error:
        call()
    message = str(error.value)
    assert "\n" not in message, f"more than one line: {message}"
    for word in words:
        said = re.search(rf"(?<!\w)(?:{word})(?!\w)", message)
        assert said, f"{word!r} is not said in: {message}"


@algorithms
def test_the_guard_against_early_work_sees_every_machine(name, no_work):
    """Good data, for once: without the guard's word the tests here show nothing."""
    with pytest.raises(AssertionError, match="work was begun"):
        make(name).fit(X, Y)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("dimensionality and labels are wrong.", ["y"]),
        ("X is wrong.\n[[0 0]]", ["X"]),
        ("X is wrong.", ["X", "NaN"]),
    ],
    ids=["another word", "two lines", "not all"],
)
def test_a_sentence_that_names_nothing_does_not_count(message, words):
    def fail():
        raise ValueError(message)

    with pytest.raises(AssertionError):
        refused(fail, words)


def changed(array, index, value):
    array = np.array(array, dtype=type(value) if isinstance(value, str) else None)
    array[index] = value
    return array


# Data ----------------------------------------------------------------------------

DATA = {
    "NaN": (changed(X, (3, 1), np.nan), Y, ["X", "NaN", "row 3"]),
    "infinity": (changed(X, (3, 1), np.inf), Y, ["X", "inf"]),
    "minus infinity": (changed(X, (0, 0), -np.inf), Y, ["X", "inf"]),
    "sparse NaN": (sp.csr_array(changed(X, (3, 1), np.nan)), Y, ["X", "NaN"]),
    "vector": (X[:, 0], Y, ["X", "2D", r"\(100,\)"]),
    "cube": (np.stack([X, X]), Y, ["X", "2D", r"\(2, 100, 2\)"]),
    "no points": (X[:0], Y[:0], ["0 sample", "minimum of 2"]),
    "one point": (X[:1], Y[:1], ["1 sample", "minimum of 2"]),
    "no features": (X[:, :0], Y, ["0 feature", "minimum of 1"]),
    "words": (np.full((N, 2), "word"), Y, ["X", "real numbers", "word"]),
    "complex": (X + 1j, Y, ["X", "real numbers", "Complex"]),
    "no y": (X, None, ["y", "None"]),
    "short y": (X, Y[:-1], ["y", str(N), str(N - 1)]),
    "long y": (X, np.append(Y, 0), ["y", str(N), str(N + 1)]),
    "wide y": (X, np.column_stack([Y, Y]), ["y", "1d", r"\(100, 2\)"]),
    "NaN in y": (X, changed(Y.astype(float), 3, np.nan), ["y", "NaN"]),
    "no labels": (X, np.full(N, -1), ["y", "no labelled", "-1"]),
    "one class": (
        X,
        np.where(Y == 1, 1, -1),
        ["y", "one labelled class", "unlabeled=0"],
    ),
    "one class, all labeled": (
        X,
        np.ones(N),
        ["y", "one labelled class", "two classes"],
    ),
    "continuous y": (
        X,
        np.linspace(0.1, 5, N),
        ["y must hold class labels", "continuous", "0.1", "cut them into classes"],
    ),
}


@algorithms
@each("case", DATA)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_bad_data_is_refused_in_one_sentence(name, case, no_work):
    points, labels, words = DATA[case]
    refused(lambda: make(name).iterate(points, labels), words)
    refused(lambda: make(name).fit(points, labels), words)


# What is no array of numbers, or no labels, at all --------------------------------


def labels(*values):
    """An array of objects that repeats the values."""
    array = np.empty(N, dtype=object)
    array[:] = [values[i % len(values)] for i in range(N)]
    return array


def frame(**columns):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(columns)


def arrow():
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table({"a": X[:, 0], "b": X[:, 1]})


DATES = np.arange(N).astype("M8[D]")
CONTAINERS = {
    "matrix": (
        lambda: X.view(np.matrix),
        Y,
        TypeError,
        ["X", "np.matrix", "np.asarray"],
    ),
    "column of dates": (
        lambda: frame(a=X[:, 0], b=DATES),
        Y,
        TypeError,
        ["X", "dates", "days"],
    ),
    "dates": (lambda: DATES[:, None], Y, TypeError, ["X", "dates"]),
    "mixed names": (
        lambda: frame(a=X[:, 0], b=X[:, 1]).rename(columns={"a": 0}),
        Y,
        TypeError,
        ["X", "column names", "int and str", "astype"],
    ),
    "masked": (lambda: np.ma.masked_less(X, 0), Y, ValueError, ["X", "masked"]),
    "rows": (lambda: [[1.0, 2.0], [3.0]], Y, ValueError, ["X", "different length"]),
    "huge integers": (
        lambda: [[10**400, 1]] * N,
        Y,
        ValueError,
        ["X", "integer", "scale"],
    ),
    "None": (lambda: X, labels(0, 1, None), ValueError, ["y", "None", "-1"]),
    "bytes": (lambda: X, labels(b"a", b"b", -1), TypeError, ["y", "bytes", "decode"]),
    "sparse y": (
        lambda: X,
        sp.csr_array(Y[:, None]),
        TypeError,
        ["y", "csr_array", "toarray"],
    ),
    "matrix y": (lambda: X, Y[:, None].view(np.matrix), TypeError, ["y", "np.matrix"]),
    "masked y": (
        lambda: X,
        np.ma.masked_equal(Y, -1),
        ValueError,
        ["y", "masked"],
    ),
    "mixed labels": (lambda: X, labels("a", 1, -1), ValueError, ["y", "text", "'a'"]),
    "64 bits": (lambda: X, labels(10**30, 1, -1), ValueError, ["y", "10{30}", "text"]),
    "tuples": (lambda: X, labels((1, 2), (3,), -1), ValueError, ["y", r"\(1, 2\)"]),
    "arrays": (lambda: X, labels(np.ones(2), 1, -1), ValueError, ["y", "array"]),
    "complex y": (lambda: X, Y + 1j, ValueError, ["y", "Complex"]),
    "NA": (lambda: X, labels("a", "b", float("nan")), ValueError, ["y", "nan"]),
    "NaN": (lambda: X, np.where(Y < 0, np.nan, Y), ValueError, ["y", "NaN", "mark"]),
    "labels of dates": (lambda: X, DATES, ValueError, ["y", "dates", "text"]),
    "durations": (lambda: X, DATES - DATES[0], ValueError, ["y", "times", "text"]),
    "periods": (
        lambda: frame(a=X[:, 0], b=pd.period_range("2020", periods=N)),
        Y,
        TypeError,
        ["X", "real numbers", "Period"],
    ),
    "names twice": (
        lambda: pd.DataFrame(X, columns=["a", "a"]),
        Y,
        ValueError,
        ["X", "column names", "'a'", "rename"],
    ),
}


@pytest.mark.parametrize("name", ["lapsvm_pcg", "tsvm", "cccp"])
@pytest.mark.parametrize("case", CONTAINERS)
def test_what_is_no_array_is_refused_in_one_sentence(name, case, no_work):
    points, given, kind, words = CONTAINERS[case]
    points = points()
    refused(lambda: make(name).fit(points, given), words, kind)


MARKS = ([-1], [-1, -2], (), {}, np.array([-1, 0]), pd.Series([-1]), b"x", len)


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
def test_a_mark_is_one_label_or_a_missing_value(mark, no_work):
    refused(lambda: make("svm", unlabeled=mark).fit(X, Y), ["unlabeled", "one label"])


def test_an_array_is_no_choice(no_work):
    several = np.array(["binary", "heat"])
    refused(lambda: make("lapsvm_pcg", weights=several).fit(X, Y), ["weights"])


def words(dtype):
    return np.where(Y < 0, "?", np.where(Y == 1, "b", "a")).astype(dtype)


TAKEN = {
    "table of arrow": lambda: (arrow(), Y, -1),
    "strings of numpy": lambda: (X, words(np.dtypes.StringDType()), "?"),
    "NaN among words": lambda: (
        X,
        np.array([np.nan if v < 0 else f"c{v}" for v in Y.tolist()] + ["c0"])[:-1],
        np.nan,
    ),
    "strings with NaN": lambda: (
        X,
        np.array(
            [np.nan if v < 0 else f"c{v}" for v in Y.tolist()],
            dtype=np.dtypes.StringDType(na_object=np.nan),
        ),
        np.nan,
    ),
    "int64 indices": lambda: (_wide_indices(), Y, -1),
    "extension types": lambda: (
        pd.DataFrame(X, columns=["a", "b"]).astype("Float64"),
        pd.array(Y).astype("Int64"),
        -1,
    ),
}


def _wide_indices():
    A = sp.csr_array(X)
    A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    return A


@pytest.mark.parametrize("name", ["lapsvm_pcg", "tsvm"])
@pytest.mark.parametrize("case", TAKEN)
def test_other_containers_give_the_same_machine(name, case):
    points, given, mark = TAKEN[case]()
    f = make(name).fit(X, Y).decision_function(X)
    est = make(name, unlabeled=mark).fit(points, given)
    assert len(est.classes_) == 2
    # Products go in another order, and a run ends within its tolerance.
    np.testing.assert_allclose(est.decision_function(points), f, atol=1e-5)
    assert est.score(points, given) == 1.0


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        (np.where(Y < 0, np.nan, 1.0), ValueError, ["y", "missing", "-1"]),
        (None, ValueError, ["y", "1d array"]),
        (1, ValueError, ["y", "single value"]),
        (Y[:3], ValueError, ["y", str(N), "3"]),
        (sp.csr_array(Y[:, None]), TypeError, ["y", "toarray"]),
    ],
    ids=["NaN", "None", "one", "short", "sparse"],
)
def test_scores_need_labels(given, kind, words):
    est = make("svm").fit(X, Y)
    refused(lambda: est.score(X, given), words, kind)


def test_watched_labels_may_be_a_column_and_are_no_single_value():
    flat, column = (
        make("svm").trace(X, Y, X_test=X, y_test=y) for y in (Y, Y[:, None])
    )
    np.testing.assert_array_equal(flat.targets["test"], column.targets["test"])
    refused(
        lambda: make("svm").trace(X, Y, X_test=X, y_test=1), ["y_test", "same length"]
    )


def test_labels_may_be_text_with_a_number_as_the_mark():
    make("svm").fit(X, labels("a", "b", -1))


@pytest.mark.parametrize(
    ("name", "form"),
    [*((n, sp.csr_array) for n in ALGORITHMS), ("tsvm", sp.csc_array)],
)
def test_repeated_entries_count_as_their_sum_whatever_the_flag_says(name, form):
    rows, columns = 60, 3
    rng = np.random.default_rng(0)
    dense = rng.normal(size=(rows, columns)) + 3 * (np.arange(rows) % 2)[:, None]
    plain = form(dense)
    parts = np.stack([plain.data - 1.0, np.ones(plain.nnz)], axis=1).ravel()
    twice = form((parts, np.repeat(plain.indices, 2), 2 * plain.indptr), plain.shape)
    twice.has_canonical_format = True  # as whoever fills in the arrays may say
    kept = parts.copy()
    y = np.where(np.arange(rows) < 6, np.arange(rows) % 2, -1)
    few = {"max_iter": 5} if "max_iter" in make(name).get_params() else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        one, two = (make(name, **few).fit(A, y) for A in (plain, twice))
    f = one.decision_function(plain)
    atol = 1e-6 * np.abs(f).max()
    np.testing.assert_allclose(two.decision_function(twice), f, atol=atol)
    np.testing.assert_array_equal(twice.data, kept)


# Parameters ----------------------------------------------------------------------

NOT_POSITIVE = [0, -1.0, np.nan, np.inf, "one", None, True, [1.0]]
NEGATIVE = [-1e-9, np.nan, np.inf, "one", None]
NOT_A_COUNT = [0, -3, 2.5, np.nan, "six", None, False]
PARAMETERS = {
    "sigma": NOT_POSITIVE,
    "gamma_A": NOT_POSITIVE,
    "gamma_I": NEGATIVE,
    "degree": NOT_A_COUNT,
    "coef0": [np.nan, np.inf, "one", None],
    "kernel": ["gaussian", None, 3, ["rbf"], len, lambda A: A @ A.T],
    "n_neighbors": NOT_A_COUNT,
    "weights": ["distance", None, 1],
    "metric": ["angle", None, 2, len],
    "join": ["union", None, True],
    "W": ["knn", 3, True, [0.5, 1.0], [[1.0, 2.0]], [["a"]], [[1j]], lambda: 1],
    "normalized": ["yes", None, 2],
    "laplacian_degree": NOT_A_COUNT,
    "dtype": ["float16", "double", None, 64, float],
    "stop": ["never", 3, 0.1, ["stability"], "validation", "mixed"],
    "tol": NEGATIVE,
    "max_iter": [-3, 2.5, np.nan, "six", None, False],
    "check_every": [0, -3, 2.5, np.nan, "six", False],
    "stop_per_class": ["yes", None, 2],
}


@pytest.mark.parametrize("name", KERNEL)
@each("parameter, value", [(p, v) for p, values in PARAMETERS.items() for v in values])
def test_bad_parameter_is_refused_in_one_sentence(name, parameter, value, no_work):
    if parameter not in make(name).get_params():
        return
    est = make(name, **{parameter: value})
    words = ["X_val"] if value in ("validation", "mixed") else [parameter]
    refused(lambda: est.iterate(X, Y), words)
    refused(lambda: est.fit(X, Y), words)


@pytest.mark.parametrize("name", ["tsvm", "s3vm_light"])
def test_a_schedule_without_an_end_is_refused_with_a_rate_that_has_one(name, no_work):
    est = make(name, rate=1.0000001)
    refused(lambda: est.fit(X, Y), ["rate", "115,129,260", "5,000 steps", "1.0024"])
    with pytest.raises(AssertionError, match="work was begun"):
        make(name, rate=1.0024).fit(X, Y)


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("tsvm", "lam_u", 1e300),
        ("newton_s3vm", "C_u", 1e300),
        ("branch_and_bound", "C", 1e-300),
        ("cccp", "steps", 10**9),
        ("nabla_s3vm", "steps", 10**9),
        ("cs3vm", "steps", 10**9),
        ("lapsvm_pcg", "laplacian_degree", 10**9),
        ("tsvm", "S", 10**30),
        ("lapsvm_pcg", "gamma_A", 10**30),
        ("lapsvm_pcg", "max_iter", 10**400),
    ],
)
def test_numbers_nobody_can_wait_for_are_refused(name, parameter, value, no_work):
    refused(lambda: make(name, **{parameter: value}).fit(X, Y), [parameter])


# Validation and test points, start, recording ------------------------------------


VALIDATION = {
    "no y_val": (X[:5], None, ["X_val", "y_val"]),
    "no X_val": (None, [0, 1], ["X_val", "y_val"]),
    "lengths": (X[:5], [0, 1], ["X_val", "y_val", "5", "2"]),
    "features": (np.ones((4, 7)), [0, 1, 0, 1], ["7", "2", "features"]),
    "NaN": (np.full((4, 2), np.nan), [0, 1, 0, 1], ["NaN"]),
}


@algorithms
@each("case", VALIDATION)
def test_bad_validation_points_are_refused(name, case, no_work):
    points, labels, words = VALIDATION[case]
    for call in (make(name).iterate, make(name).trace):
        refused(lambda c=call: c(X, Y, X_val=points, y_val=labels), words)


@algorithms
def test_test_points_need_their_labels(name, no_work):
    for part in ({"X_test": X[:5]}, {"y_test": [0, 1]}):
        refused(lambda p=part: make(name).trace(X, Y, **p), ["X_test", "y_test"])


@algorithms
@each("policy", ["everything", 0, -1, 2.5, None])
def test_bad_recording_policy_is_refused(name, policy, no_work):
    refused(lambda: make(name).trace(X, Y, record_states=policy), ["full", "metrics"])


def a_state(name, problem, rows=slice(None)):
    est = make(name)
    return next(est.iterate(problem.X[rows], problem.y[rows]))


@algorithms
@pytest.mark.parametrize("kind", ["not a state", "other n", "thin", "other classes"])
def test_bad_start_is_refused(name, kind, monkeypatch, request):
    start = {
        "not a state": lambda: np.zeros(N),
        "other n": lambda: a_state(name, BY_NAME["circles"]),
        "thin": lambda: a_state(name, PROBLEM).thin(),
        "other classes": lambda: a_state(name, MULTICLASS),
    }[kind]()
    request.getfixturevalue("no_work")
    refused(lambda: make(name).iterate(X, Y, start=start), ["start"])


# Kernels from outside and memory -------------------------------------------------

K = PROBLEM.K


MATRICES = {
    "oblong": (K[:, :-1], ["precomputed", "square"]),
    "NaN": (changed(K, (3, 5), np.nan), ["NaN"]),
    "unsymmetric": (np.triu(K), ["precomputed", "symmetric"]),
}


@pytest.mark.parametrize("name", KERNEL)
@each("case", MATRICES)
def test_bad_precomputed_kernel_is_refused(name, case):
    matrix, words = MATRICES[case]
    est = make(name, kernel="precomputed")
    refused(lambda: est.fit(matrix, PROBLEM.truth), words)


@pytest.mark.parametrize("name", KERNEL)
def test_prediction_needs_a_column_per_training_point(name):
    est = make(name, kernel="precomputed")
    next(est.iterate(K, Y))  # the first state is a model already
    refused(lambda: est.predict(K[:, :-1]), [str(N), str(N - 1)])


CALLABLES = {
    "NaN": lambda A, B: np.full((A.shape[0], B.shape[0]), np.nan),
    "shape": lambda A, B: np.ones((A.shape[0], 1)),
    "unsymmetric": lambda A, B: np.triu(A @ B.T) if len(A) == len(B) else A @ B.T,
    "complex": lambda A, B: A @ B.T + 1j,
    "word": lambda A, B: "word",
}


@pytest.mark.parametrize("name", KERNEL)
@each("case", CALLABLES)
def test_bad_callable_kernel_is_refused(name, case):
    """Only its values can tell, so this one sentence comes after they are made."""
    kernel = CALLABLES[case]
    every = np.where(Y < 0, PROBLEM.truth, Y)
    refused(lambda: make(name, kernel=kernel).fit(X, every), ["callable kernel"])


@pytest.mark.parametrize("name", KERNEL)
def test_overflowing_kernel_is_refused(name):
    """(x'z + 1)^9 of 1e40 is infinite: said, not computed with."""
    est = make(name, kernel="poly", degree=9)
    with np.errstate(over="ignore", invalid="ignore"):
        refused(
            lambda: est.fit(X * 1e40, Y),
            ["poly kernel", "finite", "scale the features"],
        )


@pytest.mark.parametrize(
    "name", [n for n in ALGORITHMS if "n_neighbors" in make(n).get_params()]
)
@pytest.mark.parametrize("n_neighbors", [N, N + 50])
def test_more_neighbours_than_points_are_clipped_and_noted(name, n_neighbors):
    states = make(name, n_neighbors=n_neighbors).iterate(X, Y)
    texts = " ".join(event.text for event in next(states).events)
    assert f"n_neighbors={n_neighbors}" in texts
    assert str(N - 1) in texts


@algorithms
def test_refused_input_leaves_the_last_model_in_place(name):
    est = make(name)
    est.fit(X, PROBLEM.truth)
    f = est.decision_function(X)
    with pytest.raises(ValueError, match="NaN"):
        est.fit(changed(X, (0, 0), np.nan), PROBLEM.truth)
    with pytest.raises(ValueError, match="one labelled class"):
        est.fit(X, np.ones(N))
    np.testing.assert_array_equal(est.decision_function(X), f)
    assert set(est.predict(X)) == {0, 1}


# Anything at all -----------------------------------------------------------------

NUMBERS = st.one_of(
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-3, 12),
    st.sampled_from([0, 1e-300, 1e300, -1.0, 1e-3, 0.5, 1.0, 10.0]),
)
DTYPES = ["float64", "float32", "int64", "uint8", "bool", "float16", "object"]


@st.composite
def data_sets(draw):
    n = draw(st.integers(1, 14))
    d = draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    kind = draw(st.sampled_from(["normal", "huge", "tiny", "constant", "twice", "NaN"]))
    points = rng.normal(size=(n, d))
    if kind == "huge":
        points = points * 10.0 ** draw(st.integers(5, 200))
    elif kind == "tiny":
        points = points * 10.0 ** -draw(st.integers(5, 200))
    elif kind == "constant":
        points[:] = 1.0
    elif kind == "twice":
        points = points[rng.integers(0, max(1, n // 3), n)]
    elif kind == "NaN":
        points[0, 0] = draw(st.sampled_from([np.nan, np.inf]))
    dtype = draw(st.sampled_from(DTYPES))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        points = points.astype(dtype)
    n_classes = draw(st.integers(1, 4))
    length = n + draw(st.sampled_from([0, 0, 0, 0, 0, -1, 1]))
    labels = rng.integers(-1, n_classes, length)
    return points, labels


@st.composite
def parameters(draw, name):
    chosen = {}
    for knob in ALGORITHMS[name].knobs:
        if draw(st.booleans()):
            continue
        inside = {
            "choice": st.sampled_from(knob.choices or (None,)),
            "bool": st.booleans(),
            "int": st.integers(int(knob.low or 1), min(int(knob.high or 20), 30)),
        }.get(knob.kind)
        if inside is None:
            low, high = knob.low or 1e-6, knob.high or 1e3
            inside = st.floats(low, high)
        strange = st.one_of(NUMBERS, st.sampled_from([None, "word", [], True]))
        chosen[knob.name] = draw(inside if draw(st.integers(0, 9)) else strange)
    # Long runs teach nothing here.
    if isinstance(chosen.get("max_iter", 50), int):
        chosen["max_iter"] = min(chosen.get("max_iter", 50), 50)
    return {k: v for k, v in chosen.items() if k in make(name).get_params()}


def refusal(est, points, labels):
    """The sentence with which a fit is refused; None where it succeeds."""
    try:
        est.fit(points, labels)
    except ValueError as error:
        return str(error)
    return None


def fitted_or_refused(name, data):
    """A finite model, or a ValueError of one line; never another exception."""
    points, labels = data.draw(data_sets())
    est = make(name, **data.draw(parameters(name)))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", DataConversionWarning)
        warnings.filterwarnings(
            "ignore", r"\d.* of \d.* points have outputs that prefer"
        )
        message = refusal(est, points, labels)
        if message is not None:
            assert "\n" not in message
            assert len(message) > 10
            return
        assert np.isfinite(est.state_.f).all()
        assert np.isfinite(est.decision_function(points)).all()
        assert np.isfinite(est.state_.objective)


@algorithms
@pytest.mark.parametrize("examples", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_any_input_is_fitted_or_refused(name, examples):
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def attack(data):
        fitted_or_refused(name, data)

    attack()


def test_columns_in_another_order_are_called_so():
    frame = pd.DataFrame(X, columns=["u", "v"])
    est = make("svm").fit(frame, Y)
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        est.predict(frame[["v", "u"]])
    with pytest.raises(ValueError, match=r"^The feature names should match"):
        est.predict(frame[["v", "u"]])
