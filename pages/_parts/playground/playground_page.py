"""The playground's screen: its link, its edits, its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.screen.page import Page
from halfmoon.pages._parts.screen.screen import Screen, take_edits
from halfmoon.scenario import MAX_URL, Scenario, default

STAGE = "playground"  # the key of its stage, which also names the edits


def read_link(url: Mapping[str, str], before: Screen | None) -> Screen:
    """The screen of a link; one that says nothing is what a new visitor meets."""
    screen = before or Screen(default(), (STAGE,))
    opened = screen.opening(*Scenario.from_url(url))
    return replace(opened, new=not url and (before is None or before.new))


def write(screen: Screen) -> dict[str, str] | None:
    """The link; none while a hand is at it: what it passes is no step to go back to."""
    scenario = screen.scenario
    if hand_at_work(screen) or len(scenario.to_query()) > MAX_URL:
        return None
    return scenario.to_url()


def hand_at_work(screen: Screen) -> bool:
    """Whether a hand is still at what it draws."""
    return stage_component.under_way(STAGE, stages=screen.stages)


PLAYGROUND: Page[Screen] = Page(
    "playground",
    read_link,
    write,
    edits=partial(take_edits, STAGE),
    log=STAGE,
    opening=Screen.opening,
)
