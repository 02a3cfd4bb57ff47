"""What the lessons' scenarios have in common: data on offer, draws, labels, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from datasets import DATASETS
from pages._parts.scenario import Scenario


def available(names: Sequence[str], scenario: Scenario | None = None) -> list[str]:
    """Those data sets that can be loaded now, and the one that a link brought."""
    found = [name for name in names if DATASETS[name].available()]
    if scenario is not None and scenario.data not in found:
        found.append(scenario.data)
    return found


def relabelled(scenario: Scenario, count: int) -> Scenario:
    """So many labels, chosen as before."""
    return scenario.with_labels(replace(scenario.labels, count=count))


def redrawn(scenario: Scenario, seed: int) -> Scenario:
    """Another draw of the data, of what is held out and of the labels."""
    other = scenario.with_seed(seed)
    return other.with_labels(replace(other.labels, draw=seed))


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
