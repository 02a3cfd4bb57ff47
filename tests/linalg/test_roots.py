"""Newton's method in a bracket against functions on which Newton alone fails."""

import numpy as np
import pytest

from ssl_core.linalg.roots import MAX_ROOT_STEPS, next_trial

INCREASING = {
    "a line": (lambda s: s - 3.0, lambda s: 1.0, 3.0),
    "a cubic, flat at its zero": (lambda s: s**3, lambda s: 3.0 * s**2, 0.0),
    "arctan, from which Newton runs away": (
        lambda s: np.arctan(s - 20.0),
        lambda s: 1.0 / (1.0 + (s - 20.0) ** 2),
        20.0,
    ),
    "a step that is flat on both sides": (
        lambda s: np.clip(50.0 * (s + 7.0), -1.0, 1.0),
        lambda s: 50.0 * (abs(s + 7.0) < 0.02),
        -7.0,
    ),
}


def root(value, rate, step=next_trial):
    s, low, high, reach = 1.0, -np.inf, np.inf, 1.0
    for trial in range(MAX_ROOT_STEPS):
        new, low, high, reach = step(trial, s, value(s), rate(s), low, high, reach)
        if new in (low, high):
            return s
        s = new
    return s


@pytest.mark.parametrize("name", INCREASING)
def test_the_zero_is_found_where_newton_alone_fails(name):
    value, rate, zero = INCREASING[name]
    assert root(value, rate) == pytest.approx(zero, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", INCREASING)
def test_compiled_trials_equal_their_python_twin(name):
    value, rate, _ = INCREASING[name]
    assert root(value, rate) == root(value, rate, next_trial.py_func)


def test_an_open_bracket_grows_twice_as_fast_each_time():
    ends = [next_trial(0, 1.0, -1.0, 0.0, 0.0, np.inf, reach) for reach in (1.0, 4.0)]
    assert ends == [(2.0, 1.0, np.inf, 2.0), (5.0, 1.0, np.inf, 8.0)]
