"""Knobs that every iterative algorithm has: which rule ends a run, and when."""

from dataclasses import replace

from ssl_core.estimators.base import Iterative
from ssl_core.knobs import Knob
from ssl_core.stopping import RULES, rules_for

TOL = Knob(
    "tol",
    "log",
    1e-14,
    1e-1,
    also=(0.0,),
    title="Tolerance",
    place="stopping",
    travels=False,
    help="Tolerance relative to the start; 0 runs to the last iteration.",
    up="a shorter, less exact run",
)
RULE_TOL = replace(TOL, help="Threshold of the rule, relative to the start.")
CHECK_EVERY = Knob(
    "check_every",
    "int",
    1,
    200,
    also=(None,),
    title="Iterations between checks",
    place="more",
    travels=False,
    help="Iterations θ between two checks; automatic is √n / 2.",
    up="decisions compared over a longer stretch: later stops, fewer false ones",
)
PER_CLASS = Knob(
    "stop_per_class",
    "bool",
    title="Each class stops by itself",
    place="more",
    travels=False,
    help="With more than two classes, let every machine stop by itself.",
    up="that a class that is done rests while the others go on",
)


def stopping_knobs(
    estimator: type[Iterative],
    *,
    most: int,
    counted: str,
    tol: Knob = TOL,
    end: str = "Tolerance is met",
    help: str = "A rule that may end the run before the method does.",
    left_out: tuple[str, ...] = (),
) -> tuple[Knob, ...]:
    """The rules that suit an estimator's states, its tolerance and its limit.

    Parameters
    ----------
    most : int
        Most iterations that a visitor may ask for.
    counted : str
        What an iteration is: "Newton steps".
    end : str
        What ends a run without a rule.
    left_out : tuple of str
        Rules that say the same as ``end``.
    """
    names = [n for n in rules_for(estimator._state) if n not in left_out]
    stop = Knob(
        "stop",
        "choice",
        choices=(None, *names),
        words=(end, *(RULES[name].words for name in names)),
        title="Stop when",
        place="stopping",
        travels=False,
        help=help,
    )
    limit = Knob(
        "max_iter",
        "int",
        1,
        most,
        step=1,
        title="Most iterations",
        place="more",
        travels=False,
        help=f"Most {counted} allowed.",
        up="that the run may go on longer",
    )
    return stop, tol, limit, CHECK_EVERY, PER_CLASS
