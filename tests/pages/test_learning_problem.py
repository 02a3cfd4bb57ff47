"""From a scenario to arrays, and from edits on the stage back to a scenario."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.running.budget import check_size, size_of
from halfmoon.pages._parts.running.stage_edits import MAX_EDITS, edit
from halfmoon.scenario import (
    DRAWN,
    MAX_DRAWN,
    Drawing,
    Labels,
    Scenario,
    default,
)
from halfmoon.scenario.learning_problem import (
    check_posed,
    held_out,
    pose,
    read_data,
)
from halfmoon.stage.edits import apply_edits

MOONS = default()


def posed(scenario):
    return pose(scenario, read_data(scenario))


def edited(scenario, edits):
    return edit(scenario, posed(scenario), edits)


@pytest.mark.parametrize(
    "data", [name for name, e in DATASETS.items() if e.kind != "benchmark"]
)
def test_every_data_set_can_be_run_as_it_comes(data):
    scenario = default().with_data(data)
    problem = posed(scenario)
    check_posed(problem, scenario)
    classes = np.unique(problem.given[problem.given >= 0])
    assert len(classes) == problem.data.n_classes


def test_the_landing_scenario_is_two_labels_and_198_guesses():
    problem = posed(MOONS)
    assert (problem.n_labelled, problem.n_unlabelled) == (2, 198)
    assert sorted(problem.given[problem.given >= 0]) == [0, 1]


def test_held_out_points_are_apart_and_stay_where_they_are():
    scenario = MOONS.with_held_out(20, 40)
    problem = posed(scenario)
    parts = [problem.train, problem.val, problem.test]
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(200))
    assert [len(p) for p in parts] == [140, 20, 40]
    # Labelling and unlabelling points changes nothing about who is held out.
    rows = problem.row[problem.train].tolist()
    changed = edited(scenario, [{"op": "label", "i": i, "class": 0} for i in rows[:9]])
    bare = edited(changed, [{"op": "erase", "i": i} for i in rows])
    for after in (changed, bare):
        again = posed(after)
        assert np.array_equal(again.val, problem.val)
        assert np.array_equal(again.test, problem.test)


def test_half_of_the_points_always_stay_for_training():
    val, test = held_out(10, 4, 4, seed=0)
    assert (len(val), len(test)) == (4, 1)


def test_a_click_keeps_the_labels_that_were_there():
    problem = posed(MOONS)
    free = int(np.flatnonzero(problem.given < 0)[0])
    after = edited(MOONS, [{"op": "label", "i": free, "class": 1}])
    assert after.labels.how == "hand"
    given = posed(after).given
    assert given[free] == 1
    others = np.delete(np.arange(200), free)
    assert np.array_equal(given[others], problem.given[others])


def test_moved_added_and_removed_points_arrive_in_the_problem():
    edits = [
        {"op": "move", "i": 4, "x": 2.5, "y": -1.25},
        {"op": "remove", "i": 10},
        {"op": "add", "x": 0.5, "y": 0.75, "class": 1},
        {"op": "add", "x": 0.1, "y": 0.2, "class": -1},
    ]
    before = posed(MOONS)
    after = posed(edited(MOONS, edits))
    assert len(after.train) == 201
    assert after.X[4] == pytest.approx([2.5, -1.25])
    assert after.X[10] == pytest.approx(before.X[11])
    assert after.X[-2:] == pytest.approx(np.array([[0.5, 0.75], [0.1, 0.2]]))
    assert after.given[-2:].tolist() == [1, -1]
    assert after.truth[-2:].tolist() == [1, -1]


def test_undoing_removals_brings_the_old_points_back():
    problem = posed(MOONS)
    X, given = np.asarray(problem.X, dtype=np.float32), problem.given

    def back(i):
        x, y = X[i].tolist()
        return {"op": "add", "i": i, "x": x, "y": y, "class": int(given[i])}

    gone = edited(MOONS, [{"op": "remove", "i": 7}, {"op": "remove", "i": 8}])
    assert gone.drawing.removed == (7, 8)
    again = edited(edited(gone, [back(8)]), [back(7)])
    assert again.drawing == Drawing()
    restored = posed(again)
    assert np.array_equal(restored.X, problem.X)
    assert np.array_equal(restored.given, given)
    assert np.array_equal(restored.truth, problem.truth)


def test_drawn_points_keep_their_class_when_labels_are_hidden():
    scenario = default().with_data(DRAWN)
    clicks = [
        {"op": "add", "x": i / 10, "y": float(i % 2), "class": i % 2} for i in range(12)
    ]
    drawn = edited(scenario, clicks)
    assert posed(drawn).n_labelled == 12
    hidden = drawn.with_labels(Labels("random", 1))
    problem = posed(hidden)
    assert problem.n_labelled == 2
    assert problem.truth.tolist() == [i % 2 for i in range(12)]
    free = int(np.flatnonzero(problem.given < 0)[0])
    more = posed(edited(hidden, [{"op": "label", "i": free, "class": 1}]))
    assert more.n_labelled == 3
    assert (more.truth >= 0).all()


def test_an_empty_stage_says_how_to_begin():
    scenario = default().with_data(DRAWN)
    with pytest.raises(ValueError, match="Choose a brush"):
        check_posed(posed(scenario), scenario)


def test_one_class_is_refused_with_a_way_out():
    only = MOONS.with_labels(Labels("hand", hand=((0, 1), (1, 1))))
    with pytest.raises(ValueError, match="click a point of another class"):
        check_posed(posed(only), only)


def test_too_many_points_are_refused_before_any_work():
    scenario = default().with_algorithm("lapsvm_dual").with_data_knob("n", 4000)
    problem = posed(scenario)
    crowd = replace(problem, train=np.zeros(5000, int), given=np.arange(5000) % 2)
    with pytest.raises(ValueError, match="up to 4,000 points"):
        check_size(scenario, size_of(crowd), budget=1e12, trace_bytes=1e8)


def test_labels_of_points_that_are_not_here_are_told():
    stray = MOONS.with_labels(Labels("hand", hand=((0, 1), (1, 0), (999, 1))))
    problem = posed(stray)
    assert problem.n_labelled == 2
    assert any("do not exist" in remark for remark in problem.remarks)


OPS = st.one_of(
    st.builds(
        lambda i, c: {"op": "label", "i": i, "class": c}, *[st.integers(0, 99)] * 2
    ),
    st.builds(lambda i: {"op": "erase", "i": i}, st.integers(0, 99)),
    st.builds(lambda i: {"op": "remove", "i": i}, st.integers(0, 99)),
    st.builds(
        lambda i, x, y: {"op": "move", "i": i, "x": x, "y": y},
        st.integers(0, 99),
        *[st.floats(-3, 3, width=16)] * 2,
    ),
    st.builds(
        lambda x, y, c: {"op": "add", "x": x, "y": y, "class": c},
        *[st.floats(-3, 3, width=16)] * 2,
        st.integers(-1, 1),
    ),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(OPS, max_size=12), st.integers(0, 12))
def test_server_and_browser_see_the_same_points_after_any_edits(ops, cut):
    scenario = default().with_data_knob("n", 20)
    problem = posed(scenario)
    here, next_number, sensible = list(range(20)), 20, []
    for op in ops:
        op = dict(op)
        if "i" in op:
            if not here:
                continue
            op["i"] = here[op["i"] % len(here)]
        if op["op"] == "label":
            op["class"] %= 2
        if op["op"] == "remove":
            here.remove(op["i"])
        if op["op"] == "add":
            here.append(next_number)
            next_number += 1
        sensible.append(op)
    browser = apply_edits(np.asarray(problem.X), problem.given, sensible)
    for batch in (sensible[:cut], sensible[cut:]):
        scenario = edited(scenario, batch)
        assert Scenario.from_url(scenario.to_url()) == (scenario, [])
    server = posed(scenario)
    assert np.allclose(server.X, browser.points, atol=1e-4)
    assert np.array_equal(server.given, browser.given)


def test_the_stage_adds_no_more_points_than_a_link_may_hold():
    scenario = default().with_data(DRAWN)
    point = {"op": "add", "x": 0.5, "y": 0.25, "class": 1}
    full = edited(scenario, [point] * MAX_DRAWN)
    assert len(full.drawing.added) == MAX_DRAWN
    with pytest.raises(ValueError, match="No more points can be added"):
        edited(full, [point])
    with pytest.raises(ValueError, match="smaller parts"):
        edited(scenario, [point] * (MAX_EDITS + 1))
    many = {"op": "label_many", "idx": [0] * (MAX_EDITS + 1), "class": 1}
    with pytest.raises(ValueError, match="smaller parts"):
        edited(MOONS, [many])
