"""Prose of the lessons: what stands above a page, and what its readers can open."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from halfmoon.pages._parts.texts.claims import filled

TEXTS = Path(__file__).parent
MORE = "<!-- more -->"  # stands between the lead and the explanation


def lead(page: str) -> str:
    return _text(page).split(MORE)[0]


def explanation(page: str, facts: Mapping[str, Any] | None = None) -> str:
    """What readers can open, with what is known of the run beside it."""
    return filled(_text(page).split(MORE)[1], facts or {})


def _text(page: str) -> str:
    return (TEXTS / f"{page}.md").read_text(encoding="utf-8")
