"""Files made to harm are read within bounds, or refused in one sentence.

Memory is the peak of a process of its own. `make attack` reads the heavy ones as well
and writes docs/tables/bombs_uploads.md.
"""

import sys

import pyarrow as pa
import pytest

from halfmoon.datasets import read_table
from tests.datasets import bombs
from tests.datasets.bombs import BOMBS, HEAVY, SAVED
from tests.tables import bombs_uploads
from tests.tables.bombs_uploads import MEMORY, SECONDS

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="peak memory is read from /proc"
)


def check(measured):
    for m in measured:
        assert m.sound, (m.title, m.outcome)
        assert m.memory_beyond <= MEMORY, (m.title, m.peak, m.kept)
        assert m.seconds_beyond <= SECONDS, (m.title, m.seconds)


@linux
def test_no_bomb_takes_300_megabytes_or_two_seconds_beyond_its_honest_size():
    light = [title for title in [*BOMBS, *SAVED] if title not in HEAVY]
    measured = bombs_uploads.in_fresh_process(light)
    assert len(measured) == len(light)
    check(measured)


@linux
@pytest.mark.slow
def test_heavy_bombs_neither_and_the_table_is_written():
    measured = bombs_uploads.in_fresh_process([*BOMBS, *SAVED])
    bombs_uploads.OUT.write_text(bombs_uploads.table(measured))
    check(measured)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (bombs.wide_and_long_small_footer, "200000 rows of 2400 numbers, the most is"),
        (bombs.zstd_page, "unpacks to more than 150 MB"),
        (bombs.delta_strings, "packed in a way that is not supported"),
        (bombs.empty_pages, "cut into more than 50000 pages"),
        (bombs.huge_footer, "needs 19.8 MB to describe its columns"),
        (bombs.nested, "column items of nested.parquet holds lists or records"),
        (bombs.lying_rows, "has 1000000000000000 rows, the most is 200000"),
        (bombs.lying_dictionary, "not a readable Parquet file"),
        (bombs.beyond_the_dictionary, "not a readable Parquet file"),
        (bombs.negative_size, "not a readable Parquet file"),
        (bombs.arrow_notes, "not a readable Parquet file"),
        (bombs.long_cell, "a cell of more than 131,072 characters near line 2"),
        (bombs.fewer_rows, "has more than 200000 rows"),
        (bombs.many_rows, "has more than 1,000,000 lines"),
        (bombs.open_quote, "or close the quotation mark that was left open"),
        (bombs.only_mark, "mark.csv is empty"),
        (bombs.many_words, "has 20000 columns, the most is 5000"),
        (bombs.word_twice, "the column 'word 4998' more than once"),
        (bombs.large_feature, "1 infinite values in column a"),
        (bombs.large_label, "label column y of large.csv holds fractions or numbers"),
        (bombs.large_index, "line 1 has 999999999999:1, and the most columns are"),
        (bombs.negative_index, "line 1 has -1:1; lines look like"),
        (bombs.index_twice, "line 1 has 3:2 after column 3"),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_a_bomb_is_refused_in_a_sentence_that_says_why(make, sentence):
    with pytest.raises(ValueError, match=sentence) as told:
        read_table(*make())
    assert type(told.value) is ValueError
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)


def test_a_long_text_in_many_rows_is_left_out_and_the_rest_is_read():
    data = read_table(*bombs.one_long_string())
    assert data.feature_names == ("a",)
    assert "left out: s." in " ".join(data.meta["notes"])


def test_a_text_that_unpacks_to_gigabytes_is_left_out_and_never_unpacked():
    content, name = bombs.zstd_dictionary()
    assert read_table(content, name).feature_names == ("b",)
    with pytest.raises(ValueError, match=r"column s .* holds more than 16 MB of text"):
        read_table(content, name, label_column="s")


def test_notes_for_pandas_are_not_needed():
    assert read_table(*bombs.pandas_notes()).X.shape == (4, 2)


@pytest.mark.parametrize(
    ("column", "reads"),
    [
        (pa.array([1, None, 3, 4], pa.int8()), "missing"),
        (pa.array([5, 2, 3, 4]).cast(pa.decimal128(22, 3)), [5, 2, 3, 4]),
        (pa.array([2**60, 2, 3, 4], pa.uint64()), [2.0**60, 2, 3, 4]),
        (pa.array([True, False, True, True]), [1, 0, 1, 1]),
        (pa.array([1, 2, 3, 4], pa.timestamp("us", "UTC")), None),
        (pa.array([1, 2, 3, 4], pa.date32()), None),
        (pa.array([1, 2, 3, 4], pa.duration("ns")), None),
        (pa.array([b"\xff", b"b", b"c", b"d"]), None),
        (pa.array([None] * 4, pa.null()), None),
        (pa.array(["a", "b", "a", "b"], pa.large_string()), None),
        (pa.array(["a", "b", "a", "b"]).dictionary_encode(), None),
    ],
    ids=lambda x: str(getattr(x, "type", "")),
)
def test_every_flat_type_of_parquet_is_a_number_or_left_out(column, reads):
    table = pa.table({"x": [1.5, 2.5, 1, 2], "it": column, "y": list("pqpq")})
    content = bombs.written(table)
    if reads == "missing":
        with pytest.raises(ValueError, match="1 missing values in column it"):
            read_table(content, "t.parquet")
        return
    data = read_table(content, "t.parquet")
    if reads is None:
        assert data.feature_names == ("x",)
        with pytest.raises(ValueError, match=r"column it of .* must be numeric"):
            read_table(content, "t.parquet", feature_columns=["it"])
    else:
        assert data.X[:, 1].tolist() == reads


def test_a_label_column_of_dates_is_refused_in_a_sentence():
    dates = pa.array([1, 2, 1, 2], pa.date32())
    content = bombs.written(pa.table({"x": [1.5, 2.5, 1, 2], "when": dates}))
    with pytest.raises(ValueError, match=r"label column when .* holds dates or times"):
        read_table(content, "t.parquet", label_column="when")


def test_an_index_that_pandas_wrote_is_no_feature():
    import pandas as pd

    frame = pd.DataFrame({"u": [1.0, 2, 3], "v": [4.0, 5.5, 6]}, index=[7, 9, 4])
    content = bombs.written(pa.Table.from_pandas(frame))
    assert read_table(content, "t.parquet").feature_names == ("u", "v")
