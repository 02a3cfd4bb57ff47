"""Runs that are refused, with the ways out that one click can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from halfmoon.scenario import Labels, Scenario, data_knobs, suggested
from ssl_core import ALGORITHMS
from ssl_core.viz.words import number


@dataclass(frozen=True)
class Way:
    """A way out of a refusal.

    Parameters
    ----------
    title : str
        Of its button.
    take : callable
        From a scenario and the index of the refused method to another scenario.
    other_algorithm : bool
        Whether it replaces the algorithm, which pages about one algorithm cannot.
    """

    title: str
    take: Callable[[Scenario, int], Scenario]
    other_algorithm: bool = False


class RefusedError(ValueError):
    """Why there is no run, in one sentence, and ways out of it.

    Parameters
    ----------
    sentence : str
    *ways : Way or None
        None where there is no such way.
    """

    def __init__(self, sentence: str, *ways: Way | None):
        super().__init__(sentence)
        self.ways = tuple(way for way in ways if way is not None)


def fewer_points(scenario: Scenario, most: int) -> Way | None:
    """At most so many training points, where the data have a knob for it."""
    knob = data_knobs(scenario.data).get("n")
    if knob is None or most < 2:
        return None
    n = most + min(scenario.n_val + scenario.n_test, most)  # half always stay
    rounded = n - (n - knob.low) % (knob.step or 1)
    n = int(rounded if rounded > knob.low else n)
    if not max(knob.low, 1) <= n <= knob.high:
        return None
    return Way(f"Use {n:,} points", lambda s, _: s.with_data_knob("n", n))


def another_algorithm(scenario: Scenario, takes: Callable[[str], bool]) -> Way | None:
    """The nearest algorithm that takes such data.

    Nearest is one of the same family, then one that learns from unlabelled points, and
    among those one that is offered for many points.
    """
    refused = ALGORITHMS[scenario.algorithm]

    def distance(name: str) -> tuple[bool, bool, int]:
        entry = ALGORITHMS[name]
        knobs = {knob.name for knob in entry.knobs}
        unlabelled = bool(knobs & {"lam_u", "C_u", "gamma_I"})
        return entry.family != refused.family, not unlabelled, -entry.max_n

    others = sorted((n for n in ALGORITHMS if n != refused.id), key=distance)
    name = next(filter(takes, others), None)
    if name is None:
        return None
    return Way(
        f"Use {ALGORITHMS[name].title}",
        lambda s, index: s.with_algorithm(name, index=index),
        other_algorithm=True,
    )


def single_precision() -> Way:
    return Way(
        "Use single precision",
        lambda s, index: s.with_parameter("dtype", "float32", index),
    )


def one_label_per_class() -> Way:
    def take(scenario: Scenario, _: int) -> Scenario:
        return scenario.with_labels(Labels("random", 1, scenario.labels.draw))

    return Way("Label one point per class", take)


def two_classes(scenario: Scenario) -> Way | None:
    """Where the data have a knob for the number of classes."""
    if "n_classes" not in data_knobs(scenario.data):
        return None
    return Way("Use two classes", lambda s, _: s.with_data_knob("n_classes", 2))


def usual_parameter(scenario: Scenario, name: str, title: str) -> Way:
    """The value of a parameter that suits these data; ``title`` names it."""
    values = dict(suggested(scenario.algorithm, scenario.data, scenario.knobs))
    return Way(
        f"Use {title} = {number(values[name])}",
        lambda s, index: s.with_parameter(name, values[name], index),
    )


def hold_out(n_val: int) -> Way:
    return Way(
        f"Hold out {n_val} points", lambda s, _: s.with_held_out(n_val, s.n_test)
    )
