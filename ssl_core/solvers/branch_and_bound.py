"""Branch and bound: the global optimum of an S3VM, [CSK08] section 3.1."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ssl_core.linalg.pivots import rebuild, resume
from ssl_core.linalg.tree_bounds import BALANCE, BOUND, OPEN, SOLVED, tighten
from ssl_core.losses import SquaredHinge
from ssl_core.numerals import number, rate
from ssl_core.problems.lens import Lens
from ssl_core.quantities import (
    FATE,
    LOWER,
    NODE,
    NODE_BOUND,
    PARENT,
    SIDE,
    UPPER,
    WAITING,
    lens_field,
    quantity,
)
from ssl_core.settings import OWN, choice, shared, switch
from ssl_core.settings import number as setting
from ssl_core.solvers._labelings import Labelings, completed
from ssl_core.solvers._open_nodes import ORDERS, Node
from ssl_core.solvers._s3vm import in_callers_kernel
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.trace import Array, Event, ExpansionState, Status, some_points

WHY = {OPEN: "", BOUND: "bound", BALANCE: "balance", SOLVED: "solved"}
COMPLETE_EVERY = 16  # nodes; costs a tenth of the time, finds incumbents earlier
SMALL_GAIN = 1e-3  # of the largest: where one label adds nothing the other one counts


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchState(ExpansionState):
    """Snapshot after a node; the model and `objective` are the incumbent's.

    Attributes
    ----------
    node, parent : int
        Number of the node in the order of the search; -1 is the root's parent.
    depth : int
        Branchings above the node.
    lower, upper : float
        The optimum lies between them; `upper` is the objective of the incumbent.
    bound : float
        No labelling below this node is better.
    pruned : str
        Why nothing is left to do below the node: "bound" (the incumbent is as good),
        "balance" (its labels cannot be balanced), "solved" (every label is decided);
        empty where it was branched.
    side : int
        Which of the nodes put to wait below its parent this one is.
    waiting : tuple of float
        Bounds of the nodes that were put to wait below this one.
    n_open : int
        Nodes that wait.
    y_u : int8 ndarray of shape (u,)
        Labels +-1 of the unlabelled points in the incumbent, in the order of their row
        numbers.
    """

    node: int = quantity(role=NODE, merge="max")
    parent: int = quantity(role=PARENT, merge="max")
    depth: int = quantity(merge="max")
    lower: float = quantity(
        "lower bound",
        role=LOWER,
        sentence="The optimum lies between {lower} and {upper}.",
    )
    upper: float = quantity("incumbent", role=UPPER)
    bound: float = quantity("bound of the node", role=NODE_BOUND)
    pruned: str = quantity(role=FATE, keep=True)
    side: int = quantity(role=SIDE, merge="max")
    waiting: tuple[float, ...] = quantity(role=WAITING, keep=True)
    n_open: int = quantity("open nodes")
    y_u: Array | None
    lens: Lens | None = lens_field()


class BranchAndBound(Solver):
    """Settings of `branch_and_bound`."""

    max_nodes: int = setting(
        2_000,
        "Maximum number of nodes.",
        integer=True,
        at_least=1,
        title="Maximum number of nodes",
        slider=(1, 100_000),
        step=100,
        travels=False,
        help="Maximum number of nodes; the remaining gap is reported.",
        up="that the search may take longer and leave a smaller gap",
    )
    order: str = choice(
        "depth",
        tuple(ORDERS),
        "Continue below the last node, or at the node with the lowest bound.",
        title="Order of the search",
        words=("Depth first", "Lowest bound first"),
        **OWN,
        help="Which node is examined next.",
    )
    max_seconds: float | None = setting(
        None,
        "Maximum time in seconds; None: no limit.",
        also=(None,),
        above=0,
        title="Maximum seconds",
        slider=(0.1, 60.0),
        step=0.5,
        **OWN,
        help="Maximum time of the search.",
        up="that the search may take longer and leave a smaller gap",
    )
    spread: bool = switch(
        False,
        "Also try labels spread from neighbour to neighbour as a first incumbent.",
        title="Start with spread labels",
        **OWN,
        help=(
            "Also try labels spread from neighbour to neighbour as the first incumbent."
        ),
        up=("a better first incumbent where clusters are thin, hence a smaller tree"),
    )
    tol: float = shared(
        Usual,
        default=1e-9,
        doc=(
            "Relative gap: labels that are better by less are not searched for; also "
            "the threshold of a rule given by name."
        ),
        at_most=1,
        help="Labels that are better by less than this share are not searched for.",
        up="a smaller tree and a weaker proof",
    )

    def __call__(self, problem, start=None):
        solver = branch_and_bound(problem, **self.values, start=start)
        return in_callers_kernel(solver, problem.features)


def branch_and_bound(
    problem,
    *,
    order: str = BranchAndBound.order,
    max_nodes: int = BranchAndBound.max_nodes,
    max_seconds: float | None = BranchAndBound.max_seconds,
    spread: bool = BranchAndBound.spread,
    incumbent: Array | None = None,
    start=None,
    tol: float = BranchAndBound.tol,
) -> Iterator[BranchState]:
    """The best labels of all that have `n_positive` positive ones, with a proof.

    [CSK08] section 3.1, with stronger bounds.

    A node is a labelling of some points. The machine trained on them costs no more than
    any completion of theirs; what the free points must add on top is in
    `linalg.tree_bounds`. A node that cannot beat the incumbent is pruned, a label that
    cannot is excluded, and otherwise a point is tried with both labels, the likelier
    one first. State 0 is the root before anything is done there, with the first
    incumbent; every further state is one node. With two machines of equal value up to
    ``tol`` either may be returned.

    Parameters
    ----------
    problem : S3VM
        With K, y, unlabeled, C, C_u > 0 and n_positive; the bias is free.
    order : {"depth", "best"}
        Continue below the last node (leaping to the lowest bound every 64th time), or
        always at the one with the lowest bound.
    max_nodes : int
        The run ends there, with the gap that is left.
    max_seconds : float or None
        The same for the solver's own seconds.
    spread : bool
        Whether labels that spread from neighbour to neighbour are tried as well: where
        clusters are thin, a much better incumbent, and with it a smaller tree.
    incumbent : int ndarray of shape (u,) or None
        Labels to start from; None takes those of the machine of the labelled points.
    start : State or None
        Its outputs give the labels to start from.
    tol : float
        Labellings that are better by less than this, relatively, are not looked for.
    """
    search = _TreeSearch(problem, order, tol)
    node, events, limit, spent = search.root, (), None, 0.0
    for t in count():
        clock = time.perf_counter()
        if t == 0:
            search.begin(incumbent, start, spread)
        else:
            node = search.waiting.pop()
            events = search.visit(node, number=t - 1)
        spent += time.perf_counter() - clock
        if t > 0 and search.waiting:
            if t >= max_nodes:
                limit = f"{max_nodes:,} nodes"
            elif max_seconds is not None and spent >= max_seconds:
                limit = f"{number(max_seconds)} seconds"
        state = search.state(t, node, events, limit)
        yield state
        if not state.status.running:
            return


class _TreeSearch:
    """The tableau, the nodes that wait and the incumbent."""

    def __init__(self, problem, order, tol):
        if order not in ORDERS:
            raise ValueError(f"order must be one of {tuple(ORDERS)}, got {order!r}.")
        self.problem, self.tol = problem, tol
        self.labelings = Labelings(problem)
        y, n = self.labelings.given, len(problem.y)
        self.T = np.empty((n + 1, n + 1))
        self.active = np.zeros(n, dtype=bool)
        self.active[np.argmax(y != 0)] = True
        rebuild(self.labelings.A, self.T, self.active)
        self.beta, self.o = np.zeros(n + 1), np.zeros(n)
        self.gain, self.t = np.zeros((n, 2)), np.zeros(n)
        self.root = Node(0.0, -1, 0, y.copy(), self.active.copy(), problem.n_positive)
        self.waiting = ORDERS[order]()
        self.incumbent, self.lower = None, 0.0

    def begin(self, labels, start, spread):
        first = self.labelings.first(labels, start)
        self._accept(self.labelings.switched(first))
        if spread and self.root.y.any():
            found = self.labelings.switched(self.labelings.spread())
            if found is not None and found.value < self.incumbent.value:
                self._accept(found)
        self.waiting.push(self.root)

    @property
    def cutoff(self) -> float:
        """Only what is below is looked for."""
        return self.incumbent.value * (1.0 - self.tol)

    def visit(self, node, number) -> tuple[Event, ...]:
        """Bound a node, look for a better incumbent there, and branch."""
        if not node.y.any():  # no label at all: nothing to train
            self._branch(node, number, int(self.active.argmax()), (0.0, 0.0))
            return ()
        y, before = node.y, node.y.copy()
        T, active, beta, o = self.T, self.active, self.beta, self.o
        A, ridge = self.labelings.A, self.labelings.ridge
        resume(A, T, active, node.active, y, beta, o)
        limits = node.n_positive, self.cutoff
        value, bound, n_positive, verdict = tighten(
            T, active, y, ridge, beta, o, self.gain, self.t, *limits
        )
        node.bound, node.n_positive = max(node.bound, bound), n_positive
        node.pruned = WHY[verdict]
        if verdict in (BOUND, BALANCE):
            return ()
        events = []
        if verdict == SOLVED and value < self.cutoff:
            found = self.labelings.switched(y) or self.labelings.machine(y, beta)
            events.append(self._accept(found))
        if verdict == OPEN:
            fixed = np.flatnonzero(before != y)
            if len(fixed):
                text = f"{some_points(len(fixed))} can have one label only."
                data = {"points": fixed, "labels": y[fixed]}
                events.append(Event("fixed", text, data))
            if number % COMPLETE_EVERY == 0 or number.bit_count() == 1:
                found = self.labelings.switched(completed(y, o, n_positive))
                if found is not None and found.value < self.cutoff:
                    events.append(self._accept(found))
            if node.bound >= self.cutoff:
                node.pruned = WHY[BOUND]
            else:
                j = self._choose(y)
                self._branch(node, number, j, value + self.gain[j])
        return tuple(events)

    def _choose(self, y) -> int:
        """The free point whose two labels both cost, by the product of the costs.

        By their difference, the confidence of [CSK08] section 3.1, trees have two to
        four times as many nodes: what is certain follows by itself.
        """
        free = np.flatnonzero(y == 0)
        gain = self.gain[free]
        return free[(gain + SMALL_GAIN * gain.max()).prod(axis=1).argmax()]

    def _branch(self, node, number, j, bounds):
        """The two children, the likelier label last: a stack takes it first."""
        active, n_free = self.active.copy(), np.count_nonzero(node.y == 0)
        for side in np.argsort(bounds)[::-1]:
            bound = max(node.bound, float(bounds[side]))
            n_positive = node.n_positive - int(side)
            if bound < self.cutoff and 0 <= n_positive < n_free:
                y = node.y.copy()
                y[j] = 2 * side - 1
                child = Node(bound, number, node.depth + 1, y, active, n_positive)
                child.side = len(node.waiting)
                node.waiting += (bound,)
                self.waiting.push(child)

    def _accept(self, found) -> Event | None:
        before, self.incumbent = self.incumbent, found
        self.waiting.purge(self.cutoff)
        if before is None:
            return None
        changed = np.flatnonzero(found.y != before.y)
        text = (
            f"A better labelling, {some_points(len(changed))} changed: the objective "
            f"falls from {number(before.value, 6)} to {number(found.value, 6)}."
        )
        data = {"points": changed, "before": before.value, "after": found.value}
        return Event("incumbent", text, data)

    def end(self, t, limit) -> tuple[Status, tuple[Event, ...]]:
        """Whether the run ends here, and the event that says why."""
        upper = self.incumbent.value
        if not self.waiting:
            text = (
                f"Proved after {t:,} nodes: no balanced labelling has an objective "
                f"below {number(upper, 6)}, up to {number(self.tol)} of it."
            )
            event = Event("proved", text, {"nodes": t})
            return Status.FINISHED, (event,)
        if limit is None:
            return Status.RUNNING, ()
        gap = (upper - self.lower) / upper
        text = (
            f"The search ends after {limit}: the optimum lies between "
            f"{number(self.lower, 6)} and {number(upper, 6)}, a gap of {rate(gap)}."
        )
        data = {"lower": self.lower, "upper": upper, "gap": gap}
        return Status.MAX_ITER, (Event("limit", text, data),)

    def state(self, t, node, events, limit) -> BranchState:
        best = self.incumbent
        self.lower = min(max(self.lower, self.waiting.floor), best.value)
        status, why = self.end(t, limit)
        return BranchState(
            t=t,
            objective=best.value,
            status=status,
            f=best.f,
            events=(*events, *why),
            alpha=best.alpha,
            b=best.b,
            node=max(t - 1, 0),
            parent=node.parent,
            depth=node.depth,
            lower=self.lower,
            upper=best.value,
            bound=node.bound,
            pruned=node.pruned,
            side=node.side,
            waiting=node.waiting,
            n_open=len(self.waiting),
            y_u=best.y_u,
            lens=Lens(SquaredHinge(), self.problem.C_u, best.y_u),
        )
