"""What is known of an algorithm, and how to make one by its name.

The entries themselves stand in `ssl_core.catalogue`, a module per family.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from halfmoon.common.knobs import Knob
from halfmoon.common.plugins import Registry
from ssl_core.estimators.base import SemiSupervisedClassifier
from ssl_core.guide import Guide
from ssl_core.looks import Look, register_looks
from ssl_core.references import REFERENCES
from ssl_core.settings import Setting, settings_of
from ssl_core.stopping import RULES, NamedRule, rules_for
from ssl_core.trace import Trace


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

    @property
    def heading(self) -> str:
        """The title above its algorithms."""
        return self.title[:1].upper() + self.title[1:]


SUPERVISED = Family("supervised", "labels only", 0)
MANIFOLD = Family("manifold", "graph", 1)
LINEAR = Family("linear", "linear", 2)
S3VM = Family("s3vm", "S3VM", 3)
BASELINE = Family("baseline", "baselines", 4)


@dataclass(frozen=True, slots=True)
class Algorithm:
    """Everything other modules need to know about one algorithm.

    Attributes
    ----------
    id : str
        The name `make` takes.
    family : Family
        Its group in a menu.
    paper, section : str
        Key into `ssl_core.references.REFERENCES` and the place in that paper; empty
        where no paper describes it.
    idea : str
        One sentence for a newcomer.
    objective : str
        LaTeX of the objective, in the paper's scaling.
    curves : tuple of Curve
    max_n : int
        Largest sensible number of points in an interactive run.
    marks : str
        What the ringed points are called ("error vectors"), "" where there are none.
    problem, solver : str
        Where problem and solver live, for the reader of the README; the module of the
        estimator's solver where ``solver`` is empty, and ``solver`` where ``problem``
        is.
    end : str
        What ends a run without a rule.
    left_out : tuple of str
        Rules that say the same as ``end``.
    knobs : tuple of Knob
        Settings of the estimator that a visitor may turn: those with a title.
    looks : mapping of str to Look
        How kinds of events look that no other algorithm has.
    first : tuple of str
        The two or three knobs that matter most, in the order they are shown; where
        none are named, the first three at the front.
    retired : tuple of str
        Names of knobs that it once had: links and saved files may still carry them.
    guide : Guide or None
        Its page of the reference, beyond what stands above.
    version : int
        Raised whenever its numbers change: finished cells of experiments carry it.
    """

    id: str
    estimator: type[SemiSupervisedClassifier]
    title: str
    family: Family
    idea: str
    objective: str
    curves: tuple[Curve, ...]
    max_n: int
    paper: str = ""
    section: str = ""
    problem: str = ""
    solver: str = ""
    marks: str = ""
    end: str = "Tolerance is met"
    left_out: tuple[str, ...] = ()
    knobs: tuple[Knob, ...] = field(init=False)
    looks: Mapping[str, Look] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    guide: Guide | None = None
    version: int = 1

    def __post_init__(self) -> None:
        knobs = tuple(_knobs(self))
        object.__setattr__(self, "knobs", knobs)
        home = (self.estimator._solver or self.estimator).__module__
        solver = self.solver or _file(home)
        object.__setattr__(self, "solver", solver)
        object.__setattr__(self, "problem", self.problem or solver)
        if self.paper and self.paper not in REFERENCES:
            raise ValueError(
                f"paper of {self.id} must be one of {', '.join(REFERENCES)}, or empty "
                f"where none describes it, got {self.paper!r}."
            )
        front = tuple(knob.name for knob in knobs if knob.place == "front")
        object.__setattr__(self, "first", self.first or front[:3])
        if not set(self.first) <= {knob.name for knob in knobs} or len(self.first) > 3:
            raise ValueError(
                f"first of {self.id} must name up to three of its knobs, got "
                f"{self.first!r}."
            )

    def __repr__(self) -> str:
        return f"Algorithm({self.id!r}: {self.title})"

    def knob(self, name: str) -> Knob:
        """The knob called ``name``; raises ValueError where there is none."""
        for knob in self.knobs:
            if knob.name == name:
                return knob
        names = ", ".join(knob.name for knob in self.knobs)
        raise ValueError(f"{self.title} has no knob {name!r:.40}; it has: {names}.")

    @property
    def source(self) -> str:
        """The paper and the place in it, in words; "" where there is no paper."""
        if not self.paper:
            return ""
        place = f" Section {self.section}." if self.section else ""
        return f"{REFERENCES[self.paper]}{place}"

    @property
    def inputs(self) -> str:
        """What it knows its points by: "kernel", "graph" or "linear"."""
        return self.estimator._space_kind.inputs

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


def _file(module: str) -> str:
    """A module of the core as a file below it; one from elsewhere by its name."""
    package, _, rest = module.partition(".")
    return f"{rest.replace('.', '/')}.py" if package == "ssl_core" else module


def _knobs(algorithm: Algorithm) -> Iterator[Knob]:
    """The knobs that the settings of an estimator make, in the order of a menu."""
    estimator = algorithm.estimator
    defaults = estimator().get_params()
    shown = [item for item in settings_of(estimator).items() if item[1].title]
    for name, setting in sorted(shown, key=lambda item: item[1].order):
        if name == "stop":
            setting = _with_rules(setting, algorithm)
        yield setting.knob(name, defaults[name])


def _with_rules(setting: Setting, algorithm: Algorithm) -> Setting:
    """The choice of a rule: those that suit the states of an algorithm."""
    suitable = rules_for(algorithm.estimator._state)
    names = [name for name in suitable if name not in algorithm.left_out]
    words = (algorithm.end, *(RULES[name].words for name in names))
    return replace(setting, kind="choice", offered=(None, *names), words=words)


# By id; `ssl_core.catalogue` fills it, and plug-ins do.
ALGORITHMS: Registry[Algorithm] = Registry("algorithm")


def algorithm_of(trace: Trace) -> Algorithm | None:
    """The entry of the method that made a trace; None where it is not registered."""
    if trace.made_by is None:
        return None
    for entry in ALGORITHMS.values():
        if entry.estimator.__name__ == trace.made_by.estimator:
            return entry
    return None


def in_menu_order() -> list[str]:
    """Ids of all algorithms, family by family."""
    return sorted(ALGORITHMS, key=lambda name: ALGORITHMS[name].family.place)


def register_algorithm(algorithm: Algorithm) -> None:
    """Add an algorithm; menus, tables and tests find it.

    Parameters
    ----------
    algorithm : Algorithm
        Its ``id`` must be new.
    """
    if not isinstance(algorithm, Algorithm):
        raise ValueError(
            f"algorithm must be an Algorithm(id=..., estimator=..., ...), got "
            f"{algorithm!r:.60}."
        )
    ALGORITHMS.check_name(algorithm.id)
    register_looks(algorithm.looks)
    ALGORITHMS.enter(algorithm.id, algorithm)


register = register_algorithm  # as the catalogue calls it


def register_rule(name: str, rule: NamedRule) -> None:
    """Add a stopping rule, which every method offers whose states have what it needs.

    Parameters
    ----------
    name : str
        What ``stop`` takes; it must be new.
    rule : NamedRule
        The rule's class and its words. It is made without arguments, with a tolerance
        or, for a check, with ``every``.
    """
    if not isinstance(rule, NamedRule) or not hasattr(_made(rule), "watch"):
        raise ValueError(
            f"rule must be NamedRule(make, title, words), with a class that has "
            f"watch(run), got {rule!r:.80}."
        )
    RULES.enter(name, rule)
    for key, algorithm in ALGORITHMS.items():  # their menus of rules
        ALGORITHMS[key] = replace(algorithm)


def _made(named: NamedRule) -> Any:
    """The rule as a menu makes it."""
    try:
        return named()
    except TypeError as error:
        raise ValueError(
            f"every field of a stopping rule needs a default, and {named.title} cannot "
            f"be made without arguments ({error})."
        ) from error


def make(name: str, **parameters: Any) -> SemiSupervisedClassifier:
    """A new estimator, by the id of its algorithm.

    >>> from halfmoon import make
    >>> make("lapsvm_pcg", sigma=0.35, gamma_I=1.0)
    LapSVMPCGClassifier(sigma=0.35)
    """
    if name not in ALGORITHMS:
        raise ValueError(f"name must be one of {', '.join(ALGORITHMS)}, got {name!r}.")
    estimator = ALGORITHMS[name].estimator()
    own = estimator.get_params()
    for parameter in parameters:
        if parameter not in own:
            raise ValueError(
                f"{parameter} is not a parameter of {name}; it has: {', '.join(own)}."
            )
    return estimator.set_params(**parameters)
