"""What is true of the run that the early-stopping page shows, for its sentences.

Each name stands above a paragraph of ``texts/early_stopping.md``: that paragraph is
shown only beside a run of which it is true, with that run's own numbers in it.
"""

from __future__ import annotations

import numpy as np

from pages._parts.lessons.early_stopping import Thresholds, rules_of
from pages._parts.pictures.stopping_views import still_moving
from pages._parts.running.job import Solved
from ssl_core.stopping import judge, stability_check
from ssl_core.trace import Trace
from ssl_core.viz.measures import labeled_mask, relative, wrong_counts
from ssl_core.viz.words import count, number, rate

Facts = dict[str, dict[str, str]]


def facts_of(run: Solved, exact: Solved) -> Facts:
    """Names of the paragraphs that are true here, with the words that fill them."""
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
    words = {"settled": f"{trace.states[settled].t}"}
    if settled == 0:
        return {}
    if stop is not None and stop > settled:
        share = relative(trace.column("grad_norm"))[settled]
        words |= {
            "gradient": f"{trace.states[stop].t}",
            "spare": f"{trace.states[stop].t - trace.states[settled].t}",
            "share": number(float(share)),
        }
        return {"settled_before_the_gradient": words}
    if stop is None and check is not None and moving[check] > 0:
        words |= {
            "last": f"{trace.final.t}",
            "check": f"{trace.states[check].t}",
            "later": count(int(moving[check]), "point"),
            "total": f"{(~labeled_mask(trace)).sum()}",
        }
        return {"gradient_never_stops": words}
    return {}


def _every_iteration(trace: Trace, moving) -> Facts:
    """The stability check with theta = 1."""
    stop = judge(stability_check(1), trace)
    if stop is None:
        return {}
    words = {"stop": f"{trace.states[stop].t}"}
    if moving[stop] == 0:
        return {"consecutive_do": words}
    later = int(moving[stop])
    verb = "changes" if later == 1 else "change"
    return {"consecutive_mislead": words | {"later": f"{count(later, 'point')} {verb}"}}


def _bends(trace: Trace) -> Facts:
    """Whether a line search passes a labelled point that changes its state."""
    bent = [state.t for state in trace.states if state.n_breakpoints]
    if not bent:
        return {"steps_without_bends": {}}
    words = {"bent": f"{len(bent)}", "steps": f"{trace.final.t}", "first": f"{bent[0]}"}
    return {"steps_with_bends": words}


def _lowest(run: Solved, exact: Solved) -> Facts:
    """Whether some iteration errs less than the optimum, on the unlabelled points."""
    counts = wrong_counts(run.trace, run.truth)
    if "U" not in counts:
        return {}
    wrong, total = counts["U"]
    best = int(wrong_counts(exact.trace, exact.truth)["U"][0][-1])
    at = int(np.argmin(wrong))
    words = {"best": rate(best / total)}
    if wrong[at] < best:
        words |= {"lowest": rate(wrong[at] / total)}
        return {"lower_on_the_way": words}
    return {"never_below_the_optimum": words}
