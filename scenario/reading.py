"""Reading: a tree from outside becomes a scenario, with remarks on what failed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from halfmoon.scenario.codecs import WRONG, Refused, Slot
from halfmoon.scenario.fields import (
    ALGORITHM,
    DATA,
    FILE,
    METHOD,
    MORE,
    SCREEN,
    SETTING,
    VERSION,
    Field,
)
from halfmoon.scenario.limits import MAX_CHAIN, MAX_REMARKS
from halfmoon.scenario.method import Method
from halfmoon.scenario.names import quote
from halfmoon.scenario.setting import Setting
from halfmoon.scenario.values import FIRST_ALGORITHM, UPLOAD

STRANGE = "The link was not understood, so this is the default."
NEWER = "The link was made by a newer Halfmoon; this one shows its default."


class Reading:
    """Turns a tree from outside into a scenario and says what did not pass.

    Parameters
    ----------
    default : Scenario
        What is read where nothing passes.
    depth : int
        How many scenarios this one is inside of.
    """

    def __init__(self, default, depth: int = 0):
        self.default, self.depth = default, depth
        self.remarks: list[str] = []
        self.among = ""  # what the names begin with that are being read

    def say(self, remark: str) -> None:
        if remark not in self.remarks and len(self.remarks) < MAX_REMARKS:
            self.remarks.append(remark)

    def unknown(self, name: Any) -> None:
        name = quote(f"{self.among}{name}")
        self.say(f"There is no setting {name} here; it was ignored.")

    def scenario(self, tree: Any) -> Any:
        try:
            if not isinstance(tree, dict):
                raise Refused(STRANGE)
            self._check_version(tree.get("v", VERSION))
            setting = self._setting(tree)
        except Refused as refused:
            self.say(str(refused))
            return self.default
        methods = self._methods(tree, setting.data)
        screen = self._fill(self.default, SCREEN, tree)
        try:
            return replace(screen, setting=setting, methods=methods)
        except ValueError as error:  # too much in the earlier runs of all together
            self.say(str(error))
            restarted = tuple(method.from_start() for method in methods)
            return replace(screen, setting=setting, methods=restarted)

    def inside(self, tree: Any) -> Any:
        """The run of a scenario inside this one; refused unless all of it passes."""
        if self.depth >= MAX_CHAIN:
            raise Refused("Too many scenarios are nested.")
        reader = Reading(self.default, self.depth + 1)
        origin = reader.scenario(tree)
        if reader.remarks:
            raise Refused(reader.remarks[0])
        return origin.solving

    def _check_version(self, given: Any) -> None:
        try:
            version = int(given)
        except WRONG:
            version = 0
        if not 1 <= version <= VERSION:
            raise Refused(NEWER if version > VERSION else STRANGE)

    def _setting(self, tree: dict) -> Setting:
        """Without data there is nothing to show: this may raise `Refused`."""
        data = self._value(DATA, Setting(), tree)
        upload = None
        if data == UPLOAD:
            upload = FILE.codec.read(tree.get(FILE.name), Slot(None, None, self))
        rest = [field for field in SETTING if field not in (DATA, FILE)]
        return self._fill(Setting.of(data, upload), rest, tree)

    def _methods(self, tree: dict, data: str) -> tuple[Method, ...]:
        ours = "v" in tree
        found = [self._method(tree, data, ours) or _blank(FIRST_ALGORITHM, data, ours)]
        for name in MORE if self.depth == 0 else ():
            if name in tree:
                self.among = f"{name}."
                found.append(self._further(tree[name], data, ours))
                self.among = ""
        return tuple(method for method in found if method is not None)

    def _further(self, tree: Any, data: str, ours: bool) -> Method | None:
        if not isinstance(tree, dict) or ALGORITHM.name not in tree:
            name = quote(f"{self.among}{ALGORITHM.name}")
            self.say(f"A further method was ignored: the link has no {name} for it.")
            return None
        return self._method(tree, data, ours)

    def _method(self, tree: dict, data: str, ours: bool) -> Method | None:
        """A method, or None where its algorithm is unknown."""
        try:
            algorithm = self._value(ALGORITHM, Method(), tree)
        except Refused as refused:
            self.say(str(refused))
            return None
        return self._fill(_blank(algorithm, data, ours), METHOD[1:], tree)

    def _fill(self, part: Any, fields: Iterable[Field], tree: dict) -> Any:
        """The part with all that the tree says of it."""
        for field in fields:
            try:
                part = field.put(part, self._value(field, part, tree))
            except Refused as refused:
                self.say(str(refused))
        return part

    def _value(self, field: Field, part: Any, tree: dict) -> Any:
        """What the tree says of a field, or what stands there; may raise `Refused`."""
        usual = field.get(part)
        if field.name not in tree:
            return usual
        return field.codec.read(tree[field.name], Slot(part, usual, self))


def _blank(algorithm: str, data: str, ours: bool) -> Method:
    """A method of which nothing but its algorithm was said.

    A link of ours leaves out the knobs' own defaults; one typed by hand, which has no
    version, leaves out what the data suggest.
    """
    method = Method.of(algorithm, data)
    return method.usual if ours else method
