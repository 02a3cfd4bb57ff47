"""What a program imports: names of Halfmoon, and the plug-ins that its runs need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from halfmoon.common.plugins import PLUGINS, Plugin
from halfmoon.datasets import DATASETS
from halfmoon.scenario import UPLOAD, Scenario
from ssl_core import ALGORITHMS
from ssl_core.stopping import RULES


def imports(
    scenario: Scenario,
    core: Sequence[str] = ("make",),
    others: Sequence[Scenario] = (),
) -> list[str]:
    """Lines at the top; ``others`` are further runs of the same script."""
    names = {*core} | ({"load"} if scenario.data in DATASETS else set())
    if scenario.data == UPLOAD:
        names.add("read_table")
    hows = {scenario.labels.how} | {run.labels.how for run in chain(scenario)}
    if "random" in hows:
        names.add("hide_labels")
    if "telling" in hows:
        names.add("telling_points")
    lines = [
        "import numpy as np",
        "",
        "import halfmoon",
        f"from halfmoon import {', '.join(sorted(names))}",
    ]
    if scenario.data == UPLOAD:
        lines.append("from halfmoon.datasets.bundled import scale_columns")
    brought = {DATASETS.brought.get(scenario.data)}
    for run in (scenario, *chain(scenario), *others):
        brought.add(ALGORITHMS.brought.get(run.algorithm))
        brought.add(RULES.brought.get(run.params.get("stop")))
    for plugin in sorted(filter(None, brought)):
        lines += _plugin(PLUGINS[plugin])
    return lines


def _plugin(plugin: Plugin) -> list[str]:
    """What a script needs to know of a plug-in: a package is found by itself."""
    if plugin.distribution:
        return [f"# Needs the plug-in {plugin.name}: pip install {plugin.distribution}"]
    return ["", f"import {plugin.module}  # the plug-in, a file beside this one"]


def chain(scenario: Scenario) -> Iterator[Scenario]:
    """The runs that a run goes on from, the last of them first."""
    while scenario.start is not None:
        scenario = scenario.start.origin
        yield scenario
