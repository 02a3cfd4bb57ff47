"""Traces in files: what `Trace.save` writes and `Trace.load` reads.

A file is a ZIP of arrays in numpy's format (``.npz``), which most languages can read.
No member is pickled, and nothing in a file is executed.

``header``
    Bytes of a JSON text in UTF-8::

        {"format": "halfmoon trace", "version": 2, "halfmoon": "0.2.0",
         "n_states": 21, "y": true, "outputs": ["val"], "targets": ["val"],
         "X": {"kind": "dense"}, "model_has_X": true, "model": COLUMN,
         "states": COLUMN, "made_by": COLUMN}

``seconds`` (T,), ``labels`` (T, n), ``y`` (n,), ``outputs/val``, ``targets/val``
    Arrays of the trace, as `ssl_core.Trace` describes them; T = n_states.
``X`` (n, d)
    The training points; for "csr_matrix" and its like, whose "shape" the header has,
    ``X/data``, ``X/indices``, ``X/indptr``. The model has the same ones where
    "model_has_X" says so.

A COLUMN is a list of values, as many as the place where it stands asks for: T states,
and one model. Its "kind" says where they are; names are those of members:

=============== ===========================================================
none            nothing
float, int,     "data": (N,) of float64, int64, bool
bool
number          "data": (N,), scalars of numpy
text            "data": bytes in UTF-8, "lengths": (N,) of int64
status          "data": (N,) of uint8, places in "names"
array           "data": (N, ...), one array in each row; or, with "shapes"
                (N, ndim), all numbers in a row and the shapes of the arrays
tuple, list     "lengths": (N,) of int64, "items": COLUMN of all items in a row
mapping         "keys": texts, "values": a COLUMN of N values for each key
record          "class": its name, "fields": a COLUMN of N values for each field
mixed           "data": (N,) of uint16, places in "parts"; these are COLUMNs of
                the values of one kind, in their order
=============== ===========================================================

So output f of all states is in ``states/f``, (T, n), and where some states are thin and
have None there, in the one of ``states/f/0`` and ``states/f/1`` that "parts" names.
The version is raised whenever a reader of this description would misread a file;
version 1 has no "made_by".
"""

import io
import os
from dataclasses import replace
from typing import Any

import scipy.sparse as sp

from halfmoon import __version__
from halfmoon.common.files import replaced
from ssl_core.archive.check import check_trace
from ssl_core.archive.columns import Packer, Unpacker, register
from ssl_core.archive.members import MAX_BYTES, Reader, Writer
from ssl_core.archive.refusal import RefusedError
from ssl_core.trace import PathLike, Trace

__all__ = ["FORMAT", "MAX_BYTES", "VERSION", "load", "register", "save"]

FORMAT, VERSION = "halfmoon trace", 2
SPARSE = {
    kind.__name__: kind
    for kind in (sp.csr_matrix, sp.csr_array, sp.csc_matrix, sp.csc_array)
}
PARTS = ("data", "indices", "indptr")
WATCHED = ("outputs", "targets")


def save(trace: Trace, path: PathLike) -> None:
    """Write a trace; the file is replaced whole or not at all."""
    with replaced(path) as beside, open(beside, "xb") as file, Writer(file) as members:
        members.header(_write(trace, members))


def to_bytes(trace: Trace) -> bytes:
    """What `save` writes into the file."""
    file = io.BytesIO()
    with Writer(file) as members:
        members.header(_write(trace, members))
    return file.getvalue()


def load(path: PathLike, *, max_bytes: float | None = None) -> Trace:
    """The trace in a file.

    Raises
    ------
    ValueError
        Where the file is no trace, is damaged, does not hold together, or would take
        more memory than it may.
    """
    try:
        with open(path, "rb") as file, Reader(file, max_bytes) as members:
            header = members.header()
            _check_format(header)
            trace = _read(header, members)
            members.check_all_read()
            check_trace(trace)
            return trace
    except RefusedError as error:
        place = os.fspath(path)
        raise ValueError(f"{place!r} cannot be read as a trace: {error}") from None


def _write(trace: Trace, members: Writer) -> dict[str, Any]:
    packer, model = Packer(members), trace.model
    shared = trace.X is not None and getattr(model, "X", None) is trace.X
    if shared:
        model = replace(model, X=None)
    members.array("seconds", trace.seconds)
    members.array("labels", trace.labels)
    if trace.y is not None:
        members.array("y", trace.y)
    for part in WATCHED:
        for name, values in getattr(trace, part).items():
            members.array(f"{part}/{name}", values)
    return {
        "format": FORMAT,
        "version": VERSION,
        "halfmoon": __version__,
        "n_states": len(trace),
        "y": trace.y is not None,
        **{part: [*getattr(trace, part)] for part in WATCHED},
        "X": _write_points(trace.X, members),
        "model_has_X": shared,
        "model": packer.pack("model", [model]),
        "states": packer.pack("states", trace.states),
        "made_by": packer.pack("made_by", [trace.made_by]),
    }


def _write_points(X, members) -> dict[str, Any] | None:
    if X is None:
        return None
    kind = type(X).__name__
    if kind not in SPARSE:
        members.array("X", X)
        return {"kind": "dense"}
    for part in PARTS:
        members.array(f"X/{part}", getattr(X, part))
    return {"kind": kind, "shape": [int(size) for size in X.shape]}


def _check_format(header) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise RefusedError("its header is not that of a trace.")
    version = header.get("version")
    if type(version) is not int or version < 1:
        raise RefusedError(f"its header has no version of the format: {version!r:.40}.")
    if version > VERSION:
        raise RefusedError(
            f"it has version {version} of the format, and Halfmoon {__version__} reads "
            f"version {VERSION}; install a later Halfmoon."
        )


def _read(header, members: Reader) -> Trace:
    wanted = {"n_states", "y", *WATCHED, "X", "model_has_X", "model", "states"}
    wanted |= {"made_by"} if header["version"] > 1 else set()
    if missing := wanted - header.keys():
        raise RefusedError(f"its header lacks {sorted(missing)[0]!r}.")
    n_states, unpacker = header["n_states"], Unpacker(members)
    seconds = members.array("seconds")
    if type(n_states) is not int or seconds.shape != (n_states,) or n_states < 1:
        raise RefusedError("its header and its seconds have different numbers.")
    X = _read_points(header["X"], members)
    (model,) = unpacker.unpack(header["model"], 1)
    if header["model_has_X"] is True:
        if not hasattr(model, "X"):
            raise RefusedError("its model has no place for training points.")
        model = replace(model, X=X)
    made_by = None
    if "made_by" in wanted:
        (made_by,) = unpacker.unpack(header["made_by"], 1)
    watched = {part: _read_watched(header[part], part, members) for part in WATCHED}
    return Trace(
        states=unpacker.unpack(header["states"], n_states),
        seconds=seconds,
        labels=members.array("labels"),
        y=members.array("y") if header["y"] is True else None,
        model=model,
        X=X,
        made_by=made_by,
        **watched,
    )


def _read_watched(names, part, members):
    if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise RefusedError(f"its header's {part} are not names.")
    return {name: members.array(f"{part}/{name}") for name in names}


def _read_points(entry, members: Reader):
    if entry is None:
        return None
    kind = entry.get("kind") if isinstance(entry, dict) else None
    if kind == "dense":
        return members.array("X")
    if not isinstance(kind, str) or kind not in SPARSE:
        raise RefusedError(f"its training points are of an unknown kind, {kind!r:.40}.")
    shape = entry.get("shape")
    whole = isinstance(shape, list) and all(type(size) is int for size in shape)
    if not whole or len(shape) != 2 or min(shape) < 0:
        raise RefusedError("the shape of its training points is not two numbers.")
    members.spend(8 * max(shape))  # a product with them has as many numbers
    parts = tuple(members.array(f"X/{part}") for part in PARTS)
    try:
        X = SPARSE[kind](parts, shape=shape)
        X.check_format(full_check=True)
    except (ValueError, TypeError, IndexError, OverflowError):
        raise RefusedError("its sparse training points do not hold together.") from None
    return X
