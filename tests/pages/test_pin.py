"""Pin to compare: a run of any page goes into the visitor's comparison."""

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.shell import navigation
from halfmoon.scenario import MAX_METHODS, default
from tests.pages.finding import APP, menus, named

KEPT = "page:compare"
PATH = str(navigation.entry("path").path)


def opened(script=APP, scenario=None):
    app = AppTest.from_file(script, default_timeout=60)
    if scenario is not None:
        app.query_params.update(scenario.to_url())
    return sound(app.run())


def sound(app):
    assert not app.exception, [e.value for e in app.exception]
    assert not app.error, [e.value for e in app.error]
    return app


def press(app, key):
    app.button(key=key).click()
    return sound(app.run())


def choose(app, algorithm):
    menus(app)["algorithm"].select(algorithm)
    return sound(app.run())


def compared(app):
    return app.session_state[KEPT].screen.scenario


def told(app):
    return [toast.value for toast in app.toast]


def test_the_first_run_begins_a_comparison_and_others_join_it():
    app = press(opened(), "pin")
    assert compared(app) == default()
    assert "first method in Compare" in told(app)[0]
    press(choose(app, "svm"), "pin")
    assert [m.algorithm for m in compared(app).methods] == ["lapsvm_pcg", "svm"]
    assert "method 2 in Compare" in told(app)[0]
    # The playground itself goes on with its one method.
    assert len(app.session_state["page:playground"].screen.scenario.methods) == 1


def test_a_run_is_pinned_once_and_no_more_than_four():
    app = press(opened(), "pin")
    assert not [b for b in app.button if b.key == "pin"]
    for algorithm in ("svm", "rlsc", "tsvm"):
        press(choose(app, algorithm), "pin")
    assert len(compared(app).methods) == MAX_METHODS
    choose(app, "da")
    found = [m.value for m in app.markdown]
    assert any("the most it takes" in words for words in found), found


def test_another_setting_is_offered_as_a_new_comparison():
    app = press(opened(), "pin")
    named(app.slider, "data.noise").set_value(0.2)
    sound(app.run())
    assert not [b for b in app.button if b.key == "pin"]
    press(app, "pin_start")
    assert compared(app).knobs["noise"] == 0.2
    assert len(compared(app).methods) == 1


def test_a_run_that_goes_on_from_another_is_pinned_from_its_beginning():
    app = press(opened(scenario=default().going_on(3)), "pin")
    assert compared(app) == default()


def test_a_lesson_pins_its_run():
    app = press(opened(PATH), "pin")
    assert compared(app).algorithm == "s3vm_path"
    assert compared(app).data == "stripes"


@pytest.mark.parametrize("page", ["early_stopping", "annealing"])
def test_the_other_lessons_pin_theirs(page):
    app = press(opened(str(navigation.entry(page).path)), "pin")
    assert compared(app) is not None
