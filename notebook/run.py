"""One run behind a live stage, in a thread of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from halfmoon import stage
from halfmoon.notebook.scene import LabScene
from halfmoon.stage.edits import Seen
from halfmoon.views.ghost import ghost_of
from halfmoon.views.glossary import terms_in
from ssl_core.trace import State, Trace

PACE = 0.25  # seconds between two pictures of a run that is under way
NO_MEMORY = "There is not enough memory for this run."


@dataclass(frozen=True)
class Shown:
    """What the widget shows, and which edits of each browser it includes."""

    view: stage.StageView
    block: bytes
    seen: Mapping[str, Seen]


class LiveRun:
    """A run under way; it ends after the next state once it is stopped.

    Parameters
    ----------
    scene : LabScene
    seen : mapping of str to Seen
        Which edits the scene includes.
    key : str
        Names the widget in its views.
    start : State or None
        What it goes on from.
    before : StageView or None
        Of the run that it is compared with.
    passing : bool
        On a place that a hand passes while it draws: the next run is not compared with
        it.
    """

    def __init__(
        self,
        scene: LabScene,
        seen: Mapping[str, Seen],
        key: str,
        start: State | None = None,
        before: stage.StageView | None = None,
        passing: bool = False,
    ):
        self.scene, self.seen, self.key, self.start = scene, seen, key, start
        self.before, self.passing = before, passing
        self.trace: Trace | None = None
        self.shown: Shown | None = None  # complete, or of what is refused
        self.refusal = ""
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._drawn = time.monotonic()

    def begin(
        self,
        meanwhile: Callable[[LiveRun, Shown], None],
        over: Callable[[LiveRun], None],
    ) -> None:
        """Solve in a thread, in which ``meanwhile`` and ``over`` are called."""

        def work():
            try:
                self.solve(meanwhile)
            finally:
                over(self)

        self._thread = threading.Thread(target=work, name=self.key, daemon=True)
        self._thread.start()

    @property
    def begun(self) -> bool:
        return self._thread is not None

    def stop(self) -> None:
        self._stopped.set()

    @property
    def over(self) -> bool:
        return self.begun and not self._thread.is_alive()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end of it, or so long."""
        if self._thread is not None:
            self._thread.join(seconds)

    def solve(self, meanwhile: Callable[[LiveRun, Shown], None] | None = None) -> None:
        """The whole run, in the thread that calls."""

        def progress(so_far: Callable[[], Trace]) -> None:
            due = time.monotonic() - self._drawn > PACE
            if meanwhile is not None and due and not self._stopped.is_set():
                meanwhile(self, self._show(self.scene.view(so_far(), complete=False)))
                self._drawn = time.monotonic()

        if self._stopped.is_set():
            return
        try:
            trace = self.scene.train(
                self.start, until=lambda _: self._stopped.is_set(), progress=progress
            )
            if self._stopped.is_set():
                return
            view = self.scene.view(trace, complete=True)
            if self.before is not None:
                view = replace(view, ghost=ghost_of(self.before, view))
            self.shown = self._show(view)
            self.trace = trace
        except (ValueError, ModuleNotFoundError) as error:
            self.refuse(str(error))
        except MemoryError as error:
            self.refuse(str(error) or NO_MEMORY)
        except Exception as error:  # of a kernel of the caller's, say
            self.refuse(f"The run failed: {type(error).__name__}: {error}")

    def refuse(self, sentence: str) -> None:
        """There is no run, and this is why."""
        self.refusal = sentence
        self.shown = self._show(self.scene.without_run(sentence))

    def _show(self, view: stage.StageView) -> Shown:
        """A view, packed for the browsers; the last one that edited is named in it."""
        client, seq = next(reversed(self.seen.values())) if self.seen else Seen()
        block = stage.payload(
            view, key=self.key, client=client, seq_seen=seq, explain=terms_in
        )
        return Shown(view, block, self.seen)
