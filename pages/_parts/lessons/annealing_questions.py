"""Predict first: what the annealing page asks in each view, and how it answers.

Every answer is taken from the run on the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pages._parts.lessons.annealing_outcomes import SAME, Outcome
from ssl_core.trace import Trace
from ssl_core.viz.annealing import DECIDED, n_sure
from ssl_core.viz.measures import labeled_mask
from ssl_core.viz.words import count, number, percent

HILL = 0.5  # outputs nearer to 0 than this stand on the hill of the cold loss
TINY = 0.01  # of the last λ′: next to nothing


@dataclass(frozen=True)
class Question:
    """What is asked before a view is shown.

    Parameters
    ----------
    field : str
        Where the page's `Screen` keeps the answer: its place in ``answers``, -1 before
        anyone has answered, and ``len(answers)`` where it was shown without a guess.
    text : str
    answers : sequence of str
    react : callable
        Takes what the view shows, returns the right answer's place and the facts.
    """

    field: str
    text: str
    answers: tuple[str, ...]
    react: Callable[..., tuple[int, str]]

    @property
    def unguessed(self) -> int:
        return len(self.answers)

    def judged(self, guess: int, *shown) -> str:
        """The answer to a guess: whether it holds for this run, and what happened."""
        right, facts = self.react(*shown)
        if guess == self.unguessed:
            return facts
        if guess == right:
            return f"**Yes, in this run.** {facts}"
        return f"**Not in this run: {lowered(self.answers[right])}.** {facts}"


def lowered(text: str) -> str:
    return text[0].lower() + text[1:]


# -- cooling down --------------------------------------------------------------------


def what_became(trace: Trace) -> tuple[int, str]:
    """Whether the coins fell, and how many points are left on the hill."""
    final, u = trace.final, len(trace.final.p)
    first = trace.states[trace.kept[:2][-1]]
    sure, up = n_sure(final), int((final.p >= DECIDED).sum())
    free = ~labeled_mask(trace)
    hill = [int((np.abs(s.f[free]) < HILL).sum()) for s in (first, final)]
    right = 1 if sure > u / 2 else 0
    facts = (
        f"All start at p = {number(float(trace.states[0].p[0]))}; at the end {sure} "
        f"of {u} points are at least {percent(DECIDED)} sure, {sure - up} of one class "
        f"and {up} of the other. {hill[0]} of them had outputs between −0.5 and 0.5 "
        f"after the first step, {hill[1] or 'none'} at the end: the cold loss has a "
        f"hill there."
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
        return right, "The labels of the first machine were kept to the end."
    facts = (
        f"{count(early, 'pair')} while λ′ was below a hundredth of its end, "
        f"{count(way, 'pair')} on the way up, {count(late, 'pair')} at the end. A "
        f"pair has one label of each class, so the number of positive labels stayed "
        f"at {int((trace.final.y_u > 0).sum())} of {len(trace.final.y_u)}."
    )
    return right, facts[0].upper() + facts[1:]


# -- annealed or not -----------------------------------------------------------------


def where_cold_ends(rows: list[Outcome], cold: str) -> tuple[int, str]:
    """The objective of a run that was cold throughout, beside the annealed one."""
    by_name = {row.name: row for row in rows}
    ours, theirs = by_name["annealed"].objective, by_name[cold].objective
    if abs(theirs - ours) <= SAME * ours:
        right, how = 0, "the same as far as it matters"
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
        "Every unlabelled point starts as a coin, undecided between the classes. Then "
        "the temperature T falls. What happens to such a point?",
        (
            "It stays a coin",
            "It goes to the nearer cluster",
            "It goes where most labels are",
        ),
        what_became,
    ),
    Question(
        "pairs",
        "The transductive SVM guesses all labels first, and exchanges pairs of them "
        "while the weight λ′ of the unlabelled points rises from next to nothing. When "
        "does it exchange most?",
        (
            "While λ′ is next to nothing",
            "On the way up",
            "At the end, with all of λ′",
            "Never",
        ),
        when_switched,
    ),
    Question(
        "cold",
        "The same data, labels and objective, but no annealing: T = 0.001 from the "
        "first step on. Where does the objective end?",
        (
            "Where annealing ends",
            "Higher: it gets stuck",
            "Lower: it wastes no time",
        ),
        where_cold_ends,
    ),
)
