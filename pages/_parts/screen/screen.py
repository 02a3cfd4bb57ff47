"""Data, labels and methods on one screen, as a value: playground and Compare.

What a visitor does is a function from one `Screen` to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.running.stage_edits import edit
from halfmoon.pages._parts.screen.memory import Memory
from halfmoon.pages._parts.shell import errors
from halfmoon.scenario import Scenario
from halfmoon.scenario.refusals import Way

ON_ITS_WAY = "The run is being computed."


@dataclass(frozen=True)
class Remarks:
    """Sentences about what was opened or chosen.

    Parameters
    ----------
    hint : str
        What to look for.
    warnings : tuple of str
        What was not understood.
    about : tuple
        The data and algorithms that they are about.
    """

    hint: str = ""
    warnings: tuple[str, ...] = ()
    about: tuple = ()


@dataclass(frozen=True)
class Screen:
    """What one visitor sees of a page, and what is remembered for it.

    Parameters
    ----------
    scenario : Scenario
    stages : tuple of str
        Keys of the stages that may have edits for the scenario.
    memory : Memory
        Parameters of the algorithms that were left.
    number : int
        How often a link, a file or an example replaced everything.
    opened : Scenario or None
        The run that was opened then, for its place of the cursor.
    remarks : Remarks
    hide : tuple of str
        Controls that the link to be shared leaves out.
    new : bool
        Whether the visitor came without a link.
    awaits_file : bool
        "A file" was chosen and none has been given yet.
    mistake : str
        What was wrong with the last file or its columns.
    places : tuple of int
        Numbers of the methods in Compare, see `comparison`.
    next_place : int
    """

    scenario: Scenario
    stages: tuple[str, ...] = ()
    memory: Memory = field(default_factory=Memory)
    number: int = 0
    opened: Scenario | None = None
    remarks: Remarks = field(default_factory=Remarks)
    hide: tuple[str, ...] = ()
    new: bool = False
    awaits_file: bool = False
    mistake: str = ""
    places: tuple[int, ...] = ()
    next_place: int = 0

    @property
    def subject(self) -> tuple:
        """What remarks are about: they go when other data or algorithms come."""
        scenario = self.scenario
        algorithms = tuple(method.algorithm for method in scenario.methods)
        return scenario.data, scenario.upload, algorithms

    @property
    def data_id(self) -> str:
        """Names the points that edits are about, for this visitor."""
        return f"{stage_views.data_id(self.scenario)}-{self.number}"

    def hides(self, name: str) -> bool:
        """Whether a teacher's link hides a control."""
        return name in self.scenario.hidden

    # -- events ----------------------------------------------------------------------

    def changed(self, scenario: Scenario) -> Screen:
        """With another scenario; parameters are remembered."""
        return replace(self, scenario=scenario, memory=self.memory.after(scenario))

    def switched(self, algorithm: str, index: int = 0) -> Screen:
        """With another algorithm, and the parameters it was left with."""
        return self.changed(self.memory.switch(self.scenario, algorithm, index))

    def remarked(self, hint: str = "", warnings: Sequence[str] = ()) -> Screen:
        """With sentences that are shown while the data and the algorithm stay."""
        return replace(self, remarks=Remarks(hint, tuple(warnings), self.subject))

    def opening(
        self, scenario: Scenario, warnings: Sequence[str] = (), hint: str = ""
    ) -> Screen:
        """Another screen in the place of this one: a link, a file, an example.

        Edits that were made on the screen before do not reach this one.

        Parameters
        ----------
        scenario : Scenario
        warnings : sequence of str
            What was not understood of it.
        hint : str
            What to look for.
        """
        other = replace(self, number=self.number + 1, opened=scenario.solving)
        return other.changed(scenario).remarked(hint, warnings)

    def with_way(self, way: Way, index: int = 0) -> Screen:
        """After a way out of the refusal that the page shows."""
        return self.changed(way.take(self.scenario, index))


def take_edits(log: str, screen: Screen, put: Callable[[Screen], None]) -> None:
    """Apply what was clicked, drawn or dragged on the stage and is not yet applied."""

    def apply(edits) -> None:
        nonlocal screen
        screen = screen.changed(edited(screen.scenario, edits))
        put(screen)

    try:
        stage_component.receive(
            log, apply, data_id=screen.data_id, stages=screen.stages
        )
    except ValueError as error:
        errors.later(str(error))


def edited(scenario: Scenario, edits: list[dict]) -> Scenario:
    """A scenario after edits; "continue" makes what follows go on from there.

    What cannot be applied is reported and does not hold back the rest.
    """
    refused: list[str] = []
    places = [e.get("t") for e in edits if e.get("op") == "continue"]
    if places:
        try:
            scenario = scenario.going_on(places[-1])
        except ValueError as error:
            refused.append(str(error))
    scenario = edit(scenario, runs.server().pose(scenario), edits, refused)
    for sentence in dict.fromkeys(refused):
        errors.later(sentence)
    return scenario
