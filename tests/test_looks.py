"""How events look: one table of kinds, and looks that an algorithm adds."""

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from ssl_core import looks as events
from ssl_core.looks import DEFAULT, LOOKS, TONES, Look, look_of, register_looks
from ssl_core.trace import Event
from ssl_core.viz.theme import LIGHT

CORE = Path(events.__file__).parent


@pytest.fixture(autouse=True)
def table(monkeypatch):
    """A copy of the table, for as long as a test lasts."""
    copied = dict(LOOKS)
    monkeypatch.setattr(events, "LOOKS", copied)
    return copied


def kinds_in_the_core():
    """Kinds that are written out where an event is made."""
    for path in CORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Event":
                kind = node.args[0]
                if isinstance(kind, ast.Constant):
                    yield kind.value


def test_an_event_says_what_happened_and_nothing_of_its_look():
    assert [f.name for f in fields(Event)] == ["kind", "text", "data"]


def test_the_table_has_only_kinds_that_happen():
    named_by_the_problem = {"C_u", "lam_u"}  # see `weight` of the problems
    assert LOOKS.keys() <= {*kinds_in_the_core(), *named_by_the_problem}


@pytest.mark.parametrize(
    ("kind", "look"),
    [
        ("check", Look("muted")),
        ("stop", Look("good")),
        ("temperature", Look("warn", narrated=False)),
        ("error_vectors", Look(tick=False, narrated=False)),
        ("fixed", Look("ink", tick=False)),
        ("incumbent", Look("good")),
        ("stuck", Look("bad")),
    ],
)
def test_kinds_of_the_core_have_their_looks(kind, look):
    assert look_of(Event(kind, "Something happened.")) == look


@pytest.mark.parametrize("kind", ["ridge", "note", "rank", "never heard of"])
def test_other_kinds_are_ticked_in_ink_and_narrated(kind):
    assert look_of(Event(kind, "Something happened.")) == DEFAULT == Look()


def test_tones_are_colours_of_the_theme():
    assert all(getattr(LIGHT, tone).startswith("#") for tone in TONES)


def test_an_unknown_tone_is_refused():
    with pytest.raises(ValueError, match=r"tone must be one of .*, got 'pink'"):
        Look("pink")


def test_a_new_kind_gets_the_look_that_is_registered():
    register_looks({"cooled": Look("bad")})
    assert look_of(Event("cooled", "It cools.")) == Look("bad")
    register_looks({"cooled": Look("bad")})  # a module may be loaded twice


def test_two_algorithms_cannot_give_one_kind_two_looks(table):
    before = dict(table)
    text = re.escape("events of kind stop are shown as Look(tone='good'")
    with pytest.raises(ValueError, match=text):
        register_looks({"cooled": Look("bad"), "stop": Look("bad")})
    assert table == before
