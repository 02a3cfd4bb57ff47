"""What the reference shows: one algorithm, all of them, or the glossary.

The choice stands in the link: ``?algorithm=lapsvm_pcg``, ``?show=glossary``, or nothing
for the list of all algorithms.
"""

from __future__ import annotations

from dataclasses import dataclass

from halfmoon.pages._parts.screen.choice_page import choice_page
from halfmoon.pages._parts.screen.link_words import LinkWord
from ssl_core import ALGORITHMS

GLOSSARY = "glossary"
SECTIONS = ("Algorithms", "Glossary")


@dataclass(frozen=True, slots=True)
class ReferenceChoice:
    """A section, and the algorithm where one is chosen."""

    glossary: bool = False
    algorithm: str | None = None

    @property
    def there(self) -> ReferenceChoice:
        """The choice, as far as it is still there."""
        known = self.algorithm in (None, *ALGORITHMS)
        return self if known else ReferenceChoice()


def _show(choice: ReferenceChoice, section: str) -> ReferenceChoice:
    return ReferenceChoice(glossary=True) if section == GLOSSARY else choice


def _read(choice: ReferenceChoice, name: str) -> ReferenceChoice:
    if choice.glossary:
        return choice
    if name not in ALGORITHMS:
        raise ValueError("The link names an unknown algorithm; all are listed here.")
    return ReferenceChoice(algorithm=name)


WORDS = (
    LinkWord(("show",), lambda choice: (GLOSSARY if choice.glossary else "",), _show),
    LinkWord(("algorithm",), lambda choice: (choice.there.algorithm or "",), _read),
)
REFERENCE = choice_page("reference", WORDS, ReferenceChoice(), "ref_")
