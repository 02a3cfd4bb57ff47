"""Edits made on the stage, as data: what the browser sends and what it means.

Every point has a number that it keeps: its row of the data, and for points that were
added the next free one. An edit names its point by that number, so it means the same
whatever was shown, held out, added or removed meanwhile. It is a small dict:

==================  ====================================================
label               ``i``, ``class`` (-1 takes the label away)
erase               ``i``: take the label away
label_many          ``idx``, and ``class`` for all or ``classes`` for each
move                ``i``, ``x``, ``y``
add                 ``x``, ``y``, ``class``; ``i``: the number of a removed
                    point that comes back, or the next free one (default)
remove              ``i``; its number stays free for its return
add_many            ``idx``, ``x``, ``y``: a list each, and ``class`` for all or
                    ``classes`` for each; in this order, as single ones would be
remove_many         ``idx``
continue            ``frame``, ``t``: go on from here (changes no data)
==================  ====================================================

Each edit says how things are to be, not how they change: applied twice, as when a
lost connection comes back, it does the same as once. Undo in the browser sends the
inverse edits as edits, so this list is all there is. A stroke that is under way says
each time the whole of what it has done, so the last message of it is all that counts.
"""

from typing import NamedTuple

import numpy as np

MAX_PLACE = 1e9
MAX_EDITS = 2000  # in one message; a hand makes a few dozen while a server is away


class Seen(NamedTuple):
    """Whose edits, and up to which number, have been applied."""

    client: str = ""
    seq: int = 0


class Edited(NamedTuple):
    """Points after edits, in the order of their numbers.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    given : ndarray of shape (n,)
    number : ndarray of shape (n,)
    next_number : int
        What the next new point is called.
    source : ndarray of shape (n,)
        Which old row each row was, -1 = new. Carry other per-point arrays along with
        ``old[source]`` where ``source >= 0``.
    """

    points: np.ndarray
    given: np.ndarray
    number: np.ndarray
    next_number: int
    source: np.ndarray


def apply_edits(
    points,
    given,
    edits,
    *,
    number=None,
    next_number=None,
    n_classes=None,
    max_number=None,
    refused=None,
):
    """Apply edits in order.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    given : ndarray of shape (n,)
        Class indices, -1 = unlabelled.
    edits : sequence of dict
        See the table above; "continue" is passed over.
    number : ndarray of shape (n,), optional
        Increasing; default 0 to n - 1.
    next_number : int, optional
        Larger than every number ever given; default one more than the last.
    n_classes : int, optional
        When given, class indices at or above it are refused.
    max_number : int, optional
        When given, points that would be called this or more are refused.
    refused : list, optional
        Takes the sentence of each edit that cannot be applied, and the others count;
        without it the first such edit raises.

    Returns
    -------
    edited : Edited
        New arrays; the old ones stay as they are.

    Examples
    --------
    >>> import numpy as np
    >>> apply_edits(np.zeros((2, 2)), np.array([-1, -1]),
    ...             [{"op": "label", "i": 1, "class": 0}]).given
    array([-1,  0])
    """
    number = np.arange(len(given)) if number is None else number
    if next_number is None:
        next_number = int(number[-1]) + 1 if len(number) else 0
    places = np.reshape(points, (-1, 2)).tolist()
    rows = {
        i: [place, int(c), source]
        for source, (i, place, c) in enumerate(
            zip(np.asarray(number).tolist(), places, given, strict=True)
        )
    }
    for edit in edits:
        try:
            next_number = _apply(rows, next_number, edit, n_classes, max_number)
        except ValueError as error:
            if refused is None:
                raise
            refused.append(str(error))
    order = sorted(rows)
    return Edited(
        np.array([rows[i][0] for i in order], dtype=float).reshape(-1, 2),
        np.array([rows[i][1] for i in order], dtype=int),
        np.array(order, dtype=int),
        next_number,
        np.array([rows[i][2] for i in order], dtype=int),
    )


def _apply(rows, next_number, edit, n_classes, max_number):
    """Apply one edit to the rows {number: [place, class, source]} or change nothing."""
    op = edit.get("op") if isinstance(edit, dict) else None
    if op == "label":
        row, label = _row(edit.get("i"), rows), _class(edit.get("class"), n_classes)
        row[1] = label
    elif op == "erase":
        _row(edit.get("i"), rows)[1] = -1
    elif op == "label_many":
        many = [(_number(i, next_number), _class(c, n_classes)) for i, c in _many(edit)]
        for i, label in many:
            if i in rows:  # one that was removed meanwhile keeps nobody else back
                rows[i][1] = label
    elif op == "move":
        row, place = _row(edit.get("i"), rows), _place(edit)
        row[0] = place
    elif op in ("add", "add_many"):
        added = _added(edit, next_number, n_classes)
        after = max([next_number, *(i + 1 for i, *_ in added)])
        if max_number is not None and after > max(max_number, next_number):
            raise ValueError(
                "No more points can be added by hand; removed points count, too. "
                "Put larger data into a file and upload it."
            )
        for i, place, label in added:
            rows[i] = [place, label, rows[i][2] if i in rows else -1]
        next_number = after
    elif op == "remove":
        rows.pop(_number(edit.get("i"), next_number), None)
    elif op == "remove_many":
        for i in [_number(i, next_number) for i in _list(edit, "idx")]:
            rows.pop(i, None)
    elif op != "continue":
        raise ValueError(f"op must be one of those in the table, got {op!r:.40}.")
    return next_number


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
    fresh = sorted(
        (op for op in message["ops"][:MAX_EDITS] if _seq(op) > seq_seen), key=_seq
    )
    if fresh:
        seq_seen = _seq(fresh[-1])
    if data_id is not None:
        fresh = [op for op in fresh if op.get("data_id") == data_id]
    return fresh, client, seq_seen


def _seq(op):
    """The number of an edit in its browser's log; 0 is before all of them."""
    seq = op.get("seq") if isinstance(op, dict) else None
    return seq if type(seq) is int else 0


def _number(i, end):
    if type(i) is not int or not 0 <= i < end:
        raise ValueError(f"i must be a point number below {end}, got {i!r:.40}.")
    return i


def _row(i, rows):
    if type(i) is not int or i not in rows:
        raise ValueError(f"i must be the number of a point here, got {i!r:.40}.")
    return rows[i]


def _class(label, n_classes):
    if type(label) is not int or label < -1:
        raise ValueError(f"class must be a class index or -1, got {label!r:.40}.")
    if n_classes is not None and label >= n_classes:
        raise ValueError(f"class must be below {n_classes}, got {label}.")
    return label


def _place(edit):
    x, y = edit.get("x"), edit.get("y")
    # NaN and integers too long for a float fail the comparison, too.
    if not all(type(v) in (int, float) and abs(v) <= MAX_PLACE for v in (x, y)):
        raise ValueError(
            f"x and y must be finite numbers up to {MAX_PLACE:g}, "
            f"got {x!r:.40} and {y!r:.40}."
        )
    return float(x), float(y)


def _many(edit, usual=None):
    """Numbers and classes of an edit of many points."""
    idx = _list(edit, "idx")
    classes = edit.get("classes", [edit.get("class", usual)] * len(idx))
    if not isinstance(classes, list) or len(classes) != len(idx):
        raise ValueError("classes must hold one class for each entry of idx.")
    return zip(idx, classes, strict=True)


def _added(edit, next_number, n_classes):
    """Number, place and class of each point that an edit adds, in their order."""
    if edit["op"] == "add":
        one = edit.get("i", next_number), edit.get("class", -1)
        many, places = [one], [_place(edit)]
    else:
        many, x, y = list(_many(edit, -1)), _list(edit, "x"), _list(edit, "y")
        if not len(x) == len(y) == len(many):
            raise ValueError("x and y must hold one number for each entry of idx.")
        places = [_place({"x": u, "y": v}) for u, v in zip(x, y, strict=True)]
    added = []
    for (i, label), place in zip(many, places, strict=True):
        i = _number(i, next_number + 1)
        added.append((i, place, _class(label, n_classes)))
        next_number = max(next_number, i + 1)
    return added


def _list(edit, name):
    values = edit.get(name)
    if not isinstance(values, list):
        what = "point numbers" if name == "idx" else "numbers"
        raise ValueError(f"{name} must be a list of {what}, got {values!r:.40}.")
    return values
