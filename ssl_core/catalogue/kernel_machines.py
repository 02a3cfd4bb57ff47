"""Supervised and manifold-regularised kernel machines, [MB11]."""

from ssl_core.estimators import kernel as machines
from ssl_core.knobs import Knob
from ssl_core.registry import Algorithm, Curve, register

KERNEL = (
    Knob(
        "kernel",
        "choice",
        default="rbf",
        choices=("rbf", "linear", "poly"),
        help="How two points are compared: Gaussian, inner product or polynomial.",
    ),
    Knob(
        "sigma",
        "log",
        0.01,
        1e4,
        default=1.0,
        help="Width σ of the Gaussian kernel: how far a point's influence reaches.",
    ),
    Knob(
        "degree",
        "int",
        1,
        12,
        default=3,
        step=1,
        help="Degree of the polynomial kernel.",
    ),
    Knob(
        "coef0",
        "float",
        0.0,
        10.0,
        default=1.0,
        step=0.5,
        help="Constant added to the inner product in the polynomial kernel.",
    ),
)
GAMMA_A = Knob(
    "gamma_A",
    "log",
    1e-8,
    1e3,
    default=1e-2,
    help="Ambient weight γ_A: how smooth the function must be everywhere.",
)
MANIFOLD = (
    Knob(
        "n_neighbors",
        "int",
        1,
        60,
        default=6,
        step=1,
        help="Neighbours of each point in the data graph.",
        unit="points",
    ),
    Knob(
        "weights",
        "choice",
        default="binary",
        choices=("binary", "heat"),
        help="Weight of a graph edge: 1, or less the longer it is.",
    ),
    Knob("normalized", "bool", default=True, help="Use the normalised Laplacian."),
    Knob(
        "laplacian_degree",
        "int",
        1,
        6,
        default=1,
        step=1,
        help="Power p of the Laplacian: higher demands smoother functions.",
    ),
    GAMMA_A,
    Knob(
        "gamma_I",
        "log",
        1e-8,
        1e3,
        default=1.0,
        also=(0.0,),
        help="Intrinsic weight γ_I: how little the function may change along the data.",
    ),
)
NEWTON_STEPS = Knob(
    "max_iter",
    "int",
    1,
    100,
    default=50,
    step=1,
    help="Most Newton steps allowed.",
    travels=False,
)
STOPPING = (
    Knob(
        "stop",
        "choice",
        default=None,
        choices=(
            None,
            "stability",
            "validation",
            "mixed",
            "gradient",
            "preconditioned",
            "objective",
        ),
        help="When to stop: a norm below tol, or a check on the decisions.",
        travels=False,
    ),
    Knob(
        "tol",
        "log",
        1e-14,
        1e-1,
        default=1e-6,
        also=(0.0,),
        help="Tolerance relative to the start; 0 runs to the last iteration.",
        travels=False,
    ),
    Knob(
        "max_iter",
        "int",
        1,
        2000,
        default=500,
        step=1,
        help="Most iterations allowed.",
        travels=False,
    ),
    Knob(
        "check_every",
        "int",
        1,
        200,
        default=None,
        also=(None,),
        help="Iterations θ between two checks; automatic is √n / 2.",
        travels=False,
    ),
)
DTYPE = Knob(
    "dtype",
    "choice",
    default="float64",
    choices=("float64", "float32"),
    help="Precision in which the kernel matrix is stored.",
)

PER_CLASS = Knob(
    "stop_per_class",
    "bool",
    default=False,
    help="With more than two classes, let every machine stop by itself.",
    travels=False,
)
OBJECTIVE = Curve("Objective", ("objective",))
GRADIENT = Curve("Gradient norm", ("grad_norm",), log=True)
ERROR_VECTORS = Curve("Error vectors", ("n_error_vectors",))
NORMS = Curve(
    "Norms, relative to the start",
    ("grad_norm", "precond_grad_norm", "mixed_product", "objective"),
    log=True,
    relative=True,
)

SQUARED_HINGE = r"\sum_{i \in \mathcal{L}} \max(0,\, 1 - y_i f(x_i))^2"
SQUARED = r"\sum_{i \in \mathcal{L}} (y_i - f(x_i))^2"
AMBIENT = r"\gamma_A\, \alpha^\top K \alpha"
INTRINSIC = r"\gamma_I\, f^\top L f"


def _half(*terms: str) -> str:
    return r"\tfrac12 \Big( " + " + ".join(terms) + r" \Big)"


for _algorithm in (
    Algorithm(
        id="svm",
        estimator=machines.SVMClassifier,
        title="Supervised SVM",
        family="supervised",
        paper="MB11",
        section="6 (baseline)",
        idea="The widest margin between the labelled points, and nothing else.",
        objective=_half(SQUARED_HINGE, AMBIENT),
        knobs=(*KERNEL, GAMMA_A, NEWTON_STEPS, DTYPE),
        curves=(OBJECTIVE, GRADIENT, ERROR_VECTORS),
        max_n=20_000,
        inputs="kernel",
        marks="error vectors",
        problem="problems/supervised.py",
        solver="solvers/newton.py",
    ),
    Algorithm(
        id="rlsc",
        estimator=machines.RLSClassifier,
        title="Supervised least squares",
        family="supervised",
        paper="MB11",
        section="6 (baseline)",
        idea="Fit the labels of the labelled points by regularised least squares.",
        objective=_half(SQUARED, AMBIENT),
        knobs=(*KERNEL, GAMMA_A, DTYPE),
        curves=(OBJECTIVE,),
        max_n=20_000,
        inputs="kernel",
        marks="",
        problem="problems/supervised.py",
        solver="solvers/newton.py",
    ),
    Algorithm(
        id="lapsvm_newton",
        estimator=machines.LapSVMNewtonClassifier,
        title="Laplacian SVM, Newton",
        family="manifold",
        paper="MB11",
        section="3.1",
        idea="Labels spread along the data graph; a few exact Newton steps.",
        objective=_half(SQUARED_HINGE, AMBIENT, INTRINSIC),
        knobs=(*KERNEL, *MANIFOLD, NEWTON_STEPS, DTYPE),
        curves=(OBJECTIVE, GRADIENT, ERROR_VECTORS),
        max_n=4_000,
        inputs="kernel",
        marks="error vectors",
        problem="problems/laplacian.py",
        solver="solvers/newton.py",
    ),
    Algorithm(
        id="lapsvm_pcg",
        estimator=machines.LapSVMPCGClassifier,
        title="Laplacian SVM, PCG",
        family="manifold",
        paper="MB11",
        section="3.2, Algorithm 1, 3.2.1",
        idea=(
            "Labels spread along the data graph, one conjugate gradient step at a "
            "time; stop when the decision is stable."
        ),
        objective=_half(SQUARED_HINGE, AMBIENT, INTRINSIC),
        knobs=(*KERNEL, *MANIFOLD, *STOPPING, PER_CLASS, DTYPE),
        curves=(NORMS, ERROR_VECTORS, Curve("Step length", ("step",), log=True)),
        max_n=12_000,
        inputs="kernel",
        marks="error vectors",
        problem="problems/laplacian.py",
        solver="solvers/pcg.py",
    ),
    Algorithm(
        id="lapsvm_dual",
        estimator=machines.LapSVMDualClassifier,
        title="Laplacian SVM, dual",
        family="manifold",
        paper="MB11",
        section="2.1, eq. 4-6",
        idea="The original hinge-loss Laplacian SVM: a QP on the labelled points.",
        objective=(
            r"\sum_{i \in \mathcal{L}} \max(0,\, 1 - y_i f(x_i)) + "
            + AMBIENT
            + r" + \gamma_I\, \alpha^\top K L K \alpha"
        ),
        knobs=(
            *KERNEL,
            *MANIFOLD,
            Knob(
                "tol",
                "log",
                1e-12,
                1e-1,
                default=1e-6,
                help="Largest violation of the optimality conditions.",
                travels=False,
            ),
            Knob(
                "max_iter",
                "int",
                1,
                10_000,
                default=1000,
                step=1,
                help="Most sweeps of pair updates.",
                travels=False,
            ),
            DTYPE,
        ),
        curves=(
            Curve("Primal and dual objective", ("objective", "dual_objective")),
            Curve("Violation", ("violation",), log=True),
            Curve("Support vectors", ("n_support",)),
        ),
        max_n=4_000,
        inputs="kernel",
        marks="support vectors",
        problem="problems/laplacian.py",
        solver="solvers/lapsvm_dual.py",
    ),
    Algorithm(
        id="laprlsc",
        estimator=machines.LapRLSClassifier,
        title="Laplacian least squares",
        family="manifold",
        paper="MB11",
        section="5, eq. 14",
        idea="Least squares on the labels, smooth along the data graph: one solve.",
        objective=_half(SQUARED, AMBIENT, INTRINSIC),
        knobs=(*KERNEL, *MANIFOLD, DTYPE),
        curves=(OBJECTIVE,),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/laplacian.py",
        solver="solvers/newton.py",
    ),
    Algorithm(
        id="laprlsc_pcg",
        estimator=machines.LapRLSPCGClassifier,
        title="Laplacian least squares, PCG",
        family="manifold",
        paper="MB11",
        section="5, eq. 14",
        idea="The same by conjugate gradient, whose step has a closed form here.",
        objective=_half(SQUARED, AMBIENT, INTRINSIC),
        knobs=(*KERNEL, *MANIFOLD, *STOPPING, PER_CLASS, DTYPE),
        curves=(NORMS, Curve("Step length", ("step",), log=True)),
        max_n=12_000,
        inputs="kernel",
        marks="",
        problem="problems/laplacian.py",
        solver="solvers/pcg.py",
    ),
):
    register(_algorithm)
