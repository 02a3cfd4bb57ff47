"""Rules judged on a recorded run, as rows and on the rail."""

import numpy as np
import pytest

from ssl_core import viz
from ssl_core.stopping import (
    RULES,
    gradient_norm,
    mixed_check,
    stability_check,
    validation_check,
)
from ssl_core.viz.stopping import describe
from tests.viz.runs import moons

LONG = {"stop": "preconditioned", "tol": 1e-8}
ALL = {name: rule() for name, rule in RULES.items()}


def rows():
    run, exact = moons(**LONG), moons("lapsvm_newton")
    return viz.stopping_table(run.trace, ALL, run.truth, optimum=exact.trace)


def test_every_rule_has_a_title_and_a_row():
    assert all(rule.title for rule in RULES.values())
    assert [row.name for row in rows()] == list(RULES)


@pytest.mark.parametrize("name", ["gradient", "objective", "stability", "validation"])
def test_a_row_says_where_the_solver_itself_would_have_stopped(name):
    """The rule at work in the solver and the rule on the record agree."""
    run = moons(**LONG)
    stopped = moons(stop=name).trace
    (row,) = viz.stopping_table(run.trace, {name: ALL[name]}, run.truth)
    assert row.t == stopped.final.t


def test_errors_and_savings_are_those_of_the_record():
    run = moons(**LONG)
    trace = run.trace
    for row in rows():
        assert row.errors["U"] == trace.error(run.truth, run.given < 0)[row.index]
        assert row.errors["T"] == trace.output_error("test")[row.index]
        assert row.t + row.saved == trace.final.t
        spent = trace.seconds[1:].sum()
        assert row.seconds + row.seconds_saved == pytest.approx(spent)
        assert row.seconds == pytest.approx(trace.seconds[1 : row.index + 1].sum())
        assert 0 <= row.share_saved <= 1


def test_agreement_is_with_the_exact_decisions():
    run, exact = moons(**LONG), moons("lapsvm_newton")
    early = {"now": gradient_norm(0.2)}
    (row,) = viz.stopping_table(run.trace, early, run.truth, optimum=exact.trace)
    asked = run.given < 0
    same = run.trace.labels[row.index, asked] == exact.trace.labels[-1, asked]
    assert row.agreement == same.mean() < 1


def test_a_rule_out_of_reach_never_fires_and_saves_nothing():
    run = moons(**LONG)
    (row,) = viz.stopping_table(run.trace, {"gradient": gradient_norm(1e-30)})
    assert not row.fires
    assert row.saved == 0
    assert row.t == run.trace.final.t


def test_thresholds_are_described_with_the_defaults_they_use():
    trace = moons().trace
    assert describe(gradient_norm(1e-6), trace) == "below 10⁻⁶"
    assert describe(stability_check(), trace) == "every 7, change below 1.5 %"
    assert describe(stability_check(1, 0.02), trace).startswith("every iteration")
    assert describe(validation_check(5), trace) == "every 5, gain below 1 point"
    assert describe(validation_check(5, 2.5 / 50), trace) == (
        "every 5, gain below 3 points"
    )
    assert describe(mixed_check(5, 0.01), trace) == (
        "every 5, change below 1.0 %, gain below 1 point"
    )


def figure(**options):
    run = moons(**LONG)
    return viz.stopping_figure(run.trace, rows(), run.truth, **options)


def marked(fig, meta):
    return next(trace for trace in fig.data if trace.meta == meta)


def test_the_bar_of_each_rule_ends_where_it_stops():
    fig = figure()
    for row in rows():
        assert list(marked(fig, f"rail:{row.name}").x) == [0, row.t]


def test_norm_rules_are_dotted_on_their_own_curve():
    trace = moons(**LONG).trace
    fig = figure()
    row = next(row for row in rows() if row.name == "preconditioned")
    dot = marked(fig, "stop:preconditioned")
    column = trace.column("precond_grad_norm")
    assert dot.x[0] == row.t
    assert dot.y[0] == column[row.index] / column[0] <= 1e-6


def test_the_cursor_goes_through_all_three_panels():
    shapes = [s for s in figure(mark=9).layout.shapes if s.name == "cursor"]
    assert len(shapes) == 3
    assert {s.x0 for s in shapes} == {9}
    assert len({s.yref for s in shapes}) == 3


def test_the_chosen_rule_is_thicker_than_the_others():
    fig = figure(chosen="stability")
    chosen, other = marked(fig, "rail:stability"), marked(fig, "rail:gradient")
    assert chosen.line.width > other.line.width
    assert "<b>" in chosen.text[0]
    assert "<b>" not in other.text[0]


def test_a_rule_that_never_fires_is_said_to():
    run = moons(**LONG)
    out = viz.stopping_table(run.trace, {"gradient": gradient_norm(1e-30)}, run.truth)
    bar = marked(viz.stopping_figure(run.trace, out, run.truth), "rail:gradient")
    assert "never" in bar.text[0]


def test_newtons_errors_come_from_its_last_state():
    exact = moons("lapsvm_newton")
    errors = viz.optimum_errors(exact.trace, exact.truth)
    assert errors["U"] == np.mean(
        (exact.trace.labels[-1] != exact.truth)[exact.given < 0]
    )
