"""Stopping rules as values, for any iterative solver and for recorded traces alike.

A rule is a small frozen value. ``rule.watch(run)`` gives a function from states to
verdicts with the memory the rule needs; the driver asks it about every state, and
`judge` asks it along a recorded trace, so both answer the same.

    make("lapsvm_pcg", stop=stability_check(every=10, tol=0.015))

The rules of [MB11] section 4: three norms relative to their start, the relative
decrease of the objective, and the checks of [MB11] Algorithms 2 and 3
on the decisions.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from halfmoon.common.plugins import Registry
from ssl_core.numerals import number, rate
from ssl_core.quantities import quantities
from ssl_core.trace import Array, Event, State, Status, Trace, decide, some_points

STABILITY_TOL = 0.015  # eta of [MB11] Algorithm 2, 1.5 %


def default_check_interval(n: int) -> int:
    """theta = sqrt(n) / 2, rounded: 10 for n = 364, 55 for n = 11902, [MB11] 4.1."""
    return max(1, round(np.sqrt(n) / 2))


@dataclass(frozen=True, slots=True)
class Run:
    """What a rule may know of a run besides its states.

    Attributes
    ----------
    n : int
        Training points.
    unlabeled : ndarray of bool or index array
        The points whose decisions the stability check compares.
    val_decisions : callable or None
        Function from a state to its decisions on the validation points.
    y_val : ndarray or None
    origin : State or None
        The start that norms are relative to, if not the first state: a seed's own norms
        are small, so that a run from it would have to go farther than one without.
    """

    n: int
    unlabeled: Array
    val_decisions: Callable[[State], Array] | None = None
    y_val: Array | None = None
    origin: State | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A rule's answer: end the run or not, with an event where it looked."""

    stop: bool
    event: Event | None = None
    status: Status = Status.EARLY


NOT_YET = Verdict(stop=False)


class Rule(Protocol):
    """A stopping rule: a value that can be asked to watch a run.

    A rule that reads fields of the states names them in ``needs``.
    """

    def watch(self, run: Run) -> Callable[[State], Verdict]: ...


@dataclass(frozen=True, slots=True)
class RelativeNorm:
    """Stop when a norm falls below ``tol`` times its value at the start."""

    name: str
    title: str
    tol: float

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.name,)

    def watch(self, run: Run) -> Callable[[State], Verdict]:
        start = None if run.origin is None else getattr(run.origin, self.name)

        def look(state: State) -> Verdict:
            nonlocal start
            value = getattr(state, self.name)
            if start is None:
                start = value
            if value > self.tol * start or (self.tol == 0 and value > 0):
                return NOT_YET
            ratio = value / start if start else 0.0
            text = f"The {self.title} is {number(ratio)} of its start, "
            text += f"below {number(self.tol)}."
            data = {"rule": self.name, "value": value}
            event = Event("stop", text, data)
            return Verdict(True, event, Status.CONVERGED)

        return look


def gradient_norm(tol: float = 1e-6) -> RelativeNorm:
    """|grad| relative to its start ([MB11] section 4)."""
    return RelativeNorm("grad_norm", "gradient norm", tol)


def preconditioned_norm(tol: float = 1e-6) -> RelativeNorm:
    """|P^-1 grad| relative to its start."""
    return RelativeNorm("precond_grad_norm", "preconditioned gradient norm", tol)


def mixed_product(tol: float = 1e-6) -> RelativeNorm:
    """sqrt(grad' P^-1 grad) relative to its start."""
    return RelativeNorm("mixed_product", "mixed product", tol)


@dataclass(frozen=True, slots=True)
class ObjectiveDecrease:
    """Stop when one iteration lowers the objective by less than ``tol`` of it."""

    tol: float = 1e-6

    def watch(self, run: Run) -> Callable[[State], Verdict]:
        before = None

        def look(state: State) -> Verdict:
            nonlocal before
            previous, before = before, state.objective
            if previous is None:
                return NOT_YET
            decrease = (previous - state.objective) / max(abs(previous), 1e-300)
            if decrease > self.tol or (self.tol == 0 and decrease > 0):
                return NOT_YET
            text = (
                f"The objective fell by {number(decrease)} of its value, "
                f"less than {number(self.tol)}."
            )
            event = Event("stop", text, {"rule": "objective", "value": decrease})
            return Verdict(True, event, Status.CONVERGED)

        return look


@dataclass(frozen=True, slots=True)
class StabilityCheck:
    """[MB11] Algorithm 2: the decisions on the unlabelled points have settled.

    Every ``every`` iterations (theta; None means round(sqrt(n) / 2)) compares the
    decisions d with those of the last check by |d - d_old|_1 / u, in which one changed
    point counts 2 (decisions are +-1, or one-hot for several classes), and stops below
    ``tol``. d_old starts at 0, so that the first check never stops.
    """

    every: int | None = None
    tol: float = STABILITY_TOL

    def watch(self, run: Run) -> Callable[[State], Verdict]:
        """[MB11] Algorithm 2 on a run."""
        every = self.every or default_check_interval(run.n)
        old = None

        def look(state: State) -> Verdict:
            nonlocal old
            if state.t == 0 or state.t % every:
                return NOT_YET
            now = state.labels[run.unlabeled]
            first = old is None
            changed = 1.0
            if not first:
                changed = 2.0 * np.mean(now != old) if now.size else 0.0
            n_changed = now.size if first else int(np.sum(now != old))
            old = now
            data = {"rule": "stability", "value": changed, "n_changed": n_changed}
            if changed < self.tol:
                text = (
                    f"Stability check: {some_points(n_changed)} changed sides since "
                    f"the last check; the decision is stable."
                )
                return Verdict(True, Event("check", text, data))
            text = f"Stability check: {some_points(n_changed)} changed sides; continue."
            if first:
                text = "First stability check: nothing to compare with yet; continue."
            return Verdict(False, Event("check", text, data))

        return look


@dataclass(frozen=True, slots=True)
class ValidationCheck:
    """[MB11] Algorithm 3: the validation error no longer improves.

    Every ``every`` iterations stops unless the error on the validation points fell
    by at least ``tol`` since the last check; None means one point, 1 / |V|.
    """

    every: int | None = None
    tol: float | None = None

    def watch(self, run: Run) -> Callable[[State], Verdict]:
        """[MB11] Algorithm 3 on a run."""
        if run.val_decisions is None:
            raise ValueError(
                "stop='validation' and stop='mixed' need X_val and y_val; "
                "pass them to fit, iterate or trace, or use stop='stability'."
            )
        every = self.every or default_check_interval(run.n)
        # Half a point of slack: a difference of rates is not exact in floating point.
        need = (1.0 / len(run.y_val)) if self.tol is None else self.tol
        slack = 0.5 / len(run.y_val) if self.tol is None else 0.0
        old = 1.0

        def look(state: State) -> Verdict:
            nonlocal old
            if state.t == 0 or state.t % every:
                return NOT_YET
            error = float(np.mean(run.val_decisions(state) != run.y_val))
            stop, before = error > old - need + slack, old
            old = error
            data = {"rule": "validation", "value": error}
            if stop:
                text = (
                    f"Validation check: error {rate(error)}, no better than "
                    f"{rate(before)}."
                )
                return Verdict(True, Event("check", text, data))
            text = (
                f"Validation check: error {rate(error)}, down from {rate(before)}; "
                f"continue."
            )
            return Verdict(False, Event("check", text, data))

        return look


@dataclass(frozen=True, slots=True)
class MixedCheck:
    """Both checks of [MB11] section 4.1 must agree to stop at the same check.

    The paper leaves the merging open; its Table 6 shows the mixed check running as
    long as the stricter of the two, which is what asking for both gives.
    """

    every: int | None = None
    stability_tol: float = STABILITY_TOL
    validation_tol: float | None = None

    def watch(self, run: Run) -> Callable[[State], Verdict]:
        stable = StabilityCheck(self.every, self.stability_tol).watch(run)
        valid = ValidationCheck(self.every, self.validation_tol).watch(run)

        def look(state: State) -> Verdict:
            verdicts = stable(state), valid(state)
            events = [v.event for v in verdicts if v.event is not None]
            if not events:
                return NOT_YET
            stop = all(v.stop for v in verdicts)
            data = {"rule": "mixed", **{e.data["rule"]: e.data for e in events}}
            text = " ".join(e.text for e in events)
            return Verdict(stop, Event("check", text, data))

        return look


# The classes as a caller asks for them: ``stop=stability_check(every=10)``.
objective_decrease = ObjectiveDecrease
stability_check = StabilityCheck
validation_check = ValidationCheck
mixed_check = MixedCheck


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Stop as soon as one of several rules does; all of them watch throughout."""

    rules: tuple[Rule, ...] = field(default_factory=tuple)

    @property
    def needs(self) -> tuple[str, ...]:
        return tuple(name for rule in self.rules for name in needs_of(rule))

    def watch(self, run: Run) -> Callable[[State], Verdict]:
        watches = [rule.watch(run) for rule in self.rules]

        def look(state: State) -> Verdict:
            verdicts = [watch(state) for watch in watches]
            stopping = [v for v in verdicts if v.stop]
            if stopping:
                return stopping[0]
            return next((v for v in verdicts if v.event is not None), NOT_YET)

        return look


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule that can be selected by name.

    Attributes
    ----------
    make : callable
        Makes the rule, from a tolerance or, for a check, from ``every``.
    title : str
    words : str
        For a menu: "Stop when ...".
    check : bool
        Whether it looks at decisions every so often, rather than at a number.
    """

    make: Callable[..., Rule]
    title: str
    words: str
    check: bool = False

    def __call__(self, *args, **kwargs) -> Rule:
        return self.make(*args, **kwargs)


RULES: Registry[NamedRule] = Registry("stopping rule")
RULES |= {
    "gradient": NamedRule(gradient_norm, "Gradient norm", "Gradient is small"),
    "preconditioned": NamedRule(
        preconditioned_norm, "Preconditioned norm", "Scaled gradient is small"
    ),
    "mixed_product": NamedRule(
        mixed_product, "Mixed product", "Mixed product is small"
    ),
    "objective": NamedRule(
        objective_decrease, "Objective decrease", "Objective no longer falls"
    ),
    "stability": NamedRule(
        stability_check, "Stability check", "Decision is stable", check=True
    ),
    "validation": NamedRule(
        validation_check,
        "Validation check",
        "Validation error no longer falls",
        check=True,
    ),
    "mixed": NamedRule(mixed_check, "Mixed check", "Both checks agree", check=True),
}
CHECKS = tuple(name for name, rule in RULES.items() if rule.check)


def needs_of(rule: Rule) -> tuple[str, ...]:
    """Fields of the states that a rule reads."""
    return getattr(rule, "needs", ())


def rules_for(kind: type[State]) -> tuple[str, ...]:
    """Names of the rules that can watch states of class ``kind``, checks first."""
    known = quantities(kind)
    found = [n for n, rule in RULES.items() if set(needs_of(rule())) <= known.keys()]
    return tuple(sorted(found, key=lambda name: not RULES[name].check))


def make_rule(
    stop, *, tol=None, every=None, usual: Rule | None = None, kind: type[State]
) -> Rule | None:
    """The rule behind an estimator's ``stop``, ``tol`` and ``check_every``.

    Parameters
    ----------
    stop : None, str or rule
        One of the names in `RULES`, a rule, or None for ``usual``.
    tol : float or None
        Threshold of a rule by name that has one; None for the rule's default.
    every : int or None
        Iterations between two checks of a rule by name.
    usual : Rule or None
        What ends a run of this method otherwise. A check on decisions comes with it as
        its safety net: a converged run ends too.
    kind : type
        Class of the states; a rule that needs what they lack is refused.
    """
    if stop is None:
        return usual
    offered = [name for name in RULES if name in rules_for(kind)]
    rule = stop
    if isinstance(stop, str) and stop in offered:
        named = RULES[stop]
        if named.check:
            rule = named(every=every)
        else:
            rule = named() if tol is None else named(tol)
        if named.check and usual is not None:
            rule = AnyOf((rule, usual))
    if not hasattr(rule, "watch"):
        raise ValueError(
            f"stop must be None, one of {', '.join(offered)} or a rule such as "
            f"stability_check(every=10), got {stop!r}."
        )
    missing = set(needs_of(rule)) - quantities(kind).keys()
    if missing:
        raise ValueError(
            f"stop must be a rule for the states of this method, which have no "
            f"{', '.join(sorted(missing))}; use one of {', '.join(offered)}."
        )
    return rule


def judge(rule: Rule, trace: Trace) -> int | None:
    """Index of the state at which ``rule`` would have ended a recorded run.

    Nothing is solved again: decisions and norms come from the trace. None where the
    rule never fires.
    """
    if trace.y is None:
        raise ValueError("judge needs a trace recorded by an estimator (trace.y).")
    unlabeled = trace.y == (-1 if trace.multiclass else 0)
    position = {"index": 0}
    decisions = None
    if "val" in trace.outputs:

        def decisions(state):
            return decide(trace.outputs["val"][position["index"]])

    run = Run(
        n=trace.labels.shape[1],
        unlabeled=unlabeled,
        val_decisions=decisions,
        y_val=trace.targets.get("val"),
    )
    look = rule.watch(run)
    for index, state in enumerate(trace.states):
        position["index"] = index
        if look(_Recorded(state, trace.labels[index])).stop:
            return index
    return None


class _Recorded:
    """A recorded state whose decisions are known even where its arrays are gone."""

    __slots__ = ("_state", "labels")

    def __init__(self, state, labels):
        self._state, self.labels = state, labels

    def __getattr__(self, name):
        return getattr(self._state, name)
