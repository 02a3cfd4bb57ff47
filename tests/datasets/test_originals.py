"""Benchmarks from their original files: downloaded, checked, converted, kept.

The real hosts are not asked: a server on this machine has small files of the same form.
What the real files have to become is compared with the benchmark files, where they are.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from halfmoon.datasets import (
    DATASETS,
    DatasetUnavailable,
    download,
    load,
    originals,
    store,
)
from halfmoon.datasets.__main__ import main
from halfmoon.datasets.originals import Original
from tests.datasets import made_originals as made

ROOT = Path(__file__).parents[2]
FILES = {e.file: e.fetch for e in DATASETS.values() if isinstance(e.fetch, Original)}
KINDS = {
    "dense with splits": made.chapelle_zien,
    "sparse with splits": lambda: made.chapelle_zien(sparse=True),
    "SSL book": made.ssl_book,
    "secondary structure": made.secstr,
    "COIL": made.coil,
    "svmlight": made.svmlight,
    "svmlight in two parts": lambda: made.svmlight(parts=True),
    "faces": made.faces,
}


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """An empty data folder, an empty cache, and a working folder without data."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    (tmp_path / "working").mkdir()
    data.mkdir()
    monkeypatch.chdir(tmp_path / "working")
    monkeypatch.setenv("HALFMOON_DATA", str(data))
    monkeypatch.setenv("HALFMOON_CACHE", str(cache))
    return data, cache


@pytest.fixture
def host(folders, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    found = made.Host()
    with made.served(found) as address:
        monkeypatch.setattr(download, "RAW", address)
        yield found


def assert_same(found, expected):
    if sp.issparse(expected.X):
        assert sp.issparse(found.X)
        assert (found.X != expected.X).nnz == 0
    else:
        np.testing.assert_array_equal(found.X, expected.X)
    np.testing.assert_array_equal(found.y, expected.y)
    assert found.extras.keys() == expected.extras.keys()
    for name, rows in expected.extras.items():
        np.testing.assert_array_equal(found.extras[name], rows)


def left_over(cache):
    """Files of a cache that are not locks."""
    paths = (path for path in cache.rglob("*") if path.is_file())
    return sorted(path.name for path in paths if path.suffix != ".lock")


# -- the table -----------------------------------------------------------------------


def test_every_benchmark_has_a_network_source():
    assert all(entry.fetch for entry in DATASETS.values() if entry.file)
    assert len(FILES) == 16


@pytest.mark.parametrize("stem", FILES)
def test_what_an_original_has_to_become_is_the_benchmark_file(stem):
    path = store.local_file(stem)
    if path is None:
        pytest.skip(f"{stem}.npz is in no local data folder")
    raw = store.read_npz(path)
    assert store.content_sha256(raw) == FILES[stem].content
    commit = {file.commit for file in FILES[stem].files}
    assert commit == {raw.meta["source_commit"]}


def test_the_documentation_names_every_file_and_its_place():
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    for stem, fetch in FILES.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{stem}`"))
        first = fetch.files[0]
        number = re.match(r"SSL,set=\d,", first.name)
        assert (number[0] if number else first.name) in row
        folder = first.path.rpartition("/")[0]
        place = f"https://github.com/{first.repo}/tree/{first.commit}/{folder}"
        assert f"[{first.repo}]({place.rstrip('/')})" in text


def test_addresses_are_pinned_to_a_commit_and_safe_in_a_url():
    for fetch in FILES.values():
        for file in fetch.files:
            assert re.fullmatch("[0-9a-f]{40}", file.commit)
            assert re.fullmatch("[0-9a-f]{64}", file.sha256)
            assert re.fullmatch(r"https://[\w./%-]+", file.url)
            assert 0 < file.size < 5e6
    first = originals.SSL_TEXT.files[0]
    assert first.url.endswith("/data/SSL%2Cset%3D9%2Cdata.mat")


def test_the_digest_of_the_content_sees_every_number_and_nothing_else():
    _, raw, _ = made.chapelle_zien(sparse=True)
    known = store.content_sha256(raw)
    assert store.content_sha256(replace(raw, meta={"title": "other"})) == known
    swapped = raw.X.data.astype(raw.X.dtype.newbyteorder())
    other = sp.csr_matrix((swapped, raw.X.indices, raw.X.indptr), shape=raw.X.shape)
    assert store.content_sha256(replace(raw, X=other)) == known
    changed = raw.X.copy()
    changed.data[-1] = np.nextafter(changed.data[-1], 9, dtype=np.float32)
    labels = raw.y[::-1].copy()
    wider = sp.csr_matrix(
        (raw.X.data, raw.X.indices, raw.X.indptr),
        shape=(raw.X.shape[0], raw.X.shape[1] + 1),
    )
    splits = raw.extras | {"idx_lab": raw.extras["idx_lab"][::-1]}
    for change in ({"X": changed}, {"X": wider}, {"y": labels}, {"extras": splits}):
        assert store.content_sha256(replace(raw, **change)) != known


# -- success -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_files_are_downloaded_converted_and_kept(kind, host, folders):
    _, cache = folders
    fetch, raw, contents = KINDS[kind]()
    host.put(contents)
    found = store.read("thing", fetch)
    assert_same(found, raw)
    assert found.meta["source_repo"] == "GitHub someone/some-data"
    assert found.meta["source_commit"] == made.COMMIT
    assert len(host.asked) == len(contents)
    assert_same(store.read("thing", fetch), raw)  # from the cache
    assert len(host.asked) == len(contents)
    assert left_over(cache) == ["thing.npz", "thing.npz.sha256"]
    # Where files were downloaded otherwise, what is kept has the same content.
    assert store.content_sha256(store.read_npz(cache / "thing.npz")) == fetch.content


def test_a_benchmark_is_loaded_by_its_name(host, monkeypatch):
    fetch, raw, contents = made.svmlight()
    host.put(contents)
    entry = replace(DATASETS["fourclass"], fetch=fetch)
    monkeypatch.setitem(DATASETS, "fourclass", entry)
    data = load("fourclass", progress=lambda fraction, text: None)
    np.testing.assert_array_equal(data.X, raw.X)
    assert data.meta["origin"]["source_commit"] == made.COMMIT


class Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_pickle_is_read_and_never_run(host, folders, tmp_path):
    fetch, raw, contents = made.faces(Evil(tmp_path / "harm"))
    host.put(contents)
    assert_same(store.read("thing", fetch), raw)
    assert not (tmp_path / "harm").exists()


# -- failure -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("not found", "answered 404 Not Found for made.mat"),
        ("web page", "a web page arrived .* ask for a login"),
        ("other bytes", "the SHA-256 of made.mat from .* is not"),
        ("too long", "sends more than the"),
        ("too short", "broke after"),
        ("reset", "the connection to .* broke"),
        ("silent", "sent nothing for 0.1 seconds"),
        ("slow", "took longer than 0.05 seconds"),
    ],
)
def test_a_fault_is_one_sentence_and_leaves_no_half_file(
    fault, words, host, folders, monkeypatch
):
    _, cache = folders
    if fault == "silent":  # a busy machine is silent for a moment, too
        monkeypatch.setattr(download, "SILENCE", 0.1)
    if fault == "slow":
        monkeypatch.setattr(download, "LONGEST", 0.05)
    fetch, raw, contents = made.chapelle_zien()
    host.put(contents)
    host.fault = fault
    with pytest.raises(DatasetUnavailable, match=words) as error:
        store.read("thing", fetch)
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert fetch.files[0].url in text
    assert "`halfmoon data fetch thing`" in text
    assert "`halfmoon data convert`" in text
    assert left_over(cache) == []
    host.go_on.set()
    host.fault = ""
    monkeypatch.undo()
    assert_same(fetch.made_of([_written(cache, contents)]), raw)


def _written(folder, contents):
    ((name, content),) = contents.items()
    path = folder / name.rpartition("/")[2]
    path.write_bytes(content)
    return path


def test_after_a_fault_only_what_is_missing_is_fetched(host, folders):
    _, cache = folders
    fetch, raw, contents = made.ssl_book()
    host.put(contents)
    host.fault, host.only = "too short", "labeled=100.mat"
    with pytest.raises(DatasetUnavailable, match="broke after"):
        store.read("thing", fetch)
    assert left_over(cache) == [
        "SSL,set=1,data.mat",
        "SSL,set=1,splits,labeled=10.mat",
    ]
    host.asked.clear()
    host.fault = ""
    assert_same(store.read("thing", fetch), raw)
    assert host.asked == ["SSL,set=1,splits,labeled=100.mat"]


def test_what_a_killed_process_left_does_not_count(host, folders):
    _, cache = folders
    fetch, raw, contents = made.chapelle_zien()
    host.put(contents)
    folder = cache / "downloads" / "thing"
    folder.mkdir(parents=True)
    (folder / "made.mat").write_bytes(b"other bytes")
    (folder / "made.mat.part").write_bytes(b"half a file" * 10_000)
    assert_same(store.read("thing", fetch), raw)
    assert left_over(cache) == ["thing.npz", "thing.npz.sha256"]


def test_other_points_than_those_of_the_benchmark_are_refused(host, folders):
    _, cache = folders
    fetch, _, contents = made.coil()
    host.put(contents)
    with pytest.raises(DatasetUnavailable, match="are not those of the benchmark"):
        store.read("thing", replace(fetch, content="0" * 64))
    assert left_over(cache) == []


def test_a_closed_port_is_one_sentence(folders, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with made.served(made.Host()) as address:
        monkeypatch.setattr(download, "RAW", address)
    fetch, *_ = made.coil()
    with pytest.raises(DatasetUnavailable, match=r"could not be fetched \(127.0.0.1:"):
        store.read("thing", fetch)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_one_sentence_and_leaves_no_half_file(host, folders):
    _, cache = folders
    fetch, _, contents = made.chapelle_zien()
    host.put(contents)
    folder = cache / "downloads" / "thing"
    folder.mkdir(parents=True)
    (folder / "made.mat.part").symlink_to("/dev/full")
    with pytest.raises(DatasetUnavailable, match="has no room; set HALFMOON_CACHE"):
        store.read("thing", fetch)
    assert left_over(cache) == []


def test_a_cache_that_cannot_be_written_is_one_sentence(host, folders, monkeypatch):
    data, _ = folders
    (data / "file").write_text("no folder")
    monkeypatch.setenv("HALFMOON_CACHE", str(data / "file" / "cache"))
    fetch, _, contents = made.coil()
    host.put(contents)
    with pytest.raises(DatasetUnavailable, match=r"cannot be written .*; set HALFMOON"):
        store.read("thing", fetch)
    assert host.asked == []


# -- processes -----------------------------------------------------------------------

SCRIPT = """
import sys
from halfmoon.datasets import DATASETS, download
from halfmoon.datasets.__main__ import main
from dataclasses import replace
from tests.datasets import made_originals as made
download.RAW = {address!r}
fetch, *_ = made.ssl_book()
DATASETS["ssl_coil"] = replace(DATASETS["ssl_coil"], fetch=fetch)
sys.exit(main(["fetch", "ssl_coil"]))
"""


def fetching(address):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(address=address)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_two_processes_share_one_download_and_an_interrupted_one_leaves_nothing(
    host, folders
):
    _, cache = folders
    _, raw, contents = made.ssl_book()
    host.put(contents)
    host.fault, host.only = "held", "labeled=10.mat"
    processes = [fetching(download.RAW)]
    (first,) = processes
    try:
        wait_until(lambda: len(host.asked) == 2)
        others = [fetching(download.RAW), fetching(download.RAW)]
        processes += others
        first.send_signal(signal.SIGINT)
        _, said = first.communicate(timeout=60)
        assert first.returncode == 130
        assert "Stopped" in said
        host.fault = ""
        host.go_on.set()
        for other in others:
            out, said = other.communicate(timeout=60)
            assert (other.returncode, said) == (0, "")
            assert out == f"ssl_coil: {cache / 'ssl_coil.npz'}\n"
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert host.asked.count("SSL,set=1,data.mat") == 1
    assert host.asked.count("SSL,set=1,splits,labeled=100.mat") == 1
    assert left_over(cache) == ["ssl_coil.npz", "ssl_coil.npz.sha256"]
    assert_same(store.read_npz(cache / "ssl_coil.npz"), raw)


def test_a_lock_is_held_by_one_and_given_back(tmp_path):
    inside, most = [], []

    def work():
        with store.only_process(tmp_path / "folder" / "x.lock"):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.05)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1, 1, 1]


# -- sentences -----------------------------------------------------------------------


def test_a_data_set_says_how_it_is_had_until_it_is_here(folders):
    data, _ = folders
    entry = DATASETS["coil3"]
    assert entry.absence() == (
        "Coil3: three cars is not on this machine; `halfmoon data fetch coil20` "
        "downloads it."
    )
    store.write_npz(data / "coil20.npz", store.Raw(np.ones((2, 1)), np.array([0, 1])))
    assert entry.absence() == DATASETS["two_moons"].absence() == ""


def test_without_a_network_the_sentence_says_what_to_save_where(folders):
    with store.at_hand_only(), pytest.raises(DatasetUnavailable) as error:
        load("svmguide4")
    text, fetch = str(error.value), originals.SVMGUIDE4
    assert error.value.command == "halfmoon data fetch svmguide4"
    assert f"save svmguide4.ds and svmguide4.t.ds from {fetch.address}" in text
    assert "put svmguide4.npz into a folder and set HALFMOON_DATA to it" in text


# -- where files are looked for ------------------------------------------------------


def test_the_named_folder_comes_first_then_the_working_folder_then_the_cache(
    folders, tmp_path, monkeypatch
):
    data, cache = folders
    working = tmp_path / "working" / "data"
    working.mkdir()
    one = store.Raw(np.ones((2, 1)), np.array([0, 1]))
    for value, folder in ((3, cache), (2, working), (1, data)):
        store.write_npz(folder / "thing.npz", replace(one, X=one.X * value))
        assert store.find("thing") == folder / "thing.npz"
        assert store.read("thing").X[0, 0] == value
    monkeypatch.setattr(store, "INSTALLED", True)
    assert store.local_folders() == (data, working)


# -- the command ---------------------------------------------------------------------


@pytest.fixture
def small(host, monkeypatch):
    """Two benchmarks whose files are small ones of the server."""
    for name, make in (("fourclass", made.svmlight), ("ssl_coil", made.ssl_book)):
        fetch, _, contents = make()
        host.put(contents)
        monkeypatch.setitem(DATASETS, name, replace(DATASETS[name], fetch=fetch))
    everything = [name for name, entry in DATASETS.items() if entry.file]
    for name in everything:
        if name not in ("fourclass", "ssl_coil"):
            monkeypatch.delitem(DATASETS, name)
    return host


def test_list_says_what_is_here_and_where_the_rest_comes_from(small, folders, capsys):
    data, _ = folders
    _, raw, _ = made.svmlight()
    store.write_npz(data / "fourclass.npz", raw)
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert re.search(rf"fourclass +0.00 MB +{re.escape(str(data))}/fourclass.npz", out)
    assert re.search(r"ssl_coil +0.00 MB +GitHub someone/some-data +ssl_coil", out)
    assert "1 of 2 files are on this machine." in out
    assert small.asked == []


def test_fetch_gets_what_is_named_or_all_that_are_not_here(small, folders, capsys):
    _, cache = folders
    assert main(["fetch", "fourclass"]) == 0
    assert capsys.readouterr().out == f"fourclass: {cache / 'fourclass.npz'}\n"
    assert main(["fetch", "--all"]) == 0
    assert capsys.readouterr().out == f"ssl_coil: {cache / 'ssl_coil.npz'}\n"
    assert len(small.asked) == 4


def test_fetch_to_a_folder_makes_a_folder_of_data(
    small, folders, tmp_path, monkeypatch
):
    to = tmp_path / "new" / "folder"
    assert main(["fetch", "--all", "--to", str(to)]) == 0
    monkeypatch.setenv("HALFMOON_CACHE", str(tmp_path / "other"))
    monkeypatch.setenv("HALFMOON_DATA", str(to))
    _, raw, _ = made.ssl_book()
    assert_same(store.read("ssl_coil"), raw)


def test_fetch_goes_on_after_a_failure_and_says_so(small, folders, capsys):
    small.fault, small.only = "not found", "made.train"
    assert main(["fetch", "--all"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("ssl_coil: ")
    assert "fourclass could not be fetched" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fetch"], "Name data sets, or give --all"),
        (["fetch", "--all", "fourclass"], "Name data sets, or give --all"),
        (["fetch", "moon"], "no benchmark moon; there are fourclass, ssl_coil"),
        (["convert", "moon.mat"], "moon.mat cannot be used: No such file"),
    ],
)
def test_a_wrong_command_is_answered_in_a_sentence(words, said, small, capsys):
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


def test_convert_knows_files_by_content_or_name(small, folders, tmp_path, capsys):
    _, cache = folders
    _, raw, contents = made.ssl_book()
    for path, content in contents.items():
        name = path.rpartition("/")[2]
        renamed = "anything" if "10.mat" in name else name
        (tmp_path / "working" / renamed).write_bytes(content)
    # Another file around the same points: it has another digest, the points have not.
    other = made.mat(X=made.loadable(contents)["X"], y=raw.y[:, None], more=1)
    (tmp_path / "working" / "SSL,set=1,data.mat").write_bytes(other)
    assert main(["convert", str(tmp_path / "working")]) == 0
    assert capsys.readouterr().out == f"ssl_coil: {cache / 'ssl_coil.npz'}\n"
    assert_same(store.read("ssl_coil"), raw)
    assert small.asked == []


def test_convert_says_what_is_missing_wrong_or_unknown(small, folders, capsys):
    _, _, contents = made.ssl_book()
    first, *_ = contents.values()
    Path("data.mat").write_bytes(first)
    Path("made.train").write_bytes(b"1 1:2\n")
    Path("stray").write_bytes(b"stray")
    assert main(["convert", "data.mat", "made.train", "stray"]) == 1
    fourclass, book, stray = capsys.readouterr().err.splitlines()
    assert "made.train are not those of the benchmark" in fourclass
    assert "labeled=10.mat and SSL,set=1,splits,labeled=100.mat must be given" in book
    assert stray.startswith("stray is not one of the files")
    assert not store.at_hand("fourclass")
    Path("made.train").write_bytes(b"\0 no numbers")
    assert main(["convert", "made.train"]) == 1
    assert "made.train cannot be read" in capsys.readouterr().err


def test_convert_says_that_a_matlab_file_is_damaged(small, folders, capsys):
    _, _, contents = made.ssl_book()
    for path, content in contents.items():
        Path(path.rpartition("/")[2]).write_bytes(content)
    book = [path.rpartition("/")[2] for path in contents]
    whole = Path(book[0]).read_bytes()
    for damaged in (b"", whole[:64], whole[:200], whole[: len(whole) // 2]):
        Path(book[0]).write_bytes(damaged)
        assert main(["convert", *book]) == 1
        (sentence,) = capsys.readouterr().err.splitlines()
        assert "cannot be read" in sentence


@pytest.mark.skipif(os.name != "posix", reason="the shell is that of POSIX")
def test_a_reader_that_has_enough_is_no_fault(folders):
    line = f'"{sys.executable}" -m halfmoon data list | true; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_the_command_halfmoon_knows_it(small, capsys):
    from halfmoon.__main__ import main as halfmoon

    assert halfmoon(["data", "list"]) == 0
    assert "files are on this machine" in capsys.readouterr().out
