"""A live stage without a notebook: labels by messages, settings, runs, assignments."""

import asyncio
import copy
import gc
import math
import pickle
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.svm import SVC

from halfmoon import hide_labels, lab, load, make
from halfmoon.notebook.run import LiveRun
from halfmoon.notebook.scene import LabScene
from halfmoon.stage.pack import unpack
from ssl_core import ALGORITHMS
from tests.loops import no_loop
from tests.rows import each

ROOT = Path(__file__).parents[2]
MOONS = load("two_moons", n=40, noise=0.1, random_state=0)
X, Y = MOONS.X, hide_labels(MOONS, n_labeled=2, random_state=0)
FREE = np.flatnonzero(Y < 0)  # points without a label
EST = make("svm", sigma=0.35)
HUGE = 10**400


@pytest.fixture(autouse=True)
def alone():
    """Each test is a script of its own, or begins a loop."""
    with no_loop():
        yield


def moons(**options):
    return lab(EST, X, Y, **options)


class Browser:
    """What a stage in a browser sends to its lab."""

    def __init__(self, live, name="one"):
        self.live, self.name, self.seq = live, name, 0

    def send(self, *edits, **changes):
        ops = []
        for edit in edits:
            self.seq += 1
            ops.append({"seq": self.seq, **edit})
        self.say({"edits": {"client": self.name, "ops": ops, **changes}})

    def label(self, i, c):
        self.send({"op": "label", "i": int(i), "class": c})

    def say(self, content):
        self.live._receive(self.live, content, [])


def place_of(live, name):
    """Where a setting stands and how many places it has."""
    (found,) = (s for s in live.settings if s["name"] == name)
    return found["value"], len(found["words"])


def fits(live):
    """Whether the run is on the labels: both as places in the classes."""
    given = np.full(len(live.y), -1)
    for place, c in enumerate(live.trace.classes):
        given[live.y == c] = place
    codes = np.where(given < 0, 0, 2 * given - 1)
    return np.array_equal(np.asarray(live.trace.y), codes)


# -- edits --------------------------------------------------------------------------


def test_every_kind_of_edit_does_what_it_says():
    live = moons(truth=MOONS.y)
    browser, (a, b, c) = Browser(live), map(int, FREE[:3])
    browser.label(a, 1)
    assert live.y[a] == 1
    browser.send({"op": "erase", "i": a})
    assert live.y[a] == -1
    browser.send({"op": "label_many", "idx": [a, b], "class": 0})
    browser.send({"op": "label_many", "idx": [b, c], "classes": [1, -1]})
    assert live.y[[a, b, c]].tolist() == [0, 1, -1]
    browser.send({"op": "move", "i": a, "x": 3, "y": -2.5})
    assert live.X[a].tolist() == [3, -2.5]
    browser.send({"op": "add", "x": 0.5, "y": 0.25, "class": 1})
    assert (live.X[-1].tolist(), live.y[-1]) == ([0.5, 0.25], 1)
    browser.send({"op": "remove", "i": 40})
    many = {"idx": [40, 41], "x": [0.0, 1.0], "y": [0.0, 1.0], "class": -1}
    browser.send({"op": "add_many", **many})
    assert (len(live.y), live.y[-2:].tolist()) == (42, [-1, -1])
    browser.send({"op": "remove_many", "idx": [40, 41]}, {"op": "continue", "t": 3})
    assert len(live.y) == len(live.X) == 40
    assert live.remark == ""
    assert fits(live)
    np.testing.assert_array_equal(X, MOONS.X)  # the caller's own


VALUES = [None, 3.5, "1", True, -5, 10**9, HUGE, math.nan, math.inf, [], {}]
VALUES += ["\ud800", "x" * 10**5, [None], ["a"] * 3, [[1]], [math.nan], [0] * 10**4]
OPS = ["label", "erase", "label_many", "move", "add", "remove", "add_many"]
OPS += ["remove_many", "continue", "nope", None, [], {}]
FIELDS = ("i", "class", "classes", "idx", "x", "y", "t", "frame")


def test_no_edit_raises_whatever_it_holds():
    """All values in all fields of all edits, with a right label among them."""
    i, j = map(int, FREE[:2])
    for op in OPS:
        live = moons()
        browser = Browser(live)
        usual = {"op": op, "i": i, "class": 1, "idx": [i], "t": 3, "frame": 1}
        place = [0.5] if op == "add_many" else 0.5
        usual |= {"x": place, "y": place}
        wrong = [usual | {f: value} for f in FIELDS for value in VALUES]
        browser.send(*wrong, {"op": "label", "i": j, "class": 1})
        assert live.y[live._scene.points.number == j] == 1, op
        assert len(live.remark) < 1000
        assert len(live.X) == len(live.y)
        assert unpack(live.view)[0]["seq_seen"] == browser.seq


JUNK = [
    *(None, 3, "x", [1], {}, {"edits": None}, {"edits": [1]}, {"setting": None}),
    *({"edits": {"client": "a", "ops": ops}} for ops in (None, "xx", [None, 3], {})),
    *(
        {"edits": {"client": name, "ops": [{"op": "erase", "i": 0, "seq": 1}]}}
        for name in (None, 3, [1], {}, "\ud800", "x" * 10**5, "a\x00b")
    ),
    *({"setting": name, "value": 0} for name in ("no", [], {}, "\ud800", 3, None)),
    *({"setting": "sigma", "value": place} for place in VALUES),
]


def test_no_message_raises_or_changes_labels():
    live = moons()
    before, block = live.y, live.view
    for message in JUNK:
        Browser(live).say(message)
        assert live.y is before, message
    assert live.view == block
    assert live.est.sigma == 0.35


def test_an_edit_counts_once_and_an_overtaken_one_not_at_all():
    live, i = moons(), int(FREE[0])
    first = {"op": "label", "i": i, "class": 1, "seq": 1}
    second = {"op": "label", "i": i, "class": 0, "seq": 2}
    browser = Browser(live)
    browser.send(first, second)
    trace = live.trace
    for ops in ([first], [first, second], [second, first], []):
        browser.say({"edits": {"client": "one", "ops": ops}})
        assert live.y[i] == 0
    assert live.trace is trace
    for seq in (True, "3", None, -1, 2.5, [3]):
        browser.say({"edits": {"client": "one", "ops": [first | {"seq": seq}]}})
        assert live.y[i] == 0


def test_two_browsers_edit_at_once():
    live = moons()
    browsers, taken = [Browser(live, name) for name in "ab"], FREE[:12]
    for place, i in enumerate(taken):
        browsers[place % 2].label(i, place % 2)
    assert live.y[taken].tolist() == [0, 1] * 6
    assert live.seen == {"a": 6, "b": 6}
    assert unpack(live.view)[0]["client"] == "b"


def test_only_the_last_browsers_are_remembered():
    live = moons()
    for number in range(80):
        Browser(live, f"browser {number}").label(FREE[0], number % 2)
    assert len(live.seen) == 64
    assert "browser 79" in live.seen


def test_all_points_can_be_removed_and_come_back():
    live = moons()
    browser = Browser(live)
    browser.send({"op": "remove_many", "idx": list(range(40))})
    assert (live.trace, len(live.y)) == (None, 0)
    assert "Label at least one point" in live.message
    x, y = X.T.tolist()
    browser.send(
        {"op": "add_many", "idx": [*range(40)], "x": x, "y": y, "classes": Y.tolist()}
    )
    assert live.message == ""
    assert fits(live)


def test_points_by_hand_are_limited():
    live = moons()
    many = {"idx": [*range(40, 5000)], "x": [0.0] * 4960, "y": [0.0] * 4960}
    Browser(live).send({"op": "add_many", **many})
    assert len(live.y) == 40
    assert "No more points can be added" in live.remark


def test_more_points_than_the_stage_draws_keep_their_numbers():
    rng = np.random.default_rng(0)
    many, y = rng.normal(size=(5600, 2)), np.full(5600, -1)
    y[[10, 5599]] = 0, 1
    live = lab(make("svm", sigma=1.0), many, y)
    header, arrays = unpack(live.view)
    assert len(arrays["number"]) == 5000
    assert "add" not in header["tools"]
    i = int(arrays["number"][4321])
    Browser(live).label(i, 1)
    assert np.flatnonzero(live.y != y).tolist() == [i]


def test_a_run_goes_on_only_with_the_same_points_and_classes():
    live = lab(make("lapsvm_pcg", sigma=0.35), X, Y)
    browser = Browser(live)
    half = live.trace.states[len(live.trace) // 2]
    browser.send({"op": "continue", "t": half.t, "frame": 3})
    assert live.trace.states[0].objective == pytest.approx(half.objective)
    for edit in ({"op": "add", "x": 0, "y": 0}, {"op": "remove", "i": 3}):
        browser.send(edit, {"op": "continue", "t": half.t, "frame": 3})
        assert live.message == ""
        assert fits(live)


# -- classes and labels ---------------------------------------------------------------

WORDS = np.where(Y < 0, "?", np.where(Y > 0, "longer", "b"))
MARKED = [  # labels as a caller has them, their mark, what a label of class 1 becomes
    (Y.astype(np.int32), -1, 1),
    (Y.astype(float), -1, 1.0),
    (np.where(Y < 0, np.nan, Y), np.nan, 1.0),
    ([None if c < 0 else "ab"[c] for c in Y], None, "b"),
    (WORDS, "?", "longer"),
    (pd.Series(WORDS, index=range(7, 47)).astype("category"), "?", "longer"),
    (pd.Series([pd.NA if c < 0 else c for c in Y], dtype="Int64"), pd.NA, 1),
    (Y.tolist(), -1, 1),
]


@each("y, mark, label", MARKED)
def test_labels_have_the_callers_type_and_mark(y, mark, label):
    live, i = lab(make("svm", unlabeled=mark), X, y), int(FREE[0])
    assert live.message == ""
    Browser(live).label(i, 1)
    assert live.y[i] == label
    assert isinstance(live.y[i], type(label) | np.generic)
    hidden = live.y[FREE[1]]
    assert pd.isna(hidden) if pd.isna(mark) else hidden == mark
    live.y = live.y.copy()  # what is read can be assigned
    assert live.y[i] == label
    clone(live.est).fit(live.X, live.y)


def test_classes_stand_in_the_order_that_is_asked_for():
    live = lab(EST, X, Y, classes=np.array([1, 0]), class_names=("one", "zero"))
    assert unpack(live.view)[0]["classes"] == ["one", "zero"]
    Browser(live).label(FREE[0], 0)
    assert live.y[FREE[0]] == 1
    assert fits(live)


def test_a_third_class_comes_with_its_first_label():
    truth = np.arange(40) % 3
    y = np.full(40, -1)
    y[:2] = 0, 1
    live = lab(EST, X, y, truth=truth)
    assert unpack(live.view)[0]["classes"] == ["0", "1", "2"]
    assert live.trace.classes == (0, 1)
    Browser(live).label(2, 2)
    assert live.trace.classes == (0, 1, 2)
    assert live.y[2] == 2


@each("y", [np.full(40, -1), np.where(Y == 0, 0, -1)])
def test_without_labels_of_two_classes_there_is_no_run_yet(y):
    live = lab(EST, X, y, classes=[0, 1])
    assert (live.trace, live.message[:18]) == (None, "Label at least one")
    Browser(live).label(FREE[0], 0)
    Browser(live).label(FREE[1], 1)
    browser = Browser(live, "other")
    browser.label(FREE[1], 1)
    assert live.message == ""
    assert fits(live)


def test_nobody_can_write_to_what_is_read():
    live = moons()
    for array in (live.X, live.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    Browser(live).send({"op": "move", "i": 0, "x": 1, "y": 1})
    assert not live.X.flags.writeable
    with pytest.raises(Exception, match="read-only"):
        live.trace = None


# -- from Python ----------------------------------------------------------------------


def test_labels_points_and_classifiers_can_be_assigned():
    live, y = lab(make("lapsvm_pcg"), X, Y), Y.copy()
    y[FREE[:4]] = 1
    live.y = y
    assert fits(live)
    live.X = X * 2
    np.testing.assert_array_equal(live.trace.X, X * 2)
    est = make("svm", sigma=0.5)
    live.est = est
    assert live.est is not est
    assert not hasattr(est, "classes_")
    assert {s["name"] for s in live.settings} == {k.name for k in _knobs("svm")}
    assert live.est.predict(X).shape == (40,)
    y[:] = 0  # the lab has its own
    assert fits(live)


def _knobs(name):
    return ALGORITHMS[name].in_order


def test_what_does_not_fit_is_refused_and_changes_nothing():
    live = lab(make("lapsvm_pcg"), X, Y, settings=["sigma", "gamma_I"])
    trace, before = live.trace, (live.X, live.y)
    for name, value in (
        *(("y", v) for v in (None, Y[:3], np.full(40, 7), "a", [[0]] * 40)),
        *(("X", v) for v in (None, X[:3], np.full((40, 2), np.nan), [["a"] * 2] * 40)),
        *(("est", v) for v in (None, 3, SVC(), type(EST), make("svm", unlabeled=None))),
        ("est", clone(EST).set_params(sigma=-1)),
        ("est", make("svm", kernel="precomputed")),
    ):
        with pytest.raises((ValueError, TypeError), match=f"{name}|sigma|points"):
            setattr(live, name, value)
        assert live.trace is trace
        assert (live.X, live.y) == before or live.X is before[0]
    live.est = make("svm")  # which has no gamma_I
    assert [s["name"] for s in live.settings] == ["sigma"]


def test_a_handler_finds_everything_in_agreement():
    """Whatever it is called for, and in whatever order."""
    live, heard = moons(), []

    def hear(change):
        heard.append(change.name)
        assert fits(live)
        live.est.predict(X[:1])

    live.observe(hear, ["X", "y", "est", "trace", "message"])
    browser = Browser(live)
    browser.label(FREE[0], 1)
    assert heard[0] == "y"
    assert {"y", "est", "trace"} <= set(heard)
    live.est = make("lapsvm_pcg", sigma=0.5)
    browser.send({"op": "move", "i": 1, "x": 0, "y": 0})
    assert "X" in heard


def test_a_handler_may_assign():
    """One point that must stay without a label."""
    live, i = moons(), int(FREE[0])

    def forbid(change):
        if change.new[i] != -1:
            y = change.new.copy()
            y[i] = -1
            live.y = y

    live.observe(forbid, "y")
    Browser(live).send(
        {"op": "label", "i": i, "class": 1},
        {"op": "label", "i": int(FREE[1]), "class": 1},
    )
    assert live.y[FREE[:2]].tolist() == [-1, 1]
    assert fits(live)


def test_a_handler_that_raises_does_not_keep_the_run_back():
    live, heard = moons(), []

    def fail(change):
        raise KeyError(change.name)

    live.observe(fail, ["y", "est"])
    live.observe(lambda change: heard.append(change.name), "trace")
    with pytest.raises(KeyError):
        Browser(live).label(FREE[0], 1)
    assert live.y[FREE[0]] == 1
    assert heard == ["trace"]
    assert fits(live)


def test_tables_keep_the_names_of_their_columns():
    """Else scikit-learn warns when the same table is predicted, an error here."""
    table = pd.DataFrame(X, columns=["a", "b"], index=range(100, 140))
    live = lab(EST, table, pd.Series(Y, index=table.index))
    assert live.est.predict(table).shape == (40,)
    Browser(live).send({"op": "move", "i": 1, "x": 0, "y": 0})
    assert live.est.predict(table).shape == (40,)
    live.X = X
    assert live.est.predict(X).shape == (40,)


def test_sparse_points_can_be_labelled_and_assigned():
    live = lab(make("svm", sigma=0.5), sp.csr_matrix(X), Y)
    Browser(live).label(FREE[0], 1)
    Browser(live, "other").send({"op": "move", "i": 0, "x": 0, "y": 0})
    live.X = sp.coo_matrix(X * 2)
    assert live.y[FREE[0]] == 1
    assert "drag" not in unpack(live.view)[0]["tools"]
    assert fits(live)


def test_a_precomputed_kernel_has_points_where_its_caller_puts_them():
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    est = make("svm", kernel="precomputed")
    with pytest.raises(ValueError, match="points must be given"):
        lab(est, K, Y)
    live = lab(est, K, Y, points=X)
    Browser(live).send(
        {"op": "add", "x": 0, "y": 0},
        {"op": "remove", "i": 0},
        {"op": "label", "i": int(FREE[0]), "class": 1},
    )
    assert (len(live.y), live.y[FREE[0]]) == (40, 1)
    assert live.message == ""


def test_points_that_are_drawn_elsewhere_are_not_moved():
    live = moons(points=X[:, ::-1])
    Browser(live).send({"op": "add", "x": 0, "y": 0})
    assert (len(live.y), live.message) == (40, "")


def test_a_kernel_that_raises_is_a_message():
    def kernel(A, B):
        raise KeyError("no such column")

    live = lab(make("svm", kernel=kernel), X, Y)
    assert live.trace is None
    assert live.message == "The run failed: KeyError: 'no such column'"
    live.est = make("svm")
    assert (live.message, fits(live)) == ("", True)


def test_a_classifier_that_is_not_registered_has_no_settings():
    class Mine(type(EST)):
        pass

    with pytest.raises(ValueError, match="settings must be None for a classifier"):
        lab(Mine(sigma=0.35), X, Y, settings=["sigma"])
    live = lab(Mine(sigma=0.35), X, Y)
    Browser(live).label(FREE[0], 1)
    assert live.settings == []
    assert fits(live)


def begun(scene, start, **watching):
    """The first states: a run from one end of a slider can be long."""
    return scene.est.trace(scene.table, scene.y, until=lambda state: state.t >= 1)


def unseen(scene, trace, *, complete):
    """Drawing hundreds of runs takes longer than solving them."""
    return scene.without_run(str(len(trace)))


@each("name", ALGORITHMS)
def test_every_setting_is_shown_and_has_two_ends(name, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(LabScene, "train", begun)
    live = lab(make(name), X, Y)
    assert live.message == ""
    monkeypatch.setattr(LabScene, "view", unseen)
    monkeypatch.setattr("halfmoon.notebook.run.ghost_of", lambda before, now: None)
    browser, est = Browser(live), clone(live.est)
    assert {s["name"] for s in live.settings} == {knob.name for knob in _knobs(name)}
    for setting in live.settings:
        name, ends = setting["name"], {0, len(setting["words"]) - 1}
        for end in ends - {setting["value"]}:
            browser.say({"setting": name, "value": end})
            assert not live.message.startswith("The run failed"), name
            assert (live.remark, place_of(live, name)[0]) == ("", end), name
        live.est = est


def test_values_that_are_no_places_of_the_app_are_shown_where_they_stand():
    est = make("svm", sigma=np.float64(0.123456), max_iter=np.int64(77))
    live = lab(est, X, Y)
    words = {s["name"]: s["words"][s["value"]] for s in live.settings}
    assert (words["sigma"], words["max_iter"]) == ("0.123", "77")


# -- runs under way -------------------------------------------------------------------


def slow(seconds=0.02):
    def kernel(A, B):
        time.sleep(seconds)
        return np.exp(-((np.asarray(A)[:, None] - np.asarray(B)) ** 2).sum(-1))

    return make("svm", kernel=kernel)


def runs_of(live):
    return [t for t in threading.enumerate() if t.name == live.still]


async def rest(live):
    while live.busy:
        await asyncio.sleep(0.01)


def test_quick_edits_leave_one_thread_and_the_last_labels():
    async def edit():
        live = lab(slow(), X, Y)
        browser, most = Browser(live), 0
        for place, i in enumerate(FREE[:30]):
            browser.label(i, place % 2)
            most = max(most, len(runs_of(live)))
            await asyncio.sleep(0.002)
        await rest(live)
        assert most == 1
        assert live.y[FREE[:30]].tolist() == [0, 1] * 15
        assert unpack(live.view)[0]["seq_seen"] == 30
        assert fits(live)

    asyncio.run(edit())


def test_a_run_that_is_read_fits_the_labels_at_any_time():
    async def edit():
        live = lab(slow(), X, Y)
        browser = Browser(live)
        for place, i in enumerate(FREE[:8]):
            browser.label(i, place % 2)
            if place % 3 == 0:
                await asyncio.sleep(0.03)
            assert fits(live)
            assert live.est.predict(X).shape == (40,)
        await asyncio.sleep(0.05)
        assert (live.busy, fits(live), runs_of(live)) == (False, True, [])

    asyncio.run(edit())


def test_a_failed_run_is_a_message_in_a_notebook_too():
    def kernel(A, B):
        raise KeyError("no such column")

    async def edit():
        live = lab(make("svm", kernel=kernel), X, Y)
        assert live.trace is None
        assert "no such column" in live.message
        live.est = make("svm")
        await rest(live)
        assert fits(live)

    asyncio.run(edit())


def test_a_closed_lab_stops_its_run():
    async def edit():
        live = lab(make("lapsvm_pcg", tol=0, max_iter=100_000), X, Y)
        await asyncio.sleep(0.05)
        assert runs_of(live)
        live.close()
        end = time.monotonic() + 5
        while runs_of(live) and time.monotonic() < end:
            await asyncio.sleep(0.01)
        assert not runs_of(live)

    asyncio.run(edit())


def test_a_lab_goes_on_when_its_loop_has_ended():
    async def make_it():
        return lab(slow(), X, Y)

    live = asyncio.run(make_it())
    Browser(live).label(FREE[0], 1)
    assert live.y[FREE[0]] == 1
    assert (live.busy, fits(live)) == (False, True)


def test_reading_from_another_thread_does_not_hang():
    async def read():
        live, found = lab(slow(), X, Y), []
        reader = threading.Thread(target=lambda: found.append(live.trace), daemon=True)
        reader.start()
        reader.join(5)  # the loop stands still
        assert len(found) == 1
        await rest(live)

    asyncio.run(read())


def test_memory_does_not_grow_with_edits():
    live = moons()
    browser = Browser(live)
    for i in range(20):
        browser.label(FREE[0], i % 2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for i in range(200):
        browser.label(FREE[0], i % 2)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 20_000  # kB
    gc.collect()
    kept = [o for o in gc.get_objects() if isinstance(o, LiveRun)]
    assert sum(run.key == live.still for run in kept) == 0


# -- what is refused ------------------------------------------------------------------

ESTIMATOR = "estimator must be a classifier"
WRONG = [  # what is called wrongly, and what the sentence says
    ((SVC(), X, Y), {}, f"{ESTIMATOR} of Halfmoon, as make.* got SVC"),
    ((type(EST), X, Y), {}, f"{ESTIMATOR}, got the class .*Classifier.*instance"),
    (("svm", X, Y), {}, f"{ESTIMATOR} of Halfmoon, as make.* got str"),
    ((EST, X[:, 0], Y), {}, r"X must be a 2D array.* got shape \(40,\)"),
    ((EST, X[:9], Y), {}, "X must have one row for each of the 40 labels, got 9"),
    ((EST, [["a", "b"]] * 40, Y), {}, "X must hold numbers, got text"),
    ((EST, np.full((40, 2), np.nan), Y), {}, "X must be finite, got NaN in 40 of 40"),
    ((EST, X, None), {}, "y must hold one label for each point, got None"),
    ((EST, X, np.stack([Y, Y], 1)), {}, r"y must hold one label.* shape \(40, 2\)"),
    ((EST, X, np.where(Y < 0, np.nan, Y)), {}, "y must be whole, got NaN; mark"),
    ((EST, X, [[0], [1, 2]] * 20), {}, "y must hold one label for each point"),
    ((EST, X, np.full(40, -1)), {}, r"classes must name two.* pass classes=\[...\]"),
    ((EST, X, Y), {"classes": 2}, "classes must be a list, got 2"),
    ((EST, X, Y), {"classes": "01"}, "classes must be a list, got '01'"),
    ((EST, X, Y), {"classes": [0, 0]}, "classes must name two classes or more, each"),
    ((EST, X, Y), {"classes": [0, None]}, "classes must be text or numbers, got None"),
    ((EST, X, Y), {"classes": [-1, 0, 1]}, "classes must not hold the mark.* -1"),
    ((EST, X, Y), {"classes": [0, 2]}, "y must hold classes out of .* got 1"),
    ((EST, X, Y), {"truth": [0, 1]}, "truth must hold one label for each of the 40"),
    ((EST, X, Y), {"class_names": "ab"}, "class_names must be a list, got 'ab'"),
    ((EST, X, Y), {"class_names": ["a"]}, "class_names must hold a name for each of"),
    ((EST, X, Y), {"points": X[:3]}, "points must hold two finite numbers for each"),
    ((EST, X, Y), {"points": "abc"}, "points must hold two numbers for each point"),
    ((EST, X, Y), {"axis_names": "ab"}, "axis_names must be a list, got 'ab'"),
    ((EST, X, Y), {"axis_names": ["a"]}, "axis_names must be two, got 1"),
    ((EST, X, Y), {"settings": "sigma"}, "settings must be a list, got 'sigma'"),
    ((EST, X, Y), {"settings": ["no"]}, "has no knob 'no'; it has: kernel"),
    ((EST, X, Y), {"X_val": X}, "X_val and y_val must come together, got only X_val"),
    (
        (EST, X, Y),
        {"X_test": X[:, :1], "y_test": MOONS.y},
        r"X_test must have .* shape \(40, 2\), got \(40, 1\)",
    ),
    ((EST, X, Y), {"foo": 1}, "lab takes no argument 'foo'"),
    ((clone(EST).set_params(sigma=-1), X, Y), {}, "sigma must be"),
]


@each("given, options, message", WRONG)
def test_a_wrong_call_is_refused_with_one_sentence(given, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        lab(*given, **options)


def test_a_lab_is_not_copied_or_pickled():
    live = moons()
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match=r"cannot be copied.*lab\.trace\.save"):
            attempt(live)
    pickle.dumps((live.trace.final, live.est, live.X, live.y))


WITHOUT = """
import sys
sys.modules["anywidget"] = None
import halfmoon
try:
    halfmoon.lab(None, None, None)
except ModuleNotFoundError as error:
    print(error)
"""


def test_without_anywidget_it_says_what_to_install():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "run `pip install halfmoon[notebook]`" in done.stdout, done.stderr
