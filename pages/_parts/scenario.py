"""The scenario: everything a screen shows, as one frozen value.

A `Scenario` says which data, which labels, which algorithm with which parameters,
and how it is looked at. It holds no arrays and knows no widget, so it can be
compared, hashed, sent as a link (`to_url`, `from_url`) and saved (`to_json`,
`from_json`). Whatever comes back from outside is checked against the registries;
what does not pass is replaced by a default and told in a friendly remark.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from datasets import DATASETS
from ssl_core import ALGORITHMS
from ssl_core.knobs import Knob

VERSION = 1
DRAWN, UPLOAD = "drawn", "upload"  # data of one's own, besides the registry
HOW = ("hand", "random", "telling", "file")
NONE = "none"  # a link in which everything is switched off
TOGGLES = ("predictions", "mistakes", "graph")  # of the stage
PROJECTIONS = ("auto", "plain", "pca", "features", "embedding")
MAX_URL = 6_000  # characters that browsers, chats and mail programs all carry
# What is read from outside. Links that are written stay below MAX_URL; real points
# unpack to three times their packed size, so a link's packed part swells to 40 kB.
MAX_LINK = 16_000  # characters, names of parameters included
MAX_UNPACKED = 400_000  # bytes that the packed part of a link may swell to
MAX_NAMES = 200  # parameters of a link, hidden controls, thresholds
MAX_COLUMNS = 1_000  # feature columns that are named one by one
MAX_NAME = 200  # characters of a file's or a column's name
MAX_LISTS = 60_000  # in a saved file: five runs in a row, each with all its points
# By hand, measured for reading, posing, and writing the link: 5,000 points take 0.15 s
# and 20,000 take 0.9 s; 20,000 labels take 0.25 s. The stage draws 5,000 points.
MAX_DRAWN = 5_000  # points added, and moved, and removed
MAX_HAND = 20_000  # labels
MAX_CHAIN = 4  # runs that may have been continued one from another

SEED = Knob("seed", "int", 0, 2**31 - 1, default=0, step=1, help="Draw of the data.")
DRAW = Knob("draw", "int", 0, 2**31 - 1, default=0, step=1, help="Draw of the labels.")
COUNT = Knob("count", "int", 1, 1000, default=2, step=1, help="Number of labels.")
N_VAL = Knob("val", "int", 0, 5000, default=0, step=10, help="Validation points.")
N_TEST = Knob("test", "int", 0, 5000, default=0, step=10, help="Test points.")
ITERATION = Knob("t", "int", 0, 100_000, default=None, also=(None,))
THRESHOLD = Knob("threshold", "float", -1e6, 1e6, default=0.0)
N_DRAWN = Knob(
    "n_classes",
    "int",
    2,
    10,
    default=2,
    step=1,
    help="Classes to draw with.",
)
_ROW = Knob("row", "int", 0, 2_000_000, default=0)
_CLASS = Knob("class", "int", -1, 255, default=-1)
_PLACE = Knob("place", "float", -1e9, 1e9, default=0.0)

# Names of the link's own parts; an algorithm's knob may have none of these.
RESERVED = (
    *("v", "data", "seed", "labels", "count", "draw", "val", "test"),
    *("algorithm", "show", "axes", "t", "on", "hide", "s"),
)
Pairs = tuple[tuple[str, Any], ...]


def pairs(values: Mapping[str, Any]) -> Pairs:
    """A mapping as a hashable value, in order of name."""
    return tuple(sorted(values.items()))


@dataclass(frozen=True, slots=True)
class Labels:
    """Which points carry a label.

    Parameters
    ----------
    how : {"hand", "random", "telling", "file"}
        A list made by hand; so many of each class at random; the points whose labels
        tell most; or all labels that an uploaded file came with.
    count : int
        Labels per class for "random", labels in all for "telling".
    draw : int
        Seed of that choice.
    hand : tuple of (row, class)
        Labels by hand; class -1 keeps an unlabelled row among the training points
        where it would otherwise be held out.
    """

    how: str = "telling"
    count: int = 2
    draw: int = 0
    hand: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if len(self.hand) > MAX_HAND:
            raise ValueError(
                f"Labels by hand must be at most {MAX_HAND:,}, and these are "
                f"{len(self.hand):,}; choose fewer labels first, or label in the file."
            )


@dataclass(frozen=True, slots=True)
class Drawing:
    """What was changed about the points of a two-dimensional data set.

    Parameters
    ----------
    moved : tuple of (row, x, y)
    removed : tuple of row
    added : tuple of (x, y, class)
        New points stand after the data's own; class -1 is unlabelled.
    """

    moved: tuple[tuple[int, float, float], ...] = ()
    removed: tuple[int, ...] = ()
    added: tuple[tuple[float, float, int], ...] = ()

    def __post_init__(self) -> None:
        for what in ("moved", "removed", "added"):
            if (came := len(getattr(self, what))) > MAX_DRAWN:
                raise ValueError(
                    f"Points {what} by hand must be at most {MAX_DRAWN:,}, and these "
                    f"are {came:,}; put larger data into a file and upload it."
                )


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of one's own: which one, and how it is read.

    Parameters
    ----------
    digest : str
        Of the file's content; the content itself stays on the server.
    name : str
        File name: its last part, without characters that nobody sees.
    label_column : str or None
        None lets the reader guess.
    feature_columns : tuple of str
        Empty for all numeric ones.
    scale : {"standard", "range", "none"}
    """

    digest: str
    name: str
    label_column: str | None = None
    feature_columns: tuple[str, ...] = ()
    scale: str = "standard"

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", file_name(self.name))


@dataclass(frozen=True, slots=True)
class View:
    """How it is looked at; nothing here changes a run.

    Parameters
    ----------
    projection : str
        "auto", "plain" (two dimensions), "pca", "features" or "embedding".
    features : (int, int)
        The two columns for "features".
    t : int or None
        Iteration at which the stage opens; None is the last one.
    toggles : tuple of str or None
        What is switched on when the stage opens, out of `TOGGLES`; None leaves it as
        it is.
    thresholds : tuple of (name, value)
        Numbers that belong to one page, such as the early-stopping sliders.
    """

    projection: str = "auto"
    features: tuple[int, int] = (0, 1)
    t: int | None = None
    thresholds: Pairs = ()
    toggles: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run goes on from: iteration ``t`` of the run of ``origin``."""

    origin: Scenario
    t: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """The whole screen.

    Parameters
    ----------
    data : str
        Key of `datasets.DATASETS`, "drawn" or "upload".
    data_knobs : tuple of (name, value)
        All knobs of the data.
    seed : int
        Draw of the data and of the points held out.
    labels, drawing, upload : Labels, Drawing, Upload or None
    n_val, n_test : int
        Points held out.
    algorithm : str
        Key of `ssl_core.ALGORITHMS`.
    parameters : tuple of (name, value)
        All knobs of the algorithm.
    start : Start or None
        Continue an earlier run instead of beginning afresh.
    view : View
    hidden : tuple of str
        Controls that a teacher's link hides.
    """

    data: str = "two_moons"
    data_knobs: Pairs = ()
    seed: int = 0
    labels: Labels = field(default_factory=Labels)
    drawing: Drawing = field(default_factory=Drawing)
    upload: Upload | None = None
    n_val: int = 0
    n_test: int = 0
    algorithm: str = "lapsvm_pcg"
    parameters: Pairs = ()
    start: Start | None = None
    view: View = field(default_factory=View)
    hidden: tuple[str, ...] = ()

    @property
    def solving(self) -> Scenario:
        """The part that decides the run: the key under which it is kept."""
        return replace(self, view=View(), hidden=())

    @property
    def knobs(self) -> dict[str, Any]:
        return dict(self.data_knobs)

    @property
    def params(self) -> dict[str, Any]:
        return dict(self.parameters)

    @property
    def chain(self) -> int:
        """How many earlier runs this one goes back on."""
        return 0 if self.start is None else 1 + self.start.origin.chain

    # What a person does to a scenario. Each gives a new one that makes sense.

    def with_data(self, name: str, upload: Upload | None = None) -> Scenario:
        """Other data, with what suits them: labels and parameters start afresh."""
        fresh = replace(
            self,
            data=name,
            data_knobs=pairs({k.name: k.default for k in data_knobs(name).values()}),
            upload=upload,
            drawing=Drawing(),
            labels=default_labels(name),
            start=None,
            view=View(),
        )
        return replace(fresh, parameters=suggested(self.algorithm, name))

    def with_data_knob(self, name: str, value: Any) -> Scenario:
        """Turn a knob of the data; edits and hand labels of the old points go."""
        knobs = data_knobs(self.data)
        if name not in knobs:
            raise ValueError(f"These data have no knob {name!r:.40}.")
        value = knobs[name].check(value)
        changed = self._other_points(data_knobs=pairs({**self.knobs, name: value}))
        labels = changed.labels
        if name == "n_classes" and labels.how == "telling" and labels.count < value:
            labels = replace(labels, count=value)  # one label per class at least
        return replace(changed, labels=labels)

    def with_seed(self, seed: int) -> Scenario:
        return self._other_points(seed=SEED.check(seed))

    def _other_points(self, **changes) -> Scenario:
        labels = self.labels
        if labels.how == "hand":
            labels = default_labels(self.data)
        if self.data == DRAWN:  # a drawing has no other draw: only its classes change
            labels, drawing = self.labels, self.drawing
        else:
            drawing = Drawing()
        return replace(self, **changes, labels=labels, drawing=drawing, start=None)

    def with_labels(self, labels: Labels) -> Scenario:
        return replace(self, labels=labels)

    def with_held_out(self, n_val: int, n_test: int) -> Scenario:
        return replace(
            self, n_val=N_VAL.check(n_val), n_test=N_TEST.check(n_test), start=None
        )

    def with_algorithm(
        self, name: str, remembered: Mapping[str, Any] | None = None
    ) -> Scenario:
        """Another algorithm; what travels between both keeps its value.

        Parameters
        ----------
        name : str
        remembered : mapping, optional
            Parameters that were set for it before.
        """
        values = dict(suggested(name, self.data))
        before = {knob.name for knob in ALGORITHMS[self.algorithm].knobs}
        for knob in ALGORITHMS[name].knobs:
            choices = [dict(remembered or {})]
            if knob.travels and knob.name in before:
                choices.append(self.params)
            for choice in choices:
                if knob.name in choice and passes(knob, choice[knob.name]):
                    values[knob.name] = choice[knob.name]
        return replace(self, algorithm=name, parameters=pairs(values), start=None)

    def with_parameter(self, name: str, value: Any) -> Scenario:
        value = ALGORITHMS[self.algorithm].knob(name).check(value)
        return replace(self, parameters=pairs({**self.params, name: value}))

    def with_view(self, **changes) -> Scenario:
        return replace(self, view=replace(self.view, **changes))

    def going_on(self, t: int) -> Scenario:
        """Continue this scenario's run from its iteration ``t``."""
        if t is None:
            raise ValueError("t must be the iteration to go on from, got None.")
        if self.chain >= MAX_CHAIN:
            raise ValueError(
                f"A run can be continued {MAX_CHAIN} times in a row; start afresh once."
            )
        return replace(self, start=Start(self.solving, ITERATION.check(t)))

    # Links and files.

    def to_url(self) -> dict[str, str]:
        """Parameters of a link; none for the scenario a new visitor meets.

        What most links hold stays readable; hand labels, points and the like are
        packed into ``s``. A value equal to its knob's own default is left out.
        """
        if self == default():
            return {}
        url = {"v": str(VERSION), "data": self.data}
        knobs = data_knobs(self.data)
        for name, value in self.data_knobs:
            if value != knobs[name].default:
                url[f"data.{name}"] = str(value)
        if self.seed:
            url["seed"] = str(self.seed)
        url["labels"] = self.labels.how
        usual = default_labels(self.data)
        if self.labels.count != usual.count:
            url["count"] = str(self.labels.count)
        if self.labels.draw:
            url["draw"] = str(self.labels.draw)
        for name, count in (("val", self.n_val), ("test", self.n_test)):
            if count:
                url[name] = str(count)
        url["algorithm"] = self.algorithm
        for name, value in self.parameters:
            if value != ALGORITHMS[self.algorithm].knob(name).default:
                url[name] = str(value)
        if self.view.projection != "auto":
            url["show"] = self.view.projection
        if self.view.features != (0, 1):
            url["axes"] = ",".join(map(str, self.view.features))
        if self.view.t is not None:
            url["t"] = str(self.view.t)
        if self.view.toggles is not None:
            url["on"] = ",".join(self.view.toggles) or NONE
        for name, value in self.view.thresholds:
            url[f"at.{name}"] = str(value)
        if self.hidden:
            url["hide"] = ",".join(self.hidden)
        bulk = _bulk(self)
        if bulk:
            url["s"] = _pack(bulk)
        return url

    def to_query(self) -> str:
        """The link's part after the question mark."""
        return urlencode(self.to_url(), safe=",")

    @staticmethod
    def from_url(url: Mapping[str, str]) -> tuple[Scenario, list[str]]:
        """Read a link; rubbish gives defaults and remarks, never an exception.

        Returns
        -------
        scenario : Scenario
        remarks : list of str
            One sentence for each thing that was not understood.
        """
        if not url:
            return default(), []
        if _too_long(url):
            return default(), [
                f"A link may have {MAX_LINK:,} characters and {MAX_NAMES} parts, and "
                "this one has more; a saved file carries what a link cannot."
            ]
        return _Reader().scenario(_tree(url))

    def to_json(self, files: Mapping[str, str] | None = None) -> str:
        """The scenario as a file to keep.

        Parameters
        ----------
        files : mapping of digest to base64 text, optional
            Content of an uploaded file, to go along.
        """
        document = {"halfmoon": VERSION, "scenario": to_tree(self)}
        if files:
            document["files"] = dict(files)
        return json.dumps(document, indent=1, ensure_ascii=False)

    @staticmethod
    def from_json(text: str | bytes) -> tuple[Scenario, list[str], dict[str, str]]:
        """Read a saved file, as `from_url` reads a link; with the files in it."""
        document = _json(text)
        if not isinstance(document, dict) or "scenario" not in document:
            return (
                default(),
                ["This is no file saved by Halfmoon, or one with too much in it."],
                {},
            )
        scenario, remarks = _Reader().scenario(document["scenario"])
        files = document.get("files")
        files = files if isinstance(files, dict) else {}
        kept = {k: v for k, v in files.items() if isinstance(v, str)}
        return scenario, remarks, kept


# -- defaults ------------------------------------------------------------------------


def data_knobs(name: str) -> Mapping[str, Knob]:
    """Knobs of a data set, own data included."""
    if name == DRAWN:
        return {"n_classes": N_DRAWN}
    return {} if name == UPLOAD else DATASETS[name].knobs


def data_title(scenario: Scenario) -> str:
    """What the data are called on the page."""
    if scenario.data == DRAWN:
        return "Your drawing"
    if scenario.data == UPLOAD:
        return scenario.upload.name if scenario.upload else "Your file"
    return DATASETS[scenario.data].title


def default_labels(name: str) -> Labels:
    """Labels to begin with: telling ones where the eye can judge, else at random."""
    if name == DRAWN:
        return Labels("hand")
    if name == UPLOAD:
        return Labels("random", 3)
    entry = DATASETS[name]
    if entry.kind == "toy" and entry.dims == 2:
        return Labels("telling", max(entry.n_labeled, 2))
    return Labels("random", max(1, -(-entry.n_labeled // entry.n_classes)))


def suggested(algorithm: str, data: str) -> Pairs:
    """Parameters that suit an algorithm on a data set.

    The data's own suggestion where its knob allows it, else the algorithm's default.
    """
    if data in DATASETS:
        advice = DATASETS[data].defaults
    else:
        advice = {"sigma": 0.35} if data == DRAWN else {}
    values = {}
    for knob in ALGORITHMS[algorithm].knobs:
        value = advice.get(knob.name, knob.default)
        values[knob.name] = value if passes(knob, value) else knob.default
    return pairs(values)


def default() -> Scenario:
    """What a new visitor meets: two moons, two labels, the Laplacian SVM."""
    return Scenario().with_data("two_moons")


def passes(knob: Knob, value: Any) -> bool:
    """Whether a knob may stand at a value."""
    try:
        knob.check(value)
    except ValueError:
        return value is None and knob.default is None
    return True


# -- writing -------------------------------------------------------------------------


def to_tree(scenario: Scenario) -> dict[str, Any]:
    """A scenario as plain lists and dicts; `_Reader` reads it back."""
    tree: dict[str, Any] = {
        "v": VERSION,
        "data": scenario.data,
        "knobs": dict(scenario.data_knobs),
        "seed": scenario.seed,
        "labels": scenario.labels.how,
        "count": scenario.labels.count,
        "draw": scenario.labels.draw,
        "val": scenario.n_val,
        "test": scenario.n_test,
        "algorithm": scenario.algorithm,
        "parameters": dict(scenario.parameters),
        "show": scenario.view.projection,
        "axes": list(scenario.view.features),
        "t": scenario.view.t,
        "on": scenario.view.toggles,
        "thresholds": dict(scenario.view.thresholds),
        "hide": list(scenario.hidden),
    }
    return {**tree, **_bulk(scenario)}


def _bulk(scenario: Scenario) -> dict[str, Any]:
    """What no one wants to read in a link: long lists, files, earlier runs."""
    bulk: dict[str, Any] = {}
    if scenario.labels.hand:
        bulk["hand"] = [list(row) for row in zip(*scenario.labels.hand, strict=True)]
    drawing = scenario.drawing
    for name in ("moved", "removed", "added"):
        values = getattr(drawing, name)
        if values:
            bulk[name] = [v if isinstance(v, int) else list(v) for v in values]
    if scenario.upload is not None:
        upload = scenario.upload
        bulk["upload"] = {
            "digest": upload.digest,
            "name": upload.name,
            "label": upload.label_column,
            "features": list(upload.feature_columns),
            "scale": upload.scale,
        }
    if scenario.start is not None:
        origin = to_tree(scenario.start.origin)
        bulk["from"] = {"t": scenario.start.t, "scenario": origin}
    return bulk


def _pack(tree: Any) -> str:
    text = json.dumps(tree, separators=(",", ":"), ensure_ascii=False)
    packed = zlib.compress(text.encode(), 9)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


# -- reading -------------------------------------------------------------------------


_WRONG = (TypeError, ValueError, OverflowError)  # what a value from outside may cause
# Unicode: controls, directions, half characters, line ends; but not the two joiners
# that some scripts and emoji are spelled with.
_UNSEEN = ("C", "Zl", "Zp")
_JOINERS = "\u200c\u200d"


def seen(text: str) -> str:
    """Text without characters that nobody sees, and that may turn it around."""
    return "".join(
        c
        for c in text
        if c in _JOINERS or not unicodedata.category(c).startswith(_UNSEEN)
    )


def file_name(text: str) -> str:
    """A file's name as it may be shown, compared and written into a script.

    Folders before it, drive letters, and characters that nobody sees are taken away;
    a name of which nothing is left is called "file".

    >>> file_name("../notes/a\\tb.csv")
    'ab.csv'
    """
    text = re.sub(r"^[A-Za-z]:", "", text.replace("\\", "/").rsplit("/", 1)[-1])
    text = seen(text[-MAX_NAME:]).strip()
    return text if text.strip(".") else "file"


def _is_name(value: Any) -> bool:
    """Whether it can be a column's name: some text that can be written down."""
    if not isinstance(value, str) or not 0 < len(value) <= MAX_NAME:
        return False
    return not any(unicodedata.category(c) == "Cs" for c in value)


def _unpack(text: str) -> dict[str, Any] | None:
    """What `_pack` packed, or None; a bomb is not unpacked."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        inflate = zlib.decompressobj()
        raw = inflate.decompress(packed, MAX_UNPACKED)
    except (ValueError, zlib.error):
        return None
    tree = _json(raw) if inflate.eof else None
    return tree if isinstance(tree, dict) else None


def _json(text: str | bytes) -> Any:
    """JSON from outside, or None; many small lists would take a hundredfold."""
    opening = (b"[", b"{") if isinstance(text, bytes) else ("[", "{")
    if sum(map(text.count, opening)) > MAX_LISTS:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _too_long(url: Mapping[str, str]) -> bool:
    """Whether a link is none of ours, by its size alone; names count as well."""
    size = sum(len(name) + len(text) for name, text in url.items())
    return len(url) > MAX_NAMES or size > MAX_LINK


def _tree(url: Mapping[str, str]) -> dict[str, Any]:
    """The parameters of a link in the shape of `to_tree`; values are still text."""
    tree: dict[str, Any] = {"knobs": {}, "parameters": {}, "thresholds": {}}
    for name, text in url.items():
        if name == "s":
            bulk = _unpack(text)
            known = ("hand", "moved", "removed", "added", "upload", "from")
            if bulk is None or set(bulk) - set(known):
                tree["damaged"] = True
            else:
                tree.update(bulk)
        elif name in ("hide", "axes", "on"):
            tree[name] = text.split(",")
        elif name in RESERVED:
            tree[name] = text
        elif name.startswith("data."):
            tree["knobs"][name.removeprefix("data.")] = text
        elif name.startswith("at."):
            tree["thresholds"][name.removeprefix("at.")] = text
        else:
            tree["parameters"][name] = text
    return tree


class _Reader:
    """Turns a tree from outside into a scenario and says what did not pass."""

    def __init__(self, depth: int = 0):
        self.depth = depth
        self.remarks: list[str] = []

    def scenario(self, tree: Any) -> tuple[Scenario, list[str]]:
        if not isinstance(tree, dict):
            return default(), ["The link was not understood, so this is the default."]
        if not self._version(tree.get("v", VERSION)):
            return default(), self.remarks
        data, upload = self._data(tree)
        if data is None:
            return default(), self.remarks
        scenario = default().with_data(data, upload)
        knobs = self._knobs(data_knobs(data), tree.get("knobs"), scenario.knobs)
        algorithm = tree.get("algorithm", scenario.algorithm)
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
            self._say(f"There is no algorithm {_quote(algorithm)} here.")
            algorithm = scenario.algorithm
            tree = {k: v for k, v in tree.items() if k != "parameters"}
        # A link of ours leaves out the knobs' own defaults; one typed by hand, which
        # has no version, leaves out what the data suggest.
        ours = "v" in tree
        base = ALGORITHMS[algorithm].defaults if ours else suggested(algorithm, data)
        known = {knob.name: knob for knob in ALGORITHMS[algorithm].knobs}
        parameters = self._knobs(known, tree.get("parameters"), dict(base))
        scenario = replace(
            scenario,
            data_knobs=knobs,
            seed=self._value(SEED, tree.get("seed", 0)),
            labels=self._labels(tree, scenario.labels),
            drawing=self._drawing(tree),
            n_val=self._value(N_VAL, tree.get("val", 0)),
            n_test=self._value(N_TEST, tree.get("test", 0)),
            algorithm=algorithm,
            parameters=parameters,
            view=self._view(tree),
            hidden=self._hidden(tree.get("hide", [])),
        )
        if tree.get("damaged"):
            self._say(
                "The part of the link with hand labels and points is damaged "
                "and was left out."
            )
        return replace(scenario, start=self._start(tree.get("from"))), self.remarks

    def _say(self, remark: str) -> None:
        if remark not in self.remarks and len(self.remarks) < 12:
            self.remarks.append(remark)

    def _version(self, value: Any) -> bool:
        try:
            version = int(value)
        except _WRONG:
            version = 0
        if 1 <= version <= VERSION:
            return True
        newer = version > VERSION
        self._say(
            "The link was made by a newer Halfmoon; this one shows its default."
            if newer
            else "The link was not understood, so this is the default."
        )
        return False

    def _data(self, tree: dict) -> tuple[str | None, Upload | None]:
        name = tree.get("data", "two_moons")
        if name == UPLOAD:
            upload = self._upload(tree.get("upload"))
            if upload is not None:
                return UPLOAD, upload
            self._say("The link speaks of a file but does not say which.")
            return None, None
        if isinstance(name, str) and (name == DRAWN or name in DATASETS):
            return name, None
        self._say(f"There is no data set {_quote(name)} here, so this is the default.")
        return None, None

    def _upload(self, tree: Any) -> Upload | None:
        if not isinstance(tree, dict):
            return None
        digest, name = tree.get("digest"), tree.get("name")
        label, features = tree.get("label"), tree.get("features", [])
        scale = tree.get("scale", "standard")
        good = isinstance(digest, str) and re.fullmatch("[0-9a-zA-Z]{1,64}", digest)
        good = good and isinstance(name, str) and 0 < len(name) <= MAX_NAME
        good = good and (label is None or _is_name(label))
        good = good and isinstance(features, list) and len(features) <= MAX_COLUMNS
        good = good and all(map(_is_name, features))
        if not good or scale not in ("standard", "range", "none"):
            return None
        return Upload(digest, name, label, tuple(features), scale)

    def _knobs(self, known: Mapping[str, Knob], came: Any, defaults: dict) -> Pairs:
        values = dict(defaults)
        for name, value in self._named(came).items():
            if name not in known:
                self._say(f"Nothing here is called {_quote(name)}; it was left out.")
            else:
                values[name] = self._value(known[name], value, defaults[name])
        return pairs(values)

    def _named(self, came: Any) -> dict[str, Any]:
        """Values by name, if they are few enough to be meant."""
        if not isinstance(came, dict):
            return {}
        if len(came) > MAX_NAMES:
            self._say(f"There are {len(came):,} settings in it; they were left out.")
            return {}
        return came

    def _few(self, what: str, came: Any, most: int) -> bool:
        """Whether a list is short enough to be looked at."""
        if not isinstance(came, (list, tuple)):
            raise TypeError(f"{what} must be a list.")
        if len(came) > most:
            self._say(
                f"It has {len(came):,} {what} made by hand, and {most:,} is the most; "
                "they were left out."
            )
        return len(came) <= most

    def _value(self, knob: Knob, value: Any, otherwise: Any = None) -> Any:
        if value is None and (knob.default is None or None in knob.also):
            return None
        try:
            return knob.parse(value) if isinstance(value, str) else knob.check(value)
        except _WRONG:
            kept = knob.default if otherwise is None else otherwise
            rule = f"{knob.name} must be {knob.rule}, got {_quote(value)}"
            self._say(f"{rule}; {kept!r} is used.")
            return kept

    def _labels(self, tree: dict, otherwise: Labels) -> Labels:
        how = tree.get("labels", otherwise.how)
        if how not in HOW:
            self._say(f"Labels cannot be chosen by {_quote(how)}.")
            how = otherwise.how
        count = self._value(COUNT, tree.get("count", otherwise.count))
        hand: tuple = ()
        came = tree.get("hand")
        if came is not None:
            hand = self._hand(came)
        return Labels(how, count, self._value(DRAW, tree.get("draw", 0)), hand)

    def _hand(self, came: Any) -> tuple:
        try:
            rows, classes = came
            if not self._few("labels", rows, MAX_HAND):
                return ()
            read = {
                _ROW.check(row): _CLASS.check(c)
                for row, c in zip(rows, classes, strict=True)
            }
        except _WRONG:
            self._say("The labels in the link are damaged and were left out.")
            return ()
        return tuple(sorted(read.items()))

    def _drawing(self, tree: dict) -> Drawing:
        lists = {name: tree.get(name, ()) for name in ("moved", "removed", "added")}
        try:
            if not all(self._few("points", came, MAX_DRAWN) for came in lists.values()):
                return Drawing()
            moved = {
                _ROW.check(row): (_PLACE.check(x), _PLACE.check(y))
                for row, x, y in lists["moved"]
            }
            removed = {_ROW.check(row) for row in lists["removed"]}
            added = tuple(
                (_PLACE.check(x), _PLACE.check(y), _CLASS.check(c))
                for x, y, c in lists["added"]
            )
        except _WRONG:
            self._say("The points in the link are damaged and were left out.")
            return Drawing()
        places = tuple((row, *place) for row, place in sorted(moved.items()))
        return Drawing(places, tuple(sorted(removed)), added)

    def _view(self, tree: dict) -> View:
        projection = tree.get("show", "auto")
        if projection not in PROJECTIONS:
            self._say(f"Points cannot be shown by {_quote(projection)}.")
            projection = "auto"
        axes = tree.get("axes", (0, 1))
        try:
            first, second = (int(a) for a in axes)
            features = (_ROW.check(first), _ROW.check(second))
        except _WRONG:
            self._say("The two features to show were not understood.")
            features = (0, 1)
        thresholds = {}
        for name, value in self._named(tree.get("thresholds")).items():
            if _is_word(name):
                thresholds[name] = self._value(THRESHOLD, value)
            else:
                self._say(f"Nothing here is called {_quote(name)}; it was left out.")
        t = self._value(ITERATION, tree.get("t"))
        return View(
            projection, features, t, pairs(thresholds), _toggles(tree.get("on"))
        )

    def _hidden(self, came: Any) -> tuple[str, ...]:
        names = came if isinstance(came, list) and len(came) <= MAX_NAMES else []
        return tuple(sorted({name for name in names if _is_word(name)}))

    def _start(self, came: Any) -> Start | None:
        if came is None:
            return None
        if not isinstance(came, dict) or self.depth >= MAX_CHAIN:
            self._say("The earlier run in the link was not understood.")
            return None
        origin, remarks = _Reader(self.depth + 1).scenario(came.get("scenario"))
        t = self._value(ITERATION, came.get("t", 0))
        if remarks or t is None:
            self._say("The earlier run in the link was not understood.")
            return None
        return Start(origin.solving, t)


def _toggles(came: Any) -> tuple[str, ...] | None:
    """What a link switches on; names from another version are passed over."""
    if not isinstance(came, list | tuple):
        return None
    return tuple(name for name in TOGGLES if name in came)


def _is_word(value: Any) -> bool:
    """Whether it can be the name of a control of ours, such as ``data.noise``."""
    return isinstance(value, str) and bool(re.fullmatch(r"[A-Za-z0-9_.]{1,40}", value))


def _quote(value: Any) -> str:
    """A stranger's words: short, on one line, and nothing but words."""
    text = " ".join(str(value)[:200].split())
    # Remarks are shown as markdown: nothing in them may become a link or markup.
    text = "".join(c if c.isalnum() or c in " .,+-_" else "·" for c in text)
    return "‘" + (text if len(text) <= 40 else text[:37] + "...") + "’"
