"""Sparse linear machines, [SK06] and [SK07]."""

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides import linear as guides
from ssl_core.catalogue.kernel_machines import GRADIENT, OBJECTIVE
from ssl_core.catalogue.stopping import stopping_knobs
from ssl_core.estimators import linear as machines
from ssl_core.knobs import Knob
from ssl_core.registry import LINEAR, Algorithm, Curve, register

LAM = Knob(
    "lam",
    "log",
    1e-7,
    1e2,
    help="Regularisation λ: how small the weights are kept.",
    up="smaller outputs, a wider margin, labels fitted less exactly",
    title="Weight decay λ",
)
LINEAR_TOL = Knob(
    "tol",
    "log",
    1e-12,
    1e-1,
    also=(0.0,),
    help="How exactly each machine is trained, and when it counts as settled.",
    up="rougher trainings, a shorter run",
    travels=False,
    title="Tolerance",
    place="stopping",
)
SCHEDULE = Knob(
    "schedule",
    "choice",
    choices=("fast", "svmlin"),
    help="Train only as far as it pays on the way, or always to the end as SVMlin.",
    travels=False,
    title="Accuracy on the way",
    place="more",
)
TRAININGS = {"most": 10_000, "counted": "trainings", "tol": LINEAR_TOL}
RATIO = Knob(
    "r",
    "float",
    0.01,
    0.99,
    step=0.01,
    also=(None,),
    help="Share of positive unlabelled points; automatic: as among the labels.",
    up="more unlabelled points in class 2",
    title="Share of class 2, r",
)
PAIRS = Knob(
    "S",
    "int",
    1,
    100_000,
    step=1,
    also=(None,),
    help="Most pairs of labels switched at once; automatic is all.",
    up="more labels changed at once, so fewer trainings",
    travels=False,
    title="Pairs per switch S",
    place="more",
)
TRANSDUCTIVE = (
    LAM,
    Knob(
        "lam_u",
        "log",
        1e-6,
        1e3,
        also=(0.0,),
        help="Weight λ' of the unlabelled points.",
        up="a boundary farther from unlabelled points, at the cost of the labels",
        title="Unlabelled weight λ′",
    ),
    RATIO,
)
ACTIVE = Curve("Active points", ("n_active",))
CG_ITERATIONS = Curve("CGLS iterations", ("cg_iterations",))

for _algorithm in (
    Algorithm(
        id="l2svm_mfn",
        estimator=machines.L2SVMClassifier,
        title="Linear SVM, finite Newton",
        family=LINEAR,
        paper="SK07",
        section="1.2",
        idea="The widest linear margin, by Newton steps on the points inside it.",
        objective=tex.LINEAR_NORM + " + " + tex.LINEAR_LOSS,
        knobs=(
            LAM,
            SCHEDULE,
            *stopping_knobs(
                machines.L2SVMClassifier,
                most=200,
                counted="Newton steps",
                tol=LINEAR_TOL,
            ),
        ),
        curves=(OBJECTIVE, GRADIENT, ACTIVE, CG_ITERATIONS),
        max_n=1_000_000,
        inputs="linear",
        marks="error vectors",
        problem="problems/linear.py",
        solver="solvers/l2svm_mfn.py",
        guide=guides.L2SVM_MFN,
    ),
    Algorithm(
        id="tsvm",
        estimator=machines.TSVMClassifier,
        title="Transductive SVM, multi-switch",
        family=LINEAR,
        paper="SK07",
        section="1.3",
        idea=(
            "Guess the hidden labels, train, and switch pairs of guesses that lower "
            "the objective, while the unlabelled points gain weight."
        ),
        objective=" + ".join((tex.LINEAR_NORM, tex.LINEAR_LOSS, tex.LINEAR_GUESSED)),
        knobs=(
            *TRANSDUCTIVE,
            PAIRS,
            Knob(
                "lam_start",
                "log",
                1e-8,
                1e2,
                help="Weight λ' that the unlabelled points start with.",
                up="fewer trainings, and less of an annealing",
                travels=False,
                title="First weight λ′",
                place="more",
            ),
            Knob(
                "rate",
                "float",
                1.01,
                10.0,
                step=0.1,
                help="Factor by which λ' rises.",
                up="fewer and larger steps: a shorter run, a coarser annealing",
                travels=False,
                title="Annealing rate",
                place="more",
            ),
            SCHEDULE,
            *stopping_knobs(machines.TSVMClassifier, **TRAININGS),
        ),
        curves=(
            OBJECTIVE,
            Curve("Weight λ' of the unlabelled points", ("lam_u",), log=True),
            Curve("Pairs switched", ("n_switched",)),
            CG_ITERATIONS,
        ),
        max_n=100_000,
        inputs="linear",
        marks="",
        problem="problems/linear.py",
        solver="solvers/tsvm.py",
        guide=guides.TSVM,
    ),
    Algorithm(
        id="da",
        estimator=machines.DAClassifier,
        title="Deterministic annealing",
        family=LINEAR,
        paper="SK07",
        section="1.4, eq. 1.6-1.9",
        idea=(
            "Every hidden label starts as a coin toss and is decided step by step as "
            "the temperature falls, which avoids many poor local minima."
        ),
        objective=" + ".join(
            (tex.LINEAR_NORM, tex.LINEAR_LOSS, tex.LINEAR_EXPECTED, tex.LINEAR_DOUBT)
        ),
        first=("lam_u", "T", "lam"),
        knobs=(
            *TRANSDUCTIVE,
            Knob(
                "T",
                "log",
                1e-5,
                1e3,
                help="Temperature at the start.",
                up="a longer run that starts from more doubt",
                title="First temperature T",
            ),
            Knob(
                "rate",
                "float",
                1.01,
                10.0,
                step=0.1,
                help="Factor by which the temperature falls.",
                up="fewer temperatures: a shorter run, a coarser annealing",
                travels=False,
                title="Annealing rate",
                place="more",
            ),
            Knob(
                "anneal",
                "bool",
                help="Let the temperature fall; off keeps it where it is.",
                up="that doubt is taken away step by step",
                title="Lower the temperature",
            ),
            Knob(
                "max_temperatures",
                "int",
                1,
                200,
                step=1,
                help="Most temperatures visited.",
                up="that the cooling may go on longer, to a lower temperature",
                travels=False,
                title="Most temperatures",
                place="more",
            ),
            SCHEDULE,
            *stopping_knobs(machines.DAClassifier, **TRAININGS),
        ),
        curves=(
            Curve(
                "Objective at T, and at T = 0", ("objective", "transductive_objective")
            ),
            Curve("Temperature", ("T",), log=True),
            Curve("Entropy per unlabelled point", ("entropy",)),
            Curve("KL divergence from the last p", ("kl",), log=True),
        ),
        max_n=100_000,
        inputs="linear",
        marks="",
        problem="problems/linear.py",
        solver="solvers/da.py",
        guide=guides.DA,
    ),
):
    register(_algorithm)
