"""Semi-supervised SVMs with kernels, [CSK08]."""

from dataclasses import replace

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides import s3vm as guides
from ssl_core.catalogue.kernel_machines import GRAPH, KERNEL
from ssl_core.catalogue.linear_machines import PAIRS, RATIO
from ssl_core.catalogue.stopping import TOL, stopping_knobs
from ssl_core.estimators import s3vm as machines
from ssl_core.estimators.s3vm_graph import LapSVMS3VMClassifier
from ssl_core.knobs import Knob
from ssl_core.registry import S3VM, Algorithm, Curve, register

WEIGHTS = (
    Knob(
        "C",
        "log",
        1e-3,
        1e4,
        help="Weight C of the labelled points: how much their labels are trusted.",
        up="labels fitted more exactly, a narrower margin",
        title="Labelled weight C",
    ),
    Knob(
        "C_u",
        "log",
        1e-4,
        1e4,
        also=(0.0,),
        help="Weight C* of the unlabelled points: how far the boundary is pushed away.",
        up="a boundary farther from unlabelled points, at the cost of the labels",
        title="Unlabelled weight C*",
    ),
    RATIO,
)
FEATURES = (
    Knob(
        "rank",
        "int",
        1,
        4000,
        step=10,
        also=(None,),
        help="Most features that stand for the kernel; automatic keeps all.",
        up="a closer stand-in for the kernel, and more work",
        title="Features",
        place="more",
        travels=False,
    ),
    Knob(
        "factor",
        "choice",
        choices=("cholesky", "eigen"),
        words=("Pivoted Cholesky", "Eigenvectors"),
        help="How the features of the kernel are made; eigenvectors are slower, and "
        "better where their number is limited.",
        title="Features by",
        place="more",
        travels=False,
    ),
)
BALANCE = Knob(
    "balance",
    "choice",
    choices=("linear", "exact", "fixed"),
    words=("Mean of the outputs", "Share of positive outputs", "Constant b only"),
    help="How the class ratio is kept: by the mean of the outputs, by a search for b "
    "in several runs, or only by b = 2r - 1.",
    title="Class ratio by",
    place="more",
)
WEIGHED = tuple(replace(k, also=()) if k.name == "C_u" else k for k in WEIGHTS)
EVERY = Knob(
    "every",
    "int",
    1,
    100,
    step=1,
    help="Gradient steps from one frame to the next.",
    up="fewer frames with more between them; the run is the same",
    title="Steps per frame",
    place="more",
    travels=False,
)
WIDTH = Knob(
    "narrowness",
    "float",
    0.5,
    20.0,
    step=0.5,
    help="Narrowness of the loss exp(-s f²) of unlabelled points.",
    up="a loss that only the points next to the boundary feel",
    title="Narrowness s",
    place="more",
    travels=False,
)


def _steps(help: str, low: int = 1) -> Knob:
    return Knob(
        "steps",
        "int",
        low,
        100,
        step=1,
        help=help,
        up="finer steps on the way: a longer run, a gentler annealing",
        title="Annealing steps",
        place="more",
        travels=False,
    )


def _rate(help: str) -> Knob:
    return Knob(
        "rate",
        "float",
        1.01,
        10.0,
        step=0.1,
        help=help,
        up="fewer and larger steps: a shorter run, a coarser annealing",
        title="Annealing rate",
        travels=False,
    )


def _common(estimator, counted: str, tol: Knob = TOL) -> tuple[Knob, ...]:
    stopping = stopping_knobs(
        estimator,
        most=100_000,
        counted=counted,
        tol=tol,
        end="The method has run its course",
    )
    return (*FEATURES, *stopping)


ANNEALING = (
    Knob(
        "T",
        "log",
        1e-3,
        1e3,
        help="First temperature, in units of C*.",
        up="a longer run that starts from more doubt",
        title="First temperature T / C*",
        place="more",
        travels=False,
    ),
    _rate("Factor by which the temperature falls; slower avoids more local minima."),
    Knob(
        "max_temperatures",
        "int",
        1,
        500,
        step=1,
        help="Most temperatures.",
        up="that the cooling may go on longer, to a lower temperature",
        title="Temperatures",
        place="more",
        travels=False,
    ),
)
QUICK_METHODS = {  # those that take as many points as the graph does
    "s3vm_light": "Label switching",
    "da_kernel": "Annealing in turns",
    "nabla_da": "Annealing by gradient",
    "cccp": "Concave-convex procedure",
    "nabla_s3vm": "Gradient",
    "cs3vm": "Continuation",
    "newton_s3vm": "Newton",
}
BOTH = Curve("Objectives", ("objective", "transductive_objective"))
WEIGHT = Curve("Weight C* of the unlabelled points", ("C_u",), log=True)
INNER = Curve("Inner iterations", ("inner",))
TEMPERATURE = (
    Curve("Temperature", ("T",), log=True),
    Curve("Entropy of the labels", ("entropy",)),
)

for _algorithm in (
    Algorithm(
        id="s3vm_light",
        estimator=machines.S3VMLightClassifier,
        title="Label switching, S3VM-light",
        family=S3VM,
        paper="CSK08",
        section="3.2, Algorithm 1",
        idea=(
            "Guess the hidden labels, train, and switch pairs of guesses that lower "
            "the objective, while the unlabelled points gain weight."
        ),
        objective=tex.s3vm(tex.GUESSED),
        knobs=(
            *KERNEL,
            *WEIGHTS,
            PAIRS,
            Knob(
                "first",
                "log",
                1e-8,
                1.0,
                help="First weight of the unlabelled points, as a share of C*.",
                up="fewer trainings, and less of an annealing",
                travels=False,
                title="First share of C*",
                place="more",
            ),
            _rate("Factor by which C* rises."),
            *_common(machines.S3VMLightClassifier, "trainings"),
        ),
        curves=(BOTH, WEIGHT, Curve("Pairs switched", ("n_switched",)), INNER),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/s3vm_light.py",
        guide=guides.S3VM_LIGHT,
    ),
    Algorithm(
        id="da_kernel",
        estimator=machines.DAKernelClassifier,
        title="Annealing in turns",
        family=S3VM,
        paper="CSK08",
        section="3.3, Algorithm 2",
        idea=(
            "Every hidden label is a probability; the machine and the probabilities "
            "are improved in turns as the temperature falls."
        ),
        objective=tex.s3vm(tex.EXPECTED) + " - " + tex.DOUBT,
        knobs=(
            *KERNEL,
            *WEIGHTS,
            *ANNEALING,
            *_common(machines.DAKernelClassifier, "alternations"),
        ),
        curves=(BOTH, *TEMPERATURE, INNER),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/da_kernel.py",
        guide=guides.DA_KERNEL,
    ),
    Algorithm(
        id="nabla_da",
        estimator=machines.NablaDAClassifier,
        title="Annealing by gradient",
        family=S3VM,
        paper="CSK08",
        section="3.3, eq. 9",
        idea=(
            "The same annealing, but the probabilities follow the machine at every "
            "gradient step."
        ),
        objective=tex.s3vm(tex.EXPECTED) + " - " + tex.DOUBT,
        knobs=(
            *KERNEL,
            *WEIGHTS,
            *ANNEALING,
            EVERY,
            *_common(machines.NablaDAClassifier, "frames"),
        ),
        curves=(BOTH, *TEMPERATURE, INNER),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/nabla_da.py",
        guide=guides.NABLA_DA,
    ),
    Algorithm(
        id="cccp",
        estimator=machines.CCCPClassifier,
        title="Concave-convex procedure",
        family=S3VM,
        paper="CSK08",
        section="4.1, Algorithm 4",
        idea=(
            "Label every point by the side it is on, minimise a convex bound for these "
            "labels, and again, until no point changes sides."
        ),
        objective=tex.s3vm(tex.HAT),
        knobs=(
            *KERNEL,
            *WEIGHTS,
            Knob(
                "loss",
                "choice",
                choices=("squared", "hinge"),
                words=("Squared hinge", "Plain hinge"),
                help="Loss of points inside the margin, squared or plain.",
                title="Loss",
                place="more",
                travels=False,
            ),
            _steps("Values of C* on the way; 1 starts with all of it."),
            BALANCE,
            *_common(machines.CCCPClassifier, "convex problems"),
        ),
        curves=(BOTH, WEIGHT, Curve("Labels changed", ("n_changed",)), INNER),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/cccp.py",
        guide=guides.CCCP,
    ),
    Algorithm(
        id="nabla_s3vm",
        estimator=machines.NablaS3VMClassifier,
        title="Gradient S3VM",
        family=S3VM,
        paper="CSK08",
        section="4.2, eq. 14",
        idea=(
            "Descend on a smooth objective that pushes the boundary away from all "
            "points, while the unlabelled ones gain weight."
        ),
        objective=tex.s3vm(tex.BELL),
        knobs=(
            *KERNEL,
            *WEIGHTS,
            WIDTH,
            _steps("Values of C*, each twice the last; 1 starts with all of it."),
            BALANCE,
            EVERY,
            *_common(machines.NablaS3VMClassifier, "frames"),
        ),
        curves=(
            BOTH,
            WEIGHT,
            Curve("Gradient norm", ("grad_norm",), log=True),
            INNER,
        ),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/nabla_s3vm.py",
        guide=guides.NABLA_S3VM,
    ),
    Algorithm(
        id="cs3vm",
        estimator=machines.CS3VMClassifier,
        title="Continuation S3VM",
        family=S3VM,
        paper="CSK08",
        section="4.3, Algorithm 5",
        idea=(
            "Blur the objective until it has one minimum, and follow that minimum "
            "while the blur is taken away."
        ),
        objective=tex.s3vm(tex.BELL),
        knobs=(
            *KERNEL,
            *WEIGHTS,
            WIDTH,
            _steps("Blurred objectives before the true one.", low=0),
            Knob(
                "smooth_labeled",
                "bool",
                help="Blur the loss of the labelled points as well.",
                up="first objectives that are smoother still",
                title="Blur the labelled loss",
                place="more",
                travels=False,
            ),
            BALANCE,
            EVERY,
            *_common(machines.CS3VMClassifier, "frames"),
        ),
        curves=(
            BOTH,
            Curve("Smoothing γ", ("smoothing",), log=True),
            Curve("Gradient norm", ("grad_norm",), log=True),
            INNER,
        ),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/cs3vm.py",
        guide=guides.CS3VM,
    ),
    Algorithm(
        id="newton_s3vm",
        estimator=machines.NewtonS3VMClassifier,
        title="Newton S3VM",
        family=S3VM,
        paper="CSK08",
        section="4.4, Algorithm 6",
        idea=(
            "Newton steps on the few points where the loss bends, with a ridge where "
            "it bends the wrong way."
        ),
        objective=tex.s3vm(tex.PSI),
        knobs=(
            *KERNEL,
            *WEIGHTS,
            Knob(
                "loss",
                "choice",
                choices=("flat", "quadratic"),
                words=("Flat in the middle", "Quadratic"),
                help="Loss of unlabelled points: flat where they are undecided, or "
                "quadratic.",
                title="Unlabelled loss",
                place="more",
                travels=False,
            ),
            _steps("Values of C*, each twice the last; 1 starts with all of it."),
            BALANCE,
            *_common(machines.NewtonS3VMClassifier, "Newton steps"),
        ),
        curves=(
            BOTH,
            WEIGHT,
            Curve("Ridge λ", ("ridge",), log=True),
            Curve("Points with curvature", ("n_sv",)),
            Curve("Gradient norm", ("grad_norm",), log=True),
        ),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/newton_s3vm.py",
        guide=guides.NEWTON_S3VM,
        version=2,
    ),
    Algorithm(
        id="branch_and_bound",
        estimator=machines.BranchAndBoundClassifier,
        title="Branch and bound",
        family=S3VM,
        paper="CSK08",
        section="3.1",
        idea=(
            "Try the labels one by one, and drop every branch that cannot beat the "
            "best labelling found: the global optimum, with a proof."
        ),
        objective=tex.s3vm(tex.GUESSED),
        knobs=(
            *KERNEL,
            *WEIGHED,
            Knob(
                "max_nodes",
                "int",
                1,
                100_000,
                step=100,
                help="Most nodes of the tree; the gap that is left is told.",
                up="that the search may go on longer and close the gap",
                title="Most nodes",
                travels=False,
            ),
            Knob(
                "order",
                "choice",
                choices=("depth", "best"),
                words=("Depth first", "Lowest bound first"),
                help="Which node is looked at next.",
                title="Order of the search",
                place="more",
                travels=False,
            ),
            Knob(
                "max_seconds",
                "float",
                0.1,
                60.0,
                step=0.5,
                also=(None,),
                help="Most seconds of search.",
                up="that the search may go on longer and close the gap",
                title="Most seconds",
                place="more",
                travels=False,
            ),
            Knob(
                "spread",
                "bool",
                help="Try labels that spread from neighbour to neighbour as well, as "
                "the first labelling to beat.",
                up="a better labelling to begin with where clusters are thin, hence "
                "a smaller tree",
                title="Begin with the neighbours' labels",
                place="more",
                travels=False,
            ),
            *_common(machines.BranchAndBoundClassifier, "nodes"),
        ),
        curves=(
            Curve("Bounds", ("lower", "upper")),
            Curve("Depth of the node", ("depth",)),
            Curve("Open nodes", ("n_open",)),
        ),
        max_n=300,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="solvers/branch_and_bound.py",
        guide=guides.BRANCH_AND_BOUND,
    ),
    Algorithm(
        id="convex_relaxation",
        estimator=machines.ConvexRelaxationClassifier,
        title="Convex relaxation",
        family=S3VM,
        paper="CSK08",
        section="3.4, eq. 10-11",
        idea=(
            "Let labels that agree or differ become numbers in between: a convex "
            "problem, whose value no labelling can beat, and labels by rounding."
        ),
        objective=f"{tex.BEST_GAMMA} {tex.DUAL_GAIN} - {tex.DUAL_COST}",
        knobs=(
            *KERNEL,
            *WEIGHED,
            Knob(
                "chunk",
                "int",
                1,
                1000,
                step=5,
                help="Iterations of the conic solver from one frame to the next.",
                up="fewer frames with more work between them",
                title="Iterations per frame",
                place="more",
                travels=False,
            ),
            *_common(
                machines.ConvexRelaxationClassifier,
                "frames",
                replace(TOL, low=1e-6, also=(), help="Gap that counts as closed."),
            ),
        ),
        curves=(
            Curve("Bounds", ("bound", "objective")),
            Curve("Rank-one share of Γ", ("rank_one",)),
        ),
        max_n=80,
        inputs="kernel",
        marks="",
        problem="problems/relaxation.py",
        solver="solvers/convex_relaxation.py",
        guide=guides.CONVEX_RELAXATION,
    ),
    Algorithm(
        id="lapsvm_s3vm",
        estimator=LapSVMS3VMClassifier,
        title="S3VM in the graph's kernel",
        family=S3VM,
        paper="CSK08",
        section="5.6.2",
        idea=(
            "The data graph bends the kernel so that winding clusters become compact; "
            "any S3VM then looks for the gap between them."
        ),
        objective=tex.s3vm(tex.HAT, norm=tex.GRAPH_NORM),
        first=("method", "n_neighbors", "C_u"),
        knobs=(
            *KERNEL,
            *WEIGHTS,
            Knob(
                "method",
                "choice",
                choices=tuple(QUICK_METHODS),
                words=tuple(QUICK_METHODS.values()),
                help="The S3VM that works in the deformed kernel.",
                title="S3VM method",
                travels=False,
            ),
            *(knob for knob in GRAPH if knob.name != "bias"),
            BALANCE,
            *_common(LapSVMS3VMClassifier, "states"),
        ),
        curves=(BOTH, INNER),
        max_n=4_000,
        inputs="kernel",
        marks="",
        problem="problems/s3vm.py",
        solver="features.py",
        guide=guides.LAPSVM_S3VM,
    ),
):
    register(_algorithm)
