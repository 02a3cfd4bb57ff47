"""What is kept of a run that was shown, to compare the next one with it.

A run of thousands of points has megabytes of states; this is what a ghost of it needs:
its last field, its curves, and who was guessed to be what.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from halfmoon import stage
from halfmoon.scenario import Scenario
from halfmoon.scenario.solving import Solved
from halfmoon.views.curves import ERROR_TILES, name_of
from halfmoon.views.ghost import guesses, thinned_curves
from ssl_core.viz.measures import error_rates


@dataclass(frozen=True, eq=False)
class KeptRun:
    """A run as it ended.

    Parameters
    ----------
    scenario : Scenario
        Its solving part.
    about : str
        Names the points; only runs on the same ones are compared.
    under_way : bool
        Made while a hand was still drawing: no step of its own.
    class_names : tuple of str
    points, number, given, truth, guess : ndarray
        As in `StageView`; ``guess`` is the class that the run ended with.
    extent, field
        The last field, where there is one.
    curves : tuple of Curves
        Thinned, over the iteration number.
    figures : dict of str to float
        By the label of their tile.
    """

    scenario: Scenario
    about: str
    under_way: bool
    class_names: tuple[str, ...]
    points: np.ndarray
    number: np.ndarray
    given: np.ndarray
    truth: np.ndarray
    guess: np.ndarray
    extent: tuple[float, float, float, float]
    field: np.ndarray | None
    curves: tuple[stage.Curves, ...]
    figures: dict[str, float]

    @property
    def nbytes(self) -> int:
        arrays = [self.points, self.number, self.given, self.truth, self.guess]
        arrays += [] if self.field is None else [self.field]
        lines = (series for curves in self.curves for series in curves.series)
        return sum(a.nbytes for a in (*arrays, *(line.values for line in lines)))


def keep(
    solved: Solved, view: stage.StageView, about: str, under_way: bool = False
) -> KeptRun:
    """What to remember of a run that is shown as ``view``."""
    field = None if view.field is None else view.field[-1].astype(np.float32)
    return KeptRun(
        solved.scenario,
        about,
        under_way,
        view.class_names,
        np.asarray(view.points, dtype=np.float32),
        np.asarray(view.number, dtype=np.int32),
        np.asarray(view.given, dtype=np.int8),
        np.asarray(view.truth, dtype=np.int8),
        guesses(view).astype(np.int8),
        view.extent,
        field,
        thinned_curves(view),
        figures(solved),
    )


def figures(solved: Solved) -> dict[str, float]:
    """Numbers behind the tiles, at the end of the run."""
    rates = error_rates(solved.trace, solved.truth)
    found = {ERROR_TILES[part]: float(r[-1]) for part, r in rates.items()}
    objective = float(solved.trace.final.objective)
    return found | {name_of(solved.trace, "objective"): objective}


def on_common_points(before: KeptRun, now: KeptRun) -> tuple[np.ndarray, np.ndarray]:
    """Rows of both runs that belong to the same points."""
    _, a, b = np.intersect1d(
        before.number, now.number, assume_unique=True, return_indices=True
    )
    return a, b


@dataclass(frozen=True)
class Earlier:
    """The run that is shown and the one before it, for one visitor.

    Parameters
    ----------
    now, before : KeptRun or None
    """

    now: KeptRun | None = None
    before: KeptRun | None = None

    def shows(self, scenario: Scenario, about: str, under_way: bool) -> bool:
        """Whether this very run is the present one already."""
        now = self.now
        return now is not None and (now.scenario, now.about, now.under_way) == (
            scenario,
            about,
            under_way,
        )

    def after(self, kept: KeptRun) -> Earlier:
        """With a run that has just been shown.

        What a hand passes on its way is replaced by the next, so that the run before
        the stroke stays what it is compared with.
        """
        if self.now is None or self.now.about != kept.about:
            return Earlier(kept)
        if self.now.under_way or self.now.scenario == kept.scenario:
            return replace(self, now=kept)
        return Earlier(kept, self.now)
