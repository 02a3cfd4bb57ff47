"""Infinitesimal annealing: the whole path of local minima of an S3VM, [OITS13]."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.linalg.parametric import BOUNDARY, INSIDE, MARGIN, OUT, census
from ssl_core.numerals import number
from ssl_core.problems.lens import Lens
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.quantities import MARKS, SCHEDULE, lens_field, quantity
from ssl_core.solvers._parametric import Line, StuckError
from ssl_core.trace import Array, Event, ExpansionState, Status, signs, some_points

MAX_ROUNDS = 1000  # of a jump; every round lowers the objective, and few are needed
PLACES = {
    OUT: "leaves the margin outwards",
    MARGIN: "comes to the margin",
    INSIDE: "leaves the margin inwards",
}
CONTINUOUS, JUMP = "CP", "DJ"  # the paper's two steps


@dataclass(frozen=True, slots=True, kw_only=True)
class PathState(ExpansionState):
    """A break point of the path; between two of them everything is linear in C_u.

    Attributes
    ----------
    C_u : float
        Weight C* of the unlabelled points, from 0 to C.
    y_u : int8 ndarray of shape (u,)
        Labels +-1 of the unlabelled points, in the order of their row numbers.
    beta : ndarray of shape (n,)
        Signed duals: `alpha`, or its counterpart for the centred kernel.
    step_kind : "CP" or "DJ"
        What led here: the continuous path, or a jump.
    flipped : tuple of int
        Row numbers of the points whose label the jump changed.
    n_O, n_M, n_I_l, n_I_u : int
        Points outside the margin, on it, and labelled and unlabelled ones inside.
    on_margin : ndarray of bool of shape (n,)
    """

    C_u: float = quantity("C*", symbol="C*", role=SCHEDULE, merge="mean")
    y_u: Array | None
    beta: Array | None
    step_kind: str = quantity("step", merge="each", keep=True)
    flipped: tuple = quantity("labels flipped", merge="each", keep=True)
    n_O: int = quantity("outside the margin")
    n_M: int = quantity("on the margin")
    n_I_l: int = quantity("inside, labelled")
    n_I_u: int = quantity("inside, unlabelled")
    on_margin: Array | None = quantity(role=MARKS)
    lens: Lens | None = lens_field()


def s3vm_path(
    problem: FixedBiasS3VM, *, start: ExpansionState | None = None
) -> Iterator[PathState]:
    """[OITS13] Algorithm 1: from the supervised SVM at C_u = 0 to C_u = C.

    State 0 is the supervised SVM. Every further state is a break point: a point that
    comes to the margin or leaves it, or the end. Where an unlabelled point reaches
    f = 0 two states have the same C_u: the end of the continuous piece, and, after the
    jump, another local minimum with other labels.

    Readings where the print does not work: the jump flips the points at f = 0 that it
    is given, never those with a small |f|; on the boundary a dual is at least C_u; and
    the path ends at C_u = C, after the jump if there is one. [OITS13] Theorem 5 needs K
    to be regular: with a singular one the members may hold a point at f = 0 under
    either label, and such a jump changes labels and duals but neither f nor the
    objective.

    Parameters
    ----------
    problem : FixedBiasS3VM
    start : ExpansionState or None
        Seed: the path continues from its C_u, with labels by its outputs.
    """
    run = _PathRun(problem, start)
    yield run.state()
    try:
        yield from _follow(run)
    except StuckError:
        run.line.refresh()
        run.t += 1
        text = "The path cannot continue: events coincide and undo each other."
        event = Event("stuck", text, {"C_u": run.C_u})
        yield replace(run.state(), status=Status.STALLED, events=(event,))


def _follow(run) -> Iterator[PathState]:
    """CP and DJ steps in turn, lines 6-12 of [OITS13] Algorithm 1."""
    yielded = True  # whether the present place is a state already
    while True:
        step = run.line.look(run.problem.C - run.C_u)
        if run.moves(step):
            if not yielded:
                yield run.next_state()
                if run.line.keep_fresh():
                    step = run.line.look(run.problem.C - run.C_u)
            yielded = False
        run.advance(step)
        if step.at_end:
            yield replace(run.next_state(), status=Status.FINISHED)
            return
        if step.place == BOUNDARY:
            if not yielded:
                yield run.next_state()
            event = run.jump(step.point)
            at_end = run.C_u >= run.problem.C
            status = Status.FINISHED if at_end else Status.RUNNING
            yield replace(run.next_state(event), status=status)
            if at_end:
                return
            yielded = True
        elif run.line.relocate(step.point, step.place):
            run.changes.append((step.point, step.place))
        else:
            if not yielded:  # duals change at once: the path has two ends here
                yield run.next_state()
            run.line.trade(step.point, step.place)
            run.changes.append((step.point, step.place))
            yielded = False


class _PathRun:
    """The machine, its labels and C_u as they move."""

    def __init__(self, problem, start):
        self.problem, self.t, self.changes = problem, 0, []
        self.known = problem.y != 0
        self.line = line = Line(problem.K, problem.b)
        self.C_u = min(float(getattr(start, "C_u", None) or 0.0), problem.C)
        line.signs[:] = problem.y
        self.free = free = problem.unlabeled
        taking_part = problem.labeled
        if self.C_u > 0:
            line.signs[free] = signs(start.f[free])
            taking_part = slice(None)
        line.where[taking_part] = INSIDE
        line.drive(np.where(line.where == INSIDE, problem.caps(self.C_u), 0.0))
        line.go(1.0)
        line.set_caps(problem.caps(self.C_u))
        line.refresh()
        if self.C_u > 0:
            self._agree()
        else:
            line.signs[free] = signs(line.f[free])
            line.place(free, 0.0)
        line.sided[free] = True
        line.drive(np.where(problem.y == 0, 1.0, 0.0))

    def _agree(self):
        """Relabel points on the wrong side until labels and outputs agree."""
        line = self.line
        for _ in range(MAX_ROUNDS):
            wrong = self.free[line.signs[self.free] * line.f[self.free] < 0]
            if len(wrong) == 0:
                return
            line.flip(wrong)

    def moves(self, step) -> bool:
        """Whether C_u is another number after the step."""
        return self.C_u + step.length > self.C_u

    def advance(self, step):
        line = self.line
        line.advance(step.length)
        self.C_u = self.problem.C if step.at_end else self.C_u + step.length
        if step.at_end:
            line.set_caps(self.problem.caps(self.C_u))

    def jump(self, hit) -> Event:
        """[OITS13] Algorithm 3: flip what was hit, until the optimum is inside."""
        line, C_u = self.line, self.C_u
        line.stay()
        labels, before = line.signs.copy(), self._objective()
        rounds, held = 0, np.array([hit])
        while len(held):
            rounds += 1
            if rounds > MAX_ROUNDS:
                raise StuckError
            line.flip(held)
            held = np.flatnonzero(line.where == BOUNDARY)
        line.keep_fresh()
        flipped = np.flatnonzero(line.signs != labels)
        after, self.changes = self._objective(), []
        text = (
            f"Jump at C* = {number(C_u, 4)}: the output of point {hit} reached 0 and "
            f"{some_points(len(flipped))} changed the label; the objective went from "
            f"{number(before, 6)} to {number(after, 6)}."
        )
        data = {
            "C_u": C_u,
            "hit": (hit,),
            "flipped": tuple(int(i) for i in flipped),
            "rounds": rounds,
            "before": before,
            "after": after,
        }
        return Event("jump", text, data)

    def _objective(self):
        line = self.line
        return self.problem.value(line.alpha, line.f, line.signs, line.cap)

    def next_state(self, jump: Event | None = None) -> PathState:
        self.t += 1
        state = self.state(jump or self._told())
        if jump is not None:
            flipped = jump.data["flipped"]
            state = replace(state, step_kind=JUMP, flipped=flipped)
        return state

    def _told(self) -> Event | None:
        """What happened on the margin since the last state."""
        if not self.changes:
            return None
        text = f"{len(self.changes)} times a point comes to the margin or leaves it."
        if len(self.changes) == 1:
            i, place = self.changes[0]
            text = f"Point {i} {PLACES[place]}."
        data = {"points": tuple(i for i, _ in self.changes)}
        self.changes = []
        return Event("margin", text, data)

    def state(self, event: Event | None = None) -> PathState:
        line = self.line
        beta = line.alpha.copy()
        alpha, b = self.problem.expansion(beta)
        n_O, n_M, n_I_l, n_I_u = census(line.where, self.known)
        y_u = line.signs[self.free].astype(np.int8)
        return PathState(
            t=self.t,
            objective=self._objective(),
            f=line.f.copy(),
            alpha=alpha,
            b=b,
            C_u=self.C_u,
            y_u=y_u,
            beta=beta,
            step_kind=CONTINUOUS,
            flipped=(),
            n_O=n_O,
            n_M=n_M,
            n_I_l=n_I_l,
            n_I_u=n_I_u,
            on_margin=line.where == MARGIN,
            lens=self.problem.lens(y_u, self.C_u),
            events=() if event is None else (event,),
        )
