"""States, events and the trace of a run.

A solver is a generator of states; `record` drains it into a `Trace`. A state is a
snapshot: the arrays it holds never change later.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from html import escape
from operator import index
from typing import Any, Self, TypeAlias, overload

import numpy as np

from ssl_core.maker import Maker, Plain
from ssl_core.quantities import DISTANCE, SCHEDULE, quantities, quantity, with_role

Array = np.ndarray
PathLike: TypeAlias = str | os.PathLike[str]
ROWS_SHOWN = 6  # of the table that a notebook shows


class Status(Enum):
    """Why a run continues or has ended; the value is a sentence a page can show."""

    RUNNING = "Still running."
    CONVERGED = "Converged: the tolerance is met."
    EARLY = "Stopped early: the stopping rule is satisfied."
    FINISHED = "Finished."
    MAX_ITER = "Stopped at the maximum number of iterations."
    STALLED = "Stopped: no further descent is possible at this precision."
    INTERRUPTED = "Stopped from outside; the last state is a valid model."

    @classmethod
    def _missing_(cls, value):
        """Traces that were pickled under an earlier wording still open."""
        return {
            "Finished: the method has run its whole course.": cls.FINISHED,
            "Stopped at the maximum number of iterations.": cls.MAX_ITER,
        }.get(value)

    def __reduce_ex__(self, protocol):
        return getattr, (Status, self.name)  # a sentence may be reworded

    @property
    def running(self) -> bool:
        return self is Status.RUNNING


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at an iteration.

    How a kind is shown is decided in `ssl_core.looks`.

    Attributes
    ----------
    kind : str
        A solver may have kinds of its own.
    text : str
        A sentence that describes it.
    data : mapping
    """

    kind: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


def some_points(count: int) -> str:
    """A count for a sentence."""
    return "1 point" if count == 1 else f"{count:,} points"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Snapshot at iteration ``t``; ``t = 0`` is the starting point.

    Attributes
    ----------
    t : int
    objective : float
        In the paper's own scaling; for k > 2 classes the sum over the classes.
    status : Status
    f : ndarray of shape (n,) or (n, k)
        The model's outputs on all training points, in the caller's order: what
        `decision_function` gives there. None in a thin state.
    events : tuple of Event
    per_class : mapping from field name to ndarray of shape (k,), or None
        For k > 2 classes, the values behind the sums.
    """

    t: int
    objective: float
    status: Status = Status.RUNNING
    f: Array | None
    events: tuple[Event, ...] = quantity(default=(), keep=True)
    per_class: Mapping[str, Array] | None = quantity(default=None, keep=True)

    def __init_subclass__(cls) -> None:
        # `dataclass` gives a class that has no __repr__ one with all of its arrays.
        if "__repr__" not in vars(cls):
            cls.__repr__ = State.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Numbers as they are, and of an array its shape."""
        told = [self.status.name]
        for name in field_names(self):
            value = getattr(self, name)
            if isinstance(value, Array):
                told.append(f"{name}: {'x'.join(map(str, value.shape))}")
            elif isinstance(value, float | np.floating):
                told.append(f"{name}={value:.6g}")
            elif isinstance(value, bool | int | np.integer):
                told.append(f"{name}={value}")
        if self.events:
            told.append(f"events: {len(self.events)}")
        return f"{type(self).__name__}({', '.join(told)})"

    @classmethod
    def of(cls, known: Mapping[str, Any]) -> Self:
        """The state with those of a solver's values that this class has fields for."""
        return cls(**{name: known[name] for name in known.keys() & _field_names(cls)})

    @property
    def labels(self) -> Array | None:
        """Sign of f, or the index of the winning class for k > 2."""
        return None if self.f is None else decide(self.f)

    def thin(self) -> "State":
        """This state without its arrays: numbers remain, and what is declared to."""
        light = (bool, int, float, str, np.integer, np.floating, Status)
        heavy = {
            name: None
            for name, declared in quantities(type(self)).items()
            if not declared.keep and not isinstance(getattr(self, name), light)
        }
        return replace(self, **heavy)

    @property
    def nbytes(self) -> int:
        values = (getattr(self, name) for name in field_names(self))
        return sum(v.nbytes for v in values if isinstance(v, Array))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpansionState(State):
    """State of a kernel machine f(x) = sum_i alpha_i k(x_i, x) + b.

    Attributes
    ----------
    alpha : ndarray of shape (n,) or (n, k)
    b : float or ndarray of shape (k,)
    """

    alpha: Array | None
    b: float | Array | None = quantity("bias", merge="each")


def field_names(state: State) -> tuple[str, ...]:
    return _field_names(type(state))


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def signs(f: Array) -> Array:
    """Sides of outputs, +1 or -1 in int8: 0 counts as +1, here and everywhere."""
    return np.where(f < 0, -1, 1).astype(np.int8)


def decide(f: Array) -> Array:
    """Decisions behind outputs: +-1 for (..., n), class indices for (..., n, k).

    The number of axes does not tell the two apart for stacked outputs: use
    `decide_stack` there.
    """
    if f.ndim == 1:
        return signs(f)
    return f.argmax(axis=1).astype(np.int16)


def decide_stack(F: Array, *, multiclass: bool) -> Array:
    """`decide` over the first axis of stacked outputs."""
    if multiclass:
        return F.argmax(axis=2).astype(np.int16)
    return signs(F)


MAX_BYTES = 2**30  # a full recording thins itself out beyond this


@dataclass(repr=False, eq=False)
class Trace:
    """A recorded run: every state, the seconds each took, and outputs elsewhere.

    A sequence of states: ``trace[t]`` is the state of iteration t, ``trace[-1]`` the
    last one, ``trace[5:20]`` the trace of these iterations alone.

    Attributes
    ----------
    states : list of State
        All iterations. Beyond the recording policy, states are thin (no arrays).
    seconds : ndarray of shape (n_states,)
        Solver time of each state; scoring and drawing never count.
    labels : ndarray of shape (n_states, n)
        Decisions on the training points at every iteration, thin states included.
    outputs : dict from "val" / "test" to ndarray of shape (n_states, m) or (.., m, k)
        Outputs on points that were watched during the run.
    y : ndarray of shape (n,)
        The labels the run was given: {-1, 0, +1}, 0 = unlabelled; class indices with
        -1 = unlabelled for k > 2.
    model : object or None
        Turns states into functions; see `decision_function`.
    X : {ndarray, sparse matrix} of shape (n, d), or None
        The training points; None for a precomputed kernel.
    made_by : Maker or None
        The classifier that was trained: its class, its settings, the caller's classes.
    """

    states: list[State]
    seconds: Array
    labels: Array
    outputs: dict[str, Array] = field(default_factory=dict)
    targets: dict[str, Array] = field(default_factory=dict)
    y: Array | None = None
    model: Any = None
    X: Any = None
    made_by: Maker | None = None

    __hash__ = None  # type: ignore[assignment]  # it has arrays, which can change

    def __len__(self) -> int:
        return len(self.states)

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    @overload
    def __getitem__(self, t: int) -> State: ...
    @overload
    def __getitem__(self, t: slice) -> "Trace": ...
    def __getitem__(self, t):
        """A state by its place, or the trace of a slice of them.

        Arrays of a slice are views; it must hold a state.
        """
        if not isinstance(t, slice):
            return self.states[self.place(t)]
        if not self.states[t]:
            raise ValueError(
                f"a slice of a trace must hold a state, got [{_slice_words(t)}] of "
                f"{len(self):,} states."
            )
        return replace(
            self,
            states=self.states[t],
            seconds=self.seconds[t],
            labels=self.labels[t],
            outputs={name: F[t] for name, F in self.outputs.items()},
        )

    def place(self, t: int) -> int:
        """Index of a state, counted from the start; a negative one from the end."""
        try:
            place = index(t)
        except TypeError:
            raise TypeError(
                f"t must be a whole number or a slice, got {t!r}; for values over all "
                f"states use column(name)."
            ) from None
        if not -len(self) <= place < len(self):
            raise IndexError(
                f"t must be from {-len(self)} to {len(self) - 1}, got {place}: the "
                f"trace has {len(self):,} states."
            )
        return place % len(self)

    def __eq__(self, other) -> bool:
        """Whether all is equal to the bit: states, seconds, outputs, model, points."""
        if not isinstance(other, Trace):
            return NotImplemented
        return self is other or _same_fields(self, other)

    def __repr__(self) -> str:
        kind, n = type(self.final).__name__, self.labels.shape[1]
        return f"Trace({len(self):,} of {kind} on {n:,} points, {self.status.name})"

    def _repr_html_(self) -> str:
        """A short table for a notebook: the first and the last states."""
        names = ["objective", *self.told_names()]
        rows, head = [], "".join(f"<th>{escape(n)}</th>" for n in ["t", *names])
        few = len(self) <= ROWS_SHOWN + 1
        ends = range(ROWS_SHOWN // 2), range(len(self) - ROWS_SHOWN // 2, len(self))
        for i in range(len(self)) if few else (*ends[0], None, *ends[1]):
            state = None if i is None else self.states[i]
            cells = [state and getattr(state, name) for name in ["t", *names]]
            rows.append("".join(f"<td>{_cell(state, value)}</td>" for value in cells))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        words = f"{escape(repr(self))}<br>{escape(self.status.value)}"
        return (
            f"<div>{words}<table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )

    @property
    def final(self) -> State:
        return self.states[-1]

    @property
    def status(self) -> Status:
        """Why the run ended; INTERRUPTED if the next state was never requested."""
        status = self.final.status
        return Status.INTERRUPTED if status.running else status

    @property
    def multiclass(self) -> bool:
        f = next((s.f for s in reversed(self.states) if s.f is not None), None)
        if f is None:  # a slice of thin states
            return self.final.per_class is not None
        return f.ndim == 2

    @property
    def kept(self) -> Array:
        """Indices of the states that still hold their arrays."""
        kept = [i for i, s in enumerate(self.states) if s.f is not None]
        return np.array(kept, dtype=int)

    @property
    def classes(self) -> tuple[Plain, ...]:
        """The caller's classes in the order of the outputs; empty where unknown."""
        return () if self.made_by is None else self.made_by.classes

    @property
    def events(self) -> list[tuple[int, Event]]:
        """All events with the iteration they belong to."""
        return [(s.t, event) for s in self.states for event in s.events]

    def column(self, name: str) -> Array:
        """One scalar field over all states, NaN where a state has none."""
        if name == "seconds":
            return self.seconds
        if name not in field_names(self.final):
            scalars = ", ".join(self.scalar_names())
            raise ValueError(
                f"column must name a scalar field of the states, got {name!r}; "
                f"there are: {scalars}."
            )
        values = (getattr(s, name) for s in self.states)
        return np.array([np.nan if v is None else v for v in values], dtype=float)

    def scalar_names(self) -> list[str]:
        """Fields that are numbers in some state: names for `column`."""
        scalars = (bool, int, float, np.integer, np.floating)
        return [
            name
            for name in field_names(self.final)
            if any(isinstance(getattr(s, name), scalars) for s in self.states)
        ]

    def told_names(self) -> list[str]:
        """Fields that tell how far a run is: its schedule, and what falls to 0."""
        kind, scalars = type(self.final), self.scalar_names()
        told = [*with_role(kind, SCHEDULE), *with_role(kind, DISTANCE)]
        if "grad_norm" in scalars and "grad_norm" not in told:
            told.append("grad_norm")
        return [name for name in told if name in scalars]

    def decision_function(self, X) -> Array:
        """Every kept iteration's outputs on X, by one matrix product.

        Returns
        -------
        F : ndarray of shape (n_kept, n_points) or (n_kept, n_points, k)
            Row i belongs to ``states[kept[i]]``; with full recording that is every
            state.
        """
        if self.model is None:
            raise ValueError("this trace was recorded without a model to evaluate.")
        return self.model.outputs([self.states[i] for i in self.kept], X)

    def error(self, y, index=None) -> Array:
        """Error rate of every iteration's decisions on training points.

        Parameters
        ----------
        y : ndarray of shape (n,)
            True classes in the core's convention (see `y` above).
        index : ndarray or None
            Which training points to count; all when None.
        """
        index = slice(None) if index is None else index
        return (self.labels[:, index] != np.asarray(y)[index]).mean(axis=1)

    def output_error(self, part: str) -> Array:
        """Error rate of every iteration on the watched points, "val" or "test"."""
        decisions = decide_stack(self.outputs[part], multiclass=self.multiclass)
        return (decisions != self.targets[part]).mean(axis=1)

    def to_frame(self) -> Any:
        """A pandas DataFrame of the scalar fields, one row per iteration."""
        import pandas as pd

        names = self.scalar_names()
        frame = pd.DataFrame({name: self.column(name) for name in names})
        frame["t"] = frame["t"].astype(int)
        frame["seconds"] = self.seconds
        frame["status"] = [s.status.name.lower() for s in self.states]
        for part in self.outputs:
            frame[f"error_{part}"] = self.output_error(part)
        frame["events"] = [" ".join(e.text for e in s.events) for s in self.states]
        return frame

    def plot(
        self,
        t: int | None = None,
        *,
        theme: str = "light",
        caption: bool = True,
        **shown: Any,
    ) -> Any:
        """A Plotly figure of what the stage shows at t: boundary, points, curves.

        Points of more than two features are drawn by principal components, without a
        field. Where the trace does not know its points (a precomputed kernel, or no y),
        the curves stand alone.

        Parameters
        ----------
        t : int or None
            Place of a state, negative from the end; the last one with its arrays when
            None.
        theme : {"light", "dark"}
        caption : bool
            Whether data, algorithm, settings and version stand at the bottom.
        **shown
            What `halfmoon.views.trace_view` takes: ``truth``, with which errors are
            shown, ``class_names``, ``points``, ``axis_names``, ``data``, ``title``.

        Returns
        -------
        figure : plotly.graph_objects.Figure
        """
        return self._figures().plot(self, t, theme=theme, caption=caption, **shown)

    def animate(
        self,
        *,
        theme: str = "light",
        max_frames: int = 100,
        caption: bool = True,
        **shown: Any,
    ) -> Any:
        """`plot` with a slider and a play button, a frame for each state.

        Parameters
        ----------
        max_frames : int
            A run with more states shows the early ones, some of the others, the last
            one, and besides these those that have events of note, up to 40.
        theme, caption, **shown
            As in `plot`.

        Returns
        -------
        figure : plotly.graph_objects.Figure
            A frame's name is the number t of its state.
        """
        return self._figures().animate(
            self, theme=theme, max_frames=max_frames, caption=caption, **shown
        )

    def show(
        self,
        *others: "Trace",
        names: Sequence[str] | None = None,
        title: str = "",
        **shown: Any,
    ) -> Any:
        """The stage in a notebook: play, scrub, and compare with other traces.

        What is shown needs no kernel and no network, and stays playable in a saved
        notebook and in its HTML export.

        Parameters
        ----------
        *others : Trace
            Up to three that move in step beside this one.
        names : sequence of str, optional
            What the runs are called; the titles of their methods when None.
        title : str
            The heading; names and data when empty.
        **shown
            What else is known, the same for all: ``truth``, ``class_names``,
            ``points``, ``axis_names`` and ``data``, as `halfmoon.trace_view` takes
            them.

        Returns
        -------
        page : Page or None
            None where IPython displays it at once; elsewhere what is displayed, with
            ``save(path)``.
        """
        from halfmoon import notebook

        return notebook.show(self._page(others, names, title, shown))

    def to_html(
        self,
        path: PathLike,
        *others: "Trace",
        names: Sequence[str] | None = None,
        title: str = "",
        **shown: Any,
    ) -> None:
        """Write a page that plays the run: one file, which needs no network.

        Parameters
        ----------
        path : str or PathLike
            Of the file, which is replaced whole or not at all.
        *others, names, title, **shown
            As `show` takes them.
        """
        self._page(others, names, title, shown).save(path)

    def to_picture(
        self,
        path: PathLike,
        t: int | None = None,
        *,
        what: str = "stage",
        theme: str = "light",
        caption: bool = True,
        size: tuple[float, float] | None = None,
        **shown: Any,
    ) -> None:
        """Write a picture of a state, or of a curve: .svg, .pdf or .png.

        Needs matplotlib: `pip install halfmoon[pictures]`.

        Parameters
        ----------
        path : str or PathLike
            Of the file, which is replaced whole or not at all.
        t : int or None
            Place of a state, as `plot` takes it.
        what : str
            "stage", or the title of one of the curves beside it.
        theme : {"light", "dark"}
        caption : bool
            Whether data, method, settings and version stand below.
        size : (float, float), optional
            Width and height of what is drawn, in pixels of a screen.
        **shown
            As `show` takes them.
        """
        from halfmoon.views.files import write_picture

        how = {"what": what, "theme": theme, "caption": caption, "size": size}
        write_picture(self, path, t, **how, **shown)

    def to_film(
        self,
        path: PathLike,
        *,
        theme: str = "light",
        caption: bool = True,
        seconds_per_frame: float | None = None,
        size: tuple[float, float] | None = None,
        **shown: Any,
    ) -> None:
        """Write the run as a film: .gif or .mp4.

        Needs matplotlib, and for .mp4 ffmpeg: `pip install halfmoon[pictures]` brings
        both.

        Parameters
        ----------
        path : str or PathLike
            Of the file, which is replaced whole or not at all.
        theme, caption, size, **shown
            As `to_picture` takes them.
        seconds_per_frame : float, optional
            Default is the speed of the app.
        """
        from halfmoon.views.files import write_film

        how = {"theme": theme, "caption": caption, "size": size}
        write_film(self, path, seconds_per_frame=seconds_per_frame, **how, **shown)

    def _page(self, others, names, title, shown) -> Any:
        from halfmoon.views.page import page_of

        return page_of(self, *others, names=names, title=title, **shown)

    @staticmethod
    def _figures():
        try:
            from halfmoon.views import figures
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "plotly":
                raise
            raise ModuleNotFoundError(
                "plot and animate need plotly, which is not installed; "
                "run `pip install plotly`.",
                name=error.name,
            ) from None
        return figures

    def save(self, path: PathLike) -> None:
        """Write the trace to a file: .npz with a header in JSON, no pickle.

        All is in it that the trace has, training points included; `ssl_core.archive`
        describes the format. A callable kernel cannot be written.

        Parameters
        ----------
        path : str or PathLike
            Of the file, which is replaced whole or not at all; nothing is added to its
            name.
        """
        from ssl_core import archive

        archive.save(self, path)

    @staticmethod
    def load(path: PathLike, *, max_bytes: float | None = None) -> "Trace":
        """The trace that `save` wrote, equal to the bit.

        Nothing in the file is executed, and what does not hold together is refused.

        Parameters
        ----------
        path : str or PathLike
        max_bytes : float or None
            Memory that the trace may take; 2 GiB, or what can be had, when None.
        """
        from ssl_core import archive

        return archive.load(path, max_bytes=max_bytes)


def _slice_words(places: slice) -> str:
    start, stop, step = (
        "" if v is None else str(v) for v in (places.start, places.stop, places.step)
    )
    return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"


def _cell(state, value) -> str:
    if state is None:
        return "…"
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    return "" if value is None else escape(str(value))


def same(a: Any, b: Any) -> bool:
    """Whether two values of a trace are equal to the bit, NaN and types included."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, Array):
        equal = a.dtype == b.dtype and a.shape == b.shape
        return equal and a.tobytes() == b.tobytes()
    if hasattr(a, "indptr"):  # sparse
        parts = ("data", "indices", "indptr")
        equal = a.shape == b.shape
        return equal and all(same(getattr(a, p), getattr(b, p)) for p in parts)
    if isinstance(a, float | np.floating):
        return np.asarray(a).tobytes() == np.asarray(b).tobytes()
    if isinstance(a, Mapping):
        return [*a] == [*b] and all(same(a[key], b[key]) for key in a)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    return _same_fields(a, b) if is_dataclass(a) else a == b


def _same_fields(a, b) -> bool:
    return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))


def record(
    states: Iterable[State],
    *,
    policy: str | int = "full",
    until: Callable[[State], bool] | None = None,
    progress: Callable[[Callable[[], Trace]], None] | None = None,
    watch: Mapping[str, Callable[[State], Array]] | None = None,
    max_bytes: int = MAX_BYTES,
    **trace_fields,
) -> Trace:
    """Drain a generator of states into a `Trace`.

    Times ``next()`` only. A full recording that would outgrow ``max_bytes`` keeps
    every second state's arrays, then every fourth, and so on; the first and the last
    state always keep theirs.

    Parameters
    ----------
    policy : "full", "metrics" or int k
        Keep the arrays of every state, of the first and last only, or of every k-th.
    until : callable or None
        Asked after every state; True ends the run there ("stopped from outside").
    progress : callable or None
        Called after every state with a function that gives the trace so far.
    watch : mapping from name to function of a state
        Outputs to compute for every state while its arrays are at hand.
    """
    recording = _Recording(check_policy(policy), max_bytes)
    iterator = iter(states)
    seconds: list[float] = []
    labels: list[Array] = []
    outputs: dict[str, list[Array]] = {name: [] for name in watch or {}}

    def so_far() -> Trace:
        return Trace(
            states=list(recording.states),
            seconds=np.array(seconds),
            labels=np.array(labels),
            outputs={name: np.array(values) for name, values in outputs.items()},
            **trace_fields,
        )

    try:
        for state, elapsed in _timed(iterator):
            recording.add(state)
            seconds.append(elapsed)
            labels.append(state.labels)
            for name, outputs_of in (watch or {}).items():
                outputs[name].append(outputs_of(state))
            if progress is not None:
                progress(so_far)
            if until is not None and until(state):
                break
    finally:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()
    return so_far()


class _Recording:
    """The states so far; all but the first, the last and every k-th are thin."""

    def __init__(self, stride: int, max_bytes: int):
        self.states: list[State] = []
        self.stride, self.max_bytes, self.held = stride, max_bytes, 0

    def add(self, state: State) -> None:
        last = len(self.states) - 1
        if last > 0 and (self.stride == 0 or last % self.stride):
            self._thin(last)
        self.states.append(state)
        self.held += state.nbytes
        if self.held > self.max_bytes and self.stride and len(self.states) > 2:
            self.stride *= 2
            for i in range(1, len(self.states) - 1):
                if i % self.stride and self.states[i].f is not None:
                    self._thin(i)

    def _thin(self, i: int) -> None:
        self.held -= self.states[i].nbytes
        self.states[i] = self.states[i].thin()


def check_policy(policy: str | int) -> int:
    """Stride between states that keep their arrays; 0 keeps only first and last."""
    if policy == "full":
        return 1
    if policy == "metrics":
        return 0
    whole = isinstance(policy, int | np.integer) and not isinstance(policy, bool)
    if whole and policy >= 1:
        return int(policy)
    raise ValueError(
        f'record_states must be "full", "metrics" or an int k >= 1 (every k-th state), '
        f"got {policy!r}."
    )


def _timed(iterator: Iterator[State]) -> Iterator[tuple[State, float]]:
    while True:
        start = time.perf_counter()
        state = next(iterator, None)
        elapsed = time.perf_counter() - start
        if state is None:
            return
        yield state, elapsed
