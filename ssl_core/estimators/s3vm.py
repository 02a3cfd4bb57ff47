"""Semi-supervised SVMs with kernels as scikit-learn classifiers, [CSK08]."""

from ssl_core.estimators.bases import KernelS3VM, at_most
from ssl_core.estimators.groups import Balance, Stopping, Weights
from ssl_core.settings import LIGHTEST, number, shared
from ssl_core.solvers.branch_and_bound import BranchAndBound, BranchState
from ssl_core.solvers.cccp import CCCP, CCCPState
from ssl_core.solvers.convex_relaxation import Relaxation, RelaxationState
from ssl_core.solvers.cs3vm import Continuation, CS3VMState
from ssl_core.solvers.da_kernel import KernelAnnealing
from ssl_core.solvers.nabla_da import AnnealingState, GradientAnnealing
from ssl_core.solvers.nabla_s3vm import GradientDescent, NablaS3VMState
from ssl_core.solvers.newton_s3vm import NewtonS3VMState, NewtonSteps
from ssl_core.solvers.s3vm_light import S3VMLight, S3VMLightState


class S3VMLightClassifier(KernelS3VM):
    """S3VM by label switching, [CSK08] section 3.2, Algorithm 1.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
            + C_u sum_unlabeled max(0, 1 - y' f)^2

    over w, b and the labels y' of the unlabelled points, a share r of them positive.
    """

    _state = S3VMLightState
    _solver = S3VMLight
    _quick = "Label switching"

    S: int | None = shared(S3VMLight)
    first: float = shared(S3VMLight)
    rate: float = shared(S3VMLight)
    tol: float = shared(S3VMLight)
    max_iter: int = shared(Stopping, **at_most("trainings"))


class DAKernelClassifier(KernelS3VM):
    """S3VM by alternating deterministic annealing, [CSK08] section 3.3, Algorithm 2.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
            + C_u sum_unlabeled ( p max(0, 1 - f)^2 + (1 - p) max(0, 1 + f)^2 )
            - T H(p),  mean(p) = r

    while T falls towards 0: over w and b, over p, and again.
    """

    _state = AnnealingState
    _solver = KernelAnnealing
    _quick = "Annealing in turns"

    T: float = shared(KernelAnnealing)
    rate: float = shared(KernelAnnealing)
    max_temperatures: int = shared(KernelAnnealing)
    tol: float = shared(KernelAnnealing)
    max_iter: int = shared(Stopping, **at_most("alternations"))


class NablaDAClassifier(KernelS3VM):
    """S3VM by deterministic annealing with gradients, [CSK08] section 3.3, eq. (9).

    The objective of `DAKernelClassifier` with the best p substituted, as a
    function of w and b alone.
    """

    _state = AnnealingState
    _solver = GradientAnnealing
    _quick = "Annealing by gradient"
    _each = 0.0  # nothing is factored

    T: float = shared(GradientAnnealing)
    rate: float = shared(GradientAnnealing)
    max_temperatures: int = shared(GradientAnnealing)
    every: int = shared(GradientAnnealing)
    tol: float = shared(GradientAnnealing)
    max_iter: int = shared(Stopping, **at_most("frames"))


class CCCPClassifier(KernelS3VM):
    """S3VM by the concave-convex procedure, [CSK08] section 4.1, Algorithm 4.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^p
            + C_u sum_unlabeled max(0, 1 - |f|)^p

    with the concave part of the last term repeatedly replaced by its tangent.
    """

    _state = CCCPState
    _solver = CCCP
    _quick = "Concave-convex procedure"

    loss: str = shared(CCCP)
    steps: int = shared(CCCP)
    balance: str = shared(Balance)
    tol: float = shared(CCCP)
    max_iter: int = shared(Stopping, **at_most("convex problems"))


class NablaS3VMClassifier(KernelS3VM):
    """S3VM by gradient descent, [CSK08] section 4.2, eq. (14).

    1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2 + C_u sum_unlabeled exp(-s f^2)
    """

    _state = NablaS3VMState
    _solver = GradientDescent
    _quick = "Gradient"
    _each = 0.0

    narrowness: float = shared(GradientDescent)
    steps: int = shared(GradientDescent)
    balance: str = shared(Balance)
    every: int = shared(GradientDescent)
    tol: float = shared(GradientDescent)
    max_iter: int = shared(Stopping, **at_most("frames"))


class CS3VMClassifier(KernelS3VM):
    """S3VM by continuation, [CSK08] section 4.3, Algorithm 5.

    The objective of `NablaS3VMClassifier` convolved with a Gaussian, which is taken
    away step by step.
    """

    _state = CS3VMState
    _solver = Continuation
    _quick = "Continuation"
    _matrices = 5.2  # the widest smoothing is found by a matrix of its own
    _each = 0.0

    narrowness: float = shared(Continuation)
    steps: int = shared(Continuation)
    smooth_labeled: bool = shared(Continuation)
    balance: str = shared(Balance)
    every: int = shared(Continuation)
    tol: float = shared(Continuation)
    max_iter: int = shared(Stopping, **at_most("frames"))


class NewtonS3VMClassifier(KernelS3VM):
    """S3VM by Newton's method with a ridge, [CSK08] section 4.4, Algorithm 6.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2 + C_u sum_unlabeled psi(f)

    with psi flat in the middle, or max(0, 1 - |f|)^2.
    """

    _state = NewtonS3VMState
    _solver = NewtonSteps
    _quick = "Newton"

    loss: str = shared(NewtonSteps)
    steps: int = shared(NewtonSteps)
    balance: str = shared(Balance)
    tol: float = shared(NewtonSteps)
    max_iter: int = shared(Stopping, **at_most("Newton steps"))


class BranchAndBoundClassifier(KernelS3VM):
    """The global optimum of an S3VM by branch and bound, [CSK08] section 3.1.

        1/2 |w|^2 + C sum_labeled max(0, 1 - y f)^2
            + C_u sum_unlabeled max(0, 1 - y' f)^2

    over w, b and all labels y' with a share r of them positive: with a proof where it
    ends before its limits, else with the gap that is left.
    """

    _state = BranchState
    _solver = BranchAndBound
    _max_iter_advice = "raise max_iter, max_nodes or max_seconds"

    C_u: float = shared(Weights, at_least=LIGHTEST, extra=())
    max_nodes: int = shared(BranchAndBound)
    order: str = shared(BranchAndBound)
    max_seconds: float | None = shared(BranchAndBound)
    spread: bool = shared(BranchAndBound)
    tol: float = shared(BranchAndBound)
    max_iter: int = shared(Stopping, **at_most("nodes", 100_000))


class ConvexRelaxationClassifier(KernelS3VM):
    """Semi-definite relaxation of an S3VM, [CSK08] section 3.4, eq. (10)-(11).

    The labels y enter the dual as Gamma = yy'; here Gamma is any matrix with the
    properties of all such matrices. Its rounded labels are the model, its value is a
    lower bound for all labels.
    """

    _state = RelaxationState
    _solver = Relaxation
    _matrices = 130.0  # those of the semi-definite programme

    C_u: float = shared(Weights, at_least=LIGHTEST, extra=())
    chunk: int = shared(Relaxation)
    tol: float = shared(Relaxation)
    max_iter: int = shared(Stopping, **at_most("frames", 200))
    max_unlabeled: int = number(
        120,
        "Maximum number of unlabelled points: time grows with the fourth power.",
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
