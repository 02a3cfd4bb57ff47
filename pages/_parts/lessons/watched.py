"""What lessons measure on a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from halfmoon.pages._parts.pictures.stage_views import data_graph
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from ssl_core.graph import bridges
from ssl_core.viz.measures import iterations, known_mask, labeled_mask


class WatchedRun:
    """A run with what lessons ask of it; counts are of unlabelled points."""

    def __init__(self, solved: Solved):
        self.solved = solved
        self.trace, self.problem = solved.trace, solved.problem

    @cached_property
    def guessed(self) -> np.ndarray:
        """(n,) bool: unlabelled points whose true class is known."""
        truth = self.solved.truth
        return ~labeled_mask(self.trace) & known_mask(self.trace, truth)

    @property
    def n_guesses(self) -> int:
        return int(self.guessed.sum())

    @property
    def n_labels(self) -> int:
        return self.problem.n_labelled

    @property
    def n(self) -> int:
        return len(self.problem.train)

    @cached_property
    def sides(self) -> np.ndarray:
        """(states, n) bool: which side of the boundary each point is on."""
        return self.trace.labels > 0

    @cached_property
    def mistakes(self) -> np.ndarray:
        """(states, n) bool: wrong predictions."""
        return (self.sides != (self.solved.truth > 0)) & self.guessed

    @cached_property
    def wrong(self) -> np.ndarray:
        """(states,) number of wrong predictions."""
        return self.mistakes.sum(axis=1)

    @property
    def last_wrong(self) -> int:
        return int(self.wrong[-1])

    @cached_property
    def t(self) -> np.ndarray:
        return iterations(self.trace)

    @property
    def end(self) -> int:
        """The last iteration."""
        return int(self.t[-1])

    @property
    def settled(self) -> int:
        """The first iteration after which no prediction changes any more."""
        changed = (self.sides != self.sides[-1])[:, self.guessed].any(axis=1)
        return int(self.t[np.flatnonzero(changed)[-1] + 1]) if changed.any() else 0

    def at(self, t: int) -> int:
        """Index of the state at iteration ``t``."""
        return int(np.searchsorted(self.t, t))

    def wrong_at(self, t: int) -> int:
        return int(self.wrong[self.at(t)])

    def column(self, name: str) -> np.ndarray:
        return self.trace.column(name)

    @cached_property
    def graph(self) -> csr_array | None:
        """Weights of the data graph, as the stage draws it."""
        return data_graph(self.solved)

    @property
    def n_edges(self) -> int:
        return 0 if self.graph is None else self.graph.nnz // 2

    @property
    def n_between(self) -> int:
        """Edges that join points of different classes."""
        return 0 if self.graph is None else bridges(self.graph, self.problem.truth)

    @property
    def n_connected(self) -> int:
        """Parts of the graph that no edge joins."""
        return int(connected_components(self.graph, directed=False)[0])


def same_labels(*runs: WatchedRun) -> bool:
    """Whether runs were given the same labels for the same points."""
    return len({run.problem.given.tobytes() for run in runs}) == 1


class Runs:
    """Runs of scenes by name, each made when it is first asked for."""

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        solve: Callable[[Scenario], Solved],
    ):
        self.scenarios, self.solve = scenarios, solve
        self._made: dict[str, WatchedRun] = {}

    def __getitem__(self, name: str) -> WatchedRun:
        if name not in self._made:
            self._made[name] = WatchedRun(self.solve(self.scenarios[name]))
        return self._made[name]
