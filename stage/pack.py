"""How a view travels to the browser: one block of bytes, unpacked by ``unpack.js``.

The block is a JSON header (texts, small lists, where each array lies) and the
arrays behind it, deflated. Outputs are stored in the levels of `levels.py`. What is
stored for each frame travels as its difference from the frame before, in a field also
from the nodes to the left and below.
"""

import hashlib
import json
import zlib
from dataclasses import asdict

import numpy as np

from halfmoon.stage.levels import (
    FIELD_SCALE,
    field_levels,
    quantise,
    winner_and_margin,
)

MAX_POINTS = 5000  # more marks than this cover each other on any screen
ALIGN = 8  # bytes; typed arrays in the browser need aligned starts
LEVEL = 1  # of deflate: 207 kB become 52 kB in 1.4 ms; level 6 has 46 kB in 6.5 ms


class _Packer:
    """Collects named arrays; the header tells the browser where each one lies.

    Parameters
    ----------
    shown : ndarray
        Which points of the view travel.
    """

    def __init__(self, shown):
        self.shown = shown
        self.table, self.blocks, self.size = {}, [], 0

    def add(self, name, array, dtype, *, delta=False):
        """Store an array; `delta` = each row of integers less the row before."""
        array = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<"))
        entry = {"dtype": np.dtype(dtype).name, "shape": list(array.shape)}
        if delta:
            entry["delta"] = True
            array = np.concatenate([array[:1], array[1:] - array[:-1]])  # wraps
        self._append(name, entry, array.tobytes())

    def _append(self, name, entry, block):
        self.table[name] = {**entry, "offset": self.size}
        block += bytes(-len(block) % ALIGN)
        self.blocks.append(block)
        self.size += len(block)

    def add_smooth(self, name, array):
        """Store 16-bit frames of fields, (T, ..., H, W), which change little.

        Differences along frames, rows and columns, the sign in the lowest bit, all low
        bytes before all high ones: 79 kB instead of 199 for a run of 52 frames.
        """
        array = np.ascontiguousarray(array, dtype="<i2")
        entry = {"dtype": "int16", "shape": list(array.shape), "smooth": True}
        steps = array
        for axis in (0, -2, -1):  # wraps
            steps = np.diff(steps, axis=axis, prepend=steps.dtype.type(0))
        zigzag = ((steps << 1) ^ (steps >> 15)).astype("<u2")
        planes = zigzag.reshape(-1, 1).view(np.uint8).T
        self._append(name, entry, planes.tobytes())

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


def payload(view, *, key="", client="", seq_seen=0, explain=None):
    """Pack a view for the browser.

    Parameters
    ----------
    view : StageView
    key : str
        The stage's own key on its page.
    client, seq_seen : str, int
        Whose edits, and up to which number, are already part of `view`.
    explain : callable, optional
        Takes the sentences of the view; returns what the terms in them mean, a dict of
        strings. They are explained on the stage.

    Returns
    -------
    block : bytes
        Deflated: length of the header (uint32), header (JSON, UTF-8), padding to 8,
        arrays.
    """
    shown = shown_points(view)
    pack = _Packer(shown)
    everything = len(shown) == view.n_points
    tools = [t for t in view.tools if everything or t != "add"]
    pack.add("points", np.asarray(view.points)[shown], "float32")
    pack.add("given", np.asarray(view.given)[shown], "int8")
    number = np.arange(view.n_points) if view.number is None else view.number
    pack.add("number", np.asarray(number)[shown], "uint32")
    if view.truth is not None:
        pack.add("truth", np.asarray(view.truth)[shown], "int8")
    if view.thumbnails is not None:
        pack.add("thumbnails", np.asarray(view.thumbnails)[shown], "uint8")
    if view.edges is not None:
        pack.add("edges", _edges_between(view.edges, shown, view.n_points), "uint32")
    if view.seconds is not None:
        pack.add("seconds", view.seconds, "float64")
    limits = _pack_outputs(pack, view, shown)
    header = {
        "limits": limits,
        "n_total": view.n_points,
        "next_number": view.next_number or int(max(number, default=-1)) + 1,
        "max_number": view.max_number,
        "classes": [str(name) for name in view.class_names],
        "extent": [float(v) for v in view.extent],
        "axis_names": list(view.axis_names),
        "marks_name": view.marks_name,
        "margins": view.margins,
        "struck_name": view.struck_name,
        "frame_t": np.asarray(view.frame_t).tolist(),
        "axis": _pack_axis(pack, view.axis),
        "events": _pack_events(view.events),
        "captions": list(view.captions),
        "terms": explain(_words(view)) if explain else {},
        "tiles": [{"label": t.label, "values": list(t.values)} for t in view.tiles],
        "panels": _pack_panels(pack, "panel", view.panels),
        "ghost": _pack_ghost(pack, view.ghost, limits),
        "start_frame": view.start_frame,
        "autoplay": view.autoplay,
        "numbers": {name: float(v) for name, v in view.numbers},
        "opening": view.opening,
        "prompts": [{"kind": p.kind, "text": p.text} for p in view.prompts],
        "title": view.title,
        "status": view.status,
        "tools": tools,
        "locked": view.locked,
        "pending": view.pending,
        "note": "" if everything else _subsample_note(view, shown),
        "run_id": view.run_id or pack.digest("field", "f", "f_margin", "panel0_0"),
        "data_id": view.data_id,
        "scene_id": view.scene_id,
        "key": key,
        "toggles": None if view.toggles is None else list(view.toggles),
        "client": client,
        "seq_seen": int(seq_seen),
        "arrays": pack.table,
        "sync": view.sync,
        "compact": view.compact,
        "name": view.name,
        "about": view.about,
    }
    text = json.dumps(header, ensure_ascii=False, allow_nan=False)
    text = text.encode(errors="replace")  # half of a character is no text
    head = len(text).to_bytes(4, "little") + text
    body = b"".join([head, bytes(-len(head) % ALIGN), *pack.blocks])
    return zlib.compress(body, LEVEL)


def _words(view):
    """Everything the stage says in words of ours, and the names of its curves."""
    yield from view.captions
    yield from (event.text for event in view.events)
    yield from (tile.label for tile in view.tiles)
    yield view.marks_name
    for panel in view.panels:
        yield panel.title
        yield from (series.name for series in getattr(panel, "series", ()))


def unpack(block):
    """Header and arrays back from `payload`; the twin of ``unpack.js``, for tests."""
    body = zlib.decompress(block)
    size = int.from_bytes(body[:4], "little")
    header = json.loads(body[4 : 4 + size])
    start = 4 + size + (-(4 + size) % ALIGN)
    arrays = {}
    for name, entry in header["arrays"].items():
        count = int(np.prod(entry["shape"], dtype=int))
        array = np.frombuffer(
            body, np.dtype(entry["dtype"]), count, start + entry["offset"]
        ).reshape(entry["shape"])
        if entry.get("smooth"):
            zigzag = array.reshape(-1).view(np.uint8).reshape(2, -1).T.copy()
            zigzag = zigzag.view("<u2").reshape(entry["shape"])
            array = (zigzag >> 1).astype("<i2") ^ -(zigzag & 1).astype("<i2")
            for axis in (0, -2, -1):
                array = np.cumsum(array, axis=axis, dtype=array.dtype)
        elif entry.get("delta"):
            array = np.cumsum(array, axis=0, dtype=array.dtype)
        arrays[name] = array
    return header, arrays


def _pack_outputs(pack, view, shown):
    """Add field, outputs, probabilities and rings; return the ranges used."""
    many, limits = len(view.class_names) > 2, {}
    if view.field is not None:
        limits["field"] = asdict(FIELD_SCALE)
        pack.add_smooth("field", _levels_by_class(view.field, many))
    if view.f_per_frame is not None:
        f = np.asarray(view.f_per_frame)[:, shown]
        limits["f"] = _largest(f) or 1.0
        if many:
            winner, margin = winner_and_margin(f, limits["f"])
            pack.add("f", winner, "uint8", delta=True)
            pack.add("f_margin", margin, "uint8", delta=True)
        else:
            pack.add("f", quantise(f, limits["f"]), "int16", delta=True)
    if view.p_per_frame is not None:
        p = np.clip(np.nan_to_num(np.asarray(view.p_per_frame)[:, shown]), 0, 1)
        pack.add("p", np.rint(255 * p), "uint8", delta=True)
    for name in ("marks", "struck", "guess"):
        rings = getattr(view, f"{name}_per_frame")
        if rings is not None:
            rings = np.asarray(rings, dtype=bool)[:, shown]
            pack.add(name, np.packbits(rings, axis=1, bitorder="little"), "uint8")
    return limits


def _levels_by_class(field, many):
    """Levels (T, k, H, W) of a field (T, H, W, k), or (T, 1, H, W) of two classes'.

    Of several classes only the leads are drawn. Each node's mean is taken off first:
    then the levels are as fine as the leads ask for, however small they are.
    """
    field = np.asarray(field, dtype=float)
    if not many:
        return field_levels(field[:, None])
    leads = field - field.mean(axis=-1, keepdims=True)
    return field_levels(np.moveaxis(leads, -1, 1))


def _largest(values):
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def _edges_between(edges, shown, n):
    """Edges with both ends drawn, in the numbering of the drawn points."""
    place = np.full(n, -1)
    place[shown] = np.arange(len(shown))
    ends = place[np.asarray(edges, dtype=int).reshape(-1, 2)]
    return ends[(ends >= 0).all(axis=1)]


def _pack_events(events):
    return [
        {"t": float(e.t), "kind": e.kind, "text": e.text, "tone": e.tone}
        for e in events
    ]


def _pack_axis(pack, axis):
    if axis is None:
        return None
    pack.add("axis", axis.values, "float64")
    return {"name": axis.name, "floor": axis.floor}


def _pack_panels(pack, prefix, panels):
    return [panel.packed(pack, f"{prefix}{i}") for i, panel in enumerate(panels)]


def _pack_ghost(pack, ghost, limits):
    if ghost is None:
        return None
    if ghost.field is not None:
        limits["field"] = asdict(FIELD_SCALE)
        field = np.asarray(ghost.field)[None]
        pack.add_smooth("ghost_field", _levels_by_class(field, field.ndim == 4))
    pack.add("ghost_flipped", np.asarray(ghost.flipped, dtype=int), "uint32")
    return {
        "name": ghost.name,
        "extent": None if ghost.extent is None else [float(v) for v in ghost.extent],
        "words": ghost.words,
        "changes": {c.label: {"text": c.text, "tone": c.tone} for c in ghost.changes},
        "curves": _pack_panels(pack, "ghost", ghost.curves),
    }


def _subsample_note(view, shown):
    return (
        f"{len(shown):,} of {view.n_points:,} points are drawn (all labelled ones and "
        "a random part); the run used all of them."
    )
