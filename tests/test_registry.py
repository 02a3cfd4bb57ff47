"""The registry: every entry is complete and true."""

import inspect
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import ClassifierMixin

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.reference.algorithm_page import DATA
from ssl_core import ALGORITHMS, Algorithm, make
from ssl_core.references import REFERENCES
from ssl_core.registry import register
from ssl_core.settings import settings_of
from tests.small_problems import BY_NAME

CORE = Path(inspect.getfile(Algorithm)).parent
algorithms = pytest.mark.parametrize("name", ALGORITHMS)
LAPSVM_FAMILY = {
    "svm",
    "rlsc",
    "lapsvm_newton",
    "lapsvm_pcg",
    "lapsvm_dual",
    "laprlsc",
    "laprlsc_pcg",
}


def test_the_laplacian_family_is_complete():
    assert ALGORITHMS.keys() >= LAPSVM_FAMILY


@algorithms
def test_entry_says_everything(name):
    entry = ALGORITHMS[name]
    assert entry.id == name
    assert issubclass(entry.estimator, ClassifierMixin)
    assert entry.family.title
    for field in ("title", "section", "idea", "objective", "problem"):
        assert getattr(entry, field).strip(), field
    assert entry.idea.endswith(".")
    assert "\n" not in entry.idea
    assert entry.max_n >= 2
    assert entry.inputs in DATA
    assert entry.curves
    assert REFERENCES[entry.paper].title


@algorithms
def test_knobs_are_parameters_with_the_estimators_own_defaults(name):
    entry = ALGORITHMS[name]
    signature = inspect.signature(entry.estimator.__init__).parameters
    assert len({knob.name for knob in entry.knobs}) == len(entry.knobs)
    for knob in entry.knobs:
        assert signature[knob.name].default == knob.default
        assert knob.check(knob.default) == knob.default
        assert knob.help.endswith(".")
        assert entry.knob(knob.name) is knob
    assert entry.defaults == {knob.name: knob.default for knob in entry.knobs}


@algorithms
def test_knobs_within_range_pass_the_estimators_own_checks(name):
    """What a slider offers, the estimator takes: nothing is refused at the door."""
    entry = ALGORITHMS[name]
    problem = BY_NAME["two_moons"]
    for knob in entry.knobs:
        values = [v for v in (knob.low, knob.high) if v is not None]
        for value in [*values, *knob.choices, *knob.also]:
            if knob.name == "n_neighbors" and value >= problem.n:
                continue
            est = make(name, **{knob.name: knob.check(value)})
            validation = {"X_val": problem.X[:9], "y_val": problem.truth[:9]}
            est.iterate(problem.X, problem.y, **validation).close()


@algorithms
def test_curves_plot_fields_that_the_states_have(name):
    problem = BY_NAME["two_moons"]
    est = make(name)
    state = next(iter(est.iterate(problem.X, problem.y)))
    for curve in ALGORITHMS[name].curves:
        for field in curve.fields:
            assert np.isscalar(getattr(state, field)), field


@algorithms
def test_problem_and_solver_can_be_found(name):
    """The README's reader finds what the table names."""
    for files in (ALGORITHMS[name].problem, ALGORITHMS[name].solver):
        for file in files.split(", "):
            assert (CORE / file).is_file(), file


def test_make_sets_parameters():
    est = make("lapsvm_pcg", sigma=0.35, gamma_I=2.0)
    assert isinstance(est, ALGORITHMS["lapsvm_pcg"].estimator)
    assert (est.sigma, est.gamma_I) == (0.35, 2.0)
    assert make("lapsvm_pcg") is not make("lapsvm_pcg")


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("lapsvm", {}, "name must be one of .*lapsvm_pcg.*got 'lapsvm'"),
        ("svm", {"gamma_I": 1.0}, "gamma_I is not a parameter of svm.*gamma_A"),
        ("svm", {"sigmaa": 1.0}, "sigmaa"),
    ],
)
def test_make_refuses_unknown_names_in_one_sentence(name, parameters, message):
    with pytest.raises(ValueError, match=message) as error:
        make(name, **parameters)
    assert "\n" not in str(error.value)


def test_an_id_is_given_once():
    with pytest.raises(ValueError, match="svm is registered already"):
        register(ALGORITHMS["svm"])


def test_first_names_knobs():
    values = {f.name: getattr(ALGORITHMS["svm"], f.name) for f in fields(Algorithm)}
    del values["knobs"]
    with pytest.raises(ValueError, match="first of svm must name up to three"):
        Algorithm(**(values | {"first": ("sigh",)}))


def test_a_setting_is_declared_once():
    """Groups hold the declarations; estimators take them over and say what differs."""
    paths = [p for p in CORE.rglob("*.py") if p != CORE / "settings.py"]
    calls = re.findall(
        r"^ +(\w+): [^=\n]+ = (?:setting|number|choice|switch|anything)\(",
        "\n".join(path.read_text() for path in paths),
        re.MULTILINE,
    )
    twice = {name for name in calls if calls.count(name) > 1}
    assert twice == {"loss"}  # of two methods, with other values each
    known = set().union(*(settings_of(a.estimator) for a in ALGORITHMS.values()))
    assert known <= set(calls)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_estimator_is_flat(name):
    above = [
        kind.__name__
        for kind in ALGORITHMS[name].estimator.__mro__[1:]
        if kind.__module__.startswith("ssl_core")
    ]
    assert len(above) <= 2, above


def test_a_solvers_defaults_are_its_settings():
    solvers = {c for a in ALGORITHMS.values() if (c := a.estimator._solver)}
    assert len(solvers) > 10
    other = {"narrowness": "s"}  # the paper's letter
    for solver in solvers:
        module = sys.modules[solver.__module__]
        arguments = inspect.signature(getattr(module, solver.name)).parameters
        for setting, default in solver().values.items():
            argument = arguments.get(other.get(setting, setting))
            if argument is not None:
                assert argument.default == default, (solver, setting)


ASKING = """
import os, sys
import numba, scipy.sparse.linalg, sklearn.svm

for code in sys.argv[1:]:
    if os.fork() == 0:
        exec(code)
        sys.stdout.flush()
        os._exit(0)
    os.wait()
"""


def test_whoever_asks_first_finds_all_algorithms():
    """Each in a child that has imported the packages we need, and nothing of ours."""
    ways = (
        "from ssl_core.registry import ALGORITHMS; print(len(ALGORITHMS))",
        "from ssl_core.registry import in_menu_order; print(len(in_menu_order()))",
        "import ssl_core; ssl_core.stopping; print(len(ssl_core.ALGORITHMS))",
    )
    found = subprocess.run(
        [sys.executable, "-c", ASKING, *ways],
        capture_output=True,
        text=True,
        cwd=CORE.parent,
    )
    assert found.stdout.split() == [str(len(ALGORITHMS))] * len(ways), found.stderr


@pytest.mark.parametrize("body", [{"max_iter": 3}, {"sigma": 0.3}])
def test_plain_values_for_settings_are_refused_not_passed_over(body):
    with pytest.raises(TypeError, match="declare"):
        type("Undeclared", (ALGORITHMS["svm"].estimator,), body)


def test_entries_of_the_catalogues_are_shown_in_a_line():
    for entry in (ALGORITHMS["lapsvm_pcg"], DATASETS["two_moons"]):
        assert entry.title in repr(entry)
        assert len(repr(entry)) < 60
