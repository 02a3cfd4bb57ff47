"""One run while it is under way."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from halfmoon.pages._parts.running.queue import Standing
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from ssl_core.quantities import DISTANCE, with_role

ABANDONED = 30.0  # seconds without anyone looking, after which a run gives up
LEFT = 4.0  # seconds after a visitor left; who only lost the connection is back by then


@dataclass(frozen=True)
class Owner:
    """Whose run it is.

    Parameters
    ----------
    name : str
        The same for all runs of one visitor, who share what is due to one.
    here : callable
        Whether the visitor is still there.
    """

    name: str
    here: Callable[[], bool] = lambda: True


class Job:
    """One run under way; states go here, whoever is looking.

    Attributes
    ----------
    id : str
        Tags the run; a page that sees another id has moved on.
    phase : {"starting", "waiting", "preparing", "running", "done"}
        A server that has just started compiles before its first run waits.
    t, share : int, float
        Iteration reached, and a guess at the part of the work that is done.
    owner : Owner
        Without one the run is a visitor's of its own.
    left : bool
        Whether it ended because nobody was there any more, not because it was stopped.
    """

    def __init__(self, scenario: Scenario, owner: Owner | None = None):
        self.scenario = scenario
        self.id = f"{id(self):x}-{time.monotonic_ns():x}"
        self.owner = Owner(self.id) if owner is None else owner
        self.phase, self.t, self.share = "starting", 0, 0.0
        self.asked = self.began = self._seen = self._met = time.monotonic()
        self.left = False
        self._standing: Callable[[], Standing | None] = lambda: None
        self._stop = threading.Event()
        self._done = threading.Event()
        self._outcome: Solved | Exception | None = None

    def stop(self) -> None:
        """End after the next state; what was reached is kept."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Look at it for a while; True once it is over."""
        self._seen = time.monotonic()
        return self._done.wait(seconds)

    def outcome(self) -> Solved:
        """The run, or the exception that ended it."""
        self._done.wait()
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    @property
    def result(self) -> Solved | Exception | None:
        """What came out of it, an exception included; None while it is under way."""
        return self._outcome

    @property
    def over(self) -> bool:
        return self._done.is_set()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    @property
    def seconds_left(self) -> float | None:
        """A guess from the pace so far; None while there is nothing to go by."""
        spent = time.monotonic() - self.began
        if self.phase != "running" or self.share < 0.02:
            return None
        return spent * (1 - self.share) / self.share

    @property
    def standing(self) -> Standing | None:
        """Where it is in the line; None before it lined up, and when it is over."""
        return self._standing()

    def given_up(self) -> bool:
        """Whether nobody waits for it: it was stopped, or its visitor has left.

        Who comes back finds it given up: a part of it may have ended early by then.
        """
        if self.stopped or self.left:
            return True
        now = time.monotonic()
        if self.owner.here():
            self._met = now
        self.left = now - self._met > LEFT or now - self._seen > ABANDONED
        return self.left

    def _finish(self, outcome: Solved | Exception) -> None:
        self._outcome = outcome
        self.phase = "done"
        self._done.set()


class Progress:
    """Asked after every state: notes how far the run is, and whether to stop.

    ``pause`` is called before the next one: the place to let others run.
    """

    def __init__(self, job: Job, params: dict[str, Any], pause: Callable[[], None]):
        self.job, self.params, self.pause = job, params, pause
        self.first: dict[str, float] = {}

    def __call__(self, state) -> bool:
        job = self.job
        job.phase, job.t = "running", state.t
        shares = [state.t / max(1, self.params.get("max_iter", 1000))]
        tol = self.params.get("tol") or 0.0
        for name in with_role(type(state), DISTANCE):
            value = getattr(state, name)
            if tol > 0 and value is not None and np.isfinite(value) and value > 0:
                start = self.first.setdefault(name, float(value))
                shares.append(math.log(start / value) / math.log(1 / tol))
                break
        job.share = max(job.share, min(0.99, max(shares)))
        if job.given_up():
            return True
        if state.status.running:
            self.pause()
        return job.given_up()
