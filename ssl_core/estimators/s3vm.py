"""Semi-supervised SVMs with kernels as scikit-learn classifiers, [CSK08]."""

from collections.abc import Iterator

import numpy as np

from ssl_core.estimators.base import Iterative
from ssl_core.estimators.class_ratio import ClassRatio
from ssl_core.estimators.kernel import KernelMachine
from ssl_core.estimators.parameters import choice, number, switch
from ssl_core.features import METHODS, Space, features
from ssl_core.problems.bias import FREE
from ssl_core.problems.s3vm import S3VM
from ssl_core.solvers import _gradient, nabla_da, newton_s3vm, s3vm_light
from ssl_core.solvers import cccp as cccp_
from ssl_core.solvers import cs3vm as cs3vm_
from ssl_core.solvers import nabla_s3vm as nabla_s3vm_
from ssl_core.solvers._open_nodes import ORDERS
from ssl_core.solvers._s3vm import S3VMState, balanced, in_callers_kernel
from ssl_core.solvers.branch_and_bound import BranchState, branch_and_bound
from ssl_core.solvers.convex_relaxation import RelaxationState, convex_relaxation
from ssl_core.solvers.da_kernel import da_kernel
from ssl_core.solvers.one_vs_rest import one_vs_rest
from ssl_core.trace import Event

BALANCES = ("linear", "exact", "fixed")
BALANCE = choice(
    "linear",
    BALANCES,
    "How the class ratio r is kept: 'linear' makes the outputs' mean 2r - 1 on the "
    "unlabelled points, eq. (12); 'exact' searches for the b that puts a share r "
    "on the positive side, eq. (3), in several runs; 'fixed' only sets b = 2r - 1, "
    "in the kernel as it is.",
)


class S3VMachine(ClassRatio, KernelMachine, Iterative):
    """What all kernel S3VMs share: weights, class ratio and features."""

    _max_iter_advice = "raise max_iter"
    _state: type[S3VMState]
    _beside = 4.2  # centred K, features, and a factor beside the matrix it is made of

    C = number(10.0, "Weight of the labelled points.", above=0)
    C_u = number(1.0, "Weight C* of the unlabelled points.", at_least=0)
    factor = choice(
        "cholesky",
        METHODS,
        "How features Z with Z Z' = K are made: pivoted Cholesky or eigenvectors.",
    )
    rank = number(
        None,
        "Most features; None keeps all that are above rounding. The first state tells "
        "what share of the kernel's trace is left out.",
        integer=True,
        optional=True,
        at_least=1,
    )
    max_iter = number(10_000, "Most states.", integer=True, at_least=0)
    tol = number(1e-6, "Threshold of a rule given by name.", at_least=0)

    def _columns(self, task) -> int:
        return 3 * len(task.y)  # K, its features, and a factor of either

    def _check_task(self, task):
        super()._check_task(task)
        u = int(task.unlabeled.sum())
        given = [] if self.r is None else np.atleast_1d(self.r)
        for r in given if u else []:
            if not 1 <= np.floor(r * u + 0.5) <= u - 1:
                raise ValueError(
                    f"r must leave a point on either side, got r={r:g} for {u} "
                    f"unlabelled points; choose r from {1 / u:.3g} to {1 - 1 / u:.3g}, "
                    f"or None to take it from the labels."
                )
        k = task.Y.shape[1]
        total = np.sum(np.broadcast_to(given, k)) if k > 1 and len(given) else 1.0
        if abs(total - 1.0) > 0.01:
            raise ValueError(
                f"r must add up to 1 over the {k} classes, got {total:.3g}; give one "
                f"share for each of them, or None to take it from the labels."
            )

    def _space(self, task) -> Space:
        """The kernel that the machine is trained in."""
        return Space(self._gram(task))

    def _features(self, task, space: Space):
        made = features(space, method=self.factor, rank=self.rank)
        if not made.exact:
            text = (
                f"{made.d} features stand for the kernel of {made.n} points; they "
                f"leave out {made.error:.2g} of its trace."
            )
            data = {"rank": made.d, "error": made.error}
            task.notes.append(Event("rank", text, data))
        return made

    def _solve(self, task) -> Iterator[S3VMState]:
        run = self._prepare(task, self._space(task))
        return one_vs_rest(task.Y, task.start, run)

    def _prepare(self, task, space: Space):
        """Function (j, y, start) that puts the solver to work on machine j."""
        raise NotImplementedError  # a subclass knows its balance constraint


class _Combinatorial(S3VMachine):
    """[CSK08] section 3: the bias is free, the class ratio is kept by the labels."""

    def _prepare(self, task, space):
        made = self._features(task, space)

        def run(j, y, start):
            r = self._ratio(j)
            problem = S3VM(made, y, C=self.C, C_u=self.C_u, r=r, bias=FREE)
            return self._method(problem, start)

        return run

    def _method(self, problem: S3VM, start) -> Iterator[S3VMState]:
        raise NotImplementedError  # a subclass knows its algorithm


class _Continuous(S3VMachine):
    """[CSK08] section 4: labels are the signs of the outputs, b carries the ratio."""

    _near = 0.0  # distance of b within which the search goes on from a solution
    balance = BALANCE

    def _prepare(self, task, space):
        unlabeled = np.flatnonzero(task.unlabeled)
        if self.balance != "fixed" and len(unlabeled):
            space = space.centred(unlabeled)
        made = self._features(task, space)

        def run(j, y, start):
            r = self._ratio(j)
            problem = S3VM(made, y, C=self.C, C_u=self.C_u, r=r)
            problem = problem.fixed_at(2.0 * problem.r - 1.0)
            if self.balance != "exact" or problem.u == 0:
                return self._method(problem, start)

            def solve(p, solved):
                return self._method(p, start if solved is None else solved)

            return balanced(problem, solve, near=self._near)

        return run

    def _method(self, problem: S3VM, start) -> Iterator[S3VMState]:
        raise NotImplementedError  # a subclass knows its algorithm


class S3VMLightClassifier(_Combinatorial):
    """S3VM by label switching, [CSK08] section 3.2, Algorithm 1.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
            + C_u sum_unlabeled max(0, 1 - y' f)^2

    over w, b and the labels y' of the unlabelled points, a share r of them positive.
    """

    _state = s3vm_light.S3VMLightState

    S = number(
        1,
        "Most pairs of labels switched at once; None is as many as there are.",
        integer=True,
        optional=True,
        at_least=1,
    )
    first = number(
        s3vm_light.FIRST, "First C_u as a share of the last.", above=0, at_most=1
    )
    rate = number(s3vm_light.RATE, "Factor by which C_u rises.", above=1)

    def _method(self, problem, start):
        return s3vm_light.s3vm_light(
            problem, S=self.S, first=self.first, rate=self.rate, start=start
        )


class _Annealing(_Combinatorial):
    """What the two ways of deterministic annealing share: the temperatures."""

    _state = nabla_da.AnnealingState

    T = number(nabla_da.T_START, "First temperature, in units of C_u.", above=0)
    rate = number(nabla_da.RATE, "Factor by which T falls.", above=1)
    max_temperatures = number(
        nabla_da.MAX_TEMPERATURES, "Most temperatures.", integer=True, at_least=1
    )

    @property
    def _cooling(self) -> dict:
        return {
            "T": self.T,
            "rate": self.rate,
            "max_temperatures": self.max_temperatures,
        }


class DAKernelClassifier(_Annealing):
    """S3VM by deterministic annealing in turns, [CSK08] section 3.3, Algorithm 2.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
            + C_u sum_unlabeled ( p max(0, 1 - f)^2 + (1 - p) max(0, 1 + f)^2 )
            - T H(p),  mean(p) = r

    while T falls towards 0: over w and b, over p, and again.
    """

    def _method(self, problem, start):
        return da_kernel(problem, **self._cooling, start=start)


class _GradientSteps(S3VMachine):
    """What the gradient methods share."""

    every = number(
        _gradient.EVERY,
        "Gradient steps from one state to the next; a step of the schedule ends with "
        "one as well.",
        integer=True,
        at_least=1,
    )
    tol = number(
        _gradient.TOL,
        "Size of the gradient that ends a step of the schedule, relative to w = 0; "
        "also the threshold of a rule given by name.",
        at_least=0,
    )


class NablaDAClassifier(_GradientSteps, _Annealing):
    """S3VM by deterministic annealing with gradients, [CSK08] section 3.3, eq. (9).

    The objective of `DAKernelClassifier` with the best p put in its place, as a
    function of w and b alone.
    """

    def _method(self, problem, start):
        return nabla_da.nabla_da(
            problem, **self._cooling, every=self.every, tol=self.tol, start=start
        )


class CCCPClassifier(_Continuous):
    """S3VM by the concave-convex procedure, [CSK08] section 4.1, Algorithm 4.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^p
            + C_u sum_unlabeled max(0, 1 - |f|)^p

    with the concave part of the last term replaced by its tangent, again and again.
    """

    _state = cccp_.CCCPState

    loss = choice(
        "squared",
        tuple(cccp_.LOSSES),
        "Hinge loss squared (p = 2) or plain (p = 1), for labelled and unlabelled "
        "points.",
    )
    steps = number(
        cccp_.STEPS,
        "Values of C_u from a thousandth of the last; 1 does without annealing.",
        integer=True,
        at_least=1,
    )

    def _method(self, problem, start):
        return cccp_.cccp(problem, loss=self.loss, steps=self.steps, start=start)


class _Doubling(_Continuous):
    """What the methods share whose C_u doubles."""

    steps = number(
        nabla_s3vm_.STEPS,
        "Values of C_u, each twice the last; 1 does without annealing.",
        integer=True,
        at_least=1,
    )


class NablaS3VMClassifier(_GradientSteps, _Doubling):
    """S3VM by gradient descent, [CSK08] section 4.2, eq. (14).

    1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2 + C_u sum_unlabeled exp(-s f^2)
    """

    _state = nabla_s3vm_.NablaS3VMState

    narrowness = number(5.0, "s of the unlabelled loss exp(-s f^2).", above=0)

    def _method(self, problem, start):
        return nabla_s3vm_.nabla_s3vm(
            problem,
            s=self.narrowness,
            steps=self.steps,
            every=self.every,
            tol=self.tol,
            start=start,
        )


class CS3VMClassifier(_GradientSteps, _Continuous):
    """S3VM by continuation, [CSK08] section 4.3, Algorithm 5.

    The objective of `NablaS3VMClassifier` convolved with a Gaussian, which is taken
    away step by step.
    """

    _state = cs3vm_.CS3VMState
    _beside = 5.2  # the widest smoothing is found by a matrix of its own

    narrowness = number(5.0, "s of the unlabelled loss exp(-s f^2).", above=0)
    steps = number(
        cs3vm_.STEPS,
        "Smoothed objectives before the true one.",
        integer=True,
        at_least=0,
    )
    smooth_labeled = switch(False, "Smooth the loss of the labelled points as well.")

    def _method(self, problem, start):
        return cs3vm_.cs3vm(
            problem,
            s=self.narrowness,
            steps=self.steps,
            smooth_labeled=self.smooth_labeled,
            every=self.every,
            tol=self.tol,
            start=start,
        )


class NewtonS3VMClassifier(_Doubling):
    """S3VM by Newton's method with a ridge, [CSK08] section 4.4, Algorithm 6.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2 + C_u sum_unlabeled psi(f)

    with psi flat in the middle, or max(0, 1 - |f|)^2.
    """

    _state = newton_s3vm.NewtonS3VMState

    loss = choice(
        "flat",
        tuple(newton_s3vm.LOSSES),
        "Of unlabelled points: flat for |f| < 0.5, or quadratic.",
    )
    tol = number(
        newton_s3vm.TOL,
        "Size of the gradient that ends a step of the schedule, relative to w = 0; "
        "also the threshold of a rule given by name.",
        at_least=0,
    )

    @property
    def _near(self):
        return newton_s3vm.NEAR[self.loss]

    def _method(self, problem, start):
        return newton_s3vm.newton_s3vm(
            problem, loss=self.loss, steps=self.steps, tol=self.tol, start=start
        )


class _Exhaustive(_Combinatorial):
    """Methods that work on K itself and bound what any labelling can reach."""

    C_u = number(1.0, "Weight C* of the unlabelled points.", above=0)


class BranchAndBoundClassifier(_Exhaustive):
    """The global optimum of an S3VM by branch and bound, [CSK08] section 3.1.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
            + C_u sum_unlabeled max(0, 1 - y' f)^2

    over w, b and all labels y' with a share r of them positive: with a proof where it
    ends before its limits, else with the gap that is left.
    """

    _state = BranchState
    _max_iter_advice = "raise max_iter, max_nodes or max_seconds"

    order = choice(
        "depth",
        tuple(ORDERS),
        "Go on below the last node, or at the one with the lowest bound.",
    )
    max_nodes = number(2_000, "Most nodes.", integer=True, at_least=1)
    max_seconds = number(
        None, "Most seconds; None for as long as it takes.", optional=True, above=0
    )
    spread = switch(
        False,
        "Try labels that spread from neighbour to neighbour as a first incumbent, too.",
    )
    max_iter = number(100_000, "Most states.", integer=True, at_least=0)

    def _method(self, problem, start):
        solver = branch_and_bound(
            problem,
            order=self.order,
            spread=self.spread,
            max_nodes=self.max_nodes,
            max_seconds=self.max_seconds,
            start=start,
        )
        return in_callers_kernel(solver, problem.features)


class ConvexRelaxationClassifier(_Exhaustive):
    """Semi-definite relaxation of an S3VM, [CSK08] section 3.4, eq. (10)-(11).

    The labels y enter the dual as Gamma = yy'; here Gamma is any matrix that has what
    all such matrices have. Its rounded labels are the model, its value bounds what
    any labels can reach.
    """

    _state = RelaxationState

    chunk = number(
        25, "Iterations of the conic solver per state.", integer=True, at_least=1
    )
    tol = number(
        1e-4,
        "Gap, relative to the objective, at which labels count as optimal; the "
        "relaxation is solved to a tenth of it. Also the threshold of a rule given by "
        "name.",
        at_least=0,
    )
    max_iter = number(200, "Most chunks.", integer=True, at_least=0)
    max_unlabeled = number(
        120,
        "Most unlabelled points: time and memory grow with the fourth power.",
        integer=True,
        at_least=1,
    )

    def _check_task(self, task):
        super()._check_task(task)
        u = int(task.unlabeled.sum())
        if u > self.max_unlabeled:
            raise ValueError(
                f"convex_relaxation is for up to max_unlabeled={self.max_unlabeled} "
                f"unlabelled points, got {u}; take fewer points or another method."
            )

    def _method(self, problem, start):
        solver = convex_relaxation(problem, tol=self.tol, chunk=self.chunk, start=start)
        return in_callers_kernel(solver, problem.features)
