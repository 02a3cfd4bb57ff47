"""A page whose screen is a choice: what is looked at, and remarks on its link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from halfmoon.pages._parts.screen.link_words import LinkWord, understood, written
from halfmoon.pages._parts.screen.page import Page
from halfmoon.pages._parts.shell import errors

T = TypeVar("T")


@dataclass(frozen=True)
class Chosen(Generic[T]):
    """What is looked at.

    Parameters
    ----------
    value : object
    remarks : tuple of str
        What was odd about the link; they go with the next choice.
    """

    value: T
    remarks: tuple[str, ...] = ()

    def to(self, value: T) -> Chosen[T]:
        """Another choice."""
        return Chosen(value)

    def show_remarks(self) -> None:
        for remark in self.remarks:
            st.info(errors.plain(remark), icon=":material/info:")


def choice_page(
    name: str,
    words: Sequence[LinkWord],
    usual: T,
    prefix: str = "",
    keep: Callable[[T, T], T] = lambda before, value: value,
    **more: Any,
) -> Page[Chosen[T]]:
    """A page whose link is declared in words.

    Parameters
    ----------
    name, prefix
        See `Page`.
    words : sequence of LinkWord
    usual : object
        What a link that says nothing shows.
    keep : callable
        From the choice before and the one of a link to what is chosen then.
    **more
        Edits of the stage, see `Page`.
    """

    def read(url, before: Chosen[T] | None) -> Chosen[T]:
        found = Chosen(*understood(url, words, usual))
        if before is None:
            return found
        return replace(found, value=keep(before.value, found.value))

    def write(screen: Chosen[T]) -> dict[str, str]:
        return written(screen.value, words)

    return Page(name, read, write, prefix, **more)
