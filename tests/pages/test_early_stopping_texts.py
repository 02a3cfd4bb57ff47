"""Every sentence of fact on the early-stopping page is true of the run beside it.

The numbers are found here in another way than the page does: state by state.
"""

import re

import numpy as np
import pytest

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts import texts
from halfmoon.pages._parts.early_stopping import stopping_runs as page
from halfmoon.pages._parts.early_stopping.stopping_facts import stopping_facts_of
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.study import settings
from ssl_core.stopping import judge, stability_check
from ssl_core.viz.words import number, rate

NAMES = ("two_moons", "three_arcs", "g50c", "uspst_b")
WITH_FACTS = {
    "two_moons": {"late": True, "misleads": False},
    "g50c": {"late": True, "misleads": True},
    "uspst_b": {"never": True, "misleads": True},
}


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.fixture(scope="module", params=NAMES)
def beside(request, server):
    """A run, its optimum, its facts, and what the page says beside it."""
    name = request.param
    if not DATASETS[name].available():
        pytest.skip(f"{name} is not at hand")
    scenario = page.scenario_for(name)
    run = server.ask(scenario).outcome()
    exact = server.ask(page.newton_of(scenario)).outcome()
    facts = stopping_facts_of(run, exact)
    return name, run, exact, facts, texts.explanation("early_stopping", facts)


def changed_after(trace, i):
    """Unlabelled points that change their decision at some later step."""
    free = trace.y == (-1 if trace.multiclass else 0)
    moved = set()
    for k in range(i + 1, len(trace)):
        moved |= set(np.flatnonzero((trace.labels[k] != trace.labels[k - 1]) & free))
    return len(moved)


def said(text, pattern):
    found = re.search(pattern, " ".join(text.split()))
    return None if found is None else found.groups()


def test_the_paragraphs_are_those_that_hold(beside):
    name, _, _, facts, text = beside
    assert WITH_FACTS.get(name, {}).items() <= facts.items()
    assert not re.search(r"[{}|]", text)


def test_when_decisions_settled_and_when_the_gradient_stops(beside):
    name, run, _, _, text = beside
    trace = run.trace
    stop = judge(page.rules_of(page.Thresholds(), trace)["gradient"], trace)
    numbers = said(
        text,
        r"changes sides at t = (\d+)\. .* stops at t = (\d+): (\d+) iterations that "
        r"change none of these predictions\. At t = (\d+) the .* was (\S+) of",
    )
    if numbers is None:
        assert name == "uspst_b"
        last, check, total, later = said(
            text,
            r"within the (\d+) recorded iterations\. The stability check stops at "
            r"t = (\d+); of the ([\d,]+) unlabelled points, (\d+) points? still",
        )
        assert stop is None
        assert int(last) == trace.final.t
        assert int(check) == judge(stability_check(), trace)
        assert total == f"{(trace.y == 0).sum():,}"
        assert int(later) == changed_after(trace, int(check)) > 0
        return
    settled, gradient, spare, again, share = numbers
    assert settled == again
    assert changed_after(trace, int(settled)) == 0
    assert changed_after(trace, int(settled) - 1) > 0
    assert int(gradient) == stop
    assert int(spare) == stop - int(settled) > 0
    norms = trace.column("grad_norm")
    assert share == number(norms[int(settled)] / norms[0])


def test_what_consecutive_iterations_do(beside):
    _, run, _, _, text = beside
    stop = judge(stability_check(1), run.trace)
    bad = said(text, r"stops at t = (\d+), and (\d+) points? changes? sides after that")
    good = said(
        text, r"stops at t = (\d+), and no unlabelled point changes sides after"
    )
    assert (bad is None) != (good is None)
    assert int((bad or good)[0]) == stop
    later = changed_after(run.trace, stop)
    assert later == (int(bad[1]) if bad else 0)


def test_whether_the_way_was_better_than_its_end(beside):
    _, run, exact, _, text = beside
    free = run.trace.y == (-1 if run.trace.multiclass else 0)
    errors = [np.mean((row != run.truth)[free]) for row in run.trace.labels]
    best = np.mean((exact.trace.labels[-1] != exact.truth)[free])
    lower = said(text, r"points is (\S+ %), and on the way there .* low as (\S+ %)\.")
    if min(errors) < best:
        assert lower == (rate(best), rate(min(errors)))
    else:
        assert lower is None
        assert said(text, r"below that of the optimum, (\S+ %)\.") == (rate(best),)


def test_both_answers_to_an_exercise_are_found_on_data_that_are_offered(server):
    """ "Will this be so on other data?", "look for one where it is"."""
    mislead, lower = set(), set()
    for name in ("two_moons", "g50c"):
        assert name in settings.available(page.OFFERED)
        scenario = page.scenario_for(name)
        run = server.ask(scenario).outcome()
        exact = server.ask(page.newton_of(scenario)).outcome()
        facts = stopping_facts_of(run, exact)
        mislead.add(facts["misleads"])
        lower.add(facts["lower"])
    assert mislead == lower == {False, True}


def test_the_right_threshold_is_another_on_other_data(server):
    shares = []
    for name in ("two_moons", "three_arcs"):
        run = server.ask(page.scenario_for(name)).outcome()
        exact = server.ask(page.newton_of(page.scenario_for(name))).outcome()
        facts = stopping_facts_of(run, exact)
        norms = run.trace.column("grad_norm")
        shares.append(norms[int(facts["settled"])] / norms[0])
    assert max(shares) > 10 * min(shares)


def test_steps_end_where_psi_crosses_zero_and_bends_are_counted(beside):
    _, run, _, _, text = beside
    bent = []
    for state in run.trace.states[1:]:
        searches = state.line_search
        for search in searches if isinstance(searches, tuple) else (searches,):
            if not np.isfinite(search.step):  # this machine rests
                continue
            size = np.abs(search.psi).max()
            assert abs(np.interp(search.step, search.s, search.psi)) <= 1e-6 * size
            inner = search.s[1:-1]
            if (inner < search.step).any() and (not bent or bent[-1] != state.t):
                bent.append(state.t)
    numbers = said(
        text, r"Here (\d+) of the (\d+) steps pass .* first of them at t = (\d+)"
    )
    if numbers is None:
        assert bent == []
        assert "Here no step passes a break point" in " ".join(text.split())
    else:
        assert [int(v) for v in numbers] == [len(bent), run.trace.final.t, bent[0]]


def test_outputs_on_training_points_are_there_in_every_iteration(server):
    run = server.ask(page.scenario_for("two_moons")).outcome()
    assert all(state.f is not None for state in run.trace.states)


def test_of_several_classes_a_norm_is_the_sum_over_the_machines(server):
    run = server.ask(page.scenario_for("three_arcs")).outcome()
    state = run.trace.states[5]
    for name in ("grad_norm", "precond_grad_norm", "mixed_product", "objective"):
        assert getattr(state, name) == pytest.approx(state.per_class[name].sum())
    assert np.array_equal(run.trace.labels[5], state.f.argmax(axis=1))


def test_the_lead_asks_first_and_the_rest_is_open_to_read():
    assert texts.lead("early_stopping").startswith("**Predict first.**")
    general = texts.explanation("early_stopping")
    assert "stability check" in general
    assert "t = " not in general  # no numbers without a run
