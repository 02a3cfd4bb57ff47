"""The shape of a page on one topic: early stopping, annealing, path and jumps.

Such a page watches one run: controls in the sidebar ask for another one, a question
may come first, the stage shows it, and a text explains it. Numbers of its
own (a view, an answer, thresholds) travel in the scenario's view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import streamlit as st

from halfmoon.pages._parts import glossary, texts
from halfmoon.pages._parts.screen.page import Desk, Page, no_edits
from halfmoon.pages._parts.shell import door, errors
from halfmoon.pages._parts.study.run_controls import RunControls
from halfmoon.pages._parts.study.settings import as_link, unusual
from halfmoon.scenario import MAX_URL, Scenario, pairs
from halfmoon.stage.numbers import read_numbers


@dataclass(frozen=True)
class SentNumbers:
    """What a stage was sent last of the numbers that its reader moves.

    Parameters
    ----------
    opening : int
        Counts how often the numbers were set from here.
    first : object
        The numbers at that opening; the stage is sent these until the next one.
    now : object
        What the reader has made of them since.
    """

    opening: int = 0
    first: Any = None
    now: Any = None


@dataclass(frozen=True)
class StudyScreen:
    """What is on the page.

    Parameters
    ----------
    scenario : Scenario
    remarks : tuple of str
        What was odd about the link.
    numbers_of : type
        Dataclass of the page's own numbers, with a ``read`` that makes them fit.
    guessed : tuple
        The question and the run at which a guess was just made, see `Prediction`.
    sent : SentNumbers
        See `take_numbers`.
    """

    scenario: Scenario
    remarks: tuple[str, ...]
    numbers_of: type
    guessed: tuple = ()
    sent: SentNumbers = field(default_factory=SentNumbers)

    @property
    def numbers(self) -> Any:
        """The page's own numbers, as the link has them."""
        return self.numbers_of.read(dict(self.scenario.view.thresholds))

    def changed(self, scenario: Scenario) -> StudyScreen:
        return replace(self, scenario=scenario)

    def restarted(self, scenario: Scenario) -> StudyScreen:
        """Another run: the cursor goes where it is most telling, the numbers stay."""
        kept = self.scenario.view.thresholds
        view = {"t": None, "toggles": None, "thresholds": kept}
        return self.changed(scenario.with_view(**view))

    def with_numbers(self, **values) -> StudyScreen:
        changed = unusual(replace(self.numbers, **values))
        return self.changed(self.scenario.with_view(thresholds=pairs(changed)))


def study_page(
    name: str,
    prefix: str,
    from_link: Callable[..., tuple[Scenario, list[str]]],
    numbers_of: type,
    moved_on: str = "",
) -> Page[StudyScreen]:
    """A page of this shape.

    Parameters
    ----------
    name, prefix : str
        Of the page, and of its widgets in the session.
    from_link : callable
        From query parameters to a scenario and remarks on what was odd; given what
        `as_link` makes of a saved scenario, from that.
    numbers_of : type
        See `StudyScreen`.
    moved_on : str
        Key of the stage whose reader moves the numbers; empty for none.
    """

    def read(url, before: StudyScreen | None) -> StudyScreen:
        scenario, remarks = from_link(url)
        sent = SentNumbers() if before is None else before.sent
        return StudyScreen(scenario, tuple(remarks), numbers_of, sent=sent)

    def opening(before: StudyScreen, saved: Scenario, remarks) -> StudyScreen:
        scenario, remarks = from_link(*as_link(saved, remarks))
        return StudyScreen(scenario, tuple(remarks), numbers_of, sent=before.sent)

    return Page(
        name,
        read,
        _link_of,
        prefix=f"{prefix}_",
        edits=_numbers_of_stage(moved_on) if moved_on else no_edits,
        fit=_sent_again if moved_on else (lambda screen: screen),
        opening=opening,
    )


def _link_of(screen: StudyScreen) -> dict[str, str] | None:
    """The link; none for a saved file with more labels than one holds."""
    scenario = screen.scenario
    return scenario.to_url() if len(scenario.to_query()) <= MAX_URL else None


def _sent_again(screen: StudyScreen) -> StudyScreen:
    """A new opening where the numbers are not what the stage made of them."""
    numbers = screen.numbers
    if screen.sent.now == numbers:
        return screen
    sent = SentNumbers(screen.sent.opening + 1, numbers, numbers)
    return replace(screen, sent=sent)


def _numbers_of_stage(key: str):
    """Take in what the reader moved on the stage ``key``.

    The stage moves the numbers by itself and speaks only when one is let go. It is
    sent its own numbers only where a link, another page or an event set them:
    otherwise the view would change, and travel, with each of them.
    """

    def take(screen: StudyScreen, put: Callable[[StudyScreen], None]) -> None:
        if not door.mounted(key):
            screen = replace(screen, sent=replace(screen.sent, now=None))
        screen = _sent_again(screen)
        moved = read_numbers(door.message(key, "numbers"), screen.sent.opening)
        if moved is not None:
            screen = screen.with_numbers(**asdict(screen.numbers_of.read(moved)))
            screen = replace(screen, sent=replace(screen.sent, now=screen.numbers))
        put(screen)

    return take


def show_study(
    page: Page[StudyScreen],
    head: Callable[[Desk[StudyScreen]], None],
    controls: Callable[[Desk[StudyScreen]], Any],
    body: Callable[[Desk[StudyScreen], Any, Any], Mapping[str, Any] | None],
    renew: Callable[[StudyScreen, Scenario], StudyScreen],
) -> None:
    """Draw the page, from its link to its text.

    Parameters
    ----------
    page : Page
    head, controls : callable
        What stands above, and in the sidebar.
    body : callable
        Takes the desk, the place for what waits, and what ``controls`` returned; raises
        a sentence where there is no run. Returns facts for the text.
    renew : callable
        Event: from a screen and another scenario to a screen.
    """
    desk, facts = page.begin(), None
    with st.container():
        for remark in desk.screen.remarks:
            st.info(errors.plain(remark), icon=":material/info:")
    head(desk)
    with st.sidebar:
        places = controls(desk)
    # What only some runs show stands in a place of its own: elements that move down
    # the page when it appears would be built again, and a slider under way let go.
    waiting = st.container()
    try:
        facts = body(desk, waiting, places)
    except ValueError as error:
        st.warning(errors.plain(str(error)), icon=":material/warning:")
        RunControls(desk, renew).ways_out(error)
    with st.expander("Explanation"):
        glossary.show_explained(texts.explanation(page.name, facts))
    desk.end()
