"""A scenario as a Jupyter notebook: the script's steps, and a picture at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence

from halfmoon.pages._parts.export.script import INSTALL, cells, imports, subject
from halfmoon.pages._parts.pictures.headlines import headline
from halfmoon.pages._parts.running.learning_problem import Problem
from halfmoon.pages._parts.scenario import Scenario
from ssl_core import ALGORITHMS
from ssl_core.references import REFERENCES


def notebook(scenario: Scenario, problem: Problem) -> str:
    """The same as a Jupyter notebook, with a picture of the errors at the end."""
    entry = ALGORITHMS[scenario.algorithm]
    intro = [
        f"# {headline(problem)}\n",
        f"{subject(scenario)}. {entry.idea}\n",
        "\n",
        f"$${entry.objective}$$\n",
        "\n",
        f"{REFERENCES[entry.paper]}, section {entry.section}.\n",
        "\n",
        INSTALL,
    ]
    made = [_markdown(intro), _code(imports(scenario))]
    for cell in cells(scenario, problem):
        made += [_markdown([f"## {cell.heading}"]), _code(cell.lines)]
    made += [_markdown(["## Every iteration at a glance"]), _code(_PLOT)]
    for number, cell in enumerate(made):
        cell["id"] = f"cell-{number}"
    document = {
        "cells": made,
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


_PLOT = (
    "import plotly.graph_objects as go",
    "",
    "frame = trace.to_frame()",
    'figure = go.Figure(go.Scatter(x=frame["t"], y=frame["objective"]))',
    'figure.update_layout(xaxis_title="iteration", yaxis_title="objective")',
    "figure.show()",
    "frame.tail()",
)


def _markdown(lines: Sequence[str]) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": list(lines)}


def _code(lines: Sequence[str]) -> dict:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": [*(f"{line}\n" for line in lines[:-1]), *lines[-1:]],
    }
