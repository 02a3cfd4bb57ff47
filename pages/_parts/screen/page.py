"""A page's screen is a value: read once at the top of a run, changed by events.

A run of a page begins with `Page.begin`. That takes in what has happened since the last
one, in this order: edits on the stage, events of widgets, a link that was opened. What
comes out is a `Desk`: the screen, which stays as it is for the whole run, and ways to
tell events. A callback reads its widget and tells an event, a function from screen to
screen; it changes nothing itself.

All that a session keeps of a page is one `Holder`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

from halfmoon import stage
from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.shell import address, errors
from halfmoon.pages._parts.shell.callbacks import unbroken, whole

TURN = "~"
S = TypeVar("S")
Event = Callable[[S], S]


@dataclass
class Holder(Generic[S]):
    """What a session keeps of a page; one object, changed in place.

    Two runs of one visitor can be under way in two threads, one of them about to be
    broken off; while the newer begins, Streamlit tidies up ``st.session_state``, and
    what the older then writes there is gone.

    Parameters
    ----------
    screen : object or None
        None before the page is first opened.
    events : list of callable
        Told and not yet applied, the oldest first.
    turns : dict of name to int
        How often the server has moved each widget.
    made : dict of name to (about, value)
        See `Desk.remembered`.
    """

    screen: S | None = None
    events: list[Event] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)
    made: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)


def no_edits(screen: S, put: Callable[[S], None]) -> None:
    """For a page whose stage is not edited."""


@dataclass(frozen=True)
class Page(Generic[S]):
    """A page: how its screen is read from a link, changed and written to a link.

    Parameters
    ----------
    name : str
        Of its script and its address.
    read : callable
        From the parameters of a link, and the screen before it or None, to a screen.
    write : callable
        From a screen to the parameters of its link; None where none can hold it.
    prefix : str
        What the keys of its widgets begin with.
    edits : callable
        Takes a screen and a function that replaces it; applies edits of the stage.
    log : str
        Names these edits, see `stage_component.receive`.
    fit : callable
        Makes a screen that was opened or changed fit the page.
    opening : callable, optional
        From a screen, a saved scenario and remarks on it to the screen that shows it;
        None for a page that opens none.
    """

    name: str
    read: Callable[[Mapping[str, str], S | None], S]
    write: Callable[[S], dict[str, str] | None]
    prefix: str = ""
    edits: Callable[[S, Callable[[S], None]], None] = no_edits
    log: str = ""
    fit: Callable[[S], S] = lambda screen: screen
    opening: Callable[[S, Any, Sequence[str]], S] | None = None

    @property
    def holder(self) -> Holder[S]:
        kept = f"page:{self.name}"
        if kept not in st.session_state:
            st.session_state[kept] = Holder()
        return st.session_state[kept]

    def tell(self, event: Event) -> None:
        """Have the next run of this page begin with an event."""
        self.holder.events.append(event)

    def settled(self) -> S | None:
        """The screen with all that has reached the server; None if never opened."""
        with unbroken():
            holder = self.holder
            if holder.events and holder.screen is None:
                holder.screen = self.fit(self.read({}, None))
            if holder.screen is not None:
                self.edits(holder.screen, partial(setattr, holder, "screen"))
            while holder.events:
                event = holder.events.pop(0)
                with errors.as_sentences_later():
                    holder.screen = self.fit(event(holder.screen))
            return holder.screen

    def begin(self) -> Desk[S]:
        """What this run of the page is about."""
        with unbroken():
            before = self.settled()
            url = address.brought(self.name, first=before is None)
            if url is not None:
                self.holder.screen = self.fit(self.read(url, before))
            seen = stage_component.seen(self.log) if self.log else None
            desk = Desk(self, self.holder.screen, seen)
        errors.show_later()
        return desk


@dataclass(frozen=True)
class Desk(Generic[S]):
    """The screen of one run, and ways to tell events.

    Parameters
    ----------
    page : Page
    screen : object
    seen : Seen or None
        The edits that the screen has in it.
    """

    page: Page[S]
    screen: S
    seen: stage.Seen | None = None

    @property
    def scenario(self):
        return self.screen.scenario

    def end(self) -> None:
        """The address shows what the screen shows."""
        url = self.page.write(self.screen)
        if url is not None:
            address.write(self.page.name, url)

    # -- events ----------------------------------------------------------------------

    def on(self, event: Callable[..., S], *names: str) -> Callable[..., None]:
        """A callback that tells an event.

        Parameters
        ----------
        event : callable
            From the screen, the arguments of the callback, and where the visitor put
            the widgets ``names``, to a screen.
        """

        def callback(*args) -> None:
            values = [self.moved(name) for name in names]
            self.page.tell(lambda screen: event(screen, *args, *values))

        return whole(callback)

    def moved(self, name: str) -> Any:
        """Where the visitor put a widget."""
        return st.session_state[self._at(name, self.page.holder.turns.get(name, 0))]

    # -- widgets ---------------------------------------------------------------------

    def key(self, name: str) -> str:
        """The key of a widget or a container of this page."""
        return f"{self.page.prefix}{name}"

    def _at(self, name: str, turn: int) -> str:
        return self.key(f"{name}{TURN}{turn}" if turn else name)

    def standing(self, name: str, value: Any) -> dict[str, Any]:
        """Key and value of a slider, number or switch that stands at ``value``.

        A browser sends where all widgets stand with every message, also where one stood
        before the server moved it; that would look like a choice of its visitor. So a
        widget that the server moves is made again under another key, and what is still
        on its way for the old one means nothing. A widget that stands right is left
        alone.

        The new one gets its place as its default, each time: what is put into
        ``st.session_state`` is sent once, in a message that a newer run may throw away.
        """
        turns = self.page.holder.turns
        if name not in turns:
            turns[name] = 0
        else:
            key = self._at(name, turns[name])
            if key not in st.session_state or st.session_state[key] != value:
                turns[name] += 1
        return {"key": self._at(name, turns[name]), "value": value}

    def choosing(self, name: str, value: Any, options: Sequence) -> dict[str, Any]:
        """As `standing`, for a box in which one of the options is chosen, or none."""
        index = None if value is None else list(options).index(value)
        return {"key": self.standing(name, value)["key"], "index": index}

    def picking(self, name: str, value: Any) -> dict[str, Any]:
        """As `standing`, for pills and boxes in which several can be chosen."""
        return {"key": self.standing(name, value)["key"], "default": value}

    # -- what is made for a page -----------------------------------------------------

    def remembered(self, name: str, about: Hashable, make: Callable[[], Any]) -> Any:
        """What ``make`` made when the page was last ``about`` the same.

        Of a run, ``about`` holds the ``key``: where it was stopped makes a difference.
        """
        made = self.page.holder.made
        if name not in made or made[name][0] != about:
            made[name] = about, make()
        return made[name][1]
