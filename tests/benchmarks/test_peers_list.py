"""The list of peers is sound: what is missing is told, what is named is there."""

import re

import numpy as np
import pytest

from halfmoon.datasets import DATASETS
from tests.benchmarks.peers import (
    DATA,
    KERNEL_METHODS,
    KERNEL_PROBLEMS,
    LINEAR_METHODS,
    LINEAR_PROBLEMS,
    Method,
    Problem,
    moons,
)
from tests.benchmarks.results import ROOT

METHODS = [*LINEAR_METHODS.values(), *KERNEL_METHODS.values()]
BUNDLED = [
    name
    for name, method in KERNEL_METHODS.items()
    if method.package in ("ssl_core", "sklearn")
]


def test_a_peer_that_is_not_installed_says_so():
    assert not Method(run=None, package="sklearn").missing()
    told = Method(run=None, package="no_such_peer").missing()
    assert told.startswith("no_such_peer is not installed")


def test_every_other_peer_is_installed_by_make_bench():
    asked = (ROOT / "tests" / "requirements-bench.txt").read_text()
    asked += (ROOT / "Makefile").read_text()
    named = set(re.findall(r'^"?([\w-]+)[<>=]=', asked, re.MULTILINE))
    named |= set(re.findall(r'--no-deps "([\w-]+)==', asked))
    others = {method.package for method in METHODS} - {"ssl_core", "sklearn"}
    assert others == named


def test_problems_that_are_named_are_there():
    problems = KERNEL_PROBLEMS | LINEAR_PROBLEMS
    assert set(DATA) <= set(problems)
    assert set(DATA.values()) <= set(DATASETS)
    assert {name for method in METHODS for name in method.once} <= set(problems)


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.filterwarnings("ignore")  # of peers: no convergence on a toy
def test_a_method_gives_a_label_to_every_hidden_point_and_sees_none(name):
    """The hidden labels are turned round: what a method answers must not change."""
    problem = moons(60)
    labels = KERNEL_METHODS[name].run(problem)
    assert labels.shape == (np.count_nonzero(problem.hidden),)
    assert np.isin(labels, (0, 1)).all()
    turned = Problem(
        problem.title, problem.X, problem.y, 1 - problem.truth, sigma=problem.sigma
    )
    np.testing.assert_array_equal(KERNEL_METHODS[name].run(turned), labels)
