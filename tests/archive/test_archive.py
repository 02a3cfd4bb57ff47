"""Traces in files: the same trace comes back, and a stranger's file does no harm."""

import io
import json
import os
import pickle
import subprocess
import sys
import tracemalloc
import warnings
import zipfile
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
import scipy.sparse as sp

from halfmoon import __version__
from ssl_core import ALGORITHMS, Event, Status, Trace, archive, make
from ssl_core.archive import columns
from ssl_core.archive.members import Reader, Writer
from ssl_core.trace import ExpansionState, record, same
from tests.rows import each
from tests.small_problems import moons

X, TRUTH = moons(24, noise=0.2, seed=3)
NEW = np.random.default_rng(0).normal(size=(7, 2))


def given(classes=2):
    """A few labels of two or three classes."""
    truth = TRUTH if classes == 2 else np.arange(len(X)) % 3
    y = np.full(len(X), -1)
    y[:12] = truth[:12]
    return y, truth


@cache
def run(name="lapsvm_pcg", classes=2, record_states="full", **settings):
    y, truth = given(classes)
    if "max_iter" in make(name).get_params():
        settings = {"max_iter": 40} | settings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make(name, **settings).trace(
            X, y, X_val=X[:9], y_val=truth[:9], record_states=record_states
        )


def saved(trace, folder):
    path = Path(folder) / "run.npz"
    trace.save(path)
    return path


def again(trace, folder):
    return Trace.load(saved(trace, folder))


# The same trace comes back ----------------------------------------------------------


@each("name", ALGORITHMS)
def test_every_algorithm_s_trace_comes_back_to_the_bit(name, tmp_path):
    for classes, kept in ((2, "full"), (3, 3)):
        trace = run(name, classes, kept)
        loaded = again(trace, tmp_path)
        assert loaded == trace
        assert loaded is not trace
        ours, theirs = loaded.decision_function(NEW), trace.decision_function(NEW)
        assert ours.tobytes() == theirs.tobytes()
        assert loaded.to_frame().equals(trace.to_frame())
        assert repr(loaded) == repr(trace)
        assert loaded.status is trace.status
        for a, b in zip(loaded, trace, strict=True):
            assert type(a) is type(b)
            assert a.t == b.t
            assert a.f is b.f is None or a.f.tobytes() == b.f.tobytes()
            assert [e.text for e in a.events] == [e.text for e in b.events]


def test_equality_of_traces_sees_every_part():
    trace = run()
    assert trace == replace(trace)
    state = replace(trace[3], alpha=trace[3].alpha.copy())
    assert trace == replace(trace, states=[*trace.states[:3], state, *trace.states[4:]])
    state.alpha[5] = np.nextafter(state.alpha[5], 1)
    changes = {
        "states": [*trace.states[:3], state, *trace.states[4:]],
        "seconds": trace.seconds + 1e-9,
        "labels": -trace.labels,
        "outputs": {},
        "targets": {},
        "y": trace.y.astype(int),
        "model": replace(trace.model, sigma=1.0),
        "X": None,
        "made_by": replace(trace.made_by, estimator="Another"),
    }
    assert changes.keys() == vars(trace).keys()
    for name, value in changes.items():
        assert trace != replace(trace, **{name: value}), name
    assert trace != "trace"
    assert same(np.nan, np.nan)
    assert not same(0.0, -0.0)
    assert not same(1, 1.0)
    assert not same({"a": 1}, {"b": 1})
    assert not same((1,), (1, 2))


@each("make_X", [sp.csr_matrix, sp.csr_array, np.asfortranarray, np.float32], ids=repr)
def test_training_points_keep_their_kind(make_X, tmp_path):
    y, _ = given()
    for name in ("l2svm_mfn", "lapsvm_pcg"):
        trace = make(name, max_iter=5, tol=0).trace(make_X(X), y)
        loaded = again(trace, tmp_path)
        assert loaded == trace
        assert type(loaded.X) is type(trace.X)
        if name == "lapsvm_pcg":
            assert loaded.model.X is loaded.X  # in the file once, and in memory
        np.testing.assert_array_equal(
            loaded.decision_function(NEW), trace.decision_function(NEW)
        )


def test_a_precomputed_kernel_is_not_in_the_file(tmp_path):
    K = X @ X.T
    est = make("lapsvm_pcg", kernel="precomputed", max_iter=5, tol=0)
    trace = est.trace(K, given()[0])
    loaded = again(trace, tmp_path)
    assert loaded == trace
    assert loaded.X is None
    rows = NEW @ X.T
    np.testing.assert_array_equal(
        loaded.decision_function(rows), trace.decision_function(rows)
    )
    last = est.decision_function(rows)
    np.testing.assert_allclose(loaded.decision_function(rows)[-1], last)


def test_a_slice_comes_back_with_thin_states_alone(tmp_path):
    trace = run("lapsvm_pcg", 3, "metrics")[2:5]
    loaded = again(trace, tmp_path)
    assert loaded == trace
    assert loaded.multiclass


def test_another_process_reads_it_without_the_data(tmp_path):
    """And another language: numpy alone finds what the description says."""
    trace = run("s3vm_path", 2)
    path = saved(trace, tmp_path)
    code = (
        "import sys, numpy as np\nfrom ssl_core import Trace\n"
        "trace = Trace.load(sys.argv[1])\n"
        "value = trace.decision_function(np.zeros((1, 2)))[-1, 0]\n"
        "print(repr(trace), float(value).hex())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, path],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    ).stdout
    value = float(trace.decision_function(np.zeros((1, 2)))[-1, 0])
    assert told.split() == [*repr(trace).split(), value.hex()]
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(file["header"].tobytes().decode())
        assert header["format"] == "halfmoon trace"
        assert (header["version"], header["halfmoon"]) == (2, __version__)
        assert header["n_states"] == len(trace)
        fields = header["states"]["fields"]
        assert header["states"]["class"] == "PathState"
        assert fields["f"] == {"kind": "array", "data": "states/f"}
        np.testing.assert_array_equal(file["states/f"], [s.f for s in trace])
        np.testing.assert_array_equal(file[fields["C_u"]["data"]], trace.column("C_u"))
        np.testing.assert_array_equal(file["X"], X)
        text, lengths = file["states/step_kind"], file["states/step_kind/lengths"]
        assert text.tobytes().decode() == "".join(s.step_kind for s in trace)
        assert lengths.tolist() == [2] * len(trace)


def test_the_same_trace_gives_the_same_bytes(tmp_path):
    first = saved(run(), tmp_path).read_bytes()
    assert saved(again(run(), tmp_path), tmp_path).read_bytes() == first


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = saved(run(), tmp_path)
    before = path.read_bytes()
    odd = replace(run(), states=[replace(run()[0], line_search=object())])
    odd = replace(odd, seconds=odd.seconds[:1], labels=odd.labels[:1])
    with pytest.raises(ValueError, match=r"states/line_search is a builtins\.object"):
        odd.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]


def test_a_kernel_of_one_s_own_is_refused_with_the_way_out(tmp_path):
    def kernel(A, B):
        return A @ B.T

    trace = make("lapsvm_pcg", kernel=kernel, max_iter=3, tol=0).trace(X, given()[0])
    with pytest.raises(ValueError, match=r"model/kernel is a function.*model=None"):
        trace.save(tmp_path / "run.npz")
    assert again(replace(trace, model=None), tmp_path).states[1].f is not None


@dataclass(frozen=True)
class Extra:
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OddState(ExpansionState):
    extra: object


ODD = (
    *(None, True, 3, 0.1, np.float32(0.1), np.int8(-3), np.bool_(True), ""),
    *("Größe", (), (1, (2.0, "x")), [np.zeros((0, 3))], np.array(3.5), {"a": {"b": 1}}),
    *({}, Status.EARLY, np.array([[1, 2]], dtype=">i2"), (None, None), Extra(2.0)),
    Event("kind", "text", {"points": np.arange(3), "of": ("x", None)}),
)


def test_values_of_all_kinds_come_back_and_own_classes_after_they_are_registered(
    tmp_path, monkeypatch
):
    def states(values):
        for t, extra in enumerate(values):
            f = np.full(4, float(t))
            yield OddState(t=t, objective=-1.0 * t, f=f, alpha=f, b=0.0, extra=extra)

    monkeypatch.setattr(columns, "_KNOWN", dict(columns._KNOWN))
    trace = record(states(ODD))
    with pytest.raises(ValueError, match=r"Extra.*archive\.register"):
        trace.save(tmp_path / "odd.npz")
    assert archive.register(Extra) is Extra
    assert archive.register(Extra) is Extra
    assert again(trace, tmp_path) == trace
    with pytest.raises(ValueError, match=r"builtins\.int"):
        record(states([2**70])).save(tmp_path / "odd.npz")
    with pytest.raises(ValueError, match="dataclasses"):
        archive.register(int)
    with pytest.raises(ValueError, match="name Extra already"):
        archive.register(dataclass(type("Extra", (), {})))
    path = saved(trace, tmp_path)
    columns._KNOWN.pop("Extra")
    with pytest.raises(ValueError, match="'Extra', a class that is not known"):
        Trace.load(path)


def test_fields_that_a_later_halfmoon_added_have_their_defaults(tmp_path):
    def older(header):
        del header["states"]["fields"]["per_class"]

    assert Trace.load(changed(saved(run(), tmp_path), older)) == run()


# A stranger's file -------------------------------------------------------------------


def members_of(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def written(path, members, **how):
    with zipfile.ZipFile(path, "w", **how) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


def npy(values, **how):
    buffer = io.BytesIO()
    np.save(buffer, values, **how)
    return buffer.getvalue()


def changed(path, change):
    """The file with its header changed."""
    members = members_of(path)
    header = json.loads(np.load(io.BytesIO(members["header.npy"])).tobytes())
    change(header)
    text = json.dumps(header).encode()
    members["header.npy"] = npy(np.frombuffer(text, dtype=np.uint8))
    return written(path, members)


def head(shape, descr="<f8", data=b""):
    told = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}}}"
    told = told.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(told).to_bytes(2, "little") + told.encode() + data


class Bomb:
    """What would run if anything unpickled it."""

    def __reduce__(self):
        return os.abort, ()


def setting(*keys, to):
    def change(header):
        *way, last = keys
        for key in way:
            header = header[key]
        header[last] = to

    return change


def replacing(**members):
    """Members by name, "__" for "/"; None takes one away."""

    def change(path):
        found = members_of(path)
        for name, data in members.items():
            name = name.replace("__", "/") + ".npy"
            found = {k: v for k, v in found.items() if k != name}
            if data is not None:
                found[name] = data
        return written(path, found)

    return change


def cut(path, share):
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])


def cut_member(path):
    members = members_of(path)
    members["states/f.npy"] = members["states/f.npy"][:-8]
    written(path, members)


def twice(path):
    with warnings.catch_warnings(), zipfile.ZipFile(path, "a") as file:
        warnings.simplefilter("ignore")
        file.writestr("seconds.npy", npy(np.zeros(3)))


def with_traversal(path):
    written(path, members_of(path) | {"../../evil.npy": npy(np.zeros(3))})


def flip(path):
    data = bytearray(path.read_bytes())
    place = data.index(b"states/f.npy") + 400  # inside of its numbers
    data[place] ^= 1
    path.write_bytes(data)


def squeezed(path):
    written(path, members_of(path), compression=zipfile.ZIP_BZIP2)


HOSTILE = {
    "empty": (lambda p: p.write_bytes(b""), "damaged, or was not written"),
    "no zip": (lambda p: p.write_bytes(b"PK\3\4" * 99), "damaged, or was not written"),
    "cut in half": (lambda p: cut(p, 0.5), "damaged, or was not written"),
    "cut at its end": (lambda p: cut(p, 0.999), "damaged, or was not written"),
    "a bit flipped": (flip, "'states/f' is damaged"),
    "another npz": (
        lambda p: np.savez(p, a=np.zeros(3)),
        "has no header of a trace",
    ),
    "no JSON": (replacing(header=npy(np.full(9, 91, np.uint8))), "is not JSON"),
    "deep JSON": (replacing(header=npy(np.full(10**6, 91, np.uint8))), "is not JSON"),
    "another header": (partial(changed, change=dict.clear), "not that of a trace"),
    "of a list": (replacing(header=npy(np.array([91, 93], np.uint8))), "not that of"),
    "a later version": (
        partial(changed, change=setting("version", to=3)),
        rf"version 3 .* {__version__.replace('.', '[.]')} reads version 2; install",
    ),
    "no version": (partial(changed, change=setting("version", to="1")), "no version"),
    "an object array": (
        replacing(seconds=npy(np.array([Bomb()]), allow_pickle=True)),
        "holds .*O, and only numbers",
    ),
    "a pickle": (replacing(seconds=pickle.dumps(Bomb())), "not in numpy's format"),
    "records": (replacing(seconds=npy(np.zeros(3, "f8,i4"))), "only numbers"),
    "a huge shape": (replacing(seconds=head((2**60,))), "declares the shape"),
    "no shape": (replacing(seconds=head("8")), "has a shape that is not one"),
    "negative": (replacing(seconds=head((-1, -8), data=bytes(64))), "declares the"),
    "wide nothing": (replacing(labels=head((0, 2**62))), "damaged"),
    "an unending head": (replacing(seconds=head("(" * 1800)), "damaged"),
    "a deep head": (replacing(seconds=head("-" * 9000 + "1")), "head that is too long"),
    "a cut member": (cut_member, "declares the shape"),
    "a member less": (replacing(states__t=None), "lacks an array.*states/t"),
    "a member more": (replacing(more=npy(np.zeros(3))), "does not mention .*'more'"),
    "a way out of the folder": (with_traversal, r"does not mention .*\.\./\.\./evil"),
    "a member twice": (twice, "some of the same name"),
    "bzip2": (squeezed, "compressed in a way"),
    "other states": (replacing(seconds=npy(np.zeros(3))), "different numbers"),
    "other labels": (replacing(labels=npy(np.zeros((17, 3), int))), "do(es)? not fit"),
    "other points": (replacing(X=npy(np.zeros((3, 2)))), "do not fit"),
    "other weights": (replacing(states__alpha=npy(np.zeros((17, 3)))), "do not fit"),
    "words for numbers": (
        partial(changed, change=setting("states", "fields", "t", to={"kind": "none"})),
        "not whole|does not mention",
    ),
    "an unknown kind": (
        partial(changed, change=setting("states", "fields", "t", to={"kind": "eval"})),
        "unknown kind, 'eval'",
    ),
    "an unknown class": (
        partial(changed, change=setting("states", "class", to="subprocess.Popen")),
        "'subprocess.Popen', a class that is not known",
    ),
    "a class that is no state": (
        partial(changed, change=setting("states", "class", to="Event")),
        "fields that are unknown",
    ),
    "an endless tuple": (
        replacing(states__events__lengths=npy(np.full(17, 2**31 - 1))),
        "more than .* of memory; .* raise max_bytes",
    ),
}


@each("name", HOSTILE)
def test_a_stranger_s_file_is_refused_in_a_sentence(name, tmp_path):
    spoil, words = HOSTILE[name]
    path = saved(run(), tmp_path)
    spoil(path)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=words) as caught:
            Trace.load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    sentence = str(caught.value)
    assert sentence.startswith(f"{os.fspath(path)!r} cannot be read as a trace: ")
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < len(str(path)) + 250
    assert peak < 2e7


def bomb(path, names, size):
    """A small file whose members inflate to so many bytes each."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for name in names:
            with file.open(name, "w", force_zip64=True) as member:
                member.write(head((size // 8,)))
                for _ in range(size // 2**22):
                    member.write(bytes(2**22))
    return path


def test_a_bomb_is_not_inflated(tmp_path):
    path = bomb(tmp_path / "bomb.npz", ["header.npy", "seconds.npy"], 2**26)
    assert path.stat().st_size < 2**20
    for max_bytes, words in ((2**26, "more than 67 MB"), (2**30, "no header")):
        tracemalloc.start()
        with pytest.raises(ValueError, match=words):
            Trace.load(path, max_bytes=max_bytes)
        assert tracemalloc.get_traced_memory()[1] < 2**22
        tracemalloc.stop()


@each("max_bytes", ["2 GB", float("nan"), 0, -1])
def test_a_limit_that_is_none_is_refused(max_bytes, tmp_path):
    with pytest.raises(ValueError, match="max_bytes must be a number > 0 or None"):
        Trace.load(saved(run(), tmp_path), max_bytes=max_bytes)


def test_a_directory_that_lies_of_a_size_is_found_out(tmp_path):
    path = bomb(tmp_path / "bomb.npz", ["seconds.npy"], 2**23)
    data = bytearray(path.read_bytes())
    for place in range(len(data) - 8):  # of the central directory: 2**23 + a head
        if data[place : place + 4] == (2**23 + 128).to_bytes(4, "little"):
            data[place : place + 4] = (128 + 80).to_bytes(4, "little")
    path.write_bytes(data)
    with (
        open(path, "rb") as file,
        Reader(file, 2**20) as members,
        pytest.raises(ValueError, match="seconds"),
    ):
        members.array("seconds")


def test_what_is_made_of_the_numbers_counts_too(tmp_path):
    """A million states of nothing are a few bytes in a file, and more in memory."""
    path = tmp_path / "many.npz"
    with open(path, "wb") as file, Writer(file) as members:
        members.array("seconds", np.zeros(10**6))
        members.array("labels", np.zeros((10**6, 1), dtype=np.int8))
        told = {key: {"kind": "none"} for key in ("t", "objective", "f")}
        members.header(
            {
                **{"format": "halfmoon trace", "version": 1, "n_states": 10**6},
                **{"y": False, "outputs": [], "targets": [], "X": None},
                **{"model_has_X": False, "model": {"kind": "none"}},
                "states": {"kind": "record", "class": "State", "fields": told},
            }
        )
    assert path.stat().st_size < 10**7
    with pytest.raises(ValueError, match="more than 50 MB of memory"):
        Trace.load(path, max_bytes=5e7)


def test_a_file_that_is_not_there_is_said_as_python_says_it(tmp_path):
    with pytest.raises(FileNotFoundError):
        Trace.load(tmp_path / "none.npz")
    with pytest.raises(FileNotFoundError, match=r"run\.npz'$"):
        run().save(tmp_path / "no folder" / "run.npz")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"folder'$"):
        run().save(tmp_path / "folder")


def test_random_damage_ends_in_a_sentence_or_in_a_trace(tmp_path):
    """Bytes, heads, members and nodes of the header, 300 times."""
    rng = Random(0)
    path = saved(run("s3vm_path", 2, 3), tmp_path)
    whole = path.read_bytes()
    outcomes = {"refused": 0, "read": 0}
    for number in range(300):
        path.write_bytes(whole)
        (damage_bytes, damage_member, damage_header)[number % 3](path, rng)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                trace = Trace.load(path)
        except ValueError as error:
            outcomes["refused"] += " cannot be read as a trace: " in str(error)
            continue
        outcomes["read"] += 1
        assert len(repr(trace)) < 200
        assert len(trace.to_frame()) == len(trace)
        with np.errstate(all="ignore"):
            assert len(trace.decision_function(NEW)) == len(trace.kept)
    assert sum(outcomes.values()) == 300
    assert outcomes["read"] > 5


def damage_bytes(path, rng):
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 3))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    path.write_bytes(data)


def damage_member(path, rng):
    members = members_of(path)
    name, other = rng.choices(list(members), k=2)
    data = bytearray(rng.choice((members[name], members[other])))
    for _ in range(rng.choice((0, 1, 3))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    written(path, members | {name: bytes(data)})


def damage_header(path, rng):
    def change(header):
        nodes, found = [header], []
        for node in nodes:
            pairs = node.items() if isinstance(node, dict) else enumerate(node)
            found += [(node, key) for key, _ in pairs]
            nodes += [v for _, v in pairs if isinstance(v, dict | list)]
        (a, i), (b, j) = rng.choices(found, k=2)
        odd = (None, -1, 2**70, "seconds", [], {}, 1.5, {"kind": "none"}, b[j])
        a[i] = json.loads(json.dumps(rng.choice(odd)))

    changed(path, change)


def test_what_made_a_trace_is_saved_with_it(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(12, 2)), np.array(["a", "b"] * 6)
    est = make("lapsvm_pcg", sigma=0.7, W=lambda X: np.ones((len(X), len(X))))
    trace = est.trace(X, y)
    trace.save(tmp_path / "run.npz")
    loaded = Trace.load(tmp_path / "run.npz")
    assert loaded == trace
    assert loaded.classes == ("a", "b")
    assert loaded.made_by.estimator == type(est).__name__
    assert loaded.made_by.settings["sigma"] == 0.7
    assert set(loaded.made_by.changed) == {"sigma", "W"}
    assert loaded.made_by.settings["W"] == "<lambda>"


def test_a_file_of_version_1_has_no_maker(tmp_path):
    trace = make("svm").trace(np.eye(4), np.array([0, 1, -1, -1]))
    path = tmp_path / "run.npz"
    trace.save(path)

    def older(header):
        del header["made_by"]
        header["version"] = 1

    changed(path, change=older)
    with zipfile.ZipFile(path) as file:
        rest = {n: file.read(n) for n in file.namelist() if "made_by" not in n}
    with zipfile.ZipFile(path, "w") as file:
        for name, content in rest.items():
            file.writestr(name, content)
    loaded = Trace.load(path)
    assert loaded.made_by is None
    assert loaded.classes == ()
    assert len(loaded) == len(trace)
