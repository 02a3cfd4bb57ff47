"""One to four methods in one setting: each with its run, all in one link."""

import json
import tracemalloc
from dataclasses import fields, is_dataclass, replace
from urllib.parse import parse_qsl

import pytest

from halfmoon.pages._parts.export.files import read_saved
from halfmoon.pages._parts.screen.memory import Memory
from halfmoon.scenario import (
    DRAWN,
    MAX_DRAWN,
    MAX_HAND,
    MAX_METHODS,
    Drawing,
    Labels,
    Method,
    Scenario,
    Start,
    View,
    default,
    suggested,
)
from halfmoon.scenario.fields import METHOD, SCREEN, SETTING
from halfmoon.scenario.limits import MAX_CHAIN, MAX_LINK, MAX_UNPACKED
from halfmoon.scenario.link import pack
from halfmoon.scenario.saved_file import MAX_OPENED
from ssl_core import ALGORITHMS

THREE = Scenario.of("g50c", "tsvm", "da", "l2svm_mfn")


def attributes(part, path=""):
    """Where all values of a part stand, down to what is no part itself."""
    for field in fields(part):
        value, at = getattr(part, field.name), path + field.name
        if is_dataclass(value):
            yield from attributes(value, f"{at}.")
        else:
            yield at


def test_every_field_is_declared_once():
    scenario = default()
    screen = [f"view.{at}" for at in attributes(scenario.view)] + ["hidden"]
    for table, found in (
        (SETTING, attributes(scenario.setting)),
        (METHOD, attributes(scenario.method)),
        (SCREEN, screen),
    ):
        assert sorted(field.at for field in table) == sorted(found)
    names = [field.name for field in (*SETTING, *METHOD, *SCREEN)]
    assert len(set(names)) == len(names)


# -- what a person does --------------------------------------------------------------


def test_a_scenario_has_one_to_four_methods():
    assert len(Scenario.of("g50c", *["tsvm"] * MAX_METHODS).methods) == 4
    with pytest.raises(ValueError, match="methods must be 1 to 4, got 5"):
        Scenario.of("g50c", *["tsvm"] * (MAX_METHODS + 1))
    with pytest.raises(ValueError, match="methods must be 1 to 4, got 0"):
        default().without_method(0)


def test_methods_are_added_replaced_and_removed():
    two = default().with_method(Method.of("svm", "two_moons"))
    assert [m.algorithm for m in two.methods] == ["lapsvm_pcg", "svm"]
    other = two.with_method(Method.of("rlsc", "two_moons"), 0)
    assert [m.algorithm for m in other.methods] == ["rlsc", "svm"]
    assert other.without_method(0) == default().with_algorithm("svm")
    assert two.without_method(1) == default()


@pytest.mark.parametrize("index", [-1, 3, None, "1"])
def test_a_method_that_is_not_there_cannot_be_changed(index):
    with pytest.raises(ValueError, match="index must be that of a method, 0 to 2"):
        THREE.with_parameter("lam", 0.1, index)


def test_a_change_of_one_method_leaves_the_others():
    changed = THREE.with_parameter("lam", 0.1, 1).with_algorithm("svm", index=2)
    assert changed.methods[0] == THREE.methods[0]
    assert changed.methods[1].params == {**THREE.methods[1].params, "lam": 0.1}
    assert changed.methods[2].algorithm == "svm"
    on = changed.going_on(5, 1)
    assert [m.start is None for m in on.methods] == [True, False, True]
    assert on.methods[1].start == Start(changed.alone(1), 5)
    assert on.from_start() == on.from_start(1) == changed
    assert on.from_start(0) == on


def test_other_data_suit_every_method():
    moons = THREE.going_on(3, 1).with_data("two_moons")
    for method in moons.methods:
        assert method.parameters == suggested(method.algorithm, "two_moons")
        assert method.start is None


def test_labels_keep_all_methods_and_other_points_start_them_afresh():
    on = THREE.with_parameter("lam", 0.1, 2).going_on(3, 1).going_on(4, 2)
    assert on.with_labels(Labels("random", 3)).methods == on.methods
    for other in (
        on.with_seed(4),
        on.with_data_knob("n", 300),
        on.with_held_out(10, 10),
    ):
        assert other.methods == on.from_start().methods


def test_each_method_alone_has_the_key_it_has_without_the_others():
    looked = replace(THREE, view=View(t=3), hidden=("lam",))
    for index, name in enumerate(("tsvm", "da", "l2svm_mfn")):
        assert looked.alone(index).solving == Scenario.of("g50c", name).solving
    assert looked.solving == looked.alone(0).solving


def test_a_run_goes_on_from_a_scenario_of_one_method():
    with pytest.raises(ValueError, match="origin must be a scenario of one method"):
        Start(THREE, 3)
    assert len(THREE.going_on(3).start.origin.methods) == 1


def test_an_algorithm_comes_back_to_a_further_method_as_it_was_left():
    two = THREE.without_method(2).with_parameter("lam", 0.1, 1)
    two = two.with_parameter("rate", 1.7, 1)
    memory = Memory().after(two)
    away = memory.switch(two, "svm", 1)
    assert [m.algorithm for m in away.methods] == ["tsvm", "svm"]
    back = memory.after(away).switch(away, "da", 1)
    assert back.methods[0] == two.methods[0]
    assert back.methods[1].params["rate"] == 1.7


# -- links and files -----------------------------------------------------------------


def busy():
    moons = default().with_drawing(Drawing(removed=(7,), added=((0.5, 1e-3, 1),)))
    moons = moons.with_labels(Labels("hand", hand=((0, 1), (4, 0))))
    for name in ("tsvm", "lapsvm_dual", "lapsvm_pcg"):
        moons = moons.with_method(Method.of(name, "two_moons"))
    moons = moons.with_parameter("lam", 0.5, 1).with_parameter("sigma", 0.7, 3)
    return moons.going_on(3, 0).going_on(2, 2).going_on(9, 2).with_view(t=4)


@pytest.mark.parametrize(
    "scenario",
    [THREE, busy(), *(Scenario.of("two_moons", a, "svm") for a in ALGORITHMS)],
    ids=["three", "busy", *ALGORITHMS],
)
def test_several_methods_survive_a_link_and_a_file(scenario):
    query = dict(parse_qsl(scenario.to_query()))
    assert query == scenario.to_url()
    assert Scenario.from_url(query) == (scenario, [])
    assert Scenario.from_json(scenario.to_json()) == (scenario, [], {})


def test_a_further_method_is_readable_in_the_link():
    two = default().with_method(Method.of("tsvm", "two_moons"))
    two = two.with_parameter("lam", 0.25, 1)
    assert two.to_query() == (
        "v=1&data=two_moons&labels=telling&algorithm=lapsvm_pcg&sigma=0.35"
        "&m2.algorithm=tsvm&m2.lam=0.25"
    )


def test_the_first_method_is_written_as_if_it_were_alone():
    alone, all_ = busy().alone(0).to_url(), busy().to_url()
    assert list(all_.items())[: len(alone)] == list(alone.items())


def test_no_knob_can_be_called_as_a_further_method_is():
    names = {knob.name for entry in ALGORITHMS.values() for knob in entry.knobs}
    assert all(name.isidentifier() for name in names)  # without a dot, that is


def test_a_method_more_than_is_known_is_left_out_with_a_remark():
    """So it is with a second one in a Halfmoon that knows of one method only."""
    url = {**THREE.to_url(), "m5.algorithm": "svm"}
    scenario, remarks = Scenario.from_url(url)
    assert scenario == THREE
    assert remarks == ["There is no setting ‘m5.algorithm’ here; it was ignored."]


def test_a_link_typed_by_hand_suits_every_method_to_the_data():
    typed = {"data": "digits", "algorithm": "svm", "m2.algorithm": "rlsc"}
    scenario, remarks = Scenario.from_url(typed)
    assert remarks == []
    assert scenario == Scenario.of("digits", "svm", "rlsc")


def test_methods_move_up_where_one_is_missing():
    url = {"v": "1", "data": "g50c", "algorithm": "tsvm", "m4.algorithm": "da"}
    scenario, remarks = Scenario.from_url(url)
    assert ([m.algorithm for m in scenario.methods], remarks) == (["tsvm", "da"], [])


BAD = {
    "no algorithm": ({"m2.lam": "1"}, "the link has no ‘m2.algorithm’"),
    "unknown algorithm": ({"m2.algorithm": "magic"}, "no algorithm ‘magic’"),
    "unknown knob": ({"m2.algorithm": "svm", "m2.x": "1"}, "no setting ‘m2.x’"),
    "field of the setting": ({"m3.algorithm": "svm", "m3.seed": "1"}, "‘m3.seed’"),
    "value outside its range": (
        {"m2.algorithm": "svm", "m2.sigma": "-1"},
        "sigma must",
    ),
    "no name at all": ({"m2.algorithm": "svm", "m2.": "1"}, "no setting ‘m2.’"),
    "no dot": ({"m2": "svm"}, "no setting ‘m2’"),
    "bad packing": ({"m2.algorithm": "svm", "m2.s": "!!!"}, "damaged"),
    "labels of its own": (
        {"m2.algorithm": "svm", "m2.s": pack({"hand": [[1], [0]]})},
        "damaged",
    ),
    "earlier run is no run": (
        {"m2.algorithm": "svm", "m2.s": pack({"from": 3})},
        "earlier run",
    ),
}


@pytest.mark.parametrize(("url", "words"), BAD.values(), ids=BAD)
def test_rubbish_in_a_further_method_leaves_the_first_with_a_remark(url, words):
    scenario, remarks = Scenario.from_url({"v": "1", "data": "g50c", **url})
    assert len(remarks) == 1
    assert words in remarks[0]
    assert remarks[0].endswith(".")
    assert scenario.alone(0) == Scenario.from_url({"v": "1", "data": "g50c"})[0]
    assert Scenario.from_url(scenario.to_url()) == (scenario, [])


@pytest.mark.parametrize("rubbish", [None, 3, "svm", [], {}, {"algorithm": None}])
def test_rubbish_for_a_further_method_in_a_file_is_left_out(rubbish):
    tree = {"v": 1, "data": "g50c", "m2": rubbish}
    scenario, remarks, _ = Scenario.from_json(json.dumps({"scenario": tree}))
    assert len(remarks) == 1
    assert len(scenario.methods) == 1


def test_the_packed_parts_of_a_link_unpack_to_no_more_than_one_may():
    half = {"from": {"t": 1, "scenario": {"hide": ["x" * (MAX_UNPACKED // 2)]}}}
    names = ("m2", "m3", "m4")
    url = {"v": "1", **{f"{name}.algorithm": "svm" for name in names}}
    url |= {f"{name}.s": pack(half) for name in names}
    assert sum(map(len, url.values())) < MAX_LINK
    tracemalloc.start()
    try:
        scenario, remarks = Scenario.from_url(url)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert any("damaged" in remark for remark in remarks)
    assert [m.start is None for m in scenario.methods[1:]] == [False, True, True]
    assert peak < 5 * MAX_UNPACKED


# -- as much as can be made can be saved ---------------------------------------------


def crowded(n_points, n_labels):
    points = tuple((i / 7, i / 11, i % 2) for i in range(n_points))
    moved = tuple((i, i / 7, i / 11) for i in range(n_points))
    hand = tuple((i, i % 2) for i in range(n_labels))
    scenario = Scenario.of(DRAWN, *["lapsvm_pcg"] * MAX_METHODS)
    scenario = scenario.with_drawing(Drawing(moved=moved, added=points))
    return scenario.with_labels(Labels("hand", hand=hand))


def test_every_method_can_go_on_as_often_as_one():
    scenario = crowded(500, 1000)
    for _ in range(MAX_CHAIN):
        for index in range(MAX_METHODS):
            scenario = scenario.going_on(3, index)
    with pytest.raises(ValueError, match="4 times in a row; start it again"):
        scenario.going_on(3, 2)
    assert Scenario.from_json(scenario.to_json()) == (scenario, [], {})


@pytest.mark.parametrize(
    ("points", "labels", "words"),
    [(MAX_DRAWN, 10, "50,000 points"), (10, MAX_HAND, "100,000 labels")],
)
def test_what_all_methods_go_back_on_fits_into_a_saved_file(points, labels, words):
    scenario = crowded(points, labels)
    for _ in range(MAX_CHAIN):
        scenario = scenario.going_on(3)
    with pytest.raises(ValueError, match=f"hold {words} made by hand.* start a method"):
        scenario.going_on(3, 1)
    saved = scenario.to_json().encode()
    assert len(saved) < MAX_OPENED
    assert read_saved(saved) == (scenario, [], None)


def test_a_file_with_more_than_that_is_read_without_its_earlier_runs():
    scenario = crowded(10, MAX_HAND)
    for _ in range(MAX_CHAIN):
        scenario = scenario.going_on(3)
    document = json.loads(scenario.to_json())
    for name in ("m2", "m3"):
        document["scenario"][name]["from"] = document["scenario"]["from"]
    read, remarks, _ = Scenario.from_json(json.dumps(document))
    assert read == scenario.from_start()
    assert len(remarks) == 1
    assert "The runs before these hold 240,000 labels made by hand" in remarks[0]


# -- parameters that follow the data -------------------------------------------------


def test_the_width_of_a_machine_with_a_graph_follows_the_number_of_points():
    scenario = default()
    for n in (4000, 800, 200, 100):
        scenario = scenario.with_data_knob("n", n)
        width = 0.35 * min(1.0, (200 / n) ** 0.5)
        assert scenario.params["sigma"] == pytest.approx(width, rel=0.05)
        svm = scenario.with_algorithm("svm")
        assert svm.params["sigma"] == 0.35  # labels have no neighbours to reach
        assert svm.with_algorithm("lapsvm_pcg").params == scenario.params


def test_a_parameter_that_was_chosen_does_not_follow_the_data():
    scenario = default().with_parameter("sigma", 0.5).with_data_knob("n", 1000)
    assert scenario.params["sigma"] == 0.5
    assert scenario.with_algorithm("svm").params["sigma"] == 0.5


def test_all_points_of_a_benchmark_have_the_width_that_suits_them():
    scenario = Scenario.of("mnist3vs8", "lapsvm_pcg").with_data_knob("n", 0)
    assert scenario.params["sigma"] == Scenario.of("mnist3vs8").params["sigma"]


def test_noise_dimensions_leave_the_spacing_as_it_is():
    scenario = default().with_data("two_moons_noise").with_data_knob("n", 1000)
    assert scenario.params["sigma"] == pytest.approx(0.5, rel=0.05)


def test_a_path_of_several_classes_keeps_their_shares():
    assert Scenario.of("three_arcs", "s3vm_path").params["centered"] is True
    assert Scenario.of("two_moons", "s3vm_path").params["centered"] is False
    two = Scenario.of("blobs", "s3vm_path").with_data_knob("n_classes", 2)
    assert two.params["centered"] is False


def test_what_suits_one_algorithm_does_not_travel_to_another():
    dual = default().with_algorithm("lapsvm_dual")
    assert dual.params["bias"] is False
    assert dual.with_algorithm("lapsvm_newton").params["bias"] is True
    chosen = dual.with_parameter("bias", True)
    assert chosen.with_algorithm("lapsvm_newton").params["bias"] is True
