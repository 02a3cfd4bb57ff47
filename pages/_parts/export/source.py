"""Values and calls as lines of Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

WIDTH = 86


def literal(value: Any) -> str:
    """A checked value as Python source; what is no plain value is refused.

    `repr` writes quotes, backslashes and all characters that are not printable as
    escapes, so a text cannot leave its quotes or its line.
    """
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    plain = type(value) in (str, int, bool, type(None))
    if not plain and not (type(value) is float and math.isfinite(value)):
        raise TypeError(f"Only plain values are written into code, got {value!r}.")
    return repr(value)


def call(head: str, args: Sequence[str], options: dict, plain=False) -> list[str]:
    """A call on one line, or with one argument a line where it is too long."""
    show = str if plain else literal
    words = [*args, *(f"{name}={show(value)}" for name, value in options.items())]
    line = f"{head}({', '.join(words)})"
    if len(line) <= WIDTH:
        return [line]
    return [f"{head}(", *(f"    {word}," for word in words), ")"]


def list_lines(head: str, values: list, middle: str = "", more: list | None = None):
    """Lines for a list, folded at a readable width."""
    text = head + _fold(values, len(head)) + middle
    if more is not None:
        text += _fold(more, 0)
    return text.split("\n")


def _fold(values: list, indent: int) -> str:
    plain = literal(values)
    if indent + len(plain) <= WIDTH:
        return plain
    rows, row = [], "   "
    for value in values:
        word = f" {literal(value)},"
        if len(row) + len(word) > WIDTH:
            rows.append(row)
            row = "   "
        row += word
    return "[\n" + "\n".join([*rows, row]) + "\n]"
