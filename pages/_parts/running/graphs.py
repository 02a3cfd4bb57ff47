"""The data graph of a method, as its solver has it."""

from __future__ import annotations

from scipy.sparse import csr_array

from halfmoon.scenario import Scenario
from ssl_core import make
from ssl_core.estimators.spaces import Graph


def graph_of(scenario: Scenario, X) -> csr_array:
    """Weights of the edges between training points, of shape (n, n)."""
    est = make(scenario.algorithm, **scenario.params)
    return Graph.of(est).edges(X, [])
