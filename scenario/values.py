"""The small values a scenario is made of, and the knobs of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from halfmoon.common.knobs import Knob
from halfmoon.scenario.limits import MAX_DRAWN, MAX_HAND
from halfmoon.scenario.names import file_name
from ssl_core.viz.words import number

FIRST_DATA, FIRST_ALGORITHM = "two_moons", "lapsvm_pcg"  # for a new visitor
DRAWN, UPLOAD = "drawn", "upload"  # data of one's own, besides the registry
HOW = ("hand", "random", "telling", "file")
PROJECTIONS = ("auto", "plain", "pca", "features", "embedding")

SEED = Knob("seed", "int", 0, 2**31 - 1, default=0, step=1, help="Random seed.")
DRAW = Knob("draw", "int", 0, 2**31 - 1, default=0, step=1, help="Seed of the labels.")
COUNT = Knob("count", "int", 1, 1000, default=2, step=1, help="Number of labels.")
N_VAL = Knob("val", "int", 0, 5000, default=0, step=10, help="Validation points.")
N_TEST = Knob("test", "int", 0, 5000, default=0, step=10, help="Test points.")
ITERATION = Knob("t", "int", 0, 100_000, default=None, also=(None,))
BEGUN = Knob("t", "int", 0, 100_000, default=0)  # where a run goes on from
THRESHOLD = Knob("threshold", "float", -1e6, 1e6, default=0.0)
N_DRAWN = Knob(
    "n_classes",
    "int",
    2,
    10,
    default=2,
    step=1,
    help="Number of classes to draw with.",
)
ROW = Knob("row", "int", 0, 2_000_000, default=0)
CLASS = Knob("class", "int", -1, 255, default=-1)
PLACE = Knob("place", "float", -1e9, 1e9, default=0.0)

Pairs = tuple[tuple[str, Any], ...]


def pairs(values: Mapping[str, Any]) -> Pairs:
    """A mapping as a hashable value, in order of name."""
    return tuple(sorted(values.items()))


def knob_words(knob: Knob, value: Any) -> str:
    """Where a knob stands."""
    if knob.kind == "choice":
        return knob.word(value)
    if value is None or value == "auto":
        return "automatic"
    if knob.kind == "bool":
        return "on" if value else "off"
    return number(value)


@dataclass(frozen=True, slots=True)
class Labels:
    """Which points carry a label.

    Parameters
    ----------
    how : {"hand", "random", "telling", "file"}
        A list made by hand; so many of each class at random; the points whose labels
        tell most; or all labels that an uploaded file came with.
    count : int
        Labels per class for "random", labels in all for "telling".
    draw : int
        Seed of that choice.
    hand : tuple of (row, class)
        Labels by hand; class -1 keeps an unlabelled row among the training points
        where it would otherwise be held out.
    """

    how: str = "telling"
    count: int = 2
    draw: int = 0
    hand: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if len(self.hand) > MAX_HAND:
            raise ValueError(
                f"Labels by hand must be at most {MAX_HAND:,}, and these are "
                f"{len(self.hand):,}; choose fewer labels first, or label in the file."
            )


@dataclass(frozen=True, slots=True)
class Drawing:
    """What was changed about the points of a two-dimensional data set.

    Parameters
    ----------
    moved : tuple of (row, x, y)
    removed : tuple of row
    added : tuple of (x, y, class)
        New points stand after the data's own; class -1 is unlabelled.
    """

    moved: tuple[tuple[int, float, float], ...] = ()
    removed: tuple[int, ...] = ()
    added: tuple[tuple[float, float, int], ...] = ()

    def __post_init__(self) -> None:
        for what in ("moved", "removed", "added"):
            if (n := len(getattr(self, what))) > MAX_DRAWN:
                raise ValueError(
                    f"Points {what} by hand must be at most {MAX_DRAWN:,}, and these "
                    f"are {n:,}; put larger data into a file and upload it."
                )


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of one's own: which one, and how it is read.

    Parameters
    ----------
    digest : str
        Of the file's content; the content itself stays on the server.
    name : str
        File name: its last part, without characters that nobody sees.
    label_column : str or None
        None lets the reader guess.
    feature_columns : tuple of str
        Empty for all numeric ones.
    scale : {"standard", "range", "none"}
    """

    digest: str
    name: str
    label_column: str | None = None
    feature_columns: tuple[str, ...] = ()
    scale: str = "standard"

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", file_name(self.name))


@dataclass(frozen=True, slots=True)
class View:
    """How it is looked at; nothing here changes a run.

    Parameters
    ----------
    projection : str
        "auto", "plain" (two dimensions), "pca", "features" or "embedding".
    features : (int, int)
        The two columns for "features".
    t : int or None
        Iteration at which the stage opens; None is the last one.
    thresholds : tuple of (name, value)
        Numbers that belong to one page, such as the early-stopping sliders.
    toggles : tuple of str or None
        What is switched on when the stage opens, out of `stage.TOGGLES`; None leaves it
        as it is.
    """

    projection: str = "auto"
    features: tuple[int, int] = (0, 1)
    t: int | None = None
    thresholds: Pairs = ()
    toggles: tuple[str, ...] | None = None
