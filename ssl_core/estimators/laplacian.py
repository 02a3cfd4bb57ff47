"""The Laplacian SVM family and its supervised baselines, [MB11]."""

import time

import numpy as np

from ssl_core.estimators.base import Iterative
from ssl_core.estimators.kernel import ManifoldMachine, StoredKernelMachine
from ssl_core.estimators.parameters import number, switch
from ssl_core.problems import laplacian, supervised
from ssl_core.problems.bias import FREE, NO_BIAS
from ssl_core.solvers.lapsvm_dual import DualState, lapsvm_dual
from ssl_core.solvers.newton import NewtonState, newton
from ssl_core.solvers.pcg import PCGState, pcg
from ssl_core.stopping import mixed_product


class _Ambient(StoredKernelMachine):
    """The norm of f and its bias."""

    _problem: type  # of the objective

    gamma_A = number(1e-2, "Ambient regularisation; C = 1 / gamma_A.", above=0)
    bias = switch(True, "Whether f has a constant b, which no norm holds.")

    @property
    def _weights(self) -> dict:
        """What every problem of the family takes."""
        return {"gamma_A": self.gamma_A, "bias": FREE if self.bias else NO_BIAS}


class _NewtonSteps(Iterative):
    """Newton's method: a handful of steps is the rule."""

    _state = NewtonState
    _max_iter_advice = "raise max_iter"

    tol = number(1e-6, "Threshold of a rule given by name.", at_least=0)
    max_iter = number(50, "Most Newton steps.", integer=True, at_least=0)


class _Supervised(_Ambient):
    """Trains on the labelled points alone, in the primal, by Newton's method."""

    _state = NewtonState

    def _columns(self, task) -> int:
        return np.count_nonzero(~task.unlabeled)

    def _kernel_columns(self, size) -> int:
        return size.n_labeled

    def _solve(self, task):
        labeled = np.flatnonzero(~task.unlabeled)
        with np.errstate(over="ignore", invalid="ignore"):  # checked below
            K = self.model_.matrix(task.X, labeled).astype(self.dtype, copy=False)
        self._check_values(K, (len(task.y), len(labeled)))
        if self._from_outside:
            self._add_ridge(K, K[labeled], task, labeled)
        problem = self._problem(K, task.Y, **self._weights)
        return newton(problem, start=task.start)


class SVMClassifier(_Supervised, _NewtonSteps):
    """Supervised SVM with squared hinge loss, trained in the primal.

    The baseline of [MB11]: unlabeled points are ignored, but receive outputs.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha )
    """

    _problem = supervised.SVM


class RLSClassifier(_Supervised):
    """Supervised regularised least squares, one direct solve.

    1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha )
    """

    _problem = supervised.RLSC


class _Manifold(_Ambient, ManifoldMachine):
    """Kernel and data graph: the manifold-regularised machines.

    ``setup_seconds_`` are the CPU seconds of these two, which [MB11] does not count as
    training.
    """

    def _make_problem(self, task):
        start = time.thread_time()
        K = self._gram(task)
        L = self._laplacian(task, K)
        self.setup_seconds_ = time.thread_time() - start
        return self._problem(K, L, task.Y, gamma_I=self.gamma_I, **self._weights)

    def _solve(self, task):
        return newton(self._make_problem(task), start=task.start)


class _Factoring(_Manifold):
    """Machines that factor a matrix as large as K, in double precision."""

    @property
    def _beside(self):
        return 1.0 if self.dtype == "float64" else 2.0  # K is converted first


class LapRLSClassifier(_Factoring):
    """Laplacian regularised least squares, one direct solve, [MB11] eq. (14).

    1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )
    """

    _problem = laplacian.LapRLSC
    _state = NewtonState


class LapSVMNewtonClassifier(_Factoring, _NewtonSteps):
    """Laplacian SVM in the primal by Newton's method, [MB11] section 3.1.

    1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )
    """

    _problem = laplacian.LapSVM


class LapSVMDualClassifier(_Factoring, Iterative):
    """Laplacian SVM in the dual with hinge loss, [MB11] eq. (4)-(6).

    sum_labeled max(0, 1 - y f) + gamma_A alpha' K alpha + gamma_I alpha' KLK alpha
    """

    _problem = laplacian.LapSVM
    _state = DualState

    tol = number(1e-6, "Largest violation of the optimality conditions.", at_least=0)
    max_iter = number(1000, "Sweeps of l pair updates.", integer=True, at_least=0)

    def _solve(self, task):
        problem = self._make_problem(task)
        return lapsvm_dual(problem, tol=self.tol, start=task.start)


class LapSVMPCGClassifier(_Manifold, Iterative):
    """Laplacian SVM in the primal by preconditioned conjugate gradient.

        1/2 ( sum_labeled max(0, 1 - y f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )

    [MB11] Algorithm 1 with the line search of section 3.2.1 and the early stopping of
    section 4. ``stop=None`` watches the mixed product; the checks on decisions keep it
    as a second reason to stop.
    """

    _problem = laplacian.LapSVM
    _state = PCGState

    def _usual_rule(self):
        return mixed_product(self.tol)

    def _solve(self, task):
        return pcg(self._make_problem(task), start=task.start)

    def _unfinished(self) -> str:
        return f"{super()._unfinished()} (tol={self.tol:g})"


class LapRLSPCGClassifier(LapSVMPCGClassifier):
    """Laplacian regularised least squares by PCG, closed-form steps, [MB11] 5.

    1/2 ( sum_labeled (y - f)^2 + gamma_A alpha' K alpha + gamma_I f' L f )
    """

    _problem = laplacian.LapRLSC
