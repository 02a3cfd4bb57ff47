"""Edits as data: applied in order, taken back exactly, never lost, never twice."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts import stage_component
from halfmoon.stage.edits import apply_edits, new_edits

POINTS = np.arange(10.0).reshape(5, 2)
GIVEN = np.array([0, -1, 1, -1, -1])


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"op": "label", "i": 1, "class": 1}, [0, 1, 1, -1, -1]),
        ({"op": "label", "i": 0, "class": -1}, [-1, -1, 1, -1, -1]),
        ({"op": "erase", "i": 2}, [0, -1, -1, -1, -1]),
        ({"op": "label_many", "idx": [1, 3], "class": 0}, [0, 0, 1, 0, -1]),
        ({"op": "label_many", "idx": [0, 2], "classes": [1, -1]}, [1, -1, -1, -1, -1]),
        ({"op": "continue", "frame": 3, "t": 6}, [0, -1, 1, -1, -1]),
        ({"op": "add", "x": 7, "y": 8, "class": 1}, [0, -1, 1, -1, -1, 1]),
        ({"op": "add", "i": 5, "x": 7, "y": 8, "class": -1}, [0, -1, 1, -1, -1, -1]),
        ({"op": "add", "i": 0, "x": 7, "y": 8, "class": -1}, [-1, -1, 1, -1, -1]),
        ({"op": "remove", "i": 0}, [-1, 1, -1, -1]),
        (
            {"op": "add_many", "idx": [5, 6], "x": [7, 8], "y": [8, 9], "class": 1},
            [0, -1, 1, -1, -1, 1, 1],
        ),
        (
            {"op": "add_many", "idx": [5], "x": [7], "y": [8], "classes": [0]},
            [0, -1, 1, -1, -1, 0],
        ),
        ({"op": "add_many", "idx": [5], "x": [7], "y": [8]}, [0, -1, 1, -1, -1, -1]),
        ({"op": "remove_many", "idx": [0, 3, 3]}, [-1, 1, -1]),
    ],
    ids=lambda value: value["op"] if isinstance(value, dict) else "",
)
def test_each_edit_changes_labels_as_described(edit, expected):
    assert apply_edits(POINTS, GIVEN, [edit]).given.tolist() == expected


def test_edits_leave_the_old_arrays_alone_and_tell_where_rows_came_from():
    points, given = POINTS.copy(), GIVEN.copy()
    edited = apply_edits(
        points,
        given,
        [
            {"op": "add", "x": 1.5, "y": 2.5, "class": 0},
            {"op": "remove", "i": 1},
            {"op": "move", "i": 0, "x": -1, "y": -2},
        ],
    )
    assert edited.number.tolist() == [0, 2, 3, 4, 5]
    assert edited.next_number == 6
    np.testing.assert_array_equal(points, POINTS)
    np.testing.assert_array_equal(given, GIVEN)
    assert edited.source.tolist() == [0, 2, 3, 4, -1]
    np.testing.assert_array_equal(edited.points[0], [-1, -2])
    np.testing.assert_array_equal(edited.points[-1], [1.5, 2.5])


def inverse(data, edit):
    """The edit that takes `edit` back, as the browser builds it."""
    points = dict(zip(data.number.tolist(), data.points.tolist(), strict=True))
    given = dict(zip(data.number.tolist(), data.given.tolist(), strict=True))
    i = edit.get("i")
    match edit["op"]:
        case "label" | "erase":
            return {"op": "label", "i": i, "class": int(given[i])}
        case "label_many":
            classes = [int(given[j]) for j in edit["idx"]]
            return {"op": "label_many", "idx": edit["idx"], "classes": classes}
        case "move":
            return {"op": "move", "i": i, "x": points[i][0], "y": points[i][1]}
        case "add":
            return {"op": "remove", "i": data.next_number}
        case "remove":
            x, y = map(float, points[i])
            return {"op": "add", "i": i, "x": x, "y": y, "class": int(given[i])}
        case "add_many":
            return {"op": "remove_many", "idx": edit["idx"]}
        case "remove_many":
            idx = edit["idx"]
            x, y = [points[j][0] for j in idx], [points[j][1] for j in idx]
            classes = [int(given[j]) for j in idx]
            return {"op": "add_many", "idx": idx, "x": x, "y": y, "classes": classes}


places = st.floats(-5, 5)
steps = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "label",
                "erase",
                "label_many",
                "move",
                "add",
                "remove",
                "add_many",
                "remove_many",
            ]
        ),
        st.integers(0, 10**6),
        st.integers(-1, 1),
        places,
        places,
    ),
    max_size=25,
)


def applied(data, edits, refused=None):
    """`data` after edits, as `Edited`."""
    return apply_edits(
        data.points,
        data.given,
        edits,
        number=data.number,
        next_number=data.next_number,
        refused=refused,
    )


@given(steps=steps)
def test_undoing_every_edit_restores_the_data(steps):
    data, undo = apply_edits(POINTS, GIVEN, []), []
    for op, number, label, x, y in steps:
        here = data.number.tolist()
        if op not in ("add", "add_many") and not here:
            continue
        edit = {"op": op, "class": label, "x": x, "y": y}
        if op == "add_many":
            first = data.next_number
            edit |= {"idx": [first, first + 1], "x": [x, y], "y": [y, x]}
        elif op in ("label_many", "remove_many"):
            edit["idx"] = sorted(
                {here[number % len(here)], here[(number // 7) % len(here)]}
            )
        elif op != "add":
            edit["i"] = here[number % len(here)]
        undo.append(inverse(data, edit))
        data = applied(data, [edit])
    data = applied(data, undo[::-1])
    np.testing.assert_array_equal(data.points, POINTS)
    np.testing.assert_array_equal(data.given, GIVEN)
    np.testing.assert_array_equal(data.number, np.arange(5))


@given(steps=steps)
def test_edits_that_arrive_twice_do_what_they_do_once(steps):
    """A connection that comes back sends its last message again."""
    data, accepted = apply_edits(POINTS, GIVEN, []), []
    for op, number, c, x, y in steps:
        edit = {"op": op, "i": number % 8, "idx": [number % 7], "class": c}
        edit |= {"x": [x], "y": [y]} if op == "add_many" else {"x": x, "y": y}
        refused = []
        data = applied(data, [edit], refused)
        accepted += [] if refused else [edit]
    again = applied(data, accepted, [])
    for once, twice in zip(data[:3], again[:3], strict=True):
        np.testing.assert_array_equal(once, twice)


@given(
    places=st.lists(st.tuples(places, places), min_size=1, max_size=8),
    arrived=st.lists(st.booleans(), min_size=8, max_size=8),
    kind=st.sampled_from(["spray", "drag", "rub"]),
)
def test_of_a_stroke_only_the_last_message_has_to_arrive(places, arrived, kind):
    """Each says the whole of the stroke so far; the earlier ones may be lost."""

    def step(k):
        so_far = places[: k + 1]
        if kind == "drag":
            return {"op": "move", "i": 2, "x": so_far[-1][0], "y": so_far[-1][1]}
        if kind == "rub":
            return {"op": "remove_many", "idx": list(range(k % 5 + 1))}
        x, y = map(list, zip(*so_far, strict=True))
        idx = list(range(5, 6 + k))
        return {"op": "add_many", "idx": idx, "x": x, "y": y, "class": -1}

    last = len(places) - 1 if kind != "rub" else min(len(places), 5) - 1
    steps = [step(k) for k in range(last + 1)]
    some = [e for e, came in zip(steps[:-1], arrived, strict=False) if came]
    alone, after = (
        apply_edits(POINTS, GIVEN, edits) for edits in (steps[-1:], some + steps[-1:])
    )
    for field in ("points", "given", "number", "next_number"):
        assert np.array_equal(getattr(alone, field), getattr(after, field))


def test_points_beyond_the_last_number_are_refused_and_others_come_back():
    refused = []
    many = {"op": "add_many", "idx": [5, 6, 7], "x": [0, 1, 2], "y": [0, 1, 2]}
    edits = [many, many | {"idx": [5, 6], "x": [3, 4], "y": [3, 4]}]
    edits += [{"op": "add", "x": 1, "y": 1}, {"op": "remove", "i": 0}]
    edits += [{"op": "add", "i": 0, "x": 9, "y": 9}]
    edited = apply_edits(POINTS, GIVEN, edits, max_number=7, refused=refused)
    assert len(refused) == 2
    assert all("No more points can be added by hand" in words for words in refused)
    assert edited.number.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert edited.points[0].tolist() == [9, 9]


def test_one_refused_edit_does_not_hold_back_the_others():
    refused = []
    edits = [
        {"op": "label", "i": 1, "class": 1},
        {"op": "label", "i": 99, "class": 1},
        {"op": "add", "x": 10**400, "y": 0, "class": 0},
        {"op": "label", "i": 3, "class": 0},
    ]
    edited = apply_edits(POINTS, GIVEN, edits, n_classes=2, refused=refused)
    assert edited.given.tolist() == [0, 1, 1, 0, -1]
    assert len(refused) == 2


def test_an_edit_means_the_same_point_whatever_is_shown():
    """Points 3 and 5 were removed; 4 and 7 still answer to their numbers."""
    edited = apply_edits(
        POINTS,
        GIVEN,
        [{"op": "label", "i": 4, "class": 1}, {"op": "label", "i": 7, "class": 0}],
        number=np.array([0, 2, 4, 6, 7]),
        next_number=9,
    )
    assert edited.given.tolist() == [0, -1, 1, -1, 0]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"op": "label", "i": 5, "class": 0}, "i must be the number of a point here"),
        ({"op": "label", "i": -1, "class": 0}, "i must be the number of a point"),
        ({"op": "label", "i": "0", "class": 0}, "i must be the number of a point"),
        ({"op": "label", "i": 0, "class": 2}, "class must be below 2"),
        ({"op": "label", "i": 0}, "class must be a class index"),
        ({"op": "move", "i": 0, "x": float("nan"), "y": 0}, "x and y must be finite"),
        ({"op": "add", "x": "1", "y": 0}, "x and y must be finite"),
        ({"op": "label_many", "idx": 3, "class": 0}, "idx must be a list"),
        ({"op": "label_many", "idx": [1], "classes": []}, "classes must hold one"),
        ({"op": "add_many", "idx": [5], "x": [1], "y": 2}, "y must be a list of num"),
        ({"op": "add_many", "idx": [5], "x": [1], "y": []}, "x and y must hold one"),
        ({"op": "add_many", "idx": [6], "x": [1], "y": [1]}, "point number below 6"),
        ({"op": "add_many", "idx": [5], "x": ["a"], "y": [1]}, "must be finite"),
        ({"op": "remove_many", "idx": [9]}, "i must be a point number below 5"),
        ({"op": "remove_many"}, "idx must be a list of point numbers"),
        ({"op": "explode"}, "op must be one of"),
        ("label", "op must be one of"),
    ],
)
def test_a_malformed_edit_is_refused_with_one_sentence(edit, message):
    with pytest.raises(ValueError, match=message):
        apply_edits(POINTS, GIVEN, [edit], n_classes=2)


def message(client, first, last, data_id="moons"):
    ops = [
        {"op": "label", "i": seq % 5, "class": 0, "seq": seq, "data_id": data_id}
        for seq in range(first, last + 1)
    ]
    return {"client": client, "ops": ops}


@given(cuts=st.lists(st.tuples(st.integers(1, 5), st.booleans()), max_size=8))
def test_messages_that_are_overtaken_lose_no_edit_and_repeat_none(cuts):
    """Each message repeats what is unacknowledged; the server reads only some."""
    client, seen, sent, applied, acknowledged = "", 0, 0, [], 0
    for more, read in [*cuts, (1, True)]:
        sent += more
        if read:
            fresh, client, seen = new_edits(
                message("a", acknowledged + 1, sent), client, seen
            )
            applied += [op["seq"] for op in fresh]
            acknowledged = seen
    assert applied == list(range(1, sent + 1))


def test_a_fresh_mount_counts_from_one_again():
    fresh, client, seen = new_edits(message("b", 1, 2), "a", 9)
    assert (len(fresh), client, seen) == (2, "b", 2)


def test_edits_of_other_data_are_dropped_but_acknowledged():
    fresh, _, seen = new_edits(message("a", 1, 3, "old"), "a", 0, data_id="moons")
    assert (fresh, seen) == ([], 3)


@pytest.mark.parametrize("nothing", [None, {}, {"ops": None}, "text"])
def test_no_message_means_no_edits(nothing):
    assert new_edits(nothing, "a", 4) == ([], "a", 4)


@pytest.fixture
def session(monkeypatch):
    state = {"demo": {"edits": message("a", 1, 2)}}
    monkeypatch.setattr(stage_component.st, "session_state", state)
    return state


def test_receive_hands_each_edit_over_once(session):
    got = []
    stage_component.receive("demo", got.extend)
    stage_component.receive("demo", got.extend)
    assert [op["seq"] for op in got] == [1, 2]
    session["demo"] = {"edits": message("a", 2, 3)}
    stage_component.receive("demo", got.extend)
    assert [op["seq"] for op in got] == [1, 2, 3]


def test_a_stroke_is_under_way_until_its_last_message(session):
    assert not stage_component.under_way("demo")
    for live in (True, False):
        told = message("a", 1, 2 - live) | {"live": live, "seq": 2 - live}
        session["demo"] = {"edits": told}
        assert not stage_component.under_way("demo")  # before it is handed over
        stage_component.receive("demo", lambda edits: None)
        assert stage_component.under_way("demo") is live
        assert stage_component.under_way("demo", stages=("one", "demo")) is live


def test_an_interrupted_apply_is_repeated_and_a_refused_one_is_not(session):
    class Interrupt(BaseException):
        """Stands for the exception with which Streamlit breaks off a run."""

    def interrupted(edits):
        raise Interrupt

    def refuse(edits):
        raise ValueError("class must be below 2, got 7.")

    with pytest.raises(Interrupt):
        stage_component.receive("demo", interrupted)
    with pytest.raises(ValueError, match="class must be"):
        stage_component.receive("demo", refuse)
    repeated = []
    stage_component.receive("demo", repeated.extend)
    assert repeated == []


def test_the_demo_page_runs_without_a_browser():
    script = Path(__file__).parents[2] / "tests/browser/stage_demo.py"
    app = AppTest.from_file(str(script), default_timeout=60).run()
    assert not app.exception
    assert "given=2" in app.text[1].value
