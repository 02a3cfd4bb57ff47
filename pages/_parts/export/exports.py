"""What a page hands out: it declares its runs, and everything else follows.

Script, notebook, trace and saved scenario are offered by `menus.export_menus`, the same
on every page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from halfmoon.pages._parts.export.script import Program, program
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from halfmoon.stage import StageView

METRICS = "objective, norms, errors, events"


@dataclass(frozen=True)
class Exports:
    """The runs of a page, as it shows them now.

    Parameters
    ----------
    page : str
        Name of the page, after which files are called.
    scenario : Scenario
        What is saved: opened again, it shows these runs.
    runs : mapping of name to Solved
        The first is the one that the program makes; empty where there is none yet.
    code : callable, optional
        Makes the program, when it is asked for; by default that of the first run.
    about : str
        What the program does.
    columns : str
        What the trace has beside the iterations.
    tables : mapping of title to callable
        More tables of the page, as CSV.
    missing : str
        Why there is no trace, where a page has a program and no run.
    views : sequence of StageView
        What its stages show, to be saved as a page, as pictures and as films.
    title : str
        Their heading; methods and data when empty.
    words : sequence of str
        Paragraphs that belong to them.
    """

    page: str
    scenario: Scenario
    runs: Mapping[str, Solved] = field(default_factory=dict)
    code: Callable[[], Program] | None = None
    about: str = "A complete script that gives the same numbers."
    columns: str = METRICS
    tables: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    missing: str = ""
    views: Sequence[StageView] = ()
    title: str = ""
    words: Sequence[str] = ()

    @property
    def has_code(self) -> bool:
        return self.code is not None or bool(self.runs)

    def program(self) -> Program:
        """The program of the page."""
        if self.code is not None:
            return self.code()
        first = next(iter(self.runs.values()))
        return program(first.scenario, first.problem)

    def file(self, ending: str, about: str = "") -> str:
        """What one of its files is called."""
        return f"halfmoon_{self.page}{about and f'_{about}'}.{ending}"
