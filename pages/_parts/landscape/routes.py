"""From solved runs to a plane through their solutions, with their routes on it.

No streamlit here: runs in, arrays out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from halfmoon.pages._parts.running.judging import KERNEL, WEIGHTS, Protocol
from halfmoon.scenario.refusals import (
    RefusedError,
    fewer_points,
    two_classes,
)
from halfmoon.scenario.solving import Solved
from ssl_core.kernels import gram
from ssl_core.landscape import Landscape, LandscapeModel, Plane, different
from ssl_core.trace import decide
from ssl_core.viz.fields import thin_frames

GRID = (80, 60)  # columns and rows, which also is the shape of the picture
MOST_POINTS = 500  # a machine is retrained for every labelling on a route
MOST_STATES = 60  # on the route of one run; those that are retrained are fewer
MOST_RETRAINED = 24
MARGIN = 0.18  # of the extent, on either side
REACH = (
    1.2  # of the longest side, beyond the corners: how far routes may widen the view
)
SUPERVISED, TRUE = "supervised SVM", "true labels"
GUESSED, NOTHING = "labels of the supervised SVM", "f = 0"
OTHERS = (SUPERVISED, TRUE, GUESSED, NOTHING)  # solutions that no run has to find


@dataclass(frozen=True)
class LandscapeRun:
    """A run to be shown.

    Parameters
    ----------
    name : str
    place : int
        Among the methods of the page, which says how it is drawn.
    stage : str
        Key of the stage whose cursor leads it.
    solved : Solved
    """

    name: str
    place: int
    stage: str
    solved: Solved


@dataclass(frozen=True)
class Solution:
    """A machine that is named on the plane.

    Parameters
    ----------
    name : str
    s, t, height : float
        Its nearest place on the plane, and how far it is from there.
    objective : float
        The S3VM objective there, in which a point may lie on either side.
    retrained : float
        The retrained objective of the labels it was trained on: each point is held to
        its label. NaN where it was not trained on labels.
    corner : bool
        Whether the plane goes through it.
    star : bool
        Whether it is the machine of the true labels.
    """

    name: str
    s: float
    t: float
    height: float
    objective: float
    retrained: float
    corner: bool
    star: bool = False


@dataclass(frozen=True)
class Route:
    """The states of a run, seen from the plane.

    Parameters
    ----------
    name, place, stage
        As in `LandscapeRun`.
    t : int ndarray of shape (m,)
        Iterations, increasing.
    places : ndarray of shape (m, 3)
        s, t and height.
    objective : ndarray of shape (m,)
        Of the states themselves, not of their shadows on the plane.
    end : (s, t, height)
        Of its solution: the machine trained on the labels that it ends with.
    retrained : bool
        Whether every state is an SVM trained on the run's labels, since its own machine
        belongs to another kernel or another family.
    """

    name: str
    place: int
    stage: str
    t: np.ndarray
    places: np.ndarray
    objective: np.ndarray
    end: tuple[float, float, float]
    retrained: bool


@dataclass(frozen=True)
class Slice:
    """The objective on a plane, and what is to be seen on it.

    Parameters
    ----------
    protocol : Protocol
        Kernel and weights of the objective.
    n : int
        Dimensions of the whole landscape: the number of training points.
    extent : (s0, s1, t0, t1)
    values : ndarray of shape (rows, columns)
        First row lowest.
    solutions, routes : tuples
    """

    protocol: Protocol
    n: int
    extent: tuple[float, float, float, float]
    values: np.ndarray
    solutions: tuple[Solution, ...]
    routes: tuple[Route, ...]

    @property
    def corners(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.solutions if s.corner)


def slice_of(
    entries: Sequence[LandscapeRun], protocol: Protocol, through: Sequence[str] = ()
) -> Slice:
    """The plane through three solutions, with the routes of all runs.

    Parameters
    ----------
    entries : sequence of LandscapeRun
        On one setting.
    protocol : Protocol
        By which all are judged.
    through : sequence of str
        Names of the solutions the plane should go through; those that are missing, or
        do not differ, are made up for: solutions of runs first, then the supervised
        SVM, the machine of the true labels, that of the supervised SVM's labels, and
        f = 0.

    Raises
    ------
    ValueError
        A sentence on why there is no such plane.
    """
    _check(entries)
    first = entries[0].solved
    K = gram(first.problem.X, **protocol.kernel_on(first.problem.X))
    weights = {name: getattr(protocol, name) for name in WEIGHTS}
    landscape = Landscape(K, first.trace.y, **weights)
    machines = {e.name: landscape.trained(e.solved.trace.labels[-1]) for e in entries}
    machines[SUPERVISED] = landscape.trained(np.zeros(len(K)))
    truth = first.truth
    if np.isin(truth, (-1, 1)).all():
        machines[TRUE] = landscape.trained(truth)
    guesses = decide(machines[SUPERVISED].f)
    machines[GUESSED] = landscape.trained(guesses)
    machines[NOTHING] = landscape.machine(np.zeros(len(K)), 0.0)
    plane, corners = _plane(landscape, machines, through)
    routes = tuple(_route(e, landscape, plane, protocol, machines) for e in entries)
    named = [e.name for e in entries]
    solutions = tuple(
        Solution(
            name,
            *plane.place(m.f),
            objective=m.objective,
            retrained=m.retrained,
            corner=name in corners,
            star=name == TRUE,
        )
        for name, m in machines.items()
        if name in named or name in corners or name == TRUE
    )
    extent = _extent(plane, routes, solutions)
    s = np.linspace(extent[0], extent[1], GRID[0])
    t = np.linspace(extent[2], extent[3], GRID[1])
    return Slice(protocol, len(K), extent, plane.values(s, t), solutions, routes)


def _check(entries) -> None:
    if not entries:
        raise ValueError("The landscape needs a run that has ended.")
    solved = entries[0].solved
    if solved.trace.multiclass:
        raise RefusedError(
            "The landscape is drawn for two classes; these data have more labelled.",
            two_classes(solved.scenario),
        )
    n = len(solved.problem.train)
    if n > MOST_POINTS:
        raise RefusedError(
            f"The landscape is drawn for up to {MOST_POINTS} training points, these "
            f"are {n:,}; choose fewer points.",
            fewer_points(solved.scenario, MOST_POINTS),
        )


def _plane(landscape, machines, through) -> tuple[Plane, set[str]]:
    """Three machines that span a plane, the wanted ones first."""
    names = sorted(machines, key=lambda name: name not in through)  # stable
    kept = [names[i] for i in different([machines[name] for name in names])]
    for three in combinations(kept, 3):
        try:
            return Plane(landscape, [machines[name] for name in three]), set(three)
        except ValueError:  # on a line
            continue
    raise ValueError(
        "A plane needs three different solutions, and there are fewer here; choose "
        "more labels or other weights."
    )


def _route(entry, landscape, plane, protocol, machines) -> Route:
    """The states of a run, thinned, each at its place."""
    solved, trace = entry.solved, entry.solved.trace
    own = shares_kernel(solved, protocol)
    if own:
        kept = trace.kept[thin_frames(len(trace.kept), MOST_STATES)]
        states = [trace.states[i] for i in kept]
        found = [landscape.machine(state.alpha, state.b) for state in states]
    else:
        kept, found = _retrained(trace, landscape)
    return Route(
        name=entry.name,
        place=entry.place,
        stage=entry.stage,
        t=np.array([trace.states[i].t for i in kept]),
        places=np.array([plane.place(m.f) for m in found]),
        objective=np.array([m.objective for m in found]),
        end=plane.place(machines[entry.name].f),
        retrained=not own,
    )


def shares_kernel(solved: Solved, protocol) -> bool:
    """Whether the states of a run are machines of the protocol's own kind.

    They are where it trains an S3VM in the same kernel, and no graph deforms it.
    """
    params = solved.scenario.params
    same = all(params.get(name) == getattr(protocol, name) for name in KERNEL)
    machines = getattr(solved.trace.final, "alpha", None) is not None
    return same and machines and "C" in params and "n_neighbors" not in params


def _retrained(trace, landscape: Landscape) -> tuple[np.ndarray, list[LandscapeModel]]:
    """States at which the labels are new, and the SVMs trained on them."""
    changes = np.flatnonzero(np.any(trace.labels[1:] != trace.labels[:-1], axis=1)) + 1
    kept = np.concatenate([[0], changes])
    kept = kept[thin_frames(len(kept), MOST_RETRAINED)]
    found = [landscape.trained(trace.labels[i]) for i in kept]
    if kept[-1] < len(trace) - 1:
        kept, found = np.append(kept, len(trace) - 1), [*found, found[-1]]
    return kept, found


def _extent(plane, routes, solutions):
    """What is seen: the solutions, and of the routes what is not far away from them."""
    fixed = np.array([(s.s, s.t) for s in solutions])
    middle, span = plane.corners.mean(axis=0), np.ptp(plane.corners, axis=0).max()
    passing = np.vstack([route.places[:, :2] for route in routes])
    passing = np.clip(passing, middle - REACH * span, middle + REACH * span)
    low, high = (edge(np.vstack([fixed, passing]), axis=0) for edge in (np.min, np.max))
    middle, size = (low + high) / 2, (high - low) * (1 + 2 * MARGIN)
    shape = GRID[0] / GRID[1]
    width = max(size[0], size[1] * shape)
    half = np.array([width, width / shape]) / 2
    (s0, t0), (s1, t1) = middle - half, middle + half
    return float(s0), float(s1), float(t0), float(t1)
