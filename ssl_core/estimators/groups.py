"""Settings that several estimators share: weights, class ratio, when to stop."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ssl_core.features import METHODS
from ssl_core.problems.bias import FREE, NO_BIAS, Bias
from ssl_core.settings import (
    HEAVIEST,
    LIGHTEST,
    OWN,
    Settings,
    anything,
    check_number,
    choice,
    number,
    switch,
)


class Stopping(Settings):
    """When a run ends besides the method's own end.

    For k > 2 classes a rule watches the joint decision of all machines while they train
    together, as [MB11] 6.4 suggests, or each machine's own. A method that has a
    tolerance has a setting ``tol``, which is also the threshold of a rule given by
    name; elsewhere that is the rule's own default.
    """

    stop: Any = anything(
        None,
        "Rule that may stop the run before the method ends: a name in "
        '`ssl_core.stopping.RULES` that suits its states ("stability", '
        '"validation", "mixed", "gradient", ...) or a rule such as '
        "``stability_check(every=10)``.",
        values="None, str or rule",
        title="Stop when",
        place="stopping",
        travels=False,
        help="A rule that may end the run before the method does.",
    )
    max_iter: int = number(
        500,
        "Maximum number of iterations.",
        integer=True,
        at_least=0,
        title="Maximum iterations",
        slider=(1, 2_000),
        **OWN,
        order=2,
        up="that the run may be longer",
    )
    check_every: int | None = number(
        None,
        "Iterations between two checks of a rule given by name; None means "
        "theta = round(sqrt(n) / 2).",
        integer=True,
        also=(None,),
        at_least=1,
        title="Iterations between checks",
        slider=(1, 200),
        **OWN,
        order=2,
        help="Iterations θ between two checks; automatic is √n / 2.",
        up="predictions compared over more iterations: later stops, fewer wrong ones",
    )
    stop_per_class: bool = switch(
        False,
        "For k > 2 classes: let every binary classifier stop by its own check.",
        title="Each class stops by itself",
        **OWN,
        order=2,
        help="With more than two classes, let every binary classifier stop by itself.",
        up="that a class that is finished stops while the others continue",
    )


class Ambient(Settings):
    """The norm of f in its kernel, and its bias."""

    gamma_A: float = number(
        1e-2,
        "Ambient regularisation; C = 1 / (2 gamma_A) in the scaling of the S3VMs.",
        above=0,
        title="Ambient weight γ_A",
        slider=(1e-8, 1e3),
        log=True,
        help="Ambient weight γ_A: how smooth the function must be in the whole space.",
        up="a smoother function, outputs closer to 0, labels fitted less exactly",
    )
    bias: bool = switch(
        True,
        "Whether f has a constant b, which is not regularised.",
        title="Bias b",
        place="more",
        help="Give f a constant b; the published tables were made without it.",
        up="a constant that is added to f",
    )

    @property
    def weights(self) -> dict[str, Any]:
        """What every problem of the Laplacian family takes."""
        bias: Bias = FREE if self.bias else NO_BIAS
        return {"gamma_A": self.gamma_A, "bias": bias}


LARGEST = 1e12  # weight of a point or class; beyond it sums keep no digits of others


def _check_class_weight(name, value):
    if value is None or (isinstance(value, str) and value == "balanced"):
        return
    if not isinstance(value, Mapping):
        raise ValueError(
            f"{name} must be 'balanced', None or a dict from classes to weights, got "
            f"{value!r:.60}."
        )
    for label, weight in value.items():
        check_number(f"{name}[{label!r:.40}]", weight, above=0, at_most=LARGEST)


class ClassWeights(Settings):
    """What the losses of labelled points count beside one another."""

    class_weight: Any = anything(
        None,
        "Weights of the classes, which multiply those of their points: "
        '``{class: weight}``, 1 for a class that is not named, or "balanced" for '
        "weights that make the sum of all weights equal in each class.",
        rule=_check_class_weight,
        values='dict, "balanced" or None',
    )


class Weights(Settings):
    """Weights of the losses of an S3VM."""

    C: float = number(
        10.0,
        "Weight of the labelled points.",
        at_least=LIGHTEST,
        at_most=HEAVIEST,
        title="Labelled weight C",
        slider=(1e-3, 1e4),
        log=True,
        help="Weight C of the labelled points: how exactly their labels are fitted.",
        up="labels fitted more exactly, a narrower margin",
    )
    C_u: float = number(
        1.0,
        "Weight C* of the unlabelled points.",
        at_least=0,
        at_most=HEAVIEST,
        title="Unlabelled weight C*",
        slider=(1e-4, 1e4),
        log=True,
        extra=(0.0,),
        help=(
            "Weight C* of the unlabelled points: how strongly they push the boundary "
            "away."
        ),
        up="a boundary farther from unlabelled points, and labels fitted less exactly",
    )


class Balance(Settings):
    """How a continuous S3VM keeps its class ratio."""

    balance: str = choice(
        "linear",
        ("linear", "exact", "fixed"),
        "How the class ratio r is kept: 'linear' makes the outputs' mean 2r - 1 on the "
        "unlabelled points, [CSK08] eq. (12); 'exact' searches for the b that puts a "
        "share r on the positive side, [CSK08] eq. (3), in several runs; 'fixed' only "
        "sets b = 2r - 1, in the kernel as it is.",
        title="Class ratio by",
        words=("Mean of the outputs", "Share of positive outputs", "Constant b only"),
        place="more",
        help="How the class ratio is kept: by the mean of the outputs, by a search for "
        "b in several runs, or only by b = 2r - 1.",
    )


class FeatureMap(Settings):
    """Features Z with Z Z' = K."""

    rank: int | None = number(
        None,
        "Maximum number of features; None keeps all that are above rounding errors. "
        "The first state says which share of the kernel's trace is left out.",
        integer=True,
        also=(None,),
        at_least=1,
        title="Features",
        slider=(1, 4000),
        step=10,
        **OWN,
        order=1,
        help="Maximum number of features for the kernel; automatic keeps all.",
        up="a better approximation of the kernel, and a longer run",
    )
    factor: str = choice(
        "cholesky",
        METHODS,
        "How features Z with Z Z' = K are made: pivoted Cholesky or eigenvectors.",
        title="Features by",
        words=("Pivoted Cholesky", "Eigenvectors"),
        **OWN,
        order=1,
        help="How the features of the kernel are made; eigenvectors are slower, and "
        "better where their number is limited.",
    )


def _check_ratio(name, value):
    for share in [] if value is None else np.atleast_1d(value):
        if not (isinstance(share, float | np.floating) and 0 < share < 1):
            raise ValueError(
                f"{name} must be a share of positive points above 0 and below 1, one "
                f"per class for several classes, or None to estimate it, "
                f"got {value!r}."
            )


class ClassRatio(Settings):
    """The class ratio of unlabelled points: given, one per class, or from labels."""

    r: Any = number(
        None,
        "Share of positive points among the unlabelled, one per class for several "
        "classes (the share of that class); None takes it from the labels.",
        also=(None,),
        rule=_check_ratio,
        values="float, array-like of shape (k,) or None",
        title="Share of class 2, r",
        slider=(0.01, 0.99),
        step=0.01,
        help="Share of positive unlabelled points; automatic: as among the labels.",
        up="more unlabelled points in class 2",
    )

    def check_machines(self, n_machines: int) -> None:
        if np.ndim(self.r) > 0 and len(self.r) != n_machines:
            raise ValueError(
                f"r must be one number, or one per class for more than two classes; "
                f"got {len(self.r)} for {max(2, n_machines)} classes."
            )

    def check_sides(self, n_machines: int, n_unlabeled: int) -> None:
        """Both sides must have a point, and shares of several classes add up to 1."""
        given = [] if self.r is None else np.atleast_1d(self.r)
        u = n_unlabeled
        for r in given if u else []:
            if not 1 <= np.floor(r * u + 0.5) <= u - 1:
                raise ValueError(
                    f"r must leave a point on either side, got r={r:g} for {u} "
                    f"unlabelled points; choose r from {1 / u:.3g} to {1 - 1 / u:.3g}, "
                    f"or None to take it from the labels."
                )
        k = n_machines
        total = np.sum(np.broadcast_to(given, k)) if k > 1 and len(given) else 1.0
        if abs(total - 1.0) > 0.01:
            raise ValueError(
                f"r must add up to 1 over the {k} classes, got {total:.3g}; give one "
                f"share for each of them, or None to take it from the labels."
            )

    def of_machine(self, j: int) -> float | None:
        return self.r[j] if np.ndim(self.r) > 0 else self.r
