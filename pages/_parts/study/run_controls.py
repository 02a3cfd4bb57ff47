"""Controls of a topic's page that ask for another run: data, labels, parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.study.settings import redrawn, with_label_count
from halfmoon.pages._parts.widgets import refused
from halfmoon.pages._parts.widgets.knob import knob_control
from halfmoon.scenario import SEED, Scenario, data_knobs
from halfmoon.scenario.refusals import Way
from ssl_core import ALGORITHMS


@dataclass(frozen=True)
class RunControls:
    """Widgets of one page.

    Parameters
    ----------
    desk : Desk
    renew : callable
        Event: from a screen and the scenario of the run that is asked for to a screen.
    """

    desk: Desk
    renew: Callable[[Any, Scenario], Any]

    def data(
        self,
        names: Sequence[str],
        choose: Callable[[Any, str], Any],
        title: Callable[[str], str] = lambda name: DATASETS[name].title,
    ) -> None:
        """A box of data sets; ``choose`` is the event of the one that is chosen."""
        scenario = self.desk.scenario

        def chosen(screen, name: str):  # a message may be older
            return choose(screen, name) if name in names else screen

        st.markdown("###### Data")
        st.selectbox(
            "Data",
            names,
            format_func=title,
            on_change=self.desk.on(chosen, "data"),
            help=DATASETS[scenario.data].description,
            label_visibility="collapsed",
            **self.desk.choosing("data", scenario.data, names),
        )

    def draw(self, names: Sequence[str] = ("noise",)) -> None:
        """Knobs that the data have of these, number of labels, the seed of both."""
        scenario = self.desk.scenario
        knobs = data_knobs(scenario.data)

        def turned(screen, name: str, value):
            return self.renew(screen, screen.scenario.with_data_knob(name, value))

        for name in names:
            if name in knobs:
                value = scenario.knobs[name]
                knob_control(self.desk, knobs[name], value, "data_", turned)
        self._labels(scenario)

        def seeded(screen, seed: int | None):
            if seed is None:  # the field was emptied to type another number
                return screen
            return self.renew(screen, redrawn(screen.scenario, int(seed)))

        st.number_input(
            "Random seed",
            0,
            int(SEED.high),
            on_change=self.desk.on(seeded, "seed"),
            **self.desk.standing("seed", scenario.seed),
        )

    def parameters(self, names: Sequence[str]) -> None:
        """Knobs of the algorithm."""
        scenario = self.desk.scenario

        def turned(screen, name: str, value):
            return self.renew(screen, screen.scenario.with_parameter(name, value))

        for name in names:
            knob = ALGORITHMS[scenario.algorithm].knob(name)
            knob_control(self.desk, knob, scenario.params[name], "", turned)

    def ways_out(self, error: Exception) -> None:
        """Buttons for a run that was refused."""

        def take(screen, way: Way):
            return self.renew(screen, way.take(screen.scenario, 0))

        refused.offer(self.desk, error, take, other_algorithm=False)

    def _labels(self, scenario: Scenario) -> None:
        labels = scenario.labels
        if labels.how not in ("telling", "random"):
            return
        telling = labels.how == "telling"
        least, words = (2, "Labels") if telling else (1, "Labels per class")

        def turned(screen, count: int):
            return self.renew(screen, with_label_count(screen.scenario, count))

        st.slider(
            words,
            least,
            max(50, labels.count),
            on_change=self.desk.on(turned, "labels"),
            **self.desk.standing("labels", max(least, labels.count)),
        )
