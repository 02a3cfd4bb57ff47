"""A cell's name holds all that decides its number, and nothing else."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssl_core import registry
from ssl_core.experiments import PROTOCOLS, Cell
from ssl_core.experiments.cell import measured

ONE = Cell.of("toy", {"data": "g50c", "split": 3}, "svm", {"C": 2.0}, {"r": "true"})
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
)
VALUES = st.dictionaries(st.text(max_size=3), st.one_of(PLAIN, st.lists(PLAIN)))


@given(problem=VALUES, params=VALUES)
def test_a_cell_comes_back_from_its_spec_and_from_a_pickle(problem, params):
    cell = Cell.of("toy", problem, "svm", params)
    for again in (Cell.from_spec(cell.spec), pickle.loads(pickle.dumps(cell))):
        assert again == cell
        assert again.spec == cell.spec
        assert again.key("data", 1) == cell.key("data", 1)


@pytest.mark.parametrize(
    "other",
    [
        Cell.of("toys", {"data": "g50c", "split": 3}, "svm", {"C": 2.0}, {"r": "true"}),
        Cell.of("toy", {"data": "g50c", "split": 4}, "svm", {"C": 2.0}, {"r": "true"}),
        Cell.of("toy", {"data": "g50c", "split": 3}, "rlsc", {"C": 2.0}, {"r": "true"}),
        Cell.of("toy", {"data": "g50c", "split": 3}, "svm", {"C": 2.5}, {"r": "true"}),
        Cell.of("toy", {"data": "g50c", "split": 3}, "svm", {"C": 2.0}, {"r": "est"}),
        Cell.of("toy", {"data": "g50c", "split": 3}, "svm", {"C": 2.0, "r": "true"}),
    ],
)
def test_whatever_is_declared_is_in_the_key(other):
    assert other != ONE
    assert other.key("data", 1) != ONE.key("data", 1)


def test_data_and_both_versions_are_in_the_key(monkeypatch):
    keys = {ONE.key("data", 1), ONE.key("other", 1), ONE.key("data", 2)}
    entry = registry.ALGORITHMS["svm"]
    monkeypatch.setitem(
        registry.ALGORITHMS, "svm", replace(entry, version=entry.version + 1)
    )
    keys.add(ONE.key("data", 1))
    assert len(keys) == 4


def test_order_of_a_mapping_and_numpy_numbers_do_not_matter():
    problem = {"split": np.int64(3), "data": np.str_("g50c")}
    again = Cell.of("toy", problem, "svm", {"C": np.float64(2.0)}, {"r": "true"})
    assert again.key("data", 1) == ONE.key("data", 1)
    assert Cell.of("toy", {}, "svm", {"r": np.array([0.5, 0.5])}) == Cell.of(
        "toy", {}, "svm", {"r": [0.5, 0.5]}
    )


def test_cells_are_equal_where_their_keys_are():
    """1 == 1.0 == True: equal values would hide a cell behind another's result."""
    cells = {Cell.of("toy", {}, "svm", {"C": value}) for value in (1, 1.0, True)}
    assert len(cells) == len({cell.key("data", 1) for cell in cells}) == 3


@pytest.mark.parametrize("value", [{"a": 1}, object(), {1, 2}])
def test_what_json_would_not_keep_is_refused(value):
    with pytest.raises(ValueError, match="numbers, texts and lists"):
        Cell.of("toy", {}, "svm", {"C": value})


def test_a_result_is_made_of_plain_finite_numbers():
    found = measured(
        {"a": np.float32(1.5), "b": np.int64(2), "c": np.array([1.0]), "d": (None, "x")}
    )
    assert found == {"a": 1.5, "b": 2, "c": [1.0], "d": [None, "x"]}
    assert [type(v) for v in found.values()] == [float, int, list, list]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"error": float("nan")}, "error is nan"),
        ({"error": np.float32("inf")}, "error is inf"),
        ({"curve": [1.0, -np.inf]}, "curve is -inf"),
        ({"deep": {"er": [np.nan]}}, "er is nan"),
        ({"error": object()}, "error is <object"),
        (None, "must map names to numbers, got None"),
    ],
)
def test_a_result_that_is_none_is_refused_by_name(result, words):
    with pytest.raises(ValueError, match=words):
        measured(result)


def test_no_two_cells_of_a_protocol_are_told_alike():
    for protocol in PROTOCOLS.values():
        told = [str(cell) for cell in protocol.cells]
        assert len(set(told)) == len(told), protocol.key
        assert not any("\n" in line for line in told)
