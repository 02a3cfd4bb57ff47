"""What changed from one run to the next, in words: "Two more labels, σ from 1 to 2"."""

from __future__ import annotations

from typing import Any

import numpy as np

from halfmoon.common.knobs import Knob
from halfmoon.pages._parts.pictures.kept import KeptRun, on_common_points
from halfmoon.scenario import Scenario
from halfmoon.scenario.values import knob_words
from ssl_core import ALGORITHMS
from ssl_core.viz.words import count, plural, spelled

MOST_NAMED = 2  # settings that are named one by one


def what_changed(before: KeptRun, now: KeptRun) -> str:
    """All that is different, beginning with a capital."""
    parts = [
        *_method(before.scenario, now.scenario),
        *_points(before, now),
        *_labels(before, now),
        *_start(before.scenario, now.scenario),
    ]
    words = ", ".join(parts) or "no change"
    return words[0].upper() + words[1:]


def _method(before: Scenario, now: Scenario) -> list[str]:
    entry = ALGORITHMS[now.algorithm]
    if before.algorithm != now.algorithm:
        return [f"{entry.title} instead of {ALGORITHMS[before.algorithm].title}"]
    was, params = before.params, now.params
    turned = [
        knob
        for knob in entry.knobs
        if params[knob.name] != was[knob.name]
        and not (knob.idle(params) and knob.idle(was))
    ]
    if len(turned) > MOST_NAMED:
        return [f"{spelled(len(turned))} settings changed"]
    return [
        f"{knob.label} from {_value(knob, was[knob.name])} to "
        f"{_value(knob, params[knob.name])}"
        for knob in turned
    ]


def _value(knob: Knob, value: Any) -> str:
    words = knob_words(knob, value)
    return f"“{words}”" if knob.kind == "choice" else words


def _points(before: KeptRun, now: KeptRun) -> list[str]:
    setting, was = now.scenario.setting, before.scenario.setting
    if (setting.n_val, setting.n_test) != (was.n_val, was.n_test):
        return ["a different hold-out"]
    parts = []
    k, old = len(now.class_names), len(before.class_names)
    if k != old:
        parts.append(f"{spelled(k)} classes instead of {spelled(old)}")
    a, b = on_common_points(before, now)
    moved = int((before.points[a] != now.points[b]).any(axis=1).sum())
    for n, deed in (
        (len(now.number) - len(b), "added"),
        (len(before.number) - len(a), "removed"),
        (moved, "moved"),
    ):
        if n:
            parts.append(f"{spelled(n)} {plural(n, 'point')} {deed}")
    return parts


def _labels(before: KeptRun, now: KeptRun) -> list[str]:
    a, b = on_common_points(before, now)
    was, given = before.given[a], now.given[b]
    more = int(((was < 0) & (given >= 0)).sum())
    fewer = int(((was >= 0) & (given < 0)).sum())
    other = int(((was >= 0) & (given >= 0) & (was != given)).sum())
    if more and fewer:
        return ["other labels"]
    parts = []
    if more:
        parts.append(f"{spelled(more)} more {plural(more, 'label')}")
    if fewer:
        parts.append(f"{spelled(fewer)} {plural(fewer, 'label')} fewer")
    if other:
        parts.append(f"{spelled(other)} {plural(other, 'label')} changed")
    return parts


def _start(before: Scenario, now: Scenario) -> list[str]:
    if now.start == before.start:
        return []
    if now.start is None:
        return ["started from the beginning"]
    return [f"continued from t = {now.start.t:,}"]


def what_came_of_it(before: KeptRun, now: KeptRun) -> tuple[str, np.ndarray]:
    """Errors before and now, and the numbers of the points whose prediction flipped.

    Counted on the points unlabelled in both runs; a label added or removed would
    otherwise count as well.
    """
    a, b = on_common_points(before, now)
    guessed = (before.given[a] < 0) & (now.given[b] < 0)
    a, b = a[guessed], b[guessed]
    was, guess, truth = before.guess[a], now.guess[b], now.truth[b]
    flipped = now.number[b][was != guess]
    if not len(b):
        return "no point was unlabelled both times", flipped
    n = len(flipped)
    flips = f"{n:,} {plural(n, 'prediction')} flipped" if n else "no prediction flipped"
    known = truth >= 0
    if not known.any():
        return f"of {len(b):,} predictions {n:,} flipped" if n else flips, flipped
    wrong, still = (int((g != truth)[known].sum()) for g in (was, guess))
    alike = len(b) == (before.given < 0).sum() == (now.given < 0).sum()
    where = "" if alike else f" on the same {len(b):,} {plural(len(b), 'point')}"
    errors = count(wrong, "error")
    if wrong == still:
        return f"{errors}{where}, as before; {flips}", flipped
    return f"{errors} before, {still or 'none'} now{where}; {flips}", flipped
