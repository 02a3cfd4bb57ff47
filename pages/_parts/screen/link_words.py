"""Links of pages that show no scenario, by the rules of `link`.

Each value has a name of its own; defaults are left out; what does not fit is left out
and reported; a link that is too long is refused. A page declares its `LinkWord` entries
once; reading and writing follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from halfmoon.scenario.limits import MAX_LINK, MAX_NAMES
from halfmoon.scenario.link import TOO_LONG

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LinkWord:
    """What stands in a link under one name, or under several that belong together.

    Parameters
    ----------
    names : tuple of str
        In the link; empty texts are left out.
    texts : callable
        From the page's value to one text for each name.
    put : callable
        From the value and one text for each name, None where there is none, to a value.
        Raises ValueError with a sentence where they do not fit.
    """

    names: tuple[str, ...]
    texts: Callable[[Any], tuple[str, ...]]
    put: Callable[..., Any]


def written(value: Any, words: Sequence[LinkWord]) -> dict[str, str]:
    """The parameters of the link to a value, in order."""
    pairs = (zip(word.names, word.texts(value), strict=True) for word in words)
    return {name: text for found in pairs for name, text in found if text}


def understood(
    url: Mapping[str, str], words: Sequence[LinkWord], usual: T
) -> tuple[T, tuple[str, ...]]:
    """The value of a link, and a sentence for each thing that did not fit."""
    if len(url) > MAX_NAMES or sum(len(k) + len(v) for k, v in url.items()) > MAX_LINK:
        return usual, (TOO_LONG,)
    value, remarks = usual, []
    for word in words:
        if any(name in url for name in word.names):
            try:
                value = word.put(value, *map(url.get, word.names))
            except ValueError as error:
                remarks.append(str(error))
    return value, tuple(remarks)
