"""Names and words from outside: what of them may be kept and shown."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from halfmoon.scenario.limits import MAX_NAME

# Unicode: controls, directions, half characters, line ends; but not the two joiners
# that some scripts and emoji are spelled with.
_UNSEEN = ("C", "Zl", "Zp")
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    """Text without characters that nobody sees, and that may turn it around."""
    return "".join(
        c
        for c in text
        if c in _JOINERS or not unicodedata.category(c).startswith(_UNSEEN)
    )


def file_name(text: str) -> str:
    """A file's name as it may be shown, compared and written into a script.

    Folders before it, drive letters, and characters that nobody sees are taken away;
    a name of which nothing is left is called "file".

    >>> file_name("../notes/a\\tb.csv")
    'ab.csv'
    """
    text = re.sub(r"^[A-Za-z]:", "", text.replace("\\", "/").rsplit("/", 1)[-1])
    text = visible(text[-MAX_NAME:]).strip()
    return text if text.strip(".") else "file"


def is_name(value: Any) -> bool:
    """Whether it can be a column's name: some text that can be written down."""
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        return False
    return not any(unicodedata.category(c) == "Cs" for c in value)


def is_word(value: Any) -> bool:
    """Whether it can be the name of a control of ours, such as ``data.noise``."""
    return isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z0-9_.]{1,40}", value))


def quote(value: Any) -> str:
    """A stranger's words: short, on one line, and nothing but words."""
    text = " ".join(str(value)[:200].split())
    # Remarks are shown as markdown: nothing in them may become a link or markup.
    text = "".join(c if c.isalnum() or c in " .,+-_" else "·" for c in text)
    return "‘" + (text if len(text) <= 40 else text[:37] + "...") + "’"
