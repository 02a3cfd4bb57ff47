"""A program as a Jupyter notebook: the script's steps, and a picture at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence

from halfmoon.pages._parts.export.script import INSTALL, VERSION, Cell, Program, program
from halfmoon.scenario import Scenario
from halfmoon.scenario.learning_problem import Problem


def as_notebook(made: Program) -> str:
    """The cells of a program, with words between them."""
    intro = [f"# {made.headline}", f"{made.subject}.", *made.about, INSTALL]
    parts = [_markdown("\n\n".join(intro))]
    glance = Cell("Every iteration at a glance", made.picture)
    parts += [_code(made.imports)]
    for cell in (VERSION, *made.cells, glance):
        parts += [_markdown(f"## {cell.heading}"), _code(cell.lines)]
    for number, part in enumerate(parts):
        part["id"] = f"cell-{number}"
    document = {
        "cells": parts,
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False)


def notebook(
    scenario: Scenario,
    problem: Problem,
    more: Sequence[Cell] = (),
    core: Sequence[str] = ("make",),
) -> str:
    """The notebook of a run; see `script.program`."""
    return as_notebook(program(scenario, problem, more, core))


def _markdown(text: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(lines: Sequence[str]) -> dict:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines("\n".join(lines)),
    }


def _lines(text: str) -> list[str]:
    """As nbformat has them: each but the last with its end."""
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), last]
