"""The benchmark page: tables, links, one number's run, stores that are not well."""

import json
import os
import re
import shutil
import sqlite3
import threading
import time
from contextlib import contextmanager, nullcontext

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.benchmarks import opening, plots, shelf, telling, work
from halfmoon.pages._parts.benchmarks.table_choice import (
    BENCHMARKS,
    WORDS,
    TableChoice,
    tables_of,
)
from halfmoon.pages._parts.benchmarks.telling import number, signed, tell
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.screen.link_words import understood, written
from halfmoon.pages._parts.shell import errors, navigation
from halfmoon.scenario import Scenario
from ssl_core.experiments import (
    PROTOCOLS,
    TABLES,
    Store,
    lines,
    place,
    posed,
    summarise,
)
from ssl_core.experiments.progress import Costs
from ssl_core.references import called
from tests.hostile import HOSTILE
from tests.made_store import fill, made_up
from tests.pages.finding import named

SCRIPT = str(navigation.PAGES / "benchmarks.py")
TABLE = TABLES["csk08-8"]
MOONS = ("2moons", "Newton")  # generated data: no file is needed
LITTLE = TABLES["csk08-variants"]


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    """A store of the test's own, not there yet, and nothing that ships."""
    path = tmp_path / "here" / "experiments.sqlite"
    monkeypatch.setenv("HALFMOON_STORE", str(path))
    monkeypatch.setattr(place, "SHIPPED", tmp_path / "shipped")
    return path


def opened(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=60)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def said(app):
    return "\n".join(e.value for e in (*app.markdown, *app.caption))


def drawn(app):
    """What the table's component was sent."""
    (element,) = (
        e
        for e in app.main
        if e.type == "bidi_component" and e.proto.component_name == "halfmoon_published"
    )
    return json.loads(element.proto.json)


# -- what is shown --------------------------------------------------------------------


@pytest.mark.parametrize("key", TABLES)
def test_every_table_opens_with_nothing_computed(key):
    app = opened(table=key)
    declared = TABLES[key]
    paper = called(declared.paper)
    title = f"{paper}, {declared.printed}" if declared.printed else declared.words
    assert [h.value for h in app.header] == [errors.plain(title)]
    table = drawn(app)
    assert [row["name"] for row in table["rows"]] == list(TABLES[key].rows)
    assert [column["name"] for column in table["columns"]] == list(declared.columns)
    assert "not computed yet" in said(app)
    assert f"experiments run {key}" in app.code[0].value


@pytest.mark.parametrize("key", TABLES)
def test_every_table_opens_with_every_number(key, store):
    fill(store, TABLES[key].cells)
    app = opened(table=key)
    assert "are not computed yet" not in said(app)
    for row in drawn(app)["rows"]:
        for told in row["numbers"]:
            assert told is None or told["ours"][0] != telling.TO_COMPUTE


def test_the_verdict_the_numbers_and_the_words_for_screen_readers(store):
    entry = TABLE.entries["g50c", "CCCP"]
    with Store(store) as made:
        made.keep_all(made_up(cell, 6.0 + k % 2) for k, cell in enumerate(entry.cells))
    app = opened(table=TABLE.key)
    assert "Of 40 published numbers: 1 match" in said(app)
    row = TABLE.rows.index("g50c")
    told = drawn(app)["rows"][row]["numbers"][TABLE.columns.index("CCCP")]
    assert told["ours"] == ["6.5", "± 0.5"]
    assert told["paper"] == ["6.3", "= +0.2"]
    assert "Lower is better" in said(app)
    assert told["sentence"] == (
        "g50c, CCCP: ours 6.5 ± 0.5 %, mean and deviation over 10 splits, "
        "published 6.3 %, difference +0.2: matches."
    )


@pytest.mark.parametrize(
    ("mean", "sign", "word"),
    [(6.3, "= 0.0", "matches"), (3.0, "▼ −3.3", "lower"), (9.0, "▲ +2.7", "higher")],
)
def test_a_verdict_is_a_sign_and_for_the_ear_a_word(mean, sign, word):
    entry = TABLE.entries["g50c", "CCCP"]
    results = {cell.spec: {"error": mean} for cell in entry.cells}
    told = tell(TABLE, entry, summarise(TABLE, entry, results))
    assert told.apart == sign
    assert told.sentence.endswith(f": {word}.")
    assert sign[0] in telling.how_to_read(TABLE)


def test_a_number_of_which_some_splits_are_missing_is_not_judged():
    entry = TABLE.entries["g50c", "CCCP"]
    results = {cell.spec: {"error": 6.3} for cell in entry.cells[:4]}
    told = tell(TABLE, entry, summarise(TABLE, entry, results))
    assert told.after == "± 0.0 (4 of 10)"
    assert told.apart == "0.0"
    assert told.kind == ""


def test_differences_have_a_sign_unless_they_are_none():
    assert [signed(v, 1) for v in (0.26, -0.26, 0.04, -0.04)] == [
        "+0.3",
        "−0.3",
        "0.0",
        "0.0",
    ]


def test_what_is_small_is_not_told_as_nothing():
    assert [number(v, 1) for v in (0.0043, 0.0, -0.02, 1234.56)] == [
        "0.0043",
        "0.0",
        "−0.02",
        "1,234.6",
    ]


def test_the_list_of_all_tables_leads_to_each():
    app = opened()
    assert {b.key for b in app.button} == {f"bench_table_{key}" for key in TABLES}
    app.button(key="bench_table_csk08-12").click().run()
    assert not app.exception
    assert dict(app.query_params) == {"table": "csk08-12"}
    named(app.selectbox, "bench_table").select_index(0).run()
    assert dict(app.query_params) == {"paper": "CSK08"}
    named(app.selectbox, "bench_paper").select_index(0).run()
    assert dict(app.query_params) == {}


def test_a_paper_is_chosen_and_then_a_table_by_its_name_there(store):
    app = opened()
    named(app.selectbox, "bench_paper").select("MB11").run()
    assert dict(app.query_params) == {"paper": "MB11"}
    mine = {b.key for b in app.button}
    assert mine == {f"bench_table_{t.key}" for t in tables_of("MB11")}
    tables = named(app.selectbox, "bench_table")
    assert tables.options[1].startswith("Table 4: Error of LapSVM in primal and dual")
    tables.select("mb11-4").run()
    assert not app.exception
    assert dict(app.query_params) == {"table": "mb11-4"}
    assert [h.value for h in app.header] == ["Melacci and Belkin, Table 4"]


def test_a_link_names_a_paper_or_says_that_it_is_not_here():
    app = opened(paper="OITS13")
    assert named(app.selectbox, "bench_paper").value == "OITS13"
    assert "Ogawa" in app.subheader[0].value
    assert "unknown" in opened(paper="nobody").info[0].value


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda t: t.key)
def test_every_column_says_which_of_its_numbers_are_better(table):
    for column in table.columns:
        entries = [e for (_, name), e in table.entries.items() if name == column]
        assert telling.better(entries)


def test_not_everywhere_is_lower_better(store):
    times = TABLES["mb11-3"].entries.values()
    assert telling.better(times) == "higher is better"
    columns = {
        c["name"]: c["better"] for c in drawn(opened(table="csk08-1"))["columns"]
    }
    assert columns["proved, %"] == "higher is better"
    assert columns["error, %"] == "lower is better"


def test_a_duel_is_told_as_its_three_counts_and_a_median_as_such(store):
    """The page told the mean of -1, 0 and 1, and the mean where the median counts."""
    for key, ours in (("oits13-2-duel", r"\d+ / \d+ / \d+"), ("mb11-3", r"[\d.,]+")):
        fill(store, TABLES[key].cells)
        place_of, entry = next(iter(TABLES[key].entries.items()))
        summary = shelf.look().summaries(TABLES[key])[place_of]
        told = tell(TABLES[key], entry, summary)
        assert re.fullmatch(ours, told.ours)
        assert told.after == ""
    assert told.sentence.startswith("median ")
    assert told.ours == number(summary.value, 1)


def test_seconds_are_seconds_in_a_table_of_errors(store):
    table = TABLES["sk07-news"]
    fill(store, table.cells)
    row = drawn(opened(table="sk07-news"))["rows"][0]["numbers"]
    assert [" %, mean" in told["sentence"] for told in row] == [True, False] * 3
    assert [" s, mean" in told["sentence"] for told in row] == [False, True] * 3


def test_what_is_missing_is_explained(store):
    table = TABLES["csk08-8"]
    fill(store, [c for c in table.cells if c.algorithm != "cccp"])
    text = said(opened(table=table.key))
    assert "the paper has no such number" in text
    assert "not computed yet" in text
    assert "standard deviation over the splits" in text
    assert "not part of the table" not in text


def test_a_table_is_shown_without_posing_a_problem(store, monkeypatch):
    fill(store, TABLE.cells)

    def never(*_, **__):
        raise AssertionError("a problem was posed")

    for name in ("data", "load", "Posed"):
        monkeypatch.setattr(f"ssl_core.experiments.protocols.s3vm_review.{name}", never)
    opened(table=TABLE.key)


def test_the_store_is_read_again_only_when_it_has_changed(store):
    fill(store, LITTLE.cells[:3])
    first = shelf.look()
    assert shelf.look() is first
    with Store(store) as other:
        other.keep(made_up(LITTLE.cells[5], 7.0))
    assert len(shelf.look().results) == 4


def test_speed_ups_are_there_for_tables_of_seconds(store):
    for key in ("csk08-3-seconds", "csk08-seconds"):
        fill(store, TABLES[key].cells)
    assert plots.is_time(TABLES["csk08-seconds"])
    assert not plots.is_time(TABLE)
    app = opened(table="csk08-3-seconds")
    assert app.selectbox(key="speed_csk08-3-seconds").value == plots.PUBLISHED
    app.selectbox(key="speed_csk08-3-seconds").select("flat").run()
    assert not app.exception


# -- links ----------------------------------------------------------------------------


def test_a_link_opens_table_number_and_split(store):
    fill(store, TABLE.cells)
    app = opened(table=TABLE.key, row="g50c", column="CCCP", split="3")
    assert named(app.selectbox, "bench_row").value == "g50c"
    assert named(app.selectbox, "bench_column").value == "CCCP"
    assert named(app.selectbox, "bench_split").value == 2
    cell = TABLE.entries["g50c", "CCCP"].cells[2]
    told = app.table[0].value.iloc[:, 0].to_dict()
    assert told["Split"] == "3 of 10"
    assert told["C"] == f"{dict(cell.params)['C']:g}"
    assert app.table[1].value.loc["error"].iloc[0] in ("10", "11", "12")


def link_to(choice):
    """What its link says."""
    return understood(written(choice, WORDS), WORDS, TableChoice())


def test_every_choice_comes_back_from_its_link():
    for key, table in TABLES.items():
        for row, column in table.entries:
            made = TableChoice(key).at(row, column)
            assert link_to(made) == (made, ())
    last = TableChoice(TABLE.key, "g50c", "CCCP", 9)
    assert link_to(last) == (last, ())


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_link_to_what_is_not_there_says_so_in_our_words(text):
    for url in (
        {"table": text},
        {"table": TABLE.key, "row": text, "column": "CCCP"},
        {"table": TABLE.key, "row": "g50c", "column": text},
        {"table": TABLE.key, "row": "g50c", "column": "CCCP", "split": text},
    ):
        found, remarks = understood(url, WORDS, TableChoice())
        assert len(remarks) == 1
        assert not text or text not in remarks[0]
        assert link_to(found) == (found, ())


@pytest.mark.parametrize("split", ["0", "11", "-1", "1e3", "٣", "9" * 400, "", "1.0"])
def test_a_split_that_is_not_there_is_the_first(split):
    url = {"table": TABLE.key, "row": "g50c", "column": "CCCP", "split": split}
    assert understood(url, WORDS, TableChoice())[0].split == 0


def test_a_bad_link_is_told_on_the_page_and_once():
    app = opened(table="nonsense")
    assert "unknown" in app.info[0].value
    app.button(key="bench_table_csk08-1").click().run()
    assert not app.info


def test_row_and_column_can_be_chosen_without_the_table():
    app = opened(table="csk08-1")
    named(app.selectbox, "bench_row").select("Coil3").run()
    assert not app.exception
    assert app.query_params["row"] == "Coil3"
    named(app.selectbox, "bench_column").select("CPU s").run()
    assert app.query_params["column"] == "CPU s"


# -- into the playground --------------------------------------------------------------


def a_cell(data, algorithm):
    cells = PROTOCOLS["s3vm_review"].cells
    return next(
        c for c in cells if dict(c.problem)["data"] == data and c.algorithm == algorithm
    )


def test_a_cell_opens_with_its_own_labels_and_parameters():
    cell = a_cell("g50c", "cccp")
    found = opening.opening(cell)
    if isinstance(found, str):
        pytest.skip(found)
    own = PROTOCOLS["s3vm_review"].pose(dict(cell.problem))
    again, remarks = Scenario.from_url(found.scenario.to_url())
    assert remarks == []
    assert again.solving == found.scenario.solving
    given = {int(row): int(own.y[row]) for row in own.split.labeled}
    assert dict(again.labels.hand) == given
    for name, value in cell.params:
        assert again.params[name] == value
    problem = RunServer(1).pose(again)
    assert (problem.given == own.given).all()
    assert abs(problem.X - own.X).max() == 0


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (a_cell("2moons", "newton_s3vm"), "mix two draws"),
        (a_cell("text", "lapsvm_s3vm"), "must be a number in"),
    ],
)
def test_what_the_playground_cannot_show_is_a_sentence(cell, words):
    found = opening.opening(cell)
    if "needs its data" in str(found):
        pytest.skip(found)
    assert words in found


def test_data_that_are_not_here_are_a_sentence_and_nothing_is_fetched(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("HALFMOON_DATA", str(tmp_path))
    monkeypatch.setenv("HALFMOON_CACHE", str(tmp_path))
    opening._made.cache_clear()
    posed.forget()
    found = opening.opening(a_cell("uspst", "cccp"))
    posed.forget()
    assert "needs its data" in found
    assert not list(tmp_path.rglob("downloads"))


def test_the_page_says_why_a_run_cannot_be_opened(store):
    fill(store, TABLE.cells)
    app = opened(table=TABLE.key, row=MOONS[0], column=MOONS[1])
    assert "mix two draws" in app.info[0].value
    assert "bench_open" not in {b.key for b in app.button}


# -- stores that are not well ---------------------------------------------------------


def ship(cells):
    place.SHIPPED.mkdir(exist_ok=True)
    lines.write([made_up(cell, 3.0) for cell in cells], place.SHIPPED / "a.jsonl")


def test_without_a_store_what_ships_is_shown_and_nothing_is_written(store):
    ship(LITTLE.cells)
    app = opened(table=LITTLE.key)
    assert "not computed yet" not in said(app)
    assert not app.warning
    assert not store.parent.exists()


@pytest.mark.parametrize("content", [b"", None], ids=["no bytes", "no cells"])
def test_an_empty_store_shows_what_ships(store, content):
    ship(LITTLE.cells)
    store.parent.mkdir()
    if content is None:
        Store(store).close()
    else:
        store.write_bytes(content)
    app = opened(table=LITTLE.key)
    assert "not computed yet" not in said(app)


def test_a_store_that_is_none_is_told_and_what_ships_is_shown(store):
    ship(LITTLE.cells[:-1])
    store.parent.mkdir()
    store.write_bytes(b"this is no database at all, whatever its name says" * 40)
    app = opened(table=LITTLE.key)
    assert "damaged" in app.warning[0].value
    assert "1 of 80 trainings are not computed yet" in said(app)
    assert "benchmark_compute" not in {b.key for b in app.button}
    assert f"run {LITTLE.key}" in app.code[0].value


def test_a_folder_in_the_place_of_the_store_is_told(store):
    store.mkdir(parents=True)
    app = opened(table=LITTLE.key)
    assert app.warning


def test_a_store_below_a_file_is_told(store):
    store.parent.write_text("a file where a folder should be")
    app = opened()
    assert app.warning


def test_a_store_that_cannot_be_written_is_shown_and_nothing_can_be_run(
    store, monkeypatch
):
    fill(store, LITTLE.cells[:-1])
    monkeypatch.setattr(shelf.os, "access", lambda *_: False)
    app = opened(table=LITTLE.key)
    assert "cannot be written" in app.warning[0].value
    assert drawn(app)["rows"][0]["numbers"][0]["ours"][0] != telling.TO_COMPUTE
    assert "benchmark_compute" not in {b.key for b in app.button}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_files_and_folders_are_known_before_a_run(store):
    fill(store, LITTLE.cells[:1])
    store.chmod(0o444)
    assert not shelf.may_write(store)
    store.chmod(0o644)
    store.parent.chmod(0o555)
    assert not shelf.may_write(store)
    store.parent.chmod(0o755)


def test_a_store_whose_writer_was_killed_is_read(store, tmp_path):
    """Its journal has to be played back, which a reader may not do by itself."""
    fill(store, LITTLE.cells[:2])
    db = sqlite3.connect(store, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    row = "INSERT INTO cells VALUES (hex(randomblob(16)), ?, '', 1, 1, '{}', 1, 1)"
    for _ in range(300):
        db.execute(row, ("x" * 500,))
    copy = tmp_path / "copy" / store.name
    copy.parent.mkdir()
    for end in ("", "-journal"):
        shutil.copy(f"{store}{end}", f"{copy}{end}")
    db.execute("ROLLBACK")
    db.close()
    os.environ["HALFMOON_STORE"] = str(copy)  # the fixture's monkeypatch puts it back
    found = shelf.look()
    assert found.trouble == ""
    assert len(found.results) == 2


def test_two_writes_at_the_same_moment_are_both_seen(store):
    """The time and the size of a file may be the same before and after a write."""
    fill(store, LITTLE.cells[:1])
    before = store.stat()
    assert len(shelf.look().results) == 1
    fill(store, LITTLE.cells[1:2])
    os.utime(store, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert store.stat().st_size == before.st_size
    assert len(shelf.look().results) == 2


def test_shipped_cells_that_cannot_be_read_are_told(store):
    place.SHIPPED.mkdir()
    (place.SHIPPED / "a.jsonl").write_text("nonsense\n", encoding="utf-8")
    app = opened(table=LITTLE.key)
    assert "line 1" in app.warning[0].value


# -- runs from the page ---------------------------------------------------------------

ENTRY = TABLES["csk08-variants"].entries["2moons, noise 0.05", "S3VM-light, all pairs"]


def costs_of(store, seconds):
    fill(store, ENTRY.cells[:1], seconds=seconds)
    with Store(store) as open_one:
        return Costs(open_one)


def test_short_cells_are_offered_long_and_unknown_ones_are_not(store):
    costs = costs_of(store, seconds=0.2)
    unknown = a_cell("coil3", "branch_and_bound")
    offer = work.offer([*ENTRY.cells, unknown], costs)
    assert set(offer.small) == set(ENTRY.cells)
    assert offer.long == (unknown,)
    assert offer.seconds == pytest.approx(2.0)


def test_a_cell_that_takes_long_is_for_the_command_line(store):
    costs = costs_of(store, seconds=work.CELL_SECONDS + 1)
    offer = work.offer(ENTRY.cells, costs)
    assert not offer.small
    assert len(offer.long) == len(ENTRY.cells)


def test_one_run_takes_no_more_than_its_time(store):
    costs = costs_of(store, seconds=work.CELL_SECONDS)
    offer = work.offer(TABLES["csk08-variants"].cells, costs)
    assert offer.seconds <= work.RUN_SECONDS


def test_the_command_line_names_what_is_missing_and_no_more():
    cells = TABLE.entries["g50c", "CCCP"].cells
    line = work.command(TABLE.key, cells, TABLE.cells)
    assert line == ("halfmoon experiments run csk08-8 --data g50c --algorithms cccp")
    assert work.command(TABLE.key, TABLE.cells, TABLE.cells).endswith("run csk08-8")


def free(_given_up):
    return nullcontext()


def test_a_run_computes_cells_and_keeps_them(store):
    fill(store, ENTRY.cells[:1])
    job = work.Computing(ENTRY.cells[1:3], free)
    job.start()
    assert job.wait(120)
    assert (job.trouble, job.ended, job.news.done) == ((), "", 2)
    with Store(store, readonly=True) as kept:
        results = kept.results()
    assert len(results) == 3
    assert 0 <= results[ENTRY.cells[1].spec]["error"] <= 100
    assert work._under_way == set()


def test_a_stopped_run_begins_no_further_cell_and_keeps_what_is_finished(store):
    fill(store, ENTRY.cells[:1])
    turns = threading.Semaphore(1)

    @contextmanager
    def one_then_wait(given_up):
        while not turns.acquire(timeout=0.05):
            if given_up():
                raise ValueError("stopped before its turn came")
        yield

    turns.release()  # one for looking up what is to do, one for a cell
    job = work.Computing(ENTRY.cells[1:], one_then_wait)
    job.start()
    end = time.monotonic() + 120
    while not job.news.done and time.monotonic() < end:
        time.sleep(0.02)
    assert not job.over
    job.stop()
    assert job.wait(10)
    assert (job.ended, job.trouble, job.news.done) == (work.STOPPED, (), 1)
    with Store(store) as again:
        assert len(again.results()) == 2
        claims = again._db.execute("SELECT count(*) FROM claims").fetchone()
    assert claims == (0,)


def test_a_run_at_which_nobody_looks_ends(store, monkeypatch):
    monkeypatch.setattr(work, "ABANDONED", -1.0)
    job = work.Computing(ENTRY.cells, free)
    job.start()
    assert job.wait(60)
    assert job.ended == work.LEFT
    assert job.news.done == 0


def test_what_goes_wrong_with_the_store_is_a_sentence(store, monkeypatch):
    store.parent.mkdir()
    store.write_bytes(b"no database" * 100)
    job = work.Computing(ENTRY.cells[:1], free)
    job.start()
    assert job.wait(60)
    assert "damaged" in job.trouble[0]


def test_a_full_disk_is_a_sentence(store, monkeypatch):
    fill(store, ENTRY.cells[:1])

    def full(self, kept):
        with self._store_errors():
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Store, "keep_all", full)
    job = work.Computing(ENTRY.cells[1:3], free)
    job.start()
    assert job.wait(120)
    assert "disk is full" in job.trouble[0]


def test_data_that_are_not_here_are_told_and_not_fetched(store, tmp_path, monkeypatch):
    monkeypatch.setenv("HALFMOON_DATA", str(tmp_path))
    monkeypatch.setenv("HALFMOON_CACHE", str(tmp_path))
    posed.forget()
    job = work.Computing([a_cell("uspst", "cccp")], free)
    job.start()
    assert job.wait(60)
    assert "One training cannot be computed here" in job.trouble[0]
    assert not list(tmp_path.rglob("downloads"))


def test_so_many_runs_at_once_and_no_more(store, monkeypatch):
    monkeypatch.setattr(work, "MOST_RUNS", 0)
    with pytest.raises(ValueError, match="try again"):
        work.Computing(ENTRY.cells, free).start()


def test_a_run_waits_for_its_place_on_the_server_and_can_be_stopped_there():
    server = RunServer(1)
    with server.slot("one", bool):
        job = work.Computing(ENTRY.cells[:1], lambda up: server.slot("two", up))
        job.start()
        time.sleep(0.3)
        assert not job.over
        job.stop()
        assert job.wait(30)
    assert job.ended == work.STOPPED
    assert job.trouble == ()


def test_a_run_that_ends_while_the_store_is_read_is_shown_with_all_its_results(
    store, monkeypatch
):
    """A page that shows the end of a run beside what was there before never learns."""
    fill(store, [*set(LITTLE.cells) - set(ENTRY.cells), ENTRY.cells[0]])
    app = opened(table=LITTLE.key)
    read = shelf.look

    def slowly():
        found = read()
        if "run" in BENCHMARKS.holder.made:
            assert BENCHMARKS.holder.made["run"][1].wait(120)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(shelf, "look", slowly)
        app.button(key="benchmark_compute").click().run()
    assert not app.exception
    assert "9 trainings of 9 computed" in app.info[0].value
    assert "are not computed yet" not in said(app)


def test_results_stream_into_the_page_and_the_run_can_be_stopped(store):
    place_of = "2moons, noise 0.05", "S3VM-light, all pairs"
    fill(store, [*set(LITTLE.cells) - set(ENTRY.cells), ENTRY.cells[0]])
    app = opened(table=LITTLE.key, row=place_of[0], column=place_of[1])
    app.button(key="benchmark_number").click().run()
    assert not app.exception
    end = time.monotonic() + 120
    while "benchmark_stop" in {b.key for b in app.button}:
        assert time.monotonic() < end
        time.sleep(0.3)
        app.run()
    assert not app.exception
    assert not app.warning
    assert "9 trainings of 9 computed" in app.info[0].value
    assert "are not computed yet" not in said(app)
    app.button(key="benchmark_dismiss").click().run()
    assert "computed for" not in "".join(i.value for i in app.info)
