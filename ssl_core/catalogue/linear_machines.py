"""Sparse linear machines, [SK06] and [SK07]."""

from functools import partial

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides import linear as guides
from ssl_core.catalogue.kernel_machines import GRADIENT, OBJECTIVE
from ssl_core.estimators import linear as machines
from ssl_core.registry import LINEAR, Algorithm, Curve, register

ACTIVE = Curve("Active points", ("n_active",))
CG_ITERATIONS = Curve("CGLS iterations", ("cg_iterations",))
linear = partial(
    Algorithm, family=LINEAR, paper="SK07", max_n=100_000, problem="problems/linear.py"
)

for _algorithm in (
    linear(
        id="l2svm_mfn",
        estimator=machines.L2SVMClassifier,
        title="Linear SVM, finite Newton",
        section="1.2",
        idea="The widest linear margin, by Newton steps on the points inside it.",
        objective=tex.LINEAR_NORM + " + " + tex.LINEAR_LOSS,
        curves=(OBJECTIVE, GRADIENT, ACTIVE, CG_ITERATIONS),
        max_n=1_000_000,
        marks="error vectors",
        solver="solvers/l2svm_mfn.py",
        guide=guides.L2SVM_MFN,
    ),
    linear(
        id="tsvm",
        estimator=machines.TSVMClassifier,
        title="Transductive SVM, multi-switch",
        section="1.3",
        idea=(
            "Guess the unknown labels, train, and switch pairs of them whenever that "
            "lowers the objective, while the unlabelled points gain weight."
        ),
        objective=" + ".join((tex.LINEAR_NORM, tex.LINEAR_LOSS, tex.LINEAR_GUESSED)),
        curves=(
            OBJECTIVE,
            Curve("Weight λ' of the unlabelled points", ("lam_u",), log=True),
            Curve("Pairs switched", ("n_switched",)),
            CG_ITERATIONS,
        ),
        guide=guides.TSVM,
    ),
    linear(
        id="da",
        estimator=machines.DAClassifier,
        title="Deterministic annealing",
        section="1.4, eq. 1.6-1.9",
        idea=(
            "Every unknown label starts undecided and is decided step by step as the "
            "temperature falls, which avoids many poor local minima."
        ),
        objective=" + ".join(
            (tex.LINEAR_NORM, tex.LINEAR_LOSS, tex.LINEAR_EXPECTED, tex.LINEAR_DOUBT)
        ),
        first=("lam_u", "T", "lam"),
        curves=(
            Curve(
                "Objective at T, and at T = 0", ("objective", "transductive_objective")
            ),
            Curve("Temperature", ("T",), log=True),
            Curve("Entropy per unlabelled point", ("entropy",)),
            Curve("KL divergence from the last p", ("kl",), log=True),
        ),
        guide=guides.DA,
    ),
):
    register(_algorithm)
