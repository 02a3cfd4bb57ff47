"""What a picture is about, in the words that stand below it."""

from __future__ import annotations

from halfmoon import __version__
from halfmoon.views.shown_run import ShownRun
from ssl_core.numerals import number
from ssl_core.trace import Trace
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.words import count, duration, plural, spelled


def headline(n_labelled: int, n_unlabelled: int) -> str:
    """The labels in a few words: "Two labels, 198 unlabelled points"."""
    labels = spelled(n_labelled).capitalize()
    others = f"{n_unlabelled:,}" if n_unlabelled else "no"
    return (
        f"{labels} {plural(n_labelled, 'label')}, {others} unlabelled "
        f"{plural(n_unlabelled, 'point')}"
    )


def status(trace: Trace) -> str:
    """Why a run ended, how long it took."""
    t, spent = trace.final.t, duration(float(trace.seconds.sum()))
    return f"{trace.status.value} {t:,} {plural(t, 'iteration')} in {spent}."


def about(run: ShownRun, data: str = "") -> str:
    """Data, algorithm, its settings and the version, for a caption.

    Parameters
    ----------
    data : str
        What the points are called, such as "Two moons, noise = 0.08".
    """
    known = labeled_mask(run.trace)
    labels = int(known.sum())
    points = f"{count(len(known), 'point')}, {count(labels, 'label')}"
    parts = [f"{data}: {points}" if data else points.capitalize()]
    if words := method(run):
        parts.append(words)
    return f"{'. '.join(parts)}. Halfmoon {__version__}."


def method(run: ShownRun) -> str:
    """The algorithm and those of its settings that differ from the default."""
    maker = run.trace.made_by
    if maker is None:
        return ""
    title = maker.estimator if run.entry is None else run.entry.title
    told = ", ".join(f"{key} = {_value(maker.settings[key])}" for key in maker.changed)
    return f"{title} ({told})" if told else title


def _value(value) -> str:
    if isinstance(value, float):
        return number(value, 6)
    return "None" if value is None else str(value)
