"""Prose of the lessons: what stands above a page, and what its readers can open."""

from pathlib import Path

TEXTS = Path(__file__).parents[1] / "texts"
MORE = "<!-- more -->"  # stands between the lead and the explanation


def lead(page: str) -> str:
    return _text(page).split(MORE)[0]


def explanation(page: str) -> str:
    return _text(page).split(MORE)[1]


def _text(page: str) -> str:
    return (TEXTS / f"{page}.md").read_text(encoding="utf-8")


def spoken(text: str) -> str:
    """A narration with its head in bold."""
    head, rest = text.split(". ", 1)
    return f"**{head}.** {rest}"
