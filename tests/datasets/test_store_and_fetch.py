"""Finding, fetching, keeping and checking benchmark files.

The network is a server on this machine that speaks OpenML's protocol, so that
scikit-learn's real fetcher runs; where scikit-learn has one more fetcher for a single
source, that function is replaced by one that returns small data of the same form.
"""

import hashlib
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import _openml
from sklearn.utils import Bunch

from halfmoon.datasets import (
    DATASETS,
    DatasetUnavailable,
    download,
    fetch,
    load,
    store,
)

RNG = np.random.default_rng(0)
# scikit-learn warns on each new attempt; those warnings are part of its fetchers.
RETRIES = pytest.mark.filterwarnings(
    "ignore:A network error occurred", "ignore:Invalid cache, redownloading"
)


@dataclass
class FakeOpenML:
    """Tables by OpenML number, and what may go wrong with them."""

    tables: dict = field(default_factory=dict)
    hits: list = field(default_factory=list)
    truncate: bool = False
    wrong_md5: bool = False
    url: str = ""

    def add(self, data_id, names, X, labels, nominal=False):
        kind = "{A,C,G,T,D}" if nominal else "NUMERIC"
        classes = ",".join(sorted(set(labels)))
        lines = ["@RELATION table"]
        lines += [f"@ATTRIBUTE {name} {kind}" for name in names]
        lines += [f"@ATTRIBUTE class {{{classes}}}", "@DATA"]
        rows = zip(X, labels, strict=True)
        lines += [",".join([*map(str, row), label]) for row, label in rows]
        self.tables[data_id] = (names, nominal, len(labels), "\n".join(lines) + "\n")

    def answer(self, path):
        self.hits.append(path)
        word, number = path.split("/")[-2:]
        data_id = int(number.removesuffix(".arff"))
        if data_id not in self.tables:
            return None
        names, nominal, n, arff = self.tables[data_id]
        if word == "file":
            return arff.encode()
        if word == "features":
            flags = {"is_ignore": "false", "is_row_identifier": "false"}
            kinds = [(name, "nominal" if nominal else "numeric") for name in names]
            features = [
                {
                    "index": str(j),
                    "name": name,
                    "data_type": kind,
                    "is_target": str(name == "class").lower(),
                    "number_of_missing_values": "0",
                    **flags,
                }
                for j, (name, kind) in enumerate([*kinds, ("class", "nominal")])
            ]
            return json.dumps({"data_features": {"feature": features}}).encode()
        if word == "qualities":
            quality = [{"name": "NumberOfInstances", "value": str(n)}]
            return json.dumps({"data_qualities": {"quality": quality}}).encode()
        md5 = hashlib.md5(arff.encode()).hexdigest()
        description = {
            "id": number,
            "name": "table",
            "version": "1",
            "description": "a table",
            "format": "ARFF",
            "licence": "Public",
            "status": "active",
            "url": f"{self.url}/file/{data_id}.arff",
            "md5_checksum": "0" * 32 if self.wrong_md5 else md5,
        }
        return json.dumps({"data_set_description": description}).encode()


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """An empty data folder and an empty cache."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    monkeypatch.setenv("HALFMOON_DATA", str(data))
    monkeypatch.setenv("HALFMOON_CACHE", str(cache))
    return data, cache


@pytest.fixture
def server(folders, monkeypatch):
    fake = FakeOpenML()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = fake.answer(self.path)
            if body is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            cut = fake.truncate and self.path.endswith(".arff")
            self.wfile.write(body[: len(body) // 2] if cut else body)

        def log_message(self, *args):
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{httpd.server_port}"
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name, path in [
        ("_DATA_INFO", "data/{}"),
        ("_DATA_FEATURES", "features/{}"),
        ("_DATA_QUALITIES", "qualities/{}"),
    ]:
        monkeypatch.setattr(_openml, name, f"{fake.url}/{path}")
    monkeypatch.setattr(_openml.time, "sleep", lambda seconds: None)
    fake.close = httpd.server_close
    fake.shutdown = httpd.shutdown
    yield fake
    httpd.shutdown()
    httpd.server_close()
    thread.join()


@pytest.fixture
def ionosphere_server(server):
    X = np.round(RNG.uniform(-1, 1, (30, 34)), 5)
    X[:, 1] = 0.0
    server.X, server.labels = X, ["g", "b", "g"] * 10
    server.add(59, [f"a{j}" for j in range(34)], X, server.labels)
    return server


def one_sentence(error):
    text = str(error.value)
    return text.endswith(".") and "\n" not in text and "Traceback" not in text


# -- success -------------------------------------------------------------------------


def test_fetched_data_are_converted_cached_and_checked(ionosphere_server, folders):
    _, cache = folders
    entry = DATASETS["ionosphere"]
    assert not entry.available()
    data = load("ionosphere")
    np.testing.assert_allclose(
        data.X, np.delete(ionosphere_server.X, 1, axis=1), rtol=1e-6
    )
    assert np.bincount(data.y).tolist() == [10, 20]
    assert data.class_names == ("bad", "good")
    assert data.meta["origin"]["source_repo"] == "OpenML data set 59"
    recorded = (cache / "ionosphere.npz.sha256").read_text().split()
    assert recorded == [store.sha256(cache / "ionosphere.npz"), "ionosphere.npz"]
    assert not (cache / "downloads" / "ionosphere").exists()
    assert entry.available()


def test_second_load_needs_no_network(ionosphere_server):
    first = load("ionosphere")
    n_hits = len(ionosphere_server.hits)
    np.testing.assert_array_equal(load("ionosphere").X, first.X)
    assert len(ionosphere_server.hits) == n_hits


@RETRIES
def test_progress_is_told_in_the_callers_thread_and_ends_at_one(ionosphere_server):
    told = []
    load(
        "ionosphere",
        progress=lambda fraction, text: told.append(
            (fraction, text, threading.current_thread())
        ),
    )
    assert told[0][:2] == (0.0, "Fetching ionosphere.")
    assert told[-1][:2] == (1.0, "ionosphere is ready.")
    assert {thread for *_, thread in told} == {threading.current_thread()}


def test_progress_counts_the_bytes_that_arrive(folders, monkeypatch):
    monkeypatch.setattr(store, "POLL", 0.01)
    told = []

    def slow(folder):
        (folder / "part").write_bytes(bytes(2_500_000))
        time.sleep(0.2)
        return store.Raw(np.zeros((2, 1)), np.array([0, 1]))

    store.read("slow", slow, lambda fraction, text: told.append(text))
    assert "slow: 2.5 MB received." in told


def test_two_visitors_share_one_download(ionosphere_server):
    loaded = []
    threads = [
        threading.Thread(target=lambda: loaded.append(load("ionosphere")))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loaded) == 3
    assert sum(path.endswith(".arff") for path in ionosphere_server.hits) == 1


# -- failure -------------------------------------------------------------------------


@RETRIES
@pytest.mark.parametrize("progress", [None, lambda fraction, text: None])
def test_without_network_one_sentence_says_what_to_do(
    ionosphere_server, folders, progress
):
    data, cache = folders
    ionosphere_server.shutdown()
    ionosphere_server.close()
    with pytest.raises(DatasetUnavailable, match="could not be fetched") as error:
        load("ionosphere", progress=progress)
    assert one_sentence(error)
    assert str(data) in str(error.value)
    assert "put ionosphere.npz into a folder and set HALFMOON_DATA" in str(error.value)
    assert not list(cache.glob("*.npz*"))
    assert isinstance(error.value, OSError)


@RETRIES
def test_unknown_number_is_unavailable(server):
    with pytest.raises(DatasetUnavailable, match="could not be fetched"):
        load("vehicle")


@RETRIES
@pytest.mark.parametrize("fault", ["truncate", "wrong_md5"])
def test_broken_download_is_refused_and_leaves_nothing(
    ionosphere_server, folders, fault
):
    _, cache = folders
    setattr(ionosphere_server, fault, True)
    with pytest.raises(DatasetUnavailable, match="ionosphere") as error:
        load("ionosphere")
    assert one_sentence(error)
    assert not list(cache.glob("*.npz*"))
    assert not DATASETS["ionosphere"].available()
    setattr(ionosphere_server, fault, False)
    assert load("ionosphere").n == 30


@pytest.mark.parametrize("fault", ["flipped byte", "cut short", "wrong sum", "no sum"])
def test_damaged_cache_is_announced_and_fetched_again(
    ionosphere_server, folders, fault
):
    _, cache = folders
    good = load("ionosphere")
    path, recorded = cache / "ionosphere.npz", cache / "ionosphere.npz.sha256"
    content = bytearray(path.read_bytes())
    if fault == "flipped byte":
        content[len(content) // 2] ^= 255
        path.write_bytes(content)
    elif fault == "cut short":
        path.write_bytes(content[:100])
    elif fault == "wrong sum":
        recorded.write_text("0" * 64 + "  ionosphere.npz\n")
    else:
        recorded.unlink()
    told = []
    with pytest.warns(UserWarning, match=r"ionosphere.npz is damaged .* fetched again"):
        again = load("ionosphere", progress=lambda _, text: told.append(text))
    np.testing.assert_array_equal(again.X, good.X)
    assert "The cached ionosphere is damaged; fetching it again." in told
    assert recorded.read_text().split()[0] == store.sha256(path)


@RETRIES
@pytest.mark.filterwarnings("ignore:.*is damaged")
def test_damaged_cache_without_network_is_unavailable(ionosphere_server, folders):
    _, cache = folders
    load("ionosphere")
    (cache / "ionosphere.npz").write_bytes(b"nothing")
    ionosphere_server.shutdown()
    ionosphere_server.close()
    with pytest.raises(DatasetUnavailable, match="could not be fetched"):
        load("ionosphere")


def test_interrupted_fetch_leaves_no_file(folders):
    _, cache = folders

    def interrupted(folder):
        (folder / "half").write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.read("thing", interrupted)
    assert not list(cache.glob("thing.npz*"))
    whole = store.Raw(np.ones((2, 1)), np.array([0, 1]))
    np.testing.assert_array_equal(store.read("thing", lambda _: whole).X, whole.X)


def test_interrupted_write_leaves_no_file(folders, monkeypatch):
    _, cache = folders

    def broken(file, **arrays):
        file.write(b"half a file")
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez_compressed", broken)
    raw = store.Raw(np.ones((2, 1)), np.array([0, 1]))
    with pytest.raises(
        DatasetUnavailable, match="HALFMOON_CACHE to a folder with room"
    ):
        store.read("thing", lambda _: raw)
    assert [path.name for path in cache.iterdir()] == ["downloads"]


@pytest.mark.parametrize("error", [URLError("no route"), TimeoutError("too slow")])
@pytest.mark.parametrize("watched", [False, True])
def test_network_errors_of_any_fetcher_become_one_kind(folders, error, watched):
    def failing(folder):
        raise error

    progress = (lambda fraction, text: None) if watched else None
    with pytest.raises(DatasetUnavailable, match=r"no route|too slow"):
        store.read("thing", failing, progress)


def test_data_without_a_fetcher_say_that_there_is_no_source(folders):
    with pytest.raises(
        DatasetUnavailable, match="thing has no network source"
    ) as error:
        store.read("thing")
    assert one_sentence(error)


def test_nothing_is_fetched_where_only_what_is_at_hand_counts(folders, monkeypatch):
    monkeypatch.setattr(download, "urlopen", None)
    with (
        store.at_hand_only(),
        pytest.raises(DatasetUnavailable, match="not fetched from here") as error,
    ):
        load("coil20")
    assert one_sentence(error)


def test_missing_data_folder_is_named(folders, monkeypatch):
    monkeypatch.setenv("HALFMOON_DATA", "nowhere-at-all")
    with (
        store.at_hand_only(),
        pytest.raises(
            DatasetUnavailable, match="nowhere-at-all, which is not a folder"
        ),
    ):
        load("coil20")


# -- local files ---------------------------------------------------------------------


def test_local_folder_comes_before_cache_and_network(ionosphere_server, folders):
    data, _ = folders
    load("ionosphere")
    X = np.arange(12.0).reshape(4, 3)
    y = np.array([-1, 1, 1, -1])
    np.savez(data / "ionosphere.npz", X=X, y=y, meta=json.dumps({"title": "mine"}))
    local = load("ionosphere")
    np.testing.assert_array_equal(local.X, X)
    np.testing.assert_array_equal(local.y, [0, 1, 1, 0])
    assert local.meta["origin"]["title"] == "mine"


def test_sparse_files_round_trip(folders):
    _, cache = folders
    X = sp.random_array((20, 9), density=0.2, format="csr", rng=1)
    raw = store.Raw(sp.csr_matrix(X), np.arange(20) % 2, {"a": 1}, {"z": np.arange(3)})
    store.write_npz(cache / "sparse.npz", raw)
    back = store.read_npz(cache / "sparse.npz")
    assert (back.X != raw.X).nnz == 0
    assert back.meta == {"a": 1}
    np.testing.assert_array_equal(back.extras["z"], np.arange(3))


def test_others_can_read_a_file_that_is_written_for_them(tmp_path):
    """A folder for HALFMOON_DATA may be shared by the users of a cluster."""
    (tmp_path / "usual").touch()
    raw = store.Raw(np.ones((2, 1)), np.array([0, 1]))
    store.write_npz(tmp_path / "shared.npz", raw)
    usual = (tmp_path / "usual").stat().st_mode
    assert (tmp_path / "shared.npz").stat().st_mode == usual


@pytest.mark.parametrize("fault", ["text", "lengths", "pickle", "no y"])
def test_unreadable_local_file_is_named_and_nothing_is_executed(folders, fault):
    data, _ = folders
    path = data / "coil20.npz"
    if fault == "text":
        path.write_text("this is no archive")
    elif fault == "lengths":
        np.savez(path, X=np.zeros((3, 2)), y=np.zeros(2), meta="{}")
    elif fault == "pickle":
        np.savez(path, X=np.array([{}], dtype=object), y=np.zeros(1), meta="{}")
    else:
        np.savez(path, X=np.zeros((3, 2)), meta="{}")
    with pytest.raises(
        ValueError, match=r"coil20.npz is not a readable benchmark file"
    ):
        load("coil20")


def sparse_parts():
    X = sp.random_array((20, 9), density=0.4, format="csr", rng=1)
    return {"data": X.data, "indices": X.indices, "indptr": X.indptr}


@pytest.mark.parametrize(
    ("part", "at", "value"),
    [
        ("indices", 3, 10**9),
        ("indices", 3, -7),
        ("indptr", 4, 0),
        ("indptr", -1, 10**6),
        ("indptr", 0, 5),
    ],
    ids=["beyond", "negative", "rows go back", "rows go on", "rows begin late"],
)
def test_sparse_indices_outside_the_matrix_of_a_local_file_are_refused(
    folders, part, at, value
):
    """Followed by compiled code they could end the process."""
    data, _ = folders
    parts = sparse_parts()
    parts[part][at] = value
    arrays = {f"X_{name}": array for name, array in parts.items()}
    np.savez(
        data / "coil20.npz",
        **arrays,
        X_shape=np.array([20, 9]),
        y=np.zeros(20),
        meta="{}",
    )
    with pytest.raises(ValueError, match=r"coil20.npz is not a readable .* replace it"):
        load("coil20")


@pytest.mark.parametrize(
    "arrays",
    [
        {"X": np.float64(3), "y": np.zeros(3)},
        {"X": np.zeros(3), "y": np.zeros(3)},
        {"X": np.full((3, 2), "word"), "y": np.zeros(3)},
        {"X": np.zeros((3, 2)), "y": np.float64(1)},
        {"X_data": np.ones(2), "y": np.zeros(3)},
    ],
    ids=["number", "vector", "words", "one label", "half a matrix"],
)
def test_arrays_of_another_form_in_a_local_file_are_refused(folders, arrays):
    data, _ = folders
    np.savez(data / "coil20.npz", **arrays, meta="{}")
    with pytest.raises(ValueError, match=r"coil20.npz is not a readable .* replace it"):
        load("coil20")


def test_default_folders_are_the_working_folders_and_those_of_a_checkout(
    monkeypatch, tmp_path
):
    monkeypatch.delenv("HALFMOON_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    working, inside, beside = store.local_folders()
    assert working == tmp_path / "data"
    assert inside == store.HOME / "data"
    assert beside == store.HOME.parent / "shared" / "data"
    monkeypatch.setattr(store, "INSTALLED", True)
    assert store.local_folders() == (working,)  # nothing of the installation
    monkeypatch.delenv("HALFMOON_CACHE", raising=False)
    assert store.cache_folder().parts[-2:] == (".cache", "halfmoon")


# -- each fetcher --------------------------------------------------------------------


def test_segment_and_vehicle_are_scaled_to_plus_minus_one(server):
    X = RNG.uniform(0, 200, (40, 3)).round(2)
    for number, name in ((36, "segment"), (54, "vehicle")):
        server.add(number, ["a", "b", "c"], X, ["sky", "grass"] * 20)
        data = load(name)
        np.testing.assert_allclose(data.X.min(axis=0), -1, atol=1e-6)
        np.testing.assert_allclose(data.X.max(axis=0), 1, atol=1e-6)
        assert data.class_names == ("grass", "sky")


@pytest.mark.parametrize("quote", ["", "'"])
def test_numbers_may_stand_in_quotes(server, quote):
    X = RNG.integers(0, 2, (30, 5))
    quoted = [[f"{quote}{value}{quote}" for value in row] for row in X]
    labels = [f"{quote}{c}{quote}" for c in "123"] * 10
    server.add(40670, list("abcde"), quoted, labels)
    data = load("dna")
    np.testing.assert_array_equal(data.X, X)
    assert data.y.tolist() == [0, 1, 2] * 10


def test_splice_is_coded_and_ambiguous_rows_are_left_out(server):
    X = RNG.choice(list("ACGT"), (12, 4))
    X[5, 2] = "D"
    server.add(46, list("abcd"), X, ["EI", "IE", "N"] * 4, nominal=True)
    data = load("splice")
    assert data.n == 11
    assert np.bincount(data.y).tolist() == [3, 8]
    code = {"A": -1, "C": -1 / 3, "G": 1 / 3, "T": 1}
    np.testing.assert_allclose(data.X[0], [code[base] for base in X[0]], atol=1e-6)


def test_usps_labels_are_shifted_to_digits(server):
    X = RNG.uniform(-1, 1, (20, 256)).round(3)
    labels = [str(i % 10 + 1) for i in range(20)]
    server.add(41082, [f"p{j}" for j in range(256)], X, labels)
    data = load("usps")
    np.testing.assert_allclose(data.X, X, atol=5.1e-4)
    assert data.y.tolist() == [i % 10 for i in range(20)]


def test_mnist_and_its_pair_come_from_one_source(server, monkeypatch):
    monkeypatch.setattr(fetch, "MNIST_TRAIN", 30)
    X = RNG.integers(0, 256, (40, 784))
    labels = [str(i % 10) for i in range(40)]
    server.add(554, [f"p{j}" for j in range(784)], X, labels)
    full, pair = load("mnist"), load("mnist3vs8", unit_norm=False)
    assert (full.n, full.test_start) == (40, 30)
    np.testing.assert_allclose(np.linalg.norm(full.X, axis=1), 1)
    assert (pair.n, pair.test_start) == (8, 6)
    np.testing.assert_allclose(pair.X[0], X[3] / 255)
    assert pair.class_names == ("3", "8")


def test_isolet_keeps_nine_confusing_letters(server):
    X = RNG.uniform(-1, 1, (78, 4)).round(3)
    labels = [str(i % 26 + 1) for i in range(78)]
    server.add(300, list("abcd"), X, labels)
    nine, every = load("isolet"), load("isolet", letters="all")
    assert "".join(nine.class_names) == "BCDEGPTVZ"
    assert (nine.n, every.n) == (27, 78)


def news_bunch(subset, data_home, normalize):
    n = {"train": 12, "test": 8}[subset]
    X = sp.csr_matrix(np.random.default_rng(n).integers(0, 3, (n, 5)) + np.eye(n, 5))
    groups = ["rec.autos", "rec.motorcycles", "sci.med", "talk.politics.misc"]
    return Bunch(
        data=X,
        target=np.arange(n) % 4,
        target_names=groups,
        feature_names=list("vwxyz"),
    )


def test_news20_counts_become_unit_rows(folders, monkeypatch):
    monkeypatch.setattr(fetch.sk, "fetch_20newsgroups_vectorized", news_bunch)
    data = load("news20", pair="rec / sci")
    assert data.class_names == ("rec", "sci")
    assert np.bincount(data.y).tolist() == [10, 5]
    assert data.test_start == 9
    np.testing.assert_allclose(np.sqrt(data.X.multiply(data.X).sum(axis=1)), 1)
    assert data.feature_names == tuple("vwxyz")
    assert load("news20", pair="all 20 groups").n_classes == 4


def test_kdd99_categories_become_columns(folders, monkeypatch):
    table = np.empty((6, 41), dtype=object)
    table[:] = 0.0
    table[:, 0] = [1, 2, 3, 4, 5, 10]
    table[:, 1] = [b"tcp", b"udp"] * 3
    table[:, 2] = [b"http"] * 6
    table[:, 3] = [b"SF", b"REJ", b"SF"] * 2
    target = np.array([b"normal.", b"smurf.", b"neptune."] * 2, dtype=object)
    bunch = Bunch(data=table, target=target)
    monkeypatch.setattr(fetch.sk, "fetch_kddcup99", lambda **keywords: bunch)
    data = load("kdd99_10pct")
    assert data.feature_names == (
        "f0", "c1=tcp", "c1=udp", "c2=http", "c3=REJ", "c3=SF",
    )  # fmt: skip
    assert data.y.tolist() == [0, 1, 1, 0, 1, 1]
    np.testing.assert_allclose(data.X.toarray().max(axis=0), 1)
    np.testing.assert_allclose(
        load("kdd99_10pct", scale="none").X[:, 0].toarray().ravel(),
        table[:, 0].tolist(),
    )


def test_rcv1_offers_its_top_topics(folders, monkeypatch):
    monkeypatch.setattr(fetch, "RCV1_TRAIN", 6)
    names = np.array(["C15", "CCAT", "ECAT", "GCAT", "MCAT"])
    target = sp.csr_matrix(np.random.default_rng(0).integers(0, 2, (10, 5)))
    X = sp.csr_matrix(np.eye(10))
    bunch = Bunch(data=X, target=target, target_names=names)
    monkeypatch.setattr(fetch.sk, "fetch_rcv1", lambda **keywords: bunch)
    for topic in fetch.RCV1_TOPICS:
        data = load("rcv1", topic=topic, part="all")
        expected = target[:, list(names).index(topic)].toarray().ravel()
        np.testing.assert_array_equal(data.y, expected)
        assert data.class_names == (f"not {topic}", topic)
    assert load("rcv1").n == 6
