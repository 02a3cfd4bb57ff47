"""The playground without a browser: it runs, every widget moves, nothing breaks."""

import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from halfmoon.common import knobs as knobs_of_core
from halfmoon.datasets import DATASETS, download
from halfmoon.pages._parts.export import files
from halfmoon.pages._parts.playground.playground_page import PLAYGROUND
from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import edited
from halfmoon.pages._parts.widgets import knob as knob_widgets
from halfmoon.pages._parts.widgets import own_data
from halfmoon.pages._parts.widgets.hiding import hideable
from halfmoon.scenario import DRAWN, UPLOAD, Labels, default
from ssl_core import ALGORITHMS
from tests.pages.finding import APP, menus, name_of, named, played, shown_on_stage

KINDS = ("selectbox", "slider", "select_slider", "number_input", "toggle")
SLOW = ("preset",)  # has tests of its own


def open_app(scenario=None):
    app = AppTest.from_file(APP, default_timeout=120)
    if scenario is not None:
        app.query_params.update(scenario.to_url())
    return sound(app.run())


def sound(app):
    assert not app.exception, [e.value for e in app.exception]
    assert not app.error, [e.value for e in app.error]
    return app


def scenario_of(app):
    return app.session_state["page:playground"].screen.scenario


def move(app, kind, key):
    widget = next(w for w in getattr(app, kind) if name_of(w.key) == key)
    if kind == "selectbox":
        index = widget.index if widget.index is not None else -1
        widget.select_index((index + 1) % len(widget.options))
    elif kind == "select_slider":
        options = widget.options
        shown = widget.format_func(widget.value)
        place = options.index(str(shown))
        widget.set_value(_values(app, key)[place - 1 if place else 1])
    elif kind == "slider":
        up = widget.value + widget.step
        widget.set_value(up if up <= widget.max else widget.value - widget.step)
    elif kind == "number_input":
        up = (widget.value or 0) + (widget.step or 1)
        widget.set_value(up if up <= widget.max else widget.value - widget.step)
    else:
        widget.set_value(not widget.value)
    return app.run()


def _values(app, key):
    scenario = scenario_of(app)
    name = key.removeprefix("param.")
    knob = ALGORITHMS[scenario.algorithm].knob(name)
    return knob.places(scenario.params[name])


def widgets(app):
    return [(kind, name_of(w.key)) for kind in KINDS for w in getattr(app, kind)]


def test_a_new_visitor_finds_two_moons_solved():
    app = open_app()
    assert scenario_of(app) == default()
    assert not app.warning
    assert app.query_params == {}
    shown = shown_on_stage(app)
    assert shown["title"] == "Two labels, 198 unlabelled points"
    assert len(shown["frame_t"]) > 20
    assert shown["tiles"][1]["values"][-1] == "0 %"


def move_all(app, chosen):
    """Move the widgets whose key is `chosen`, one after the other. Every move changes
    the scenario, and nothing breaks."""
    first = [w for w in widgets(app) if w[1] not in SLOW and chosen(w[1])]
    moved = 0
    for kind, key in first:
        if (kind, key) not in widgets(app):
            continue
        moved += 1
        before = scenario_of(app)
        sound(move(app, kind, key))
        assert scenario_of(app) != before, key
    assert moved >= len(first) - 3  # a few hide or show others
    return moved


def new_knobs():
    """The settings that no earlier algorithm has: those of a kernel stand once."""
    seen, found = [], {}
    for name, entry in ALGORITHMS.items():
        found[name] = [f"param.{k.name}" for k in entry.knobs if k not in seen]
        seen += entry.knobs
    return found


NEW_KNOBS = new_knobs()


@pytest.mark.parametrize("algorithm", [n for n, knobs in NEW_KNOBS.items() if knobs])
def test_every_widget_of_an_algorithm_can_be_moved(algorithm):
    """Those of settings that it shares were moved with the first that has them."""
    app = open_app(played(algorithm))
    assert move_all(app, lambda key: key in NEW_KNOBS[algorithm]) > 0


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_so_can_those_of_settings_that_it_shares(algorithm):
    app = open_app(played(algorithm))
    assert move_all(app, lambda key: key.startswith("param.")) > 0


SHARED = ("lapsvm_pcg", "tsvm", "s3vm_path")  # kernel, linear and a path


@pytest.mark.parametrize(
    "algorithm",
    [
        pytest.param(name, marks=() if name in SHARED else pytest.mark.slow)
        for name in ALGORITHMS
    ],
)
def test_every_other_widget_can_be_moved(algorithm):
    app = open_app(played(algorithm))
    assert move_all(app, lambda key: not key.startswith("param.")) > 5


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens(name):
    app = open_app()
    named(app.selectbox, "preset").select(name)
    sound(app.run())
    assert scenario_of(app) == PRESETS[name].scenario
    assert named(app.selectbox, "preset").value is None
    assert any(PRESETS[name].look in note.value for note in app.info)


def test_the_address_follows_the_screen_and_opens_it_again():
    app = open_app()
    sound(move(app, "slider", "data.noise"))
    sound(move(app, "select_slider", "param.sigma"))
    again = AppTest.from_file(APP, default_timeout=120)
    for name, values in app.query_params.items():
        again.query_params[name] = values
    again.run()
    assert scenario_of(sound(again)) == scenario_of(app) != default()


def test_a_link_with_rubbish_opens_the_default_with_a_remark():
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["data"] = "three_suns"
    app.query_params["sigma"] = "<script>"
    sound(app.run())
    assert scenario_of(app) == default()
    assert any("three_suns".replace("_", "\\_") in w.value for w in app.warning)


def test_data_that_are_not_here_are_told_in_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(download, "RAW", "no-network:")
    monkeypatch.setenv("HALFMOON_DATA", str(tmp_path))
    monkeypatch.setenv("HALFMOON_CACHE", str(tmp_path))
    app = AppTest.from_file(APP, default_timeout=120)
    app.query_params["data"] = "coil20"
    app.run()
    assert not app.exception
    assert any("halfmoon data fetch coil20" in e.value for e in app.error)
    assert [code.value for code in app.code] == ["halfmoon data fetch coil20"]
    app.button(key="back").click()
    assert scenario_of(sound(app.run())) == default()


def test_one_class_only_is_a_sentence_and_the_stage_stays():
    hand = default().with_labels(Labels("hand", hand=((0, 1),)))
    app = open_app(hand)
    assert "at least two classes" in shown_on_stage(app)["captions"][0]
    assert not app.info


def test_a_teachers_link_hides_what_it_says():
    app = open_app(replace(default(), hidden=("algorithm", "data.noise", "presets")))
    keys = [key for _, key in widgets(app)]
    assert "algorithm" not in keys
    assert "data.noise" not in keys
    assert "preset" not in keys
    assert "data.n" in keys


def test_hiding_every_control_still_leaves_a_page():
    names = tuple(sorted(hideable(default())))
    app = open_app(replace(default(), hidden=names))
    assert [k for _, k in widgets(app) if k != "open_at"] == []


def test_switching_to_hand_keeps_the_labels():
    app = open_app()
    named(app.selectbox, "how").select("hand")
    sound(app.run())
    assert len(scenario_of(app).labels.hand) == 2
    next(b for b in app.button if b.label == "Clear all labels").click()
    app.run()
    assert scenario_of(app).labels.hand == ()


def test_a_rule_that_needs_validation_points_gets_some():
    app = open_app()
    named(app.selectbox, "param.stop").select("validation")
    sound(app.run())
    assert scenario_of(app).n_val == 20


def test_an_unforeseen_error_is_a_sentence_without_a_traceback(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("inner detail")

    monkeypatch.setattr("halfmoon.pages._parts.playground.sidebar.sidebar", fail)
    app = AppTest.from_file(APP, default_timeout=60).run()
    assert not app.exception
    assert any("not your fault" in e.value for e in app.error)
    assert not any("inner detail" in e.value for e in app.error)


# -- edits and runs, as the page makes them ------------------------------------------


def test_continue_and_a_label_make_a_run_that_goes_on():
    scenario = default()
    edits = [{"op": "continue", "t": 7, "frame": 7}]
    going = edited(scenario, edits)
    assert going.start.t == 7
    assert going.start.origin == scenario.solving
    more = edited(going, [{"op": "label", "i": 3, "class": 0}])
    assert more.start == going.start
    assert (3, 0) in more.labels.hand


def test_adding_a_point_starts_afresh():
    going = default().going_on(7)
    added = edited(going, [{"op": "add", "x": 0.0, "y": 0.0, "class": 1}])
    assert added.start is None
    moved = edited(going, [{"op": "move", "i": 0, "x": 0.0, "y": 0.0}])
    assert moved.start is not None


# -- data of one's own ---------------------------------------------------------------

GOOD = b"u,v,kind\n" + b"".join(
    f"{i % 7},{i % 5}.5,{'ab'[i % 2]}\n".encode() for i in range(40)
)
BAD = {
    "empty.csv": (b"", "empty"),
    "picture.png": (b"\x89PNG\r\n\x1a\n rest", "must end in"),
    "ragged.csv": (b"a,b,c\n1,2,x\n1,2\n", "fields in line 3"),
    "words.csv": (b"a,b\nred,blue\ngreen,red\n", "no numeric column"),
    "holes.csv": (b"a,b,y\n1,,0\n2,3,1\n,1,0\n4,4,1\n", "missing values"),
    "latin.csv": ("é,b\n1,2\n".encode("latin-1"), "UTF-8"),
    "one.csv": (b"a,b,y\n1,2,only\n2,3,only\n", "one class only"),
    "broken.parquet": (b"PAR1 nothing else", "Parquet"),
    "odd.svmlight": (b"one two three\n", "svmlight"),
}


def test_a_good_file_becomes_the_data():
    scenario = own_data.accept(GOOD, "mine.csv", default())
    assert scenario.data == UPLOAD
    assert scenario.upload.name == "mine.csv"
    assert scenario.labels == Labels("random", 3)
    app = open_app(scenario)
    assert named(app.selectbox, "upload_label").value == "kind"
    assert sorted(named(app.multiselect, "upload_features").value) == ["u", "v"]
    named(app.multiselect, "upload_features").set_value(["u"])
    sound(app.run())
    assert scenario_of(app).upload.feature_columns == ("u",)
    named(app.selectbox, "upload_scale").select("none")
    sound(app.run())
    assert scenario_of(app).upload.scale == "none"


def test_a_file_comes_in_through_the_page_and_a_bad_one_stays_out():
    app = open_app()
    menus(app)["data"].select(UPLOAD)
    sound(app.run())
    assert scenario_of(app) == default()  # nothing changes before a file is there
    app.file_uploader(key="upload").set_value(("words.csv", BAD["words.csv"][0], ""))
    app.run()
    assert not app.exception
    assert any("no numeric column" in e.value for e in app.error)
    assert scenario_of(app) == default()
    app.file_uploader(key="upload").set_value(("mine.csv", GOOD, "text/csv"))
    sound(app.run())
    assert scenario_of(app).upload.name == "mine.csv"
    assert shown_on_stage(app)["title"] == "Six labels, 34 unlabelled points"


def test_a_saved_scenario_opens_again_with_its_file():
    scenario = own_data.accept(GOOD, "mine.csv", default()).with_parameter("sigma", 0.9)
    text = files.saved(scenario)
    runs.server().files.put(scenario.upload.digest, b"forgotten")
    app = open_app()
    app.session_state["menu_save"] = True
    app.run()
    app.file_uploader(key="opened").set_value(
        ("halfmoon.json", text.encode(), "application/json")
    )
    sound(app.run())
    assert scenario_of(app) == scenario
    assert runs.server().files.get(scenario.upload.digest) == GOOD
    assert not app.warning


def test_the_trace_table_has_a_row_per_iteration_with_its_errors():
    solved = runs.server().ask(default().with_held_out(20, 20)).outcome()
    table = pd.read_csv(io.StringIO(files.trace_table(solved)))
    assert len(table) == len(solved.trace)
    assert table["objective"].iloc[-1] == pytest.approx(solved.trace.final.objective)
    for part in ("labelled", "unlabelled", "val", "test"):
        assert table[f"error_{part}"].between(0, 1).all()
    assert table["error_labelled"].iloc[-1] == 0


@pytest.mark.parametrize("text", ["", "{}", "no json", '{"scenario": 3}'])
def test_a_file_that_is_no_scenario_opens_the_default_with_a_remark(text):
    app = open_app(default().with_parameter("sigma", 0.9))
    app.session_state["menu_save"] = True
    app.run()
    app.file_uploader(key="opened").set_value(("x.json", text.encode() + b" ", ""))
    sound(app.run())
    assert scenario_of(app) == default()
    assert app.warning


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_in_a_sentence(name):
    content, reason = BAD[name]
    with pytest.raises(ValueError, match=reason) as told:
        own_data.accept(content, name, default())
    assert str(told.value).endswith(".")


def test_a_file_with_unknown_labels_is_used_as_it_is():
    content = GOOD.replace(b",b\n", b",?\n", 15)
    scenario = own_data.accept(content, "half.csv", default())
    assert scenario.labels.how == "file"


def test_the_suggested_width_has_the_size_of_the_neighbourhood():
    rng = np.random.default_rng(0)
    rows = "\n".join(f"{a:.4f},{b:.4f}" for a, b in 100 * rng.normal(size=(200, 2)))
    scenario = own_data.accept(b"a,b\n" + rows.encode(), "wide.csv", default())
    assert 0.2 < scenario.params["sigma"] < 2  # of columns scaled to deviation 1
    assert scenario.labels.how == "hand"  # nobody knows any label


# -- log sliders ---------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_log_sliders_hold_the_value_and_stay_in_range(algorithm):
    for knob in ALGORITHMS[algorithm].knobs:
        if knob.kind == "log":
            odd = knob.low * 1.2345
            steps = knob.places(odd)
            assert odd in steps
            assert knob.default in steps
            assert all(knob.check(step) == step for step in steps)
            words = [step for step in steps if isinstance(step, str)]
            assert steps == [*words, *sorted(set(steps) - set(words))]


KNOBS = {
    f"{name}.{knob.name}": knob
    for table in (ALGORITHMS, DATASETS)
    for name, entry in table.items()
    for knob in (entry.knobs if table is ALGORITHMS else entry.knobs.values())
}


def test_every_knob_has_a_widget_that_stands_where_it_is_put(monkeypatch):
    shown = []

    def shows(kind):
        made = getattr(st, kind)
        return lambda *args, **given: shown.append(made(*args, **given))

    kinds = ("selectbox", "toggle", "number_input", "select_slider", "slider")
    drawn = SimpleNamespace(**{kind: shows(kind) for kind in kinds})
    monkeypatch.setattr(knob_widgets, "st", drawn)
    desk = Desk(PLAYGROUND, None)
    seen = set()
    for name, knob in KNOBS.items():
        ends = (knob.low, knob.high) if knob.kind in ("int", "float", "log") else ()
        # A select_slider takes numbers that are closer than 5e-12 for the same one.
        ends = [v for v in ends if v is not None and (v == 0 or abs(v) > 1e-11)]
        values = (knob.default, *knob.choices, *ends)
        for number, value in enumerate(values):
            shown.clear()
            knob_widgets.knob_control(desk, knob, value, f"{name}.{number}.", print)
            (found,) = shown
            nothing = found == knob_widgets.NOTHING
            assert (None if nothing else found) == value, name
        seen.add(knob.kind)
    assert seen == set(knobs_of_core.KINDS)


def test_drawing_starts_with_an_empty_stage():
    app = open_app(default().with_data(DRAWN))
    shown = shown_on_stage(app)
    assert "Choose a brush" in shown["captions"][0]
    assert shown["n_total"] == 0
    assert {"add", "drag"} <= set(shown["tools"])


def test_classes_without_a_label_count_as_wrong_and_are_told():
    two = default().with_data("three_arcs")
    arcs = runs.server().base(two)
    hand = tuple((int(np.flatnonzero(arcs.y == c)[0]), c) for c in (0, 1))
    app = open_app(two.with_labels(Labels("hand", hand=hand)))
    assert any("1 of 3 class has no label" in note.value for note in app.info)
    error = shown_on_stage(app)["tiles"][1]["values"][-1]
    assert float(error.removesuffix(" %")) >= 33


def test_more_classes_get_more_telling_labels():
    scenario = default().with_data("blobs").with_data_knob("n_classes", 7)
    assert scenario.labels == Labels("telling", 7)
