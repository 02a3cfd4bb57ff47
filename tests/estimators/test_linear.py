"""What the linear estimators do beyond the common contract."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC

from halfmoon.datasets.text import topic_text
from ssl_core import Status, make
from ssl_core.estimators.linear import (
    DAClassifier,
    L2SVMClassifier,
    TSVMClassifier,
)
from ssl_core.stopping import judge, objective_decrease, stability_check
from tests.linear_problems import LINEAR_PROBLEMS
from tests.small_problems import MULTICLASS

names = pytest.mark.parametrize("name", ["l2svm_mfn", "tsvm", "da"])
transductive = pytest.mark.parametrize("name", ["tsvm", "da"])
DATA = next(p for p in LINEAR_PROBLEMS if p.name == "documents")


def drain(states):
    *_, last = states
    return last


def run(est, X=DATA.X, y=DATA.hidden, **options):
    drain(est.iterate(X, y, **options))
    return est


@pytest.mark.parametrize("data", LINEAR_PROBLEMS, ids=str)
def test_l2svm_is_linear_svc_on_the_labelled_points(data):
    labeled = data.y != 0
    C = 1 / (2 * labeled.sum() * data.lam)
    svc = LinearSVC(C=C, intercept_scaling=1, dual=False, tol=1e-10, max_iter=10_000)
    svc.fit(data.X.tocsr()[labeled] if sp.issparse(data.X) else data.X[labeled],
            data.hidden[labeled])  # fmt: skip
    est = run(L2SVMClassifier(lam=data.lam, tol=1e-10), data.X, data.hidden)
    np.testing.assert_allclose(est.coef_, svc.coef_, atol=1e-5)
    np.testing.assert_allclose(est.intercept_, svc.intercept_, atol=1e-5)


@names
@pytest.mark.parametrize("form", ["csr", "csc", "dense", "fortran"])
def test_the_data_are_not_copied_on_the_way_in(name, form):
    A = DATA.X.toarray()
    X = {
        "csr": DATA.X,
        "csc": DATA.X.tocsc(),
        "dense": A,
        "fortran": np.asfortranarray(A),
    }[form]
    est = make(name)
    task = est._task(X, DATA.hidden, None, None, None)
    ours = task.X.data if sp.issparse(X) else task.X
    assert np.shares_memory(ours, X.data if sp.issparse(X) else X)


@transductive
def test_class_ratio_may_be_given_or_estimated(name):
    u = np.count_nonzero(DATA.hidden < 0)
    for r, expected in ((0.2, 0.2), (None, 0.5)):
        state = run(make(name, r=r)).state_
        if name == "da":
            assert abs(state.p.mean() - expected) <= 1e-12
        else:
            assert (state.y_u > 0).sum() == pytest.approx(expected * u, abs=0.5)


@transductive
def test_each_class_has_its_own_ratio(name):
    r = [0.2, 0.3, 0.5]
    state = run(make(name, r=r), MULTICLASS.X, MULTICLASS.y).state_
    if name == "da":
        np.testing.assert_allclose(state.p.mean(axis=0), r, atol=1e-12)
    else:
        np.testing.assert_allclose((state.y_u > 0).mean(axis=0), r, atol=0.01)


@transductive
@pytest.mark.parametrize("r", [0.0, 1.0, -0.1, 1.5, "half", True, [0.5, 2.0]])
def test_an_impossible_ratio_is_refused(name, r):
    with pytest.raises(ValueError, match="r must be a share"):
        make(name, r=r).iterate(DATA.X, DATA.hidden)


@transductive
def test_ratios_of_another_number_of_classes_are_refused(name):
    with pytest.raises(ValueError, match="got 3 for 2 classes"):
        make(name, r=[0.2, 0.3, 0.5]).iterate(DATA.X, DATA.hidden)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (L2SVMClassifier(lam=0.0), "lam must be a number > 0, got 0.0"),
        (TSVMClassifier(lam_u=-1.0), "lam_u must be a number >= 0"),
        (TSVMClassifier(S=0), "S must be an integer >= 1"),
        (TSVMClassifier(rate=1.0), "rate must be a number > 1"),
        (TSVMClassifier(lam_start=0.0), "lam_start must be a number > 0"),
        (DAClassifier(T=0.0), "T must be a number > 0"),
        (DAClassifier(anneal="no"), "anneal must be True or False, got 'no'"),
        (DAClassifier(max_temperatures=0), "max_temperatures must be an integer >= 1"),
        (DAClassifier(stop="gradientt"), "stop must be None, one of gradient"),
        (L2SVMClassifier(schedule="slow"), "schedule must be one of"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_parameters_get_one_sentence(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.iterate(DATA.X, DATA.hidden)


@names
def test_several_classes_are_the_binary_machines_side_by_side(name):
    X, y = MULTICLASS.X, MULTICLASS.y
    states = list(make(name).iterate(X, y))
    last = states[-1]
    for j in range(3):
        hidden = np.where(y < 0, -1, y == j).astype(int)
        alone = run(make(name), X, hidden).state_
        np.testing.assert_allclose(last.f[:, j], alone.f, atol=1e-9)
        assert last.per_class["objective"][j] == pytest.approx(alone.objective)
    assert not last.status.running


@names
def test_a_run_on_several_classes_can_be_continued(name):
    X, y = MULTICLASS.X, MULTICLASS.y
    last = run(make(name), X, y).state_
    y = y.copy()
    y[np.flatnonzero(y < 0)[0]] = 2
    again = run(make(name), X, y, start=last).state_
    assert np.isfinite(again.f).all()


@names
@pytest.mark.parametrize("rule", ["stability", "objective"])
def test_stopping_rules_end_a_run_where_they_would_end_its_record(name, rule):
    """The whole run is recorded and the rule asked where it would have stopped."""
    stop = {
        "stability": stability_check(every=2, tol=0.5),
        "objective": objective_decrease(1e-3),
    }[rule]
    whole = make(name).trace(DATA.X, DATA.hidden)
    est = run(make(name, stop=stop))
    assert est.n_iter_ == judge(stop, whole) < whole.final.t
    expected = Status.EARLY if rule == "stability" else Status.CONVERGED
    assert est.state_.status is expected
    assert est.state_.events[-1].kind == ("check" if rule == "stability" else "stop")
    np.testing.assert_array_equal(est.state_.f, whole.states[est.n_iter_].f)


def test_a_rule_given_by_name_ends_a_run():
    whole = run(make("l2svm_mfn"))
    stopped = run(make("l2svm_mfn", stop="gradient", tol=1e-3))
    finer = run(make("l2svm_mfn", stop="gradient", tol=1e-6))
    assert stopped.n_iter_ < finer.n_iter_ < whole.n_iter_
    assert stopped.state_.events[-1].kind == "stop"


def test_validation_points_can_stop_a_run():
    X_val, y_val = DATA.X[:80], (DATA.truth[:80] > 0).astype(int)
    est = make("da", stop="validation")
    drain(est.iterate(DATA.X, DATA.hidden, X_val=X_val, y_val=y_val))
    assert est.state_.status is Status.EARLY


@names
def test_trace_gives_every_iterations_outputs_by_one_product(name):
    est = make(name)
    trace = est.trace(DATA.X, DATA.hidden, X_test=DATA.X[:7], y_test=[0] * 7)
    F = trace.decision_function(DATA.X[:7])
    assert F.shape == (len(trace), 7)
    np.testing.assert_allclose(F, trace.outputs["test"], atol=1e-12)
    for row, state in zip(F, trace.states, strict=True):
        np.testing.assert_allclose(row, state.f[:7], atol=1e-10)


def test_unlabeled_documents_help():
    """The reason for the family: fewer errors on hidden labels than the SVM makes."""
    rng = np.random.default_rng(0)
    data = topic_text(800, 2000, 40, difficulty=0.5, rng=rng)
    y = np.full(800, -1)
    for side in (0, 1):
        y[rng.choice(np.flatnonzero(data.y == side), 8, replace=False)] = side
    wrong = {
        name: np.mean((run(make(name), data.X, y).predict(data.X) != data.y)[y < 0])
        for name in ("l2svm_mfn", "tsvm", "da")
    }
    assert wrong["tsvm"] < 0.8 * wrong["l2svm_mfn"]
    assert wrong["da"] < 0.8 * wrong["l2svm_mfn"]


@pytest.mark.parametrize("scale", [1e-30, 1e16, 1e69])
@pytest.mark.parametrize("name", ["l2svm_mfn", "tsvm", "da"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_features_of_any_size_give_a_finite_model(name, scale):
    X = scale * np.random.default_rng(0).normal(size=(3, 3))
    est = make(name).fit(X, [0, 1, -1])
    assert np.isfinite(est.decision_function(X)).all()
