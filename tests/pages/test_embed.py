"""Pages in frames of somebody else: `?embed=1` shows the stage alone."""

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.shell import address, inside, navigation
from tests.pages.finding import APP, shown_on_stage


@pytest.fixture
def asked(monkeypatch):
    """``asked(query)`` has a browser stand at that address."""

    def put(query):
        monkeypatch.setattr(inside, "query", lambda: query)

    monkeypatch.setattr(address.st, "session_state", {})
    return put


def opened(page, embed, **link):
    """A page at an address with ``embed``; see `shown_on_stage`."""
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page(str(navigation.entry(page).path))
    app.query_params |= {"embed": embed, **link} if embed else link
    app.run()
    assert not app.exception
    assert not app.error
    return app


@pytest.mark.parametrize(
    ("query", "is_one"),
    [
        ("embed=1", True),
        ("data=clock&embed=true", True),
        ("embed=True", True),
        ("embed=0", False),
        ("embed=", False),
        ("data=clock", False),
        ("", False),
    ],
)
def test_a_link_says_whether_it_is_for_a_frame(asked, query, is_one):
    asked(query)
    assert address.embedding() == is_one


def test_in_a_frame_nothing_is_presented(asked, monkeypatch):
    monkeypatch.setattr(address.st, "query_params", {"present": "1"})
    asked("present=1&embed=1")
    assert not address.presenting()
    asked("present=1")
    assert address.presenting()


@pytest.mark.parametrize("embed", ["1", "true"])
def test_streamlit_passes_the_word_on_and_links_have_it_not(embed):
    app = opened("playground", embed, data="two_circles")
    for _ in range(2):  # over runs
        assert "".join(app.query_params["embed"]) == embed
        assert "".join(app.query_params["data"]) == "two_circles"
        app.run()
    holder = app.session_state["page:playground"]
    assert "embed" not in holder.screen.scenario.to_query()


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("annealing", {}),
        ("path", {}),
        ("lessons", {"lesson": "two_labels", "step": "guess"}),
    ],
)
def test_a_question_is_left_out_and_its_run_shown(page, link):
    asking, told = (opened(page, embed, **link) for embed in ("", "1"))
    begun, whole = (len(shown_on_stage(app)["captions"]) for app in (asking, told))
    assert whole > begun


def test_early_stopping_does_not_ask_first_in_a_frame():
    assert shown_on_stage(opened("early_stopping", ""))["numbers"]["hide"] == 1
    assert shown_on_stage(opened("early_stopping", "1"))["numbers"]["hide"] == 0
