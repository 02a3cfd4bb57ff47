"""Markdown that is shown as it is meant: stars of symbols do not end bold type."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACES = ("ssl_core/experiments/notes", "pages/_parts/texts", "docs")
PLACES += ("pages/_parts/lessons/plans",)
TEXTS = [path for place in PLACES for path in sorted((ROOT / place).rglob("*.md"))]
NO_MARKUP = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\\.", re.DOTALL)


def loose_stars(text: str) -> list[str]:
    """Paragraphs with a star inside bold type, as in ``**at C* = C**``."""
    found = []
    for paragraph in re.split(r"\n\s*(?:\n|[-*] )", NO_MARKUP.sub("", text)):
        inside = False
        for run in re.findall(r"\*+", paragraph):
            if len(run) == 2:
                inside = not inside
            elif inside:
                found.append(paragraph)
                break
        else:
            if inside:
                found.append(paragraph)
    return found


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_bold_type_ends_where_it_should(path):
    assert not loose_stars(path.read_text(encoding="utf-8"))


def test_a_loose_star_is_found():
    assert loose_stars("- **at C* = C / 100** ends")
    assert not loose_stars("- **at C\\* = C / 100** ends, and C* = C\n- **next** C*")
