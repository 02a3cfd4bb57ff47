"""Prose that quotes what was computed and says only what holds.

A text names facts and claims, which are functions of the runs that it is about::

    {n_guesses} guesses              a fact: the number or word that was computed
    {n_labels:word} labels           spelled out: "two labels"; {n_labels:Word} begins
                                     a sentence
    {none? No guess is wrong.}       a claim: the words are there only where it holds
    {none? None is wrong. | Some are wrong.}
                                     and what is said where it does not

So a sentence and its check are one declaration. The tests ask that every claim holds on
the runs that the lessons ship with, and that no number is written any other way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ssl_core.viz.words import number, spelled

PLACE = r"\{\w+(?::[wW]ord)?\}"
WORDS = rf"(?:[^{{}}|]|{PLACE})*"
FACT = re.compile(r"\{(\w+)(?::([wW]ord))?\}")
CLAIM = re.compile(rf"\{{(\w+)\?\s+({WORDS})(?:\|\s+({WORDS}))?\}}")


def filled(text: str, facts: Mapping[str, Any]) -> str:
    """The text with its facts and those of its claims that hold.

    Parameters
    ----------
    text : str
    facts : mapping of name to value
        Claims are bool. Where nothing is known of a claim, its words are left out;
        only what the text names is looked up.
    """

    def chosen(claim: re.Match) -> str:
        name, words, otherwise = claim.groups()
        if name not in facts:
            return ""
        return (words if facts[name] else otherwise or "").strip()

    def quoted(fact: re.Match) -> str:
        return said(facts[fact[1]], fact[2])

    return FACT.sub(quoted, CLAIM.sub(chosen, text))


def said(value: Any, how: str | None = None) -> str:
    """A fact as prose quotes it: in digits, or spelled out."""
    if isinstance(value, str):
        return value
    if how is not None:
        words = spelled(value)
        return words.capitalize() if how == "Word" else words
    return f"{value:,}" if isinstance(value, int) else number(float(value))


def claims_in(text: str) -> set[str]:
    """Names of the claims that a text makes."""
    return {claim[0] for claim in CLAIM.findall(text)}


def facts_in(text: str) -> set[str]:
    """Names of the facts that a text quotes."""
    return {fact[0] for fact in FACT.findall(text)}


class Computed(Mapping):
    """Facts or claims by name, each computed when it is first asked for.

    Parameters
    ----------
    functions : mapping of name to function
    *about
        What the functions take.
    """

    def __init__(self, functions: Mapping[str, Callable[..., Any]], *about):
        self.functions, self.about = functions, about
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self.functions[name](*self.about)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self.functions

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)
