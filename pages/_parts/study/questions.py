"""Predict first: a question, and how the run on the screen answers a guess."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """What is asked before a view is shown.

    Parameters
    ----------
    field : str
        Which of the page's numbers is the answer: its place in ``answers``, -1 before
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
        answer = self.answers[right]
        return f"**Not in this run: {answer[0].lower()}{answer[1:]}.** {facts}"
