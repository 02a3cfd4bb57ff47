"""What the stage shows, as plain arrays, and how it travels to the browser.

A page fills in a `StageView`; `payload` packs it into one block of bytes: a JSON
header (texts, small lists, where each array lies) and the arrays behind it. No
streamlit and no solver here, so all of it can be tested as ordinary functions.

Outputs are stored with few bits but never with the wrong sign: values go through
a signed square root, which spends most levels near the decision boundary, and
every level lies strictly on one side of zero.
"""

import hashlib
import json
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

MAX_POINTS = 5000  # more marks than this cover each other on any screen
MAX_CLASSES = 20  # ten shapes, each plain or with a hole
FIELD_RANGE = (1.5, 4.0)  # f = +-1 must stay inside; beyond 4 a field is plain colour
TOOLS = ("label", "erase", "lasso", "add", "drag", "continue")
ALIGN = 8  # bytes; typed arrays in the browser need aligned starts


@dataclass(frozen=True)
class Series:
    """One line of a curve panel.

    Parameters
    ----------
    name : str
    values : array-like of shape (T,)
        One value per frame; NaN leaves a gap.
    role : str
        Colour by meaning: "accent", "good", "ink", "muted", "warn", "class0",
        "class1", ... (see ``theme.js``).
    """

    name: str
    values: np.ndarray
    role: str = "accent"


@dataclass(frozen=True)
class Panel:
    """Curves over the frames, drawn under one title with the common cursor.

    Parameters
    ----------
    title : str
    series : sequence of Series
    log : bool
        Logarithmic ordinate; values <= 0 leave a gap.
    percent : bool
        Values are fractions, shown as percentages from zero.
    x : array-like of shape (T,), optional
        Non-decreasing abscissa; default is the iteration number of each frame.
    x_name : str
    """

    title: str
    series: tuple[Series, ...]
    log: bool = False
    percent: bool = False
    x: np.ndarray | None = None
    x_name: str = "iteration"


@dataclass(frozen=True)
class Event:
    """A tick on the scrubber: at iteration `t`, of a `kind`, with a sentence."""

    t: float
    kind: str
    text: str


@dataclass(frozen=True)
class Tile:
    """A figure in large type; `values` holds one preformatted string per frame."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class LineSearch:
    """The piecewise linear psi(s) of one step: break points, values and its zero."""

    s: np.ndarray
    psi: np.ndarray
    s_star: float


@dataclass(frozen=True)
class Ghost:
    """An earlier run to compare with, drawn dimmed.

    Parameters
    ----------
    name : str
    field : ndarray of shape (H, W), optional
        Its last field, on the same extent (two classes only).
    curves : sequence of Panel
        Matched to the view's panels by title and series name; lengths are free.
    """

    name: str
    field: np.ndarray | None = None
    curves: tuple[Panel, ...] = ()


@dataclass(frozen=True)
class StageView:
    """Everything the stage needs to play a run without asking the server again.

    With two classes ``f > 0`` means class 1 and ``f < 0`` class 0. With k > 2 the
    largest of the k outputs wins.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        Where each point is drawn.
    given : ndarray of shape (n,)
        Class index given by the user, -1 = unlabelled.
    class_names : sequence of str
        k names, 2 <= k <= 20.
    extent : (x0, x1, y0, y1)
        What is seen; the field covers exactly this (see `fit_extent`, `grid`).
    frame_t : ndarray of shape (T,)
        Iteration number of each frame, increasing.
    field : ndarray of shape (T, H, W), or (T, H, W, k) for k > 2, optional
        Outputs on `grid(extent, W, H)`, first row lowest; None where no honest
        field exists.
    f_per_frame : ndarray of shape (T, n), or (T, n, k) for k > 2, optional
        Outputs on the points.
    p_per_frame : ndarray of shape (T, n), optional
        Probability of class 1, for the hover text.
    marks_per_frame : bool ndarray of shape (T, n), optional
        Points to ring, called `marks_name` in the legend.
    truth : ndarray of shape (n,), optional
        True class index, -1 = unknown.
    thumbnails : uint8 ndarray of shape (n, h, w), optional
    edges : int ndarray of shape (m, 2), optional
        Graph edges, drawn on demand.
    ghost : Ghost, optional
    events, captions, tiles, curves : sequences
        `Event`; one sentence per frame; `Tile`; `Panel`.
    line_search : sequence of T (LineSearch or None), optional
    start_frame : int, optional
        Cursor when a new run arrives. None: the last frame at first, later the
        place where the reader was (the end stays the end).
    autoplay : bool
    title, status : str
        Shown above the stage and beside the transport.
    tools : sequence of str
        Out of ``TOOLS``; "erase" and "lasso" need "label".
    locked : bool
        No edits at all, for instance while a run is under way.
    run_id : str
        Same id, same run: the cursor stays. Default: a digest of the outputs.
    data_id : str
        Names the data set. When it changes, undo and zoom start afresh and late
        edits of the old data are refused.
    sync : str
        Stages of one page with the same name move in step, by iteration number.
    field_range : float, optional
        Outputs beyond +-field_range are clipped in the field.
    """

    points: np.ndarray
    given: np.ndarray
    class_names: tuple[str, ...]
    extent: tuple[float, float, float, float]
    frame_t: np.ndarray
    field: np.ndarray | None = None
    f_per_frame: np.ndarray | None = None
    p_per_frame: np.ndarray | None = None
    marks_per_frame: np.ndarray | None = None
    marks_name: str = "error vector"
    truth: np.ndarray | None = None
    thumbnails: np.ndarray | None = None
    edges: np.ndarray | None = None
    ghost: Ghost | None = None
    axis_names: tuple[str, str] = ("x₁", "x₂")
    events: tuple[Event, ...] = ()
    captions: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    curves: tuple[Panel, ...] = ()
    line_search: tuple[LineSearch | None, ...] | None = None
    start_frame: int | None = None
    autoplay: bool = False
    title: str = ""
    status: str = ""
    tools: tuple[str, ...] = TOOLS
    locked: bool = False
    run_id: str = ""
    data_id: str = ""
    sync: str = ""
    field_range: float | None = None

    def __post_init__(self):
        n, T, k = self.n_points, self.n_frames, len(self.class_names)
        if not 2 <= k <= MAX_CLASSES:
            raise ValueError(
                f"class_names must hold 2 to {MAX_CLASSES} names, got {k}; "
                "group rare classes before showing them."
            )
        if T == 0:
            raise ValueError("frame_t must hold at least one frame, got none.")
        if np.any(np.diff(self.frame_t) <= 0):
            raise ValueError("frame_t must increase; give each frame its iteration.")
        x0, x1, y0, y1 = self.extent
        if not (np.isfinite(self.extent).all() and x0 < x1 and y0 < y1):
            raise ValueError(
                f"extent must be finite with x0 < x1 and y0 < y1, got {self.extent}; "
                "fit_extent(points) gives one."
            )
        last = (k,) if k > 2 else ()
        shapes = {
            "points": (n, 2),
            "given": (n,),
            "truth": (n,),
            "field": (T, None, None, *last),
            "f_per_frame": (T, n, *last),
            "p_per_frame": (T, n),
            "marks_per_frame": (T, n),
            "thumbnails": (n, None, None),
            "edges": (None, 2),
        }
        for name, shape in shapes.items():
            _check_shape(name, getattr(self, name), shape)
        if n and not np.isfinite(self.points).all():
            raise ValueError("points must be finite, got NaN or infinity.")
        for name in ("given", "truth"):
            labels = getattr(self, name)
            if (
                labels is not None
                and n
                and not -1 <= np.min(labels) <= np.max(labels) < max(k, 1)
            ):
                raise ValueError(
                    f"{name} must hold class indices 0 to {k - 1} or -1, got "
                    f"{np.min(labels)} to {np.max(labels)}."
                )
        per_frame = {"captions": self.captions, "line_search": self.line_search}
        per_frame |= {f"tile {tile.label!r}": tile.values for tile in self.tiles}
        for panel in self.curves:
            per_frame |= {f"curve {s.name!r}": s.values for s in panel.series}
            per_frame |= {f"x of {panel.title!r}": panel.x}
        for name, values in per_frame.items():
            if values is not None and len(values) not in (T, 0 * (name == "captions")):
                raise ValueError(
                    f"{name} must hold one value for each of the {T} frames, "
                    f"got {len(values)}."
                )
        unknown = sorted(set(self.tools) - set(TOOLS))
        if unknown:
            raise ValueError(f"tools must come from {TOOLS}, got {unknown}.")
        if self.start_frame is not None and not 0 <= self.start_frame < T:
            raise ValueError(
                f"start_frame must lie in 0 to {T - 1}, got {self.start_frame}."
            )

    @property
    def n_points(self) -> int:
        return len(self.points)

    @property
    def n_frames(self) -> int:
        return len(self.frame_t)


def _check_shape(name, array, shape):
    """Raise unless `array` is None or has `shape`, where None allows any length."""
    if array is None:
        return
    got = np.shape(array)
    if len(got) != len(shape) or any(
        want is not None and have != want for have, want in zip(got, shape, strict=True)
    ):
        want = ", ".join("any" if s is None else str(s) for s in shape)
        raise ValueError(f"{name} must have shape ({want}), got {got}.")


# -- geometry -----------------------------------------------------------------


def fit_extent(points, *, margin=0.18, aspect=4 / 3):
    """Extent around `points` with the shape of the stage, so that scales are equal.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    margin : float
        Free space on each side, as a part of the larger span.
    aspect : float
        Width over height of the extent.

    Returns
    -------
    (x0, x1, y0, y1) : tuple of float
    """
    points = np.asarray(points, dtype=float)
    if len(points) == 0:
        return (-1.2 * aspect, 1.2 * aspect, -1.2, 1.2)
    low, high = points.min(axis=0), points.max(axis=0)
    centre, span = (low + high) / 2, high - low
    span = span + 2 * margin * (span.max() or 1.0)
    height = max(span[1], span[0] / aspect)
    half = np.array([height * aspect, height]) / 2
    (x0, y0), (x1, y1) = centre - half, centre + half
    return float(x0), float(x1), float(y0), float(y1)


def grid(extent, width=60, height=60):
    """Points at which a field of `height` rows and `width` columns is evaluated.

    Returns
    -------
    X : ndarray of shape (height * width, 2)
        Row by row, lowest row first: ``f(X).reshape(height, width)`` is a frame.
    """
    x0, x1, y0, y1 = extent
    x, y = np.meshgrid(np.linspace(x0, x1, width), np.linspace(y0, y1, height))
    return np.column_stack([x.ravel(), y.ravel()])


def choose_frames(n_states, limit=150, keep=()):
    """Indices of at most about `limit` states to show: ends, `keep`, an even spread."""
    if n_states <= limit:
        return np.arange(n_states)
    even = np.linspace(0, n_states - 1, limit).round()
    kept = [i for i in keep if 0 <= i < n_states]
    return np.unique(np.concatenate([even, kept]).astype(int))


# -- few bits, right sign -----------------------------------------------------


def quantise(f, limit, dtype=np.uint8):
    """Store outputs in 8 or 16 bits, finest near zero and never across it.

    Parameters
    ----------
    f : ndarray
        NaN counts as 0.
    limit : float
        Outputs are clipped to [-limit, limit].
    dtype : np.uint8 or np.int16

    Returns
    -------
    q : ndarray of `dtype`
        ``s = sign(f) sqrt(|f| / limit)`` in equal steps; zero lies between steps.
    """
    z = np.clip(np.nan_to_num(np.asarray(f, dtype=float)) / limit, -1, 1)
    s = np.sign(z) * np.sqrt(np.abs(z))
    half = 128 if dtype == np.uint8 else 32768
    q = np.clip(np.floor(half * s), -half, half - 1)
    return (q + half if dtype == np.uint8 else q).astype(dtype)


def dequantise(q, limit):
    """Outputs back from `quantise`, at the middle of each step (as the browser does)."""
    q = np.asarray(q)
    half, shift = (128, 128) if q.dtype == np.uint8 else (32768, 0)
    s = (q.astype(float) - shift + 0.5) / half
    return limit * s * np.abs(s)


def winner_and_margin(scores, limit):
    """Class with the largest score, and its lead over the second in 8 bits.

    Parameters
    ----------
    scores : ndarray of shape (..., k), k >= 2
    limit : float
        Leads beyond it are clipped.

    Returns
    -------
    winner : uint8 ndarray of shape (...)
    margin : uint8 ndarray of shape (...)
        ``sqrt(lead / limit)`` in 256 equal steps.
    """
    scores = np.nan_to_num(np.asarray(scores, dtype=float))
    second, first = np.moveaxis(np.partition(scores, -2, axis=-1)[..., -2:], -1, 0)
    s = np.sqrt(np.clip((first - second) / limit, 0, 1))
    margin = np.minimum(np.floor(256 * s), 255).astype(np.uint8)
    return scores.argmax(axis=-1).astype(np.uint8), margin


# -- packing ------------------------------------------------------------------


class _Packer:
    """Collects named arrays; the header tells the browser where each one lies."""

    def __init__(self):
        self.table, self.blocks, self.size = {}, [], 0

    def add(self, name, array, dtype):
        array = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<"))
        self.table[name] = {
            "dtype": np.dtype(dtype).name,
            "shape": list(array.shape),
            "offset": self.size,
        }
        block = array.tobytes()
        block += bytes(-len(block) % ALIGN)
        self.blocks.append(block)
        self.size += len(block)

    def digest(self, *names):
        mark = hashlib.blake2b(digest_size=12)
        for name, block in zip(self.table, self.blocks, strict=True):
            if name in names:
                mark.update(name.encode() + block)
        return mark.hexdigest()


def shown_points(view):
    """Which points are drawn: all, or every labelled one and a fixed random rest.

    Returns
    -------
    shown : ndarray of shape (m,), m <= max(MAX_POINTS, number of labels)
    """
    n = view.n_points
    if n <= MAX_POINTS:
        return np.arange(n)
    labelled = np.flatnonzero(np.asarray(view.given) >= 0)
    rest = np.setdiff1d(np.arange(n), labelled)
    room = max(MAX_POINTS - len(labelled), 0)
    drawn = np.random.default_rng(0).choice(rest, min(room, len(rest)), replace=False)
    return np.sort(np.concatenate([labelled, drawn]))


def payload(view, *, client="", seq_seen=0):
    """Pack a view for the browser.

    Parameters
    ----------
    view : StageView
    client, seq_seen : str, int
        Whose edits, and up to which number, are already part of `view`.

    Returns
    -------
    block : bytes
        Length of the header (uint32), header (JSON, UTF-8), padding to 8, arrays.
    """
    pack = _Packer()
    shown = shown_points(view)
    everything = len(shown) == view.n_points
    tools = [t for t in view.tools if everything or t != "add"]
    pack.add("points", np.asarray(view.points)[shown], "float32")
    pack.add("given", np.asarray(view.given)[shown], "int8")
    if not everything:
        pack.add("index", shown, "uint32")
    if view.truth is not None:
        pack.add("truth", np.asarray(view.truth)[shown], "int8")
    if view.thumbnails is not None:
        pack.add("thumbnails", np.asarray(view.thumbnails)[shown], "uint8")
    if view.edges is not None:
        pack.add("edges", _edges_between(view.edges, shown, view.n_points), "uint32")
    limits = _pack_outputs(pack, view, shown)
    header = {
        "limits": limits,
        "n_total": view.n_points,
        "classes": [str(name) for name in view.class_names],
        "extent": [float(v) for v in view.extent],
        "axis_names": list(view.axis_names),
        "marks_name": view.marks_name,
        "frame_t": np.asarray(view.frame_t).tolist(),
        "events": [
            {"t": float(e.t), "kind": e.kind, "text": e.text} for e in view.events
        ],
        "captions": list(view.captions),
        "tiles": [{"label": t.label, "values": list(t.values)} for t in view.tiles],
        "curves": _pack_curves(pack, "curve", view.curves),
        "line_search": _pack_line_search(pack, view.line_search),
        "ghost": _pack_ghost(pack, view.ghost, limits),
        "start_frame": view.start_frame,
        "autoplay": view.autoplay,
        "title": view.title,
        "status": view.status,
        "tools": tools,
        "locked": view.locked,
        "note": "" if everything else _subsample_note(view, shown),
        "run_id": view.run_id
        or pack.digest("field", "field_margin", "f", "f_margin", "curve0_0"),
        "data_id": view.data_id,
        "client": client,
        "seq_seen": int(seq_seen),
        "arrays": pack.table,
        "sync": view.sync,
    }
    text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode()
    head = len(text).to_bytes(4, "little") + text
    return head + bytes(-len(head) % ALIGN) + b"".join(pack.blocks)


def payload_bytes(view):
    """Size in bytes of what one view sends to the browser."""
    return len(payload(view))


def unpack(block):
    """Header and arrays back from `payload`; the twin of ``unpack.js``, for tests."""
    size = int.from_bytes(block[:4], "little")
    header = json.loads(block[4 : 4 + size])
    start = 4 + size + (-(4 + size) % ALIGN)
    arrays = {}
    for name, entry in header["arrays"].items():
        count = int(np.prod(entry["shape"], dtype=int))
        arrays[name] = np.frombuffer(
            block, np.dtype(entry["dtype"]), count, start + entry["offset"]
        ).reshape(entry["shape"])
    return header, arrays


def _pack_outputs(pack, view, shown):
    """Add field, outputs, probabilities and rings; return the ranges used."""
    many, limits = len(view.class_names) > 2, {}
    if view.field is not None:
        field = np.asarray(view.field)
        limit = view.field_range or float(np.clip(_largest(field), *FIELD_RANGE))
        limits["field"] = limit
        if many:
            winner, margin = winner_and_margin(field, limit)
            pack.add("field", winner, "uint8")
            pack.add("field_margin", margin, "uint8")
        else:
            pack.add("field", quantise(field, limit), "uint8")
    if view.f_per_frame is not None:
        f = np.asarray(view.f_per_frame)[:, shown]
        limits["f"] = _largest(f) or 1.0
        if many:
            winner, margin = winner_and_margin(f, limits["f"])
            pack.add("f", winner, "uint8")
            pack.add("f_margin", margin, "uint8")
        else:
            pack.add("f", quantise(f, limits["f"], np.int16), "int16")
    if view.p_per_frame is not None:
        p = np.clip(np.nan_to_num(np.asarray(view.p_per_frame)[:, shown]), 0, 1)
        pack.add("p", np.rint(255 * p), "uint8")
    if view.marks_per_frame is not None:
        marks = np.asarray(view.marks_per_frame, dtype=bool)[:, shown]
        pack.add("marks", np.packbits(marks, axis=1, bitorder="little"), "uint8")
    return limits


def _largest(values):
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def _edges_between(edges, shown, n):
    """Edges with both ends drawn, in the numbering of the drawn points."""
    place = np.full(n, -1)
    place[shown] = np.arange(len(shown))
    ends = place[np.asarray(edges, dtype=int).reshape(-1, 2)]
    return ends[(ends >= 0).all(axis=1)]


def _pack_curves(pack, prefix, panels):
    rows = []
    for i, panel in enumerate(panels):
        names = []
        for j, series in enumerate(panel.series):
            pack.add(f"{prefix}{i}_{j}", series.values, "float32")
            names.append({"name": series.name, "role": series.role})
        if panel.x is not None:
            pack.add(f"{prefix}{i}_x", panel.x, "float32")
        rows.append(
            {
                "title": panel.title,
                "log": panel.log,
                "percent": panel.percent,
                "x_name": panel.x_name,
                "series": names,
            }
        )
    return rows


def _pack_line_search(pack, searches):
    """All line searches end to end; `starts` says where each frame's begins."""
    if searches is None:
        return None
    sizes = [0 if search is None else len(search.s) for search in searches]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    s, psi = np.zeros(starts[-1]), np.zeros(starts[-1])
    stars = np.full(len(searches), np.nan)
    for i, (search, (a, b)) in enumerate(zip(searches, pairwise(starts), strict=True)):
        if search is not None:
            s[a:b], psi[a:b], stars[i] = search.s, search.psi, search.s_star
    pack.add("search_s", s, "float32")
    pack.add("search_psi", psi, "float32")
    pack.add("search_star", stars, "float32")
    return {"starts": starts.tolist()}


def _pack_ghost(pack, ghost, limits):
    if ghost is None:
        return None
    if ghost.field is not None:
        limits["ghost"] = float(
            np.clip(_largest(np.asarray(ghost.field)), *FIELD_RANGE)
        )
        pack.add("ghost_field", quantise(ghost.field, limits["ghost"]), "uint8")
    return {"name": ghost.name, "curves": _pack_curves(pack, "ghost", ghost.curves)}


def _subsample_note(view, shown):
    return (
        f"{len(shown):,} of {view.n_points:,} points are drawn (all labelled ones and "
        "a random part); the run used all of them."
    )
