"""Reports of hand-made results, and of a store that went through a file."""

from html.parser import HTMLParser

import pytest

from ssl_core.experiments import (
    Cell,
    Entry,
    Kept,
    Protocol,
    Store,
    Table,
    lines,
    report,
    summarise,
)


def cells(name, count=3):
    return tuple(
        Cell.of("toy", {"data": name, "split": k}, "svm") for k in range(count)
    )


NUMBERS = {
    "even": [2.0, 4.0, 9.0],
    "worse": [20.0, 20.0, 20.0],
    "part": [1.0, 2.0],
    "better": [1.0, 1.0, 1.0],
}
RESULTS = {
    cell.spec: {"error": value}
    for name, values in NUMBERS.items()
    for cell, value in zip(cells(name, len(values)), values, strict=True)
}
TABLE = Table(
    "toy-1",
    "Numbers & <more>",
    {
        ("row", "even"): Entry(cells("even"), 4.5),
        ("row", "worse"): Entry(cells("worse"), 10.25),
        ("row", "part"): Entry(cells("part"), 2.0),
        ("row", "better"): Entry(cells("better"), 9.0),
        ("row", "none"): Entry(cells("none"), 3.0),
        ("a|b <i>", "even"): Entry(cells("even"), digits=3),
    },
    note="A note with <b> & more.",
)
TOY = Protocol("toy", "Toys & <things>", "CSK08", None, None, (TABLE,), head="<Head>")


def test_each_number_says_mean_deviation_published_difference_and_verdict():
    text = report.markdown(TOY, RESULTS)
    assert (
        "| row | 5.0 ± 3.6 [4.5, +0.5] = | 20.0 ± 0.0 [10.25, +9.8] − "
        "| 1.5 ± 0.7 (2) [2, -0.5] | 1.0 ± 0.0 [9, -8.0] + | – [3] |\n"
    ) in text
    assert "| a\\|b <i> | 5.000 ± 3.606 |  |  |  |  |\n" in text
    assert (
        "| | even | worse | part | better | none |\n|---|---|---|---|---|---|" in text
    )
    assert (
        "Of 5 published numbers: 1 match (within 1.5 points), 1 lower, 1 higher, "
        "2 incomplete." in text
    )
    for words in ("# Toys", "## Numbers", "<Head>", "A note with", "Chapelle"):
        assert words in text


class Page(HTMLParser):
    """Words, tags and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words, self.classes = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.classes += [value for name, value in attrs if name == "class" and value]

    def handle_data(self, data):
        self.words.append(data)


def test_the_page_says_the_same_and_escapes_every_text():
    page = Page(report.as_html([TOY], RESULTS))
    for text in (
        "5.0 ± 3.6 [4.5, +0.5] =",
        "20.0 ± 0.0 [10.25, +9.8] −",
        "1.5 ± 0.7 (2) [2, -0.5]",
        "1.0 ± 0.0 [9, -8.0] +",
        "– [3]",
        "Numbers & <more>",
        "A note with <b> & more.",
        "<Head>",
        "a|b <i>",
        "Toys & <things>",
    ):
        assert text in page.words
    assert not {"b", "i", "more", "things", "script"} & set(page.tags)
    assert page.classes == ["matches", "misses", "beats"]


def test_the_page_loads_nothing():
    text = report.as_html([TOY], RESULTS)
    assert "http" not in text.replace("https://doi.org", "")
    assert "src=" not in text


def test_the_overview_counts_cells_and_verdicts():
    text = report.overview([TOY], RESULTS)
    assert "(`toy-1`) | CSK08 | 11 of 15 | 1 | 1 | 1 | 2 |\n" in text
    assert "| **all** | | | **1** | **1** | **1** | **2** |" in text


def test_only_chosen_tables_are_told():
    assert "## Numbers" not in report.markdown(TOY, RESULTS, {"another"})
    assert "Toys" not in report.as_html([TOY], RESULTS, {"another"})


def test_units_and_shares_are_said_in_the_verdict():
    table = Table(
        "t",
        "T",
        {("row", "x"): Entry(cells("even"), 4.9)},
        tolerance=0.05,
        relative=True,
    )
    assert "within 5 % of it" in report.verdict_line(table, RESULTS)
    empty = Table("t", "T", {("row", "x"): Entry(cells("even"))})
    assert report.verdict_line(empty, RESULTS) == ""


def test_a_chosen_candidate_is_named():
    entry = Entry(grid=(("C = 1", cells("even")), ("C = 2", cells("worse"))))
    table = Table("t", "T", {("row", "x"): entry})
    results = {spec: r | {"val": -r["error"]} for spec, r in RESULTS.items()}
    ((_, found),) = report.body(table, results)
    assert found == [("20.0 ± 0.0 at C = 2", "")]


@pytest.mark.parametrize("key", ["toy", "module:NAME"])
def test_the_name_of_a_file_has_no_colon(key):
    named = Protocol(key, "Toy", "CSK08", None, None, (TABLE,))
    assert ":" not in report.file_name(named)
    assert f"({report.file_name(named)}.md)" in report.overview([named], RESULTS)


def test_a_store_that_goes_through_lines_gives_the_same_report(tmp_path):
    with Store(tmp_path / "one.sqlite") as one, Store(tmp_path / "two.sqlite") as two:
        for k, (spec, result) in enumerate(RESULTS.items()):
            for checksum, error in (("old", 0.0), ("new", result["error"] / 7.0)):
                cell = Cell.from_spec(spec)
                when = 1e9 + k + (1000.0 if checksum == "new" else 0.0)
                key = cell.key(checksum, 1)
                kept = Kept(key, cell, checksum, 1, 1, {"error": error}, 0.123, when)
                one.keep(kept)
        lines.write(one.rows(), tmp_path / "cells.jsonl")
        lines.take_in(two, tmp_path / "cells.jsonl")
        assert report.markdown(TOY, one.results()) == report.markdown(
            TOY, two.results()
        )
        assert report.as_html([TOY], one.results()) == report.as_html(
            [TOY], two.results()
        )
        assert len(one) == len(two) == 22


def test_a_number_with_runs_that_a_limit_ended_is_marked():
    ended = {cell.spec: {"capped": int(k == 1)} for k, cell in enumerate(cells("even"))}
    results = {spec: r | ended.get(spec, {}) for spec, r in RESULTS.items()}
    text = report.markdown(TOY, results)
    assert "| row | 5.0 ± 3.6 † [4.5, +0.5] = | 20.0 ± 0.0 [10.25, +9.8] − " in text
    below = (
        "† A limit ended 1 of 11 runs. 8 of 11 runs do not record whether a limit "
        "ended them, and carry no mark."
    )
    assert below in text
    assert below in report.as_html([TOY], results)
    all_told = {spec: {"error": 1.0, "capped": 0} for spec in RESULTS}
    assert report.limits_line(TABLE, all_told) == ""
    assert "†" not in report.number(
        summarise(TABLE, TABLE.entries["row", "even"], all_told), 1
    )
