"""What a field of a state is: its words, and how other modules treat it.

A state class declares each of its own fields once:

    T: float = quantity("temperature", symbol="T", role=SCHEDULE, merge="mean")

Legends, sentences, tiles, the merging of one-vs-rest machines, the thinning of long
recordings and the progress bar all read the declaration; none of them knows a field by
its name.
"""

from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType

import numpy as np

SCHEDULE = "schedule"  # a setting that the method moves: T, lambda', C*
DISTANCE = "distance"  # falls below ``tol`` as the run converges
PROBABILITY = "probability"  # of the positive class, per unlabelled point or per point
MARKS = "marks"  # per point; where it is > 0 the point is ringed on the stage
LINE_SEARCH = "line search"  # psi(s) of the step that led here
LENS = "lens"  # the unlabelled loss of the moment, a `problems.lens.Lens`
# A search tree is drawn from these; NODE and PARENT are enough.
NODE = "node"  # number of the node that is looked at
PARENT = "parent"  # and of its parent; the root's is no node
SIDE = "side"  # which child of its parent it is: a place in what that one has WAITING
WAITING = "waiting"  # bounds of the children that wait below it from now on
NODE_BOUND = "bound"  # nothing below the node is better
FATE = "fate"  # why nothing is left to do below it, in a word; empty where it branched
LOWER = "lower bound"  # of the optimum, over all nodes that are left
UPPER = "upper bound"  # of the optimum: the incumbent
TREE = (NODE, PARENT, SIDE, WAITING, NODE_BOUND, FATE, LOWER, UPPER)
ROLES = ("", SCHEDULE, DISTANCE, PROBABILITY, MARKS, LINE_SEARCH, LENS, *TREE)
MERGES = ("sum", "mean", "max", "same", "each")
_KEY = "quantity"


@dataclass(frozen=True, slots=True)
class Quantity:
    """Declaration of one field.

    Attributes
    ----------
    title : str
        Words for a legend: "gradient"; the field's name where it is empty.
    symbol : str
        As a formula has it: "λ′".
    role : str
        How other modules use it; one of `ROLES`.
    merge : {"sum", "mean", "max", "same", "each"}
        A number over the machines of a multi-class run; "each" keeps an array with one
        entry per machine (a tuple where it is no number), "same" is equal for all of
        them. Arrays are always stacked.
    sentence : str
        How far the run is, shown where nothing better is known: a format string
        with ``{value}``, ``{share}`` (as "still 4 % of its start"), or the name of any
        other number of the state.
    keep : bool
        Whether it survives thinning although it is no number.
    """

    title: str = ""
    symbol: str = ""
    role: str = ""
    merge: str = "sum"
    sentence: str = ""
    keep: bool = False

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError(f"role must be one of {ROLES}, got {self.role!r}.")
        if self.merge not in MERGES:
            raise ValueError(f"merge must be one of {MERGES}, got {self.merge!r}.")


def quantity(title: str = "", *, default=..., **declared):
    """A dataclass field with its `Quantity`; ``default`` only where it has one."""
    metadata = {_KEY: Quantity(title, **declared)}
    if default is ...:
        return field(metadata=metadata)
    return field(default=default, metadata=metadata)


def gradient(**declared):
    """The norm of a gradient, as most states have it."""
    sentence = "The gradient is {share}."
    return quantity("gradient", symbol="‖∇‖", sentence=sentence, **declared)


def lens_field():
    """The unlabelled loss of the moment; None where there is none."""
    return quantity("unlabelled loss", default=None, role=LENS, merge="each")


@cache
def quantities(kind: type) -> MappingProxyType[str, Quantity]:
    """The declarations of a state class by field name, in the order of the fields."""
    found = {}
    for item in fields(kind):
        declared = item.metadata.get(_KEY, Quantity())
        found[item.name] = declared
    return MappingProxyType(found)


def title_of(kind: type, name: str) -> str:
    """Words for a field of a state class."""
    return quantities(kind)[name].title or name.replace("_", " ")


def merged(merge: str, values):
    """One number for the machines of a multi-class run, of the type of the values."""
    how = {"sum": np.sum, "mean": np.mean, "max": np.max, "same": np.max}[merge]
    return type(values[0])(how(values))


@cache
def with_role(kind: type, role: str) -> tuple[str, ...]:
    """Names of the fields of a state class that have a role."""
    return tuple(n for n, declared in quantities(kind).items() if declared.role == role)
