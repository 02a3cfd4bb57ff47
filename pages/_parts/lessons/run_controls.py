"""Controls of the lessons that ask for another run: data, labels, draw, parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from datasets import DATASETS
from pages._parts.lessons.lesson_session import LessonSession
from pages._parts.lessons.settings import redrawn, relabelled
from pages._parts.scenario import SEED, Scenario, data_knobs
from pages._parts.widgets.callbacks import whole
from pages._parts.widgets.knob import knob_control
from ssl_core import ALGORITHMS


@dataclass(frozen=True)
class RunControls:
    """Widgets of one lesson.

    Parameters
    ----------
    lesson : LessonSession
    renew : callable
        Takes the scenario of the run that is asked for.
    """

    lesson: LessonSession
    renew: Callable[[Scenario], None]

    def data(
        self,
        names: Sequence[str],
        choose: Callable[[str], None],
        title: Callable[[str], str] = lambda name: DATASETS[name].title,
    ) -> None:
        """A box of data sets; ``choose`` takes the name of the one that is chosen."""
        scenario = self.lesson.current()

        def chosen():
            if self.lesson.moved("data") in names:  # a message may be older
                choose(self.lesson.moved("data"))

        st.markdown("###### Data")
        st.selectbox(
            "Data",
            names,
            format_func=title,
            on_change=whole(chosen),
            help=DATASETS[scenario.data].description,
            label_visibility="collapsed",
            **self.lesson.choosing("data", scenario.data, names),
        )

    def draw(self, names: Sequence[str] = ("noise",)) -> None:
        """Knobs that the data have of these, number of labels, the draw of both."""
        scenario = self.lesson.current()
        knobs = data_knobs(scenario.data)
        prefix = f"{self.lesson.prefix}_data_"
        for name in names:
            if name in knobs:
                value = scenario.knobs[name]
                knob_control(knobs[name], value, prefix, self._turn_data)
        self._labels(scenario)
        st.number_input(
            "Draw of the data and labels",
            0,
            int(SEED.high),
            on_change=whole(self._turn_seed),
            **self.lesson.at("seed", scenario.seed),
        )

    def parameters(self, names: Sequence[str]) -> None:
        """Knobs of the algorithm."""
        scenario = self.lesson.current()
        prefix = f"{self.lesson.prefix}_"
        for name in names:
            knob = ALGORITHMS[scenario.algorithm].knob(name)
            knob_control(knob, scenario.params[name], prefix, self._turn_parameter)

    def _labels(self, scenario: Scenario) -> None:
        labels = scenario.labels
        if labels.how not in ("telling", "random"):
            return
        telling = labels.how == "telling"
        least, words = (2, "Labels") if telling else (1, "Labels per class")

        def turned():
            count = self.lesson.moved("labels")
            self.renew(relabelled(self.lesson.current(), count))

        st.slider(
            words,
            least,
            max(50, labels.count),
            on_change=whole(turned),
            **self.lesson.at("labels", max(least, labels.count)),
        )

    def _turn_data(self, name: str) -> None:
        value = self.lesson.moved(f"data_{name}")
        self.renew(self.lesson.current().with_data_knob(name, value))

    def _turn_seed(self) -> None:
        seed = self.lesson.moved("seed")
        if seed is not None:  # the field was emptied to type another number
            self.renew(redrawn(self.lesson.current(), int(seed)))

    def _turn_parameter(self, name: str) -> None:
        value = self.lesson.moved(name)
        self.renew(self.lesson.current().with_parameter(name, value))
