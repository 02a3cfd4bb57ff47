"""What the solvers of kernel S3VMs share: states, schedules and the search for b."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from ssl_core.features import Features
from ssl_core.numerals import number
from ssl_core.problems.lens import Lens
from ssl_core.problems.s3vm import S3VM
from ssl_core.quantities import SCHEDULE, lens_field, quantity
from ssl_core.trace import Event, ExpansionState, State, Status, signs, some_points

MAX_ROUNDS = 10  # of the search for b; [CSK08]'s own took 5 to 9
NEAR = 1e-3  # of the unlabelled points may be on the wrong side of 0 at its end


@dataclass(frozen=True, slots=True, kw_only=True)
class S3VMState(ExpansionState):
    """Snapshot of a kernel S3VM; `objective` is that of the moment.

    Attributes
    ----------
    transductive_objective : float
        [CSK08] eq. (5) at the final C_u: the same for every method and moment.
    inner : int
        Inner iterations that led here: Newton steps or gradient steps.
    """

    transductive_objective: float = quantity("S3VM objective")
    inner: int = quantity("inner iterations")
    lens: Lens | None = lens_field()


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedState(S3VMState):
    """A method that raises the weight of the unlabelled points.

    Attributes
    ----------
    C_u : float
        Their weight at this moment.
    """

    C_u: float = quantity("C*", symbol="C*", role=SCHEDULE, merge="mean")


def doubling(problem: S3VM, steps: int, start: State | None) -> list[float]:
    """C_u of every step: doubled up to the final one, [CSK08] section 4.2.

    A seed continues from its weight.
    """
    ladder = [problem.C_u * 2.0 ** (i - steps) for i in range(1, steps + 1)]
    return _from(start, ladder)


def geometric(problem: S3VM, steps: int, share: float, start) -> list[float]:
    """C_u of every step from ``share`` of the final one, evenly in the logarithm."""
    if steps == 1:
        return [problem.C_u]
    ladder = problem.C_u * np.geomspace(share, 1.0, steps)
    return _from(start, ladder.tolist())


def _from(start, ladder):
    seen = getattr(start, "C_u", 0.0)
    return [C_u for C_u in ladder[:-1] if C_u >= seen] + ladder[-1:]


def raised(C_u) -> Event:
    text = f"The weight of the unlabelled points is now C* = {number(C_u)}."
    return Event("C_u", text, {"C_u": C_u})


def idle(problem: S3VM) -> bool:
    """Nothing unlabelled, or no weight on it: the SVM is all there is."""
    return problem.u == 0 or problem.C_u == 0.0


def in_callers_kernel(solver, features: Features) -> Iterator[State]:
    """States whose alpha belongs to features, in the caller's kernel.

    An alpha that several states share is translated once; orders go through.
    """
    own, orders = None, None
    while True:
        try:
            state = solver.send(orders)
        except StopIteration:
            return
        if state.alpha is not own:
            own, (alpha, b) = state.alpha, features.express(state.alpha, state.b)
        orders = yield replace(state, alpha=alpha, b=b)


def balanced(
    problem: S3VM,
    solve: Callable[[S3VM, State | None], Iterator[State]],
    *,
    near: float = 0.0,
) -> Iterator[State]:
    """Solve for several b until [CSK08] eq. (3), the class ratio, holds.

    The linear constraint, [CSK08] eq. (12), fixes b; how many outputs are positive
    depends on it. The paper halves an interval; here b moves by how far the outputs
    would have to be shifted, and then by the false position, so that three to five
    rounds do.

    Parameters
    ----------
    problem : S3VM
        Its bias is where the search begins.
    solve : callable
        A run of a method at a fixed b; a whole one where its second argument is None,
        else one that goes on from that state.
    near : float
        Distance of b from one solved before within which the run goes on from there.
    """
    b, low, high = problem.bias.value, None, None
    best, solved, t = (np.inf, None, None), {}, 0
    for round_ in range(1, MAX_ROUNDS + 1):
        begun = (_search(round_, b, problem),)
        solver = solve(problem.fixed_at(b), _nearest(solved, b, near))
        state = next(solver)
        while True:
            out = replace(state, t=t, events=(*begun, *state.events))
            if not state.status.running:
                break
            orders = yield out
            t, begun = t + 1, ()
            state = solver.send(orders)
        f_u = state.f[problem.unlabeled]
        solved[b] = state
        miss = int((signs(f_u) > 0).sum()) - problem.n_positive
        if abs(miss) < best[0]:
            best = (abs(miss), state, b)
        if abs(miss) <= NEAR * problem.u or round_ == MAX_ROUNDS:
            break
        shift = threshold(f_u, problem.n_positive)
        low, high = _bracket(b, shift, miss, low, high)
        new = _next(b, shift, low, high)
        if new == b:
            break
        yield replace(out, status=Status.RUNNING)
        t, b = t + 1, new
    miss, found, b = best
    if found is not state:
        out = replace(found, t=t, events=(), inner=0)
    if miss:
        out = replace(out, events=(*out.events, _missed(miss, b, problem)))
    yield replace(out, status=state.status)


def _nearest(solved, b, near) -> State | None:
    """The last state at the b nearest to this one, if it is as near as asked."""
    found = min(solved, key=lambda other: abs(other - b), default=None)
    return None if found is None or abs(found - b) > near else solved[found]


def threshold(f_u, n_positive) -> float:
    """What the outputs exceed for exactly ``n_positive`` points, ties apart."""
    order = np.sort(f_u)[::-1]
    above = order[n_positive - 1] if n_positive else order[0] + 1.0
    below = order[n_positive] if n_positive < len(order) else order[-1] - 1.0
    return 0.5 * float(above + below)


def _bracket(b, shift, miss, low, high):
    """The ends (b, shift) with the new one in; an end that stays counts half."""
    if miss < 0:
        return (b, shift), high and (high[0], 0.5 * high[1])
    return low and (low[0], 0.5 * low[1]), (b, shift)


def _next(b, shift, low, high) -> float:
    """The next b: by the shift that would do, or by false position in the bracket."""
    if low is None or high is None:
        return float(np.clip(b - 1.5 * shift, -1.0, 1.0))
    (b_low, s_low), (b_high, s_high) = low, high
    share = s_low / (s_low - s_high) if s_low < 0.0 < s_high else 0.5
    return b_low + float(np.clip(share, 0.02, 0.98)) * (b_high - b_low)


def _search(round_, b, problem) -> Event:
    text = (
        f"Round {round_} of the search for the class ratio: b = {number(b, 4)}, "
        f"{problem.n_positive} of {problem.u} outputs are to be positive."
    )
    return Event("search", text, {"round": round_, "b": b})


def _missed(miss, b, problem) -> Event:
    text = (
        f"None of the b tried gives exactly {problem.n_positive} positive outputs; "
        f"b = {number(b, 4)} comes nearest, {some_points(miss)} away, and is returned."
    )
    return Event("best", text, {"b": b, "miss": miss})
