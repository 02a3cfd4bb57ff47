"""One visitor's comparison: its methods, and the stages they are seen on.

The scenario and all that changes it are those of `playground.session`, on a screen of
its own. Here is what several methods need besides: each has a place, whose number stays
with it while others come and go, so that no late message of a widget or a stage can
reach another method than the one it was meant for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages._parts import stage
from pages._parts.playground import session
from pages._parts.scenario import MAX_METHODS, MAX_URL, Method, Scenario
from pages._parts.scenario.link import to_url
from pages._parts.shell import address
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import key_of, on_screen, unbroken, whole
from ssl_core import ALGORITHMS

PAGE = SCREEN = "compare"  # its name among the addresses, and among the screens
FIRST = Scenario.of("two_moons", "lapsvm_pcg", "svm")
PLACES = "_places"
REMEMBERED = 2 * MAX_METHODS  # stages whose messages may still be under way


@dataclass
class Places:
    """Numbers of the methods, in their order; changed in place.

    Parameters
    ----------
    numbers : tuple of int
    next : int
    """

    numbers: tuple[int, ...] = ()
    next: int = 0

    def fit(self, count: int) -> tuple[int, ...]:
        """As many numbers as there are methods; the first ones stay."""
        while len(self.numbers) < count:
            self.numbers = (*self.numbers, self.next)
            self.next += 1
        self.numbers = self.numbers[:count]
        return self.numbers


def _places() -> Places:
    kept = key_of(PLACES)
    if kept not in st.session_state:
        st.session_state[kept] = Places()
    return st.session_state[kept]


def numbers() -> tuple[int, ...]:
    """The places of the scenario's methods."""
    with unbroken():
        me, places = session.visitor(), _places()
        found = places.fit(len(me.scenario.methods))
        late = range(max(0, places.next - REMEMBERED), places.next)
        me.stages = tuple(map(stage_key, sorted({*late, *found})))
        return found


def begin() -> tuple[Scenario, tuple[int, ...], stage.Seen]:
    """What a run of the page is about, its places, and up to which edit that goes."""
    with unbroken():
        scenario, seen = session.begin()
        return scenario, numbers(), seen


def index_of(number: int) -> int | None:
    """Which method has this place now; None when it has gone."""
    found = numbers()
    return found.index(number) if number in found else None


def stage_key(number: int) -> str:
    return f"{SCREEN}_stage_{number}"


# -- links ---------------------------------------------------------------------------


def from_link(url: Mapping[str, str]) -> tuple[Scenario, list[str]]:
    """The comparison of a link; one that says nothing is the first one."""
    return Scenario.from_url(url) if url else (FIRST, [])


def query_of(scenario: Scenario) -> dict[str, str]:
    """Parameters of the link to a comparison; none for the first one."""
    return {} if scenario == FIRST else to_url(scenario)


def open_comparison() -> None:
    """Begin with the comparison of the link, or go on with the one that is here."""
    with unbroken():
        me = session.visitor()
        url = address.brought(PAGE, first=me.scenario is None)
        if url is not None:
            session.open_anew(*from_link(url))
        if any(method.start is not None for method in me.scenario.methods):
            errors.later("In Compare every method starts from its own beginning.")
            session.change(me.scenario.afresh())
        numbers()


def write_link(scenario: Scenario) -> None:
    """Put the comparison into the address, where it is short enough for one."""
    if session.under_way():
        return
    url = query_of(scenario)
    if sum(len(k) + len(v) + 2 for k, v in url.items()) <= MAX_URL:
        address.write(PAGE, url)


def offer_first() -> None:
    """A way back where the data cannot be had."""
    back = whole(lambda: session.open_anew(FIRST))
    st.button("Back to two moons", on_click=back, key="back")


# -- methods -------------------------------------------------------------------------


def add(algorithm: str) -> None:
    """One more method, after the others."""
    scenario = session.current()
    if algorithm not in ALGORITHMS or len(scenario.methods) >= MAX_METHODS:
        return
    method = Method.of(algorithm, scenario.data)
    session.change(_like_the_others(scenario.with_method(method)))
    numbers()


def _like_the_others(scenario: Scenario) -> Scenario:
    """The last method with what travels from those before it: one setting for all."""
    index = len(scenario.methods) - 1
    knobs = ALGORITHMS[scenario.methods[index].algorithm].knobs
    values = {}
    for method in scenario.methods[:index]:
        for knob in knobs:
            if knob.travels and knob.name in method.params:
                values.setdefault(knob.name, method.params[knob.name])
    return scenario.with_parameters(values, index)


def remove(number: int) -> None:
    """Take a method away; the last one stays."""
    scenario, index = session.current(), index_of(number)
    if index is None or len(scenario.methods) == 1:
        return
    places = _places()
    places.numbers = tuple(n for n in places.numbers if n != number)
    session.change(scenario.without_method(index))
    numbers()


def switch(number: int, algorithm: str) -> None:
    """Another algorithm in the place of a method, with the parameters it was left."""
    scenario, index = session.current(), index_of(number)
    if index is not None and algorithm in ALGORITHMS:
        session.change(session.visitor().memory.switch(scenario, algorithm, index))


# -- pinning -------------------------------------------------------------------------


def pinned() -> Scenario | None:
    """The comparison as it is now, from whichever page; None where there is none."""
    with on_screen(SCREEN), unbroken():
        session.take_edits()
        return session.visitor().scenario


def pin(scenario: Scenario) -> str:
    """Put the run of a page into the comparison; a sentence on what became of it."""
    with on_screen(SCREEN), unbroken():
        session.take_edits()
        me, method = session.visitor(), scenario.method.afresh()
        title = ALGORITHMS[method.algorithm].title
        if me.scenario is None:
            return start(scenario)
        if me.scenario.setting != scenario.setting:
            return "Compare shows another setting; start a new comparison there."
        if method in me.scenario.methods:
            return f"{title} with these parameters is in Compare already."
        if len(me.scenario.methods) >= MAX_METHODS:
            return f"Compare has {MAX_METHODS} methods already; remove one there first."
        session.change(me.scenario.with_method(method))
        numbers()
        return f"{title} is method {len(me.scenario.methods)} in Compare now."


def start(scenario: Scenario) -> str:
    """Begin a new comparison with the run of a page."""
    with on_screen(SCREEN), unbroken():
        alone = Scenario(scenario.setting, (scenario.method.afresh(),))
        session.open_anew(alone)
        numbers()
        title = ALGORITHMS[alone.algorithm].title
        return f"{title} is the first method in Compare now; pin another one beside it."
