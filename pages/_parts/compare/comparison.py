"""One visitor's comparison: its methods, and the stages they are seen on.

The screen is that of `screen.screen`. Here is what several methods need besides: each
has a place, whose number stays with it while others come and go, so that no late
message of a widget or a stage can reach another method than the one it was meant for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.screen.page import Page
from halfmoon.pages._parts.screen.screen import Screen, take_edits
from halfmoon.pages._parts.shell import errors
from halfmoon.pages._parts.shell.callbacks import unbroken
from halfmoon.scenario import MAX_METHODS, MAX_URL, Method, Scenario
from halfmoon.scenario.link import to_url
from halfmoon.scenario.refusals import Way
from ssl_core import ALGORITHMS

SCREEN = "compare"  # its name among the addresses, and in the keys of its elements
FIRST = Scenario.of("two_moons", "lapsvm_pcg", "svm")
REMEMBERED = 2 * MAX_METHODS  # stages whose messages may still be under way


def stage_key(number: int) -> str:
    return f"{SCREEN}_stage_{number}"


def fit(screen: Screen) -> Screen:
    """As many places as there are methods, each from its own beginning."""
    if any(method.start is not None for method in screen.scenario.methods):
        errors.later("In Compare every method starts from the beginning.")
        screen = screen.changed(screen.scenario.from_start())
    count, after = len(screen.scenario.methods), screen.next_place
    more = max(0, count - len(screen.places))
    places = (*screen.places, *range(after, after + more))[:count]
    after += more
    late = range(max(0, after - REMEMBERED), after)
    stages = tuple(map(stage_key, sorted({*late, *places})))
    return replace(screen, places=places, next_place=after, stages=stages)


def index_of(screen: Screen, number: int) -> int | None:
    """Which method has this place now; None when it has gone."""
    return screen.places.index(number) if number in screen.places else None


# -- links ---------------------------------------------------------------------------


def from_link(url: Mapping[str, str]) -> tuple[Scenario, list[str]]:
    """The comparison of a link; one that says nothing is the first one."""
    return Scenario.from_url(url) if url else (FIRST, [])


def query_of(scenario: Scenario) -> dict[str, str]:
    """Parameters of the link to a comparison; none for the first one."""
    return {} if scenario == FIRST else to_url(scenario)


def read(url: Mapping[str, str], before: Screen | None) -> Screen:
    return (before or Screen(FIRST)).opening(*from_link(url))


def write(screen: Screen) -> dict[str, str] | None:
    """The link, where it is short enough for one and no hand is at work."""
    if stage_component.under_way(SCREEN, stages=screen.stages):
        return None
    url = query_of(screen.scenario)
    return url if sum(len(k) + len(v) + 2 for k, v in url.items()) <= MAX_URL else None


COMPARE: Page[Screen] = Page(
    SCREEN,
    read,
    write,
    prefix=f"{SCREEN}:",
    edits=partial(take_edits, SCREEN),
    log=SCREEN,
    fit=fit,
    opening=Screen.opening,
)


# -- events --------------------------------------------------------------------------


def add(screen: Screen, algorithm: str) -> Screen:
    """One more method, after the others."""
    scenario = screen.scenario
    if algorithm not in ALGORITHMS or len(scenario.methods) >= MAX_METHODS:
        return screen
    method = Method.of(algorithm, scenario.data)
    return screen.changed(_like_the_others(scenario.with_method(method)))


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


def remove(screen: Screen, number: int) -> Screen:
    """Take a method away; the last one stays."""
    index = index_of(screen, number)
    if index is None or len(screen.places) == 1:
        return screen
    left = tuple(n for n in screen.places if n != number)
    other = screen.changed(screen.scenario.without_method(index))
    return replace(other, places=left)


def switch(screen: Screen, number: int, algorithm: str) -> Screen:
    """Another algorithm in the place of a method, with the parameters it was left."""
    index = index_of(screen, number)
    if index is None or algorithm not in ALGORITHMS:
        return screen
    return screen.switched(algorithm, index)


def take_way(screen: Screen, way: Way, number: int) -> Screen:
    """A way out of what refuses the method in a place."""
    index = index_of(screen, number)
    return screen if index is None else screen.with_way(way, index)


# -- pinning -------------------------------------------------------------------------


def pinned() -> Scenario | None:
    """The comparison as it is now, from whichever page; None where there is none."""
    screen = COMPARE.settled()
    return None if screen is None else screen.scenario


def pin(scenario: Scenario) -> str:
    """Put the run of a page into the comparison; a sentence on what became of it."""
    with unbroken():
        kept, method = pinned(), scenario.method.from_start()
        title = ALGORITHMS[method.algorithm].title
        if kept is None:
            return start(scenario)
        if kept.setting != scenario.setting:
            return "Compare shows another setting; start a new comparison there."
        if method in kept.methods:
            return f"{title} with these parameters is in Compare already."
        if len(kept.methods) >= MAX_METHODS:
            return f"Compare has {MAX_METHODS} methods already; remove one there first."
        COMPARE.tell(lambda s: s.changed(s.scenario.with_method(method)))
        return f"{title} is method {len(kept.methods) + 1} in Compare now."


def start(scenario: Scenario) -> str:
    """Begin a new comparison with the run of a page."""
    alone = Scenario(scenario.setting, (scenario.method.from_start(),))
    COMPARE.tell(lambda screen: screen.opening(alone))
    title = ALGORITHMS[alone.algorithm].title
    return f"{title} is the first method in Compare now; pin another run now."
