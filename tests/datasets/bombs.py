"""Files made to harm: small on the way in, huge or endless once they are read.

Each bomb is a function without arguments that returns a file's bytes and its name.
Parquet files that no writer would write are put together by hand.
"""

import base64
import functools
import hashlib
import io
import json
import struct
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

BOMBS = {}
HEAVY = set()
LIMIT = 25_000_000  # bytes that an upload may have
INT32, INT64, DOUBLE, BYTE_ARRAY, FIXED = 1, 2, 5, 6, 7  # physical types
PLAIN, RLE, DELTA_BYTE_ARRAY, RLE_DICTIONARY = 0, 3, 7, 8
UNCOMPRESSED, ZSTD = 0, 6
TEXT, DECIMAL = 0, 5  # meanings of a type
MEGA, GIGA = 10**6, 2**31 - 1


def bomb(title, *, heavy=False):
    """Enter a bomb under its title; a heavy one takes seconds to make or to read."""

    def keep(function):
        BOMBS[title] = functools.cache(function)
        if heavy:
            HEAVY.add(title)
        return function

    return keep


def written(table, **options):
    buffer = io.BytesIO()
    pq.write_table(table, buffer, **options)
    return buffer.getvalue()


# -- Thrift and Parquet by hand ------------------------------------------------------


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes([*out, n])


def whole(n):
    return varint(2 * n if n >= 0 else -2 * n - 1)


def text(content):
    return varint(len(content)) + content


def listed(kind, items):
    n = len(items)
    head = bytes([n << 4 | kind]) if n < 15 else bytes([0xF0 | kind]) + varint(n)
    return head + b"".join(items)


def record(*fields):
    """A struct in the compact protocol from (number, type, body); None is left out."""
    out, last = b"", 0
    for number, kind, body in fields:
        if body is not None:
            out += bytes([number - last << 4 | kind]) + body
            last = number
    return out + b"\0"


def page(kind, body, unpacked=None, values=1, encoding=PLAIN):
    """A page, of kind 0 (data) or 2 (dictionary), that says what it is told to say."""
    about = record((1, 5, whole(values)), (2, 5, whole(encoding)))
    if kind == 0:
        levels = ((3, 5, whole(RLE)), (4, 5, whole(RLE)))
        about = record((1, 5, whole(values)), (2, 5, whole(encoding)), *levels)
    header = record(
        (1, 5, whole(kind)),
        (2, 5, whole(len(body) if unpacked is None else unpacked)),
        (3, 5, whole(len(body))),
        ((5, 12, about) if kind == 0 else (7, 12, about)),
    )
    return header + body


def by_hand(columns, n, *, rows=None, keys=None, size=None):
    """A file from {name: (type, pages, codec)}; rows and size are lies about it."""
    out, chunks = bytearray(b"PAR1"), []
    schema = [record((4, 8, text(b"schema")), (5, 5, whole(len(columns))))]
    for name, (kind, pages, codec) in columns.items():
        meaning = {BYTE_ARRAY: whole(TEXT), FIXED: whole(DECIMAL)}.get(kind)
        digits = whole(10) if kind == FIXED else None
        schema.append(
            record(
                (1, 5, whole(kind)),
                (2, 5, whole(MEGA) if kind == FIXED else None),
                (3, 5, whole(0)),
                (4, 8, text(name.encode())),
                (6, 5, meaning),
                (7, 5, digits),
                (8, 5, digits),
            )
        )
        start = len(out)
        out += b"".join(pages)
        packed = len(out) - start if size is None else size
        is_dictionary = pages[0][1:3] == whole(2) + b"\x15"
        first = start + (len(pages[0]) if is_dictionary else 0)
        about = record(
            (1, 5, whole(kind)),
            (2, 9, listed(5, [whole(0)])),
            (3, 9, listed(8, [text(name.encode())])),
            (4, 5, whole(codec)),
            (5, 6, whole(n)),
            (6, 6, whole(100)),
            (7, 6, whole(packed)),
            (9, 6, whole(first)),
            (11, 6, whole(start) if is_dictionary else None),
        )
        chunks.append(record((2, 6, whole(start)), (3, 12, about)))
    group = record(
        (1, 9, listed(12, chunks)),
        (2, 6, whole(100)),
        (3, 6, whole(n if rows is None else rows)),
    )
    pairs = [record((1, 8, text(k)), (2, 8, text(v))) for k, v in (keys or {}).items()]
    footer = record(
        (1, 5, whole(1)),
        (2, 9, listed(12, schema)),
        (3, 6, whole(n if rows is None else rows)),
        (4, 9, listed(12, [group])),
        (5, 9, listed(12, pairs) if pairs else None),
    )
    return bytes(out) + footer + struct.pack("<I", len(footer)) + b"PAR1"


def zstd_zeros(size):
    """A Zstandard frame of so many zeros: four bytes for each 128 kB."""
    head = b"\x28\xb5\x2f\xfd" + b"\xa0" + struct.pack("<I", size)
    blocks = []
    while size:
        part = min(size, 2**17)
        size -= part
        mark = part << 3 | 1 << 1 | (size == 0)
        blocks.append(mark.to_bytes(3, "little") + b"\0")
    return head + b"".join(blocks)


def doubles(n):
    """A column of numbers that is in order."""
    body = np.arange(float(n)).tobytes()
    return DOUBLE, [page(0, body, values=n)], UNCOMPRESSED


def zstd(body):
    return pa.compress(body, codec="zstd", asbytes=True)


# -- Parquet -------------------------------------------------------------------------


@bomb("Parquet, one string of 100 kB in 200,000 rows")
def one_long_string():
    n = 200_000
    rng = np.random.default_rng(0)
    codes = pa.array(np.zeros(n, dtype=np.int32))
    table = pa.table(
        {
            "a": rng.integers(0, 9, n) / 2,
            "s": pa.DictionaryArray.from_arrays(codes, pa.array(["x" * 100_000])),
        }
    )
    return written(table, store_schema=False), "one_long_string.parquet"


@bomb("Parquet, 200,000 x 5,000 equal cells", heavy=True)
def wide_and_long():
    column = pa.array(np.zeros(200_000, dtype=np.int8))
    table = pa.table([column] * 5000, names=[f"c{j}" for j in range(5000)])
    return written(table, compression="zstd"), "wide_and_long.parquet"


@bomb("Parquet, the same without statistics or schema, 200,000 x 2,400", heavy=True)
def wide_and_long_small_footer():
    column = pa.array(np.zeros(200_000, dtype=np.int8))
    table = pa.table([column] * 2400, names=[f"c{j}" for j in range(2400)])
    options = {"store_schema": False, "write_statistics": False}
    return written(table, compression="zstd", **options), "wide.parquet"


@bomb("Parquet, as many equal cells as are allowed")
def full_of_equal_cells():
    column = pa.array(np.zeros(200_000))
    names = [f"c{j}" for j in range(60)]
    return written(pa.table([column] * 60, names=names)), "full.parquet"


@bomb("Parquet, a page of 2 GB of zeros as numbers")
def zstd_page():
    body = zstd_zeros(GIGA)
    bad = DOUBLE, [page(0, body, unpacked=GIGA, values=100)], ZSTD
    return by_hand({"a": bad, "b": doubles(100)}, 100), "zstd_page.parquet"


@bomb("Parquet, a dictionary of 2 GB of zeros as text")
def zstd_dictionary():
    pages = [
        page(2, zstd_zeros(GIGA), unpacked=GIGA, values=GIGA // 4),
        page(0, zstd(b"\1\2\0"), unpacked=3, values=1, encoding=RLE_DICTIONARY),
    ]
    columns = {"b": doubles(1), "s": (BYTE_ARRAY, pages, ZSTD)}
    return by_hand(columns, 1), "zstd_dictionary.parquet"


@bomb("Parquet, five dictionaries of 15 MB of empty words")
def empty_words():
    n, size = 1000, 15_000_000
    index = b"\0" + varint(n << 1)  # entries of no bits: every row has entry 0
    data = page(0, zstd(index), unpacked=len(index), values=n, encoding=RLE_DICTIONARY)
    pages = [page(2, zstd_zeros(size), unpacked=size, values=size // 4), data]
    columns = {f"s{j}": (BYTE_ARRAY, pages, ZSTD) for j in range(5)}
    return by_hand({"b": doubles(n), **columns}, n), "empty_words.parquet"


@bomb("Parquet, a dictionary said to have 2 billion entries")
def lying_dictionary():
    pages = [
        page(2, np.arange(4.0).tobytes(), values=GIGA),
        page(0, b"\1\2\0", values=1, encoding=RLE_DICTIONARY),
    ]
    columns = {"a": (DOUBLE, pages, UNCOMPRESSED), "b": doubles(1)}
    return by_hand(columns, 1), "lying_dictionary.parquet"


@bomb("Parquet, an entry beyond the dictionary")
def beyond_the_dictionary():
    words = b"".join(struct.pack("<I", 1) + w for w in (b"u", b"v"))
    pages = [
        page(2, words, values=2),
        page(
            0,
            bytes([31]) + varint(8 << 1) + struct.pack("<I", 2**30),
            values=8,
            encoding=RLE_DICTIONARY,
        ),
    ]
    columns = {"s": (BYTE_ARRAY, pages, UNCOMPRESSED), "b": doubles(8)}
    return by_hand(columns, 8), "beyond.parquet"


@bomb("Parquet, strings that repeat the one before, 100,000 x 100 kB")
def delta_strings():
    n, length = 100_000, 100_000
    prefixes = _delta([0] + [length] * (n - 1))
    suffixes = _delta([length] + [0] * (n - 1))
    body = prefixes + suffixes + b"x" * length
    pages = [page(0, body, values=n, encoding=DELTA_BYTE_ARRAY)]
    columns = {"s": (BYTE_ARRAY, pages, UNCOMPRESSED), "b": doubles(n)}
    return by_hand(columns, n), "delta_strings.parquet"


def _delta(values):
    """DELTA_BINARY_PACKED with blocks of 128 values in 4 miniblocks."""
    out = varint(128) + varint(4) + varint(len(values)) + whole(values[0])
    steps = np.diff(np.array(values, dtype=np.int64))
    for i in range(0, len(steps), 128):
        block = steps[i : i + 128]
        low = int(block.min())
        out += whole(low) + bytes([32] * 4)
        padded = np.zeros(128, dtype=np.uint32)
        padded[: len(block)] = block - low
        out += padded.astype("<u4").tobytes()
    return out


@bomb("Parquet, 10,000 decimals of 1 MB each")
def long_decimals():
    n, index = 10_000, b"\0" + varint(10_000 << 1)
    pages = [
        page(2, b"\0" * MEGA, values=1),
        page(0, index, values=n, encoding=RLE_DICTIONARY),
    ]
    columns = {"a": (FIXED, pages, UNCOMPRESSED), "b": doubles(n)}
    return by_hand(columns, n), "decimals.parquet"


@bomb("Parquet, said to have 10^15 rows")
def lying_rows():
    columns = {"a": doubles(4), "b": doubles(4)}
    return by_hand(columns, 4, rows=10**15), "rows.parquet"


@bomb("Parquet, said to have -1 rows")
def negative_rows():
    columns = {"a": doubles(4), "b": doubles(4)}
    return by_hand(columns, 4, rows=-1), "rows.parquet"


@bomb("Parquet, pages said to have 2 billion values")
def lying_values():
    pages = [page(0, b"\0" * 32, values=GIGA)]
    columns = dict.fromkeys("ab", (DOUBLE, pages, UNCOMPRESSED))
    return by_hand(columns, 200_000), "values.parquet"


@bomb("Parquet, columns of negative size")
def negative_size():
    columns = {"a": doubles(4), "b": doubles(4)}
    return by_hand(columns, 4, size=-5), "negative.parquet"


@bomb("Parquet, a million empty pages")
def empty_pages():
    pages = [page(0, b"", values=0)] * 1_000_000
    columns = {"a": (DOUBLE, pages, UNCOMPRESSED), "b": doubles(4)}
    return by_hand(columns, 4), "pages.parquet"


@bomb("Parquet, a footer of 1 MB with 330,000 hollow columns")
def hollow_footer():
    return _hollow(33), "hollow.parquet"


@bomb("Parquet, a footer of 20 MB with 6.6 million hollow columns")
def huge_footer():
    return _hollow(660), "footer.parquet"


def _hollow(groups):
    chunk = record((2, 6, whole(0)))
    group = record(
        (1, 9, listed(12, [chunk] * 10_000)), (2, 6, whole(1)), (3, 6, whole(1))
    )
    leaf = record((1, 5, whole(DOUBLE)), (3, 5, whole(0)), (4, 8, text(b"a")))
    root = record((4, 8, text(b"r")), (5, 5, whole(1)))
    footer = record(
        (1, 5, whole(1)),
        (2, 9, listed(12, [root, leaf])),
        (3, 6, whole(groups)),
        (4, 9, listed(12, [group] * groups)),
    )
    return b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"


@bomb("Parquet, 9,000 groups one inside the other")
def deep_schema():
    nest = record((3, 5, whole(0)), (4, 8, text(b"g")), (5, 5, whole(1)))
    leaf = record((1, 5, whole(DOUBLE)), (3, 5, whole(0)), (4, 8, text(b"a")))
    footer = record(
        (1, 5, whole(1)),
        (2, 9, listed(12, [nest] * 9000 + [leaf])),
        (3, 6, whole(0)),
        (4, 9, listed(12, [])),
    )
    content = b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"
    return content, "deep.parquet"


@bomb("Parquet, lists, records and maps")
def nested():
    table = pa.table(
        {
            "a": [1.0, 2.0],
            "items": [[1, 2], [3]],
            "pair": [{"u": 1}, {"u": 2}],
            "map": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())),
        }
    )
    return written(table), "nested.parquet"


@bomb("Parquet, damaged notes for pandas")
def pandas_notes():
    columns = {"a": doubles(4), "b": doubles(4)}
    notes = {b"pandas": b'{"index_columns": [' + b"[" * 5000}
    return by_hand(columns, 4, keys=notes), "notes.parquet"


@bomb("Parquet, damaged notes for Arrow")
def arrow_notes():
    columns = {"a": doubles(4), "b": doubles(4)}
    return by_hand(columns, 4, keys={b"ARROW:schema": b"/////wAA"}), "notes.parquet"


@bomb("Parquet, 2,000 x 2,500 numbers, all different", heavy=True)
def wide_and_honest():
    rng = np.random.default_rng(0)
    columns = list(rng.random((2500, 2000), dtype=np.float32))
    table = pa.table(columns, names=[f"c{j}" for j in range(2500)])
    return written(table, use_dictionary=False), "wide.parquet"


# -- CSV -----------------------------------------------------------------------------


@bomb("CSV, a cell of 140,000 characters")
def long_cell():
    return b"a,b,y\n" + b"z" * 140_000 + b",1,2\n1,2,3\n", "cell.csv"


@bomb("CSV, nothing but a byte-order mark")
def only_mark():
    return b"\xef\xbb\xbf", "mark.csv"


@bomb("CSV, a header of 20,000 words")
def many_words():
    head = ",".join(f"word {j}" for j in range(20_000))
    return f"{head}\n{','.join('1' * 20_000)}\n".encode(), "words.csv"


@bomb("CSV, a header of 5,000 words, one twice")
def word_twice():
    words = [f"word {j}" for j in range(4_999)]
    head = ",".join([*words, words[-1]])
    return f"{head}\n{','.join('1' * 5_000)}\n".encode(), "twice.csv"


@bomb("CSV, 10^400 as a feature")
def large_feature():
    return b"a,b,y\n1" + b"0" * 400 + b",2,p\n3,4,q\n", "large.csv"


@bomb("CSV, 10^400 as a label")
def large_label():
    return b"a,b,y\n1,2,1" + b"0" * 400 + b"\n3,4,0\n", "large.csv"


@bomb("CSV, 25 MB of commas")
def commas():
    return b"," * LIMIT, "commas.csv"


@bomb("CSV, 25 MB of commas in lines of 400,000")
def lines_of_commas():
    return (b"," * 400_000 + b"\n") * 62, "commas.csv"


@bomb("CSV, 25 MB of line breaks")
def breaks():
    return b"\n" * LIMIT, "breaks.csv"


@bomb("CSV, a million line breaks after a table")
def fewer_breaks_after():
    return b"a,b,y\n1,2,p\n3,4,q\n" + b"\n" * 999_990, "breaks.csv"


@bomb("CSV, 25 MB of line breaks after a table")
def breaks_after():
    return b"a,b,y\n1,2,p\n3,4,q\n" + b"\n" * (LIMIT - 20), "breaks.csv"


@bomb("CSV, 4 million rows")
def many_rows():
    return b"a,b,y\n" + b"1,2,3\n" * 4_000_000, "rows.csv"


@bomb("CSV, 900,000 rows")
def fewer_rows():
    return b"a,b,y\n" + b"1,2,3.5\n" * 900_000, "rows.csv"


@bomb("CSV, a quotation mark left open before 900,000 lines")
def open_quote():
    return b'a,b,y\n1,2,"p\n' + b"3,4,q\n" * 900_000, "quote.csv"


@bomb("CSV, one row of 900,000 quoted line breaks")
def quoted_breaks():
    return b'"\n",' * 900_000 + b"1\n", "quoted.csv"


@bomb("CSV, 12 million cells of one digit", heavy=True)
def full_of_digits():
    return (b",".join([b"1"] * 100) + b"\n") * 120_000, "digits.csv"


@bomb("CSV, 5 million cells with a space, slow to read", heavy=True)
def spaced_digits():
    return (b", ".join([b" 1"] * 100) + b"\n") * 50_000, "spaced.csv"


@bomb("CSV, 3 million different words", heavy=True)
def different_words():
    rows = (",".join(f"w{i + j:x}" for j in range(30)) for i in range(0, 3_000_000, 30))
    return "\n".join(rows).encode(), "words.csv"


@bomb("CSV, 25 MB with one character of four bytes", heavy=True)
def one_wide_character():
    rows = (b"1.234567," * 12 + b"2.345678\n") * 190_000
    return "a,b,c,d,e,f,g,h,i,j,k,l,\U0001f319\n".encode() + rows, "moon.csv"


@bomb("CSV, 5,000 text columns of long names")
def many_text_columns():
    head = ",".join(f"{'n' * 90}{j}" for j in range(5_000))
    row = ",".join(["w"] * 5_000)
    return f"{head}\n{row}\n{row}\n".encode(), "text.csv"


# -- svmlight ------------------------------------------------------------------------


@bomb("svmlight, column 999,999,999,999")
def large_index():
    return b"1 1:1 999999999999:1\n-1 1:2\n", "index.svmlight"


@bomb("svmlight, column 2,147,483,647")
def largest_index():
    return b"1 1:1 2147483647:1\n-1 1:2\n", "index.svmlight"


@bomb("svmlight, column of 100,000 digits")
def endless_index():
    return b"1 1:1 " + b"9" * 100_000 + b":1\n-1 1:2\n", "index.svmlight"


@bomb("svmlight, column -1")
def negative_index():
    return b"1 -1:1 3:1\n-1 1:2\n", "index.svmlight"


@bomb("svmlight, a column twice")
def index_twice():
    return b"1 3:1 3:2\n-1 1:2\n", "index.svmlight"


@bomb("svmlight, 12 million rows of a label only")
def only_labels():
    return b"1\n" * 12_500_000, "labels.svmlight"


@bomb("svmlight, labels of 10^300 and not a number")
def odd_labels():
    return b"1e300 1:1\nnan 1:2\ninf 2:1\n", "labels.svmlight"


@bomb("svmlight, a million columns in 200,000 rows")
def wide_sparse():
    return b"1 1:1 1000000:1\n-1 7:1\n" * 100_000, "wide.svmlight"


@bomb("svmlight, 5 million values of one digit", heavy=True)
def full_of_values():
    row = b" ".join(b"%d:1" % j for j in range(1, 101))
    return (b"1 " + row + b"\n-1 " + row + b"\n") * 25_000, "full.svmlight"


# -- saved scenarios -----------------------------------------------------------------

SAVED = {}


def saved(title):
    def keep(function):
        SAVED[title] = functools.cache(function)
        return function

    return keep


def scenario_with(files, named):
    """A saved scenario that names one digest and carries some files."""
    upload = {"digest": named, "name": "mine.csv", "features": []}
    tree = {"v": 1, "data": "upload", "upload": upload}
    document = {"halfmoon": 1, "scenario": tree, "files": files}
    return json.dumps(document).encode()


def packed(content):
    return base64.b64encode(zlib.compress(content, 9)).decode()


def digest(content):
    return hashlib.sha256(content).hexdigest()[:32]


@saved("Saved scenario with 200 files of 24 MB, one of them named")
def many_files():
    content = b"a,b\n1,2\n" + b"\n" * 24_000_000
    names = [*(f"{i:032x}" for i in range(199)), digest(content)]
    files = dict.fromkeys(names, packed(content))
    return scenario_with(files, digest(content)), "many.json"


@saved("Saved scenario, its file of 400 MB packed into 0.5 MB")
def one_huge_file():
    squeeze = zlib.compressobj()
    parts = [squeeze.compress(bytes(MEGA)) for _ in range(400)]
    body = b"".join([*parts, squeeze.flush()])
    text = base64.b64encode(body).decode()
    return scenario_with({"a" * 32: text}, "a" * 32), "huge.json"


@saved("Saved scenario, a file under another's digest")
def false_digest():
    return scenario_with({"a" * 32: packed(b"a,b\n1,2\n")}, "a" * 32), "false.json"


@saved("Saved scenario of 8 MB of empty records")
def empty_records():
    return b'{"scenario": {}, "x": [' + b"{}," * 2_600_000 + b"{}]}", "records.json"


@saved("Saved scenario of 9 MB")
def too_large():
    return b'{"scenario": {}, "x": "' + b"x" * 9_000_000 + b'"}', "large.json"


@saved("Saved scenario, not UTF-8 and not JSON")
def not_json():
    return b'{"scenario": "\xff\xfe\xed"', "latin.json"
