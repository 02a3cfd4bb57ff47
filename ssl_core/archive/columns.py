"""Lists of values as arrays and a description, and back, equal to the bit.

States of a run have the same fields, so each field is a column. What a column may hold
is in `ssl_core.archive`; classes are known by their names, and a file can name those
only that are known here.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from ssl_core import losses, models
from ssl_core.archive.members import Reader, Writer
from ssl_core.archive.refusal import RefusedError
from ssl_core.maker import Maker
from ssl_core.problems.lens import Lens
from ssl_core.solvers._line_search import LineSearch
from ssl_core.trace import Array, Event, State, Status

VALUE_BYTES = 64  # of an object that is made for a value, about
NUMBERS = {
    "float": (float, np.dtype(np.float64)),
    "int": (int, np.dtype(np.int64)),
    "bool": (bool, np.dtype(bool)),
}
SEQUENCES = {"tuple": tuple, "list": list}
OTHERS = ("none", "number", "text", "status", "array", "mapping", "record", "mixed")
KINDS = (*NUMBERS, *SEQUENCES, *OTHERS)
LARGEST = np.iinfo(np.int64).max

_KNOWN: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        *(v for v in vars(losses).values() if isinstance(v, type) and is_dataclass(v)),
        *(v for v in vars(models).values() if isinstance(v, type) and is_dataclass(v)),
        *(Event, Lens, LineSearch, Maker),
    )
}


def register(kind: type) -> type:
    """Let files hold values of another dataclass; use it as a decorator.

    Classes of states are known without it.
    """
    if not is_dataclass(kind):
        raise ValueError(f"a file holds values of dataclasses, got {kind!r}.")
    if _known().get(kind.__name__, kind) is not kind:
        raise ValueError(f"another class has the name {kind.__name__} already.")
    _KNOWN[kind.__name__] = kind
    return kind


def _known() -> dict[str, type]:
    """All classes by name; of states with the same name the library's own."""
    kinds: list[type] = [State]
    for kind in kinds:  # grows on the way
        kinds.extend(kind.__subclasses__())
    kinds.sort(key=lambda kind: kind.__module__.startswith("ssl_core."))
    return {kind.__name__: kind for kind in kinds} | _KNOWN


class Packer:
    """Writes columns."""

    def __init__(self, members: Writer):
        self._members, self._known = members, _known()

    def pack(self, name: str, values: Sequence) -> dict[str, Any]:
        """Write the values under a name, and describe where they are."""
        groups: dict[tuple, list] = {}
        codes = [self._signature(name, value) for value in values]
        for code, value in zip(codes, values, strict=True):
            groups.setdefault(code, []).append(value)
        if len(groups) == 1 or not groups:
            (code,) = groups or [("none",)]
            return self._one_kind(name, code, values)
        places = {code: place for place, code in enumerate(groups)}
        if len(groups) > np.iinfo(np.uint16).max:
            raise ValueError(f"{name} has {len(groups):,} kinds of values, too many.")
        data = np.array([places[code] for code in codes], dtype=np.uint16)
        return {
            "kind": "mixed",
            "data": self._members.array(f"{name}/kinds", data),
            "parts": [
                self._one_kind(f"{name}/{places[code]}", code, group)
                for code, group in groups.items()
            ],
        }

    def _signature(self, name, value) -> tuple:
        """What values must share to stand in one column."""
        for kind, (python, _) in NUMBERS.items():
            if type(value) is python and (kind != "int" or abs(value) <= LARGEST):
                return (kind,)
        if value is None:
            return ("none",)
        if isinstance(value, Status):
            return ("status",)
        if type(value) is str:
            return ("text",)
        if isinstance(value, np.generic):
            return ("number", value.dtype)
        if type(value) is np.ndarray:
            return ("array", value.dtype, value.ndim)
        if type(value) in SEQUENCES.values():
            return (type(value).__name__,)
        if isinstance(value, Mapping) and all(type(key) is str for key in value):
            return ("mapping", *value)
        if self._known.get(type(value).__name__) is type(value):
            return ("record", type(value))
        raise ValueError(_no_place(name, value))

    def _one_kind(self, name, code, values) -> dict[str, Any]:
        kind = code[0]
        if kind == "none":
            return {"kind": kind}
        if kind in NUMBERS:
            data = np.array(values, dtype=NUMBERS[kind][1])
            return {"kind": kind, "data": self._members.array(name, data)}
        if kind == "number":
            data = np.array(values, dtype=code[1])
            return {"kind": kind, "data": self._members.array(name, data)}
        pack: Callable = getattr(self, f"_{kind}", self._sequence)
        return {"kind": kind, **pack(name, values)}

    def _text(self, name, values):
        data = [np.frombuffer(text.encode(), dtype=np.uint8) for text in values]
        return self._in_a_row(name, data)

    def _in_a_row(self, name, parts: list[Array]):
        lengths = [len(part) for part in parts]
        shape = (sum(lengths),)
        return {
            "data": self._members.rows(name, np.dtype(np.uint8), shape, parts),
            "lengths": self._lengths(name, lengths),
        }

    def _lengths(self, name, lengths):
        data = np.array(lengths, dtype=np.int64)
        return self._members.array(f"{name}/lengths", data)

    def _status(self, name, values):
        names = [status.name for status in Status]
        data = np.array([names.index(s.name) for s in values], dtype=np.uint8)
        return {"data": self._members.array(name, data), "names": names}

    def _array(self, name, values):
        dtype, shape = values[0].dtype, values[0].shape
        if all(value.shape == shape for value in values):
            whole = (len(values), *shape)
            return {"data": self._members.rows(name, dtype, whole, values)}
        shapes = np.array([value.shape for value in values], dtype=np.int64)
        size = (sum(value.size for value in values),)
        return {
            "data": self._members.rows(name, dtype, size, values),
            "shapes": self._members.array(f"{name}/shapes", shapes),
        }

    def _sequence(self, name, values):
        items = [*chain.from_iterable(values)]
        return {
            "lengths": self._lengths(name, [len(value) for value in values]),
            "items": self.pack(f"{name}/items", items),
        }

    def _mapping(self, name, values):
        keys = [*values[0]]
        return {
            "keys": keys,
            "values": [
                self.pack(f"{name}/{place}", [value[key] for value in values])
                for place, key in enumerate(keys)
            ],
        }

    def _record(self, name, values):
        kind = type(values[0])
        return {
            "class": kind.__name__,
            "fields": {
                field.name: self.pack(
                    f"{name}/{field.name}", [getattr(v, field.name) for v in values]
                )
                for field in fields(kind)
            },
        }


def _no_place(name, value) -> str:
    if callable(value):
        return (
            f"{name} is a function, which a file cannot hold; leave a callable kernel "
            f"out with its model: dataclasses.replace(trace, model=None).save(path)."
        )
    kind = type(value)
    return (
        f"{name} is a {kind.__module__}.{kind.__qualname__}, for which a file has no "
        f"place; numbers, texts, arrays, and dataclasses that "
        f"ssl_core.archive.register knows have one."
    )


class Unpacker:
    """Reads columns, each with the number of values that its place asks for."""

    def __init__(self, members: Reader):
        self._members, self._known = members, _known()

    def unpack(self, entry: Any, count: int) -> list:
        kind = entry.get("kind") if isinstance(entry, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise RefusedError(f"it has a column of an unknown kind, {kind!r:.40}.")
        self._members.spend(count * VALUE_BYTES)
        try:
            if kind in NUMBERS:
                return self._numbers(entry, count, NUMBERS[kind][1]).tolist()
            if kind in SEQUENCES:
                return self._sequences(entry, count, SEQUENCES[kind])
            return getattr(self, f"_unpack_{kind}")(entry, count)
        except KeyError as error:
            raise RefusedError(f"a column of kind {kind!r} lacks {error}.") from None
        except RecursionError:
            raise RefusedError("its columns are nested too deeply.") from None

    def _numbers(self, entry, count, dtype=None) -> Array:
        data = self._members.array(entry["data"], dtype=dtype, ndim=1)
        _agree(len(data), count)
        return data

    def _unpack_none(self, entry, count):
        return [None] * count

    def _unpack_number(self, entry, count):
        return [*self._numbers(entry, count)]

    def _unpack_text(self, entry, count):
        data = self._members.array(entry["data"], dtype=np.uint8, ndim=1).tobytes()
        lengths = self._lengths(entry, count, len(data))
        _agree(sum(lengths), len(data))
        try:
            return [data[a:b].decode() for a, b in _spans(lengths)]
        except UnicodeDecodeError:
            raise RefusedError("a text of it is not UTF-8.") from None

    def _lengths(self, entry, count, most) -> list[int]:
        data = self._members.array(entry["lengths"], dtype=np.int64, ndim=1)
        _agree(len(data), count)
        if count and not 0 <= data.min() <= data.max() <= most:
            raise RefusedError("a length in it is out of range.")
        return data.tolist()

    def _unpack_status(self, entry, count):
        codes = self._numbers(entry, count, np.uint8)
        names, known = entry["names"], {status.name: status for status in Status}
        _check_texts(names)
        if not known.keys() >= {names[i] for i in np.unique(codes) if i < len(names)}:
            raise RefusedError("it has a status that is not known here.")
        return [known[name] for name in _chosen(names, codes)]

    def _unpack_array(self, entry, count):
        data = self._members.array(entry["data"])
        if "shapes" not in entry:
            _agree(len(data) if data.ndim else -1, count)
            return [data[i, ...] for i in range(count)]
        shapes = self._members.array(entry["shapes"], dtype=np.int64, ndim=2)
        _agree(len(shapes), count)
        shapes = [tuple(shape) for shape in shapes.tolist()]
        if data.ndim != 1 or any(size < 0 for shape in shapes for size in shape):
            raise RefusedError("a shape in it is out of range.")
        sizes = [math.prod(shape) for shape in shapes]
        _agree(sum(sizes), len(data))
        try:
            return [
                data[a:b].reshape(shape)
                for (a, b), shape in zip(_spans(sizes), shapes, strict=True)
            ]
        except ValueError:
            raise RefusedError("a shape in it is out of range.") from None

    def _sequences(self, entry, count, kind):
        lengths = self._lengths(entry, count, np.iinfo(np.int32).max)
        items = self.unpack(entry["items"], sum(lengths))
        return [kind(items[a:b]) for a, b in _spans(lengths)]

    def _unpack_mapping(self, entry, count):
        keys, values = entry["keys"], entry["values"]
        _check_texts(keys)
        if not isinstance(values, list) or len(values) != len(keys):
            raise RefusedError("a mapping of it has other keys than values.")
        columns = [self.unpack(column, count) for column in values]
        rows = zip(*columns, strict=True) if columns else [()] * count
        return [dict(zip(keys, row, strict=True)) for row in rows]

    def _unpack_record(self, entry, count):
        name, columns = entry["class"], entry["fields"]
        kind = self._known.get(name) if isinstance(name, str) else None
        if kind is None:
            raise RefusedError(
                f"it holds values of {name!r:.80}, a class that is not known here; if "
                f"it is your own, import its module before."
            )
        declared = {field.name: field for field in fields(kind)}
        if not isinstance(columns, dict) or columns.keys() - declared.keys():
            raise RefusedError(f"its values of {name} have fields that are unknown.")
        for field in declared.values():
            needed = field.default is MISSING and field.default_factory is MISSING
            if needed and field.name not in columns:
                raise RefusedError(f"its values of {name} lack {field.name}.")
        unpacked = {key: self.unpack(value, count) for key, value in columns.items()}
        rows = zip(*unpacked.values(), strict=True) if unpacked else [()] * count
        try:
            return [kind(**dict(zip(unpacked, row, strict=True))) for row in rows]
        except (TypeError, ValueError):
            raise RefusedError(f"a value of {name} in it is impossible.") from None

    def _unpack_mixed(self, entry, count):
        codes, parts = self._numbers(entry, count, np.uint16), entry["parts"]
        if not isinstance(parts, list):
            raise RefusedError("a mixed column of it has no parts.")
        counts = np.bincount(codes, minlength=len(parts)).tolist()
        if len(counts) > len(parts):
            raise RefusedError("a mixed column of it lacks a part.")
        values = [
            iter(self.unpack(part, n)) for part, n in zip(parts, counts, strict=True)
        ]
        return [next(values[code]) for code in codes]


def _spans(lengths: list[int]):
    """Start and end of parts that follow each other."""
    return pairwise(accumulate(lengths, initial=0))


def _chosen(names: list, codes: Array) -> list:
    if len(codes) and int(codes.max()) >= len(names):
        raise RefusedError("a place in it is out of range.")
    return [names[code] for code in codes]


def _check_texts(values) -> None:
    if not isinstance(values, list) or not all(type(v) is str for v in values):
        raise RefusedError("its header has names that are not texts.")
    if len(set(values)) < len(values):
        raise RefusedError("a name occurs twice in its header.")


def _agree(found: int, count: int) -> None:
    if found != count:
        raise RefusedError(
            f"a column of it has {found:,} values in place of {count:,}."
        )
