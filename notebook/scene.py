"""What a live stage learns from, with which classifier, and how that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfmoon import stage
from halfmoon.notebook.classes import Classes
from halfmoon.notebook.points import EditedPoints
from halfmoon.views.about import headline
from halfmoon.views.plane import Picture
from halfmoon.views.shown_run import ShownRun, encoded
from halfmoon.views.stage_view import extent_of, picture_for, whole_view
from ssl_core.registry import ALGORITHMS, Algorithm
from ssl_core.trace import State, Trace

TOOLS = ("label", "erase", "lasso", "continue")
IN_A_PLANE = ("add", "drag")
UNDER_WAY = "The run is being computed."


@dataclass(frozen=True, eq=False)
class LabScene:
    """A classifier, its points and labels.

    Parameters
    ----------
    est : classifier
        Fitted by `train`.
    points : EditedPoints
    classes : Classes
    names : tuple of str
        What the classes are called on the stage.
    parts : mapping of str to array
        Validation and test points, as `trace` takes them.
    drawn : ndarray of shape (n, 2) or None
        Where the points are drawn, where the caller says so.
    axis_names : (str, str) or None
    data : str
    columns : sequence of str or None
        Names of the features, where X is a table.
    frame : (x0, x1, y0, y1) or None
        What is seen, as long as all points are inside.
    """

    est: Any
    points: EditedPoints
    classes: Classes
    names: tuple[str, ...]
    parts: Mapping[str, Any]
    drawn: np.ndarray | None = None
    axis_names: tuple[str, str] | None = None
    data: str = ""
    columns: Sequence[str] | None = None
    frame: tuple[float, float, float, float] | None = None

    @property
    def entry(self) -> Algorithm | None:
        """What is known of the classifier; None for one that is not registered."""
        found = (e for e in ALGORITHMS.values() if e.estimator is type(self.est))
        return next(found, None)

    @property
    def y(self) -> np.ndarray:
        return self.classes.labels(self.points.given)

    @property
    def table(self) -> Any:
        """The points as the classifier gets them, with the names of their features."""
        if self.columns is None:
            return self.points.X
        import pandas as pd

        return pd.DataFrame(self.points.X, columns=list(self.columns))

    def check(self) -> None:
        """Raise where points, labels or parameters are refused, before any work."""
        self.picture()
        if self.classes.enough(self.points.given):
            self.est.iterate(self.table, self.y).close()

    def train(self, start: State | None, **watching: Callable) -> Trace:
        return self.est.trace(self.table, self.y, **self.parts, start=start, **watching)

    def picture(self) -> Picture:
        kernel = self.est.get_params(deep=False).get("kernel")
        known = not (isinstance(kernel, str) and kernel == "precomputed")
        X = self.points.X if known else None
        made = picture_for(X, self.drawn, len(self.points.given))
        if self.axis_names is None:
            return made
        return replace(made, axis_names=self.axis_names)

    def extent(self, picture: Picture) -> tuple[float, float, float, float]:
        """What is seen: the frame, or more where points lie outside of it."""
        if self.frame is None or not picture.honest:
            return extent_of(picture)
        (x0, x1, y0, y1), (x, y) = self.frame, picture.points.T
        inside = ((x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)).all()
        return self.frame if inside else extent_of(picture)

    def view(self, trace: Trace, *, complete: bool) -> stage.StageView:
        """What the stage shows of a run, or of one that is under way."""
        picture, points = self.picture(), self.points
        known = np.array([self.classes.place[c] for c in trace.classes])
        truth = None if points.truth is None else self._truth()
        run = ShownRun(
            trace,
            self.entry,
            self.names,
            known,
            None if truth is None else encoded(truth, known),
        )
        extent = self.extent(picture)
        view = whole_view(run, picture, truth, extent=extent, data=self.data)
        if not complete:
            view = replace(view, status=f"Running: t = {trace.final.t:,} …")
        return self._editable(view, picture)

    def without_run(self, message: str = UNDER_WAY) -> stage.StageView:
        """The points alone, with a sentence on why there is no run."""
        picture, given = self.picture(), self.points.given
        n, labels = len(given), int((given >= 0).sum())
        view = stage.StageView(
            points=picture.points,
            given=given,
            truth=None if self.points.truth is None else self._truth(),
            class_names=self.names,
            extent=self.extent(picture),
            frame_t=np.array([0]),
            axis_names=picture.axis_names,
            captions=(message,),
            tiles=(
                stage.Tile("labels", (f"{labels:,}",)),
                stage.Tile("points", (f"{n:,}",)),
            ),
            title=headline(labels, n - labels),
        )
        return self._editable(view, picture)

    def _truth(self) -> np.ndarray:
        """A labelled point is what it was labelled."""
        given = self.points.given
        return np.where(given >= 0, given, self.points.truth)

    def _editable(self, view: stage.StageView, picture: Picture) -> stage.StageView:
        plane = picture.honest and self.points.plane and self.drawn is None
        return replace(
            view,
            number=self.points.number,
            next_number=self.points.next_number,
            max_number=self.points.max_number,
            tools=(*TOOLS, *IN_A_PLANE) if plane else TOOLS,
        )
