"""What the lessons' scenarios have in common: data on offer, draws, labels, numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TypeVar

from halfmoon.datasets import DATASETS
from halfmoon.scenario import Scenario

T = TypeVar("T")
# From a link to what it opens. For a saved file it is known already: `as_link`.
Reader = Callable[[Mapping[str, str]], tuple[Scenario, list[str]]]


def as_link(
    scenario: Scenario, remarks: Sequence[str]
) -> tuple[Mapping[str, str], Reader]:
    """A saved scenario in the place of a link and its reader: both open alike."""
    return {"data": scenario.data}, lambda _: (scenario, list(remarks))


def available(names: Sequence[str], scenario: Scenario | None = None) -> list[str]:
    """Those data sets that can be loaded now, and the one that a link brought."""
    found = [name for name in names if DATASETS[name].available()]
    if scenario is not None and scenario.data not in found:
        found.append(scenario.data)
    return found


def with_label_count(scenario: Scenario, count: int) -> Scenario:
    """So many labels, chosen as before."""
    return scenario.with_labels(replace(scenario.labels, count=count))


def redrawn(scenario: Scenario, seed: int) -> Scenario:
    """Another draw of the data, of what is held out and of the labels."""
    other = scenario.with_seed(seed)
    return other.with_labels(replace(other.labels, draw=seed))


def opened(
    url: Mapping[str, str],
    read: Reader,
    algorithm: str,
    first: Callable[[], Scenario],
    instead: str,
    *,
    own: bool = False,
) -> tuple[Scenario, list[str]]:
    """A link's scenario for a page on one algorithm and two classes, with remarks.

    A link may come from the playground: data, labels and the parameters that the
    algorithms share stay.

    Parameters
    ----------
    read : callable
        From the link to its scenario and remarks; see `Reader`.
    first : callable
        Makes the page's own scenario, where the link has no data for it.
    instead : str
        What its data are called.
    own : bool
        Whether the page takes a visitor's drawing or file.
    """
    scenario, remarks = read(url)
    entry = DATASETS.get(scenario.data)
    fits = own if entry is None else entry.n_classes == 2 and entry.available()
    if not fits:
        remark = "This page needs available data with two classes"
        remarks = [*remarks, f"{remark}; {instead} are shown instead."]
        if entry is not None and entry.n_classes == 2:
            remarks.append(entry.absence())
        return first(), remarks
    if "data" not in url:  # a link that says nothing about the data
        scenario = replace(first(), view=scenario.view)
    if scenario.algorithm != algorithm:
        scenario = scenario.with_algorithm(algorithm)
    return scenario, remarks


def fitting(
    kind: type[T],
    values: Mapping[str, float],
    limits: Iterable[tuple[str, float, float]],
) -> T:
    """A page's numbers from a link; one that is out of its limits goes to the nearest.

    Parameters
    ----------
    kind : type
        Dataclass of numbers, each with a default.
    limits : iterable of (name, low, high)
    """
    usual, read = kind(), {}
    for name, low, high in limits:
        default = getattr(usual, name)
        read[name] = type(default)(min(max(values.get(name, default), low), high))
    return replace(usual, **read)


def unusual(numbers) -> dict[str, float]:
    """Fields that differ from their defaults, so that links stay short.

    Parameters
    ----------
    numbers : dataclass
        All its fields are numbers with a default.
    """
    usual = type(numbers)()
    return {
        field.name: float(getattr(numbers, field.name))
        for field in fields(numbers)
        if getattr(numbers, field.name) != getattr(usual, field.name)
    }
