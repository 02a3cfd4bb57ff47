"""Sentences about real runs: true, plain, and there for every algorithm."""

import re
from dataclasses import replace

import numpy as np
import pytest

from ssl_core import ALGORITHMS
from ssl_core.trace import Event
from ssl_core.viz.narrate import narrate
from ssl_core.viz.words import number, percent, power
from tests.viz.runs import arcs, moons


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_state_of_every_algorithm_has_a_sentence(algorithm):
    run = moons(algorithm)
    for i, state in enumerate(run.trace.states):
        text = narrate(run.trace, i, run.truth)
        heads = "Start", f"Iteration {state.t}", "Final training"
        is_last = any(
            event.kind == "best" and "T" in event.data for event in state.events
        )
        assert text.startswith(heads[2 if is_last else min(state.t, 1)])
        assert text.endswith(".")
        assert "nan" not in text
        assert "None" not in text
        assert "  " not in text
        assert len(text) < 400, text


def test_wrong_points_are_counted_as_they_are():
    run = moons()
    trace = run.trace
    unlabelled = run.given < 0
    for i in range(1, len(trace)):
        wrong = int((trace.labels[i] != run.truth)[unlabelled].sum())
        told = re.search(r"(\d+) of 198 unlabelled", narrate(trace, i, run.truth))
        if wrong:
            assert int(told.group(1)) == wrong
        else:
            assert "all 198 unlabelled points are right" in narrate(trace, i, run.truth)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (2, "all 2 unlabelled points whose class is known are right"),
        (1, "the only unlabelled point whose class is known is right"),
    ],
)
def test_points_of_unknown_class_are_not_counted_as_right(known, said):
    """A visitor may draw points without a class: nobody can say what is wrong there."""
    run = moons()
    truth = np.array(run.truth)
    truth[np.flatnonzero(run.given < 0)[known:]] = 0
    text = narrate(run.trace, len(run.trace) - 1, truth)
    assert f"{said}; the class of {198 - known} others is not known." in text


def test_a_settled_decision_is_dated():
    trace = moons().trace
    last = int(np.flatnonzero((np.diff(trace.labels, axis=0) != 0).any(axis=1))[-1]) + 1
    assert f"Since t = {last} no prediction has changed." in narrate(trace, last + 3)


def test_the_gradient_is_told_relative_to_its_start():
    trace = moons().trace
    share = trace.states[7].grad_norm / trace.states[0].grad_norm
    assert narrate(trace, 7).endswith(
        f"The gradient is still {percent(share)} of its start."
    )


def test_changed_predictions_are_counted():
    trace = moons().trace
    changed = int((trace.labels[3] != trace.labels[2]).sum())
    assert f"{changed} predictions changed" in narrate(trace, 3)


def test_the_first_state_says_that_nothing_is_known():
    assert narrate(moons().trace, 0).startswith("Start. Nothing has been learned yet")


def test_errors_are_not_told_before_the_classifier_takes_sides():
    run = moons()
    assert "wrong" not in narrate(run.trace, 0, run.truth)


def test_the_last_state_says_why_the_run_ended():
    trace = moons(stop="stability").trace
    text = narrate(trace, len(trace) - 1)
    assert "the decision is stable" in text
    assert text.endswith(trace.final.status.value)


def test_events_come_first_and_not_too_many():
    trace = moons().trace
    events = tuple(Event("restart", f"Thing {j} happened.") for j in range(4))
    states = list(trace.states)
    states[5] = replace(states[5], events=events)
    text = narrate(replace(trace, states=states), 5)
    assert text.startswith("Iteration 5. Thing 0 happened. Thing 1 happened. And 2 ")


def test_several_classes_are_narrated_too():
    run = arcs()
    assert "in 3 classes" in narrate(run.trace, 1, run.truth)
    for i in range(len(run.trace)):
        assert "unlabelled" in narrate(run.trace, i, run.truth) or i == 0


def test_points_of_unknown_class_are_not_called_wrong():
    run = moons()
    truth = run.truth.copy()
    truth[np.flatnonzero(run.given < 0)[:98]] = 0
    assert "of 100 unlabelled" in narrate(run.trace, 1, truth)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1.2, "120 %"),
        (0.42, "42 %"),
        (0.0412, "4.1 %"),
        (0.0996, "10 %"),
        (0.003, "0.30 %"),
        (2e-6, "2·10⁻⁶"),
        (1e-6, "10⁻⁶"),
        (0, "0 %"),
    ],
)
def test_shares_are_written_for_a_reader(share, text):
    assert percent(share) == text


def test_a_schedule_stands_in_the_head_and_is_not_told_twice():
    trace = moons("tsvm").trace
    text = narrate(trace, 3)
    assert text.startswith(f"Iteration 3, λ′ = {number(trace.states[3].lam_u)}.")
    assert text.count("λ") == 1


def test_gradients_of_different_objectives_are_not_compared():
    """lambda' and T change the objective: its gradient may well grow."""
    for algorithm in ("tsvm", "da"):
        run = moons(algorithm)
        for i in range(len(run.trace)):
            assert "gradient" not in narrate(run.trace, i, run.truth)


def test_points_inside_the_margin_are_counted():
    run = moons("tsvm")
    inside = int((np.abs(run.trace.states[4].f[run.given < 0]) < 1).sum())
    assert f"{inside} of 198 unlabelled points lie inside" in narrate(run.trace, 4)


def test_annealing_says_how_many_points_are_sure():
    trace = moons("da").trace
    for i in (1, len(trace) // 2):
        p = trace.states[i].p
        sure = int((np.maximum(p, 1 - p) >= 0.9).sum())
        assert f"{sure} of 198 unlabelled points are at least 90 %" in narrate(trace, i)


def test_switches_are_told():
    trace = moons("tsvm").trace
    switched = [i for i, s in enumerate(trace.states) if s.n_switched]
    assert switched
    assert "switched" in narrate(trace, switched[0])


def test_numbers_are_short():
    assert number(0) == "0"
    assert number(0.12345) == "0.123"
    assert number(12345.6) == "12,346"
    assert number(3e-7) == power(3e-7) == "3·10⁻⁷"
    assert number(1.5e-5) == "1.5·10⁻⁵"
    assert power(1.5e-5) == "2·10⁻⁵"
