"""Stopping rules: Algorithms 2 and 3 by hand, and live runs against `judge`."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from ssl_core import (
    State,
    Status,
    gradient_norm,
    judge,
    make,
    mixed_check,
    mixed_product,
    objective_decrease,
    preconditioned_norm,
    stability_check,
    validation_check,
)
from ssl_core.solvers.pcg import PCGState
from ssl_core.stopping import (
    CHECKS,
    RULES,
    AnyOf,
    Run,
    default_check_interval,
    make_rule,
)
from tests.pairs import pairwise
from tests.small_problems import BY_NAME, MULTICLASS


def stops_at(rule, states, run):
    """t of the first state at which the rule ends the run; None if it never does."""
    watch = rule.watch(run)
    for state in states:
        if watch(state).stop:
            return state.t
    return None


def with_outputs(outputs):
    return [State(t=t, objective=1.0, f=np.array(f)) for t, f in enumerate(outputs)]


def validation_run(errors_of_ten):
    """A run with ten validation points of which so many are wrong at each t."""
    y_val = np.ones(10)

    def decisions(state):
        return np.where(np.arange(10) < errors_of_ten[state.t], -1, 1)

    return Run(n=4, unlabeled=np.arange(4), val_decisions=decisions, y_val=y_val)


# theta ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "theta"), [(364, 10), (1040, 16), (1408, 19), (1459, 19), (11902, 55)]
)
def test_check_interval_is_that_of_the_published_tables(n, theta):
    assert default_check_interval(n) == theta


def test_check_interval_is_at_least_one():
    assert default_check_interval(1) == 1


def test_default_interval_is_taken_from_the_run():
    """n = 100 checks every 5; the outputs never change, so the second one stops."""
    states = with_outputs([[1.0, -1.0]] * 30)
    run = Run(n=100, unlabeled=np.arange(2))
    assert stops_at(stability_check(), states, run) == 10


# Algorithm 2 ---------------------------------------------------------------------


def test_first_stability_check_never_stops():
    """d_old = 0, so tau is 100 percent whatever the decisions."""
    states = with_outputs([[1.0, -1.0, 1.0]] * 5)
    run = Run(n=3, unlabeled=np.arange(3))
    assert stops_at(stability_check(every=1), states, run) == 2
    assert stops_at(stability_check(every=2), states, run) == 4
    assert stops_at(stability_check(every=3), states, run) is None


def test_stability_check_compares_with_the_last_check_not_the_last_state():
    flip = [[1.0, 1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [-1.0, 1.0]]
    run = Run(n=2, unlabeled=np.arange(2))
    # At t = 1, 2 ... : equal only between 3 and 4.
    assert stops_at(stability_check(every=1), with_outputs(flip), run) == 4
    # At t = 2, 4: differ.
    assert stops_at(stability_check(every=2), with_outputs(flip), run) is None


def test_a_changed_point_counts_two():
    """|d - d_old|_1 / u with decisions +-1."""
    u = 100
    outputs = np.ones((4, u))
    outputs[2, 0] = -1  # one changed point at t = 2 is 2 percent
    states = with_outputs(outputs)
    run = Run(n=u, unlabeled=np.arange(u))
    assert stops_at(stability_check(every=1, tol=0.0201), states, run) == 2
    assert (
        stops_at(stability_check(every=1, tol=0.02), states, run) is None
    )  # tau < eta
    assert stops_at(stability_check(every=1, tol=0.015), states[:3], run) is None


def test_stability_check_looks_at_unlabeled_points_alone():
    outputs = np.ones((6, 4))
    outputs[::2, 0] = -1  # the labelled point 0 swings
    states = with_outputs(outputs)
    run = Run(n=4, unlabeled=np.array([False, True, True, True]))
    assert stops_at(stability_check(every=1), states, run) == 2


def test_only_the_sign_counts():
    states = with_outputs([[0.1, -5.0], [3.0, -0.1], [0.2, -9.0]])
    run = Run(n=2, unlabeled=np.arange(2))
    assert stops_at(stability_check(every=1), states, run) == 2


def test_the_start_is_no_check():
    states = with_outputs([[1.0, -1.0]] * 2)
    run = Run(n=2, unlabeled=np.arange(2))
    assert stops_at(stability_check(every=1), states, run) is None


def test_several_classes_are_compared_by_the_winner():
    f = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 2.0]])
    moved = np.array([[2.0, 1.9, 0.0], [0.0, 1.0, 5.0]])  # the same winners
    other = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0]])  # point 0 changes
    run = Run(n=2, unlabeled=np.arange(2))
    assert stops_at(stability_check(every=1), with_outputs([f, f, moved]), run) == 2
    assert stops_at(stability_check(every=1), with_outputs([f, f, other]), run) is None


# Algorithm 3 ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ([9, 5, 4, 3, 2, 1, 1], 6),  # each check improves by one point until t = 6
        ([9, 5, 5], 2),  # no improvement
        ([9, 5, 6], 2),  # worse
        ([9, 10], 1),  # 100 percent is no improvement on the initial 100 percent
        ([9, 9, 8, 7, 6], None),
    ],
)
def test_validation_check_asks_for_one_point_per_check(wrong, expected):
    states = with_outputs([[1.0] * 4] * len(wrong))
    run = validation_run(wrong)
    assert stops_at(validation_check(every=1), states, run) == expected


def test_validation_check_every_theta():
    wrong = [9, 9, 5, 9, 4, 0, 4]
    states = with_outputs([[1.0] * 4] * len(wrong))
    # Looks at t = 2, 4, 6 only: 5, 4, 4.
    assert stops_at(validation_check(every=2), states, validation_run(wrong)) == 6


def test_validation_tolerance_may_be_set():
    wrong = [9, 5, 4, 3]
    states = with_outputs([[1.0] * 4] * len(wrong))
    run = validation_run(wrong)
    assert stops_at(validation_check(every=1, tol=0.2), states, run) == 2
    assert stops_at(validation_check(every=1, tol=0.05), states, run) is None


@pytest.mark.parametrize("rule", [validation_check(), mixed_check()])
def test_rules_on_validation_points_ask_for_them(rule):
    with pytest.raises(ValueError, match=r"X_val.*y_val"):
        rule.watch(Run(n=4, unlabeled=np.arange(4)))


def test_mixed_check_waits_for_both():
    outputs = [[1.0] * 4, [1.0] * 4, [1.0] * 4, [-1.0] * 4, [-1.0] * 4, [-1.0] * 4]
    states = with_outputs(outputs)
    # Decisions settle at t = 2 and again at t = 4; validation improves until t = 3.
    run = validation_run([9, 5, 4, 3, 3, 3])
    assert stops_at(stability_check(every=1), states, run) == 2
    assert stops_at(validation_check(every=1), states, run) == 4
    assert stops_at(mixed_check(every=1), states, run) == 4


# Norms and decrease --------------------------------------------------------------


@pytest.mark.parametrize(
    ("make_rule_", "field"),
    [
        (gradient_norm, "grad_norm"),
        (preconditioned_norm, "precond_grad_norm"),
        (mixed_product, "mixed_product"),
    ],
)
def test_norms_are_relative_to_their_start(make_rule_, field):
    values = [50.0, 20.0, 6.0, 4.9, 0.1]
    states = [SimpleNamespace(t=t, **{field: v}) for t, v in enumerate(values)]
    run = Run(n=4, unlabeled=np.arange(4))
    assert stops_at(make_rule_(0.1), states, run) == 3
    assert stops_at(make_rule_(0.5), states, run) == 1
    assert stops_at(make_rule_(1e-6), states, run) is None
    assert stops_at(make_rule_(0), states, run) is None


def test_decrease_is_relative_to_the_objective():
    values = [100.0, 50.0, 49.0, 48.9]
    states = [SimpleNamespace(t=t, objective=v) for t, v in enumerate(values)]
    run = Run(n=4, unlabeled=np.arange(4))
    assert stops_at(objective_decrease(0.03), states, run) == 2
    assert stops_at(objective_decrease(0.003), states, run) == 3
    assert stops_at(objective_decrease(0), states, run) is None


def test_any_of_stops_with_the_first_and_keeps_all_watching():
    states = with_outputs([[1.0, 1.0]] * 8)
    run = Run(n=2, unlabeled=np.arange(2))
    rule = AnyOf((stability_check(every=3), stability_check(every=2)))
    assert stops_at(rule, states, run) == 4


def test_rules_are_values():
    assert stability_check(every=10) == stability_check(every=10)
    assert stability_check(every=10) != stability_check(every=11)
    assert len({mixed_product(1e-3), mixed_product(1e-3), mixed_product(1e-4)}) == 2


def test_a_rule_can_watch_two_runs_at_once():
    rule = stability_check(every=1)
    run = Run(n=2, unlabeled=np.arange(2))
    one, two = rule.watch(run), rule.watch(run)
    state = with_outputs([[1.0, 1.0]] * 3)
    for t in range(2):
        one(state[t])
    assert not two(state[1]).stop
    assert one(state[2]).stop


@pytest.mark.parametrize("name", RULES)
def test_names_make_rules(name):
    assert hasattr(make_rule(name, tol=1e-3, every=4, kind=PCGState), "watch")


# Live runs and recorded ones -----------------------------------------------------

LIVE = [
    gradient_norm(1e-2),
    preconditioned_norm(1e-2),
    mixed_product(1e-3),
    objective_decrease(1e-3),
    stability_check(every=3),
    stability_check(),
    stability_check(every=2, tol=0.1),
    validation_check(every=3),
    validation_check(every=4, tol=0.0),
    mixed_check(every=4),
    make_rule("stability", tol=1e-2, usual=mixed_product(1e-2), kind=PCGState),
]


def held_out(problem):
    """Training part and validation part of a problem's points."""
    rng = np.random.default_rng(5)
    val = rng.choice(np.flatnonzero(problem.y < 0), 20, replace=False)
    train = np.setdiff1d(np.arange(problem.n), val)
    return (
        (problem.X[train], problem.y[train]),
        {"X_val": problem.X[val], "y_val": problem.truth[val]},
    )


@cache
def long_run(algorithm, name, record_states):
    """One run without a rule, on which all rules are judged."""
    problem = BY_NAME.get(name, MULTICLASS)
    train, validation = held_out(problem)
    est = make(algorithm, tol=0, max_iter=60, **problem.knobs)
    return est.trace(*train, **validation, record_states=record_states)


@pairwise(
    record_states=["full", "metrics", 7],
    rule=LIVE,
    problem=[BY_NAME["label_noise"], MULTICLASS],
    algorithm=["lapsvm_pcg", "laprlsc_pcg"],
)
def test_judging_a_trace_gives_the_place_where_a_live_run_stops(
    algorithm, problem, rule, record_states
):
    train, validation = held_out(problem)
    whole = long_run(algorithm, problem.name, record_states)
    live = make(algorithm, stop=rule, max_iter=60, **problem.knobs)
    *_, state = live.iterate(*train, **validation)
    place = judge(rule, whole)
    if place is None:
        assert state.t == 60
        assert state.status is Status.MAX_ITER
    else:
        assert whole.states[place].t == state.t
        assert state.status in (Status.EARLY, Status.CONVERGED)
        assert any(event.kind in ("check", "stop") for event in state.events)


def test_the_live_rules_stop_at_many_different_places():
    """Else the test above could pass with rules that never fire."""
    whole = long_run("lapsvm_pcg", "label_noise", "full")
    places = [judge(rule, whole) for rule in LIVE]
    assert len(set(places)) >= 6


def test_judging_a_validation_rule_without_validation_points_says_so():
    problem = BY_NAME["label_noise"]
    trace = make("lapsvm_pcg", tol=0, max_iter=5, **problem.knobs).trace(
        problem.X, problem.y
    )
    with pytest.raises(ValueError, match="X_val"):
        judge(validation_check(every=2), trace)


def test_every_check_tells_what_it_saw():
    problem = BY_NAME["label_noise"]
    est = make("lapsvm_pcg", stop=stability_check(every=3), **problem.knobs)
    trace = est.trace(problem.X, problem.y)
    checks = [t for t, event in trace.events if event.kind in ("check", "stop")]
    assert checks == list(range(3, trace.final.t + 1, 3))


@pytest.mark.parametrize("algorithm", ["lapsvm_pcg", "laprlsc_pcg"])
@pytest.mark.parametrize(
    "stop", [None, *(name for name in RULES if name not in CHECKS)]
)
def test_zero_tolerance_runs_to_max_iter(algorithm, stop):
    problem = BY_NAME["two_moons"]
    est = make(algorithm, stop=stop, tol=0, max_iter=30, **problem.knobs)
    states = list(est.iterate(problem.X, problem.y))
    assert [s.t for s in states] == list(range(31))
    assert states[-1].status is Status.MAX_ITER


@pytest.mark.parametrize("stop", ["stability", "validation", "mixed"])
def test_named_checks_use_the_interval_they_are_given(stop):
    problem = BY_NAME["label_noise"]
    train, validation = held_out(problem)
    est = make("lapsvm_pcg", stop=stop, check_every=4, tol=1e-12, **problem.knobs)
    *_, state = est.iterate(*train, **validation)
    assert state.status is Status.EARLY
    assert state.t % 4 == 0
