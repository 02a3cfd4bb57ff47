"""Predict first: the question of a page, its answer, and what is hidden until then."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from halfmoon import stage
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.shell import address
from halfmoon.pages._parts.study.questions import Question
from halfmoon.pages._parts.study.study_page import StudyScreen


@dataclass(frozen=True)
class Prediction:
    """A question on a page, whose answer is one of the page's numbers."""

    desk: Desk[StudyScreen]
    question: Question

    @property
    def answer(self) -> int:
        given = getattr(self.desk.screen.numbers, self.question.field)
        if given < 0 and address.embedding():  # a frame has no room for the question
            return self.question.unguessed
        return given

    @property
    def asked(self) -> bool:
        """Whether the question still waits for an answer."""
        return self.answer < 0

    @property
    def just_guessed(self) -> bool:
        """Whether the run is shown as the answer to a guess: it then plays at once."""
        return self.desk.screen.guessed == self._at(self.desk.screen)

    def _at(self, screen: StudyScreen) -> tuple:
        return self.question.field, screen.scenario.solving

    def _answered(self, screen: StudyScreen, answer: int) -> StudyScreen:
        return screen.with_numbers(**{self.question.field: answer})

    def _key(self, name: str) -> str:
        return self.desk.key(f"{name}_{self.question.field}")

    def ask(self) -> None:
        """The question with its answers, and a way around it."""
        desk, question = self.desk, self.question

        def guessed(screen: StudyScreen, choice: str) -> StudyScreen:
            if choice not in question.answers:
                return screen
            screen = self._answered(screen, question.answers.index(choice))
            return replace(screen, guessed=self._at(screen))

        with st.container(border=True, key="stage-question"):  # present mode leaves it
            st.markdown(f"**Predict first.** {question.text}")
            with st.container(horizontal=True, vertical_alignment="center"):
                st.pills(
                    "Your prediction",
                    question.answers,
                    on_change=desk.on(guessed, question.field),
                    label_visibility="collapsed",
                    wrap=True,
                    width="content",
                    **desk.picking(question.field, None),
                )
                st.button(
                    "Show without predicting",
                    key=self._key("skip"),
                    on_click=desk.on(self._answered),
                    args=(question.unguessed,),
                    type="tertiary",
                )

    def react(self, *shown) -> None:
        """What the run says to the prediction."""
        words, more = st.columns([8, 1], vertical_alignment="center")
        words.markdown(self.question.judged(self.answer, *shown))
        with more:
            st.button(
                "Ask again",
                key=self._key("again"),
                on_click=self.desk.on(self._answered),
                args=(-1,),
                type="tertiary",
            )


def beginning(view: stage.StageView) -> stage.StageView:
    """A view of a run's first frames, which says that the rest is to come."""
    last = view.frame_t[-1]
    return replace(
        view,
        events=tuple(event for event in view.events if event.t <= last),
        status="This is the start of the run. The rest is shown after your answer.",
        run_id=f"{view.run_id} begun",
    )
