"""Compare without a browser: methods come and go, edits of all stages count once."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.compare import comparison, stages
from halfmoon.scenario import MAX_METHODS, Scenario, default
from halfmoon.stage.pack import unpack
from ssl_core import ALGORITHMS
from tests.pages.finding import menus, named

SCRIPT = str(Path(__file__).resolve().parents[2] / "pages" / "compare.py")
KEPT = "page:compare"
LABEL_BYTES = 180_000  # what a click on a label may cost, n = 200
THREE = Scenario.of("two_moons", "lapsvm_pcg", "svm", "tsvm")


def opened(scenario=None, **url):
    app = AppTest.from_file(SCRIPT, default_timeout=60)
    app.query_params.update(comparison.query_of(scenario) if scenario else url)
    return sound(app.run())


def sound(app):
    assert not app.exception, [e.value for e in app.exception]
    assert not app.error, [e.value for e in app.error]
    return app


def scenario_of(app):
    return app.session_state[KEPT].screen.scenario


def shown(app):
    """Headers of what the stages were sent, in their order."""
    return [
        unpack(e.proto.bytes)[0]
        for e in app.main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_stage"
    ]


def algorithms(app):
    return [method.algorithm for method in scenario_of(app).methods]


def choose(app, box, algorithm):
    menus(app)[f"compare:{box}"].select(algorithm)
    return sound(app.run())


# -- what is seen --------------------------------------------------------------------


def test_a_new_visitor_finds_two_methods_solved_in_lock_step():
    app = opened()
    assert scenario_of(app) == comparison.FIRST
    assert app.query_params == {}
    found = shown(app)
    assert [view["name"] for view in found] == [
        "Laplacian SVM, PCG",
        "Supervised SVM",
    ]
    assert all(view["compact"] and view["sync"] == "compare" for view in found)
    assert [view["title"].split(": ")[1] for view in found] == [
        "0 % wrong at the end",
        "17.7 % wrong at the end",
    ]
    for view in found:
        assert len(view["arrays"]["seconds"]["shape"]) == 1
        assert view["tools"] == ["label", "erase"]


def test_stages_of_one_comparison_are_about_the_same_points_and_data():
    found = shown(opened(THREE))
    assert len({view["data_id"] for view in found}) == 1
    assert len({view["n_total"] for view in found}) == 1
    assert len({view["key"] for view in found}) == 3


def test_four_stages_together_send_no_more_than_a_label_may():
    four = Scenario.of("two_moons", *["lapsvm_pcg"] * 4)
    blocks = [
        len(e.proto.bytes)
        for e in opened(four).main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_stage"
    ]
    assert len(blocks) == 4
    assert sum(blocks) <= LABEL_BYTES


def test_methods_of_one_algorithm_say_what_tells_them_apart():
    twice = Scenario.of("two_moons", "svm", "svm").with_parameter("sigma", 0.5, 1)
    assert stages.names_of(twice) == [
        "Supervised SVM (sigma = 0.35)",
        "Supervised SVM (sigma = 0.5)",
    ]
    same = Scenario.of("two_moons", "svm", "svm")
    assert len(set(stages.names_of(same))) == 2


# -- methods come and go -------------------------------------------------------------


def test_methods_are_added_replaced_and_removed():
    app = opened()
    choose(app, "add", "tsvm")
    assert algorithms(app) == ["lapsvm_pcg", "svm", "tsvm"]
    assert len(shown(app)) == 3
    choose(app, "m1.algorithm", "rlsc")
    assert algorithms(app) == ["lapsvm_pcg", "rlsc", "tsvm"]
    app.button(key="compare:m0.remove").click()
    sound(app.run())
    assert algorithms(app) == ["rlsc", "tsvm"]
    assert [view["key"] for view in shown(app)] == [
        comparison.stage_key(1),
        comparison.stage_key(2),
    ]


def test_four_methods_are_the_most_and_one_always_stays():
    app = opened(Scenario.of("two_moons", "svm", "rlsc", "tsvm", "da"))
    assert len(shown(app)) == MAX_METHODS
    assert "compare:add" not in menus(app)
    alone = opened(Scenario.of("two_moons", "svm"))
    assert not [b for b in alone.button if "remove" in (b.key or "")]


def test_a_knob_turns_its_own_method_and_no_other():
    app = opened(Scenario.of("two_moons", "svm", "rlsc"))
    key = "compare:m1.rlsc.sigma"
    named(app.select_slider, key).set_value(0.5)
    sound(app.run())
    assert [m.params["sigma"] for m in scenario_of(app).methods] == [0.35, 0.5]


def test_a_knob_that_was_turned_has_its_way_back():
    scenario = Scenario.of("two_moons", "svm", "rlsc").with_parameter("sigma", 0.5, 1)
    app = opened(scenario)
    assert not [b for b in app.button if b.key == "compare:m0.svm.sigma.reset"]
    app.button(key="compare:m1.rlsc.sigma.reset").click()
    sound(app.run())
    assert scenario_of(app) == Scenario.of("two_moons", "svm", "rlsc")


def test_a_late_move_of_a_removed_method_reaches_no_other():
    """Both in one message: the method is removed while its knob is in the hand."""
    app = opened(Scenario.of("two_moons", "svm", "rlsc"))
    app.button(key="compare:m0.remove").click()
    named(app.select_slider, "compare:m0.svm.sigma").set_value(0.5)
    sound(app.run())
    (method,) = scenario_of(app).methods
    assert (method.algorithm, method.params["sigma"]) == ("rlsc", 0.35)


def test_a_new_method_takes_over_what_the_others_share():
    scenario = Scenario.of("two_moons", "svm").with_parameter("sigma", 0.7)
    app = choose(opened(scenario), "add", "lapsvm_newton")
    assert scenario_of(app).methods[1].params["sigma"] == 0.7


def test_the_playground_is_another_screen():
    app = opened(THREE)
    assert "page:playground" not in app.session_state
    assert "data" not in app.session_state
    assert "compare:data" in app.session_state


# -- links ---------------------------------------------------------------------------


def test_the_address_follows_the_comparison_and_opens_it_again():
    app = choose(opened(), "add", "tsvm")
    assert (
        scenario_of(opened(**app.query_params)) == scenario_of(app) != comparison.FIRST
    )


def test_a_comparison_of_the_playground_s_first_method_alone_has_a_link():
    url = comparison.query_of(default())
    assert url
    assert comparison.from_link(url) == (default(), [])


def test_a_method_that_does_not_fit_says_so_in_its_place_while_the_others_go_on():
    four = Scenario.of("two_moons", "svm", "convex_relaxation", "lapsvm_pcg", "tsvm")
    found = shown(opened(four))
    assert [len(view["frame_t"]) > 1 for view in found] == [True, False, True, True]
    assert "up to 80 points" in found[1]["captions"][0]
    assert found[1]["title"] == "Convex relaxation: no run"
    assert found[1]["n_total"] == 200  # its points can be labelled all the same


def test_rubbish_in_a_link_gives_remarks_and_a_comparison():
    app = opened(**{"data": "two_moons", "algorithm": "svm", "m2.algorithm": "nobody"})
    assert algorithms(app) == ["svm"]
    assert any("nobody" in warning.value for warning in app.warning)


# -- edits of several stages ---------------------------------------------------------


def message(app, number, ops, client="me"):
    """What the stage in a place has last sent; it stays there, as in a browser."""
    data_id = shown(app)[0]["data_id"]
    ops = [{"seq": seq, "data_id": data_id, **op} for seq, op in ops]
    app.session_state[comparison.stage_key(number)] = {
        "edits": {"client": client, "ops": ops}
    }


def label(i, c):
    return {"op": "label", "i": i, "class": c}


def hand(app):
    return dict(scenario_of(app).labels.hand)


def test_labels_of_any_stage_reach_all_of_them_once_each():
    app = opened(THREE)
    message(app, 1, [(1, label(7, 0))])
    sound(app.run())
    message(app, 2, [(1, label(7, 0)), (2, label(9, 1))])
    sound(app.run())
    assert (hand(app)[7], hand(app)[9]) == (0, 1)
    for view in shown(app):
        assert (view["client"], view["seq_seen"]) == ("me", 2)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_late_message_of_another_stage_takes_nothing_back(order):
    """Stage 0 said the point is of class 0; later, on stage 1, it became class 1."""
    app = opened()
    early, late = [(1, label(7, 0))], [(1, label(7, 0)), (2, label(7, 1))]
    for number, ops in [((0, early), (1, late))[i] for i in order]:
        message(app, number, ops)
        sound(app.run())
    assert hand(app)[7] == 1


def test_messages_of_two_stages_in_one_run_both_count():
    app = opened()
    message(app, 0, [(1, label(7, 0))])
    message(app, 1, [(1, label(7, 0)), (2, label(9, 1))])
    sound(app.run())
    assert (hand(app)[7], hand(app)[9]) == (0, 1)


def test_an_edit_of_a_stage_that_has_gone_still_counts():
    app = opened(THREE)
    message(app, 2, [(1, label(7, 0))])
    app.button(key="compare:m2.remove").click()
    sound(app.run())
    assert hand(app)[7] == 0
    assert len(shown(app)) == 2


def test_all_algorithms_have_a_name_in_a_comparison():
    for name in ALGORITHMS:
        assert stages.names_of(Scenario.of("two_moons", name, "svm"))[0]


# -- the landscape -------------------------------------------------------------------


def slices(app):
    """What the landscape was sent."""
    return [
        e
        for e in app.main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_landscape"
    ]


def landscape_of(scenario):
    app = opened(scenario)
    assert not slices(app)  # computed only when somebody wants to see it
    (switch,) = (t for t in app.toggle if t.label.startswith("Landscape"))
    switch.set_value(True)
    return sound(app.run())


def test_the_landscape_is_made_when_it_is_asked_for_through_the_chosen_three():
    app = landscape_of(Scenario.of("two_moons", "s3vm_light", "lapsvm_pcg"))
    assert len(slices(app)) == 1
    (said,) = (c.value for c in app.caption if "This is a slice" in c.value)
    assert "200 dimensions" in said
    assert "another kernel or another objective" in said
    (box,) = (m for m in app.multiselect if m.label == "The plane goes through")
    box.set_value(["true labels", "f = 0"])
    sound(app.run())
    (said,) = (c.value for c in app.caption if "This is a slice" in c.value)
    assert "true labels" in said


def test_where_there_is_no_landscape_a_sentence_says_why():
    app = landscape_of(Scenario.of("three_arcs", "svm", "lapsvm_pcg"))
    assert not slices(app)
    assert any("two classes" in note.value for note in app.info)


def test_too_many_points_for_the_landscape_are_a_button_away_from_it():
    moons = Scenario.of("two_moons", "svm", "rlsc").with_data_knob("n", 600)
    app = landscape_of(moons)
    assert not slices(app)
    (way,) = (b for b in app.button if "way_out" in str(b.key))
    assert way.label == "Use 500 points"
    sound(way.click().run())
    assert len(slices(app)) == 1
