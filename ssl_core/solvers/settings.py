"""What solvers have in common: they are called on a problem, with their settings."""

from collections.abc import Iterator
from typing import Any, ClassVar

from ssl_core.settings import MAX_VALUES, OWN, Settings, number
from ssl_core.stopping import Rule
from ssl_core.trace import State


class Solver(Settings):
    """The settings of a solver; called on a problem it goes to work.

    Its ``name`` is that of its module, which carries the name of the method.
    """

    name: ClassVar[str]

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.name = cls.__module__.rpartition(".")[2]

    def __call__(self, problem: Any, start: State | None = None) -> Iterator[State]:
        raise NotImplementedError  # a subclass knows its function

    def usual_rule(self) -> Rule | None:
        """What ends a run where the method knows no end."""
        return None


class Usual(Settings):
    """Fields that solvers take over."""

    tol: float = number(
        1e-6,
        "Tolerance relative to the start; 0 runs to the last iteration.",
        at_least=0,
        title="Tolerance",
        slider=(1e-14, 1e-1),
        log=True,
        extra=(0.0,),
        place="stopping",
        travels=False,
        order=1,
        up="a shorter, less exact run",
    )
    every: int = number(
        10,
        "Gradient steps from one state to the next; a step of the schedule ends with "
        "one as well.",
        integer=True,
        at_least=1,
        at_most=10_000,
        title="Steps per frame",
        slider=(1, 100),
        **OWN,
        help="Gradient steps from one frame to the next.",
        up="fewer frames, with more steps between them; the run is the same",
    )
    rate: float = number(
        1.5,
        "Factor of the annealing schedule.",
        above=1,
        title="Annealing rate",
        slider=(1.01, 10.0),
        step=0.1,
        travels=False,
        up="fewer and larger steps: a shorter run, a coarser annealing",
    )
    steps: int = number(
        10,
        "Values of C_u, each twice the last; 1 means no annealing.",
        integer=True,
        at_least=1,
        at_most=MAX_VALUES,
        title="Annealing steps",
        slider=(1, 100),
        **OWN,
        help="Number of values of C*, each twice the last; 1 means no annealing.",
        up="more steps: a longer run, a slower annealing",
    )
    T: float = number(
        10.0,
        "First temperature, in units of C_u.",
        above=0,
        title="First temperature T / C*",
        slider=(1e-3, 1e3),
        log=True,
        **OWN,
        help="First temperature, in units of C*.",
        up="a longer run that starts with less certain labels",
    )
    max_temperatures: int = number(
        60,
        "Maximum number of temperatures.",
        integer=True,
        at_least=1,
        title="Maximum temperatures",
        slider=(1, 500),
        **OWN,
        up="that the temperature may fall further",
    )
    S: int | None = number(
        None,
        "Maximum number of pairs of labels switched at once; None: no limit.",
        integer=True,
        also=(None,),
        at_least=1,
        title="Pairs per switch S",
        slider=(1, 100_000),
        **OWN,
        help="Maximum number of pairs of labels switched at once; automatic: all.",
        up="more labels changed at once, so fewer trainings",
    )
    narrowness: float = number(
        5.0,
        "s of the unlabelled loss exp(-s f^2).",
        above=0,
        title="Narrowness s",
        slider=(0.5, 20.0),
        step=0.5,
        **OWN,
        help="Narrowness of the loss exp(-s f²) of unlabelled points.",
        up="a loss that acts only on points next to the boundary",
    )


# Words of tolerances that mean the same.
SETTLED = {
    "doc": "A step of the schedule ends when at most this share of the unlabelled "
    "points would change its label next; also the threshold of a rule given by name.",
    "help": "A step of the schedule ends when at most this share of the unlabelled "
    "points would change its label next; also the threshold of a rule.",
}
GRADIENT = {
    "doc": "Size of the gradient that ends a step of the schedule, relative to w = 0; "
    "also the threshold of a rule given by name.",
    "help": "Tolerance relative to the start; 0 runs to the last iteration.",
}
COOLING = {
    "doc": "Factor by which T falls.",
    "help": "Factor by which the temperature falls; slower avoids more local minima.",
}
