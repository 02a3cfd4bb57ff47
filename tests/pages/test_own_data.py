"""Files of visitors' own: read once, opened within bounds, nobody's pushed out."""

import json

import pytest

from halfmoon.pages._parts.export import files
from halfmoon.pages._parts.running import run_server
from halfmoon.pages._parts.running.cache import FileCache
from halfmoon.pages._parts.running.run_server import RunServer, digest_of
from halfmoon.pages._parts.widgets import own_data
from halfmoon.scenario import UPLOAD, Upload, default, saved_file
from tests.datasets import bombs
from tests.pages.finding import named
from tests.pages.test_playground import GOOD, open_app, sound

DIGEST = digest_of(GOOD)


@pytest.fixture
def reads(monkeypatch):
    """The files that were parsed, each time by which options."""
    seen = []
    real = saved_file.read_table

    def counted(content, name, **options):
        seen.append((name, options["label_column"], options["feature_columns"]))
        return real(content, name, **options)

    monkeypatch.setattr(saved_file, "read_table", counted)
    return seen


# -- read once -----------------------------------------------------------------------


def test_an_upload_is_parsed_once_however_often_the_page_runs(reads):
    scenario = own_data.accept(GOOD, "often.csv", default())
    app = open_app(scenario)
    for _ in range(3):
        sound(app.run())
    assert reads == [("often.csv", None, None)]
    named(app.multiselect, "upload_features").set_value(["u"])
    sound(app.run())
    named(app.selectbox, "upload_scale").select("none")  # scaling is not parsing
    sound(app.run())
    assert reads[1:] == [("often.csv", None, ("u",))]


def test_a_sentence_about_a_bad_file_is_remembered_too(reads):
    server = RunServer(1)
    upload = Upload(server.keep_file(GOOD), "twice.csv", label_column="nothing")
    for _ in range(2):
        with pytest.raises(ValueError, match="has no column 'nothing'"):
            server.table(upload)
    assert len(reads) == 1


def test_tables_are_kept_up_to_so_many_bytes_options_counted(monkeypatch):
    monkeypatch.setattr(run_server, "TABLE_BYTES", 50_000)
    server = RunServer(1)
    digest = server.keep_file(GOOD)
    for i in range(100):  # a stranger's links, each with a long list of columns
        upload = Upload(digest, "t.csv", "kind", (f"{i}" * 1000,))
        with pytest.raises(ValueError, match="has no column"):
            server.table(upload)
    assert len(server.tables) < 20


def test_a_new_draw_does_not_copy_the_file():
    server = RunServer(1)
    scenario = default().with_data(UPLOAD, Upload(server.keep_file(GOOD), "t.csv"))
    assert server.base(scenario) is server.base(scenario.with_seed(7))


def test_a_bad_file_is_not_kept():
    own = own_data.runs.server()
    content = b"a,b\nred,blue\ngreen,red\n"
    with pytest.raises(ValueError, match="no numeric column"):
        own_data.accept(content, "words.csv", default())
    assert own.files.get(digest_of(content)) is None


# -- saved files ---------------------------------------------------------------------


def test_of_many_files_in_a_saved_scenario_only_the_named_one_is_unpacked(monkeypatch):
    unpacked = []
    real = saved_file._unpacked

    def counted(text):
        unpacked.append(len(text))
        return real(text)

    monkeypatch.setattr(saved_file, "_unpacked", counted)
    saved, _ = bombs.many_files()
    scenario, remarks, content = files.read_saved(saved)
    assert len(json.loads(saved)["files"]) == 200
    assert len(unpacked) == 1
    assert digest_of(content) == scenario.upload.digest
    assert remarks == []


@pytest.mark.parametrize(
    "text",
    [
        bombs.packed(b"another file"),
        "no base64 !",
        bombs.packed(GOOD)[:-8],
        bombs.packed(GOOD) + bombs.packed(b"more"),
        bombs.packed(bytes(saved_file.MAX_FILE + 1)),
        "",
        "é",
    ],
    ids=["other", "letters", "cut", "more", "large", "empty", "not ascii"],
)
def test_a_damaged_or_foreign_file_in_a_saved_scenario_is_refused(text):
    saved = bombs.scenario_with({DIGEST: text}, DIGEST)
    scenario, remarks, content = files.read_saved(saved)
    assert scenario.upload.digest == DIGEST
    assert content is None
    assert remarks == ["The data inside the file are damaged."]


def test_a_false_digest_cannot_replace_another_visitors_file():
    server = own_data.runs.server()
    server.keep_file(GOOD)
    app = open_app()
    saved = bombs.scenario_with({DIGEST: bombs.packed(b"a,b\n1,2\n")}, DIGEST)
    app.session_state["menu_save"] = True
    app.run()
    app.file_uploader(key="opened").set_value(("x.json", saved, "application/json"))
    app.run()
    assert not app.exception
    assert server.files.get(DIGEST) == GOOD


def test_a_saved_scenario_that_is_too_large_is_refused_before_it_is_read(monkeypatch):
    def fail(text, default):
        raise AssertionError("it must not be parsed")

    monkeypatch.setattr(saved_file.file, "from_json", fail)
    _, remarks, content = files.read_saved(bombs.too_large()[0])
    assert content is None
    assert remarks == ["A saved scenario has at most 8 MB; this is larger."]


# -- one cache for all ---------------------------------------------------------------


BYTES = bytes(4_000)


def test_a_visitor_who_brings_many_files_gives_up_their_own():
    cache = FileCache(10_000)
    cache.bring("quiet", BYTES, "anne")
    for i in range(20):
        cache.bring(f"loud {i}", BYTES, "bob")
    assert cache.get("quiet") == BYTES
    assert len(cache) == 2
    assert len(cache._owner) <= 3  # owners of files that went are forgotten


def test_a_file_that_two_visitors_brought_belongs_to_none():
    cache = FileCache(10_000)
    cache.bring("class", BYTES, "anne")
    cache.bring("own", BYTES, "bob")
    cache.bring("class", BYTES, "bob")
    cache.bring("new", BYTES, "bob")
    assert cache.get("class") is not None
    assert cache.get("own") is None


def test_a_file_in_use_is_not_the_next_to_go(monkeypatch):
    monkeypatch.setattr(run_server, "FILE_BYTES", 2.5 * len(GOOD) + 300)
    server = RunServer(1)
    used = default().with_data(UPLOAD, Upload(server.keep_file(GOOD, "anne"), "t.csv"))
    server.base(used)
    for visitor in ("bob", "cleo", "dora"):
        server.keep_file(GOOD.replace(b"a", visitor.encode()), visitor)
        server.base(used)  # anne's page runs again
    assert server.files.get(used.upload.digest) == GOOD
