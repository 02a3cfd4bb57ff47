"""The path of local minima of an S3VM, [OITS13]."""

from dataclasses import replace

from ssl_core.catalogue.kernel_machines import KERNEL, OBJECTIVE
from ssl_core.catalogue.linear_machines import RATIO
from ssl_core.catalogue.stopping import TOL, stopping_knobs
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
        objective=(
            r"\tfrac{1}{2} \|w\|^2 + C \sum_{i \in \mathcal{L}} \max(0,\, 1 - y_i "
            r"f(x_i)) + C^* \sum_{j \in \mathcal{U}} \max(0,\, 1 - |f(x_j)|)"
        ),
        knobs=(
            *KERNEL,
            Knob(
                "C",
                "log",
                1e-3,
                1e4,
                help="Weight C of the labelled points, and the last C* of the others.",
                title="Weight C",
            ),
            RATIO,
            Knob(
                "centered",
                "bool",
                help="Centre the kernel, so that the share r holds for the outputs.",
                title="Keep the balance",
            ),
            *stopping_knobs(
                S3VMPathClassifier,
                most=100_000,
                counted="break points",
                end="The path has reached C",
                tol=replace(TOL, help="Threshold of the rule, relative to the start."),
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
    )
)
