"""The path of local minima of an S3VM, [OITS13]."""

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides.path import S3VM_PATH
from ssl_core.catalogue.kernel_machines import KERNEL, OBJECTIVE
from ssl_core.catalogue.linear_machines import RATIO
from ssl_core.catalogue.stopping import RULE_TOL, stopping_knobs
from ssl_core.estimators.s3vm_path import S3VMPathClassifier
from ssl_core.knobs import Knob
from ssl_core.registry import S3VM, Algorithm, Curve, register

register(
    Algorithm(
        id="s3vm_path",
        estimator=S3VMPathClassifier,
        title="S3VM path",
        family=S3VM,
        paper="OITS13",
        section="3-5, Algorithms 1-3",
        idea=(
            "Let the unlabelled points gain weight without a step size: follow the "
            "solution exactly, and jump where a point changes sides."
        ),
        objective=" + ".join((tex.NORM, tex.PLAIN_LABELED, tex.PLAIN_HAT)),
        knobs=(
            *KERNEL,
            Knob(
                "C",
                "log",
                1e-3,
                1e4,
                help="Weight C of the labelled points, and the last C* of the others.",
                up="labels fitted more exactly, and a path to a larger C*",
                title="Weight C",
            ),
            RATIO,
            Knob(
                "centered",
                "bool",
                help="Centre the kernel, so that the share r holds for the outputs.",
                up="a mean output of 2r - 1 on the unlabelled points",
                title="Keep the balance",
            ),
            *stopping_knobs(
                S3VMPathClassifier,
                most=100_000,
                counted="break points",
                end="The path has reached C",
                tol=RULE_TOL,
            ),
        ),
        curves=(
            OBJECTIVE,
            Curve("Weight C* of the unlabelled points", ("C_u",)),
            Curve(
                "Points outside, on and inside the margin",
                ("n_O", "n_M", "n_I_l", "n_I_u"),
            ),
        ),
        max_n=4000,
        inputs="kernel",
        marks="points on the margin",
        problem="problems/s3vm_path.py",
        solver="solvers/s3vm_path.py",
        guide=S3VM_PATH,
    )
)
