"""Predict first: the questions of the annealing page, one per view, and their answers.

Every answer is taken from the run on the screen.
"""

from __future__ import annotations

import numpy as np

from halfmoon.pages._parts.annealing.annealing_outcomes import SAME, AnnealingOutcome
from halfmoon.pages._parts.study.questions import Question
from ssl_core.trace import Trace
from ssl_core.viz.annealing import DECIDED, n_sure
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.words import count, number, percent

FIXED = (1.0, 0.1, 0.01, 0.001)  # temperatures: the paper's 0.1 and 0.001, and others
COLD = f"T = {number(FIXED[-1])}"  # the run that the last question is about
HILL = 0.5  # outputs closer to 0 than this are near the maximum of the loss at T = 0
TINY = 0.01  # of the final λ′: very small


# -- cooling down --------------------------------------------------------------------


def what_became(trace: Trace) -> tuple[int, str]:
    """Whether points were decided, and how many outputs are still close to 0."""
    final, u = trace.final, len(trace.final.p)
    first = trace.states[trace.kept[:2][-1]]
    sure, up = n_sure(final), int((final.p >= DECIDED).sum())
    free = ~labeled_mask(trace)
    hill = [int((np.abs(s.f[free]) < HILL).sum()) for s in (first, final)]
    right = 1 if sure > u / 2 else 0
    facts = (
        f"All start at p = {number(float(trace.states[0].p[0]))}; at the end {sure} "
        f"of {u} points are at least {percent(DECIDED)} certain, {sure - up} of one "
        f"class and {up} of the other. {hill[0]} of them had outputs between −{HILL} "
        f"and {HILL} after the first step, {hill[1] or 'none'} at the end: at a low T "
        f"the loss is highest at 0."
    )
    return right, facts


# -- switching labels ----------------------------------------------------------------


def when_switched(trace: Trace) -> tuple[int, str]:
    """At which weights the pairs were switched."""
    pairs, lam_u = trace.column("n_switched"), trace.column("lam_u")
    last = lam_u[-1]
    early = int(pairs[lam_u < TINY * last].sum())
    late = int(pairs[lam_u >= last].sum())
    way = int(pairs.sum()) - early - late
    right = int(np.argmax([early, way, late])) if pairs.any() else 3
    if not pairs.any():
        return (
            right,
            "No pair was switched: the labels of the first classifier were kept.",
        )
    facts = (
        f"{count(early, 'pair')} while λ′ was below {percent(TINY)} of its last value, "
        f"{count(way, 'pair')} on the way up, {count(late, 'pair')} at the end. A "
        f"pair has one label of each class, so the number of positive labels stayed "
        f"at {int((trace.final.y_u > 0).sum())} of {len(trace.final.y_u)}."
    )
    return right, facts[0].upper() + facts[1:]


# -- with and without annealing -----------------------------------------------------


def where_cold_ends(rows: list[AnnealingOutcome], cold: str) -> tuple[int, str]:
    """The objective of a run at a low temperature throughout, and the annealed one."""
    by_name = {row.name: row for row in rows}
    ours, theirs = by_name["annealed"].objective, by_name[cold].objective
    if abs(theirs - ours) <= SAME * ours:
        right, how = 0, "practically the same"
    elif theirs > ours:
        right, how = 1, f"{number(theirs / ours)} times as high"
    else:
        right, how = 2, f"{number(theirs / ours)} times as high"
    facts = (
        f"Annealed, the objective at T = 0 ends at {number(ours)}; with {cold} "
        f"throughout at {number(theirs)}, {how}."
    )
    return right, facts


QUESTIONS = (
    Question(
        "guess",
        "Every unlabelled point starts undecided between the classes. Then "
        "the temperature T falls. What happens to such a point?",
        (
            "It stays undecided",
            "It gets the class of the nearer cluster",
            "It gets the class with most labels",
        ),
        what_became,
    ),
    Question(
        "pairs",
        "The transductive SVM guesses all labels first, and exchanges pairs of them "
        "while the weight λ′ of the unlabelled points rises step by step. When "
        "does it exchange most of them?",
        (
            "While λ′ is very small",
            "While λ′ rises",
            "At the end, with the final λ′",
            "Never",
        ),
        when_switched,
    ),
    Question(
        "cold",
        f"The same data, labels and objective, but no annealing: {COLD} from the "
        "first step on. Where does the objective end?",
        (
            "Where annealing ends",
            "Higher: it gets stuck",
            "Lower: annealing only wastes time",
        ),
        where_cold_ends,
    ),
)
