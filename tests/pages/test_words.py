"""Words of a link or a saved file reach the page through `errors.plain` only."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.shell import errors
from halfmoon.scenario import UPLOAD, Upload, default
from tests.hostile import HOSTILE

ROOT = Path(__file__).resolve().parents[2]
EVIL = "www.evil.example __x__"
LINK = {
    "v": "1",
    EVIL: "1",
    "data.www.evil.example": "1",
    "labels": EVIL,
    "show": EVIL,
    "algorithm": EVIL,
    "at.__x__ www.evil.example": "1",
    "sigma": EVIL,
}


def shown(app):
    """Everything on the page that Streamlit reads as Markdown."""
    kinds = (app.warning, app.info, app.error, app.caption, app.markdown)
    return [element.value for kind in kinds for element in kind]


def assert_nothing_becomes_a_link_or_bold(texts):
    joined = "\n".join(texts)
    assert "evil" in joined  # the words are shown, so that one sees what was wrong
    assert "www.evil" not in joined
    assert "__x__" not in joined


@pytest.mark.parametrize("page", ["playground", "early_stopping", "annealing"])
def test_a_link_brings_no_link_and_no_bold_type_onto_the_page(page):
    script = (
        ROOT / "pages" / ("_parts/main.py" if page == "playground" else f"{page}.py")
    )
    app = AppTest.from_file(script, default_timeout=60)
    for name, value in LINK.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert_nothing_becomes_a_link_or_bold(shown(app))


def test_a_file_that_is_gone_is_named_as_plain_words():
    scenario = default().with_data(UPLOAD, Upload("0" * 32, f"{EVIL}.csv"))
    app = AppTest.from_file(ROOT / "pages" / "_parts" / "main.py", default_timeout=60)
    for name, value in scenario.to_url().items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert_nothing_becomes_a_link_or_bold(shown(app))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_plain_words_stay_readable(text):
    words = errors.plain(text)
    assert "\n" not in words
    read = words.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")
    read = read.replace("\u2060", "")
    assert read == " ".join(text.replace("\u202e", "").split())


def test_sentences_of_ours_are_left_as_they_are():
    sentence = "sigma must be a number >= 0, got -0.1: choose 2.5, or 10 of 20 (50 %)."
    assert errors.plain(sentence).replace("\\>", ">") == sentence


def test_a_saved_file_with_half_characters_opens():
    text = json.dumps({"scenario": {"v": 1, "data": UPLOAD, "upload": {}}})
    bad = {"digest": "ab", "name": "\ud800x.csv", "label": None, "features": []}
    text = text.replace("{}", json.dumps(bad))
    scenario, remarks, _ = default().from_json(text)
    assert remarks == []
    assert scenario.upload.name == "x.csv"
    scenario.to_json().encode()
