"""What the stage shows, as plain arrays: no streamlit, no solver.

A page fills in a `StageView`; `pack.payload` packs it for the browser.
"""

from dataclasses import dataclass

import numpy as np

from halfmoon.stage.axis import Axis
from halfmoon.stage.panels.base import Panel
from halfmoon.stage.panels.curves import Curves

MAX_CLASSES = 20  # ten shapes, each plain or with a hole
TOGGLES = ("predictions", "mistakes", "graph")
TOOLS = ("label", "erase", "lasso", "add", "drag", "continue")


@dataclass(frozen=True)
class TimeMark:
    """A tick on the scrubber: at iteration `t`, of a `kind`, with a sentence.

    `tone` is the theme's name of its colour; "muted" ones are shorter.
    """

    t: float
    kind: str
    text: str
    tone: str = "ink"


@dataclass(frozen=True)
class Tile:
    """A figure in large type; `values` holds one preformatted string per frame."""

    label: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Prompt:
    """Something to try, told on the stage where no point lies.

    Parameters
    ----------
    kind : {"label", "drag", "graph"}
        Done with a label, with a point dragged, with a run that has no graph; the last
        one asks the page, see `asked`.
    text : str
    """

    kind: str
    text: str


@dataclass(frozen=True)
class TileChange:
    """How a figure differs from an earlier run's, beside the tile called `label`.

    `text` has a sign; `tone` is "good", "bad" or nothing.
    """

    label: str
    text: str
    tone: str = ""


@dataclass(frozen=True)
class Ghost:
    """An earlier run to compare with, drawn dimmed.

    Parameters
    ----------
    name : str
    field : ndarray of shape (H, W), or (H, W, k) for k > 2, optional
        Its last field.
    curves : sequence of Curves
        Matched to the view's panels by title and series name; lengths are free.
    extent : (x0, x1, y0, y1), optional
        Of its field; default the view's.
    words : str
        What is different, and what came of it.
    flipped : sequence of int
        Numbers of points that were guessed otherwise.
    changes : sequence of TileChange
        Of the figures at the last frame.
    """

    name: str
    field: np.ndarray | None = None
    curves: tuple[Curves, ...] = ()
    extent: tuple[float, float, float, float] | None = None
    words: str = ""
    flipped: np.ndarray | tuple[int, ...] = ()
    changes: tuple[TileChange, ...] = ()


@dataclass(frozen=True)
class StageView:
    """Everything the stage needs to play a run without asking the server again.

    With two classes ``f > 0`` means class 1 and ``f < 0`` class 0. With k > 2 the
    largest of the k outputs wins.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        Where each point is drawn.
    given : ndarray of shape (n,)
        Class index given by the user, -1 = unlabelled.
    class_names : sequence of str
        k names, 2 <= k <= 20.
    number : int ndarray of shape (n,), optional
        Increasing; what edits call each point, whatever else is shown. Default 0 to
        n - 1.
    next_number : int, optional
        What the next new point will be called; default one more than the largest.
    max_number : int, optional
        No new point may be called this or more; default: there is no end.
    extent : (x0, x1, y0, y1)
        What is seen; the field covers exactly this (see `ssl_core.viz.fields`).
    frame_t : ndarray of shape (T,)
        Iteration number of each frame, increasing.
    axis : Axis, optional
        What the transport runs along; None: frame by frame.
    field : ndarray of shape (T, H, W), or (T, H, W, k) for k > 2, optional
        Outputs on `grid(extent, W, H)`, first row lowest; None where no honest
        field exists.
    f_per_frame : ndarray of shape (T, n), or (T, n, k) for k > 2, optional
        Outputs on the points.
    margins : bool
        Whether the lines f = +1 and f = -1 mean something; a method that keeps the
        labels has outputs of exactly 1 wherever one class is alone.
    p_per_frame : ndarray of shape (T, n), optional
        Probability of class 1, for the hover text.
    marks_per_frame : bool ndarray of shape (T, n), optional
        Points to ring, called `marks_name` in the legend.
    struck_per_frame : bool ndarray of shape (T, n), optional
        Points that something happens to just then, ringed in the accent colour and
        called `struck_name` in the legend.
    guess_per_frame : bool ndarray of shape (T, n), optional
        Whether an unlabelled point has the label of class 1 or of class 0, where a
        method gives them labels that need not be its predictions. Rings of struck
        points have the colour of this label then.
    truth : ndarray of shape (n,), optional
        True class index, -1 = unknown.
    thumbnails : uint8 ndarray of shape (n, h, w), optional
    edges : int ndarray of shape (m, 2), optional
        Graph edges, drawn on demand.
    ghost : Ghost, optional
    events, captions, tiles, panels : sequences
        `TimeMark`; one sentence per frame; `Tile`; `Panel`.
    start_frame : int, optional
        Cursor when a new run arrives. None: the last frame at first, later the
        place where the reader was (the end stays the end).
    toggles : sequence of str, optional
        Out of ``TOGGLES``: what is switched on when new data arrive. None leaves it
        as the reader has it.
    autoplay : bool
        Play once from the start, except for readers who want less motion.
    prompts : sequence of Prompt
    numbers : sequence of (name, float)
        What the reader can move in the panels, as it stands when this is opened. With
        ``hide`` at 1 the answers are not shown: nothing of the run but the panels
        that give none away.
    opening : int
        When it changes, the numbers are read again; until then the reader's stay.
    title, status : str
        Shown above the stage and beside the transport.
    tools : sequence of str
        Out of ``TOOLS``; "erase" and "lasso" need "label".
    locked : bool
        No edits at all, for instance while a run is under way.
    pending : bool
        The points alone, until their run arrives: what is there stays in its place.
    run_id : str
        Same id, same run: the cursor stays. Default: a digest of the outputs.
    data_id : str
        Names the data set. When it changes, undo and zoom are reset and late
        edits of the old data are refused.
    scene_id : str
        Names the plane the points are shown in; when it changes, zoom is reset.
    sync : str
        Stages of one page with the same name move in step, by iteration number.
    compact : bool
        One of several side by side: transport and tools are those of the deck, see
        `show_deck`, and all of one `sync` share their edits and show the same points.
    name : str
        What it is called among them.
    seconds : ndarray of shape (T,), optional
        Solver seconds after which each frame was reached, to move in step by.
    about : str
        Data, algorithm, parameters and version, for pictures that leave the page.
    """

    points: np.ndarray
    given: np.ndarray
    class_names: tuple[str, ...]
    extent: tuple[float, float, float, float]
    frame_t: np.ndarray
    axis: Axis | None = None
    number: np.ndarray | None = None
    next_number: int | None = None
    max_number: int | None = None
    field: np.ndarray | None = None
    f_per_frame: np.ndarray | None = None
    margins: bool = True
    p_per_frame: np.ndarray | None = None
    marks_per_frame: np.ndarray | None = None
    marks_name: str = "error vector"
    struck_per_frame: np.ndarray | None = None
    struck_name: str = "changes here"
    guess_per_frame: np.ndarray | None = None
    truth: np.ndarray | None = None
    thumbnails: np.ndarray | None = None
    edges: np.ndarray | None = None
    ghost: Ghost | None = None
    axis_names: tuple[str, str] = ("x₁", "x₂")
    events: tuple[TimeMark, ...] = ()
    captions: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    panels: tuple[Panel, ...] = ()
    start_frame: int | None = None
    toggles: tuple[str, ...] | None = None
    autoplay: bool = False
    numbers: tuple[tuple[str, float], ...] = ()
    opening: int = 0
    prompts: tuple[Prompt, ...] = ()
    title: str = ""
    status: str = ""
    tools: tuple[str, ...] = TOOLS
    locked: bool = False
    pending: bool = False
    run_id: str = ""
    data_id: str = ""
    scene_id: str = ""
    sync: str = ""
    compact: bool = False
    name: str = ""
    seconds: np.ndarray | None = None
    about: str = ""

    def __post_init__(self):
        n, T, k = self.n_points, self.n_frames, len(self.class_names)
        if not 2 <= k <= MAX_CLASSES:
            raise ValueError(
                f"class_names must hold 2 to {MAX_CLASSES} names, got {k}; "
                "group rare classes before showing them."
            )
        if T == 0:
            raise ValueError("frame_t must hold at least one frame, got none.")
        if np.any(np.diff(self.frame_t) <= 0):
            raise ValueError("frame_t must increase; give each frame its iteration.")
        x0, x1, y0, y1 = self.extent
        if not (np.isfinite(self.extent).all() and x0 < x1 and y0 < y1):
            raise ValueError(
                f"extent must be finite with x0 < x1 and y0 < y1, got {self.extent}; "
                "fit_extent(points) gives one."
            )
        last = (k,) if k > 2 else ()
        shapes = {
            "points": (n, 2),
            "given": (n,),
            "number": (n,),
            "truth": (n,),
            "field": (T, None, None, *last),
            "f_per_frame": (T, n, *last),
            "p_per_frame": (T, n),
            "marks_per_frame": (T, n),
            "struck_per_frame": (T, n),
            "guess_per_frame": (T, n),
            "thumbnails": (n, None, None),
            "seconds": (T,),
            "edges": (None, 2),
        }
        for name, shape in shapes.items():
            _check_shape(name, getattr(self, name), shape)
        if self.number is not None and np.any(np.diff(self.number) <= 0):
            raise ValueError("number must increase; sort the points by their numbers.")
        if n and not np.isfinite(self.points).all():
            raise ValueError("points must be finite, got NaN or infinity.")
        for name in ("given", "truth"):
            labels = getattr(self, name)
            if (
                labels is not None
                and n
                and not -1 <= np.min(labels) <= np.max(labels) < max(k, 1)
            ):
                raise ValueError(
                    f"{name} must hold class indices 0 to {k - 1} or -1, got "
                    f"{np.min(labels)} to {np.max(labels)}."
                )
        per_frame = {"captions": self.captions}
        per_frame |= {"axis": None if self.axis is None else self.axis.values}
        per_frame |= {f"tile {tile.label!r}": tile.values for tile in self.tiles}
        for panel in self.panels:
            per_frame |= panel.per_frame()
            panel.check(self)
        for name, values in per_frame.items():
            if values is not None and len(values) not in (T, 0 * (name == "captions")):
                raise ValueError(
                    f"{name} must hold one value for each of the {T} frames, "
                    f"got {len(values)}."
                )
        unknown = sorted(set(self.tools) - set(TOOLS))
        if unknown:
            raise ValueError(f"tools must come from {TOOLS}, got {unknown}.")
        strange = sorted(set(self.toggles or ()) - set(TOGGLES))
        if strange:
            raise ValueError(f"toggles must come from {TOGGLES}, got {strange}.")
        if self.start_frame is not None and not 0 <= self.start_frame < T:
            raise ValueError(
                f"start_frame must lie in 0 to {T - 1}, got {self.start_frame}."
            )

    @property
    def n_points(self) -> int:
        return len(self.points)

    @property
    def n_frames(self) -> int:
        return len(self.frame_t)


def _check_shape(name, array, shape):
    """Raise unless `array` is None or has `shape`, where None allows any length."""
    if array is None:
        return
    got = np.shape(array)
    if len(got) != len(shape) or any(
        want is not None and have != want for have, want in zip(got, shape, strict=True)
    ):
        want = ", ".join("any" if s is None else str(s) for s in shape)
        raise ValueError(f"{name} must have shape ({want}), got {got}.")
