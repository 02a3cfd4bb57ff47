"""The path of local minima of an S3VM, explained."""

from ssl_core.catalogue import formulas as tex
from ssl_core.guide import Guide, Place, Term

S3VM_PATH = Guide(
    story=(
        "Annealing without steps. While no point enters or leaves the margin, the "
        "solution is linear in C*, so the next break point can be computed exactly. "
        "When an unlabelled point reaches f = 0 the local minimum ceases to exist: "
        "its label flips, and the path jumps to a better minimum at the same C*."
    ),
    terms=(
        Term(tex.NORM, "The norm: a smooth function with a wide margin."),
        Term(
            tex.PLAIN_LABELED,
            "The labels: the hinge loss of the labelled points, not squared.",
        ),
        Term(
            tex.PLAIN_HAT,
            "The unlabelled points: the loss is highest on the boundary and 0 beyond "
            "the margin, on either side. C* grows from 0 to C. The bias is fixed at "
            "2r - 1.",
        ),
    ),
    places=(
        Place(
            "[OITS13] eq. (1)",
            "the objective",
            "problems/s3vm_path.py",
            "FixedBiasS3VM.value",
        ),
        Place(
            "[OITS13] Algorithm 1",
            "the whole path",
            "solvers/s3vm_path.py",
            "s3vm_path",
        ),
        Place(
            "[OITS13] Algorithm 2",
            "the continuous piece up to the next break point",
            "solvers/_parametric.py",
            "Line.look",
        ),
        Place(
            "[OITS13] Algorithm 3", "the jump", "solvers/s3vm_path.py", "_PathRun.jump"
        ),
        Place(
            "[OITS13] eq. (10)",
            "the labels of the adjacent polytope",
            "solvers/_parametric.py",
            "Line.flip",
        ),
    ),
    good=(
        "Every C* from 0 to C in one run; the one of least validation error is exact.",
        "It shows where and why labels flip.",
    ),
    bad=(
        "It finds a local minimum, not the best one: a grid sometimes ends lower.",
        "Large data have thousands of break points.",
    ),
    watch=(
        "The jumps: two states with one C*, and labels that flip in between.",
        "The points on the margin: each break point adds or removes one.",
    ),
)
