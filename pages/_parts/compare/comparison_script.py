"""A comparison as a script: all methods, one after the other, and their table."""

from __future__ import annotations

from collections.abc import Sequence

from halfmoon.pages._parts.compare.stages import ComparedRun
from halfmoon.pages._parts.export.script import (
    INSTALL,
    Cell,
    another,
    call,
    cells,
    imports,
    judged,
    literal,
)
from halfmoon.pages._parts.pictures.headlines import headline
from halfmoon.pages._parts.running.judging import Protocol, why_not
from halfmoon.pages._parts.running.learning_problem import Problem
from halfmoon.pages._parts.scenario import UPLOAD, Scenario, data_title
from ssl_core import ALGORITHMS

PARTS = {"val": "validation error", "test": "test error"}


def comparison_source(
    scenario: Scenario, problem: Problem, found: Sequence[ComparedRun]
) -> str:
    """A Python file that makes the runs that are there and prints the table."""
    data = "an uploaded file" if scenario.data == UPLOAD else data_title(scenario)
    parts = [f'"""{headline(problem)}: methods compared on {data}.\n\n{INSTALL}\n"""']
    retrained = not why_not(problem)
    core = ("Retraining", "make") if retrained else ("make",)
    first, *rest = imports(scenario, core)
    parts.append("\n".join([first, "import pandas as pd", *rest]))
    steps = cells(scenario.alone(0), problem)[:-2]  # all but the run and its result
    steps.append(_protocol(Protocol.of(scenario), problem, retrained))
    for number, run in enumerate((r for r in found if r.solved), start=1):
        title = ALGORITHMS[run.scenario.algorithm].title
        lines = [*another(run.scenario, "trace"), f"tell({literal(run.name)})"]
        steps.append(Cell(f"Method {number}: {title}.", tuple(lines)))
    show = "print(pd.DataFrame(rows).to_string(index=False))"
    steps.append(Cell("One table for all.", (show,)))
    parts += ["\n".join([f"# {cell.heading}", *cell.lines]) for cell in steps]
    return "\n\n".join(parts) + "\n"


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
        "rows = []",
        "",
        "",
        "def tell(name):",
        "    rows.append(",
        "        {",
        *(f"            {entry}," for entry in row),
        "        }",
        "    )",
        "",
    ]
    return Cell("How every method is evaluated.", tuple(lines))
