"""What a visitor has set, remembered while algorithms come and go.

Parameters are kept for each algorithm. What two algorithms share keeps its value from
one to the other, and over algorithms in between that lack it. Limits and stopping
rules are an algorithm's own: fifty Newton steps are plenty, fifty annealing steps an
accident.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from halfmoon.scenario import Pairs, Scenario
from ssl_core import ALGORITHMS


@dataclass(frozen=True)
class Memory:
    """Parameters of one visitor on one data set.

    Parameters
    ----------
    data : tuple
        What they were set for; other data start again.
    own : dict of algorithm to parameters
    shared : dict of name to value
        The last value of everything that travels.
    """

    data: tuple = ()
    own: dict[str, Pairs] = field(default_factory=dict)
    shared: dict[str, Any] = field(default_factory=dict)

    def after(self, scenario: Scenario) -> Memory:
        """With what a scenario holds now; of two methods, the first is remembered."""
        about = (scenario.data, scenario.upload)
        kept = self if self.data == about else Memory(about)
        own, shared = dict(kept.own), dict(kept.shared)
        for method in reversed(scenario.methods):
            knobs = ALGORITHMS[method.algorithm].knobs
            own[method.algorithm] = method.parameters
            shared |= {k.name: method.params[k.name] for k in knobs if k.travels}
        return replace(kept, own=own, shared=shared)

    def switch(self, scenario: Scenario, algorithm: str, index: int = 0) -> Scenario:
        """The scenario with another algorithm in one method, as it was left."""
        memory = self.after(scenario)
        remembered = {**dict(memory.own.get(algorithm, ())), **memory.shared}
        return scenario.with_algorithm(algorithm, remembered, index)
