"""The page of paths and jumps without its widgets: which runs, which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd

from halfmoon.datasets import load
from halfmoon.pages._parts.export.script import (
    Cell,
    Program,
    another,
    error_of,
    program,
)
from halfmoon.pages._parts.path.path_curves import Rival, path_errors
from halfmoon.pages._parts.path.path_presets import FIRST, PRESETS, STRIPES
from halfmoon.pages._parts.path.path_views import Jump, exact, jumps_of, points_named
from halfmoon.pages._parts.study.questions import Question
from halfmoon.pages._parts.study.settings import Reader, fitting, opened, redrawn
from halfmoon.scenario import Labels, Scenario, pairs
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.refusals import (
    RefusedError,
    Way,
    one_label_per_class,
    two_classes,
)
from halfmoon.scenario.solving import Solved
from ssl_core import ALGORITHMS
from ssl_core.trace import Trace
from ssl_core.viz.measures import error_rates
from ssl_core.viz.words import count, number, rate

ALGORITHM, GRID, SWITCHING = "s3vm_path", "cccp", "s3vm_light"
STEPS = (10, 20, 40)  # values of C* on the grids; finer ones where the first misses
MAX_STEPS = 100
PARAMETERS = ("kernel", "sigma", "degree", "coef0", "C", "r", "centered")
SAME = 1e-6  # objectives closer than this, relatively, count as equal
ANSWERS = (
    "It moves continuously all the way",
    "It moves continuously, with one jump",
    "It jumps several times",
)
UNGUESSED = len(ANSWERS)
COLUMNS = ("C*", "Hit", "Flipped", "Objective before", "Objective after")


# -- the screen beside the scenario --------------------------------------------------


@dataclass(frozen=True, slots=True)
class PathNumbers:
    """Numbers that belong to this page; they go into its link.

    Attributes
    ----------
    linear : int
        1 for a linear axis of C*.
    steps : int
        Values of C* on the grid that is drawn beside the path.
    guess : int
        The answer to `QUESTION`, -1 while it is open. A link that says nothing of it
        shows the whole path.
    """

    linear: int = 0
    steps: int = STEPS[0]
    guess: int = UNGUESSED

    @staticmethod
    def read(values: Mapping[str, float]) -> PathNumbers:
        """From a link: what does not fit is moved to the nearest that does."""
        values = {**values, "linear": values.get("linear", 0) > 0}
        return fitting(PathNumbers, values, LIMITS)


LIMITS = ("linear", 0, 1), ("steps", 2, MAX_STEPS), ("guess", -1, UNGUESSED)


# -- the runs ------------------------------------------------------------------------


def scenario_for(name: str) -> Scenario:
    """The scenario of a preset."""
    preset = PRESETS[name]
    scenario = Scenario.of(preset.data, ALGORITHM)
    for knob, value in preset.knobs.items():
        scenario = scenario.with_data_knob(knob, value)
    if preset.data != STRIPES:
        scenario = scenario.with_labels(Labels("random", preset.per_class))
    scenario = redrawn(scenario, preset.seed).with_parameters(preset.params)
    held_out = preset.held_out, preset.held_out
    return watched(ends_labelled(scenario.with_held_out(*held_out)))


def preset_of(scenario: Scenario) -> str | None:
    """The preset that a scenario is, as long as nobody has changed it."""
    solving = scenario.solving
    return next((n for n in PRESETS if scenario_for(n).solving == solving), None)


def ends_labelled(scenario: Scenario) -> Scenario:
    """Stripes with the leftmost upper and the rightmost lower point labelled."""
    if scenario.data != STRIPES:
        return scenario
    data = load(STRIPES, random_state=scenario.seed, **scenario.knobs)
    x = data.X[:, 0]
    lower = int(np.where(data.y == 0, x, -np.inf).argmax())
    upper = int(np.where(data.y == 1, x, np.inf).argmin())
    hand = tuple(sorted([(lower, 0), (upper, 1)]))
    return scenario.with_labels(Labels("hand", hand=hand))


def watched(scenario: Scenario) -> Scenario:
    """The run whose states the page shows: the path to its own end."""
    whole = {"stop": None, "max_iter": ALGORITHMS[ALGORITHM].defaults["max_iter"]}
    return scenario.from_start().with_parameters(whole)


def parameters(scenario: Scenario) -> list[str]:
    """The knobs that make a difference here."""
    entry = ALGORITHMS[ALGORITHM]
    return [n for n in PARAMETERS if not entry.knob(n).idle(scenario.params)]


def from_link(
    url: Mapping[str, str], read: Reader = Scenario.from_url
) -> tuple[Scenario, list[str]]:
    """The scenario of a link, made to fit this page, with remarks."""
    if not url:  # a first visit: the question is open
        return scenario_for(FIRST).with_view(thresholds=pairs({"guess": -1.0})), []
    first = partial(scenario_for, FIRST)
    scenario, remarks = opened(url, read, ALGORITHM, first, "two stripes", own=True)
    return watched(scenario.alone(0)), remarks


def grid(scenario: Scenario, steps: int) -> Scenario:
    """The same problem for CCCP, on a grid of C*: same loss, kernel, b and weights."""
    other = scenario.from_start().with_algorithm(GRID)
    C = scenario.params["C"]
    balance = "linear" if scenario.params["centered"] else "fixed"
    same = {"C": C, "C_u": C, "loss": "hinge", "balance": balance, "steps": steps}
    return other.with_parameters({**same, "stop": None})


def switching(scenario: Scenario) -> Scenario:
    """The same data and weights for label switching, which squares the loss."""
    other = scenario.from_start().with_algorithm(SWITCHING)
    C = scenario.params["C"]
    return other.with_parameters({"C": C, "C_u": C, "stop": None})


def check(problem: Problem, scenario: Scenario) -> None:
    """Refuse what has no path to show."""
    if problem.data.n_classes != 2:
        title = PRESETS[FIRST].title
        raise RefusedError(
            "Three or more classes make several paths, and this page shows one; choose "
            "data with two classes.",
            two_classes(scenario),
            Way(f"Show “{title}”", lambda *_: scenario_for(FIRST)),
        )
    if problem.n_unlabelled == 0:
        raise RefusedError(
            "Every point is labelled, so C* has no effect; choose fewer labels.",
            one_label_per_class(),
        )


# -- jumps ---------------------------------------------------------------------------


def rows_of(run: Solved) -> list[tuple[int, int, tuple[str, ...]]]:
    """The table of jumps: iterations of the two states, and the cells."""
    row = run.problem.row[run.problem.train]
    states, rows = run.trace.states, []
    for jump in jumps_of(run.trace):
        first, last = states[jump.before].t, states[jump.before + 1].t
        rows.append((first, last, cells_of(jump, row)))
    return rows


def cells_of(jump: Jump, row: np.ndarray) -> tuple[str, ...]:
    hit, flipped = row[list(jump.hit)], row[list(jump.flipped)]
    data = jump.event.data
    return (
        number(jump.C_u),
        points_named(hit),
        f"{len(flipped)}: {points_named(flipped)}",
        exact(data["before"]),
        exact(data["after"]),
    )


def summary(run: Solved) -> str:
    """How many jumps, and how the error went."""
    jumps = jumps_of(run.trace)
    if not jumps:
        return "This path has no jump: no unlabelled point ever reaches f = 0."
    flips = sum(len(j.flipped) for j in jumps)
    text = f"{count(len(jumps), 'jump')} {'flips' if len(jumps) == 1 else 'flip'} "
    text += f"{count(flips, 'label')}."
    rates = path_errors(run).get("U")
    if rates is not None:
        text += f" Unlabelled error {rate(rates[0])} at C* = 0, {rate(rates[-1])} at "
        text += f"C* = {number(run.trace.final.C_u)}."
    return text


def how_it_moves(run: Solved) -> tuple[int, str]:
    """Whether the boundary jumps on this path, and how often."""
    return min(len(jumps_of(run.trace)), 2), summary(run)


QUESTION = Question(
    "guess",
    "The unlabelled points gain weight from C* = 0 until they count as much as the "
    "labelled ones. How does the boundary move on the way?",
    ANSWERS,
    how_it_moves,
)


# -- the others ----------------------------------------------------------------------


@dataclass(frozen=True)
class PathOutcome:
    """How one method ended; no objective where it is another one's."""

    title: str
    objective: float | None
    error: float | None
    steps: int = field(default=0)


def outcome(title: str, run: Solved, *, steps: int = 0, own_loss: bool = False):
    rates = error_rates(run.trace, run.truth).get("U")
    error = None if rates is None else float(rates[-1])
    objective = None if own_loss else float(run.trace.final.objective)
    return PathOutcome(title, objective, error, steps)


def rival(run: Solved, steps: int) -> Rival:
    """The last state at each value of a grid."""
    last = {s.C_u: s.objective for s in run.trace.states}
    return Rival(f"CCCP, {steps} values", *zip(*sorted(last.items()), strict=True))


def missed(path: Trace, other: Trace) -> bool:
    """Whether a grid ended above the path."""
    return other.final.objective > path.final.objective * (1 + SAME)


def table(rows: list[PathOutcome]) -> pd.DataFrame:
    lines = [
        {
            "Method": row.title,
            "Objective at C* = C": "–"
            if row.objective is None
            else number(row.objective, 5),
            "Error, unlabelled": rate(row.error),
        }
        for row in rows
    ]
    return pd.DataFrame(lines).set_index("Method")


def verdict(rows: list[PathOutcome]) -> str:
    """What a grid misses on this problem, and whether a finer one finds it."""
    path = rows[0]
    grids = [row for row in rows if row.steps]
    if not grids:
        return ""
    first, *finer = grids
    low, high = path.objective * (1 - SAME), path.objective * (1 + SAME)
    if first.objective < low:
        return (
            f"Here the grid of {first.steps} values of C* ends lower than the path: "
            f"{number(first.objective, 5)} against {number(path.objective, 5)}. "
            f"Following every jump finds one local minimum, not the best."
        )
    if first.objective <= high:
        return (
            f"Here a grid of {first.steps} values of C* ends where the path ends: "
            f"{number(path.objective, 5)}. The path adds where and why the labels "
            f"flipped."
        )
    text = (
        f"The grid of {first.steps} values of C* ends at {number(first.objective, 5)}, "
        f"the path at {number(path.objective, 5)}: between two values of the grid "
        f"labels flip in another way, and it ends in another local minimum."
    )
    match = next((row for row in finer if row.objective <= high), None)
    if match is not None:
        return f"{text} A grid of {match.steps} values finds the same as the path."
    if finer:
        text += f" A grid of {finer[-1].steps} values does not find it either."
    return text


def program_of(scenario: Scenario, run: Solved, steps: int = STEPS[0]) -> Program:
    """The run as code, with its jumps, and what the grids make of it."""
    lines = (
        "for state in trace.states:",
        "    for event in state.events:",
        '        if event.kind == "jump":',
        "            print(event.text)",
    )
    end = error_of(run.problem)
    grids = (
        *another(grid(scenario, steps), "other"),
        f"for steps in {(steps, *(n for n in STEPS if n > steps))}:",
        "    other = est.set_params(steps=steps).trace(X, y)",
        f'    print(f"CCCP, {{steps}} values: {{other.final.objective:.12g}}{end}")',
        f"    if other.final.objective <= trace.final.objective * (1 + {SAME}):",
        "        break",
    )
    switched = (
        *another(switching(scenario), "other"),
        f'print(f"S3VM-light: {{other.final.objective:.12g}}{end}")',
    )
    more = [
        Cell("The jumps.", lines),
        Cell("CCCP on grids of C*, finer until one finds what the path finds.", grids),
        Cell("S3VM-light, whose loss is squared: another objective.", switched),
    ]
    return program(scenario, run.problem, more)
