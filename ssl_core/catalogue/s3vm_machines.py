"""Semi-supervised SVMs with kernels, [CSK08]."""

from functools import partial

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides import s3vm as guides
from ssl_core.estimators import s3vm as machines
from ssl_core.estimators.s3vm_graph import LapSVMS3VMClassifier
from ssl_core.registry import S3VM, Algorithm, Curve, register

BOTH = Curve("Objectives", ("objective", "transductive_objective"))
WEIGHT = Curve("Weight C* of the unlabelled points", ("C_u",), log=True)
INNER = Curve("Inner iterations", ("inner",))
TEMPERATURE = (
    Curve("Temperature", ("T",), log=True),
    Curve("Entropy of the labels", ("entropy",)),
)
s3vm = partial(
    Algorithm,
    family=S3VM,
    paper="CSK08",
    end="The method has finished",
    max_n=4_000,
    problem="problems/s3vm.py",
)

for _algorithm in (
    s3vm(
        id="s3vm_light",
        estimator=machines.S3VMLightClassifier,
        title="Label switching, S3VM-light",
        section="3.2, Algorithm 1",
        idea=(
            "Guess the unknown labels, train, and switch pairs of them whenever that "
            "lowers the objective, while the unlabelled points gain weight."
        ),
        objective=tex.s3vm(tex.GUESSED),
        curves=(BOTH, WEIGHT, Curve("Pairs switched", ("n_switched",)), INNER),
        guide=guides.S3VM_LIGHT,
    ),
    s3vm(
        id="da_kernel",
        estimator=machines.DAKernelClassifier,
        title="Annealing in turns",
        section="3.3, Algorithm 2",
        idea=(
            "Every unknown label is a probability; classifier and probabilities are "
            "updated in turns as the temperature falls."
        ),
        objective=tex.s3vm(tex.EXPECTED) + " - " + tex.DOUBT,
        curves=(BOTH, *TEMPERATURE, INNER),
        guide=guides.DA_KERNEL,
    ),
    s3vm(
        id="nabla_da",
        estimator=machines.NablaDAClassifier,
        title="Annealing by gradient",
        section="3.3, eq. 9",
        idea=(
            "The same annealing, but at every gradient step the probabilities are "
            "optimal for the current classifier."
        ),
        objective=tex.s3vm(tex.EXPECTED) + " - " + tex.DOUBT,
        curves=(BOTH, *TEMPERATURE, INNER),
        guide=guides.NABLA_DA,
    ),
    s3vm(
        id="cccp",
        estimator=machines.CCCPClassifier,
        title="Concave-convex procedure",
        section="4.1, Algorithm 4",
        idea=(
            "Label every point by the side it is on, minimise a convex bound for "
            "these labels, and repeat until no point changes sides."
        ),
        objective=tex.s3vm(tex.HAT),
        curves=(BOTH, WEIGHT, Curve("Labels changed", ("n_changed",)), INNER),
        guide=guides.CCCP,
    ),
    s3vm(
        id="nabla_s3vm",
        estimator=machines.NablaS3VMClassifier,
        title="Gradient S3VM",
        section="4.2, eq. 14",
        idea=(
            "Gradient descent on a smooth objective that pushes the boundary away "
            "from all points, while the unlabelled ones gain weight."
        ),
        objective=tex.s3vm(tex.BELL),
        curves=(BOTH, WEIGHT, Curve("Gradient norm", ("grad_norm",), log=True), INNER),
        guide=guides.NABLA_S3VM,
    ),
    s3vm(
        id="cs3vm",
        estimator=machines.CS3VMClassifier,
        title="Continuation S3VM",
        section="4.3, Algorithm 5",
        idea=(
            "Smooth the objective until it has one minimum, and follow that minimum "
            "while the smoothing is reduced."
        ),
        objective=tex.s3vm(tex.BELL),
        curves=(
            BOTH,
            Curve("Smoothing γ", ("smoothing",), log=True),
            Curve("Gradient norm", ("grad_norm",), log=True),
            INNER,
        ),
        guide=guides.CS3VM,
    ),
    s3vm(
        id="newton_s3vm",
        estimator=machines.NewtonS3VMClassifier,
        title="Newton S3VM",
        section="4.4, Algorithm 6",
        idea=(
            "Newton steps on the few points where the loss is curved, with a ridge "
            "where it is concave."
        ),
        objective=tex.s3vm(tex.PSI),
        curves=(
            BOTH,
            WEIGHT,
            Curve("Ridge λ", ("ridge",), log=True),
            Curve("Points with curvature", ("n_sv",)),
            Curve("Gradient norm", ("grad_norm",), log=True),
        ),
        guide=guides.NEWTON_S3VM,
        version=2,
    ),
    s3vm(
        id="branch_and_bound",
        estimator=machines.BranchAndBoundClassifier,
        title="Branch and bound",
        section="3.1",
        idea=(
            "Decide the labels one by one, and prune every branch that cannot beat "
            "the best labelling found: the global optimum, with a proof."
        ),
        objective=tex.s3vm(tex.GUESSED),
        curves=(
            Curve("Bounds", ("lower", "upper")),
            Curve("Depth of the node", ("depth",)),
            Curve("Open nodes", ("n_open",)),
        ),
        max_n=300,
        guide=guides.BRANCH_AND_BOUND,
    ),
    s3vm(
        id="convex_relaxation",
        estimator=machines.ConvexRelaxationClassifier,
        title="Convex relaxation",
        section="3.4, eq. 10-11",
        idea=(
            "Products of labels become real numbers between -1 and 1: a convex "
            "problem whose value is a lower bound for every labelling; labels by "
            "rounding."
        ),
        objective=f"{tex.BEST_GAMMA} {tex.DUAL_GAIN} - {tex.DUAL_COST}",
        curves=(
            Curve("Bounds", ("bound", "objective")),
            Curve("Rank-one share of Γ", ("rank_one",)),
        ),
        max_n=80,
        problem="problems/relaxation.py",
        guide=guides.CONVEX_RELAXATION,
    ),
    s3vm(
        id="lapsvm_s3vm",
        estimator=LapSVMS3VMClassifier,
        title="S3VM in the graph's kernel",
        section="5.6.2",
        idea=(
            "The data graph deforms the kernel so that winding clusters become "
            "compact; any S3VM then looks for the gap between them."
        ),
        objective=tex.s3vm(tex.HAT, norm=tex.GRAPH_NORM),
        first=("method", "n_neighbors", "C_u"),
        curves=(BOTH, INNER),
        retired=("tol",),
        solver="features.py",
        guide=guides.LAPSVM_S3VM,
    ),
):
    register(_algorithm)
