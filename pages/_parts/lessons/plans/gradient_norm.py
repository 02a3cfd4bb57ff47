"""Why the gradient norm misleads: decisions settle long before it is small."""

import numpy as np

from halfmoon.pages._parts.lessons.lesson import Lesson, Scene, Step
from halfmoon.scenario import default
from ssl_core.viz.words import percent

NORMS, ERRORS = "Norms, relative to the start", "Errors"
EXACT = default().with_parameter("tol", 1e-8).with_parameter("max_iter", 200)
STABLE = default().with_parameter("stop", "stability")
LINES = ("gradient", "unlabelled")


def gradient(runs) -> np.ndarray:
    """The gradient norm of every state, as a share of its start."""
    norm = runs["exact"].column("grad_norm")
    return norm / norm[0]


def rise(runs) -> int:
    """The iteration at which the norm rises most, after the decisions have settled."""
    norm, settled = gradient(runs), runs["exact"].settled
    later = norm[settled + 1 :] / norm[settled:-1]
    return int(settled + 1 + later[:30].argmax())


LESSON = Lesson(
    name="gradient_norm",
    order=50,
    minutes=4,
    scenes={
        "errors": Scene(EXACT, "To convergence", curves=(ERRORS,), lines=LINES),
        "exact": Scene(EXACT, "To convergence", curves=(NORMS, ERRORS), lines=LINES),
        "stable": Scene(
            STABLE, "Stopped when stable", curves=(NORMS, ERRORS), lines=LINES
        ),
    },
    steps=(
        Step("watch", "errors", right="early", plays=True),
        Step("norm", "exact", right="jagged", at="settled", before="errors"),
        Step("stop", "stable", right="none", before="exact"),
        Step("remember", "stable"),
    ),
    facts={
        "settled": lambda runs: runs["exact"].settled,
        "end": lambda runs: runs["exact"].end,
        "norm_settled": lambda runs: percent(gradient(runs)[runs["exact"].settled]),
        "rises": lambda runs: int((np.diff(gradient(runs)) > 0).sum()),
        "t_rise": rise,
        "t_before": lambda runs: rise(runs) - 1,
        "stopped": lambda runs: runs["stable"].end,
        "saved": lambda runs: runs["exact"].end - runs["stable"].end,
        "n_guesses": lambda runs: runs["exact"].n_guesses,
    },
    moments={
        "settled": lambda runs: runs["exact"].settled,
        "before": lambda runs: rise(runs) - 1,
        "rise": rise,
        "end": lambda runs: runs["exact"].end,
    },
    claims={
        "early": lambda runs: runs["exact"].settled <= 0.1 * runs["exact"].end,
        "stays": lambda runs: not runs["exact"].wrong[runs["exact"].settled :].any(),
        "long": lambda runs: (
            np.argmax(gradient(runs) < 1e-6) > 3 * runs["exact"].settled
        ),
        "jagged": lambda runs: 0.25 < (np.diff(gradient(runs)) > 0).mean() < 0.5,
        "descends": lambda runs: (
            np.diff(runs["exact"].column("objective")) <= 1e-12
        ).all(),
        "saves": lambda runs: runs["stable"].end < 0.5 * runs["exact"].end,
        "none": lambda runs: (
            runs["stable"].sides[-1].tolist() == runs["exact"].sides[-1].tolist()
        ),
        "differ": lambda runs: (
            np.abs(runs["stable"].trace.final.f - runs["exact"].trace.final.f).max()
            > 1e-3
        ),
    },
    thumbnail="exact",
    onward="stable",
)
