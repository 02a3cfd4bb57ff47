"""A cell's run as a scenario of the playground, or a sentence on why it is none.

Only data that are at hand are read for it, and only of the cell that was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from halfmoon.datasets import DATASETS, DatasetUnavailable
from halfmoon.datasets.store import at_hand_only
from halfmoon.pages._parts.running import runs
from halfmoon.scenario import MAX_URL, Labels, Method, Scenario, Setting
from halfmoon.scenario.link import to_url
from halfmoon.stage.view import MAX_CLASSES
from ssl_core import ALGORITHMS
from ssl_core.experiments import PROTOCOLS, Cell, Scene

REMEMBERED = 200  # cells whose scenario is kept; each is some hundred labels


class NotThere(Exception):  # noqa: N818 - a state, not a fault
    """The playground cannot show it; the message is a sentence."""


@dataclass(frozen=True)
class Opening:
    """A link into the playground, and what is otherwise there."""

    scenario: Scenario
    remark: str = ""


def opening(cell: Cell) -> Opening | str:
    """The way into the playground, or why there is none."""
    try:
        return _made(cell)
    except NotThere as reason:
        return str(reason)
    except DatasetUnavailable as reason:  # may be there the next time
        return f"The playground needs its data: {reason}"
    except ValueError as reason:  # a knob's own sentence, or a file's
        return f"The playground cannot show this run: {reason}"


@lru_cache(maxsize=REMEMBERED)
def _made(cell: Cell) -> Opening:
    if cell.algorithm not in ALGORITHMS:
        raise NotThere(f"{cell.algorithm} is not a method of the playground.")
    to_scene = PROTOCOLS[cell.protocol].scene
    if to_scene is None:
        raise NotThere("Runs of this protocol cannot be opened in the playground.")
    with at_hand_only():
        scene = to_scene(cell)
        if isinstance(scene, str):
            raise NotThere(scene)
        scenario = scenario_of(scene)
    if len(urlencode(to_url(scenario))) > MAX_URL:
        raise NotThere(
            "This run has more labels than a link into the playground holds."
        )
    return Opening(scenario, scene.remark)


def scenario_of(scene: Scene) -> Scenario:
    """The scene with all that the playground checks; raises a sentence."""
    if scene.data not in DATASETS:
        raise NotThere("The playground does not have these data.")
    data, method = DATASETS[scene.data], ALGORITHMS[scene.algorithm]
    if data.n_classes > MAX_CLASSES:
        raise NotThere(
            f"{data.title} has {data.n_classes} classes, and the playground can tell "
            f"{MAX_CLASSES} apart."
        )
    if data.n_points > method.max_n:
        raise NotThere(
            f"The playground offers {method.title} for up to {method.max_n:,} points, "
            f"and {data.title} has {data.n_points:,}."
        )
    setting = Setting.of(scene.data)
    for name, value in scene.knobs.items():
        setting = setting.with_knob(name, value)
    chosen = Method.of(scene.algorithm, scene.data).with_parameters(scene.params)
    scenario = Scenario(setting, (chosen,))
    y = runs.server().base(scenario).y
    hand = tuple((int(row), int(y[row])) for row in scene.labeled)
    return scenario.with_labels(Labels("hand", hand=hand))
