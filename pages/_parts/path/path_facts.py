"""What is computed on a path for the sentences of the presets, see `claims`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halfmoon.pages._parts.path.path_curves import path_errors
from halfmoon.pages._parts.path.path_views import jumps_of
from halfmoon.pages._parts.texts.claims import Computed
from halfmoon.scenario.solving import Solved


def flips(run: Solved) -> list[int]:
    """Labels that each jump flips."""
    return [len(jump.flipped) for jump in jumps_of(run.trace)]


def weights(run: Solved) -> list[float]:
    """The weights C* at which the path jumps."""
    return [jump.C_u for jump in jumps_of(run.trace)]


def listed(numbers: list[int]) -> str:
    """ "4", or "2, 2 and 6"."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def best_before_the_end(run: Solved) -> bool:
    best = run.machine.best(*run.problem.part("val"))
    return bool(best.intervals[-1][1] < run.trace.final.C_u)


def hits_one_and_ends_right(run: Solved) -> bool:
    jumps = jumps_of(run.trace)
    return len(jumps) == 1 == len(jumps[0].hit) and path_errors(run)["U"][-1] == 0


FACTS = {
    "n_labels": lambda run: run.problem.n_labelled,
    "n_features": lambda run: run.problem.X.shape[1],
    "n_jumps": lambda run: len(flips(run)),
    "flips": lambda run: listed(flips(run)),
    "ratio": lambda run: weights(run)[-1] / weights(run)[0],
    "C_last": lambda run: weights(run)[-1],
    "C_end": lambda run: run.trace.final.C_u,
}
CLAIMS = {
    "single": hits_one_and_ends_right,
    "grows": lambda run: flips(run)[-1] > max(flips(run)[:-1]),
    "apart": lambda run: weights(run)[-1] > 3 * weights(run)[0],
    "crowded": lambda run: weights(run)[-1] < 1e-3 * run.trace.final.C_u,
    "early": best_before_the_end,
}


def path_facts_of(run: Solved) -> Mapping[str, Any]:
    return Computed({**FACTS, **CLAIMS}, run)
