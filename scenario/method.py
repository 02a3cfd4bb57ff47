"""A method: which algorithm, with which parameters, going on from where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from halfmoon.common.knobs import Knob
from halfmoon.datasets import DATASETS
from halfmoon.scenario.values import DRAWN, FIRST_ALGORITHM, Pairs, pairs
from ssl_core import ALGORITHMS

DRAWN_ADVICE = {"sigma": 0.35}  # the width that suits two moons
# The dual's norm along the graph leaves b out, and a normalised Laplacian is not 0 for
# a constant: with b the boundary moves away from the gap.
ALGORITHM_ADVICE = {"lapsvm_dual": {"bias": False}}
# With several classes b = 2r - 1 is far from 0, and only a centred kernel keeps r.
SEVERAL_CLASSES_ADVICE = {"s3vm_path": {"centered": True}}
# What a link that says nothing of a knob has always meant, where the knob's default is
# another one now.
UNSAID = {"sigma": 1.0}

Knobs = Mapping[str, Any] | None


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
        Continue an earlier run instead of beginning again.
    """

    algorithm: str = FIRST_ALGORITHM
    parameters: Pairs = ()
    start: Start | None = None

    @classmethod
    def of(cls, algorithm: str, data: str, knobs: Knobs = None) -> Method:
        """An algorithm with the parameters that suit the data."""
        return cls(algorithm, suggested(algorithm, data, knobs))

    @property
    def params(self) -> dict[str, Any]:
        return dict(self.parameters)

    @property
    def usual(self) -> Method:
        """What a link need not say once it has named the algorithm."""
        values = ALGORITHMS[self.algorithm].defaults
        values |= {name: v for name, v in UNSAID.items() if name in values}
        return Method(self.algorithm, pairs(values))

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
        self,
        name: str,
        data: str,
        remembered: Mapping[str, Any] | None = None,
        knobs: Knobs = None,
    ) -> Method:
        """Another algorithm; see `Scenario.with_algorithm`."""
        values = dict(suggested(name, data, knobs))
        usual = dict(suggested(self.algorithm, data, knobs))
        before = {knob.name for knob in ALGORITHMS[self.algorithm].knobs}
        for knob in ALGORITHMS[name].knobs:
            choices = [dict(remembered or {})]
            if knob.travels and knob.name in before:
                if self.params.get(knob.name) == usual[knob.name]:
                    continue  # nobody has chosen it: the new one has what suits it
                choices.append(self.params)
            for choice in choices:
                if knob.name in choice and passes(knob, choice[knob.name]):
                    values[knob.name] = choice[knob.name]
        return Method(name, pairs(values))

    def with_parameters(self, values: Mapping[str, Any]) -> Method:
        entry = ALGORITHMS[self.algorithm]
        checked = {name: entry.knob(name).check(v) for name, v in values.items()}
        return replace(self, parameters=pairs({**self.params, **checked}))

    def following(self, data: str, before: Knobs, after: Knobs) -> Method:
        """The method when knobs of the data are turned.

        Parameters that stood at what suited the data then stand at what suits them now.
        """
        was = dict(suggested(self.algorithm, data, before))
        now = dict(suggested(self.algorithm, data, after))
        params = {
            name: now[name] if value == was[name] else value
            for name, value in self.parameters
        }
        return replace(self, parameters=pairs(params))

    def from_start(self) -> Method:
        """From its own beginning, not from an earlier run."""
        return replace(self, start=None)


def suggested(algorithm: str, data: str, knobs: Knobs = None) -> Pairs:
    """Parameters that suit an algorithm on a data set.

    The data's own suggestion where its knob allows it, else the algorithm's default.

    Parameters
    ----------
    algorithm, data : str
    knobs : mapping, optional
        Where the knobs of the data stand, if not at their defaults.
    """
    names = {knob.name for knob in ALGORITHMS[algorithm].knobs}
    advice = dict(ALGORITHM_ADVICE.get(algorithm, {}))
    if data in DATASETS:
        entry, knobs = DATASETS[data], dict(knobs or {})
        advice |= entry.defaults
        if knobs.get("n_classes", entry.n_classes) > 2:
            advice |= SEVERAL_CLASSES_ADVICE.get(algorithm, {})
        if "n_neighbors" in names and "sigma" in advice:
            n = knobs.get("n") or entry.n_points  # 0 points of a benchmark are all
            advice["sigma"] = _narrowed(advice["sigma"], entry.n_points / n, entry.dims)
    elif data == DRAWN:
        advice |= DRAWN_ADVICE
    values = {}
    for knob in ALGORITHMS[algorithm].knobs:
        value = advice.get(knob.name, knob.default)
        values[knob.name] = value if passes(knob, value) else knob.default
    return pairs(values)


def _narrowed(sigma: float, share: float, dims: int) -> float:
    """The width for a machine with a graph, when more points come in between.

    Labels spread along the graph, so the kernel need only reach from point to point. A
    wider one joins what the graph keeps apart: two moons of 4,000 points have 21 %
    wrong with the width for 200, and 6 % with the one that shrinks like their spacing.
    """
    if share >= 1:
        return sigma
    return float(f"{sigma * share ** (1 / dims):.2g}")


def passes(knob: Knob, value: Any) -> bool:
    """Whether a knob may stand at a value."""
    try:
        knob.check(value)
    except ValueError:
        return value is None and knob.default is None
    return True
