"""The glossary: words of the trade, and where they stand in a text.

The words are in ``glossary.md``. `terms_in` gives the stage what it needs to explain
them in its sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WORDS = Path(__file__).with_name("glossary.md")
_NUMBER = re.compile(r"(?<!\w)\d[\d.,e−·⁻⁰¹²³⁴⁵⁶⁷⁸⁹-]*")


@dataclass(frozen=True, slots=True)
class Word:
    """One entry: the word, its other forms, and what it means."""

    term: str
    forms: tuple[str, ...]
    text: str

    @property
    def title(self) -> str:
        first, rest = self.term[:1], self.term[1:]
        return (first.upper() if first.isascii() else first) + rest  # γ stays γ

    def about(self, wanted: str) -> bool:
        """Whether what somebody looks for stands in the word or what it means."""
        text = " ".join((*self.forms, self.text)).lower()
        return wanted.strip().lower() in text


@dataclass(frozen=True, slots=True)
class Found:
    """A word in a text: where it stands, and as what."""

    start: int
    end: int
    word: Word


@cache
def words() -> tuple[Word, ...]:
    """All entries, in the order of the file."""
    parts = WORDS.read_text(encoding="utf-8").split("\n## ")[1:]
    return tuple(_entry(part) for part in parts)


def _entry(part: str) -> Word:
    head, _, text = part.partition("\n")
    forms = tuple(form.strip() for form in head.split("|"))
    return Word(forms[0], forms, " ".join(text.split()))


@cache
def _by_form() -> dict[str, Word]:
    return {form.lower(): word for word in words() for form in word.forms}


@cache
def _pattern() -> re.Pattern[str]:
    """Any form as a whole word, the longest first.

    In markdown a line may end inside it, and a star has a backslash before it.
    """
    forms = sorted(_by_form(), key=len, reverse=True)
    any_form = "|".join(
        re.escape(form).replace(r"\ ", r"\s+").replace(r"\*", r"\\?\*")
        for form in forms
    )
    return re.compile(rf"(?<![\w-])(?:{any_form})(?![\w-])", re.IGNORECASE)


def word(text: str) -> Word | None:
    """The entry of a word in any of its forms."""
    return _by_form().get(" ".join(text.lower().replace("\\", "").split()))


def found(
    text: str,
    left_alone: re.Pattern[str] | None = None,
    seen: set[str] | None = None,
) -> Iterator[Found]:
    """The first appearance of every entry in a text, from left to right.

    Parameters
    ----------
    left_alone : pattern, optional
        Parts of the text in which no word is looked for.
    seen : set of str, optional
        Entries that have appeared in earlier texts; what is found here joins them.
    """
    skipped = [m.span() for m in left_alone.finditer(text)] if left_alone else []
    seen = set() if seen is None else seen
    for match in _pattern().finditer(text):
        entry = word(match.group())
        inside = any(a < match.end() and match.start() < b for a, b in skipped)
        if not inside and entry.term not in seen:
            seen.add(entry.term)
            yield Found(*match.span(), entry)


def terms_in(texts: Iterable[str]) -> dict[str, str]:
    """What the words in some plain texts mean, by the form in which they stand.

    Sentences that differ in their numbers only are read once: a run has thousands.
    """
    sentences = (part for text in texts for part in text.split(". "))
    whole = "\n".join({_NUMBER.sub("0", part) for part in sentences})
    forms = {match.group().lower() for match in _pattern().finditer(whole)}
    return {form: word(form).text for form in sorted(forms)}
