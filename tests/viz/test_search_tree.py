"""The tree of a search: every node once, and counts that agree with the run's own."""

import numpy as np
import pytest
from sklearn.datasets import make_moons

from ssl_core import make
from ssl_core.viz.search_tree import FOLDED, NEVER, search_tree

STATES = {"few": 25, "all": 100_000}  # most nodes: with some left, and to the proof


@pytest.fixture(scope="module", params=["depth", "best"])
def order(request):
    return request.param


@pytest.fixture(scope="module", params=STATES)
def trace(request, order):
    X, truth = make_moons(40, noise=0.1, random_state=0)
    y = np.full(40, -1)
    for c in (0, 1):
        y[np.flatnonzero(truth == c)[0]] = c
    knobs = {"sigma": 0.3, "C": 10.0, "C_u": 1.0, "r": 0.5, "order": order}
    est = make("branch_and_bound", max_nodes=STATES[request.param], **knobs)
    return est.trace(X, y)


@pytest.fixture(scope="module")
def tree(trace):
    return search_tree(trace)


def test_every_node_is_there_once_and_after_its_parent(trace, tree):
    looked_at = np.flatnonzero(tree.fate >= 0)
    assert len(looked_at) == len({s.node for s in trace.states}) == len(trace) - 1
    np.testing.assert_array_equal(looked_at, np.arange(len(looked_at)))
    rows = np.arange(1, len(tree))
    assert tree.parent[0] == -1
    assert np.all(tree.parent[1:] < rows)
    assert np.all(tree.depth[1:] == tree.depth[tree.parent[1:]] + 1)
    assert np.all(tree.seen[1:] == tree.examined[tree.parent[1:]])
    for state in trace.states[1:]:
        row = tree.now[state.t]
        assert (tree.depth[row], tree.examined[row]) == (state.depth, state.t)
        assert tree.fates[tree.fate[row]] == state.pruned
        assert tree.bound[row] == state.bound


def test_at_every_state_the_counts_are_those_of_the_run(trace, tree):
    for state in trace.states:
        told = {name: counts[state.t] for name, counts in tree.counts.items()}
        assert told["waiting"] == state.n_open
        assert sum(told[word] for word in tree.fates) == state.t
    words = [s.pruned for s in trace.states[1:]]
    for word in tree.fates:
        assert tree.counts[word][-1] == words.count(word)
    fell = np.flatnonzero(np.diff(trace.column("upper")) < 0) + 1
    np.testing.assert_array_equal(np.sort(tree.examined[tree.better]), fell)
    left = (tree.examined == NEVER) & (tree.dropped == NEVER)
    assert left.sum() == trace.final.n_open


def test_the_bounds_are_the_runs_and_meet_where_it_ends_with_a_proof(trace, tree):
    np.testing.assert_array_equal(tree.lower, trace.column("lower"))
    np.testing.assert_array_equal(tree.upper, trace.column("upper"))
    proved = trace.final.n_open == 0
    assert (tree.lower[-1] == tree.upper[-1]) == proved
    for state in trace.states:  # no node that waits promises less than the lower bound
        here = (tree.seen <= state.t) & (tree.examined > state.t)
        here &= tree.dropped > state.t
        if here[1:].any():
            assert tree.promise[here].min() >= state.lower - 1e-9
            assert tree.promise[here].max() < state.upper
    looked_at = tree.fate >= 0
    assert np.all(tree.bound[looked_at] >= tree.promise[looked_at])


def test_leaves_stand_side_by_side_and_parents_between_their_children(tree):
    inner = np.unique(tree.parent[1:])
    leaves = np.setdiff1d(np.arange(len(tree)), inner)
    gaps = np.diff(np.sort(tree.x[leaves]))
    np.testing.assert_allclose(gaps, 1 / len(leaves), rtol=1e-9)
    for row in inner:
        below = tree.x[tree.parent == row]
        assert below.min() <= tree.x[row] <= below.max()


def test_small_subtrees_are_folded_and_no_node_is_lost(trace, tree):
    most = len(tree) // 3
    small = search_tree(trace, most)
    assert len(small) <= most
    assert small.size.sum() == len(tree)
    assert small.fates[-1] == FOLDED
    assert np.all((small.size > 1) == (small.fate == len(small.fates) - 1))
    assert np.all(small.parent[1:] < np.arange(1, len(small)))
    for name, counts in tree.counts.items():
        np.testing.assert_array_equal(small.counts[name], counts)
    assert small.now.max() < len(small)


def test_a_run_without_a_tree_has_none():
    X, y = make_moons(30, noise=0.1, random_state=0)
    y[4:] = -1
    assert search_tree(make("s3vm_light").trace(X, y)) is None
