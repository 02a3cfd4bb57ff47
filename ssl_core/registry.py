"""What is known of an algorithm, and how to make one by its name.

The entries themselves stand in `ssl_core.catalogue`, a module per family.
"""

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.guide import Guide
from ssl_core.knobs import Knob


@dataclass(frozen=True, slots=True)
class Curve:
    """A panel worth plotting: scalar fields of the states on one axis."""

    title: str
    fields: tuple[str, ...]
    log: bool = False
    relative: bool = False  # divide by the value at the start


@dataclass(frozen=True, slots=True)
class Family:
    """Algorithms that stand together in a menu.

    Attributes
    ----------
    id : str
    title : str
        Words behind an algorithm's title.
    place : int
        Families with a lower number come first; equal ones as they were registered.
    """

    id: str
    title: str
    place: int


SUPERVISED = Family("supervised", "labels only", 0)
MANIFOLD = Family("manifold", "graph", 1)
LINEAR = Family("linear", "linear", 2)
S3VM = Family("s3vm", "S3VM", 3)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """Everything the rest of the house needs to know of one algorithm.

    Attributes
    ----------
    id : str
        The name `make` takes.
    family : Family
        What it stands beside in a menu.
    paper, section : str
        Key into `ssl_core.references.REFERENCES` and the place in that paper.
    idea : str
        One sentence for a newcomer.
    objective : str
        LaTeX of the objective, in the paper's scaling.
    knobs : tuple of Knob
        Parameters a visitor may turn; their defaults are the estimator's.
    curves : tuple of Curve
    max_n : int
        Largest sensible number of points in an interactive run.
    inputs : "kernel" or "linear"
    marks : str
        What the ringed points are called ("error vectors"), "" where there are none.
    problem, solver : str
        Where problem and solver live, for the reader of the README.
    first : tuple of str
        The two or three knobs that matter most, in the order they are shown; where
        none are named, the first three at the front.
    guide : Guide or None
        Its page of the reference, beyond what stands above.
    version : int
        Raised whenever its numbers change: finished cells of experiments carry it.
    """

    id: str
    estimator: type[SemiSupervisedClassifier]
    title: str
    family: Family
    paper: str
    section: str
    idea: str
    objective: str
    knobs: tuple[Knob, ...]
    curves: tuple[Curve, ...]
    max_n: int
    inputs: str
    marks: str
    problem: str
    solver: str
    first: tuple[str, ...] = ()
    guide: Guide | None = None
    version: int = 1

    def __post_init__(self) -> None:
        defaults = self.estimator().get_params()
        knobs = []
        for knob in self.knobs:
            default = defaults.get(knob.name)
            if knob.name not in defaults or knob.default not in (None, default):
                raise ValueError(
                    f"knob {knob.name} of {self.id} must be a parameter of "
                    f"{self.estimator.__name__} with the same default or none, got "
                    f"{knob.default!r}."
                )
            knobs.append(replace(knob, default=default))
        object.__setattr__(self, "knobs", tuple(knobs))
        front = tuple(knob.name for knob in knobs if knob.place == "front")
        object.__setattr__(self, "first", self.first or front[:3])
        if not set(self.first) <= {knob.name for knob in knobs} or len(self.first) > 3:
            raise ValueError(
                f"first of {self.id} must name up to three of its knobs, got "
                f"{self.first!r}."
            )

    def knob(self, name: str) -> Knob:
        """The knob called ``name``; a sentence where there is none."""
        for knob in self.knobs:
            if knob.name == name:
                return knob
        names = ", ".join(knob.name for knob in self.knobs)
        raise ValueError(f"{self.title} has no knob {name!r:.40}; it has: {names}.")

    @property
    def in_order(self) -> tuple[Knob, ...]:
        """All knobs: those that matter first, those of the front, of stopping, more."""
        places = ("front", "stopping", "more")

        def rank(knob: Knob) -> int:
            if knob.name in self.first:
                return self.first.index(knob.name)
            return len(self.first) + places.index(knob.place)

        return tuple(sorted(self.knobs, key=rank))

    @property
    def full_title(self) -> str:
        """Title and family, as a menu shows it."""
        return f"{self.title} · {self.family.title}"

    @property
    def defaults(self) -> dict[str, Any]:
        return {knob.name: knob.default for knob in self.knobs}


_ALGORITHMS: dict[str, Algorithm] = {}


def algorithms() -> dict[str, Algorithm]:
    """All algorithms by id; the catalogue is read when somebody asks."""
    import_module("ssl_core.catalogue")
    return _ALGORITHMS


def __getattr__(name: str):
    """``ALGORITHMS``: whoever asks first, here or in `ssl_core`, finds all of them."""
    if name == "ALGORITHMS":
        return algorithms()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def in_menu_order() -> list[str]:
    """Ids of all algorithms, family by family."""
    known = algorithms()
    return sorted(known, key=lambda name: known[name].family.place)


def register(algorithm: Algorithm) -> None:
    """Add an algorithm, found from now on wherever algorithms are."""
    if algorithm.id in _ALGORITHMS:
        raise ValueError(f"algorithm {algorithm.id} is registered already.")
    _ALGORITHMS[algorithm.id] = algorithm


def make(name: str, **parameters) -> SemiSupervisedClassifier:
    """A new estimator by its algorithm's id.

    >>> from ssl_core import make
    >>> make("lapsvm_pcg", sigma=0.35, gamma_I=1.0)
    LapSVMPCGClassifier(sigma=0.35)
    """
    known = algorithms()
    if name not in known:
        raise ValueError(f"name must be one of {', '.join(known)}, got {name!r}.")
    estimator = known[name].estimator()
    own = estimator.get_params()
    for parameter in parameters:
        if parameter not in own:
            raise ValueError(
                f"{parameter} is not a parameter of {name}; it has: {', '.join(own)}."
            )
    return estimator.set_params(**parameters)
