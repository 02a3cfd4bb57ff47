"""Recording a run: policies, memory, seconds, fields over iterations."""

import base64
import pickle
import time
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ssl_core import Event, State, Status, make
from ssl_core.solvers import _s3vm
from ssl_core.solvers._s3vm import balanced
from ssl_core.trace import ExpansionState, decide, decide_stack, record, signs
from tests.small_problems import BY_NAME, MULTICLASS

BINARY = BY_NAME["label_noise"]
both = pytest.mark.parametrize("problem", [BINARY, MULTICLASS], ids=str)


def run(problem, *, algorithm="lapsvm_pcg", max_iter=20, **keywords):
    est = make(algorithm, tol=0, max_iter=max_iter, **problem.knobs)
    return est, est.trace(problem.X, problem.y, **keywords)


def states(count=10, n=100):
    for t in range(count):
        status = Status.MAX_ITER if t == count - 1 else Status.RUNNING
        yield ExpansionState(
            t=t,
            objective=1.0 / (t + 1),
            status=status,
            f=np.full(n, float(t)),
            alpha=np.full(n, -float(t)),
            b=float(t),
            events=(Event("even", f"t = {t}"),) if t % 2 == 0 else (),
        )


# What a trace holds --------------------------------------------------------------


@both
def test_every_iteration_is_there_from_zero_on(problem):
    _, trace = run(problem)
    assert len(trace) == len(trace.states) == 21
    assert [s.t for s in trace.states] == list(range(21))
    assert trace.final is trace.states[-1]
    assert trace.status is Status.MAX_ITER


def test_a_trace_is_a_sequence_of_its_states():
    _, trace = run(BINARY)
    assert [*trace] == trace.states
    assert trace[3] is trace.states[3]
    assert trace[-1] is trace[20] is trace[np.int64(20)] is trace.final
    for t, error, words in (
        (21, IndexError, "t must be from -21 to 20, got 21"),
        (-22, IndexError, "21 states"),
        ("objective", TypeError, r"whole number or a slice, got 'objective'.*column"),
        (1.0, TypeError, "whole number"),
    ):
        with pytest.raises(error, match=words):
            trace[t]


@both
@pytest.mark.parametrize("policy", ["full", "metrics"])
def test_a_slice_is_the_trace_of_its_states(problem, policy):
    val = {"X_val": problem.X[:30], "y_val": problem.truth[:30]}
    _, trace = run(problem, record_states=policy, **val)
    for places in (slice(2, 9), slice(None, None, 5), slice(-3, None), slice(4, 1, -1)):
        part = trace[places]
        assert part.states == trace.states[places]
        assert part.multiclass == trace.multiclass
        frame = trace.to_frame().iloc[places].reset_index(drop=True)
        pd.testing.assert_frame_equal(part.to_frame(), frame)
        kept = [i for i in range(21)[places] if i in trace.kept]
        assert [part[i].t for i in part.kept] == kept
        if kept:
            rows = trace.decision_function(problem.X[:5])
            rows = rows[np.searchsorted(trace.kept, kept)]
            found = part.decision_function(problem.X[:5])
            np.testing.assert_allclose(found, rows, atol=1e-12)
    assert trace[2:9].status is Status.INTERRUPTED
    assert trace[2:].status is trace.status
    with pytest.raises(
        ValueError, match=r"must hold a state, got \[30:\] of 21 states"
    ):
        trace[30:]


def test_traces_and_states_are_shown_in_a_few_words():
    _, few = run(BINARY)
    for trace in (few, record(states(3000))):
        assert len(repr(trace)) < 100
        assert len(trace._repr_html_()) < 2000
        assert all(len(repr(state)) < 400 for state in trace.states[:30])
    text = repr(few[4])
    assert text.startswith("PCGState(RUNNING, t=4, objective=")
    assert f"alpha: {len(BINARY.X)}, b=" in text
    html = few._repr_html_()
    assert repr(few) in html
    assert html.count("<tr>") == 1 + 7
    assert f"<td>{few.final.objective:.6g}</td>" in html
    assert html.count("<td>…</td>") == 4
    assert few[:5]._repr_html_().count("<tr>") == 1 + 5


@both
def test_decision_function_rows_are_the_models_of_their_iterations(problem):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(15, problem.X.shape[1]))
    est = make("lapsvm_pcg", tol=0, max_iter=12, **problem.knobs)
    rows = []
    for _ in est.iterate(problem.X, problem.y):
        rows.append(est.decision_function(points))
    trace = est.trace(problem.X, problem.y)
    F = trace.decision_function(points)
    assert F.shape == (13, *rows[0].shape)
    np.testing.assert_allclose(F, rows, atol=1e-10)
    # And on the training points they are the states' own f.
    on_training = trace.decision_function(problem.X)
    np.testing.assert_allclose(on_training, [s.f for s in trace.states], atol=1e-9)


@both
@pytest.mark.parametrize("policy", ["metrics", 4])
def test_kept_states_keep_their_decision_functions(problem, policy):
    _, full = run(problem)
    _, thin = run(problem, record_states=policy)
    F = full.decision_function(problem.X[:9])
    kept = thin.decision_function(problem.X[:9])
    assert len(kept) == len(thin.kept)
    np.testing.assert_allclose(kept, F[thin.kept], atol=1e-12)


@both
@pytest.mark.parametrize("policy", ["full", "metrics", 1, 3, 100])
def test_policy_says_which_states_keep_their_arrays(problem, policy):
    _, trace = run(problem, record_states=policy)
    expected = {
        "full": range(21),
        "metrics": [0, 20],
        1: range(21),
        3: [*range(0, 21, 3), 20],
        100: [0, 20],
    }[policy]
    assert list(trace.kept) == list(expected)
    for i, state in enumerate(trace.states):
        assert (state.f is not None) == (i in expected)
        assert (state.alpha is not None) == (i in expected)


@both
@pytest.mark.parametrize("policy", ["metrics", 4])
def test_numbers_labels_and_events_survive_every_policy(problem, policy):
    _, full = run(problem)
    _, thin = run(problem, record_states=policy)
    for name in full.scalar_names():
        np.testing.assert_array_equal(thin.column(name), full.column(name))
    np.testing.assert_array_equal(thin.labels, full.labels)
    assert [(t, e.kind) for t, e in thin.events] == [
        (t, e.kind) for t, e in full.events
    ]


@both
def test_labels_are_the_decisions_of_every_state(problem):
    _, trace = run(problem)
    for row, state in zip(trace.labels, trace.states, strict=True):
        np.testing.assert_array_equal(row, state.labels)
    if problem.n_classes == 2:
        assert set(np.unique(trace.labels)) <= {-1, 1}
    else:
        assert set(np.unique(trace.labels)) <= set(range(problem.n_classes))


@both
def test_errors_are_the_share_of_wrong_decisions(problem):
    est, trace = run(problem)
    truth = est.encode(problem.truth)
    unlabeled = problem.y < 0
    error = trace.error(truth, unlabeled)
    final = est.predict(problem.X[unlabeled]) != problem.truth[unlabeled]
    assert error[-1] == pytest.approx(final.mean())
    assert error.shape == (21,)
    assert trace.error(truth)[-1] == pytest.approx(
        np.mean(est.predict(problem.X) != problem.truth)
    )


@both
@pytest.mark.parametrize("policy", ["full", "metrics"])
def test_watched_points_have_outputs_at_every_iteration(problem, policy):
    val, test = np.arange(0, 30), np.arange(30, 50)
    est, trace = run(
        problem,
        X_val=problem.X[val],
        y_val=problem.truth[val],
        X_test=problem.X[test],
        y_test=problem.truth[test],
        record_states=policy,
    )
    _, full = run(problem)
    for part, rows in (("val", val), ("test", test)):
        expected = full.decision_function(problem.X[rows])
        np.testing.assert_allclose(trace.outputs[part], expected, atol=1e-10)
        last = np.mean(est.predict(problem.X[rows]) != problem.truth[rows])
        assert trace.output_error(part)[-1] == pytest.approx(last)
        assert trace.output_error(part).shape == (21,)


def test_y_is_kept_in_the_cores_convention():
    _, trace = run(BINARY)
    np.testing.assert_array_equal(trace.y, BINARY.Y[:, 0])
    _, trace = run(MULTICLASS)
    np.testing.assert_array_equal(trace.y, MULTICLASS.y)


def test_columns_are_scalar_fields_over_iterations():
    _, trace = run(BINARY)
    np.testing.assert_array_equal(
        trace.column("objective"), [s.objective for s in trace.states]
    )
    for name in ("grad_norm", "mixed_product", "step", "n_error_vectors"):
        assert name in trace.scalar_names()
        assert trace.column(name).shape == (21,)
    with pytest.raises((AttributeError, KeyError, ValueError), match="no_such_field"):
        trace.column("no_such_field")


def test_events_come_with_their_iteration():
    trace = record(states(5))
    assert [(t, e.kind, e.text) for t, e in trace.events] == [
        (t, "even", f"t = {t}") for t in (0, 2, 4)
    ]


@both
def test_frame_has_one_row_per_iteration(problem):
    _, trace = run(problem, record_states="metrics")
    frame = trace.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 21
    np.testing.assert_array_equal(frame["objective"], trace.column("objective"))
    np.testing.assert_array_equal(frame["t"], range(21))
    assert "seconds" in frame
    for dtype in frame.dtypes:
        assert dtype.kind in "ifbO"
    assert frame.to_csv(index=False).count("\n") == 22


@both
def test_trace_survives_pickling(problem):
    _, trace = run(problem)
    again = pickle.loads(pickle.dumps(trace))
    np.testing.assert_array_equal(again.column("objective"), trace.column("objective"))
    np.testing.assert_allclose(
        again.decision_function(problem.X[:5]), trace.decision_function(problem.X[:5])
    )
    assert again.status is trace.status


# Pickled when an event had the fields tone, tick and narrated as well.
OLD_STATE = """
gASVsgAAAAAAAACMDnNzbF9jb3JlLnRyYWNllIwFU3RhdGWUk5QpgZRdlChLA0c/4AAAAAAAAGgA
jAZTdGF0dXOUk5SMIENvbnZlcmdlZDogdGhlIHRvbGVyYW5jZSBpcyBtZXQulIWUUpROaACMBUV2
ZW50lJOUKYGUXZQojAt0ZW1wZXJhdHVyZZSMDVQgZmFsbHMgdG8gMi6UfZSMAVSUR0AAAAAAAAAA
c4wEd2FybpSIiWVihZROZWIu
"""


def test_a_state_whose_events_had_a_look_is_still_read():
    old = pickle.loads(base64.b64decode(OLD_STATE))
    event = Event("temperature", "T falls to 2.", {"T": 2.0})
    again = State(t=3, objective=0.5, status=Status.CONVERGED, f=None, events=(event,))
    assert old == again
    assert pickle.loads(pickle.dumps(old)) == again


# record() ------------------------------------------------------------------------


def test_seconds_are_the_solvers_alone():
    def slow():
        for state in states(4):
            time.sleep(0.02)
            yield state

    def slow_watcher(state):
        time.sleep(0.05)
        return state.f

    trace = record(slow(), watch={"val": slow_watcher})
    assert trace.seconds.shape == (4,)
    assert np.all(trace.seconds >= 0.02)
    # A busy machine may oversleep; scoring alone would be 0.07.
    assert np.median(trace.seconds) < 0.06


def test_stopping_from_outside_is_said():
    trace = record(states(10), until=lambda state: state.t == 3)
    assert len(trace) == 4
    assert trace.status is Status.INTERRUPTED
    assert trace.final.f is not None
    assert record(states(10)).status is Status.MAX_ITER


def test_stopping_from_outside_closes_the_solver():
    closed = []

    def solver():
        try:
            yield from states(10)
        finally:
            closed.append(True)

    record(solver(), until=lambda state: state.t == 3)
    assert closed


@pytest.mark.parametrize("count", [2, 9, 50, 200])
def test_memory_is_bounded(count):
    n, room = 500, 12
    one = ExpansionState(
        t=0, objective=1.0, f=np.zeros(n), alpha=np.zeros(n), b=0.0
    ).nbytes
    assert one >= 2 * 8 * n
    trace = record(states(count, n=n), max_bytes=room * one)
    held = sum(s.nbytes for s in trace.states if s.f is not None)
    # The first and the last always stay.
    assert held <= (room + 2) * one
    assert trace.kept[0] == 0
    assert trace.kept[-1] == count - 1
    assert len(trace) == count
    assert trace.labels.shape == (count, n)
    strides = np.diff(trace.kept[:-1])
    assert len(set(strides)) <= 1  # every 1st, 2nd, 4th ...
    if count > room + 2:
        assert len(trace.kept) < count
        assert len(trace.kept) > room / 2 - 1
    for i in trace.kept:
        assert trace.states[i].f[0] == i


def test_a_single_state_is_a_trace():
    trace = record(states(1))
    assert len(trace) == 1
    assert list(trace.kept) == [0]


@pytest.mark.parametrize("policy", ["everything", 0, -3, 1.5, None, True])
def test_unknown_policy_is_refused(policy):
    with pytest.raises(ValueError, match=r"full.*metrics"):
        record(states(), policy=policy)


# Small parts ---------------------------------------------------------------------


def test_thin_state_keeps_numbers_only():
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Rich(State):
        value: float
        matrix: np.ndarray | None

    rich = Rich(t=3, objective=0.5, f=np.ones(5), value=2.0, matrix=np.ones((5, 5)))
    thin = rich.thin()
    assert (thin.t, thin.objective, thin.value) == (3, 0.5, 2.0)
    assert thin.f is None
    assert thin.matrix is None
    assert thin.nbytes < rich.nbytes
    assert rich.f is not None


def test_decisions_are_signs_or_winners():
    np.testing.assert_array_equal(decide(np.array([0.2, -3.0])), [1, -1])
    np.testing.assert_array_equal(decide(np.array([[0.2, 0.1], [-3.0, -1.0]])), [0, 1])
    stacked = np.array([[0.2, 0.1], [-3.0, -1.0]])
    np.testing.assert_array_equal(
        decide_stack(stacked, multiclass=False), [[1, 1], [-1, -1]]
    )


def test_every_status_is_a_sentence():
    for status in Status:
        assert status.value[0].isupper()
        assert status.value.endswith(".")
        assert "\n" not in status.value
    assert [status for status in Status if status.running] == [Status.RUNNING]


def test_states_cannot_be_changed():
    state = next(states())
    with pytest.raises(AttributeError):
        state.objective = 0.0


def test_an_output_of_0_is_on_the_positive_side_everywhere():
    zero = np.zeros(3)
    assert decide(zero).tolist() == [1, 1, 1]
    assert decide_stack(zero[None], multiclass=False).tolist() == [[1, 1, 1]]
    # Far from all points the Gaussian kernel is 0, and without a bias so is f.
    problem = BY_NAME["two_moons"]
    est = make("lapsvm_newton", bias=False, **problem.knobs).fit(problem.X, problem.y)
    far = np.full((1, 2), 1e3)
    assert est.decision_function(far) == [0.0]
    assert est.predict(far) == [est.classes_[1]]
    trace = est.trace(problem.X, problem.y)
    assert (trace.states[0].f == 0).all()
    assert (trace.labels[0] == 1).all()


def test_the_search_for_the_class_ratio_counts_an_output_of_0_as_predictions_do():
    """One output of +1, one of 0, one of -1: two of three are positive."""
    problem = SimpleNamespace(
        bias=SimpleNamespace(value=0.0),
        fixed_at=lambda b: None,
        unlabeled=np.arange(3),
        n_positive=2,
        u=3,
    )
    end = State(
        t=0, objective=0.0, status=Status.FINISHED, f=np.array([1.0, 0.0, -1.0])
    )
    (only,) = balanced(problem, lambda problem, start: iter([end]))
    assert [event.kind for event in only.events] == ["search"]


@pytest.mark.parametrize("status", Status)
def test_a_status_is_pickled_by_its_name_and_old_sentences_still_open(status):
    assert pickle.loads(pickle.dumps(status)) is status
    assert status.value.encode() not in pickle.dumps(status)
    assert Status(status.value) is status  # as earlier versions pickled it
    old = "Finished: the method has run its whole course."
    assert Status(old) is Status.FINISHED
    with pytest.raises(ValueError, match="no status"):
        Status("no status")


def test_an_output_of_0_counts_as_plus_1_for_solvers_traces_and_predictions():
    zero = np.array([0.0, -0.0, -1e-300, 1e-300])
    assert signs(zero).tolist() == decide(zero).tolist() == [1, 1, -1, 1]
    assert _s3vm.signs is signs
    est = make("svm").fit([[-1.0], [1.0]], ["a", "b"])
    est.model_ = SimpleNamespace(outputs=lambda states, X: np.zeros((1, len(X))))
    assert est.predict([[0.0], [2.0]]).tolist() == ["b", "b"]
