"""The algorithms: one entry each, from which app, tests and README are made."""

from dataclasses import dataclass
from typing import Any

from ssl_core.estimators import kernel as machines
from ssl_core.estimators import linear as linear_machines
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.knobs import Knob


@dataclass(frozen=True, slots=True)
class Curve:
    """A panel worth plotting: scalar fields of the states on one axis."""

    title: str
    fields: tuple[str, ...]
    log: bool = False
    relative: bool = False  # divide by the value at the start


@dataclass(frozen=True, slots=True)
class Algorithm:
    """Everything the rest of the house needs to know of one algorithm.

    Attributes
    ----------
    id : str
        The name `make` takes.
    family : str
        Heading it stands under: "supervised", "manifold", "linear", "s3vm", ...
    paper, section : str
        Key into `ssl_core.references.REFERENCES` and the place in that paper.
    idea : str
        One sentence for a newcomer.
    objective : str
        LaTeX of the objective, in the paper's scaling.
    knobs : tuple of Knob
        Parameters a visitor may turn, with the estimator's own defaults.
    curves : tuple of Curve
    max_n : int
        Largest sensible number of points in an interactive run.
    inputs : "kernel" or "linear"
    marks : str
        What the ringed points are called ("error vectors"), "" where there are none.
    problem, solver : str
        Where problem and solver live, for the reader of the README.
    """

    id: str
    estimator: type[SemiSupervisedClassifier]
    title: str
    family: str
    paper: str
    section: str
    idea: str
    objective: str
    knobs: tuple[Knob, ...]
    curves: tuple[Curve, ...]
    max_n: int
    inputs: str
    marks: str
    problem: str
    solver: str

    def knob(self, name: str) -> Knob:
        return next(knob for knob in self.knobs if knob.name == name)

    @property
    def defaults(self) -> dict[str, Any]:
        return {knob.name: knob.default for knob in self.knobs}


ALGORITHMS: dict[str, Algorithm] = {}


def register(algorithm: Algorithm) -> None:
    """Add an algorithm; its knobs must be parameters of its estimator."""
    defaults = algorithm.estimator().get_params()
    for knob in algorithm.knobs:
        if knob.name not in defaults or defaults[knob.name] != knob.default:
            raise ValueError(
                f"knob {knob.name} of {algorithm.id} must be a parameter of "
                f"{algorithm.estimator.__name__} with the same default, got "
                f"{knob.default!r}."
            )
    if algorithm.id in ALGORITHMS:
        raise ValueError(f"algorithm {algorithm.id} is registered already.")
    ALGORITHMS[algorithm.id] = algorithm


def make(name: str, **parameters) -> SemiSupervisedClassifier:
    """A new estimator by its algorithm's id.

    >>> from ssl_core import make
    >>> make("lapsvm_pcg", sigma=0.35, gamma_I=1.0)
    LapSVMPCGClassifier(sigma=0.35)
    """
    if name not in ALGORITHMS:
        raise ValueError(f"name must be one of {', '.join(ALGORITHMS)}, got {name!r}.")
    estimator = ALGORITHMS[name].estimator()
    known = estimator.get_params()
    for parameter in parameters:
        if parameter not in known:
            raise ValueError(
                f"{parameter} is no parameter of {name}; it has: {', '.join(known)}."
            )
    return estimator.set_params(**parameters)


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
    "max_iter", "int", 1, 100, default=50, step=1, help="Most Newton steps allowed."
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
    ),
    Knob(
        "tol",
        "log",
        1e-14,
        1e-1,
        default=1e-6,
        also=(0.0,),
        help="Tolerance relative to the start; 0 runs to the last iteration.",
    ),
    Knob(
        "max_iter", "int", 1, 2000, default=500, step=1, help="Most iterations allowed."
    ),
    Knob(
        "check_every",
        "int",
        1,
        200,
        default=None,
        also=(None,),
        help="Iterations θ between two checks; automatic is √n / 2.",
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
            ),
            Knob(
                "max_iter",
                "int",
                1,
                10_000,
                default=1000,
                step=1,
                help="Most sweeps of pair updates.",
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


LAM = Knob(
    "lam",
    "log",
    1e-7,
    1e2,
    default=1e-3,
    help="Regularisation λ: how small the weights are kept.",
)
LINEAR_STOP = Knob(
    "stop",
    "choice",
    default=None,
    choices=(None, "stability", "validation", "mixed", "gradient", "objective"),
    help="A rule that may end the run before the method does.",
)
LINEAR_TOL = Knob(
    "tol",
    "log",
    1e-12,
    1e-1,
    default=1e-6,
    also=(0.0,),
    help="How exactly each machine is trained, and when it counts as settled.",
)
SCHEDULE = Knob(
    "schedule",
    "choice",
    default="fast",
    choices=("fast", "svmlin"),
    help="Train only as far as it pays on the way, or always to the end as SVMlin.",
)
TRAININGS = Knob(
    "max_iter",
    "int",
    1,
    10_000,
    default=10_000,
    step=1,
    help="Most trainings allowed.",
)
TRANSDUCTIVE = (
    LAM,
    Knob(
        "lam_u",
        "log",
        1e-6,
        1e3,
        default=1.0,
        also=(0.0,),
        help="Weight λ' of the unlabeled points.",
    ),
    Knob(
        "r",
        "float",
        0.01,
        0.99,
        default=None,
        step=0.01,
        also=(None,),
        help="Share of positive points among the unlabeled; automatic from the labels.",
    ),
)
LINEAR_RISK = (
    r"\tfrac{\lambda}{2} \big(\|w\|^2 + b^2\big) + \tfrac{1}{2l} \sum_{i \in "
    r"\mathcal{L}} \max(0,\, 1 - y_i f(x_i))^2"
)
ACTIVE = Curve("Active points", ("n_active",))
CG_ITERATIONS = Curve("CGLS iterations", ("cg_iterations",))

for _algorithm in (
    Algorithm(
        id="l2svm_mfn",
        estimator=linear_machines.L2SVMClassifier,
        title="Linear SVM, finite Newton",
        family="linear",
        paper="SK07",
        section="1.2",
        idea="The widest linear margin, by Newton steps on the points inside it.",
        objective=LINEAR_RISK,
        knobs=(
            LAM,
            SCHEDULE,
            LINEAR_STOP,
            LINEAR_TOL,
            Knob(
                "max_iter",
                "int",
                1,
                200,
                default=50,
                step=1,
                help="Most Newton steps allowed.",
            ),
        ),
        curves=(OBJECTIVE, GRADIENT, ACTIVE, CG_ITERATIONS),
        max_n=1_000_000,
        inputs="linear",
        marks="error vectors",
        problem="problems/linear.py",
        solver="solvers/l2svm_mfn.py",
    ),
    Algorithm(
        id="tsvm",
        estimator=linear_machines.TSVMClassifier,
        title="Transductive SVM, multi-switch",
        family="linear",
        paper="SK07",
        section="1.3",
        idea=(
            "Guess the hidden labels, train, and switch pairs of guesses that lower "
            "the objective, while the unlabeled points gain weight."
        ),
        objective=(
            LINEAR_RISK + r" + \tfrac{\lambda'}{2u} \sum_{j \in \mathcal{U}} "
            r"\max(0,\, 1 - y'_j f(x_j))^2"
        ),
        knobs=(
            *TRANSDUCTIVE,
            Knob(
                "S",
                "int",
                1,
                100_000,
                default=None,
                step=1,
                also=(None,),
                help="Most pairs of labels switched at once; automatic is all.",
            ),
            Knob(
                "lam_start",
                "log",
                1e-8,
                1e2,
                default=1e-5,
                help="Weight λ' that the unlabeled points start with.",
            ),
            Knob(
                "rate",
                "float",
                1.01,
                10.0,
                default=1.5,
                step=0.1,
                help="Factor by which λ' rises.",
            ),
            SCHEDULE,
            LINEAR_STOP,
            LINEAR_TOL,
            TRAININGS,
        ),
        curves=(
            OBJECTIVE,
            Curve("Weight λ' of the unlabeled points", ("lam_u",), log=True),
            Curve("Pairs switched", ("n_switched",)),
            CG_ITERATIONS,
        ),
        max_n=100_000,
        inputs="linear",
        marks="",
        problem="problems/linear.py",
        solver="solvers/tsvm.py",
    ),
    Algorithm(
        id="da",
        estimator=linear_machines.DAClassifier,
        title="Deterministic annealing",
        family="linear",
        paper="SK07",
        section="1.4, eq. 1.6-1.9",
        idea=(
            "Every hidden label starts as a coin and is made up slowly, while the "
            "temperature falls: fewer local minima are met."
        ),
        objective=(
            LINEAR_RISK + r" + \tfrac{\lambda'}{2u} \sum_{j \in \mathcal{U}} \big[ p_j "
            r"\max(0,\, 1 - f(x_j))^2 + (1 - p_j) \max(0,\, 1 + f(x_j))^2 \big] + "
            r"\tfrac{T}{2u} \sum_{j \in \mathcal{U}} \big[ p_j \log p_j + (1 - p_j) "
            r"\log (1 - p_j) \big]"
        ),
        knobs=(
            *TRANSDUCTIVE,
            Knob(
                "T",
                "log",
                1e-5,
                1e3,
                default=10.0,
                help="Temperature at the start.",
            ),
            Knob(
                "rate",
                "float",
                1.01,
                10.0,
                default=1.5,
                step=0.1,
                help="Factor by which the temperature falls.",
            ),
            Knob(
                "anneal",
                "bool",
                default=True,
                help="Let the temperature fall; off keeps it where it is.",
            ),
            Knob(
                "max_temperatures",
                "int",
                1,
                200,
                default=30,
                step=1,
                help="Most temperatures visited.",
            ),
            SCHEDULE,
            LINEAR_STOP,
            LINEAR_TOL,
            TRAININGS,
        ),
        curves=(
            Curve(
                "Objective at T, and at T = 0", ("objective", "transductive_objective")
            ),
            Curve("Temperature", ("T",), log=True),
            Curve("Entropy per unlabeled point", ("entropy",)),
            Curve("KL divergence from the last p", ("kl",), log=True),
        ),
        max_n=100_000,
        inputs="linear",
        marks="",
        problem="problems/linear.py",
        solver="solvers/da.py",
    ),
):
    register(_algorithm)
