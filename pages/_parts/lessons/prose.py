"""The prose of a lesson: from its markdown file to what the page shows.

A file begins with a title (``# ...``) and one sentence (``> ...``), then has a section
for each step::

    ## name: Title
    What is read first, with {facts}, {claims? words that hold} and phrases:
    [moves the cursor](t:moment), [another setting](set:scene), [a view](on:graph).

    ? A question
    - key: an option
    - other: another

    = key
    What is said to whoever chose it.

    ---
    What everybody reads after answering.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halfmoon.pages._parts.texts.claims import filled

TEXTS = Path(__file__).parent / "plans"
PHRASE = re.compile(r"\[([^\]]+)\]\((t|set|on):(\w+)\)")
STAR = "\x00"  # stands for an escaped star while markup is read
INLINE = re.compile(r"\[[^\]]+\]\((?:t|set|on):\w+\)|\*\*[^*]+\*\*|\*[^*]+\*")


@dataclass
class Section:
    """The words of one step, still with their places and phrases."""

    title: str
    text: str = ""
    question: str = ""
    options: dict[str, str] = field(default_factory=dict)
    reactions: dict[str, str] = field(default_factory=dict)
    then: str = ""

    @property
    def everything(self) -> str:
        """All of it, for those who look for places and phrases."""
        parts = [self.title, self.text, self.question, self.then]
        return "\n".join([*parts, *self.options.values(), *self.reactions.values()])


@dataclass
class Prose:
    """A whole file."""

    title: str = ""
    sentence: str = ""
    sections: dict[str, Section] = field(default_factory=dict)


def read_prose(name: str) -> Prose:
    """The prose of a lesson."""
    return parse((TEXTS / f"{name}.md").read_text(encoding="utf-8"))


def parse(text: str) -> Prose:
    prose, section, where = Prose(), None, None
    for line in text.splitlines():
        if line.startswith("# "):
            prose.title = line[2:].strip()
        elif line.startswith("> ") and section is None:
            prose.sentence = f"{prose.sentence} {line[2:].strip()}".strip()
        elif line.startswith("## "):
            name, _, title = line[3:].partition(": ")
            section, where = Section(title.strip()), "text"
            prose.sections[name.strip()] = section
        elif section is None:
            continue
        elif line.startswith("? "):
            section.question, where = line[2:], "question"
        elif where in ("question", "options") and line.startswith("- "):
            key, _, option = line[2:].partition(": ")
            section.options[key], where = option, "options"
        elif line.startswith("= "):
            where = line[2:].strip()
            section.reactions[where] = ""
        elif line.strip() == "---":
            where = "then"
        else:
            _go_on(section, where, line)
    return prose


def _go_on(section: Section, where: str, line: str) -> None:
    """One more line of the part that is being read."""
    if where == "options":
        if line.strip():
            section.options[list(section.options)[-1]] += f" {line.strip()}"
    elif where in ("text", "question", "then"):
        setattr(section, where, f"{getattr(section, where)}\n{line}")
    else:
        section.reactions[where] += f"\n{line}"


def unmarked(text: str) -> str:
    """A text without markup: an escaped star is a star."""
    return text.replace(r"\*", "*")


def phrases(text: str) -> list[tuple[str, str, str]]:
    """(words, kind, name) of every phrase that does something."""
    return PHRASE.findall(text)


def blocks(text: str, told: Mapping[str, Any], times: Mapping[str, int]) -> list[dict]:
    """A text as paragraphs and list items, each a list of spans.

    Parameters
    ----------
    text : str
    told, times : mapping
        Facts and claims, and iterations of the moments.

    Returns
    -------
    blocks : list of {"kind": "p" or "li", "spans": list of dict}
        A span has ``text`` and one of ``strong``, ``em``, ``t``, ``set``, ``on``, or
        none.
    """
    made = []
    for paragraph in re.split(r"\n\s*\n", filled(text, told).strip()):
        if paragraph.lstrip().startswith("- "):
            items = re.split(r"(?:^|\n)- ", paragraph.strip())
            made += [_block("li", item, times) for item in items]
        else:
            made.append(_block("p", paragraph, times))
    return [block for block in made if block["spans"]]


def _block(kind: str, text: str, times) -> dict:
    text = " ".join(text.split()).replace(r"\*", STAR)
    spans, at = [], 0
    for found in INLINE.finditer(text):
        if found.start() > at:
            spans.append(_words(text[at : found.start()]))
        spans.append(_span(found[0], times))
        at = found.end()
    if at < len(text):
        spans.append(_words(text[at:]))
    return {"kind": kind, "spans": spans}


def _span(text: str, times) -> dict:
    if phrase := PHRASE.fullmatch(text):
        words, kind, name = phrase.groups()
        return _words(words) | {kind: times[name] if kind == "t" else name}
    if text.startswith("**"):
        return _words(text[2:-2]) | {"strong": True}
    return _words(text[1:-1]) | {"em": True}


def _words(text: str) -> dict:
    return {"text": text.replace(STAR, "*")}
