"""Data and algorithm, chosen above the stage."""

from dataclasses import replace

import pytest

from halfmoon.datasets import DATASETS
from halfmoon.scenario import DRAWN, UPLOAD, default
from ssl_core import ALGORITHMS
from ssl_core.registry import in_menu_order
from tests.pages.finding import menus
from tests.pages.test_playground import open_app, scenario_of, sound


@pytest.fixture(scope="module")
def app():
    return open_app()


def test_every_algorithm_stands_with_its_family_and_its_idea(app):
    menu = menus(app)["algorithm"]
    assert menu.options == in_menu_order()
    for group in menu.data["groups"]:
        for option in group["options"]:
            entry = ALGORITHMS[option["id"]]
            assert group["title"] == entry.family.heading
            assert (option["title"], option["idea"]) == (entry.title, entry.idea)


def test_data_stand_by_kind_and_each_says_what_it_is(app):
    menu = menus(app)["data"]
    kinds = list(menu.groups)
    assert kinds[:3] == ["Toy data", "Your own data", "Real data"]
    assert menu.options.index("iris") > menu.options.index(UPLOAD)
    assert {DRAWN, *(n for n, e in DATASETS.items() if e.kind == "toy")} <= set(
        menu.options
    )
    options = [option for group in menu.data["groups"] for option in group["options"]]
    assert all(option["title"] and option["idea"] for option in options)


@pytest.mark.parametrize(
    ("menu", "option"), [("algorithm", "svm"), ("data", "stripes")]
)
def test_a_choice_is_on_the_stage_and_shown_as_chosen(menu, option):
    app = open_app()
    menus(app)[menu].select(option)
    sound(app.run())
    scenario = scenario_of(app)
    assert option in (scenario.algorithm, scenario.data)
    assert menus(app)[menu].value == option
    sound(app.run())  # one choice is one event
    assert scenario_of(app) == scenario


@pytest.mark.parametrize("menu", ["algorithm", "data"])
@pytest.mark.parametrize("option", ["two_moon", "", None, 7, ["svm"], {"id": "svm"}])
def test_what_is_not_offered_changes_nothing(app, menu, option):
    """A message may be older than the page, or forged."""
    before = scenario_of(app)
    menus(app)[menu].select(option)
    sound(app.run())
    assert scenario_of(app) == before


@pytest.mark.parametrize("name", ["algorithm", "data"])
def test_a_link_may_hide_a_menu(name):
    shown = menus(open_app(replace(default(), hidden=(name,))))
    assert name not in shown
    assert len(shown) == 1
