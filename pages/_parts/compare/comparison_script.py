"""A comparison as a program: all methods, one after the other, and their table."""

from __future__ import annotations

from collections.abc import Sequence

from halfmoon.pages._parts.compare.stages import ComparedRun
from halfmoon.pages._parts.export.imported import imports
from halfmoon.pages._parts.export.script import (
    Cell,
    Program,
    another,
    cells,
    judged,
)
from halfmoon.pages._parts.export.source import call, literal
from halfmoon.pages._parts.running.judging import Protocol, why_not
from halfmoon.scenario import UPLOAD, Scenario, data_title
from halfmoon.scenario.headlines import headline
from halfmoon.scenario.learning_problem import Problem
from ssl_core import ALGORITHMS

PARTS = {"val": "validation error", "test": "test error"}


PICTURE = (
    "import plotly.graph_objects as go",
    "",
    "figure = go.Figure()",
    "for name, trace in traces.items():",
    "    frame = trace.to_frame()",
    '    figure.add_scatter(x=frame["t"], y=frame["objective"], name=name)',
    "figure.update_layout(",
    '    xaxis_title="iteration", yaxis_title="objective, each method\'s own"',
    ")",
    "figure.show()",
)


def comparison_program(
    scenario: Scenario, problem: Problem, found: Sequence[ComparedRun]
) -> Program:
    """Makes the runs that are there and prints the table."""
    data = "an uploaded file" if scenario.data == UPLOAD else data_title(scenario)
    retrained = not why_not(problem)
    core = ("Retraining", "make") if retrained else ("make",)
    runs = [run for run in found if run.solved]
    first, *rest = imports(scenario, core, [run.scenario for run in runs])
    steps = cells(scenario.alone(0), problem)[:-2]  # all but the run and its result
    steps.append(_protocol(Protocol.of(scenario), problem, retrained))
    about = []
    for number, run in enumerate(runs, start=1):
        entry = ALGORITHMS[run.scenario.algorithm]
        lines = [*another(run.scenario, "trace"), f"tell({literal(run.name)})"]
        steps.append(Cell(f"Method {number}: {entry.title}.", tuple(lines)))
        about.append(f"**Method {number}**, {entry.title}: {entry.idea}")
    show = "print(pd.DataFrame(rows).to_string(index=False))"
    steps.append(Cell("One table for all.", (show,)))
    return Program(
        headline(problem),
        f"methods compared on {data}",
        (first, "import pandas as pd", *rest),
        tuple(steps),
        tuple(about),
        PICTURE,
    )


def _protocol(protocol: Protocol, problem: Problem, retrained: bool) -> Cell:
    """Lines that judge a run by what all are judged by."""
    lines, row = [], ['"method": name']
    if judged(problem):
        lines.append("judged = (y < 0) & (truth >= 0)")
        wrong = "(est.predict(X) != truth)[judged].mean()"
        row.append(f'"unlabelled error": {wrong}')
    row += [
        f"\"{title}\": trace.output_error('{part}')[-1]"
        for part, title in PARTS.items()
        if len(problem.part(part)[1])
    ]
    if retrained:
        options = {name: getattr(protocol, name) for name in Protocol.__annotations__}
        lines += call("retraining = Retraining.of", ["X", "y"], options)
        row.append('"retrained objective": retraining.objective(est.predict(X))')
    row += [
        '"seconds": trace.seconds.sum()',
        '"iterations": trace.final.t',
        '"why it stopped": trace.status.value',
    ]
    lines += [
        "rows, traces = [], {}",
        "",
        "",
        "def tell(name):",
        "    traces[name] = trace",
        "    rows.append(",
        "        {",
        *(f"            {entry}," for entry in row),
        "        }",
        "    )",
        "",
    ]
    return Cell("How every method is evaluated.", tuple(lines))
