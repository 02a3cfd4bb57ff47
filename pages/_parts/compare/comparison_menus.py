"""Take a comparison home: link, script, table, file."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from halfmoon.pages._parts.compare import evidence
from halfmoon.pages._parts.compare.comparison import SCREEN, query_of, stage_key
from halfmoon.pages._parts.compare.comparison_script import comparison_program
from halfmoon.pages._parts.compare.stages import ComparedRun
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.menus import export_menus, menu, share_controls
from halfmoon.pages._parts.screen.page import Desk
from halfmoon.pages._parts.screen.screen import Screen
from halfmoon.pages._parts.shell import bar, open_in
from halfmoon.scenario import Scenario
from halfmoon.scenario.learning_problem import Problem
from halfmoon.stage import StageView


def actions(
    desk: Desk[Screen],
    problem: Problem | None,
    found: Sequence[ComparedRun],
    views: Sequence[StageView],
) -> None:
    """Code, Save, Open in and Share, as on the playground."""
    solved = [run for run in found if run.solved]
    with bar.actions():
        export_menus(exports_of(desk.scenario, problem, solved, views), desk)
        open_in.show_ways(desk.scenario, desk.page.name)
        with menu("Share", ":material/link:", type="primary") as share:
            if share.open:
                share_controls(desk, link_of, longest(solved))


def exports_of(
    scenario: Scenario,
    problem: Problem | None,
    solved: Sequence[ComparedRun],
    views: Sequence[StageView],
) -> Exports:
    """The runs that are there, and the page's table of them."""
    if problem is None or not solved:
        return Exports(SCREEN, scenario)
    return Exports(
        SCREEN,
        scenario,
        {run.name: run.solved for run in solved},
        lambda: comparison_program(scenario, problem, solved),
        about="A complete script that makes the same runs and prints their table.",
        tables={"Table": lambda: evidence.values(solved, scenario).to_csv(index=False)},
        views=views,
    )


def link_of(scenario: Scenario) -> str:
    return urlencode(query_of(scenario), safe=",")


def longest(solved: Sequence[ComparedRun]) -> str:
    """The stage whose iteration goes into the link: the one that has most of them."""
    if not solved:
        return ""
    last = max(solved, key=lambda run: run.solved.trace.final.t)
    return stage_key(last.number)
