"""Supervised and manifold-regularised kernel machines, [MB11]."""

from dataclasses import replace

from ssl_core.catalogue.stopping import TOL, stopping_knobs
from ssl_core.estimators import laplacian as machines
from ssl_core.knobs import Knob
from ssl_core.registry import (
    MANIFOLD,
    SUPERVISED,
    Algorithm,
    Curve,
    register,
)

KERNEL = (
    Knob(
        "kernel",
        "choice",
        choices=("rbf", "linear", "poly"),
        help="How two points are compared: Gaussian, inner product or polynomial.",
        title="Kernel",
        words=("Gaussian", "Linear", "Polynomial"),
        place="more",
    ),
    Knob(
        "sigma",
        "log",
        0.01,
        1e4,
        help="Width σ of the Gaussian kernel: how far a point's influence reaches.",
        title="Kernel width σ",
        needs=("kernel", "rbf"),
    ),
    Knob(
        "degree",
        "int",
        1,
        12,
        step=1,
        help="Degree of the polynomial kernel.",
        title="Polynomial degree",
        place="more",
        needs=("kernel", "poly"),
    ),
    Knob(
        "coef0",
        "float",
        0.0,
        10.0,
        step=0.5,
        help="Constant added to the inner product in the polynomial kernel.",
        title="Polynomial constant",
        place="more",
        needs=("kernel", "poly"),
    ),
)
GAMMA_A = Knob(
    "gamma_A",
    "log",
    1e-8,
    1e3,
    help="Ambient weight γ_A: how smooth the function must be everywhere.",
    title="Ambient weight γ_A",
)
BIAS = Knob(
    "bias",
    "bool",
    title="Bias b",
    place="more",
    help="Let f have a constant b; the published tables were made without it.",
)
EDGES = (
    Knob(
        "n_neighbors",
        "int",
        1,
        60,
        step=1,
        help="Neighbours of each point in the data graph.",
        unit="points",
        title="Neighbours",
    ),
    Knob(
        "weights",
        "choice",
        choices=("binary", "heat"),
        help="Weight of a graph edge: 1, or less the longer it is.",
        title="Edge weights",
        words=("All equal", "Shorter is stronger"),
        place="more",
    ),
)
GRAPH = (
    *EDGES,
    Knob(
        "normalized",
        "bool",
        help="Use the normalised Laplacian.",
        title="Normalised Laplacian",
        place="more",
    ),
    Knob(
        "laplacian_degree",
        "int",
        1,
        6,
        step=1,
        help="Power p of the Laplacian: higher demands smoother functions.",
        title="Laplacian degree p",
        place="more",
    ),
    GAMMA_A,
    BIAS,
    Knob(
        "gamma_I",
        "log",
        1e-8,
        1e3,
        also=(0.0,),
        help="Intrinsic weight γ_I: how little the function may change along the data.",
        title="Intrinsic weight γ_I",
    ),
)
DTYPE = Knob(
    "dtype",
    "choice",
    choices=("float64", "float32"),
    help="Precision in which the kernel matrix is stored.",
    title="Precision",
    words=("Double", "Single"),
    place="more",
)

PCG_STOPPING = {
    "most": 2000,
    "counted": "iterations",
    "left_out": ("mixed_product",),
    "help": "When to stop: a norm below tol, or a check on the decisions.",
}
NEWTON_STOPPING = {
    "most": 100,
    "counted": "Newton steps",
    "end": "Newton has converged",
    "tol": replace(TOL, help="Threshold of the rule, relative to the start."),
}
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
        family=SUPERVISED,
        paper="MB11",
        section="6 (baseline)",
        idea="The widest margin between the labelled points, and nothing else.",
        objective=_half(SQUARED_HINGE, AMBIENT),
        knobs=(
            *KERNEL,
            GAMMA_A,
            BIAS,
            *stopping_knobs(machines.SVMClassifier, **NEWTON_STOPPING),
            DTYPE,
        ),
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
        family=SUPERVISED,
        paper="MB11",
        section="6 (baseline)",
        idea="Fit the labels of the labelled points by regularised least squares.",
        objective=_half(SQUARED, AMBIENT),
        knobs=(*KERNEL, GAMMA_A, BIAS, DTYPE),
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
        family=MANIFOLD,
        paper="MB11",
        section="3.1",
        idea="Labels spread along the data graph; a few exact Newton steps.",
        objective=_half(SQUARED_HINGE, AMBIENT, INTRINSIC),
        knobs=(
            *KERNEL,
            *GRAPH,
            *stopping_knobs(machines.LapSVMNewtonClassifier, **NEWTON_STOPPING),
            DTYPE,
        ),
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
        family=MANIFOLD,
        paper="MB11",
        section="3.2, Algorithm 1, 3.2.1",
        idea=(
            "Labels spread along the data graph, one conjugate gradient step at a "
            "time; stop when the decision is stable."
        ),
        objective=_half(SQUARED_HINGE, AMBIENT, INTRINSIC),
        knobs=(
            *KERNEL,
            *GRAPH,
            *stopping_knobs(machines.LapSVMPCGClassifier, **PCG_STOPPING),
            DTYPE,
        ),
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
        family=MANIFOLD,
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
            *GRAPH,
            *stopping_knobs(
                machines.LapSVMDualClassifier,
                most=10_000,
                counted="sweeps of pair updates",
                tol=Knob(
                    "tol",
                    "log",
                    1e-12,
                    1e-1,
                    title="Tolerance",
                    place="stopping",
                    travels=False,
                    help="Largest violation of the optimality conditions.",
                ),
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
        family=MANIFOLD,
        paper="MB11",
        section="5, eq. 14",
        idea="Least squares on the labels, smooth along the data graph: one solve.",
        objective=_half(SQUARED, AMBIENT, INTRINSIC),
        knobs=(*KERNEL, *GRAPH, DTYPE),
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
        family=MANIFOLD,
        paper="MB11",
        section="5, eq. 14",
        idea="The same by conjugate gradient, whose step has a closed form here.",
        objective=_half(SQUARED, AMBIENT, INTRINSIC),
        knobs=(
            *KERNEL,
            *GRAPH,
            *stopping_knobs(machines.LapRLSPCGClassifier, **PCG_STOPPING),
            DTYPE,
        ),
        curves=(NORMS, Curve("Step length", ("step",), log=True)),
        max_n=12_000,
        inputs="kernel",
        marks="",
        problem="problems/laplacian.py",
        solver="solvers/pcg.py",
    ),
):
    register(_algorithm)
