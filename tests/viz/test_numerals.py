"""Numbers read the same wherever they stand: Python's words and the browser's."""

import json
from pathlib import Path

import numpy as np
import pytest

from ssl_core import numerals
from ssl_core.viz.words import count
from tests.javascript import evaluate

TWINS = {
    "number": "formatNumber",
    "rate": "formatPercent",
    "duration": "formatDuration",
}
CASES = json.loads(
    Path(__file__).parents[1].joinpath("numerals.json").read_text(encoding="utf-8")
)


def browser(name, arguments):
    """What the browser writes for each list of arguments."""
    call = f"data.map((given) => {TWINS[name]}(...given))"
    return evaluate(("numerals.js",), call, arguments)


def sweep():
    """Small and large, round and not; eighths and 64ths lie exactly between digits."""
    rng = np.random.default_rng(0)
    halves = [k / 64 for k in range(640)] + [k / 8000 for k in range(1600)]
    decades = [m * 10.0**e for m in (1, 1.5, 2.5, 9.95, 9.995) for e in range(-9, 7)]
    return [*halves, *decades, *rng.lognormal(-3, 4, 3700).tolist()]


@pytest.mark.parametrize("name", TWINS)
def test_python_writes_the_shared_cases(name):
    write = getattr(numerals, name)
    assert [[given, write(*given)] for given, _ in CASES[name]] == CASES[name]


@pytest.mark.parametrize("name", TWINS)
def test_the_browser_writes_the_shared_cases(name):
    given = [arguments for arguments, _ in CASES[name]]
    assert browser(name, given) == [text for _, text in CASES[name]]


@pytest.mark.parametrize("name", TWINS)
def test_python_and_the_browser_never_differ(name):
    """Times differed at 47 of 6,021 values: Python rounded halves to even digits."""
    write = getattr(numerals, name)
    given = [[v] for v in sweep()]
    if name == "number":
        given += [[-v, digits] for v in sweep()[::7] for digits in (2, 4, 5, 6)]
    assert browser(name, given) == [write(*arguments) for arguments in given]


@pytest.mark.parametrize("name", TWINS)
def test_what_is_not_known_is_a_dash(name):
    assert getattr(numerals, name)(float("nan")) == "–"
    assert evaluate(("numerals.js",), f"{TWINS[name]}(NaN)") == "–"


def test_a_count_has_its_thousands_apart():
    assert count(1777, "point") == "1,777 points"
