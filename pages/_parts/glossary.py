"""Words of the trade, explained wherever the texts of the pages use them.

The words are those of `halfmoon.views.glossary`; `explained` turns the first appearance
of each in a markdown text into a button that opens a card.

Only texts of ours are made into HTML. Whatever else a text holds stays text: every
``<`` in it is escaped before a tag of ours comes in.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

import streamlit as st

from halfmoon.views.glossary import Word, found

# Markdown in which no word is looked for: code, formulas, links, headings, sources.
_LEFT_ALONE = re.compile(
    r"`[^`]*`|\$\$[^$]*\$\$|\$[^$\n]+\$|\[[^\]]*\]\([^)]*\)|:[\w/-]+:"
    r"|^#+ .*$|^\*Source:[^*]*",
    re.MULTILINE,
)
_MARKDOWN = re.compile(r"[*_`$\[\]~:<>&|\\\"'#]")


def in_spans(spans: Iterable[dict], seen: set[str]) -> Iterator[dict]:
    """Spans of a lesson's prose, with a ``meaning`` where a word is explained.

    What already does something when it is clicked is left alone.
    """
    for span in spans:
        text, at = span["text"], 0
        if {"t", "set", "on"} & span.keys():
            yield span
            continue
        for hit in found(text, seen=seen):
            yield span | {"text": text[at : hit.start]}
            yield span | {"text": text[hit.start : hit.end], "meaning": hit.word.text}
            at = hit.end
        yield span | {"text": text[at:]}


def explained(markdown: str) -> str:
    """A text of ours with its words explained, as markdown that allows HTML."""
    name = f"hm-{zlib.crc32(markdown.encode()):x}"
    parts, at = [], 0
    for number, hit in enumerate(found(markdown, _LEFT_ALONE)):
        parts.append(_harmless(markdown[at : hit.start]))
        shown = markdown[hit.start : hit.end].replace("\\", "")
        parts.append(_card(shown, hit.word, f"{name}-{number}"))
        at = hit.end
    parts.append(_harmless(markdown[at:]))
    return "".join(parts)


def show_explained(markdown: str) -> None:
    """Show a text of ours, its words explained."""
    st.markdown(explained(markdown), unsafe_allow_html=True)


def _harmless(text: str) -> str:
    return text.replace("<", "&lt;")


def _plain(text: str) -> str:
    """Text that markdown leaves as it is."""
    return _MARKDOWN.sub(lambda m: f"&#{ord(m.group())};", text)


def _card(shown: str, entry: Word, name: str) -> str:
    """The word as a button, and beside it the card that it opens."""
    title = f"<strong>{_plain(entry.title)}</strong> "
    return (
        f'<span class="hm-word"><button type="button" class="hm-term" '
        f'popovertarget="{name}">{_plain(shown)}</button>'
        f'<span class="hm-meaning" id="{name}" popover="auto">'
        f"{title}{_plain(entry.text)}</span></span>"
    )
