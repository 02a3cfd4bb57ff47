"""Probabilities, words and the final training of annealing runs, for a picture."""

import numpy as np
import pytest

from ssl_core import make
from ssl_core.viz import annealing, narrate
from tests.small_problems import BY_NAME

BINARY = BY_NAME["two_moons"]


@pytest.fixture(scope="module")
def cooled():
    return make("da", lam=1e-2).trace(BINARY.X, BINARY.y)


@pytest.fixture(scope="module")
def switched():
    return make("tsvm", lam=1e-2).trace(BINARY.X, BINARY.y)


def test_a_hard_label_is_a_belief_without_doubt(cooled, switched):
    state = switched.final
    np.testing.assert_array_equal(annealing.beliefs(state), state.y_u > 0)
    assert annealing.n_sure(state) == len(state.y_u)
    np.testing.assert_array_equal(annealing.beliefs(cooled.final), cooled.final.p)


def test_rows_of_beliefs_are_those_of_the_points_asked_for(cooled):
    order = np.array([3, 0])
    rows = annealing.belief_rows(cooled.states[:4], order)
    assert rows.shape == (4, 2)
    np.testing.assert_array_equal(rows[2], cooled.states[2].p[order])


def test_the_epilogue_is_the_last_state_and_its_temperature_never_rose(cooled):
    assert [annealing.is_epilogue(s) for s in cooled.states[-2:]] == [False, True]
    assert (np.diff(cooled.column("T")) <= 0).all()
    said = narrate(cooled, len(cooled) - 1)
    (event,) = cooled.final.events
    assert said.startswith("Final training, of the best classifier: that at T = ")
    assert f"Iteration {event.data['t']} " in said
    assert "The annealing has ended." in said
    assert narrate(cooled, len(cooled) - 2).startswith("Iteration ")


def test_a_run_at_one_temperature_has_an_epilogue_but_no_cooling():
    trace = make("da", lam=1e-2, anneal=False, T=0.1).trace(BINARY.X, BINARY.y)
    said = narrate(trace, len(trace) - 1)
    assert said.startswith("Final training, of the best classifier: that at T = 0.1.")
    assert "cooling" not in said


def test_leading_words_are_the_largest_of_either_sign_and_zero_leads_nowhere():
    w = np.array([0.5, -2.0, 0.0, 3.0, -1.0])
    assert annealing.leading_words(w, 2).tolist() == [3, 0, 4, 1]
    assert annealing.leading_words(np.array([0.0, 1.0]), 2).tolist() == [1]


def test_rows_of_words_are_shares_of_the_largest_weight(cooled):
    rows = annealing.word_rows(cooled.states, np.array([0, 1]))
    assert (rows[0] == 0.5).all()  # nothing has a weight yet
    w = cooled.final.w
    np.testing.assert_allclose(rows[-1], 0.5 + w / np.abs(w).max() / 2)
