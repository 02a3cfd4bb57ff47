"""What a visitor has set, remembered while algorithms come and go.

Parameters are kept for each algorithm. What two algorithms share keeps its value from
one to the other, and over algorithms in between that lack it. Limits and stopping
rules are an algorithm's own: fifty Newton steps are plenty, fifty annealing steps an
accident.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from pages._parts.scenario import Pairs, Scenario
from ssl_core import ALGORITHMS


@dataclass(frozen=True)
class Memory:
    """Parameters of one visitor on one data set.

    Parameters
    ----------
    data : tuple
        What they were set for; other data start afresh.
    own : dict of algorithm to parameters
    shared : dict of name to value
        The last value of everything that travels.
    """

    data: tuple = ()
    own: dict[str, Pairs] = field(default_factory=dict)
    shared: dict[str, Any] = field(default_factory=dict)

    def after(self, scenario: Scenario) -> Memory:
        """With what a scenario holds now."""
        about = (scenario.data, scenario.upload)
        kept = self if self.data == about else Memory(about)
        knobs = ALGORITHMS[scenario.algorithm].knobs
        travelling = {k.name: scenario.params[k.name] for k in knobs if k.travels}
        return replace(
            kept,
            own={**kept.own, scenario.algorithm: scenario.parameters},
            shared={**kept.shared, **travelling},
        )

    def switch(self, scenario: Scenario, algorithm: str) -> Scenario:
        """The scenario with another algorithm, as it was left."""
        memory = self.after(scenario)
        remembered = {**dict(memory.own.get(algorithm, ())), **memory.shared}
        return scenario.with_algorithm(algorithm, remembered)
