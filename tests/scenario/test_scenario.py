"""The scenario survives links and files, and rubbish never hurts it."""

import base64
import json
import tracemalloc
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.datasets import DATASETS
from halfmoon.scenario import (
    DRAWN,
    MAX_DRAWN,
    MAX_HAND,
    RESERVED,
    UPLOAD,
    Drawing,
    Labels,
    Scenario,
    Upload,
    View,
    data_knobs,
    default,
    suggested,
)
from halfmoon.scenario.limits import (
    MAX_CHAIN,
    MAX_LINK,
    MAX_LISTS,
    MAX_NAMES,
    MAX_UNPACKED,
)
from halfmoon.scenario.link import pack
from halfmoon.scenario.names import file_name
from ssl_core import ALGORITHMS
from tests.rows import each

FILE = Upload("ab12" * 8, "my data.csv", "kind", ("a", "b, c"), "range")
DRAWING = Drawing(
    moved=((3, 0.25, -1.5),), removed=(7, 11), added=((0.5, 1e-3, 1), (1.0, 2.0, -1))
)


def busy(data, algorithm):
    """A scenario in which nothing stands at its default."""
    upload = FILE if data == UPLOAD else None
    scenario = default().with_data(data, upload).with_algorithm(algorithm)
    scenario = scenario.with_parameters(dict(suggested(algorithm, data)))
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
    scenario = scenario.with_seed(17).with_held_out(20, 30).with_drawing(DRAWING)
    scenario = scenario.with_labels(Labels("hand", 5, 9, ((0, 1), (4, 0), (12, -1))))
    return replace(
        scenario,
        view=View("features", (1, 0), 7, (("eta", 0.015), ("grad", 1e-6))),
        hidden=("algorithm", "sigma"),
    ).going_on(12)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@each("data", [*DATASETS, DRAWN, UPLOAD])
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
    scenario = default().with_labels(Labels("hand", hand=hand))
    assert len(scenario.to_query()) < 600


def test_a_link_typed_by_hand_takes_what_suits_the_data():
    scenario, remarks = Scenario.from_url({"data": "digits", "algorithm": "svm"})
    assert remarks == []
    assert scenario.params["sigma"] == DATASETS["digits"].defaults["sigma"]


def packed_text(text):
    """Text in the packed part of a link, which `pack` would not write."""
    packed = zlib.compress(text.encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


HUGE_NUMBER = '{"removed": [' + "9" * 5_000 + "]}"
HALF = {"upload": {"digest": "ab", "name": "a.csv", "label": "\ud800"}}
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
    "packed rubbish": {"v": "1", "s": pack([1, 2])},
    "packed unknown": {"v": "1", "s": pack({"evil": 1})},
    "packed bomb": {"v": "1", "s": pack({"hand": [0] * 5_000_000})},
    "labels of unequal length": {"v": "1", "s": pack({"hand": [[1, 2], [0]]})},
    "labels without a list": {"v": "1", "s": pack({"hand": []})},
    "labels without rows": {"v": "1", "s": pack({"hand": [3, [1]]})},
    "points of unequal length": {"v": "1", "s": pack({"moved": [[1, 2, 3], [1]]})},
    "points in a dict": {"v": "1", "s": pack({"added": {"a": 1}})},
    "labels that are text": {"v": "1", "s": pack({"hand": [["a"], ["b"]]})},
    "points that are not numbers": {"v": "1", "s": pack({"added": [["a", 1, 0]]})},
    "infinite points": {"v": "1", "s": pack({"added": [[1e999, 1, 0]]})},
    "upload without a file": {"v": "1", "data": "upload"},
    "bad projection": {"v": "1", "show": "sideways"},
    "bad axes": {"v": "1", "axes": "1,2,3"},
    "bad iteration": {"v": "1", "t": "soon"},
    "earlier run is no run": {"v": "1", "s": pack({"from": 3})},
    "earlier run is unknown": {
        "v": "1",
        "s": pack({"from": {"t": 1, "scenario": {"v": 1, "data": "three_suns"}}}),
    },
    "deeply nested": {"v": "1", "s": packed_text('{"hand":' + "[" * 50_000)},
    "a number of 5,000 digits": {"v": "1", "s": packed_text(HUGE_NUMBER)},
    "a place of 400 digits": {"v": "1", "s": pack({"added": [[10**400, 1, 0]]})},
    "a knob of 5,000 digits": {"v": "1", "seed": "9" * 5_000},
    "a knob beyond floats": {"v": "1", "sigma": "1e400"},
    "a knob that is no number": {"v": "1", "sigma": "nan"},
    "too long": {"v": "1", "at.eta": "1" * MAX_LINK},
    "too long a name": {"v": "1", "x" * MAX_LINK: "1"},
    "too many names": {f"at.x{i}": "1" for i in range(MAX_NAMES + 1)},
    "threshold of no name": {"v": "1", "at.a b": "1"},
    "half a character": {
        "v": "1",
        "data": "upload",
        "s": packed_text(json.dumps(HALF)),
    },
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


def by_hand(n_points=0, n_labels=0):
    tree = {"v": 1, "data": DRAWN, "labels": "hand"}
    tree["added"] = [[i % 100, i // 100, i % 2] for i in range(n_points)]
    tree["hand"] = [list(range(n_labels)), [i % 2 for i in range(n_labels)]]
    return json.dumps({"scenario": tree})


def test_as_much_by_hand_as_allowed_survives_a_file():
    scenario, remarks, _ = Scenario.from_json(by_hand(MAX_DRAWN, MAX_HAND))
    assert remarks == []
    assert len(scenario.drawing.added) == MAX_DRAWN
    assert len(scenario.labels.hand) == MAX_HAND
    assert Scenario.from_json(scenario.to_json()) == (scenario, [], {})


@pytest.mark.parametrize(
    ("points", "labels", "words"),
    [(MAX_DRAWN + 1, 0, "points made by hand"), (0, MAX_HAND + 1, "labels made")],
)
def test_more_points_or_labels_than_allowed_are_left_out_with_a_remark(
    points, labels, words
):
    scenario, remarks, _ = Scenario.from_json(by_hand(points, labels))
    assert len(remarks) == 1
    assert words in remarks[0]
    assert scenario.drawing == Drawing()
    assert scenario.labels.hand == ()


def test_nobody_makes_more_points_or_labels_than_can_be_read_again():
    with pytest.raises(ValueError, match=r"at most 5,000, and these are 5,001; put"):
        Drawing(added=((0.0, 0.0, 1),) * (MAX_DRAWN + 1))
    with pytest.raises(ValueError, match=r"at most 20,000, and these are 20,001"):
        Labels("hand", hand=((0, 1),) * (MAX_HAND + 1))


def test_a_bomb_is_not_unpacked():
    bomb = packed_text('{"hand":[[' + "0," * 30_000_000 + "0]]}")
    url = {"v": "1", "s": bomb[: MAX_LINK // 2]}
    whole = {"v": "1", "s": packed_text('{"hand":[[' + "0," * 900_000 + "0]]}")}
    assert len(whole["s"]) < MAX_LINK
    tracemalloc.start()
    try:
        for link in ({"v": "1", "s": bomb}, url, whole):
            scenario, remarks = Scenario.from_url(link)
            assert remarks
            assert scenario.labels.hand == ()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * MAX_UNPACKED


def test_many_small_lists_are_not_read():
    text = '{"scenario": {"hand": [' + "{}," * MAX_LISTS + "0]}}"
    assert "holds too much" in Scenario.from_json(text)[1][0]
    assert Scenario.from_json(text.encode())[1] == Scenario.from_json(text)[1]


NAMES = {
    "plain.csv": "plain.csv",
    "my data (2).csv": "my data (2).csv",
    'a"""b.csv': 'a"""b.csv',
    "/etc/passwd": "passwd",
    "..\\..\\secret.csv": "secret.csv",
    "C:mine.csv": "mine.csv",
    "http://evil.example/x.csv": "x.csv",
    "a\nb\rc\td\0e\x0cf.csv": "abcdef.csv",
    "a\u2028b\u2029c\x85.csv": "abc.csv",
    "vsc.\u202eexe\u2066.csv": "vsc.exe.csv",
    "half\ud800.csv": "half.csv",
    "..": "file",
    "\n": "file",
    "": "file",
}


@pytest.mark.parametrize(("came", "kept"), NAMES.items(), ids=map(repr, NAMES))
def test_a_file_name_holds_no_folder_and_nothing_unseen(came, kept):
    assert file_name(came) == kept
    assert Upload("ab", came).name == kept
    assert file_name(kept) == kept


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
    scenario, _ = Scenario.from_url({"v": "1", "s": pack(tree)})
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
    with pytest.raises(ValueError, match="start it again"):
        scenario.going_on(3)
