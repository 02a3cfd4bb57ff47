"""Parquet files as tables, with every size bounded before anything is unpacked.

A Parquet file is packed twice: values point into a dictionary, and pages are
compressed. A few kilobytes can stand for gigabytes, and the footer, which tells the
sizes, may lie. So the headers of all pages that will be read are walked first: what
they say is what the reader allocates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from halfmoon.datasets import _table
from halfmoon.datasets._table import WordList, Words, shown

MAX_FOOTER = 1_000_000  # bytes; a made-up footer swells 230-fold in memory
MAX_LISTED = 10_000  # entries of a list in the footer: columns, row groups
MAX_PAGES = 50_000  # walking one header takes about 10 microseconds
MAX_UNPACKED = 150_000_000  # bytes of all pages of numbers: 12 million doubles and more
MAX_TEXT = 16_000_000  # of a column of words; 4 bytes may become 24 in memory
PART_CELLS = 1_000_000  # numbers that leave the reader at a time
DATA, DICTIONARY, DATA_V2 = 0, 2, 3  # kinds of pages
FIXED = {"INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8}  # bytes of a value
LONGEST_DECIMAL = 32  # bytes
# Encodings as numbered by the format: plain 0, dictionaries 2 and 8, runs 3, bits 4,
# differences 5, lengths 6, bytes apart 9. Left out is 7, strings as changes of the one
# before, where a page of bytes unpacks into any length.
NUMBER_ENCODINGS = {0, 2, 3, 4, 5, 8, 9}
TEXT_ENCODINGS = {0, 2, 6, 8}
INDEX_PREFIX = "__index_level_"  # columns in which pandas keeps row names


class ParquetTable:
    """A Parquet file of numbers and words; columns are read on request.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        File name, for messages.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self._content, self._name = content, name
        self.notes: list[str] = []
        self._check_footer()
        with self._readable():
            self._facts = self._open().metadata
            _table.check_columns(self._facts.num_columns, name)
            self._check_rows()
            schema = self._open(metadata=self._facts).schema_arrow
            self._check_flat(schema)
            columns = [str(field.name) for field in schema]
            _table.check_names(columns, name)
            self._leaf = {column: j for j, column in enumerate(columns)}
            self._kinds = {
                column: self._schema_kind(j, schema.field(j).type)
                for column, j in self._leaf.items()
            }
            text = [column for column in columns if self._kinds[column] == "text"]
            # Read as dictionaries: a long word in many rows is unpacked once.
            self._file = self._open(metadata=self._facts, read_dictionary=text)
        self.n = self._facts.num_rows
        self.names = tuple(c for c in columns if not c.startswith(INDEX_PREFIX))
        self._sizes: dict[str, int] = {}

    def kind(self, name: str) -> str:
        kind = self._kinds[name]
        if kind == "text" and self._unpacked(name) > MAX_TEXT:
            return f"more than {MAX_TEXT / 1e6:g} MB of text"
        return kind

    def numbers(self, name: str) -> np.ndarray:
        return self.matrix([name])[:, 0]

    def words(self, name: str) -> Words:
        found, codes = WordList(), []
        with self._readable():
            for batch in self._file.iter_batches(
                batch_size=_table.MAX_ROWS, columns=[name], use_threads=False
            ):
                column = batch.column(name)
                column.validate(full=True)  # entries in range, text that is UTF-8
                codes.append(_codes(column, found))
        self._check_read(sum(map(len, codes)))
        return found.words(codes)

    def matrix(self, names: Sequence[str]) -> np.ndarray:
        _table.check_cells(self.n, len(names), self._name)
        if sum(self._unpacked(column) for column in names) > MAX_UNPACKED:
            raise ValueError(
                f"{self._name} unpacks to more than {MAX_UNPACKED / 1e6:g} MB; keep "
                f"fewer rows or columns."
            )
        X = np.empty((self.n, len(names)))
        row = 0
        with self._readable():
            for batch in self._file.iter_batches(
                batch_size=max(1, PART_CELLS // len(names)),
                columns=list(names),
                use_threads=False,
            ):
                part = X[row : row + batch.num_rows]
                row += batch.num_rows
                self._check_read(row, at_least=False)
                for j, column in enumerate(names):
                    part[:, j] = _floats(batch.column(column))
        self._check_read(row)
        pa.default_memory_pool().release_unused()
        return X

    # -- the file as it describes itself ---------------------------------------------

    def _open(self, **options) -> pq.ParquetFile:
        return pq.ParquetFile(
            pa.BufferReader(self._content),
            pre_buffer=False,
            thrift_string_size_limit=MAX_FOOTER,
            thrift_container_size_limit=MAX_LISTED,
            **options,
        )

    @contextmanager
    def _readable(self):
        """Whatever the reader finds wrong becomes one sentence."""
        try:
            yield
        except (pa.ArrowException, OSError, OverflowError, UnicodeError) as error:
            raise self._damaged() from error

    def _damaged(self) -> ValueError:
        return ValueError(
            f"{self._name} is not a readable Parquet file; it is damaged or of a kind "
            f"that is not supported, so write it again or use CSV."
        )

    def _check_footer(self) -> None:
        content = self._content
        if len(content) < 12 or content[-4:] != b"PAR1":
            raise self._damaged()
        size = int.from_bytes(content[-8:-4], "little")
        if size > len(content) - 12:
            raise self._damaged()
        if size > MAX_FOOTER:
            raise ValueError(
                f"{self._name} needs {size / 1e6:.1f} MB to describe its columns and "
                f"row groups, the most is {MAX_FOOTER / 1e6:g} MB; keep fewer columns, "
                f"write fewer row groups, or use CSV."
            )

    def _check_rows(self) -> None:
        """The file's three counts of rows agree and are not too large."""
        facts = self._facts
        groups = [facts.row_group(i) for i in range(facts.num_row_groups)]
        sizes = [group.num_rows for group in groups]
        if min(sizes, default=0) < 0 or sum(sizes) != facts.num_rows:
            raise self._damaged()
        if any(group.num_columns != facts.num_columns for group in groups):
            raise self._damaged()
        if facts.num_rows > _table.MAX_ROWS:
            raise ValueError(
                f"{self._name} has {facts.num_rows} rows, the most is "
                f"{_table.MAX_ROWS}; upload a sample of it."
            )
        if not facts.num_rows:
            raise ValueError(f"{self._name} has columns and no rows.")

    def _check_flat(self, schema: pa.Schema) -> None:
        for field in schema:
            if pa.types.is_nested(field.type):
                raise ValueError(
                    f"column {shown(field.name)} of {self._name} holds lists or "
                    f"records; a table needs one value a cell, so leave it out or "
                    f"spread it over columns."
                )
        if len(schema) != self._facts.num_columns:
            raise self._damaged()

    def _schema_kind(self, j: int, kind: pa.DataType) -> str:
        """ "number", "text", or in words what else a column holds."""
        leaf = self._facts.schema.column(j)
        is_a = pa.types
        if leaf.max_repetition_level or leaf.max_definition_level > 1:
            raise self._damaged()
        if is_a.is_dictionary(kind):
            kind = kind.value_type
        if is_a.is_null(kind):
            return "no value at all"
        if is_a.is_temporal(kind):
            return "dates or times"
        if str(kind) in ("string", "large_string", "string_view"):
            return "text" if leaf.physical_type == "BYTE_ARRAY" else "binary data"
        if is_a.is_decimal(kind) or is_a.is_float16(kind):
            fixed = leaf.physical_type == "FIXED_LEN_BYTE_ARRAY"
            narrow = leaf.physical_type in FIXED
            if narrow or (fixed and 0 < leaf.length <= LONGEST_DECIMAL):
                return "number"
            return "decimals of no fixed length"
        if is_a.is_boolean(kind) or is_a.is_integer(kind) or is_a.is_floating(kind):
            plain = leaf.physical_type in FIXED or leaf.physical_type == "BOOLEAN"
            return "number" if plain else "binary data"
        return "binary data"

    def _check_read(self, rows: int, at_least: bool = True) -> None:
        if rows > self.n or (at_least and rows < self.n):
            raise self._damaged()

    # -- the pages as they describe themselves ---------------------------------------

    def _unpacked(self, name: str) -> int:
        """Bytes to which the pages of a column unpack, all of them checked."""
        if name not in self._sizes:
            with self._readable():
                self._sizes[name] = self._walk(self._leaf[name])
        return self._sizes[name]

    def _walk(self, j: int) -> int:
        text = self._facts.schema.column(j).physical_type == "BYTE_ARRAY"
        width = FIXED.get(self._facts.schema.column(j).physical_type, 4 if text else 0)
        encodings = TEXT_ENCODINGS if text else NUMBER_ENCODINGS
        total = n_pages = 0
        for i in range(self._facts.num_row_groups):
            group = self._facts.row_group(i)
            chunk = group.column(j)
            if chunk.num_values != group.num_rows or chunk.file_path:
                raise self._damaged()
            start, values = chunk.data_page_offset, 0
            if chunk.has_dictionary_page and chunk.dictionary_page_offset > 0:
                start = min(start, chunk.dictionary_page_offset)
            size = chunk.total_compressed_size
            if start < 4 or size < 0 or start + size > len(self._content):
                raise self._damaged()
            for page in self._pages(start, start + size):
                total, n_pages = total + page.unpacked, n_pages + 1
                if n_pages > MAX_PAGES:
                    raise ValueError(
                        f"{self._name} is cut into more than {MAX_PAGES} pages; write "
                        f"it again with larger ones, or use CSV."
                    )
                if page.kind == DICTIONARY:
                    if page.values * width > page.unpacked:
                        raise self._damaged()
                    continue
                values += page.values
                if page.encoding not in encodings:
                    raise ValueError(
                        f"column {shown(group.column(j).path_in_schema)} of "
                        f"{self._name} is packed in a way that is not supported; write "
                        f"it again with plain or dictionary encoding."
                    )
            if values != group.num_rows:
                raise self._damaged()
        return total

    def _pages(self, at: int, end: int) -> Iterator[_Page]:
        """The pages between two places of the file."""
        while at < end:
            try:
                header, at = _fields(self._content, at, end)
                kind, unpacked, packed = header[1], header[2], header[3]
                about = header[{DATA: 5, DICTIONARY: 7, DATA_V2: 8}[kind]]
                values, encoding = about[1], about[4 if kind == DATA_V2 else 2]
            except (IndexError, KeyError, TypeError):
                raise self._damaged() from None
            at += packed
            if min(unpacked, packed, values) < 0 or at > end:
                raise self._damaged()
            yield _Page(kind, unpacked, values, encoding)


class _Page(NamedTuple):
    kind: int
    unpacked: int  # bytes
    values: int
    encoding: int


def _fields(data: bytes, at: int, end: int, depth: int = 0) -> tuple[dict, int]:
    """A Thrift struct in the compact protocol: whole numbers and structs by field.

    Stricter than any reader: fields come in order and once, so that it cannot be read
    in two ways. Raises IndexError or KeyError where it is no such struct.
    """
    fields: dict = {}
    field = 0
    while True:
        head = data[at]
        at += 1
        if not head:
            return fields, at
        step, kind = head >> 4, head & 15
        if not step or depth > 2 or at > end:
            raise KeyError("no such struct")
        field += step
        fields[field] = None
        if kind in (5, 6):  # i32, i64
            raw, at = _varint(data, at)
            value = (raw >> 1) ^ -(raw & 1)
            fields[field] = value if kind == 5 and abs(value) < 2**31 else None
        elif kind == 12:
            fields[field], at = _fields(data, at, end, depth + 1)
        elif kind == 8:  # bytes, such as the smallest value of a page
            length, at = _varint(data, at)
            at += length
        elif kind not in (1, 2):  # the two truth values have no body
            raise KeyError("no such struct")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise KeyError("no such number")


def _floats(column: pa.Array) -> np.ndarray:
    if pa.types.is_dictionary(column.type):
        column.validate(full=True)
        column = column.dictionary_decode()
    column = column.cast(pa.float64(), safe=False)
    return column.to_numpy(zero_copy_only=False)


def _codes(column: pa.DictionaryArray, found: WordList) -> np.ndarray:
    """Numbers of the words in a part of a column."""
    here = column.indices.is_valid().to_numpy(zero_copy_only=False)
    entries = column.indices.fill_null(0).to_numpy(zero_copy_only=False)
    used, which = np.unique(entries[here], return_inverse=True)
    words = column.dictionary.take(pa.array(used)).to_pylist()
    codes = np.full(len(column), -1, dtype=np.int32)
    codes[here] = found.codes(words)[which]
    return codes
