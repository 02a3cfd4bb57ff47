"""A live stage: labels are clicked, settings turned, and Python solves again."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import anywidget
import numpy as np
import traitlets
from sklearn.base import clone

from halfmoon.common.lists import listed
from halfmoon.notebook import inputs
from halfmoon.notebook.classes import Classes
from halfmoon.notebook.controls import Controls
from halfmoon.notebook.display import Still, in_ipython
from halfmoon.notebook.points import EditedPoints
from halfmoon.notebook.run import LiveRun, Shown
from halfmoon.notebook.scene import LabScene
from halfmoon.stage import StageView
from halfmoon.stage.edits import Seen, new_edits
from halfmoon.stage.page import CODE
from halfmoon.views.page import Page
from ssl_core.trace import State

WATCHERS = 64  # browsers whose edits are counted; a notebook has one or two
LONGEST = 64  # letters of a browser's name
REMARKS = 3  # sentences on edits that were refused
PARTS = tuple(f"{what}_{part}" for part in inputs.PARTS for what in "Xy")
REST = 2.0  # seconds without a new run after which the saved picture follows
PATIENCE = 5.0  # seconds of a first run until the cell goes on without its picture
NO_LABELS = "Label at least one point of each of two classes."


class _Value(traitlets.Any):
    """Any object; it is not compared with the one before."""

    allow_none = False

    def set(self, obj, value):
        new = self._validate(obj, value)
        old = obj._trait_values.get(self.name)
        obj._trait_values[self.name] = new
        obj._notify_trait(self.name, old, new)


class _Made(_Value):
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
        The one with the present settings, fitted. Reading it waits for a run that is
        under way.
    trace : Trace or None
        The run on the present labels; None where there is none. Reading it waits, too.
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
    X = _Value()
    y = _Value()
    est = _Made()
    trace = _Made(None, read_only=True)
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
        est = inputs.classifier(estimator, "estimator")
        known, own = Classes(est.unlabeled, y, truth, classes), inputs.matrix(X)
        given = known.places(y, "y")
        true = None if truth is None else known.places(truth, "truth")
        drawn = inputs.places_of_points(points)
        inputs.check_rows(own, len(given))
        scene = LabScene(
            est,
            EditedPoints.of(
                own, given, _as_long("truth", true, given), fixed=drawn is not None
            ),
            known,
            known.shown(class_names),
            inputs.check_parts(parts, own),
            drawn,
            inputs.names_of_axes(axis_names),
            str(data),
            inputs.columns_of(X),
        )
        scene.check()
        self._wanted = None if settings is None else listed(settings, "settings")
        self._settings = Controls(scene.entry, self._wanted)
        self._scene = replace(scene, frame=scene.extent(scene.picture()))
        self._run: LiveRun | None = None  # on the scene; None once it is shown
        self._working: LiveRun | None = None  # the one that has a thread
        self._now: Shown | None = None
        self._before: StageView | None = None  # of the last run, for the next one
        self._seen: dict[str, Seen] = {}
        self._own: dict[str, Any] = {}  # values of traits that were put by the lab
        self._given = given
        self._loop, self._thread = _running_loop(), threading.get_ident()
        self._refreshing: asyncio.Task | None = None
        self._still: Still | None = None
        super().__init__()
        self.set_trait("still", f"halfmoon-{secrets.token_hex(6)}")
        self._put(y=scene.y)
        self._learn(self._scene)
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
        if self._working is not None:
            self._working.join()
            self._working = None
        if not run.begun:
            run.solve()
        self._finish(run)

    def close(self) -> None:
        """Take the stage off its pages, and stop the run under way."""
        if (run := self.__dict__.get("_run")) is not None:
            run.stop()
            self._run = None
        if self.__dict__.get("_refreshing") is not None:
            self._refreshing.cancel()
        super().close()

    def __reduce_ex__(self, protocol):
        raise TypeError(
            "a lab has a stage in a browser and cannot be copied or pickled; "
            "lab.trace.save(path) keeps its run, and lab.X, lab.y and lab.est can be."
        )

    def __copy__(self):
        return self.__reduce_ex__(4)

    def __deepcopy__(self, memo):
        return self.__reduce_ex__(4)

    @traitlets.validate("X", "y", "est")
    def _checked(self, proposal):
        """A value that Python assigns; the scene with it is ready for `_assigned`."""
        scene, value = self._scene, proposal.value
        if proposal.trait.name == "est":
            new = inputs.classifier(value, "est")
            inputs.check_mark(new, scene.classes.mark)
            scene = replace(scene, est=new)
        elif proposal.trait.name == "X":
            new = inputs.matrix(value)
            inputs.check_rows(new, len(scene.points.given))
            points = replace(scene.points, X=new)
            scene = replace(scene, points=points, columns=inputs.columns_of(value))
        else:
            given = scene.classes.places(value, "y")
            given = _as_long("y", given, scene.points.given)
            scene = replace(scene, points=replace(scene.points, given=given))
            new = scene.y
        if proposal.trait.name != "y":
            scene.check()
        self._proposed = scene
        return new

    @traitlets.observe("X", "y", "est")
    def _assigned(self, change):
        """Something else to learn from, put here by Python."""
        if self._own.get(change.name) is change.new:
            return
        self._own[change.name] = change.new
        if change.name == "y":
            self._given = self._proposed.points.given
        if change.name == "X":
            self._before = None  # other points have no previous run
        self._learn(self._proposed)

    def _put(self, **values: Any) -> None:
        """Set traits and then call back for each, also where a callback raises."""
        values = {k: v for k, v in values.items() if v is not self._trait_values.get(k)}
        before = {name: self._trait_values.get(name) for name in values}
        self._trait_values |= values
        self._own |= values
        with ExitStack() as calls:
            for name in reversed(values):
                calls.callback(self._call_back, name, before[name], values[name])

    def _call_back(self, name: str, old: Any, new: Any) -> None:
        if self._trait_values.get(name) is new:  # no callback has assigned another
            self._notify_trait(name, old, new)

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
        client = message.get("client") if isinstance(message, Mapping) else None
        if not isinstance(client, str) or not client.isprintable():
            return
        if len(client) > LONGEST:
            return
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
        self.set_trait("remark", " ".join([*dict.fromkeys(refused)][:REMARKS]))
        start = self._state_at([e.get("t") for e in edits if e.get("op") == "continue"])
        fits = scene.points.same_kind(points)
        self._learn(
            replace(scene, points=points),
            start if fits else None,
            passing=message.get("live") is True,
        )

    def _turn(self, name: Any, place: Any) -> None:
        value = self._settings.value(name, place)
        self.set_trait("remark", "")
        est = clone(self._scene.est).set_params(**{name: value})
        self._learn(replace(self._scene, est=est))

    def _state_at(self, times: Sequence[Any]) -> State | None:
        """The state at the last of some iterations of the run that is shown."""
        trace = self._trait_values.get("trace")
        if trace is None or not times or type(times[-1]) not in (int, float):
            return None
        kept = (trace.states[i] for i in trace.kept)
        return min(kept, key=lambda state: abs(state.t - times[-1]))

    # -- runs ------------------------------------------------------------------------

    def _learn(
        self, scene: LabScene, start: State | None = None, *, passing: bool = False
    ) -> None:
        """Solve for points, labels and settings that are new, and tell of them."""
        if self._run is not None:
            self._run.stop()
        est = clone(scene.est)
        self._scene, new = scene, scene.points
        self._run = LiveRun(
            replace(scene, est=est),
            dict(self._seen),
            self.still,
            start,
            self._before,
            passing,
        )
        self._settings = Controls.among(scene.entry, self._wanted)
        standing = self._settings.shown(est.get_params(deep=False))
        y = self._trait_values["y"]
        if not np.array_equal(self._given, new.given):
            y, self._given = scene.y, new.given
        try:
            self.set_trait("settings", standing)
            self._put(X=new.X, y=y, est=scene.est)
        finally:
            self._begin()

    def _begin(self) -> None:
        """Let the run begin, once the one before it has left its thread."""
        run = self._run
        if run is None or run.begun:
            return
        if not run.scene.classes.enough(run.scene.points.given):
            run.refuse(NO_LABELS)
            self._finish(run)
        elif self._loop is None or self._loop.is_closed():
            run.solve()  # a script: there is nobody to wait for
            self._finish(run)
        else:
            self.set_trait("busy", True)
            if self._working is None:
                self._working = run
                run.begin(self._soon(self._meanwhile), self._soon(self._left))

    def _left(self, run: LiveRun) -> None:
        """A run has left its thread, which the next one may have."""
        if run is self._working:
            self._working = None
        if run is self._run:
            self._finish(run)
        elif self._working is None:
            self._begin()

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
        """Show the whole of a run, and tell of it."""
        if run is not self._run:
            return  # another one has begun
        self._run = None
        made = {"trace": run.trace}
        if run.trace is not None:
            self._scene = replace(self._scene, est=run.scene.est)
            made["est"] = run.scene.est
            if not run.passing:
                self._before = replace(run.shown.view, ghost=None)
        try:
            if run.shown is not None:
                self._show(run.shown)
            self.set_trait("busy", False)
        finally:
            self._put(message=run.refusal, **made)
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
        if self._working is not None:
            self._working.join(PATIENCE)
        if self._working is None or self._working.over:
            self.wait()
        self._still = Still(self.still)
        self._still.show(self._page())

    def _page(self) -> Page:
        now = self._scene.without_run() if self._now is None else self._now.view
        view = replace(now, tools=())
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


def _as_long(name: str, places: Any, given: np.ndarray) -> Any:
    if places is not None and len(places) != len(given):
        raise ValueError(
            f"{name} must hold one label for each of the {len(given):,} points, got "
            f"{len(places):,}."
        )
    return places
