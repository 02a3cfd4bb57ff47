"""Links: a scenario as the parameters of an address, and back.

What most links hold stays readable; hand labels, points and the like are packed into
``s``. A value as usual is left out. The names of a further method begin with ``m2.``,
``m3.`` or ``m4.``: no knob can be called that, and a Halfmoon that knows of one method
only opens the first and says that there is nothing called so.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from halfmoon.scenario.fields import (
    METHOD,
    MORE,
    PACK,
    VERSION,
    WHOLE,
    Field,
    Parts,
    all_parts,
    further,
    plain_fields,
    readable,
)
from halfmoon.scenario.file import n_lists, parsed
from halfmoon.scenario.limits import (
    MAX_LINK,
    MAX_LISTS,
    MAX_NAMES,
    MAX_UNPACKED,
)
from halfmoon.scenario.reading import Reading

TOO_LONG = (
    f"A link may have {MAX_LINK:,} characters and {MAX_NAMES} parts, and this one has "
    "more; use a saved file instead."
)
DAMAGED = "The part of the link with hand labels and points is damaged and was ignored."


def to_url(scenario) -> dict[str, str]:
    """The parameters of a link, in order."""
    url = {"v": str(VERSION), **_written(all_parts(scenario))}
    for name, parts in further(scenario):
        for key, text in _written(parts).items():
            url[f"{name}.{key}"] = text
    return url


def _written(parts: Parts) -> dict[str, str]:
    url: dict[str, str] = {}
    for part, fields in parts:
        usual = part.usual
        for field in fields:
            if not field.packed:
                url |= field.link(part, usual)
    packed = plain_fields(parts, packed=True)
    return {**url, PACK: pack(packed)} if packed else url


def from_url(url: Mapping[str, str], default) -> tuple[Any, list[str]]:
    """The scenario of a link, with remarks; see `Scenario.from_url`."""
    size = sum(len(name) + len(text) for name, text in url.items())
    if len(url) > MAX_NAMES or size > MAX_LINK:  # none of ours, by its size alone
        return default, [TOO_LONG]
    reader, packs = Reading(default), _Unpacking()
    own, methods = _by_method(url)
    tree = _tree(own, WHOLE, packs)
    tree |= {name: _tree(part, METHOD, packs) for name, part in methods.items()}
    if "v" in url:
        tree["v"] = url["v"]
    scenario = reader.scenario(tree)
    if packs.damaged and scenario is not default:
        reader.say(DAMAGED)
    return scenario, reader.remarks


def _by_method(url: Mapping[str, str]) -> tuple[dict, dict[str, dict]]:
    """What a link says of the whole, and of each further method."""
    own, methods = {}, {}
    for name, text in url.items():
        owner, dot, rest = name.partition(".")
        if owner in MORE and dot:
            methods.setdefault(owner, {})[rest] = text
        elif name != "v":
            own[name] = text
    return own, methods


def _tree(url: dict[str, str], fields: Sequence[Field], packs: _Unpacking) -> dict:
    """The parameters of a link in the shape of `to_tree`; values are still text."""
    single = readable(fields)
    named = [field for field in fields if field.prefix is not None]
    named.sort(key=lambda field: -len(field.prefix))  # the empty prefix takes the rest
    tree: dict[str, Any] = {field.name: {} for field in named}
    for name, text in url.items():
        if name == PACK:
            known = {field.name for field in fields if field.packed}
            tree |= packs.read(text, known)
        elif name in single:
            tree[name] = text
        else:
            field = next(f for f in named if name.startswith(f.prefix))
            tree[field.name][name.removeprefix(field.prefix)] = text
    return tree


def pack(tree: Any) -> str:
    text = json.dumps(tree, separators=(",", ":"), ensure_ascii=False)
    packed = zlib.compress(text.encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


class _Unpacking:
    """Unpacks what `pack` packed; all packed parts of a link share its bounds."""

    def __init__(self):
        self.bytes, self.lists = MAX_UNPACKED, MAX_LISTS
        self.damaged = False

    def read(self, text: str, known: set[str]) -> dict[str, Any]:
        """Known fields by name; a pack with anything else in it is damaged."""
        tree = self._unpacked(text)
        if not isinstance(tree, dict) or set(tree) - known:
            self.damaged = True
            return {}
        return tree

    def _unpacked(self, text: str) -> Any:
        try:
            packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            inflate = zlib.decompressobj()
            # A bomb is not unpacked. To zlib, no bytes at all would mean no bound.
            raw = inflate.decompress(packed, max(self.bytes, 1))
        except (ValueError, zlib.error):
            return None
        self.bytes -= len(raw)
        self.lists -= n_lists(raw)
        return parsed(raw) if inflate.eof and self.lists >= 0 else None
