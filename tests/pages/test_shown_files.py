"""Save: what the stages show, as a page of HTML, as pictures and as films."""

import base64
import gc
import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon import __version__
from halfmoon.pages._parts.export import download, shown_files
from halfmoon.pages._parts.shell import navigation
from halfmoon.stage.pack import unpack

LINKS = {
    "playground": ({}, 1),
    "compare": ({}, 2),
    "lessons": ({"lesson": "two_labels", "step": "remember"}, 1),
    "early_stopping": ({"hide": "0"}, 1),
    "annealing": ({"guess": "1", "seen": "1"}, 1),
}


@pytest.fixture
def saving(monkeypatch):
    """``saving(page)`` opens a page's menu; gives the app and its files by name."""

    def opened(page):
        found = {}
        app = AppTest.from_file(str(navigation.entry(page).path), default_timeout=120)
        app.query_params.update(LINKS[page][0])
        app.session_state["menu_save"] = True

        def button(label, content, name, *args, **more):
            found[name] = content

        monkeypatch.setattr(download.st, "download_button", button)
        app.run()
        assert not app.exception
        return app, found

    return opened


def views_in(html):
    """Headers of the views that a page holds."""
    (data,) = re.findall(
        r'<script type="application/halfmoon\+json">(.*?)</script>', html
    )
    blocks = [base64.b64decode(view) for view in json.loads(data)["views"]]
    return [unpack(block)[0] for block in blocks], json.loads(data)["deck"]


@pytest.mark.parametrize("page", ["playground", "compare", "lessons", "early_stopping"])
def test_a_page_holds_what_its_stages_show_and_nothing_to_edit(page, saving):
    app, found = saving(page)
    html = found[f"halfmoon_{page}.html"]()
    headers, deck = views_in(html)
    assert len(headers) == LINKS[page][1]
    assert all(not header["tools"] and header["locked"] for header in headers)
    assert all("Halfmoon" in header["about"] for header in headers)
    assert (deck is None) == (page != "compare")
    assert app is not None  # the session holds the views


def test_early_stopping_is_saved_with_its_thresholds(saving):
    app, found = saving("early_stopping")
    ((header,), _) = views_in(found["halfmoon_early_stopping.html"]())
    assert {"gradient", "theta", "eta", "gain"} <= header["numbers"].keys()
    assert header["numbers"]["hide"] == 0
    assert app is not None


def test_a_lesson_is_saved_with_its_words(saving):
    app, found = saving("lessons")
    html = found["halfmoon_lessons.html"]()
    words = re.findall(r"<p>(.*?)</p>", html)
    assert any("label" in paragraph for paragraph in words)
    assert not any("](" in paragraph or "{" in paragraph for paragraph in words)
    assert "<h1>Two labels are enough: What to remember</h1>" in html
    assert app is not None


def test_pictures_are_of_what_was_chosen(saving):
    app, found = saving("playground")
    svg = found["halfmoon_playground.svg"]().decode()
    assert "Two labels, 198 unlabelled points" in svg
    assert __version__ in svg
    app.selectbox(key="picture_of").select("Errors")
    app.toggle(key="picture_caption").set_value(False)
    app.run()
    svg = found["halfmoon_playground.svg"]().decode()
    assert "Errors" in svg
    assert __version__ not in svg


def test_there_are_not_more_films_at_once_than_the_server_can_make(saving, monkeypatch):
    app, found = saving("playground")
    monkeypatch.setattr(shown_files, "film", lambda *args, **how: b"film")
    monkeypatch.setattr(shown_files, "WAIT", 0.01)
    assert found["halfmoon_playground.gif"]() == b"film"
    for _ in range(shown_files.MOST_FILMS):
        shown_files.AT_ONCE.acquire()
    try:
        with pytest.raises(RuntimeError, match="Other visitors are making films"):
            found["halfmoon_playground.gif"]()
    finally:
        for _ in range(shown_files.MOST_FILMS):
            shown_files.AT_ONCE.release()
    assert app is not None


def test_nothing_is_left_of_a_visitor_who_has_gone(saving):
    app, found = saving("playground")
    del app.session_state["visit"]
    del app
    gc.collect()
    with pytest.raises(RuntimeError, match="has left"):
        found["halfmoon_playground.html"]()


def test_without_matplotlib_the_menu_says_what_to_install(saving, monkeypatch):
    monkeypatch.setattr(shown_files, "find_spec", lambda name: None)
    app, found = saving("playground")
    assert "halfmoon_playground.html" in found
    assert "halfmoon_playground.svg" not in found
    assert any("halfmoon[pictures]" in caption.value for caption in app.caption)
