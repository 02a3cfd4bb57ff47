"""The driver: rules, limits and last words, the same for every solver."""

from dataclasses import dataclass

import numpy as np
import pytest

from ssl_core import (
    ALGORITHMS,
    Event,
    State,
    Status,
    make,
    mixed_product,
    stability_check,
)
from ssl_core.driver import GO_ON, drive, machine
from ssl_core.quantities import quantity
from ssl_core.solvers.one_vs_rest import side_by_side
from ssl_core.stopping import Verdict, rules_for
from tests.small_problems import BY_NAME, MULTICLASS, quick

ITERATIVE = [n for n, entry in ALGORITHMS.items() if hasattr(entry.estimator, "stop")]
BINARY = BY_NAME["heat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting(State):
    """A state of a solver that counts."""

    height: float = quantity("height", merge="max")


def counter(end=None, status=Status.FINISHED, last_word=None):
    """0, 1, 2, ... with an end of its own, or a last word when it is told to finish."""
    t = 0
    while True:
        here = status if t == end else Status.RUNNING
        state = Counting(
            t=t, objective=-float(t), f=np.zeros(2), status=here, height=1.0
        )
        orders = (yield state) or GO_ON
        if t == end:
            return
        t += 1
        if orders.last and last_word is not None:
            yield Counting(t=t, objective=last_word, f=np.ones(2), height=2.0)
            return


def at(t, status=Status.EARLY):
    event = Event("enough", "Enough.")
    return lambda state: Verdict(state.t >= t, event, status)


@dataclass(frozen=True)
class After:
    """A rule of one's own: so many iterations and no more."""

    t: int

    def watch(self, run):
        return at(self.t)


def end_of(states):
    *_, last = states
    return last


def build(name, problem=BINARY, **changes):
    known = make(name).get_params()
    wanted = quick(name, problem.knobs | changes)
    knobs = {k: v for k, v in wanted.items() if k in known}
    return make(name, **knobs)


@pytest.mark.parametrize("limit", [0, 1, 2, 7])
def test_the_limit_is_the_last_iteration(limit):
    states = list(drive(counter(), max_iter=limit))
    assert [s.t for s in states] == list(range(limit + 1))
    assert states[-1].status is Status.MAX_ITER
    assert all(s.status.running for s in states[:-1])


def test_a_last_word_is_within_the_limit_and_says_that_it_was_the_limit():
    last = end_of(drive(counter(last_word=-99.0), max_iter=4))
    assert (last.t, last.objective, last.status) == (4, -99.0, Status.MAX_ITER)


@pytest.mark.parametrize("status", [Status.CONVERGED, Status.FINISHED])
def test_a_solvers_own_end_comes_before_a_rule_and_the_limit(status):
    last = end_of(drive(counter(3, status), max_iter=3, watch=at(3)))
    assert (last.t, last.status) == (3, status)


def test_a_rule_that_is_met_says_more_than_a_stall():
    watch = at(3, Status.CONVERGED)
    last = end_of(drive(counter(3, Status.STALLED), watch=watch))
    assert last.status is Status.CONVERGED


def test_a_solver_is_closed_when_its_run_ends_or_is_dropped():
    for max_iter in (2, 9):
        solver = counter()
        states = drive(solver, max_iter=max_iter)
        assert [next(states).t for _ in range(3)] == [0, 1, 2]
        states.close()
        assert next(solver, None) is None


@pytest.mark.parametrize("name", ITERATIVE)
@pytest.mark.parametrize("max_iter", [0, 1, 2, 5])
def test_no_run_counts_more_than_max_iter(name, max_iter):
    for problem in (BINARY, MULTICLASS):
        est = build(name, problem, max_iter=max_iter)
        states = list(est.iterate(problem.X, problem.y))
        assert [s.t for s in states] == list(range(len(states)))
        assert est.n_iter_ <= max_iter
        if len(states) <= max_iter:
            assert states[-1].status in (Status.CONVERGED, Status.FINISHED)


@pytest.mark.parametrize("name", ITERATIVE)
def test_every_rule_that_suits_its_states_can_be_given_to_it(name):
    val = {"X_val": BINARY.X[:9], "y_val": BINARY.truth[:9]}
    for stop in rules_for(ALGORITHMS[name].estimator._state):
        est = build(name, stop=stop, check_every=1)
        last = end_of(est.iterate(BINARY.X, BINARY.y, **val))
        assert not last.status.running


@pytest.mark.parametrize("name", ITERATIVE)
def test_a_rule_ends_a_run_before_the_method_does(name):
    whole = end_of(build(name).iterate(BINARY.X, BINARY.y)).t
    stop = min(2, whole - 1)
    last = end_of(build(name, stop=After(stop)).iterate(BINARY.X, BINARY.y))
    assert (last.t, last.status) == (stop, Status.EARLY)
    assert last.events[-1].kind == "enough"


@pytest.mark.parametrize(
    ("name", "stop", "missing"),
    [
        ("lapsvm_dual", "gradient", "objective, stability, validation, mixed"),
        ("lapsvm_newton", "mixed_product", "gradient"),
        ("tsvm", "preconditioned", "gradient"),
    ],
)
def test_a_rule_by_name_that_needs_other_fields_is_refused_with_those_that_suit(
    name, stop, missing
):
    with pytest.raises(ValueError, match=f"stop must be .*{missing}") as error:
        build(name, stop=stop).iterate(BINARY.X, BINARY.y)
    assert "\n" not in str(error.value)


def test_a_rule_as_a_value_that_needs_other_fields_is_refused():
    with pytest.raises(ValueError, match="which have no mixed_product"):
        build("lapsvm_dual", stop=mixed_product()).iterate(BINARY.X, BINARY.y)


@pytest.mark.parametrize("name", ITERATIVE)
def test_classes_stop_jointly_or_each_by_itself_in_every_algorithm(name):
    """Joint: one check for all. By itself: a machine stays as its own run leaves it."""
    X, y, k = MULTICLASS.X, MULTICLASS.y, MULTICLASS.n_classes
    rule = stability_check(every=1, tol=0.02)
    joint = list(build(name, MULTICLASS, stop=rule).iterate(X, y))
    checks = [e for s in joint for e in s.events if e.kind == "check"]
    assert not any("Class" in e.text for e in checks)
    single = build(name, MULTICLASS, stop=rule, stop_per_class=True)
    states = list(single.iterate(X, y))
    rests = {}
    for state in states:
        for event in state.events:
            if event.kind == "check" and "classes" in event.data:
                rests |= dict.fromkeys(event.data["classes"], state.t)
    for j, t in rests.items():
        for state in states[t:]:
            np.testing.assert_array_equal(state.f[:, j], states[t].f[:, j])
    if rests and len(rests) == k and len(set(rests.values())) > 1:
        assert states[-1].t == max(rests.values())


# Self-training chooses points by the outputs of all classes.
@pytest.mark.parametrize("name", [n for n in ITERATIVE if n != "self_training"])
def test_a_machine_of_a_merged_state_is_what_its_own_run_shows(name):
    X, y = MULTICLASS.X, MULTICLASS.y
    states = list(build(name, MULTICLASS, max_iter=3).iterate(X, y))
    for j in range(MULTICLASS.n_classes):
        alone = np.where(y < 0, -1, (y == j).astype(int))
        own = list(build(name, MULTICLASS, max_iter=3).iterate(X, alone))
        for one, merged in zip(own[:3], states, strict=False):
            part = machine(merged, j)
            assert part.per_class is None
            assert part.objective == pytest.approx(one.objective, rel=1e-6)
            np.testing.assert_allclose(part.f, one.f, atol=1e-5)


def spread_out(seed):
    """Three clusters, so far apart that some machines are done before others."""
    rng = np.random.default_rng(seed)
    classes = np.repeat([0, 1, 2], 30)
    centers = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    X = centers[classes] * rng.uniform(0.3, 1.5) + rng.normal(size=(90, 2))
    return X, np.where(np.arange(90) % 30 < 5, classes, -1)


@pytest.mark.parametrize(
    ("name", "seed", "parameters"),
    [
        ("l2svm_mfn", 6, {"stop": "stability", "check_every": 1, "max_iter": 200}),
        ("tsvm", 0, {"stop": "gradient", "tol": 1e-2}),
    ],
)
def test_a_run_ends_with_its_last_moving_machine(name, seed, parameters):
    """Some machines are at rest by their rule, the others end by themselves."""
    est = make(name, stop_per_class=True, **parameters).fit(*spread_out(seed))
    assert est.n_iter_ < 50
    assert est.state_.status in (Status.CONVERGED, Status.FINISHED)


def test_a_rule_of_ones_own_needs_no_event():
    class Second:
        def watch(self, run):
            return lambda state: Verdict(state.t >= 2)

    for each in (False, True):
        est = make("lapsvm_pcg", stop=Second(), stop_per_class=each)
        assert est.fit(*spread_out(0)).n_iter_ == 2


@pytest.mark.parametrize(
    ("name", "other"), [("lapsvm_pcg", "l2svm_mfn"), ("da", "svm")]
)
def test_a_seed_of_another_kind_of_machine_is_refused_at_once(name, other):
    seed = make(other).fit(BINARY.X, BINARY.y).state_
    with pytest.raises(ValueError, match="start must be a state of the same kind"):
        make(name).iterate(BINARY.X, BINARY.y, start=seed)


@pytest.mark.parametrize("name", ["svm", "rlsc"])
def test_a_supervised_run_seeded_by_a_manifold_starts_from_a_valid_model(name):
    seed = make("lapsvm_newton", sigma=0.5).fit(BINARY.X, BINARY.y).state_
    est = make(name, sigma=0.5)
    first = next(est.iterate(BINARY.X, BINARY.y, start=seed))
    np.testing.assert_allclose(est.decision_function(BINARY.X), first.f, atol=1e-9)


def test_a_run_of_several_classes_with_one_that_a_limit_ended_says_so():
    ends = (Status.FINISHED, Status.MAX_ITER, Status.CONVERGED)
    machines = [
        iter([State(t=0, objective=0.0, status=status, f=np.zeros(2))])
        for status in ends
    ]
    assert next(side_by_side(machines)).status is Status.MAX_ITER
