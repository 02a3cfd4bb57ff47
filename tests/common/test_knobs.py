"""A knob casts what obeys its rule and refuses the rest in one sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfmoon.common.knobs import Knob

NOISE = Knob("noise", "float", 0.0, 0.5, default=0.1)
COUNT = Knob("n", "int", 10, 100, default=20)
TOL = Knob("tol", "log", 1e-12, 1e-1, default=1e-6, also=(0,))
RATIO = Knob("r", "float", 0.0, 1.0, also=(None,))
KERNEL = Knob("kernel", "choice", default="rbf", choices=("rbf", "linear"))
BIAS = Knob("bias", "bool", default=True)


@pytest.mark.parametrize(
    ("knob", "value", "expected"),
    [
        (NOISE, 0, 0.0),
        (NOISE, np.float32(0.25), 0.25),
        (COUNT, np.int64(30), 30),
        (COUNT, 30.0, 30),
        (TOL, 1e-12, 1e-12),
        (TOL, 0, 0),
        (TOL, 0.0, 0),
        (RATIO, None, None),
        (KERNEL, "linear", "linear"),
        (BIAS, np.bool_(False), False),
    ],
)
def test_good_values_become_plain_python(knob, value, expected):
    cast = knob.check(value)
    assert cast == expected
    assert type(cast) is type(expected)


@pytest.mark.parametrize(
    ("knob", "value", "rule"),
    [
        (NOISE, 0.6, "a number in [0, 0.5]"),
        (NOISE, -0.1, "a number in [0, 0.5]"),
        (NOISE, float("nan"), "a number in [0, 0.5]"),
        (NOISE, "0.1", "a number in [0, 0.5]"),
        (NOISE, True, "a number in [0, 0.5]"),
        (NOISE, None, "a number in [0, 0.5]"),
        (COUNT, 10.5, "an integer in [10, 100]"),
        (COUNT, float("inf"), "an integer in [10, 100]"),
        (COUNT, True, "an integer in [10, 100]"),
        (TOL, 1e-13, "a number in [1e-12, 0.1] or 0"),
        (TOL, False, "a number in [1e-12, 0.1] or 0"),
        (RATIO, 2.0, "a number in [0, 1] or None"),
        (KERNEL, "poly", "one of 'rbf', 'linear'"),
        (KERNEL, np.zeros(2), "one of 'rbf', 'linear'"),
        (BIAS, 1, "True or False"),
        (Knob("k", "int", 1), 0, "an integer >= 1"),
        (Knob("k", "float", high=1), 2, "a number <= 1"),
    ],
)
def test_bad_values_are_refused_with_name_rule_and_value(knob, value, rule):
    with pytest.raises(ValueError, match="must be") as caught:
        knob.check(value)
    assert str(caught.value) == f"{knob.name} must be {rule}, got {value!r}."


@pytest.mark.parametrize(
    "knob", [NOISE, COUNT, TOL, RATIO, KERNEL, BIAS], ids=lambda k: k.name
)
def test_text_of_a_value_parses_back(knob):
    values = [knob.default, *knob.also, *knob.choices]
    for value in values:
        if value is not None or None in knob.also:
            assert knob.parse(str(value)) == value


@pytest.mark.parametrize("knob", [NOISE, COUNT, KERNEL, BIAS], ids=lambda k: k.name)
def test_nonsense_text_is_refused_by_name(knob):
    with pytest.raises(ValueError, match=f"^{knob.name} must be .*'moon'"):
        knob.parse("moon")


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_checked_float_lies_in_the_range_or_raises(value):
    try:
        cast = NOISE.check(value)
    except ValueError:
        assert not 0.0 <= value <= 0.5
    else:
        assert 0.0 <= cast <= 0.5


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "a", "kind": "angle"},
        {"name": "a", "kind": "choice"},
        {"name": "a", "kind": "log", "low": 0.0},
        {"name": "a", "kind": "float", "low": 2.0, "high": 1.0},
        {"name": "a", "kind": "float", "low": 0.0, "high": 1.0, "default": 2.0},
    ],
)
def test_a_knob_that_contradicts_itself_cannot_be_made(arguments):
    with pytest.raises(ValueError, match=r"\ba\b"):
        Knob(**arguments)


def test_a_knob_cannot_be_changed():
    with pytest.raises(AttributeError):
        NOISE.low = -1.0
