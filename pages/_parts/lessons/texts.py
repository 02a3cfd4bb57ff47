"""Prose of the lessons: what stands above a page, and what its readers can open."""

import re
from collections.abc import Mapping
from pathlib import Path

TEXTS = Path(__file__).parents[1] / "texts"
MORE = "<!-- more -->"  # stands between the lead and the explanation
WHEN = re.compile(r"<!-- when (\w+) -->\n")  # above what is true of some runs only


def lead(page: str) -> str:
    return _text(page).split(MORE)[0]


def explanation(page: str, facts: Mapping[str, Mapping] | None = None) -> str:
    """What readers can open.

    A paragraph below ``<!-- when name -->`` is there only where ``facts`` have that
    name; what they have under it fills the braces of the paragraph.
    """
    facts = facts or {}
    kept = []
    for paragraph in _text(page).split(MORE)[1].split("\n\n"):
        name = WHEN.match(paragraph.strip())
        if name is None:
            kept.append(paragraph)
        elif name[1] in facts:
            said = WHEN.sub("", paragraph.strip(), count=1)
            kept.append(said.format(**facts[name[1]]))
    return "\n\n".join(kept)


def _text(page: str) -> str:
    return (TEXTS / f"{page}.md").read_text(encoding="utf-8")
