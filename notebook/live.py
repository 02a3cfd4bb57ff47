"""A live stage: labels are clicked, settings turned, and Python solves again."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import anywidget
import numpy as np
import scipy.sparse as sp
import traitlets
from sklearn.base import clone

from halfmoon.notebook.classes import Classes
from halfmoon.notebook.controls import Controls
from halfmoon.notebook.display import Still, in_ipython
from halfmoon.notebook.points import EditedPoints
from halfmoon.notebook.run import LiveRun, Shown
from halfmoon.notebook.scene import LabScene
from halfmoon.stage.edits import Seen, new_edits
from halfmoon.stage.page import CODE
from halfmoon.views.page import Page
from ssl_core.trace import State

WATCHERS = 64  # browsers whose edits are counted; a notebook has one or two
PARTS = ("X_val", "y_val", "X_test", "y_test")
REST = 2.0  # seconds without a new run after which the saved picture follows
NO_LABELS = "Label at least one point of each of two classes."


class _Waits(traitlets.Any):
    """What a run makes: reading it waits until the run under way has ended."""

    def get(self, obj, cls=None):
        obj.wait()
        return super().get(obj, cls)


class Lab(anywidget.AnyWidget):
    """A live stage in a notebook: label by click, turn settings, watch it learn.

    Parameters
    ----------
    estimator : classifier of Halfmoon
        It is not changed: `est` is trained.
    X : {array-like, sparse matrix} of shape (n, d)
        Points of two features can also be added, moved and removed.
    y : array-like of shape (n,)
        Labels; the estimator's ``unlabeled`` (-1) marks points without one.
    truth : array-like of shape (n,), optional
        True classes, with which errors are shown; the mark or a missing value where
        nobody knows.
    classes : sequence, optional
        All classes, in the order they are shown; those of y and truth when None.
    class_names : sequence of str, optional
        What they are called on the stage.
    points : ndarray of shape (n, 2), optional
        Where the points are drawn; as `halfmoon.trace_view` draws them when None.
    axis_names : (str, str), optional
    data : str
        What the points are called in captions.
    settings : sequence of str, optional
        Settings that can be turned, in this order; all that the app has when None.
    **parts
        ``X_val``, ``y_val``, ``X_test``, ``y_test``: points whose errors are shown,
        and that stopping rules may use.

    Attributes
    ----------
    X, y : ndarray
        Points and labels as they are now. Assign to them, and to ``est``, to change
        them from Python.
    est : classifier
        The one with the present settings; fitted when its run has ended.
    trace : Trace or None
        The run on the present labels; None where they allow none. Reading it waits
        for a run that is under way.
    message : str
        Why there is no run; empty where there is one.

    Notes
    -----
    ``lab.observe(handler, "y")`` calls back when labels change, and in the same way
    for "X", "est", "trace" and "message"; see `traitlets.HasTraits.observe`.
    """

    _esm = CODE
    # What the browser knows.
    view = traitlets.Bytes(read_only=True).tag(sync=True)
    settings = traitlets.List(read_only=True).tag(sync=True)
    seen = traitlets.Dict(read_only=True).tag(sync=True)
    busy = traitlets.Bool(False, read_only=True).tag(sync=True)
    remark = traitlets.Unicode(read_only=True).tag(sync=True)
    still = traitlets.Unicode(read_only=True).tag(sync=True)
    # What Python reads and observes.
    X = traitlets.Any()
    y = traitlets.Any()
    est = traitlets.Any()
    trace = _Waits(None, allow_none=True, read_only=True)
    message = traitlets.Unicode(read_only=True)

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        truth: Any = None,
        classes: Sequence[Any] | None = None,
        class_names: Sequence[str] | None = None,
        points: Any = None,
        axis_names: tuple[str, str] | None = None,
        data: str = "",
        settings: Sequence[str] | None = None,
        **parts: Any,
    ):
        for name in parts.keys() - set(PARTS):
            raise TypeError(
                f"lab takes no argument {name!r}; besides its own it takes "
                f"{', '.join(PARTS)}."
            )
        if not hasattr(estimator, "trace") or not hasattr(estimator, "unlabeled"):
            raise TypeError(
                f"estimator must be a classifier of Halfmoon, as make(name) gives it, "
                f"got {type(estimator).__name__}."
            )
        known = Classes(estimator.unlabeled, y, truth, classes)
        given = known.places(y, "y")
        true = None if truth is None else known.places(truth, "truth")
        scene = LabScene(
            clone(estimator),
            EditedPoints.of(_matrix(X, len(given), "y"), given, _as_long(true, given)),
            known,
            known.shown(class_names),
            {name: part for name, part in parts.items() if part is not None},
            None if points is None else np.asarray(points, dtype=float),
            axis_names,
            data,
        )
        picture = scene.picture()
        if known.enough(given):
            scene.check()
        self._scene = replace(scene, frame=scene.extent(picture))
        self._wanted, self._settings = settings, Controls(scene.entry, settings)
        self._run: LiveRun | None = None
        self._now: Shown | None = None
        self._seen: dict[str, Seen] = {}
        self._loop, self._thread = _running_loop(), threading.get_ident()
        self._refreshing: asyncio.Task | None = None
        self._still: Still | None = None
        self._inside = True
        super().__init__()
        self.set_trait("still", f"halfmoon-{secrets.token_hex(6)}")
        self._tell(self._scene)
        self._inside = False
        self._begin()
        self.on_msg(self._receive)

    def __repr__(self) -> str:
        given = self._scene.points.given
        labels = f"{(given >= 0).sum():,} of {len(given):,} labelled"
        return f"Lab({self._scene.est!r}, {labels})"

    # -- for Python ------------------------------------------------------------------

    def wait(self) -> None:
        """Wait for the run under way: `est` and `trace` fit the labels then."""
        run = self.__dict__.get("_run")
        if run is None or threading.get_ident() != self._thread:
            return
        run.join()
        self._finish(run)
        if run.error is not None:
            raise run.error

    @traitlets.validate("X", "y", "est")
    def _checked(self, proposal):
        if self._inside:
            return proposal.value
        points = self._scene.points
        if proposal.trait.name == "est":
            return clone(proposal.value)
        if proposal.trait.name == "X":
            return _matrix(proposal.value, len(points.given), "y")
        given = self._scene.classes.places(proposal.value, "y")
        return self._scene.classes.labels(_as_long(given, points.given))

    @traitlets.observe("X", "y", "est")
    def _assigned(self, change):
        """Something else to learn from, put here by Python."""
        if self._inside:
            return
        points = self._scene.points
        if change.name == "est":
            self._scene = replace(self._scene, est=change.new)
        elif change.name == "X":
            self._scene = replace(self._scene, points=replace(points, X=change.new))
        else:
            self._given = self._scene.classes.places(change.new, "y")
            self._scene = replace(
                self._scene, points=replace(points, given=self._given)
            )
        self._begin()

    def _tell(self, scene: LabScene) -> None:
        """Points, labels and classifier of a scene, where Python reads them."""
        new, self._scene = scene.points, scene
        self._inside = True
        try:
            if self.X is not new.X:
                self.X = new.X
            if self.y is None or not np.array_equal(self._given, new.given):
                self.y, self._given = scene.y, new.given
            if self.est is not scene.est:
                self.est = scene.est
        finally:
            self._inside = False

    # -- from the browser ------------------------------------------------------------

    def _receive(self, _: Any, content: Any, buffers: Any) -> None:
        """A message of the widget: edits of the stage, or a setting."""
        self._loop = _running_loop() or self._loop
        if not isinstance(content, Mapping):
            return
        try:
            if "edits" in content:
                self._edit(content["edits"])
            elif "setting" in content:
                self._turn(content["setting"], content.get("value"))
        except (ValueError, TypeError) as error:
            self.set_trait("remark", str(error))

    def _edit(self, message: Any) -> None:
        client = str(message.get("client")) if isinstance(message, Mapping) else ""
        before = self._seen.pop(client, Seen(client))
        edits, *after = new_edits(message, *before)
        self._seen[client] = Seen(*after)  # the last one that spoke
        while len(self._seen) > WATCHERS:
            self._seen.pop(next(iter(self._seen)))
        if not edits:  # asked again; the run under way will answer
            return
        refused: list[str] = []
        scene, n_classes = self._scene, len(self._scene.names)
        points = scene.points.edited(edits, n_classes, refused)
        self.set_trait("remark", " ".join(dict.fromkeys(refused)))
        start = self._state_at([e.get("t") for e in edits if e.get("op") == "continue"])
        self._tell(replace(scene, points=points))
        self._begin(start)

    def _turn(self, name: Any, place: Any) -> None:
        value = self._settings.value(name, place)
        self.set_trait("remark", "")
        est = clone(self._scene.est).set_params(**{name: value})
        self._tell(replace(self._scene, est=est))
        self._begin()

    def _state_at(self, times: Sequence[Any]) -> State | None:
        """The state at the last of some iterations of the run that is shown."""
        trace = self._trait_values.get("trace")
        if trace is None or not times or type(times[-1]) not in (int, float):
            return None
        kept = (trace.states[i] for i in trace.kept)
        return min(kept, key=lambda state: abs(state.t - times[-1]))

    # -- runs ------------------------------------------------------------------------

    def _begin(self, start: State | None = None) -> None:
        """Solve for points, labels and settings as they are now."""
        if self._run is not None:
            self._run.stop()
        scene = replace(self._scene, est=clone(self._scene.est))
        self._settings = Controls(scene.entry, self._wanted)
        standing = self._settings.shown(scene.est.get_params(deep=False))
        self.set_trait("settings", standing)
        run = self._run = LiveRun(scene, dict(self._seen), self.still, start)
        if not scene.classes.enough(scene.points.given):
            run.refuse(NO_LABELS)
            self._finish(run)
        elif self._loop is None:  # a script: there is nobody to wait for
            run.solve()
            self._finish(run)
        else:
            self.set_trait("busy", True)
            run.begin(self._soon(self._meanwhile), self._soon(self._finish))

    def _soon(self, call):
        """A function that has ``call`` made in the notebook's own thread."""
        loop = self._loop

        def later(*args):
            if not loop.is_closed():
                loop.call_soon_threadsafe(call, *args)

        return later

    def _meanwhile(self, run: LiveRun, now: Shown) -> None:
        if run is self._run:
            self._show(now)

    def _finish(self, run: LiveRun) -> None:
        if run is not self._run or run.shown is None:
            return  # another one has begun
        self._run = None
        self._show(run.shown)
        self.set_trait("busy", False)
        if run.trace is not None:
            self._tell(replace(self._scene, est=run.scene.est))
        self.set_trait("trace", run.trace)
        self.set_trait("message", run.refusal)
        self._refresh()

    def _show(self, now: Shown) -> None:
        self._now = now
        with self.hold_sync():
            self.set_trait("seen", {client: s.seq for client, s in now.seen.items()})
            self.set_trait("view", now.block)

    # -- what a saved notebook keeps ---------------------------------------------------

    def _ipython_display_(self) -> None:
        """The widget, and below it what is shown where no kernel runs."""
        from IPython.display import display

        display(self._repr_mimebundle_()[0], raw=True)
        self.wait()
        self._still = Still(self.still)
        self._still.show(self._page())

    def _page(self) -> Page:
        view = replace(self._now.view, tools=())
        return Page((view,), view.about or view.title)

    def _refresh(self) -> None:
        """Let the saved picture follow, once nothing new comes for a while."""
        if self._still is None or self._loop is None or not in_ipython():
            return
        if self._refreshing is not None:
            self._refreshing.cancel()
        self._refreshing = self._loop.create_task(self._follow())

    async def _follow(self) -> None:
        await asyncio.sleep(REST)
        bundle = await asyncio.to_thread(self._still.bundle, self._page())
        self._still.update(bundle)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _matrix(X: Any, n: int, of: str) -> Any:
    """Points as a matrix of one row for each label."""
    if not sp.issparse(X):
        X = np.asarray(X)
        if X.ndim != 2:
            raise ValueError(f"X must be a matrix of shape (n, d), got {X.shape}.")
    if X.shape[0] != n:
        raise ValueError(
            f"X and {of} must have as many rows, got {X.shape[0]:,} and {n:,}."
        )
    return X


def _as_long(places: np.ndarray | None, given: np.ndarray) -> np.ndarray | None:
    if places is not None and len(places) != len(given):
        raise ValueError(
            f"there must be one label for each of the {len(given):,} points, got "
            f"{len(places):,}."
        )
    return places
