"""Errors on the four sets, and line searches cut to what is worth drawing."""

import numpy as np
import pytest

from ssl_core.viz.line_search import shown_search
from ssl_core.viz.measures import error_rates, relative, wrong_counts
from tests.viz.runs import arcs, moons


def test_errors_are_those_of_the_decisions():
    run = moons()
    rates = error_rates(run.trace, run.truth)
    assert set(rates) == {"L", "U", "V", "T"}
    labelled = run.given >= 0
    wrong = run.trace.labels != run.truth
    np.testing.assert_array_equal(rates["L"], wrong[:, labelled].mean(axis=1))
    np.testing.assert_array_equal(rates["U"], wrong[:, ~labelled].mean(axis=1))
    np.testing.assert_array_equal(rates["V"], run.trace.output_error("val"))
    np.testing.assert_array_equal(rates["T"], run.trace.output_error("test"))


def test_errors_of_several_classes_are_counted():
    run = arcs()
    counts = wrong_counts(run.trace, run.truth)
    assert set(counts) == {"L", "U", "V", "T"}
    assert counts["U"][1] == (run.given < 0).sum()
    free = run.given < 0
    last = (run.trace.labels[-1] != run.truth)[free].sum()
    assert counts["U"][0][-1] == last


def test_without_the_truth_only_held_out_points_are_judged():
    assert set(error_rates(moons().trace)) == {"V", "T"}


def test_points_of_unknown_class_do_not_count_as_errors():
    run = moons()
    truth = run.truth.copy()
    unknown = np.flatnonzero(run.given < 0)[::2]
    truth[unknown] = 0
    asked = np.setdiff1d(np.flatnonzero(run.given < 0), unknown)
    rates = error_rates(run.trace, truth)
    np.testing.assert_allclose(rates["U"], run.trace.error(run.truth, asked))


def test_norms_relative_to_their_start_begin_at_one():
    norms = moons().trace.column("grad_norm")
    np.testing.assert_allclose(relative(norms), norms / norms[0])
    assert np.isnan(relative(np.zeros(3))).all()


@pytest.mark.parametrize("i", [1, 2, 5, 20])
def test_a_line_search_is_shown_beyond_the_step_and_crosses_zero_there(i):
    search = moons().trace.states[i].line_search
    s, psi = shown_search(search)
    assert s[0] == 0
    assert s[-1] > search.step
    zero = np.interp(search.step, s, psi)
    assert zero == pytest.approx(0, abs=1e-6 * np.abs(psi).max())


def test_break_points_that_are_shown_lie_on_the_polyline():
    shown = 0
    for search in arcs().trace.states[2].line_search:
        s, psi = shown_search(search)
        inner = np.intersect1d(s[1:-1], search.s)
        shown += len(inner)
        np.testing.assert_array_equal(inner, s[1:-1])
        np.testing.assert_allclose(psi[1:-1], np.interp(inner, search.s, search.psi))
    assert shown
