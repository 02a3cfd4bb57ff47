"""Several ways of minimising one transductive objective, as cells of a script."""

from __future__ import annotations

from collections.abc import Mapping

from halfmoon.pages._parts.export.script import Cell, another, error_of
from halfmoon.pages._parts.export.source import literal
from halfmoon.scenario import Scenario
from halfmoon.scenario.learning_problem import Problem


def compared(ways: Mapping[str, Scenario], problem: Problem) -> list[Cell]:
    """What every machine costs at T = 0, and its error.

    Parameters
    ----------
    ways : mapping from name to Scenario
        The first is the run that the script has made already.
    problem : Problem
    """
    first, *others = ways
    params = ways[first].params
    weights = f"lam={literal(params['lam'])}, lam_u={literal(params['lam_u'])}"
    tell = (
        "from ssl_core.problems.linear import TransductiveSVM",
        "",
        "",
        "def tell(name, trace):",
        f"    hard = TransductiveSVM(X, trace.y, {weights})",
        "    v = np.append(trace.final.w, trace.final.b)",
        "    objective = hard.objective(v, trace.final.f)",
        f'    print(f"{{name}}: {{objective:.12g}}{error_of(problem)}")',
        "",
        "",
        f"tell({literal(first)}, trace)",
    )
    cells = [Cell("The objective at T = 0, measured alike for every way.", tell)]
    for name in others:
        lines = *another(ways[name], "other"), f"tell({literal(name)}, other)"
        title = "Labels are switched" if name == "tsvm" else f"Fixed at {name}"
        cells.append(Cell(f"{title}, on the same points and labels.", lines))
    return cells
