"""The words of a step on the page: a component that moves the stage beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from halfmoon.pages._parts import glossary
from halfmoon.pages._parts.bundles import bundle
from halfmoon.pages._parts.lessons.place import Place
from halfmoon.pages._parts.lessons.prose import blocks, unmarked
from halfmoon.pages._parts.lessons.watched import Runs
from halfmoon.pages._parts.shell import door
from halfmoon.pages._parts.texts.claims import filled

HERE = Path(__file__).parent
_prose = st.components.v2.component(
    "halfmoon_prose",
    html='<div class="hm-prose" role="region" aria-label="Lesson"></div>',
    css=(HERE / "prose.css").read_text(encoding="utf-8"),
    js=bundle("prose"),
)


def content(place: Place, runs: Runs) -> dict:
    """What is read at a place: no word of an answer before it is given.

    Returns
    -------
    content : dict
        Texts and blocks of spans; see `prose.blocks`.
    """
    lesson, section = place.plan, place.plan.section(place.step)
    facts, times = lesson.told(runs), lesson.times(runs)

    seen: set[str] = set()

    def made(text: str) -> list[dict]:
        """Blocks whose words are explained where they stand first in the step."""
        return [
            block
            | {
                "spans": [
                    s for s in glossary.in_spans(block["spans"], seen) if s["text"]
                ]
            }
            for block in blocks(text, facts, times)
        ]

    told = {
        "step": f"{place.lesson}/{place.step}",
        "title": filled(section.title, facts),
        "text": made(section.text),
        "question": unmarked(filled(section.question, facts)),
        "options": None,
        "reaction": [],
        "then": [],
    }
    if place.asking:
        return told
    if place.answer:
        options, right = section.options.items(), place.here.right
        told["options"] = {
            "list": [
                {"key": k, "text": unmarked(filled(v, facts))} for k, v in options
            ],
            "mine": place.answer,
            "right": right if facts[right] else "",
        }
        told["reaction"] = made(section.reactions[place.answer])
    told["then"] = made(section.then)
    return told


def paragraphs(content: dict) -> list[str]:
    """What can be read at a place, as plain text: for a page that is saved."""
    first, *more = (content[part] for part in ("text", "reaction", "then"))
    options = content["options"] or {"list": [], "mine": ""}
    answers = [o["text"] for o in options["list"] if o["key"] == options["mine"]]
    question = [content["question"], *(f"You chose: {answer}" for answer in answers)]
    blocks_ = ["".join(s["text"] for s in b["spans"]) for b in first]
    after = ["".join(s["text"] for s in b["spans"]) for part in more for b in part]
    return [text for text in [*blocks_, *question, *after] if text]


def show_prose(
    content: dict, *, key: str, of: str, on_scene: Callable[[], None]
) -> None:
    """Put the words on the page.

    Parameters
    ----------
    content : dict
    key, of : str
        Keys of this element and of the stage that its phrases move.
    on_scene : callable
        Called when a phrase asks for another setting; `asked_scene` tells which.
    """
    _prose(key=key, data={**content, "stage": of}, on_scene_change=on_scene)


def asked_scene(key: str) -> tuple[str, str]:
    """(step, scene) that a phrase of the element ``key`` asks for."""
    message = door.message(key, "scene", dict) or {}
    return str(message.get("step", "")), str(message.get("scene", ""))
