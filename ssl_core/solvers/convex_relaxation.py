"""Convex relaxation of the S3VM by semi-definite programming, [CSK08] section 3.4.

The program, and why its bound holds for the free bias, is `problems.relaxation`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ssl_core.driver import GO_ON
from ssl_core.features import Space, features
from ssl_core.losses import SquaredHinge
from ssl_core.numerals import number
from ssl_core.problems.bias import FREE, fixed
from ssl_core.problems.lens import Lens
from ssl_core.problems.probabilities import balanced_labels
from ssl_core.problems.relaxation import ROUNDING, GramRelaxation, dual_line
from ssl_core.quantities import lens_field, quantity
from ssl_core.settings import OWN, shared
from ssl_core.settings import number as setting
from ssl_core.solvers._s3vm import in_callers_kernel
from ssl_core.solvers.settings import Solver, Usual
from ssl_core.solvers.svm import svm
from ssl_core.trace import Array, Event, ExpansionState, Status

NARROWER = 0.9  # an interval of b below this share of its width is worth a new program
MAX_TRAININGS = 100  # active sets of a training; steps to one end of the interval
FINEST = 1e-9  # accuracy that is asked of the conic solver at most
FINER = 0.1  # accuracy of the conic solver, so that a tight relaxation shows as one
UNIT = 0.01  # of the first J, the least that J is counted in; else the supervised J
END = 1e-6  # accuracy of the interval's ends, which are valid at any
# The wheel's MKL brings threads of its own beside numba's; QDLDL is as quick here.
# Two moons, n = 80: 1125 iterations from this first scale, > 5000 from scs's own, 0.1.
SETTINGS = {"linear_solver": "qdldl", "scale": 0.01, "verbose": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class RelaxationState(ExpansionState):
    """Snapshot after a chunk of the conic solver; the model is the incumbent's SVM.

    Attributes
    ----------
    gamma_matrix : float32 ndarray of shape (n, n)
        Gamma, the relaxed yy'; that of the labels themselves at the start.
    bound : float
        The best lower bound so far on J over all balanced labelings: proved, however
        inaccurate Gamma is.
    y_u : int8 ndarray of shape (u,)
        The best labels +-1 so far, in the order of row numbers.
    gap : float
        ``objective - bound``, >= 0 up to rounding.
    rank_one : float
        Share of Gamma's trace in its first eigenvalue; 1 where the relaxation is tight.
    inner : int
        Iterations of the conic solver in this chunk.
    """

    gamma_matrix: Array | None
    bound: float = quantity(
        "lower bound", sentence="The best value lies between {bound} and {objective}."
    )
    y_u: Array | None
    gap: float = quantity("gap to the bound")
    rank_one: float = quantity("rank-one share of Γ", merge="mean")
    inner: int = quantity("conic iterations")
    lens: Lens | None = lens_field()


class Relaxation(Solver):
    """Settings of `convex_relaxation`."""

    chunk: int = setting(
        25,
        "Iterations of the conic solver per state.",
        integer=True,
        at_least=1,
        at_most=10_000,
        title="Iterations per frame",
        slider=(1, 1000),
        step=5,
        **OWN,
        help="Iterations of the conic solver from one frame to the next.",
        up="fewer frames, with more iterations between them",
    )
    tol: float = shared(
        Usual,
        default=1e-4,
        doc="Gap, relative to the objective, at which labels count as optimal; the "
        "relaxation is solved to a tenth of it. Also the threshold of a rule given by "
        "name.",
        slider=(1e-6, 1e-1),
        extra=(),
        help="Gap that counts as closed.",
    )

    def __call__(self, problem, start=None):
        solver = convex_relaxation(problem, **self.values, start=start)
        return in_callers_kernel(solver, problem.features)


def convex_relaxation(
    problem,
    *,
    tol: float = Relaxation.tol,
    chunk: int = Relaxation.chunk,
    start: ExpansionState | None = None,
) -> Iterator[RelaxationState]:
    """Solve the relaxation of [CSK08] section 3.4 in chunks; round, bound J after each.

    State 0 has the labels that the supervised SVM gives, the wanted number positive,
    and its value as bound. Labels are rounded from the column of Gamma that belongs to
    a labelled point and from its first eigenvector.

    Parameters
    ----------
    problem : object
        With K, y, unlabeled, C, C_u and n_positive, as `problems.s3vm`.
    tol : float
        Gap, relative to J, at which labels count as optimal. The relaxation
        is solved to a tenth of it; Gamma meets its constraints to sqrt(tol / 10) or
        better.
    chunk : int
        Iterations of the conic solver per state.
    start : ExpansionState or None
        Seed: the first labels follow its outputs.
    """
    scs, eps = _conic_solver(), max(FINER * tol, FINEST)
    search = _RelaxationSearch(problem, start)
    last = ((yield search.state(0)) or GO_ON).last
    tight = search.tight(tol)
    program, solution, done, t = None, None, tight is not None, 0
    while not done:
        t += 1
        if program is None or search.h < NARROWER * program.h:
            program = search.program()
            limits = {"eps_abs": eps, "eps_rel": eps, "max_iters": chunk}
            conic = scs.SCS(program.data, program.cones, **limits, **SETTINGS)
        seed = solution and {name: solution[name] for name in "xys"}
        solution = conic.solve(warm_start=True, **seed) if seed else conic.solve()
        events = search.look(program, solution)
        tight = search.tight(tol)
        info = solution["info"]
        solved = info["status_val"] == scs.SOLVED or search.reaches(info, eps)
        failed = info["status_val"] not in (scs.SOLVED, scs.SOLVED_INACCURATE)
        done = tight is not None or solved or failed
        if done:
            events += [tight or search.last_words(solved)]
        status = Status.FINISHED if done else Status.RUNNING
        if last and not done:
            events += [search.last_words(solved)]
        orders = (yield search.state(t, info["iter"], status, events)) or GO_ON
        last = orders.last
    if t == 0:  # u = 0, a single balanced labelling, or one that costs nothing
        yield search.state(1, 0, Status.FINISHED, [tight])


def _conic_solver():
    try:
        import scs
    except ImportError:
        raise ImportError(
            "convex_relaxation needs the conic solver scs, which is not installed; "
            "`pip install scs` brings it."
        ) from None
    return scs


class _RelaxationSearch:
    """The incumbent, the bound, the interval of b and the last Gamma."""

    def __init__(self, problem, start):
        self.problem = problem
        self.labeled = np.flatnonzero(problem.y)
        self.unlabeled = np.asarray(problem.unlabeled, dtype=int)
        self.cost = np.where(problem.y != 0, float(problem.C), float(problem.C_u))
        self.bound, self.value = 0.0, np.inf
        L = self.labeled
        beta, b, *_ = _train(problem.K[np.ix_(L, L)], problem.y[L], self.cost[L])
        f = problem.K[:, L] @ beta + b if start is None else start.f
        # With a free bias the origin is anywhere: at the labelled points' weighted
        # mean the SVM's output is about 0 for any labelling, and [b0 -+ h] is short.
        weight = np.zeros(len(f))
        weight[L] = np.abs(beta)
        total = weight.sum()
        weight = weight / total if total > 0 else np.full(len(f), 1 / len(f))
        shift = problem.K @ weight
        self.K = problem.K - shift[:, None] - shift + weight @ shift
        self.offer(f[self.unlabeled])
        self.raise_bound(L, problem.y[L], beta)
        self.unit = max(self.bound, UNIT * self.value)
        if problem.n_positive in (0, len(self.unlabeled)):  # the only labelling
            self.raise_bound(np.arange(len(f)), self.complete(self.y_u), self.model[0])
        y = self.complete(self.y_u)
        self.gamma, self.rank_one = np.outer(y, y), 1.0

    def complete(self, y_u) -> Array:
        y = np.array(self.problem.y, dtype=float)
        y[self.unlabeled] = y_u
        return y

    def offer(self, scores) -> bool:
        """Train with the labels of these scores; keep them where they are the best."""
        y_u = balanced_labels(scores, self.problem.n_positive)
        *model, value = _train(self.problem.K, self.complete(y_u), self.cost)
        if not value < self.value:
            return False
        self.y_u, self.model, self.value = y_u, model, float(value)
        self.low, self.high = _bias_interval(self)
        self.h = (self.high - self.low) / 2
        return True

    def raise_bound(self, rows, y, beta):
        """(*) where y is known on the support of alpha: linear in b."""
        alpha = np.maximum(beta * y, 0.0)
        value, slope = dual_line(self.K[np.ix_(rows, rows)], y, self.cost[rows], alpha)
        size = alpha.sum() + abs(value)
        value += min(slope * self.low, slope * self.high) if slope else 0.0
        self.bound = max(self.bound, float(value - ROUNDING * size))

    def program(self) -> GramRelaxation:
        problem, interval = self.problem, (self.low, self.high)
        parts = self.K, problem.y, self.cost, problem.n_positive
        return GramRelaxation(*parts, *interval, unit=self.unit)

    def look(self, program, solution) -> list[Event]:
        """What a chunk has brought: Gamma, a bound, and labels if they are better."""
        if not all(np.isfinite(solution[name]).all() for name in "xy"):
            return []
        self.bound = max(self.bound, program.bound(solution["y"]))
        self.gamma = gamma = program.gamma(solution["x"])
        values, vectors = np.linalg.eigh(gamma)
        self.rank_one = float(values[-1] / len(gamma))
        first = vectors[:, -1]
        column = program.gram(solution["x"])[1:-1, 0]
        side = 1.0 if first @ self.problem.y >= 0 else -1.0
        before, events = self.value, []
        sources = {"column": column, "first eigenvector": side * first[self.unlabeled]}
        for source, scores in sources.items():
            if self.offer(scores):
                text = (
                    f"Rounding Γ by its {source} lowers the objective from "
                    f"{number(before, 6)} to {number(self.value, 6)}."
                )
                data = {"before": before, "after": self.value, "source": source}
                events = [Event("rounded", text, data)]
        return events

    def tight(self, tol) -> Event | None:
        gap = self.value - self.bound
        if gap > tol * self.value + ROUNDING:
            return None
        text = (
            f"The bound {number(self.bound, 6)} meets the objective "
            f"{number(self.value, 6)}: no labelling is better by more than "
            f"{number(max(gap, 0.0))}."
        )
        return Event("tight", text, {"gap": gap})

    def reaches(self, info, eps) -> bool:
        """The bound is the relaxation's own value, and Gamma nearly feasible.

        Often long before scs finds its residuals small: on 12 points of two moons
        after 300 iterations against more than 5000.
        """
        near = abs(self.unit * info["pobj"] - self.bound) <= eps * self.value
        return near and info["res_pri"] <= np.sqrt(eps)

    def last_words(self, exact) -> Event:
        text = (
            f"No labelling has an objective below {number(self.bound, 6)}; these "
            f"labels have {number(self.value, 6)}."
        )
        if not exact:
            text += " Γ is less exact than tol; the bound is valid nevertheless."
        data = {"bound": self.bound, "objective": self.value}
        return Event("bounded", text, data)

    def state(self, t, inner=0, status=Status.RUNNING, events=()) -> RelaxationState:
        beta, b, f = self.model
        y_u = self.y_u.copy()
        return RelaxationState(
            t=t,
            objective=self.value,
            status=status,
            f=f.copy(),
            events=tuple(events),
            alpha=beta.copy(),
            b=float(b),
            gamma_matrix=self.gamma.astype(np.float32),
            bound=self.bound,
            y_u=y_u,
            lens=Lens(SquaredHinge(), float(self.problem.C_u), y_u),
            gap=self.value - self.bound,
            rank_one=self.rank_one,
            inner=int(inner),
        )


def _bias_interval(search: _RelaxationSearch) -> tuple[float, float]:
    """The b that a labelling as good as the incumbent can have.

    One point of the other class alone gives J >= c (1 + |b|)^2 / (1 + 2 c K_ii) where
    both classes are present. From there Newton's method on J_L(b) = J_up: its steps
    are lines below J_L, so that each is a valid end.
    """
    L, c = search.labeled, search.cost.min()
    K, y, cost = search.K[np.ix_(L, L)], search.problem.y[L], search.cost[L]
    up = search.value + ROUNDING * (1 + search.value)
    far = np.sqrt(up * (1 + 2 * c * search.K.diagonal().max()) / c)
    ends = []
    for side in (-1.0, 1.0):
        end = far
        for _ in range(MAX_TRAININGS):
            beta, _ = _active_set(K, y, cost, b=side * end)
            value, slope = dual_line(K, y, cost, np.maximum(beta * y, 0.0))
            if side * slope <= 0:
                break
            before, end = end, min(end, (up - value) / (side * slope))
            if before - end <= END * (1 + abs(end)):
                break
        ends.append(side * (end + END * (1 + abs(end))))
    return ends[0], ends[1]


def _train(K, y, cost) -> tuple[Array, float, Array, float]:
    """SVM with squared hinge loss and free bias: beta, b, f = K beta + b and J."""
    beta, b = _active_set(K, y, cost)
    f = K @ beta + b
    losses = cost @ np.maximum(0.0, 1.0 - y * f) ** 2
    return beta, b, f, float(0.5 * beta @ (f - b) + losses)


def _active_set(K, y, cost, b=None) -> tuple[Array, float]:
    """beta and b of the SVM; b may be given."""
    bias = FREE if b is None else fixed(b)
    here = svm(features(Space(K)), y, cost, bias)
    return -here.terms.slope, float(here.v[-1])
