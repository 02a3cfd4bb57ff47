"""Gradient methods under a schedule: one smooth objective after the other."""

from collections.abc import Iterator

import numpy as np

from ssl_core.losses import SquaredHinge
from ssl_core.problems.s3vm import S3VM, SmoothS3VM
from ssl_core.solvers._lbfgs import LBFGSIterate, lbfgs

EVERY = 10  # gradient steps from one state to the next
TOL = 1e-5  # of the gradient at w = 0, which the labelled points make
HINGE = SquaredHinge()


class Descent:
    """(w, b) under a changing objective, and the gradient steps it took."""

    def __init__(self, problem: S3VM, start, tol):
        self.problem = problem
        v = problem.start_vector(start)
        f = problem.features.outputs(v)
        self.tol = tol * _scale(problem)
        self.here = LBFGSIterate(v, f, problem.hard_objective(v, f, 0.0), 0.0, 0)
        self.inner = 0

    @property
    def v(self):
        return self.here.v

    @property
    def f(self):
        return self.here.f

    def supervised(self) -> None:
        """The labelled points' own machine."""
        for _ in self.minimise(self.problem.smooth(HINGE, HINGE, 0.0), every=None):
            pass

    def look(self, objective: SmoothS3VM) -> None:
        """Value and gradient of another objective, without a step."""
        self.here = next(lbfgs(objective, self.v, self.f, tol=self.tol))
        self.inner = 0

    def fields(self, objective: SmoothS3VM) -> dict:
        """What a state says of this point under an objective."""
        here = self.here
        return {
            "objective": here.objective,
            "grad_norm": here.grad_norm,
            "lens": objective.lens,
            **self.problem.state_fields(here.v, here.f, self.inner),
        }

    def minimise(self, objective: SmoothS3VM, *, every=EVERY) -> Iterator[bool]:
        """Descend to the minimum; yields now and then, and whether it is reached."""
        before = 0
        for step in lbfgs(objective, self.v, self.f, tol=self.tol):
            self.here = step
            self.inner = step.iterations - before
            if step.ended:
                yield True
            elif every and step.iterations and step.iterations % every == 0:
                yield False
                before = step.iterations


def _scale(problem: S3VM) -> float:
    """|gradient| of the labelled losses where all outputs are 0."""
    slope = np.zeros(problem.n)
    y = problem.y[problem.labeled]
    slope[problem.labeled] = 2.0 * problem.C * y
    return float(np.linalg.norm(slope @ problem.features.Z)) or 1.0
