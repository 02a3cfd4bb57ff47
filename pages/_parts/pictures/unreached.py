"""Points that no label reaches, which have no colour on the stage, in a sentence."""

from __future__ import annotations

import numpy as np

from halfmoon.pages._parts.pictures.worse import MAX_GRAPH
from halfmoon.pages._parts.running.graphs import graph_of
from halfmoon.pages._parts.running.judging import predicted
from halfmoon.scenario.solving import Solved
from ssl_core import ALGORITHMS
from ssl_core.problems.graph import parts_of
from ssl_core.viz.words import count


def without_label(solved: Solved) -> str:
    """What a method of the graph alone makes of parts of its graph without a label."""
    given = solved.problem.given
    if (
        ALGORITHMS[solved.scenario.algorithm].inputs != "graph"
        or len(given) > MAX_GRAPH
        or solved.trace.final.f.shape[0] != len(given)
    ):
        return ""
    parts = parts_of(graph_of(solved.scenario, solved.problem.X))
    alone = ~np.isin(parts, parts[given >= 0])
    if not alone.any():
        return ""
    n = int(alone.sum())
    code = predicted(solved, solved.trace.final.f[alone])[0]
    be, they = ("is", "it counts") if n == 1 else ("are", "they count")
    return (
        f"{count(n, 'point')} {be} in parts of the graph without a label, where every "
        f"output is 0: {they} as {solved.problem.data.class_names[code]}, the class "
        f"that a tie goes to. A label there reaches them, or more neighbours."
    )
