"""Nodes of a search tree that wait: depth first or best first."""

import heapq
from dataclasses import dataclass
from itertools import count

import numpy as np

from ssl_core.trace import Array


@dataclass(slots=True)
class Node:
    """Labels of some points, and where to begin with them.

    Attributes
    ----------
    bound : float
        No labelling below the node has a smaller objective.
    parent, depth : int
    y : int8 ndarray of shape (n,)
        0 where the label is free.
    active : bool ndarray of shape (n,)
        Active set of the parent's machine.
    n_positive : int
        Positive labels left for the free points.
    pruned : str
    side : int
        Which of the nodes in its parent's ``waiting`` it is.
    waiting : tuple of float
        Bounds of the nodes that were put to wait below it.
    """

    bound: float
    parent: int
    depth: int
    y: Array
    active: Array
    n_positive: int
    pruned: str = ""
    side: int = 0
    waiting: tuple[float, ...] = ()


LEAP = 64  # nodes; on two moons 16 makes trees up to three times as large


class DepthFirst:
    """A stack; every so often the node with the lowest bound is taken instead.

    Without the leaps a wrong label near the root keeps the search in its half of the
    tree until that is exhausted.
    """

    def __init__(self):
        self._nodes, self._floors = [], []  # lowest bounds from the bottom up
        self._taken = 0

    def __len__(self):
        return len(self._nodes)

    @property
    def floor(self) -> float:
        """The lowest bound of all that wait; inf when none does."""
        return self._floors[-1] if self._floors else np.inf

    def push(self, node: Node):
        self._floors.append(min(self.floor, node.bound))
        self._nodes.append(node)

    def pop(self) -> Node:
        self._taken += 1
        if self._taken % LEAP == 0:
            self._raise(self._floors.index(self.floor))
        self._floors.pop()
        return self._nodes.pop()

    def _raise(self, k):
        """Node k to the top."""
        above = [*self._nodes[k + 1 :], self._nodes[k]]
        del self._nodes[k:], self._floors[k:]
        for node in above:
            self.push(node)

    def purge(self, cutoff):
        """Forget the nodes that cannot be better than the cutoff."""
        nodes, self._nodes, self._floors = self._nodes, [], []
        for node in nodes:
            if node.bound < cutoff:
                self.push(node)


class BestFirst:
    """A heap; of equal bounds the node that came last."""

    def __init__(self):
        self._heap, self._tickets = [], count(0, -1)

    def __len__(self):
        return len(self._heap)

    @property
    def floor(self) -> float:
        return self._heap[0][0] if self._heap else np.inf

    def push(self, node: Node):
        heapq.heappush(self._heap, (node.bound, next(self._tickets), node))

    def pop(self) -> Node:
        return heapq.heappop(self._heap)[-1]

    def purge(self, cutoff):
        self._heap = [entry for entry in self._heap if entry[0] < cutoff]
        heapq.heapify(self._heap)


ORDERS = {"depth": DepthFirst, "best": BestFirst}
