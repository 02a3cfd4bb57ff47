"""Values that no widget can have: every page stays, and says nothing false."""

import json
import math
from types import SimpleNamespace

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.benchmarks import matrix
from halfmoon.pages._parts.shell import inside, navigation
from tests.pages import finding
from tests.pages.finding import APP

UNFORESEEN = "went wrong"  # of `errors.as_sentences` and of its `later`
FIELDS = ("edits", "numbers", "asked", "chosen", "scene", "present", "theme")
HOSTILE = (
    None,
    math.nan,
    -1,
    1e300,
    "nonsense",
    [],
    [999, -999],
    [[], {}],
    {},
    {"step": [], "scene": {}},
    {"client": [], "seq": math.nan, "edits": [{"op": []}], "live": True},
    {"opening": math.inf, "values": {"": math.nan}},
)
FORGED = {  # by field of the message that a browser sends
    "double_value": (math.nan, math.inf, -math.inf, 1e300, -1.0),
    "int_value": (2**62, -1),
    "bool_value": (True,),
    "trigger_value": (True,),
    "bytes_value": (b"\xff\x00",),
    "string_value": ("nonsense", ""),
    "double_array_value": ([], [math.nan], [math.inf], [1.0, 2.0]),
    "int_array_value": ([999], [-1]),
    "string_array_value": ([], ["nonsense"], ["a", "b"]),
    "json_value": ("{", "3", "[1, 2]", *(
        json.dumps(dict.fromkeys(FIELDS, value)) for value in HOSTILE
    )),
    "json_trigger_value": ("{", *(
        json.dumps([{"event": name, "value": value} for name in FIELDS])
        for value in HOSTILE
    )),
}  # fmt: skip
MESSAGES = [(field, value) for field, values in FORGED.items() for value in values]


def message(key, field, value):
    state = WidgetState(id=key)
    if field.endswith("array_value"):
        getattr(state, field).SetInParent()
        getattr(state, field).data.extend(value)
    else:
        setattr(state, field, value)
    return state


def opened(page):
    app = AppTest.from_file(APP, default_timeout=120)
    if page != navigation.FIRST:
        app.switch_page(str(navigation.PAGES / f"{page}.py"))
    app.run()
    assert not complaints(app)
    return app


def widgets(app):
    """What Streamlit knows of every widget and component that the page has now."""
    return app._session_state._state._new_widget_state.widget_metadata


def complaints(app):
    told = [*app.error, *app.toast, *app.warning]
    said = [e.value for e in told if UNFORESEEN in e.value]
    return said + [e.message for e in app.exception]


def send(app, states):
    app._run(WidgetStates(widgets=states))
    return complaints(app)


PAGES = [entry.name for entry in navigation.entries()]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_stays_whatever_is_said_of_all_its_widgets(page):
    app = opened(page)
    for field, value in MESSAGES[:: 1 if page == "reference" else 5]:
        states = [message(key, field, value) for key in widgets(app)]
        assert not send(app, states), (field, value)
    # Every widget another of them, so that none hides behind the first that raises.
    for shift in range(2):
        states = [
            message(key, *MESSAGES[(7 * i + shift) % len(MESSAGES)])
            for i, key in enumerate(sorted(widgets(app)))
        ]
        assert not send(app, states)


@pytest.fixture(scope="module")
def every_widget():
    found = {}
    for page in ("playground", "annealing", "benchmarks"):
        found |= widgets(opened(page))
    return found


def test_a_value_that_is_read_is_one_the_widget_can_have(every_widget):
    kinds = set()
    for key, widget in every_widget.items():
        for field, value in MESSAGES:
            state = message(key, field, value)
            if not inside.means_something(state, widget):
                continue
            same = widget.value_type in inside.NUMBERS and field in inside.NUMBERS
            assert same or field == widget.value_type
            read = widget.deserializer(inside.unpack_widget_state_value(state))
            assert not (isinstance(read, float) and not math.isfinite(read))
            if widget.formatted_options and read:
                words = read if isinstance(read, list) else [read]
                assert set(map(str, words)) != {"nonsense"}
            kinds.add(field)
    assert {"double_value", "json_value", "trigger_value"} <= kinds


def test_a_whole_number_is_let_through_as_a_browser_sends_it():
    """Streamlit calls the value a double; its own browser code sends an integer."""
    app = opened("playground")
    (seed,) = (key for key in widgets(app) if finding.name_of(key).endswith("-seed"))
    assert widgets(app)[seed].value_type == "double_value"
    assert not send(app, [message(seed, "int_value", 5)])
    assert app.query_params["seed"] == "5"


def test_a_good_value_is_let_through():
    app = opened("reference")
    (box,) = app.selectbox
    box.set_value("svm").run()
    assert app.query_params["algorithm"] == "svm"


def test_a_word_that_is_no_option_leaves_the_box_as_it_is():
    app = opened("reference")
    (box,) = app.selectbox
    assert not send(app, [message(box.proto.id, "string_value", "No such method")])
    assert app.selectbox[0].value == box.value == "all"


@pytest.mark.parametrize("cell", [None, [], [1], ["0", "0"], [-1, 0], [0, 10**9], [{}]])
def test_a_cell_that_the_table_does_not_have_is_none(cell):
    table = SimpleNamespace(rows=("a", "b"), columns=("x", "y"))
    assert matrix.place_in(table, cell) is None
    assert matrix.place_in(table, [1, 0]) == ("b", "x")
