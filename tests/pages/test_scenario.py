"""The scenario survives links and files, and rubbish never hurts it."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import DATASETS
from pages._parts.scenario import (
    DRAWN,
    MAX_CHAIN,
    RESERVED,
    UPLOAD,
    Drawing,
    Labels,
    Scenario,
    Upload,
    View,
    _pack,
    data_knobs,
    default,
    suggested,
)
from ssl_core import ALGORITHMS

FILE = Upload("ab12" * 8, "my data.csv", "kind", ("a", "b, c"), "range")
DRAWING = Drawing(
    moved=((3, 0.25, -1.5),), removed=(7, 11), added=((0.5, 1e-3, 1), (1.0, 2.0, -1))
)


def busy(data, algorithm):
    """A scenario in which nothing stands at its default."""
    upload = FILE if data == UPLOAD else None
    scenario = default().with_data(data, upload).with_algorithm(algorithm)
    scenario = replace(scenario, parameters=suggested(algorithm, data))
    for knob in data_knobs(data).values():
        values = [v for v in (*knob.choices, knob.low, knob.high) if v is not None]
        other = next((v for v in values if v != knob.default), knob.default)
        scenario = scenario.with_data_knob(knob.name, other)
    for knob in ALGORITHMS[algorithm].knobs:
        values = [*knob.also, *knob.choices, knob.low, knob.high]
        if knob.kind == "bool":
            values = [not knob.default]
        other = next(
            (v for v in values if v is not None and v != knob.default), knob.default
        )
        scenario = scenario.with_parameter(knob.name, other)
    return replace(
        scenario,
        seed=17,
        labels=Labels("hand", 5, 9, ((0, 1), (4, 0), (12, -1))),
        drawing=DRAWING,
        n_val=20,
        n_test=30,
        view=View("features", (1, 0), 7, (("eta", 0.015), ("grad", 1e-6))),
        hidden=("algorithm", "sigma"),
    ).going_on(12)


@pytest.mark.parametrize("data", [*DATASETS, DRAWN, UPLOAD])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_scenario_survives_a_link_and_a_file(data, algorithm):
    upload = FILE if data == UPLOAD else None
    plain = default().with_data(data, upload).with_algorithm(algorithm)
    for scenario in (plain, busy(data, algorithm)):
        url = scenario.to_url()
        assert Scenario.from_url(url) == (scenario, [])
        assert all(isinstance(text, str) for text in url.values())
        assert Scenario.from_json(scenario.to_json()) == (scenario, [], {})


def test_no_knob_takes_a_name_that_links_use_themselves():
    for entry in ALGORITHMS.values():
        names = {knob.name for knob in entry.knobs}
        assert not names & set(RESERVED), entry.id
        assert not any(name.startswith(("data.", "at.")) for name in names)


def test_a_new_visitor_has_a_plain_address():
    assert default().to_url() == {}
    assert Scenario.from_url({}) == (default(), [])


def test_fifty_hand_labels_make_a_short_link():
    hand = tuple((7 * i, i % 2) for i in range(50))
    scenario = replace(default(), labels=Labels("hand", hand=hand))
    assert len(scenario.to_query()) < 600


def test_a_link_typed_by_hand_takes_what_suits_the_data():
    scenario, remarks = Scenario.from_url({"data": "digits", "algorithm": "svm"})
    assert remarks == []
    assert scenario.params["sigma"] == DATASETS["digits"].defaults["sigma"]


BAD = {
    "unknown data": {"data": "three_suns"},
    "unknown algorithm": {"v": "1", "algorithm": "magic"},
    "value outside its range": {"v": "1", "data": "two_moons", "sigma": "-3"},
    "text for a number": {"v": "1", "sigma": "wide"},
    "unknown knob": {"v": "1", "sgima": "1"},
    "unknown data knob": {"v": "1", "data.colour": "red"},
    "newer version": {"v": "99"},
    "version is rubbish": {"v": "eins"},
    "bad labels": {"v": "1", "labels": "guess"},
    "bad packing": {"v": "1", "s": "!!!"},
    "packed rubbish": {"v": "1", "s": _pack([1, 2])},
    "packed unknown": {"v": "1", "s": _pack({"evil": 1})},
    "packed bomb": {"v": "1", "s": _pack({"hand": [0] * 5_000_000})},
    "labels of unequal length": {"v": "1", "s": _pack({"hand": [[1, 2], [0]]})},
    "labels that are text": {"v": "1", "s": _pack({"hand": [["a"], ["b"]]})},
    "points that are not numbers": {"v": "1", "s": _pack({"added": [["a", 1, 0]]})},
    "infinite points": {"v": "1", "s": _pack({"added": [[1e999, 1, 0]]})},
    "upload without a file": {"v": "1", "data": "upload"},
    "bad projection": {"v": "1", "show": "sideways"},
    "bad axes": {"v": "1", "axes": "1,2,3"},
    "bad iteration": {"v": "1", "t": "soon"},
    "bad earlier run": {"v": "1", "s": _pack({"from": {"t": 1, "scenario": {}}})}
    | {"s": _pack({"from": 3})},
    "deeply nested": {"v": "1", "s": _pack("[" * 3)},
}


@pytest.mark.parametrize("url", BAD.values(), ids=BAD)
def test_rubbish_opens_a_default_with_a_remark(url):
    scenario, remarks = Scenario.from_url(url)
    assert remarks
    assert all(r.endswith(".") for r in remarks)
    # What came through is a scenario like any other.
    assert Scenario.from_url(scenario.to_url()) == (scenario, [])


def test_remarks_hold_no_markup_of_a_stranger():
    evil = "[click](http://evil.example) <script> `code` **bold**"
    _, remarks = Scenario.from_url({"v": "1", "data": evil})
    assert not set("[]()<>`*") & set(" ".join(remarks))


KEYS = st.sampled_from([*RESERVED, "sigma", "data.noise", "at.eta", "tol", "x", ""])


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(KEYS | st.text(max_size=8), st.text(max_size=40), max_size=8))
def test_no_random_link_raises(url):
    scenario, _ = Scenario.from_url(url)
    assert Scenario.from_url(scenario.to_url()) == (scenario, [])


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(KEYS | st.sampled_from(["hand", "from", "added"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_no_random_file_raises(tree):
    names = ("v", "knobs", "parameters", "labels", "hand", "moved", "removed", "added")
    for document in (
        tree,
        {"scenario": tree},
        {"scenario": dict.fromkeys(names, tree)},
    ):
        scenario, _, _ = Scenario.from_json(json.dumps(document))
        assert Scenario.from_url(scenario.to_url()) == (scenario, [])
    scenario, _ = Scenario.from_url({"v": "1", "s": _pack(tree)})
    hash(scenario)


def test_files_travel_with_a_saved_scenario():
    scenario = default().with_data(UPLOAD, FILE)
    text = scenario.to_json({FILE.digest: "QUJD"})
    assert Scenario.from_json(text) == (scenario, [], {FILE.digest: "QUJD"})


def test_looking_differently_is_the_same_run():
    scenario = default()
    looked = replace(scenario.with_view(projection="pca", t=3), hidden=("sigma",))
    assert looked != scenario
    assert looked.solving == scenario.solving


def test_other_data_bring_their_own_labels_and_parameters():
    digits = default().with_labels(Labels("hand", hand=((1, 0),))).with_data("digits")
    assert digits.labels.how == "random"
    assert digits.params["sigma"] == 1.5


def test_another_algorithm_keeps_the_knobs_both_have():
    scenario = default().with_parameter("sigma", 0.7).with_algorithm("svm")
    assert scenario.params["sigma"] == 0.7
    assert "n_neighbors" not in scenario.params


def test_other_points_forget_labels_made_by_hand():
    by_hand = default().with_labels(Labels("hand", hand=((1, 0), (2, 1))))
    assert by_hand.with_data_knob("noise", 0.2).labels.hand == ()
    assert by_hand.with_seed(3).labels.how == "telling"
    at_random = default().with_labels(Labels("random", 3, 4))
    assert at_random.with_seed(3).labels == Labels("random", 3, 4)


def test_runs_go_on_one_from_another_but_not_for_ever():
    scenario = default()
    for t in range(MAX_CHAIN):
        scenario = scenario.going_on(t)
        assert Scenario.from_url(scenario.to_url()) == (scenario, [])
    with pytest.raises(ValueError, match="start afresh"):
        scenario.going_on(3)
