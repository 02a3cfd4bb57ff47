"""The path of local minima of an S3VM, [OITS13]."""

from ssl_core.catalogue import formulas as tex
from ssl_core.catalogue.guides.path import S3VM_PATH
from ssl_core.catalogue.kernel_machines import OBJECTIVE
from ssl_core.estimators.s3vm_path import S3VMPathClassifier
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
            "Raise the weight of the unlabelled points continuously: follow the "
            "solution exactly, and jump where a point changes sides."
        ),
        objective=" + ".join((tex.NORM, tex.PLAIN_LABELED, tex.PLAIN_HAT)),
        end="The path has reached C",
        curves=(
            OBJECTIVE,
            Curve("Weight C* of the unlabelled points", ("C_u",)),
            Curve(
                "Points outside, on and inside the margin",
                ("n_O", "n_M", "n_I_l", "n_I_u"),
            ),
        ),
        retired=("tol",),
        max_n=4000,
        marks="points on the margin",
        problem="problems/s3vm_path.py",
        solver="solvers/s3vm_path.py",
        guide=S3VM_PATH,
    )
)
