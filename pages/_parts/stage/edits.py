"""Edits made on the stage, as data: what the browser sends and what it means.

An edit is a small dict with an ``op``:

==================  ====================================================
label               ``i``, ``class`` (-1 takes the label away)
erase               ``i``: take the label away
label_many          ``idx``, and ``class`` for all or ``classes`` for each
move                ``i``, ``x``, ``y``
add                 ``x``, ``y``, ``class``; optional ``i``: insert there
remove              ``i``; later points move up by one
continue            ``frame``, ``t``: go on from here (changes no data)
==================  ====================================================

Undo in the browser sends the inverse edits as edits, so this list is all there is.
"""

from math import isfinite
from typing import NamedTuple

import numpy as np


class Edited(NamedTuple):
    """Data after edits; `source` (n,) says which old row each row was, -1 = new."""

    points: np.ndarray
    given: np.ndarray
    source: np.ndarray


def apply_edits(points, given, edits, *, n_classes=None):
    """Apply edits in order.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    given : ndarray of shape (n,)
        Class indices, -1 = unlabelled.
    edits : sequence of dict
        See the table above; "continue" is passed over.
    n_classes : int, optional
        When given, class indices at or above it are refused.

    Returns
    -------
    edited : Edited
        New arrays; the old ones stay as they are. Carry other per-point arrays
        along with ``old[edited.source]`` where ``source >= 0``.

    Examples
    --------
    >>> import numpy as np
    >>> apply_edits(np.zeros((2, 2)), np.array([-1, -1]),
    ...             [{"op": "label", "i": 1, "class": 0}]).given
    array([-1,  0])
    """
    rows = [(float(x), float(y)) for x, y in np.reshape(points, (-1, 2))]
    labels = [int(c) for c in given]
    source = list(range(len(rows)))
    for edit in edits:
        op = edit.get("op") if isinstance(edit, dict) else None
        if op == "label":
            labels[_index(edit, rows)] = _class(edit.get("class"), n_classes)
        elif op == "erase":
            labels[_index(edit, rows)] = -1
        elif op == "label_many":
            for i, label in _many(edit):
                labels[_index({"i": i}, rows)] = _class(label, n_classes)
        elif op == "move":
            rows[_index(edit, rows)] = _place(edit)
        elif op == "add":
            at = _index(edit, [*rows, None]) if "i" in edit else len(rows)
            place, label = _place(edit), _class(edit.get("class", -1), n_classes)
            rows.insert(at, place)
            labels.insert(at, label)
            source.insert(at, -1)
        elif op == "remove":
            at = _index(edit, rows)
            del rows[at], labels[at], source[at]
        elif op != "continue":
            raise ValueError(f"op must be one of those in the table, got {op!r}.")
    return Edited(
        np.array(rows, dtype=float).reshape(-1, 2),
        np.array(labels, dtype=int),
        np.array(source, dtype=int),
    )


def new_edits(message, client, seq_seen, data_id=None):
    """Edits in the browser's message that have not been applied yet.

    Every message repeats all edits the server has not acknowledged, each with its
    number; so a message that is overtaken by the next one loses nothing.

    Parameters
    ----------
    message : dict or None
        ``{"client": str, "ops": [{"seq": int, "data_id": str, "op": ...}, ...]}``.
    client, seq_seen : str, int
        The last client and edit number applied.
    data_id : str, optional
        Edits made on other data than this are left out.

    Returns
    -------
    edits : list of dict
    client, seq_seen : str, int
        To remember once the edits are applied.
    """
    if not isinstance(message, dict) or not isinstance(message.get("ops"), list):
        return [], client, seq_seen
    if message.get("client") != client:  # a fresh mount counts from one again
        client, seq_seen = str(message.get("client")), 0
    numbered = [op for op in message["ops"] if isinstance(op, dict) and "seq" in op]
    fresh = sorted(
        (op for op in numbered if int(op["seq"]) > seq_seen),
        key=lambda op: int(op["seq"]),
    )
    if fresh:
        seq_seen = int(fresh[-1]["seq"])
    if data_id is not None:
        fresh = [op for op in fresh if op.get("data_id") == data_id]
    return fresh, client, seq_seen


def _index(edit, rows):
    i = edit.get("i")
    if not isinstance(i, int) or not 0 <= i < len(rows):
        raise ValueError(f"i must be a point number below {len(rows)}, got {i!r}.")
    return i


def _class(label, n_classes):
    if not isinstance(label, int) or label < -1:
        raise ValueError(f"class must be a class index or -1, got {label!r}.")
    if n_classes is not None and label >= n_classes:
        raise ValueError(f"class must be below {n_classes}, got {label}.")
    return label


def _place(edit):
    x, y = edit.get("x"), edit.get("y")
    if not all(isinstance(v, int | float) and isfinite(v) for v in (x, y)):
        raise ValueError(f"x and y must be finite numbers, got {x!r} and {y!r}.")
    return float(x), float(y)


def _many(edit):
    idx = edit.get("idx")
    if not isinstance(idx, list):
        raise ValueError(f"idx must be a list of point numbers, got {idx!r}.")
    classes = edit.get("classes", [edit.get("class")] * len(idx))
    if not isinstance(classes, list) or len(classes) != len(idx):
        raise ValueError("classes must hold one class for each entry of idx.")
    return zip(idx, classes, strict=True)
