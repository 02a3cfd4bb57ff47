"""A user's file becomes a data set, or one clear sentence."""

import io

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from halfmoon.datasets import _table, load, read_svmlight, read_table, write_svmlight

GOOD = b"a,b,label\n1,2.5,cat\n3,4,dog\n5,6,cat\n7,8,dog\n"


def parquet(frame):
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


# -- good files ----------------------------------------------------------------------


def test_csv_with_header_and_labels():
    data = read_table(GOOD, "pets.csv")
    np.testing.assert_array_equal(data.X, [[1, 2.5], [3, 4], [5, 6], [7, 8]])
    assert data.y.tolist() == [0, 1, 0, 1]
    assert data.class_names == ("cat", "dog")
    assert data.feature_names == ("a", "b")
    assert data.name == "pets"
    assert data.description == "4 points with 2 features from pets.csv."
    assert data.meta["label_column"] == "label"
    assert data.meta["label_guessed"]
    assert data.meta["notes"] == ("Column label was taken for the labels.",)


def test_path_bytes_and_open_file_give_the_same(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_bytes(GOOD)
    with path.open("rb") as opened:
        tables = [read_table(path), read_table(GOOD, "pets.csv"), read_table(opened)]
    for data in tables:
        np.testing.assert_array_equal(data.X, tables[0].X)
        assert data.name == "pets"


def test_parquet_is_read():
    frame = pd.DataFrame({"u": [1.0, 2, 3, 4], "v": [0, 1, 0, 1], "y": list("abab")})
    data = read_table(parquet(frame), "table.parquet")
    np.testing.assert_array_equal(data.X, frame[["u", "v"]])
    assert data.class_names == ("a", "b")


def test_svmlight_is_read_sparse_and_dense():
    thin = read_table(b"+1 3:0.5 9:1\n-1 1:2\n+1 4:1\n", "thin.svmlight")
    assert sp.issparse(thin.X)
    assert thin.X.shape == (3, 9)
    assert thin.y.tolist() == [1, 0, 1]
    assert thin.class_names == ("-1", "1")
    full = read_table(b"1 1:0.5 2:1\n2 1:2 2:3\n", "full.txt")
    np.testing.assert_array_equal(full.X, [[0.5, 1], [2, 3]])
    assert "dense" in full.meta["notes"][0]


@pytest.mark.parametrize("name", ["two_moons", "topic_text"])
def test_written_svmlight_reads_back(tmp_path, name):
    data = load(name)
    path = tmp_path / "out.svmlight"
    write_svmlight(path, data.X, data.y)
    for back in (read_svmlight(path), read_table(path)):
        X = back.X if not sp.issparse(back.X) else back.X.toarray()
        want = data.X if not data.is_sparse else data.X.toarray()
        np.testing.assert_allclose(X, want[:, : X.shape[1]], rtol=1e-12)
        np.testing.assert_array_equal(back.y, data.y)


def test_svmlight_goes_to_a_buffer_and_checks_lengths():
    buffer = io.BytesIO()
    write_svmlight(buffer, np.eye(2), [1, -1])
    assert buffer.getvalue().splitlines() == [b"1 1:1", b"-1 2:1"]
    with pytest.raises(ValueError, match="one row a point, got 2 and 3"):
        write_svmlight(buffer, np.eye(2), [1, -1, 1])


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("x,target,z\n1,0,2\n2,1,3\n1,0,5\n3,1,4\n", "target"),
        ("Class,x,z\n0,1.5,2\n1,2.5,3\n0,1.5,3\n1,2.5,1\n", "Class"),
        ("x,z,kind\n1,2,red\n2,3,blue\n2,2,red\n4,3,blue\n", "kind"),
        ("kind,x,z\nred,1.5,2.5\nblue,2.5,3.5\nred,1,1.5\nblue,2,2.5\n", "kind"),
        ("x,z,w\n1.5,2.5,0\n2.5,3.5,1\n1,1.5,0\n2,2.5,1\n", "w"),
        ("x,z\n1.5,2.5\n2.5,3.5\n1.1,1.5\n2.2,2.5\n", None),
    ],
)
def test_label_column_is_guessed_and_reported(text, column):
    data = read_table(text.encode(), "t.csv")
    assert data.meta["label_column"] == column
    assert any(str(column or "unlabelled") in note for note in data.meta["notes"])
    assert (data.y == -1).all() == (column is None)


def test_chosen_columns_are_used_in_their_order():
    data = read_table(
        b"a,b,c,d\n1,2,0,x\n3,4,1,y\n5,6,0,x\n7,8,1,y\n",
        "t.csv",
        label_column="c",
        feature_columns=["b", "a"],
    )
    np.testing.assert_array_equal(data.X, [[2, 1], [4, 3], [6, 5], [8, 7]])
    assert data.feature_names == ("b", "a")
    assert not data.meta["label_guessed"]
    assert data.meta["notes"] == ()


def test_empty_labels_mark_unlabeled_points():
    data = read_table(b"a,b,y\n1,2,p\n3,4,\n5,6,?\n7,8,q\n9,1,unlabeled\n", "t.csv")
    assert data.y.tolist() == [0, -1, -1, 1, -1]
    assert "3 of 5 points have no label." in data.meta["notes"]
    numeric = read_table(b"a,b,y\n1,2,1\n3,4,\n5,6,2\n", "t.csv")
    assert numeric.y.tolist() == [0, -1, 1]
    assert numeric.class_names == ("1", "2")


def test_text_columns_and_row_numbers_are_left_out_and_named():
    text = b",a,b,name,label\n0,1.5,2,ann,u\n1,3,4,bob,v\n2,5,6,cid,u\n3,1,1,dan,v\n"
    data = read_table(text, "t.csv")
    assert data.feature_names == ("a", "b")
    notes = " ".join(data.meta["notes"])
    assert "left out: name." in notes
    assert "Row numbers" in notes


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_are_recognised(separator):
    text = GOOD.decode().replace(",", separator)
    np.testing.assert_array_equal(
        read_table(text.encode(), "t.tsv").X, read_table(GOOD, "t.csv").X
    )


def test_decimal_commas_are_recognised_and_reported():
    data = read_table(b"a;b;y\n1,5;2;p\n3,25;4;q\n", "t.csv")
    np.testing.assert_array_equal(data.X, [[1.5, 2], [3.25, 4]])
    assert "Column a was read with a decimal comma." in data.meta["notes"]


def test_file_without_header_gets_names():
    data = read_table(b"1,2,0\n3,4,1\n5,6,0\n7,8,1\n", "t.csv")
    assert data.n == 4
    assert data.feature_names == ("x1", "x2")
    assert data.meta["label_column"] == "x3"


def test_byte_order_mark_quotes_blank_lines_and_windows_ends_are_fine():
    text = b'\xef\xbb\xbf"a","b","y"\r\n"1","2","p, q"\r\n\r\n3,4,r\r\n'
    data = read_table(text, "t.csv")
    assert data.feature_names == ("a", "b")
    assert data.class_names == ("p, q", "r")


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.booleans()), min_size=4, max_size=30)
)
def test_csv_round_trips_numbers(rows):
    rows = [*rows, (0.5, True), (0.25, False)]
    lines = ["v,w,label"] + [f"{v!r},{v!r},{'t' if flag else 'f'}" for v, flag in rows]
    data = read_table("\n".join(lines).encode(), "t.csv")
    np.testing.assert_array_equal(data.X[:, 0], [v for v, _ in rows])
    np.testing.assert_array_equal(data.y, [int(flag) for _, flag in rows])


# -- bad files -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "t.csv", "t.csv is empty"),
        (b" \n \n", "t.csv", "t.csv is empty"),
        (b"a,b,y\n", "t.csv", "has a header and no rows"),
        (b"a\n1\n2\n", "t.csv", "has only one column"),
        (
            b"a,b\n1,2\n3\n",
            "t.csv",
            "has 1 fields in line 3 where the first line has 2",
        ),
        (b"a,b\n1,2\n3,4,5\n", "t.csv", "has 3 fields in line 3"),
        (b"a,y\nu,p\nv,q\nw,p\nz,q\n", "t.csv", "has no numeric column"),
        (b"a,b,y\n1,2,p\n,4,q\n,6,p\n", "t.csv", "has 2 missing values in column a"),
        (b"a,b,y\n1,,p\n,4,q\n,6,p\n", "t.csv", "column a .and 1 other columns"),
        (b"a,b,y\n1,2,p\ninf,4,q\n", "t.csv", "has 1 infinite values in column a"),
        (b"a,a,y\n1,2,p\n3,4,q\n", "t.csv", "the column 'a' more than once"),
        (
            b"a,b,y\n1,2,\xff\n",
            "t.csv",
            r"is not UTF-8 text \(byte 0xff at position 10",
        ),
        (b"a,b\0,y\n1,2,p\n", "t.csv", "holds binary data"),
        (b"a,b,y\n1,2,p\n3,4,p\n", "t.csv", "has one class only, 'p'"),
        (b"a,b,y\n1,2,0.5\n3,4,0.7\n", "t.csv", "holds fractions"),
        (GOOD, "t.xlsx", "must end in .csv, .tsv, .parquet or .svmlight"),
        (GOOD, "t", "must end in .csv"),
        (b"not a parquet file", "t.parquet", "is not a readable Parquet file"),
        (b"PAR1 broken", "t.parquet", "is not a readable Parquet file"),
        (b"+1 a:b\n", "t.svmlight", "is not a readable svmlight file"),
        (b"+1\n-1\n", "t.svmlight", "has labels and no features"),
        (b"+1 1:nan\n-1 1:1\n", "t.svmlight", "1 values that are not finite"),
        (b"+1 9999999:1\n-1 1:1\n", "t.svmlight", "has 9999999 columns, the most is"),
    ],
)
def test_bad_files_get_one_sentence(content, name, message):
    with pytest.raises(ValueError, match=message) as error:
        read_table(content, name)
    text = str(error.value)
    assert name.split(".")[0] in text
    assert text.endswith(".")
    assert "\n" not in text


def test_missing_values_name_the_way_out():
    with pytest.raises(ValueError, match="fill them in or leave the column out"):
        read_table(b"a,b,y\n1,2,p\n,4,q\n", "t.csv")
    # and the way out works
    data = read_table(b"a,b,y\n1,2,p\n,4,q\n", "t.csv", feature_columns=["b"])
    assert data.dims == 1


def test_large_files_are_refused_before_they_are_read():
    class Endless(io.RawIOBase):
        asked = 0

        def read(self, size=-1):
            assert size >= 0, "an endless file must not be read to its end"
            Endless.asked += size
            return b"1" * size

    with pytest.raises(ValueError, match=r"larger than 0\.001 MB; upload a sample"):
        read_table(Endless(), "t.csv", max_bytes=1000)
    assert Endless.asked == 1001
    with pytest.raises(ValueError, match="larger than"):
        read_table(GOOD, "t.csv", max_bytes=10)


def test_too_many_rows_columns_cells_or_classes_are_refused(monkeypatch):
    packed = parquet(pd.DataFrame({"a": range(4), "b": range(4)}))
    with monkeypatch.context() as patch:
        patch.setattr(_table, "MAX_ROWS", 3)
        with pytest.raises(ValueError, match="has more than 3 rows"):
            read_table(GOOD, "t.csv")
        with pytest.raises(ValueError, match="has 4 rows, the most is 3"):
            read_table(packed, "t.parquet")
        with pytest.raises(ValueError, match="has more than 3 rows"):
            read_table(b"1 1:1\n2 1:1\n# aside\n\n1 1:2\n2 1:1\n", "t.svm")
    with monkeypatch.context() as patch:
        patch.setattr(_table, "MAX_COLUMNS", 2)
        with pytest.raises(ValueError, match="has 3 columns, the most is 2"):
            read_table(GOOD, "t.csv")
    with monkeypatch.context() as patch:
        patch.setattr(_table, "MAX_CELLS", 3)
        for content, name in ((GOOD, "t.csv"), (packed, "t.parquet")):
            with pytest.raises(ValueError, match="the most is 3 numbers in all"):
                read_table(content, name)
    with monkeypatch.context() as patch:
        patch.setattr(_table, "MAX_CLASSES", 1)
        with pytest.raises(ValueError, match="has more than 1 different values"):
            read_table(GOOD, "t.csv")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"label_column": "z"}, "t.csv has no column 'z'; it has a, b, label"),
        ({"feature_columns": ["a", "z"]}, "t.csv has no column 'z'"),
        (
            {"feature_columns": ["label"], "label_column": "a"},
            "column label of t.csv must be numeric, got 'cat'",
        ),
        (
            {"feature_columns": ["a", "label"], "label_column": "label"},
            "is the label column and cannot be a feature",
        ),
    ],
)
def test_wrong_column_choices_are_named(keywords, message):
    with pytest.raises(ValueError, match=message):
        read_table(GOOD, "t.csv", **keywords)


def test_columns_of_svmlight_have_no_names():
    with pytest.raises(ValueError, match="svmlight file, which has no column names"):
        read_table(b"1 1:1\n2 1:2\n", "t.svm", label_column="y")


def test_missing_file_and_missing_name_are_said(tmp_path):
    with pytest.raises(ValueError, match=r"gone.csv cannot be opened \(No such file"):
        read_table(tmp_path / "gone.csv")
    with pytest.raises(ValueError, match="name must be given"):
        read_table(GOOD)


@given(st.binary(max_size=300), st.sampled_from(["t.csv", "t.svmlight", "t.parquet"]))
def test_any_bytes_give_data_or_a_sentence(content, name):
    try:
        data = read_table(content, name)
    except ValueError as error:
        assert str(error).endswith(".")  # noqa: PT017 - most inputs end here
    else:
        assert data.n > 0
