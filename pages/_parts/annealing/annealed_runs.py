"""The annealing page without its widgets: which runs, which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.annealing.annealing_questions import FIXED, QUESTIONS
from halfmoon.pages._parts.annealing.annealing_script import compared
from halfmoon.pages._parts.export.script import Program, program
from halfmoon.pages._parts.study.settings import (
    Reader,
    fitting,
    opened,
    redrawn,
    unusual,
)
from halfmoon.scenario import Labels, Scenario, pairs
from halfmoon.scenario.learning_problem import Problem
from halfmoon.scenario.refusals import (
    RefusedError,
    one_label_per_class,
    usual_parameter,
)
from halfmoon.scenario.solving import Solved
from ssl_core.trace import Trace
from ssl_core.viz.annealing import UNDECIDED
from ssl_core.viz.words import count, duration, number

OFFERED = ("clusters", "two_moons", "g50c", "topic_text", "news20", "text_pcmac")
FIRST = "clusters"


@dataclass(frozen=True)
class Setup:
    """What suits the page on one data set."""

    knobs: Mapping[str, object]
    per_class: int
    lam: float
    seed: int = 0
    test: int = 0


# Two clusters, draw 4: a fixed low temperature stays in a poor minimum, annealing does
# not. G50C: with less weight decay 50 dimensions fit any labels of 550 points.
SETUP: Mapping[str, Setup] = {
    "clusters": Setup({"clusters_per_class": 1, "noise": 0.3}, 1, 1e-2, seed=4),
    "two_moons": Setup({}, 1, 1e-2, seed=1),
    "g50c": Setup({}, 5, 0.1),
    "topic_text": Setup({}, 5, 1e-3),
    "news20": Setup({"n": 2000}, 10, 1e-3),
    "text_pcmac": Setup({}, 5, 1e-3, test=486),
}
OTHER = Setup({}, 5, 1e-3)
PARAMETERS = ("lam", "lam_u", "r", "T", "rate")
MAX_ITER = 1500

TITLES = {"clusters": "Two clusters", "two_moons": "Two moons, a linear boundary"}
VIEWS = ("Cooling down", "Switching labels", "Comparison")


# -- the screen beside the scenario --------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnnealingNumbers:
    """Numbers that belong to this page; they go into its link.

    Attributes
    ----------
    view : int
        Position in `VIEWS`.
    guess, pairs, cold : int
        The answers to `QUESTIONS`, one for each view.
    """

    view: int = 0
    guess: int = -1
    pairs: int = -1
    cold: int = -1

    @staticmethod
    def read(values: Mapping[str, float]) -> AnnealingNumbers:
        """From a link: what does not fit is moved to the nearest that does."""
        answers = ((asked.field, -1, asked.unguessed) for asked in QUESTIONS)
        limits = ("view", 0, len(VIEWS) - 1), *answers
        return fitting(AnnealingNumbers, values, limits)

    @property
    def question(self):
        """What is asked in this view."""
        return QUESTIONS[self.view]

    @property
    def answer(self) -> int:
        """The answer given in this view, -1 before."""
        return getattr(self, self.question.field)


# -- the runs ------------------------------------------------------------------------


def title(name: str, scenario: Scenario) -> str:
    """What data are called here; a link may bring them with other knobs than ours."""
    setup = SETUP.get(name, OTHER)
    own = name != scenario.data or all(
        scenario.knobs[knob] == value
        for knob, value in setup.knobs.items()
        if knob == "clusters_per_class"
    )
    return TITLES[name] if own and name in TITLES else DATASETS[name].title


def scenario_for(name: str) -> Scenario:
    """The page's own scenario on a data set."""
    setup = SETUP.get(name, OTHER)
    scenario = Scenario.of(name, "da")
    for knob, value in setup.knobs.items():
        scenario = scenario.with_data_knob(knob, value)
    scenario = scenario.with_labels(Labels("random", setup.per_class))
    scenario = redrawn(scenario, setup.seed).with_held_out(0, setup.test)
    return watched(scenario.with_parameter("lam", setup.lam))


def watched(scenario: Scenario) -> Scenario:
    """The run whose iterations the page shows: annealed, and to its own end."""
    whole = {"anneal": True, "stop": None, "max_iter": MAX_ITER}
    return scenario.from_start().with_parameters(whole)


def from_link(
    url: Mapping[str, str], read: Reader = Scenario.from_url
) -> tuple[Scenario, list[str]]:
    """The scenario of a link, made to fit this page, with remarks."""
    first = partial(scenario_for, FIRST)
    scenario, remarks = opened(url, read, "da", first, "two clusters")
    return watched(at_its_moment(scenario)), remarks


def at_its_moment(scenario: Scenario) -> Scenario:
    """A link that names a moment shows it: nobody is asked first.

    Older links name the moment of the transductive SVM apart from the other, as ``s``.
    """
    view = scenario.view
    numbers = dict(view.thresholds)
    s = int(numbers.pop("s", -1))
    screen = AnnealingNumbers.read(numbers)
    t = s if VIEWS[screen.view] == "Switching labels" and s >= 0 else view.t
    if t is not None and screen.answer < 0:
        question = screen.question
        screen = replace(screen, **{question.field: question.unguessed})
    return scenario.with_view(t=t, thresholds=pairs(unusual(screen)))


def switching(scenario: Scenario) -> Scenario:
    """The same problem for the transductive SVM; lambda' rises as in the paper."""
    return scenario.from_start().with_algorithm("tsvm").with_parameter("rate", 1.5)


def fixed(scenario: Scenario, T: float) -> Scenario:
    """The same problem at one temperature throughout."""
    return scenario.with_parameter("anneal", False).with_parameter("T", T)


def rivals(scenario: Scenario) -> dict[str, Scenario]:
    """All ways of minimising the same objective, by name."""
    ways = {"annealed": scenario}
    ways |= {f"T = {number(T)}": fixed(scenario, T) for T in FIXED}
    return ways | {"tsvm": switching(scenario)}


def has_words(run: Solved) -> bool:
    """Whether the features are words: sparse data whose columns have names."""
    data = run.problem.data
    return data.is_sparse and len(data.feature_names) == data.dims


def check(problem: Problem, scenario: Scenario) -> None:
    """Refuse what has nothing to anneal."""
    if problem.n_unlabelled == 0:
        raise RefusedError(
            "Every point is labelled, so nothing is undecided; choose fewer labels.",
            one_label_per_class(),
        )
    if scenario.params["lam_u"] == 0:
        raise RefusedError(
            "With λ′ = 0 the unlabelled points do not count, so there is nothing to "
            "anneal; set λ′ > 0.",
            usual_parameter(scenario, "lam_u", "λ′"),
        )


def program_of(scenario: Scenario, run: Solved, view: int = 0) -> Program:
    """What a view shows, as code: the cooling, the switching, or all ways."""
    if VIEWS[view] == "Switching labels":
        return program(switching(scenario), run.problem)
    if VIEWS[view] == "Comparison":
        return program(scenario, run.problem, compared(rivals(scenario), run.problem))
    return program(scenario, run.problem)


# -- where the cursor opens ----------------------------------------------------------


def melting(trace: Trace) -> int:
    """Iteration at which half of the first uncertainty is gone."""
    entropy = trace.column("entropy")
    return int(trace.states[int(np.argmax(entropy < entropy[0] / 2))].t)


def busiest(trace: Trace) -> int:
    """Training after the largest switch."""
    return int(trace.states[int(trace.column("n_switched").argmax())].t)


# -- words ---------------------------------------------------------------------------


def fate(trace: Trace, index: int) -> str:
    """Final class of the points that are still undecided at a state."""
    p, last = trace.states[index].p, trace.final.p
    low, high = UNDECIDED
    undecided = (p > low) & (p < high)
    n = int(undecided.sum())
    if n == 0:
        return "No point is undecided any more (p between 0.4 and 0.6)."
    up, down = int((last[undecided] >= 0.9).sum()), int((last[undecided] <= 0.1).sum())
    still = n - up - down
    end = f"in the end {down} are certain for the first class, {up} for the second"
    rest = f", {still} undecided" if still else ""
    verb = "is" if n == 1 else "are"
    here = f"{count(n, 'point')} {verb} undecided here (p between 0.4 and 0.6)"
    return f"{here}: {end}{rest}."


def remarks_on(run: Solved) -> str:
    """The size of the problem, the class ratio, and what the run cost."""
    problem, trace = run.problem, run.trace
    r = run.scenario.params["r"]
    share = float((trace.y > 0).sum() / (trace.y != 0).sum()) if r is None else r
    source = "estimated from the labels" if r is None else "as set"
    text = (
        f"{len(problem.train):,} points, {problem.n_labelled:,} of them labelled. "
        f"Class ratio r = {number(share)}, {source}, which the mean of p keeps. "
        f"{count(len({s.T for s in trace.states}), 'temperature')}, {trace.final.t:,} "
        f"iterations, {duration(float(trace.seconds.sum()))}."
    )
    if run.interrupted:
        return f"{text} You stopped the run before its end."
    return text
