"""The bar at the top, and the ways from one page to another."""

import pytest

from halfmoon.pages._parts.shell import address, navigation, open_in
from halfmoon.pages._parts.shell.navigation import PageEntry
from halfmoon.scenario import DRAWN, RESERVED, Labels, Scenario, default
from ssl_core import ALGORITHMS


def test_every_page_has_a_place_in_the_table_and_its_own_address():
    listed = [e.name for section in navigation.SECTIONS.values() for e in section]
    assert len(set(listed)) == len(listed)
    assert {path.stem for path in navigation.PAGES.glob("*.py")} <= set(listed)
    assert next(navigation.entries()).name == navigation.FIRST


def test_pages_that_are_not_there_yet_are_left_out(monkeypatch):
    table = {
        "Play": navigation.SECTIONS["Play"][:1],
        "Later": (PageEntry("x", "X", ""),),
    }
    monkeypatch.setattr(navigation, "SECTIONS", table)
    assert list(navigation.sections()) == ["Play"]


def ways(scenario, page="playground"):
    return {way.entry.name: way for way in open_in.ways(scenario, page)}


def test_the_setting_of_the_playground_goes_along_to_the_lessons():
    scenario = default().with_data_knob("noise", 0.15)
    scenario = scenario.with_labels(Labels("hand", hand=((3, 0), (8, 1))))
    found = ways(scenario)
    assert {"early_stopping", "annealing", "path"} <= set(found)
    assert "playground" not in found
    for way in found.values():
        opened, _ = open_in.resolve_name(way.entry.takes)(way.url)
        assert opened.setting.labels == scenario.labels, way.entry.name
        assert opened.knobs == scenario.knobs


def test_even_the_first_screen_is_a_setting_that_goes_along():
    assert default().to_url() == {}
    assert ways(default())["path"].url["data"] == "two_moons"


def test_a_page_that_takes_another_method_says_which():
    found = ways(default())
    assert not found["early_stopping"].remark
    assert ALGORITHMS["da"].title in found["annealing"].remark
    assert ALGORITHMS["lapsvm_pcg"].title in found["annealing"].remark
    assert not ways(Scenario.of("two_moons", "da"))["annealing"].remark


def test_a_page_that_cannot_show_the_data_is_not_offered():
    assert "annealing" not in ways(default().with_data("three_arcs"))
    assert "annealing" not in ways(default().with_data(DRAWN))


def test_the_playground_takes_every_lesson_as_it_is():
    scenario = Scenario.of("clusters", "da").with_view(t=3)
    way = ways(scenario, "annealing")["playground"]
    opened, remarks = Scenario.from_url(way.url)
    assert opened.solving == scenario.solving
    assert opened.view.t is None  # a place on another page's curves
    assert not remarks


@pytest.fixture
def bar(monkeypatch):
    """The address bar and the session of one visitor."""

    class Bar(dict):
        def to_dict(self):
            return dict(self)

        def from_dict(self, url):
            self.clear()
            self.update(url)

    bar = Bar()
    monkeypatch.setattr(address.st, "query_params", bar)
    monkeypatch.setattr(address.st, "session_state", {})
    return bar


def test_a_link_from_another_page_is_read_each_time(bar):
    """Also when this session has had the same address before: it is no echo."""
    here, there = {"data": "clock"}, {"data": "spirals"}
    bar.from_dict(here)
    assert address.brought("path", first=True) == here
    address.write("path", there)  # the visitor goes on to something else
    bar.from_dict(here)
    assert address.brought("path", first=False) is None  # an echo
    bar.clear()
    assert address.brought("playground", first=True) == {}
    bar.from_dict(here)
    assert address.brought("path", first=False) == here


def test_present_mode_is_a_word_of_the_address_and_no_link_of_its_own(bar):
    bar.from_dict({"data": "clock", "present": "1"})
    assert address.presenting()
    assert address.brought("path", first=True) == {"data": "clock"}
    address.write("path", {"data": "spirals"})
    assert bar == {"data": "spirals", "present": "1"}
    address.present(False)
    address.write("path", {"data": "spirals"})
    assert bar == {"data": "spirals"}


def test_no_knob_and_no_field_is_called_as_present_mode_is():
    names = {knob.name for entry in ALGORITHMS.values() for knob in entry.knobs}
    assert not {address.PRESENT, *address.OF_FRAMES} & (names | set(RESERVED))
