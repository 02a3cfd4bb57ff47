"""Supervised and manifold-regularised kernel machines, [MB11]."""

from functools import partial

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides import kernel as guides
from ssl_core.estimators import laplacian as machines
from ssl_core.registry import MANIFOLD, SUPERVISED, Algorithm, Curve, register

OBJECTIVE = Curve("Objective", ("objective",))
GRADIENT = Curve("Gradient norm", ("grad_norm",), log=True)
ERROR_VECTORS = Curve("Error vectors", ("n_error_vectors",))
NORMS = Curve(
    "Norms, relative to the start",
    ("grad_norm", "precond_grad_norm", "mixed_product", "objective"),
    log=True,
    relative=True,
)
baseline = partial(
    Algorithm,
    family=SUPERVISED,
    paper="MB11",
    section="6 (baseline)",
    max_n=20_000,
    problem="problems/supervised.py",
)
manifold = partial(
    Algorithm,
    family=MANIFOLD,
    paper="MB11",
    first=("sigma", "n_neighbors", "gamma_I"),
    max_n=4_000,
    problem="problems/laplacian.py",
)

for _algorithm in (
    baseline(
        id="svm",
        estimator=machines.SVMClassifier,
        title="Supervised SVM",
        idea=(
            "The widest margin between the labelled points, without the unlabelled "
            "ones."
        ),
        objective=tex.half(tex.SQUARED_HINGE, tex.AMBIENT),
        end="Newton has converged",
        curves=(OBJECTIVE, GRADIENT, ERROR_VECTORS),
        marks="error vectors",
        guide=guides.SVM,
    ),
    baseline(
        id="rlsc",
        estimator=machines.RLSClassifier,
        title="Supervised least squares",
        idea="Fit the labels of the labelled points by regularised least squares.",
        objective=tex.half(tex.SQUARED, tex.AMBIENT),
        curves=(OBJECTIVE,),
        guide=guides.RLSC,
    ),
    manifold(
        id="lapsvm_newton",
        estimator=machines.LapSVMNewtonClassifier,
        title="Laplacian SVM, Newton",
        section="3.1",
        idea="Labels spread along the data graph; solved in a few exact Newton steps.",
        objective=tex.half(tex.SQUARED_HINGE, tex.AMBIENT, tex.INTRINSIC),
        end="Newton has converged",
        curves=(OBJECTIVE, GRADIENT, ERROR_VECTORS),
        marks="error vectors",
        guide=guides.LAPSVM_NEWTON,
    ),
    manifold(
        id="lapsvm_pcg",
        estimator=machines.LapSVMPCGClassifier,
        title="Laplacian SVM, PCG",
        section="3.2, Algorithm 1, 3.2.1",
        idea=(
            "Labels spread along the data graph, one conjugate gradient step at a "
            "time; the run can stop as soon as the decision is stable."
        ),
        objective=tex.half(tex.SQUARED_HINGE, tex.AMBIENT, tex.INTRINSIC),
        left_out=("mixed_product",),
        curves=(NORMS, ERROR_VECTORS, Curve("Step length", ("step",), log=True)),
        max_n=12_000,
        marks="error vectors",
        guide=guides.LAPSVM_PCG,
    ),
    manifold(
        id="lapsvm_dual",
        estimator=machines.LapSVMDualClassifier,
        title="Laplacian SVM, dual",
        section="2.1, eq. 4-6",
        idea=(
            "The original Laplacian SVM with hinge loss: a quadratic program on the "
            "labelled points."
        ),
        objective=" + ".join((tex.HINGE, tex.AMBIENT, tex.INTRINSIC_WITHOUT_BIAS)),
        curves=(
            Curve("Primal and dual objective", ("objective", "dual_objective")),
            Curve("Violation", ("violation",), log=True),
            Curve("Support vectors", ("n_support",)),
        ),
        marks="support vectors",
        guide=guides.LAPSVM_DUAL,
    ),
    manifold(
        id="laprlsc",
        estimator=machines.LapRLSClassifier,
        title="Laplacian least squares",
        section="5, eq. 14",
        idea=(
            "Least squares on the labels, smooth along the data graph: one linear "
            "system."
        ),
        objective=tex.half(tex.SQUARED, tex.AMBIENT, tex.INTRINSIC),
        curves=(OBJECTIVE,),
        guide=guides.LAPRLSC,
    ),
    manifold(
        id="laprlsc_pcg",
        estimator=machines.LapRLSPCGClassifier,
        title="Laplacian least squares, PCG",
        section="5, eq. 14",
        idea="The same by conjugate gradient; the step length has a closed form.",
        objective=tex.half(tex.SQUARED, tex.AMBIENT, tex.INTRINSIC),
        left_out=("mixed_product",),
        curves=(NORMS, Curve("Step length", ("step",), log=True)),
        max_n=12_000,
        guide=guides.LAPRLSC_PCG,
    ),
):
    register(_algorithm)
