"""A method: which algorithm, with which parameters, going on from where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from datasets import DATASETS
from pages._parts.scenario.values import DRAWN, FIRST_ALGORITHM, Pairs, pairs
from ssl_core import ALGORITHMS
from ssl_core.knobs import Knob

DRAWN_ADVICE = {"sigma": 0.35}  # the width that suits two moons


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run goes on from: iteration ``t`` of the run of ``origin``.

    Parameters
    ----------
    origin : Scenario
        Of one method.
    t : int
    """

    origin: Any
    t: int

    def __post_init__(self) -> None:
        if (n := len(self.origin.methods)) != 1:
            raise ValueError(
                f"origin must be a scenario of one method, got {n} of them; take "
                "scenario.alone(index)."
            )


@dataclass(frozen=True, slots=True)
class Method:
    """One way of solving a setting.

    Parameters
    ----------
    algorithm : str
        Key of `ssl_core.ALGORITHMS`.
    parameters : tuple of (name, value)
        All knobs of the algorithm.
    start : Start or None
        Continue an earlier run instead of beginning afresh.
    """

    algorithm: str = FIRST_ALGORITHM
    parameters: Pairs = ()
    start: Start | None = None

    @classmethod
    def of(cls, algorithm: str, data: str) -> Method:
        """An algorithm with the parameters that suit the data."""
        return cls(algorithm, suggested(algorithm, data))

    @property
    def params(self) -> dict[str, Any]:
        return dict(self.parameters)

    @property
    def usual(self) -> Method:
        """What a link need not say once it has named the algorithm."""
        return Method(self.algorithm, pairs(ALGORITHMS[self.algorithm].defaults))

    @property
    def earlier(self) -> Iterator[Any]:
        """The runs it goes back on, the last one first."""
        start = self.start
        while start is not None:
            yield start.origin
            start = start.origin.method.start

    @property
    def chain(self) -> int:
        """How many earlier runs this one goes back on."""
        return sum(1 for _ in self.earlier)

    def with_algorithm(
        self, name: str, data: str, remembered: Mapping[str, Any] | None = None
    ) -> Method:
        """Another algorithm; see `Scenario.with_algorithm`."""
        values = dict(suggested(name, data))
        before = {knob.name for knob in ALGORITHMS[self.algorithm].knobs}
        for knob in ALGORITHMS[name].knobs:
            choices = [dict(remembered or {})]
            if knob.travels and knob.name in before:
                choices.append(self.params)
            for choice in choices:
                if knob.name in choice and passes(knob, choice[knob.name]):
                    values[knob.name] = choice[knob.name]
        return Method(name, pairs(values))

    def with_parameters(self, values: Mapping[str, Any]) -> Method:
        entry = ALGORITHMS[self.algorithm]
        checked = {name: entry.knob(name).check(v) for name, v in values.items()}
        return replace(self, parameters=pairs({**self.params, **checked}))

    def afresh(self) -> Method:
        """From its own beginning, not from an earlier run."""
        return replace(self, start=None)


def suggested(algorithm: str, data: str) -> Pairs:
    """Parameters that suit an algorithm on a data set.

    The data's own suggestion where its knob allows it, else the algorithm's default.
    """
    if data in DATASETS:
        advice = DATASETS[data].defaults
    else:
        advice = DRAWN_ADVICE if data == DRAWN else {}
    values = {}
    for knob in ALGORITHMS[algorithm].knobs:
        value = advice.get(knob.name, knob.default)
        values[knob.name] = value if passes(knob, value) else knob.default
    return pairs(values)


def passes(knob: Knob, value: Any) -> bool:
    """Whether a knob may stand at a value."""
    try:
        knob.check(value)
    except ValueError:
        return value is None and knob.default is None
    return True
