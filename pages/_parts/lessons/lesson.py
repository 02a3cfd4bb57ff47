"""What a lesson is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from halfmoon.pages._parts.lessons.prose import Prose, Section, read_prose
from halfmoon.pages._parts.lessons.watched import Runs
from halfmoon.pages._parts.texts.claims import Computed
from halfmoon.scenario import Scenario

Fact = Callable[[Runs], Any]
Claim = Callable[[Runs], bool]
PATH = "s3vm_path"


@dataclass(frozen=True)
class Scene:
    """What the stage shows: the run of a scenario, and what stands beside it.

    Parameters
    ----------
    scenario : Scenario
    title : str
        Above the stage.
    curves, tiles : tuple of str
        Titles of those that are shown; a lesson shows what it speaks of.
    lines : tuple of str
        Lines of the curves that are shown, where a panel has any of them.
    toggles : tuple of str
        Views that are switched on.
    beside : str
        Name of the scene on a second stage, which moves in step; "" for none.
    marks : bool
        Whether error vectors and the like are ringed.
    """

    scenario: Scenario
    title: str = ""
    curves: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    toggles: tuple[str, ...] = ()
    beside: str = ""
    marks: bool = False

    @property
    def is_path(self) -> bool:
        return self.scenario.algorithm == PATH


@dataclass(frozen=True)
class Step:
    """One screen of a lesson; its words stand in the prose under the same name.

    Parameters
    ----------
    name : str
    shows : str
        Name of a scene.
    right : str
        The right answer, where the prose asks a question; a claim of this name says
        whether it is.
    before : str
        Scene on the stage while the question is open; "" shows the points of
        ``shows`` without their run.
    at : str
        Name of the moment where the cursor opens; "" is the end of the run.
    plays : bool
        Whether the run plays once when it is first seen.
    invites : bool
        Whether the student may label points here.
    """

    name: str
    shows: str
    right: str = ""
    before: str = ""
    at: str = ""
    plays: bool = False
    invites: bool = False


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Parameters
    ----------
    name : str
        In links, and of its file of prose.
    order : int
        Lessons are taken in this order; steps of ten leave room.
    minutes : int
        That a student spends on it.
    scenes : mapping of name to Scene
    steps : tuple of Step
        In order; the last one says what to remember.
    facts : mapping of name to function
        What stands for ``{name}`` in the prose, computed on the runs.
    moments : mapping of name to function
        Iterations to which a phrase ``[words](t:name)`` moves the cursor.
    claims : mapping of name to predicate
        What must hold for the words of ``{name? words}`` in the prose, and for the
        right answer of that name.
    thumbnail : str
        Scene drawn on the card.
    onward : str
        Scene that the playground opens with at the end.
    with_graph : bool
        Whether the card shows the graph.
    """

    name: str
    order: int
    minutes: int
    scenes: Mapping[str, Scene]
    steps: tuple[Step, ...]
    facts: Mapping[str, Fact] = field(default_factory=dict)
    moments: Mapping[str, Fact] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    thumbnail: str = ""
    onward: str = ""
    with_graph: bool = False

    @cached_property
    def prose(self) -> Prose:
        return read_prose(self.name)

    @property
    def title(self) -> str:
        return self.prose.title

    @property
    def sentence(self) -> str:
        return self.prose.sentence

    def step(self, name: str) -> Step:
        return self.steps[self.index(name)]

    def index(self, name: str) -> int:
        return [step.name for step in self.steps].index(name)

    def section(self, name: str) -> Section:
        return self.prose.sections[name]

    def told(self, runs: Runs) -> Mapping[str, Any]:
        """Facts and claims of the prose, computed as they are asked for."""
        return Computed({**self.facts, **self.claims}, runs)

    def times(self, runs: Runs) -> Mapping[str, int]:
        return Computed(self.moments, runs)
