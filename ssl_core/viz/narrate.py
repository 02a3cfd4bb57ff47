"""What happened at an iteration, in a sentence or two for a person.

Nothing here knows an algorithm by name: a sentence is made from whatever fields and
events a state has, so that a new solver can be narrated the day it arrives.
"""

from string import Formatter

import numpy as np

from ssl_core.looks import look_of
from ssl_core.quantities import PROBABILITY, SCHEDULE, quantities, with_role
from ssl_core.trace import Array, State, Trace
from ssl_core.viz.measures import known_mask, labeled_mask
from ssl_core.viz.words import count, number, percent, plural

DECIDED = 0.9  # a probability beyond this, or below 1 - this, is a made-up mind
MAX_EVENTS = 2


def narrate(trace: Trace, i: int, truth=None) -> str:
    """One plain sentence or two for what happened at state ``i``.

    Parameters
    ----------
    trace : Trace
    i : int
        Index into ``trace.states``.
    truth : ndarray of shape (n,) or None
        True classes in the core's convention; with them wrong predictions on the
        unlabelled points are counted.

    Returns
    -------
    text : str
        Such as "Iteration 7. Since t = 4 no prediction has changed. The gradient is
        still 4 % of its start."
    """
    state = trace.states[i]
    parts = [_head(state), *_events(state)]
    said = any(event.kind == "check" for event in state.events)
    what = "" if said else _start(trace) if i == 0 else _changes(trace, i)
    wrong = ""
    if truth is not None and _both_sides(trace, i):
        wrong = _wrong(trace, i, np.asarray(truth))
    parts.append(_join(what, wrong))
    if i == len(trace) - 1 and not state.status.running:
        parts.append(state.status.value)
    elif i > 0:
        parts.append(_minds(trace, state) or _distance(trace, i))
    return " ".join(part for part in parts if part)


def _join(what: str, wrong: str) -> str:
    """Two sentences as one, where both have something to say."""
    if not (what and wrong):
        return what or wrong
    return f"{what.removesuffix('.')}; {wrong[0].lower()}{wrong[1:]}"


def _head(state: State) -> str:
    for event in state.events:
        if event.kind == "best" and "T" in event.data:
            came = number(event.data["T"])
            return f"Final training, of the best classifier: that at T = {came}."
    head = "Start" if state.t == 0 else f"Iteration {state.t:,}"
    for name in with_role(type(state), SCHEDULE):
        value = getattr(state, name)
        if value is not None and np.ndim(value) == 0 and np.isfinite(value):
            symbol = quantities(type(state))[name].symbol or name
            return f"{head}, {symbol} = {number(value)}."
    return f"{head}."


def _events(state: State) -> list[str]:
    telling = [e.text for e in state.events if look_of(e).narrated]
    if len(telling) > MAX_EVENTS:
        rest = len(telling) - MAX_EVENTS
        return [*telling[:MAX_EVENTS], f"And {count(rest, 'more event')}."]
    return telling


def _start(trace: Trace) -> str:
    f = trace.states[0].f
    if f is not None and np.ptp(f) == 0:
        return "Nothing has been learned yet: every point has the same output."
    return ""


def _both_sides(trace: Trace, i: int) -> bool:
    """Whether the classifier tells points apart; before that errors mean nothing."""
    labels = trace.labels[i]
    return bool((labels != labels[0]).any())


def _changes(trace: Trace, i: int) -> str:
    now, before = trace.labels[i], trace.labels[i - 1]
    changed = int((now != before).sum())
    if i == 1 and not _both_sides(trace, 0) and _both_sides(trace, 1):
        return _first_sides(now)
    if changed:
        return f"{count(changed, 'prediction')} changed.".capitalize()
    still = _unchanged_since(trace.labels, i)
    t = trace.states[still].t
    if still == i - 1 or still == 0:
        return "No prediction changed."
    return f"Since t = {t:,} no prediction has changed."


def _first_sides(labels: Array) -> str:
    sizes = np.sort(np.unique(labels, return_counts=True)[1])[::-1]
    both = " and ".join(f"{size:,}" for size in sizes[:2])
    if len(sizes) > 2:
        return f"After one step: points in {len(sizes)} classes."
    return f"After one step: {both} points."


def _unchanged_since(labels: Array, i: int) -> int:
    """Smallest s <= i with the same decisions at s, s + 1, ..., i."""
    differs = (labels[:i] != labels[i]).any(axis=1)
    return int(np.flatnonzero(differs)[-1] + 1) if differs.any() else 0


def _wrong(trace: Trace, i: int, truth: Array) -> str:
    unlabelled = ~labeled_mask(trace)
    judged = unlabelled & known_mask(trace, truth)
    if not judged.any():
        return ""
    wrong = int((trace.labels[i] != truth)[judged].sum())
    total, unknown = int(judged.sum()), int((unlabelled & ~judged).sum())
    points, rest = plural(total, "unlabelled point"), ""
    if unknown:  # such as points that a visitor drew without a class
        points += " whose class is known"
        rest = f"; the class of {unknown:,} others is not known"
    if wrong == 0:
        every = "The only" if total == 1 else f"All {total:,}"
        return f"{every} {points} {'is' if total == 1 else 'are'} right{rest}."
    verb = "is" if wrong == 1 else "are"
    return f"{wrong:,} of {total:,} {points} {verb} wrong{rest}."


def _minds(trace: Trace, state: State) -> str:
    """For annealing: how many unlabelled points are decided."""
    found = [getattr(state, name) for name in with_role(type(state), PROBABILITY)]
    p = found[0] if found else None
    if p is None or not len(p):
        return ""
    if len(p) == len(trace.y):
        p = p[~labeled_mask(trace)]
    sure = np.maximum(p, 1 - p) if p.ndim == 1 else p.max(axis=1)
    decided = int((sure >= DECIDED).sum())
    return (
        f"{decided:,} of {len(p):,} unlabelled points are at least {percent(DECIDED)} "
        f"certain."
    )


def _margin(trace: Trace, state: State) -> str:
    """For losses on unlabelled points: how many are still in the margin's way."""
    if state.f is None or state.f.ndim != 1:
        return ""
    f = state.f[~labeled_mask(trace)]
    inside = int((np.abs(f) < 1).sum())
    verb = "lies" if inside == 1 else "lie"
    return f"{inside:,} of {len(f):,} unlabelled points {verb} inside the margin."


def _measure(trace: Trace, i: int, name: str, sentence: str) -> str:
    """A quantity's own sentence, where all numbers in it are known."""
    wanted = {part for _, part, _, _ in Formatter().parse(sentence) if part}
    if not sentence or not wanted:
        return sentence
    state, start = trace.states[i], getattr(trace.states[0], name)
    values = {part: getattr(state, part) for part in wanted - {"value", "share"}}
    values["value"] = getattr(state, name)
    if any(v is None or not np.isfinite(v) for v in values.values()):
        return ""
    words = {part: number(value) for part, value in values.items()}
    if "share" in wanted:
        if start is None or not start > 0:
            return ""
        words["share"] = _share(values["value"] / start)
    return sentence.format(**words)


def _share(ratio: float) -> str:
    """A value beside its start, for the middle of a sentence."""
    if ratio > 1:
        return f"{number(ratio)} times its start"
    still = "still" if ratio >= 0.001 else "down to"
    return f"{still} {percent(ratio)} of its start"


def _distance(trace: Trace, i: int) -> str:
    """How far the run still is, by the first quantity that has words for it."""
    state = trace.states[i]
    # A schedule changes the objective on the way: gradients cannot be compared then.
    if with_role(type(state), SCHEDULE):
        return _margin(trace, state)
    for name, declared in quantities(type(state)).items():
        words = _measure(trace, i, name, declared.sentence)
        if words:
            return words
    before = trace.states[i - 1].objective
    if not np.isfinite([before, state.objective]).all() or before == 0:
        return ""
    fall = (before - state.objective) / abs(before)
    if fall > 0:
        return f"The objective fell by {percent(fall)}."
    if fall < 0:
        return f"The objective rose by {percent(-fall)}."
    return "The objective stayed the same."
