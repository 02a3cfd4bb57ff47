"""The data graph of a method, as its solver has it."""

from __future__ import annotations

from scipy.sparse import csr_array

from halfmoon.scenario import Scenario
from halfmoon.views.graph import weights_of
from ssl_core import make


def graph_of(scenario: Scenario, X) -> csr_array:
    """Weights of the edges between training points, of shape (n, n)."""
    return weights_of(make(scenario.algorithm, **scenario.params), X)
