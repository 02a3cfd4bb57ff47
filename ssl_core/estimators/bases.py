"""Bases of classifiers: of a kernel, of a graph alone, of an S3VM with a kernel."""

import warnings
from collections.abc import Callable, Hashable, Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ssl_core import numerals
from ssl_core.estimators._inputs import MatrixLike
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.estimators.groups import ClassRatio, FeatureMap, Stopping, Weights
from ssl_core.estimators.linear import linear_instead
from ssl_core.estimators.spaces import Graph, GraphValues, Kernel
from ssl_core.features import Space, features
from ssl_core.problems.bias import FREE
from ssl_core.problems.graph import GraphProblem
from ssl_core.problems.s3vm import S3VM
from ssl_core.settings import shared
from ssl_core.solvers._s3vm import S3VMState, balanced
from ssl_core.solvers.one_vs_rest import one_vs_rest
from ssl_core.trace import Array, Event, State, Status


class KernelClassifier(SemiSupervisedClassifier):
    """A kernel machine for two classes, one against the rest for more.

    A subclass names the class of its states and implements ``_machine``.
    """

    _space_kind = Kernel

    kernel: str | Callable = shared(Kernel)
    sigma: float | str = shared(Kernel)
    degree: int = shared(Kernel)
    coef0: float = shared(Kernel)
    stop: Any = shared(Stopping)
    max_iter: int = shared(Stopping)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)

    def lighter(self):
        return linear_instead(self)

    def _machine(self, K: Array, y: Array, start: State | None) -> Iterator[State]:
        """States of the solver of one binary classifier.

        Parameters
        ----------
        K : ndarray of shape (n, n)
        y : ndarray of shape (n,)
            In {-1, 0, +1}, 0 = unlabelled.
        start : State or None
        """
        raise NotImplementedError  # a subclass knows its algorithm

    def _solve(self, task):
        K = self._space().matrix(task, self.model_, task.notes)
        return one_vs_rest(
            task.Y, task.start, lambda j, y, start: self._machine(K, y, start)
        )


class GraphClassifier(SemiSupervisedClassifier):
    """A method that uses the graph of its points only, for two classes or more.

    A subclass names the class of its states, a plain `State` at the least, and a
    solver of `GraphProblem`, or it implements ``_machine``. New points get a weighted
    mean of the outputs of their neighbours among the training points, by ``metric``
    and ``n_neighbors``; this is so with weights ``W``, too, which do not say how new
    points are joined.
    """

    _space_kind = GraphValues

    n_neighbors: int = shared(GraphValues)
    metric: str = shared(GraphValues)
    join: str = shared(GraphValues)
    weights: str = shared(GraphValues)
    W: Any = shared(GraphValues)
    stop: Any = shared(Stopping)
    max_iter: int = shared(Stopping)
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        X_val: MatrixLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> Self:
        """As the other estimators; a UserWarning where outputs prefer no class."""
        self._fit(X, y, X_val, y_val)
        if self.state_.status is Status.MAX_ITER:  # labels may still be on their way
            return self
        f = self.state_.f
        tied = f == 0.0 if f.ndim == 1 else np.ptp(f, axis=1) == 0.0
        if tied.any():
            given = self.classes_[1 if f.ndim == 1 else 0]
            way_out = "raise n_neighbors" if self.W is None else "join them in W"
            warnings.warn(
                f"{int(tied.sum()):,} of {len(f):,} points have outputs that prefer no "
                f"class, as in a part of the graph without labels; predict gives them "
                f"class {given!s}. Label one of them or {way_out}.",
                UserWarning,
                stacklevel=2,
            )
        return self

    def _check_task(self, task):
        super()._check_task(task)
        Graph.of(self).check_training(task.X)

    def _machine(self, W: Any, y: Array, start: State | None) -> Iterator[State]:
        """States of the solver of one binary classifier.

        Parameters
        ----------
        W : CSR array of shape (n, n)
            Symmetric weights of the edges.
        y : ndarray of shape (n,)
            In {-1, 0, +1}, 0 = unlabelled.
        start : State or None
        """
        if self._solver is None:
            raise NotImplementedError  # a subclass knows its algorithm
        return self._solver.of(self)(GraphProblem(W, y), start)

    def _graph_notes(self, W: Any, Y: Array) -> list[Event]:
        """What is odd about the graph and the labels on it."""
        return []

    def _solve(self, task):
        space = self._space()
        W = task.prepared(
            "graph", space, lambda notes: space.edges(task.X, notes), task.notes
        )
        task.notes += self._graph_notes(W, task.Y)
        return one_vs_rest(
            task.Y, task.start, lambda j, y, start: self._machine(W, y, start)
        )


def at_most(counted: str, default: int = 10_000) -> dict[str, Any]:
    """What ``max_iter`` counts."""
    doc = f"Maximum number of {counted}."
    return {"default": default, "doc": doc, "slider": (1, 100_000)}


class KernelS3VM(SemiSupervisedClassifier):
    """What all S3VMs with kernels share, [CSK08]: weights, class ratio and features.

    A subclass names its solver. With a setting ``balance`` it is one of [CSK08]
    section 4: labels are the signs of the outputs, and b carries the class ratio.
    Without it, it is one of [CSK08] section 3: the bias is free, and the labels keep
    the ratio.
    """

    _space_kind = Kernel
    _state: ClassVar[type[S3VMState]]
    _max_iter_advice = "raise max_iter"
    _matrices: ClassVar[float] = 4.2  # centred K, features, a factor and its parts
    _each: ClassVar[float] = 1.05  # the factor of every further binary machine
    _quick: ClassVar[str] = ""  # its name where it takes as many points as a graph
    methods: ClassVar[dict[str, type["KernelS3VM"]]] = {}  # by the solver's name

    kernel: str | Callable = shared(Kernel)
    sigma: float | str = shared(Kernel)
    degree: int = shared(Kernel)
    coef0: float = shared(Kernel)
    C: float = shared(Weights)
    C_u: float = shared(Weights)
    r: Any = shared(ClassRatio)
    rank: int | None = shared(FeatureMap)
    factor: str = shared(FeatureMap)
    stop: Any = shared(Stopping)
    max_iter: int = shared(Stopping, **at_most("states"))
    check_every: int | None = shared(Stopping)
    stop_per_class: bool = shared(Stopping)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "_solver" in vars(cls):  # a subclass that changes defaults replaces nothing
            KernelS3VM.methods[cls._solver.name] = cls

    def lighter(self):
        return linear_instead(self)

    def _products(self, n, n_labeled):
        return 3 * n  # K, its features, and a factor of either

    def _beside(self, size):
        return self._matrices + self._each * (size.machines - 1)

    def _check_task(self, task):
        super()._check_task(task)
        ratio, k = ClassRatio.of(self), task.Y.shape[1]
        ratio.check_machines(k)
        ratio.check_sides(k, int(task.unlabeled.sum()))

    def _kernel_space(self, task, notes: list[Event]) -> Space:
        """The kernel that the machine is trained in."""
        return Space(self._space().matrix(task, self.model_, notes))

    def _kernel_settings(self) -> tuple[Hashable, ...]:
        """What `_kernel_space` depends on, besides the points."""
        return (self._space(),)

    def _features(self, notes, space: Space, unlabeled: Array | None):
        """Features of the kernel, centred on unlabelled points if they are given."""
        if unlabeled is not None:
            space = space.centred(unlabeled)
        made = features(space, method=self.factor, rank=self.rank)
        if not made.exact:
            text = (
                f"{made.d:,} features stand for the kernel of {made.n:,} points; they "
                f"leave out {numerals.number(made.error, 2)} of its trace."
            )
            data = {"rank": made.d, "error": made.error}
            notes.append(Event("rank", text, data))
        return made

    def _solve(self, task) -> Iterator[S3VMState]:
        run = self._prepare(task, self)
        return one_vs_rest(task.Y, task.start, run)

    def _prepare(self, task, outer: "KernelS3VM"):
        """Function (j, y, start) that puts the solver to work on machine j.

        ``outer`` knows the kernel: this machine itself, or the one it works in.
        """
        balance = getattr(self, "balance", None)
        centred = balance in ("linear", "exact") and bool(task.unlabeled.any())
        unlabeled = np.flatnonzero(task.unlabeled) if centred else None
        made = task.prepared(
            "features",
            (*outer._kernel_settings(), centred, self.factor, self.rank),
            lambda notes: self._features(
                notes, outer._kernel_space(task, notes), unlabeled
            ),
            task.notes,
        )
        ratio, solver = ClassRatio.of(self), self._solver.of(self)

        def run(j, y, start):
            r = ratio.of_machine(j)
            problem = S3VM(made, y, C=self.C, C_u=self.C_u, r=r, bias=FREE)
            if balance is not None:
                problem = problem.fixed_at(2.0 * problem.r - 1.0)
            if balance != "exact" or problem.u == 0:
                return solver(problem, start)

            def solve(p, solved):
                return solver(p, start if solved is None else solved)

            return balanced(problem, solve, near=getattr(solver, "near", 0.0))

        return run
