"""What is true of the run that the early-stopping page shows, for its sentences.

The claims and facts of ``texts/early_stopping.md``, see `claims`: a paragraph is shown
only beside a run of which it is true, with that run's own numbers in it.
"""

from __future__ import annotations

import numpy as np

from halfmoon.pages._parts.early_stopping.stopping_runs import Thresholds, rules_of
from halfmoon.pages._parts.early_stopping.stopping_views import still_moving
from halfmoon.scenario.solving import Solved
from ssl_core.stopping import judge, stability_check
from ssl_core.trace import Trace
from ssl_core.viz.measures import labeled_mask, relative, wrong_counts
from ssl_core.viz.words import count, number, rate

Facts = dict[str, str | bool]


def stopping_facts_of(run: Solved, exact: Solved) -> Facts:
    """Claims that hold here or do not, and the words that they quote."""
    trace = run.trace
    moving = still_moving(trace.labels[:, ~labeled_mask(trace)])
    return {
        **_late(trace, moving),
        **_every_iteration(trace, moving),
        **_lowest(run, exact),
        **_bends(trace),
    }


def _late(trace: Trace, moving) -> Facts:
    """The gradient's rule as usual, beside the last change of a decision."""
    settled = int(np.argmin(moving))
    rules = rules_of(Thresholds(), trace)
    stop, check = judge(rules["gradient"], trace), judge(rules["stability"], trace)
    words = {"settled": f"{trace.states[settled].t:,}"}
    if settled == 0:
        return {}
    if stop is not None and stop > settled:
        share = relative(trace.column("grad_norm"))[settled]
        words |= {
            "gradient": f"{trace.states[stop].t:,}",
            "spare": f"{trace.states[stop].t - trace.states[settled].t:,}",
            "share": number(float(share)),
        }
        return {"late": True, **words}
    if stop is None and check is not None and moving[check] > 0:
        words |= {
            "last": f"{trace.final.t:,}",
            "check": f"{trace.states[check].t:,}",
            "later": count(int(moving[check]), "point"),
            "total": f"{(~labeled_mask(trace)).sum():,}",
        }
        return {"never": True, **words}
    return {}


def _every_iteration(trace: Trace, moving) -> Facts:
    """The stability check with theta = 1."""
    stop = judge(stability_check(1), trace)
    if stop is None:
        return {}
    later = int(moving[stop])
    verb = "changes" if later == 1 else "change"
    return {
        "misleads": later > 0,
        "stop": f"{trace.states[stop].t:,}",
        "sides": f"{count(later, 'point')} {verb}",
    }


def _bends(trace: Trace) -> Facts:
    """Whether a line search passes a labelled point that changes its state."""
    bent = [state.t for state in trace.states if state.n_breakpoints]
    if not bent:
        return {"bends": False}
    words = {
        "bent": f"{len(bent):,}",
        "steps": f"{trace.final.t:,}",
        "first": f"{bent[0]:,}",
    }
    return {"bends": True, **words}


def _lowest(run: Solved, exact: Solved) -> Facts:
    """Whether some iteration errs less than the optimum, on the unlabelled points."""
    counts = wrong_counts(run.trace, run.truth)
    if "U" not in counts:
        return {}
    wrong, total = counts["U"]
    best = int(wrong_counts(exact.trace, exact.truth)["U"][0][-1])
    lowest = int(wrong.min())
    return {
        "lower": lowest < best,
        "best": rate(best / total),
        "lowest": rate(lowest / total),
    }
