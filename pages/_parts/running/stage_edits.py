"""From edits made on the stage to the scenario that has them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from halfmoon.datasets import Dataset
from halfmoon.scenario import MAX_DRAWN, MAX_HAND, Drawing, Scenario
from halfmoon.scenario.learning_problem import Problem
from halfmoon.stage.edits import Edited, apply_edits

MAX_EDITS = MAX_HAND  # in one message of the stage; a lasso takes all that is labelled
SIGNIFICANT = 5  # digits kept of a place on the stage, finer than a pixel
REDRAWING = ("move", "add", "remove", "add_many", "remove_many")
ONLY_LABELS = (
    "These points have more than two dimensions, so they can be labelled here but not "
    "moved, added or removed."
)


def edit(scenario: Scenario, problem: Problem, edits, refused=None) -> Scenario:
    """The scenario after edits made on the stage; "continue" is left to the page.

    Any edit makes the labels a list made by hand: those that were there, changed.

    Parameters
    ----------
    scenario : Scenario
    problem : Problem
        Of that scenario.
    edits : list of dict
        See `halfmoon.stage.edits`.
    refused : list, optional
        Takes a sentence for each edit that cannot be applied; without it the first
        one raises.
    """
    edits = [e for e in edits if not isinstance(e, dict) or e.get("op") != "continue"]
    if problem.base.dims != 2:
        edits, others = _labelling(edits)
        if others and refused is None:
            raise ValueError(ONLY_LABELS)
        if others:
            refused.append(ONLY_LABELS)
    if not edits:
        return scenario
    size = sum(map(_size, edits))
    if size > MAX_EDITS:  # Labels and Drawing bound the result; this bounds the work
        raise ValueError(
            f"At most {MAX_EDITS:,} changes can be made at once, and these are "
            f"{size:,}; make them in smaller parts."
        )
    given = np.full(problem.data.n, -1)
    given[problem.train] = problem.given
    plane = problem.base.dims == 2
    edited = apply_edits(
        problem.data.X if plane else np.zeros((problem.data.n, 2)),
        given,
        edits,
        number=problem.row,
        next_number=problem.next_number,
        n_classes=problem.data.n_classes,
        max_number=problem.base.n + MAX_DRAWN,
        refused=refused,
    )
    drawing = scenario.drawing
    if any(e["op"] in REDRAWING for e in edits if isinstance(e, dict)):
        drawing = _redrawn(drawing, problem.base, edited)
    added = list(drawing.added)
    for j, mark in zip(edited.number - problem.base.n, edited.given, strict=True):
        # A label on a point of one's own is also what it is from now on; taking
        # the label away only hides it.
        if j >= 0 and mark >= 0:
            added[j] = (*added[j][:2], int(mark))
    hand = _by_hand(scenario, problem, edited.number, edited.given)
    labels = replace(scenario.labels, how="hand", hand=hand)
    drawing = replace(drawing, added=tuple(added))
    changed = scenario.with_labels(labels).with_drawing(drawing)
    if not np.array_equal(edited.number, problem.row):
        changed = changed.from_start()  # other points: no old state fits
    return changed


def _size(edit) -> int:
    """How many points an edit changes."""
    many = edit.get("idx") if isinstance(edit, dict) else None
    return len(many) if isinstance(many, list) else 1


def _labelling(edits) -> tuple[list, list]:
    """Edits that only label, and the others."""
    groups: tuple[list, list] = ([], [])
    for e in edits:
        op = e.get("op") if isinstance(e, dict) else None
        groups[op not in ("label", "erase", "label_many")].append(e)
    return groups


def _by_hand(scenario, problem, number, given) -> tuple:
    """Labels by hand, and unlabelled rows that have to stay on the stage."""
    pins = set()
    if scenario.n_val or scenario.n_test:
        # A label taken away must not turn its point into a held-out one.
        pins = set(problem.row[problem.train][problem.given >= 0].tolist())
        pins |= {r for r, _ in scenario.labels.hand}
    both = zip(number.tolist(), given.tolist(), strict=True)
    return tuple(sorted((r, c) for r, c in both if c >= 0 or r in pins))


def _redrawn(drawing: Drawing, base: Dataset, edited: Edited) -> Drawing:
    """The drawing after points were added, removed or moved.

    An added point keeps its place in the list when it is removed, so that the others
    keep their numbers and it can come back.
    """
    n = base.n
    marks = {j: p[2] for j, p in enumerate(drawing.added)}
    added = [list(p) for p in drawing.added]
    added += [[0.0, 0.0, -1] for _ in range(edited.next_number - n - len(added))]
    moved = {r: (x, y) for r, x, y in drawing.moved}
    here = zip(edited.number.tolist(), edited.points, edited.given, strict=True)
    for r, place, mark in here:
        x, y = _short(place[0]), _short(place[1])
        if r >= n:
            added[r - n] = [x, y, marks.get(r - n, int(mark))]
        elif np.allclose(place, base.X[r], rtol=1e-4, atol=1e-6):
            moved.pop(r, None)  # it is where it always was, to a pixel's fraction
        else:
            moved[r] = (x, y)
    removed = sorted(set(range(edited.next_number)) - set(edited.number.tolist()))
    places = tuple((r, *place) for r, place in sorted(moved.items()))
    return Drawing(places, tuple(removed), tuple(map(tuple, added)))


def _short(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT}g}")
