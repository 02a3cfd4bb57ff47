"""The fields of a scenario, each declared once.

A `Field` says what a value is called in links and files, where it stands, and which
codec writes, reads and checks it. Links, files and the reader all run over the three
tables `SETTING`, `METHOD` and `SCREEN`; a new field is one line in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from halfmoon.datasets import DATASETS
from halfmoon.scenario.codecs import (
    AnyWord,
    Axes,
    Codec,
    File,
    Hand,
    Named,
    OneOf,
    Points,
    Refused,
    Rows,
    Toggles,
    Turned,
    Words,
    turned,
)
from halfmoon.scenario.limits import MAX_HAND, MAX_METHODS
from halfmoon.scenario.method import Start
from halfmoon.scenario.setting import data_knobs
from halfmoon.scenario.values import (
    BEGUN,
    CLASS,
    COUNT,
    DRAW,
    DRAWN,
    HOW,
    ITERATION,
    N_TEST,
    N_VAL,
    PLACE,
    PROJECTIONS,
    ROW,
    SEED,
    THRESHOLD,
    UPLOAD,
)
from ssl_core import ALGORITHMS

VERSION = 1
MORE = tuple(f"m{number}" for number in range(2, MAX_METHODS + 1))  # further methods


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a scenario.

    Parameters
    ----------
    name : str
        In links and files.
    at : str
        Where it stands in its part: attributes with dots between them.
    codec : Codec
    always : bool
        Whether a link says it even where it is as usual.
    packed : bool
        Whether it is too long to be read in a link; all such values are packed into
        its ``s``, and a file has them only where there are some.
    prefix : str or None
        For values by name: what their names begin with in a link.
    """

    name: str
    at: str
    codec: Codec
    always: bool = False
    packed: bool = False
    prefix: str | None = None

    def get(self, part: Any) -> Any:
        return attrgetter(self.at)(part)

    def put(self, part: Any, value: Any) -> Any:
        """The part with another value here."""
        return _put(part, self.at.split("."), value)

    def link(self, part: Any, usual: Any) -> dict[str, str]:
        """What a link says of it: nothing where it is as in the usual part."""
        value, usual = self.get(part), self.get(usual)
        if self.prefix is not None:
            known = dict(usual)
            return {
                self.prefix + name: str(v)
                for name, v in value
                if name not in known or known[name] != v
            }
        if value == usual and not self.always:
            return {}
        return {self.name: self.codec.text(value)}


def _put(part: Any, path: list[str], value: Any) -> Any:
    name, *rest = path
    value = _put(getattr(part, name), rest, value) if rest else value
    return replace(part, **{name: value})


class _DataNames:
    def __contains__(self, name) -> bool:
        return name in (DRAWN, UPLOAD) or name in DATASETS


class Origin(Codec):
    """The earlier run that a run goes on from."""

    def plain(self, value):
        return {"t": value.t, "scenario": to_tree(value.origin)}

    def read(self, given, place):
        given = given if isinstance(given, dict) else {}
        try:
            origin = place.reader.inside(given.get("scenario"))
            return Start(origin, turned(BEGUN, given.get("t", 0), 0))
        except Refused:
            raise Refused("The earlier run in the link was not understood.") from None


def _parameters(method) -> dict:
    return {knob.name: knob for knob in ALGORITHMS[method.algorithm].knobs}


def _retired(method) -> tuple[str, ...]:
    return ALGORITHMS[method.algorithm].retired


DATA = Field(
    "data",
    "data",
    OneOf(_DataNames(), "There is no data set {} here, so this is the default."),
    always=True,
)
FILE = Field("upload", "upload", File(), packed=True)
SETTING = (
    DATA,
    Field(
        "knobs",
        "data_knobs",
        Named(lambda setting: data_knobs(setting.data)),
        prefix="data.",
    ),
    Field("seed", "seed", Turned(SEED)),
    Field(
        "labels",
        "labels.how",
        OneOf(HOW, "Labels cannot be chosen by {}."),
        always=True,
    ),
    Field("count", "labels.count", Turned(COUNT)),
    Field("draw", "labels.draw", Turned(DRAW)),
    Field("val", "n_val", Turned(N_VAL)),
    Field("test", "n_test", Turned(N_TEST)),
    Field("hand", "labels.hand", Hand((ROW, CLASS), "labels", MAX_HAND), packed=True),
    Field("moved", "drawing.moved", Points((ROW, PLACE, PLACE)), packed=True),
    Field("removed", "drawing.removed", Rows((ROW,)), packed=True),
    Field("added", "drawing.added", Points((PLACE, PLACE, CLASS)), packed=True),
    FILE,
)
ALGORITHM = Field(
    "algorithm",
    "algorithm",
    OneOf(ALGORITHMS, "There is no algorithm {} here."),
    always=True,
)
METHOD = (
    ALGORITHM,
    Field("parameters", "parameters", Named(_parameters, _retired), prefix=""),
    Field("from", "start", Origin(), packed=True),
)
SCREEN = (
    Field(
        "show",
        "view.projection",
        OneOf(PROJECTIONS, "Points cannot be shown by {}."),
    ),
    Field("axes", "view.features", Axes()),
    Field("t", "view.t", Turned(ITERATION)),
    Field("on", "view.toggles", Toggles()),
    Field(
        "thresholds",
        "view.thresholds",
        Named(lambda _: AnyWord(THRESHOLD)),
        prefix="at.",
    ),
    Field("hide", "hidden", Words()),
)
WHOLE = (*SETTING, *METHOD, *SCREEN)
PACK = "s"  # where a link has its packed fields


def readable(fields) -> tuple[str, ...]:
    """Names that a link uses for single values of these fields."""
    return tuple(f.name for f in fields if not f.packed and f.prefix is None)


# Names of the link's own parts; an algorithm's knob may have none of these.
RESERVED = ("v", *readable(WHOLE), PACK)


Parts = Sequence[tuple[Any, tuple[Field, ...]]]  # parts, each with its fields


def all_parts(scenario) -> Parts:
    """All parts but the further methods, in the order they are written."""
    return (
        (scenario.setting, SETTING),
        (scenario.method, METHOD),
        (scenario, SCREEN),
    )


def further(scenario) -> Iterator[tuple[str, Parts]]:
    """The further methods, each under its name in links and files."""
    for name, method in zip(MORE, scenario.methods[1:], strict=False):
        yield name, ((method, METHOD),)


def plain_fields(parts: Parts, *, packed: bool) -> dict[str, Any]:
    """Fields as plain lists and dicts, the packed ones or the others."""
    tree = {}
    for part, fields in parts:
        for field in fields:
            value = field.get(part)
            if field.packed is packed and (value or not packed):
                tree[field.name] = field.codec.plain(value)
    return tree


def to_tree(scenario) -> dict[str, Any]:
    """A scenario as plain lists and dicts; `reading.Reading` reads it back."""
    tree = {"v": VERSION, **_tree(all_parts(scenario))}
    for name, parts in further(scenario):
        tree[name] = _tree(parts)
    return tree


def _tree(parts: Parts) -> dict[str, Any]:
    return {**plain_fields(parts, packed=False), **plain_fields(parts, packed=True)}
