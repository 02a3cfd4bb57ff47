"""A ZIP of arrays, written in order and read with distrust.

A stranger may have made the file: sizes are added up from its directory before
anything is inflated, and no array is allocated before its declared shape agrees with
the bytes that are there. Members are read into memory only, whatever their names are.
"""

import ast
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from halfmoon.common import memory
from ssl_core.archive.refusal import RefusedError
from ssl_core.trace import Array

MAX_BYTES = 2**31  # of a trace that is read, unless a caller allows more
MAX_HEADER = 2**24
MAX_MEMBERS = 10_000
MAX_DECLARATION = 2_000  # bytes of an array's head; far more exhaust Python's parser
KINDS = "biuf"  # of the numbers in an array
NUMBERS = re.compile(r"\|b1|\|[iu]1|[<>][iuf][248]|[<>]f16")
LENGTHS = {(1, 0): "<H", (2, 0): "<I"}  # of a head, by version of numpy's format
BLOCK = 2**20
ENCRYPTED = 1  # a bit of a member's flags
HEADER = "header"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What readers of ZIP files, of numbers and of Python's literals raise on damaged bytes;
# OSError where a directory sends them to a place before the file's start.
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, SyntaxError),
    *(TypeError, KeyError, IndexError),
)


class Writer:
    """Writes members one by one; the same trace makes the same bytes."""

    def __init__(self, file):
        self._zip = zipfile.ZipFile(file, "w", compresslevel=1)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._zip.close()

    def array(self, name: str, values) -> str:
        """Write one array, and give its name back."""
        values = np.asanyarray(values)
        _check_dtype(values.dtype, name)
        with self._open(name, values.dtype) as member:
            np.lib.format.write_array(member, values, allow_pickle=False)
        return name

    def rows(self, name: str, dtype, shape, parts: Iterable[Array]) -> str:
        """Write an array of that shape, made of parts that follow each other."""
        _check_dtype(dtype, name)
        declared = {
            "descr": np.lib.format.dtype_to_descr(dtype),
            "fortran_order": False,
            "shape": tuple(shape),
        }
        with self._open(name, dtype) as member:
            np.lib.format.write_array_header_1_0(member, declared)
            for part in parts:
                member.write(part.tobytes())
        return name

    def header(self, header: dict[str, Any]) -> None:
        text = json.dumps(header, allow_nan=False, ensure_ascii=False)
        self.array(HEADER, np.frombuffer(text.encode(), dtype=np.uint8))

    def _open(self, name, dtype):
        # Outputs and coefficients are as good as random; the rest gets much smaller.
        stored = dtype.kind == "f"
        self._zip.compression = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
        return self._zip.open(f"{name}.npy", "w", force_zip64=True)


def _check_dtype(dtype, name):
    if dtype.kind not in KINDS:
        raise ValueError(
            f"a file holds numbers, got an array of {dtype} at {name}; make it one of "
            f"real numbers, or leave it out of the states."
        )


class Reader:
    """Reads members by name, within a limit of memory.

    Parameters
    ----------
    file : binary file, open for reading
    max_bytes : float or None
        For all arrays and all that is made of them; `MAX_BYTES` when None, and never
        more than can be had.
    """

    def __init__(self, file, max_bytes: float | None):
        allowed = MAX_BYTES if max_bytes is None else max_bytes
        if not isinstance(allowed, int | float | np.number) or not allowed > 0:
            raise ValueError(
                f"max_bytes must be a number > 0 or None, got {allowed!r}."
            )
        self._left = self._most = min(allowed, memory.room())
        try:
            self._zip = zipfile.ZipFile(file)
            infos = self._zip.infolist()
        except DAMAGE:
            raise RefusedError(
                "it is damaged, or was not written by Trace.save."
            ) from None
        self._infos = {info.filename: info for info in infos}
        self._read = set[str]()
        self._check_directory(infos)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._zip.close()

    def _check_directory(self, infos):
        if len(infos) > MAX_MEMBERS or len(self._infos) < len(infos):
            raise RefusedError(f"it has {len(infos):,} members, some of the same name.")
        for info in infos:
            if info.compress_type not in METHODS or info.flag_bits & ENCRYPTED:
                raise RefusedError(
                    f"its member {info.filename!r:.80} is encrypted, or compressed in "
                    f"a way that is not read."
                )
        self.spend(sum(info.file_size for info in infos))

    def spend(self, bytes_: int) -> None:
        """Refuse the file where it would take more memory than it may."""
        self._left -= bytes_
        if self._left < 0:
            raise RefusedError(
                f"it would take more than {memory.in_words(self._most)} of memory; if "
                f"you trust it and have more, raise max_bytes."
            )

    def header(self) -> Any:
        info = self._infos.get(f"{HEADER}.npy")
        if info is None or info.file_size > MAX_HEADER:
            raise RefusedError("it has no header of a trace.")
        values = self.array(HEADER, dtype=np.uint8, ndim=1)
        try:
            return json.loads(values.tobytes().decode())
        except (ValueError, RecursionError):
            raise RefusedError("its header is not JSON.") from None

    def array(self, name: Any, *, dtype=None, ndim: int | None = None) -> Array:
        """One array; what declares more or fewer numbers than it has is refused."""
        info = self._infos.get(f"{name}.npy") if isinstance(name, str) else None
        if info is None or name in self._read:
            raise RefusedError(f"it lacks an array that it names, {name!r:.80}.")
        self._read.add(name)
        try:
            with self._zip.open(info) as member:
                values = _array(member, info.file_size)
        except RefusedError as error:
            raise RefusedError(f"its array {name!r:.80} {error}") from None
        except DAMAGE:
            raise RefusedError(f"its array {name!r:.80} is damaged.") from None
        wrong_type = dtype is not None and values.dtype != dtype
        if wrong_type or (ndim is not None and values.ndim != ndim):
            raise RefusedError(
                f"its array {name!r:.80} has type {values.dtype} and "
                f"{values.ndim} dimensions."
            )
        return values

    def check_all_read(self) -> None:
        extra = {name.removesuffix(".npy") for name in self._infos} - self._read
        if extra:
            name = sorted(extra)[0]
            raise RefusedError(f"its header does not mention the array {name!r:.80}.")


def _declaration(member) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Shape, order and type, as the head of a ``.npy`` file has them.

    Numpy's own reader mends heads of other times with a tokenizer; ours need none.
    """
    magic, version = member.read(6), tuple(member.read(2))
    if magic != b"\x93NUMPY" or version not in LENGTHS:
        raise RefusedError("is not in numpy's format.")
    length = struct.Struct(LENGTHS[version])
    (size,) = length.unpack(member.read(length.size))
    if size > MAX_DECLARATION:
        raise RefusedError("has a head that is too long.")
    declared = ast.literal_eval(member.read(size).decode("latin1").strip())
    shape, descr = declared["shape"], declared["descr"]
    if not isinstance(descr, str) or not NUMBERS.fullmatch(descr):
        raise RefusedError(f"holds {descr!s:.40}, and only numbers are read.")
    if not isinstance(shape, tuple) or not all(type(n) is int for n in shape):
        raise RefusedError("has a shape that is not one.")
    return shape, declared["fortran_order"] is True, np.dtype(descr)


def _array(member, size: int) -> Array:
    """An array from an open member of that many bytes."""
    shape, fortran, dtype = _declaration(member)
    declared = math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or declared != size - member.tell():
        raise RefusedError(
            f"declares the shape {shape!s:.40}, and its size is that of another."
        )
    values = np.empty(shape, dtype=dtype, order="F" if fortran else "C")
    flat = values.reshape(-1, order="A").view(np.uint8) if values.size else values
    for first in range(0, declared, BLOCK):
        block = member.read(min(BLOCK, declared - first))
        if len(block) < min(BLOCK, declared - first):
            raise RefusedError("ends too early.")
        flat[first : first + len(block)] = np.frombuffer(block, dtype=np.uint8)
    if member.read(1):  # also where its checksum is compared
        raise RefusedError("is longer than its directory says.")
    return values
