"""The reference page: every algorithm, the list, the glossary, links."""

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.reference import algorithm_page as algorithm
from halfmoon.pages._parts.reference.reference_choice import WORDS, ReferenceChoice
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.screen.link_words import understood
from halfmoon.pages._parts.widgets.knob import help_text
from halfmoon.scenario import Scenario
from ssl_core import ALGORITHMS
from tests.hostile import HOSTILE
from tests.pages.finding import name_of, named
from tests.test_made_up import ENTRIES, known

SCRIPT = str(algorithm.navigation.PAGES / "reference.py")


def opened(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def said(app):
    return "\n".join(element.value for element in app.markdown)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_has_its_page(name):
    entry = ALGORITHMS[name]
    app = opened(algorithm=name)
    assert [h.value for h in app.header] == [entry.title]
    assert entry.objective in [tex.value.strip("$\n ") for tex in app.latex]
    for term in entry.guide.terms:
        assert term.latex in said(app)
    knobs, places = (table.value for table in app.table)
    assert len(knobs) == len(entry.knobs)
    told = "\n".join(knobs.iloc[:, 0]).replace("\\", "")
    for knob in entry.knobs:
        assert knob.help in told
        assert knob.meaning in told
    assert list(places.index) == [place.equation for place in entry.guide.places]
    assert f"{entry.max_n:,} points" in said(app)


def test_without_a_choice_all_algorithms_are_listed_with_their_ideas():
    app = opened()
    titles = [b.label for b in app.button]
    assert sorted(titles) == sorted(entry.title for entry in ALGORITHMS.values())
    assert all(entry.idea in said(app) for entry in ALGORITHMS.values())


def test_a_click_in_the_list_opens_the_algorithm_and_the_link_says_so():
    app = opened()
    app.button(key="read_cccp").click().run()
    assert [h.value for h in app.header] == ["Concave-convex procedure"]
    assert dict(app.query_params) == {"algorithm": "cccp"}
    named(app.selectbox, "ref_algorithm").select_index(0).run()
    assert dict(app.query_params) == {}
    assert len(app.button) == len(ALGORITHMS)


def test_the_glossary_can_be_searched_and_has_a_link():
    app = opened()
    named(app.button_group, "ref_section").set_value("Glossary").run()
    assert dict(app.query_params) == {"show": "glossary"}
    whole = len(app.markdown)
    app.text_input(key="ref_find").set_value("incumbent").run()
    assert 0 < len(app.markdown) < whole
    assert "best complete labelling" in said(app)
    app.text_input(key="ref_find").set_value("zzz").run()
    assert "No glossary entry" in app.caption[0].value


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_link_to_what_is_not_there_shows_the_list_and_a_sentence(text):
    url = {"algorithm": text}
    found, (remark,) = understood(url, WORDS, ReferenceChoice())
    assert found == ReferenceChoice()
    assert not text or text not in remark
    assert "unknown" in remark


def test_an_unknown_algorithm_in_a_link_is_told_once():
    app = opened(algorithm="nonsense")
    assert "unknown" in app.info[0].value
    app.button(key="read_svm").click().run()
    assert not app.info


@pytest.mark.parametrize("name", ALGORITHMS)
def test_open_in_the_playground_leads_to_a_run_of_that_algorithm(name):
    entry = ALGORITHMS[name]
    scenario = algorithm.scenario(entry)
    assert scenario.algorithm == name
    again, remarks = Scenario.from_url(scenario.to_url())
    assert (again.solving, remarks) == (scenario.solving, [])
    assert len(RunServer(1).pose(scenario).X) <= entry.max_n


def test_the_sidebars_help_says_what_up_means():
    knob = ALGORITHMS["lapsvm_pcg"].knob("gamma_I")
    assert help_text(knob) == f"{knob.help} Increasing it means {knob.up}."


@pytest.mark.parametrize("name", ENTRIES)
def test_an_algorithm_that_says_less_still_has_a_page(name):
    """The made-up ones have no guide, and knobs that say nothing of up."""
    with known(name):
        app = opened(algorithm=name)
        entry = ALGORITHMS[name]
        assert [h.value for h in app.header] == [entry.title]
        assert entry.idea in said(app)
        (knobs,) = (table.value for table in app.table)
        assert len(knobs) == len(entry.knobs)
        headings = [h.value for h in app.subheader]
        assert headings == ["What it minimises", "Settings", "Limits and source"]
        assert name in [name_of(b.key).removeprefix("open_") for b in app.button]


def test_a_place_that_needs_a_setting_says_which():
    _, places = (table.value for table in opened(algorithm="lapsvm_pcg").table)
    what = places.loc["[MB11] Algorithm 2", "What"]
    assert what == "the stability check (with “Stop when: Decision is stable”)"
