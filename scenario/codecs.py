"""How a value of a scenario is written, and how it is read from outside.

A codec writes a value as text for a link and as plain lists and dicts for a file, and
reads both. What does not pass is refused with one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from halfmoon.common.knobs import Knob
from halfmoon.scenario.limits import (
    MAX_COLUMNS,
    MAX_DRAWN,
    MAX_NAME,
    MAX_NAMES,
)
from halfmoon.scenario.names import is_name, is_word, quote
from halfmoon.scenario.values import ROW, Upload, pairs
from halfmoon.stage import view as stage_view

NONE = "none"  # a link in which everything is switched off
WRONG = (TypeError, ValueError, OverflowError)  # what a value from outside may cause


class Refused(ValueError):  # noqa: N818 - a verdict, raised and caught in here
    """One sentence about what did not pass."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value is read to.

    Parameters
    ----------
    part : Setting, Method or Scenario
        What is being read, up to here.
    usual : object
        What stands there if nothing passes.
    reader : Reading
        Hears remarks; reads the scenarios inside this one.
    """

    part: Any
    usual: Any
    reader: Any


class Codec:
    """Text and plain values are the value itself, until a subclass says otherwise."""

    def text(self, value: Any) -> str:
        return str(value)

    def plain(self, value: Any) -> Any:
        return value

    def read(self, given: Any, place: Slot) -> Any:
        """The value of what was given; raises `Refused`."""
        raise NotImplementedError  # a subclass knows what it can be


@dataclass(frozen=True, slots=True)
class OneOf(Codec):
    """A name out of several; ``refusal`` has a place for the one that is none."""

    choices: Container[str]
    refusal: str

    def read(self, given, place):
        if not isinstance(given, str) or given not in self.choices:
            raise Refused(self.refusal.format(quote(given)))
        return given


@dataclass(frozen=True, slots=True)
class Turned(Codec):
    """The value of a knob."""

    knob: Knob

    def read(self, given, place):
        return turned(self.knob, given, place.usual)


def turned(knob: Knob, given: Any, usual: Any) -> Any:
    """What a knob is turned to by text or by a plain value."""
    if given is None and (knob.default is None or None in knob.also):
        return None
    try:
        return knob.parse(given) if isinstance(given, str) else knob.check(given)
    except WRONG:
        rule = f"{knob.name} must be {knob.rule}, got {quote(given)}"
        raise Refused(f"{rule}; {usual!r} is used.") from None


@dataclass(frozen=True, slots=True)
class Named(Codec):
    """Values by name, each with its knob; ``knobs`` gives them for a part.

    ``retired`` gives names of earlier versions, which are passed over.
    """

    knobs: Callable[[Any], Mapping[str, Knob]]
    retired: Callable[[Any], Container[str]] = lambda part: ()

    def plain(self, value):
        return dict(value)

    def read(self, given, place):
        if not isinstance(given, dict):
            return place.usual
        if len(given) > MAX_NAMES:
            raise Refused(
                f"There are {len(given):,} settings in it; they were ignored."
            )
        values, known = dict(place.usual), self.knobs(place.part)
        retired = self.retired(place.part)
        for name, value in given.items():
            knob = known.get(name)
            if knob is None and name in retired:
                continue
            if knob is None:
                place.reader.unknown(name)
                continue
            usual = values.get(name, knob.default)
            try:
                values[name] = turned(knob, value, usual)
            except Refused as refused:
                values[name] = usual
                place.reader.say(str(refused))
        return pairs(values)


@dataclass(frozen=True, slots=True)
class AnyWord(Mapping):
    """One knob under every name that can be a control's."""

    knob: Knob

    def __getitem__(self, name):
        if not is_word(name):
            raise KeyError(name)
        return self.knob

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0


class Listed(Codec):
    """Several words or numbers; in a link they stand between commas."""

    def text(self, value):
        return ",".join(map(str, value))

    def plain(self, value):
        return list(value)

    def parts(self, given: Any) -> list:
        given = given.split(",") if isinstance(given, str) else given
        return given if isinstance(given, list) else []


class Axes(Listed):
    def read(self, given, place):
        try:
            first, second = (ROW.check(int(axis)) for axis in self.parts(given))
        except WRONG:
            raise Refused("The two features to show were not understood.") from None
        return first, second


class Words(Listed):
    """Names of controls; what cannot be one is passed over."""

    def read(self, given, place):
        names = self.parts(given)
        if len(names) > MAX_NAMES:
            return place.usual
        return tuple(sorted({name for name in names if is_word(name)}))


class Toggles(Listed):
    """What is switched on; names from another version are passed over."""

    def text(self, value):
        return super().text(value) or NONE

    def plain(self, value):
        return None if value is None else list(value)

    def read(self, given, place):
        if not isinstance(given, str | list):
            return place.usual
        names = self.parts(given)
        return tuple(name for name in stage_view.TOGGLES if name in names)


@dataclass(frozen=True, slots=True)
class Points(Codec):
    """Rows of numbers, each column with its knob; of equal row numbers the last."""

    columns: tuple[Knob, ...]
    what: str = "points"
    most: int = MAX_DRAWN

    def plain(self, value):
        return [list(point) for point in value]

    def split(self, given: list) -> Sequence[Sequence]:
        """What was given, by column."""
        width = len(self.columns)
        if any(len(row) != width for row in given):
            raise ValueError(f"Each of the {self.what} must have {width} numbers.")
        return list(zip(*given, strict=True)) or [[]] * width

    def read(self, given, place):
        try:
            if not isinstance(given, list):
                raise TypeError(f"The {self.what} must be a list.")
            columns = self.split(given)
            n = len(columns[0])
            if n <= self.most:
                return self._checked(columns)
        except WRONG:
            raise Refused(
                f"The {self.what} in the link are damaged and were ignored."
            ) from None
        raise Refused(
            f"It has {n:,} {self.what} made by hand, and {self.most:,} is the limit; "
            "they were ignored."
        )

    def _checked(self, columns: Sequence[Sequence]) -> tuple:
        by_knob = zip(self.columns, columns, strict=True)
        checked = [list(map(knob.check, column)) for knob, column in by_knob]
        points = zip(*checked, strict=True)
        if self.columns[0] is not ROW:
            return tuple(points)
        return tuple(sorted({point[0]: point for point in points}.values()))


class Hand(Points):
    """Labels: the rows in one list, their classes in another."""

    def plain(self, value):
        return [list(column) for column in zip(*value, strict=True)]

    def split(self, given):
        rows, classes = given
        if not (isinstance(rows, list) and isinstance(classes, list)):
            raise TypeError("Rows and classes must be lists.")
        return rows, classes


class Rows(Points):
    """Points by their row number alone."""

    def plain(self, value):
        return list(value)

    def split(self, given):
        return [given]

    def _checked(self, columns):
        return tuple(row for (row,) in super()._checked(columns))


class File(Codec):
    """Which file of one's own, and how it is read."""

    def plain(self, value):
        return {
            "digest": value.digest,
            "name": value.name,
            "label": value.label_column,
            "features": list(value.feature_columns),
            "scale": value.scale,
        }

    def read(self, given, place):
        given = given if isinstance(given, dict) else {}
        digest, name = given.get("digest"), given.get("name")
        label, features = given.get("label"), given.get("features", [])
        scale = given.get("scale", "standard")
        good = isinstance(digest, str) and re.fullmatch("[0-9a-zA-Z]{1,64}", digest)
        good = good and isinstance(name, str) and 0 < len(name) <= MAX_NAME
        good = good and (label is None or is_name(label))
        good = good and isinstance(features, list) and len(features) <= MAX_COLUMNS
        good = good and all(map(is_name, features))
        if not good or scale not in ("standard", "range", "none"):
            raise Refused("The link refers to a file but does not say which.")
        return Upload(digest, name, label, tuple(features), scale)
