"""The early-stopping page without its widgets: which run, which rules, which words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.export.script import (
    Cell,
    Program,
    another,
    error_of,
    program,
)
from halfmoon.pages._parts.study.settings import Reader, fitting, redrawn, unusual
from halfmoon.scenario import Scenario, pairs
from halfmoon.scenario.solving import Solved
from ssl_core.stopping import (
    NOT_YET,
    RULES,
    STABILITY_TOL,
    Rule,
    Verdict,
    gradient_norm,
    mixed_check,
    mixed_product,
    objective_decrease,
    preconditioned_norm,
    stability_check,
    validation_check,
)
from ssl_core.trace import Event, Status, Trace
from ssl_core.viz.words import duration

# One run is recorded until the slowest of the norms has fallen this far.
RECORD = {"stop": "preconditioned", "tol": 1e-8, "max_iter": 600}
OFFERED = (
    *("two_moons", "clock", "three_arcs", "g50c", "digits"),
    *("uspst_b", "text_pcmac", "coil20_b"),
)
# What is held out, beside so many training points as the paper has; a seed whose two
# labels show Figure 3 as printed.
SETUP: Mapping[str, dict] = {
    "two_moons": {"knobs": {"n": 400}, "val": 50, "test": 150, "seed": 2},
    "clock": {"knobs": {"n": 480}, "val": 50, "test": 190},
    "three_arcs": {"knobs": {"n": 450}, "val": 50, "test": 150},
    "g50c": {"val": 50, "test": 136},
    "digits": {"val": 50, "test": 100},
    "uspst_b": {"val": 50, "test": 498},
    "text_pcmac": {"val": 50, "test": 486},
    "coil20_b": {"val": 40, "test": 360},
}
PARAMETERS = ("sigma", "n_neighbors", "gamma_A", "gamma_I")

EXPONENTS = tuple(round(k / 10 - 9, 1) for k in range(91))  # of 10, in tenths
NORM_RULES = ("gradient", "preconditioned", "mixed_product", "objective")
CHECK_RULES = ("stability", "validation", "mixed")
GUESS = "guess"
RULE_ORDER = (GUESS, *NORM_RULES, *CHECK_RULES)
TITLES = {GUESS: "Your prediction", **{n: rule.title for n, rule in RULES.items()}}


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the reader can move on the stage, as numbers that a link can carry.

    Parameters
    ----------
    gradient, preconditioned, mixed_product, objective : float
        Powers of ten.
    theta : int
        Iterations between two checks; 0 is the paper's sqrt(n) / 2.
    eta : float
        Percent of changed decisions below which they count as stable.
    gain : int
        Validation points that each check must win.
    guess : int
        Iteration at which the visitor would stop.
    follow : int
        Position in `RULE_ORDER` of the rule whose stop the cursor shows, -1 for none.
    hide : int
        1 while the answers are hidden: the reader is to predict first.
    """

    gradient: float = -6.0
    preconditioned: float = -6.0
    mixed_product: float = -6.0
    objective: float = -6.0
    theta: int = 0
    eta: float = 100 * STABILITY_TOL
    gain: int = 1
    guess: int = 30
    follow: int = RULE_ORDER.index("stability")
    hide: int = 0

    @staticmethod
    def read(values: Mapping[str, float]) -> Thresholds:
        """From a link: what does not fit is moved to the nearest that does."""
        read = fitting(Thresholds, values, LIMITS)
        wanted = {name: values.get(name, read.gradient) for name in NORM_RULES}
        nearest = {
            name: min(EXPONENTS, key=lambda e: abs(e - value))
            for name, value in wanted.items()
        }
        return replace(read, **nearest)


LIMITS = (
    ("theta", 0, 100),
    ("eta", 0.0, 20.0),
    ("gain", 1, 10),
    ("guess", 0, RECORD["max_iter"]),
    ("follow", -1, len(RULE_ORDER) - 1),
    ("hide", 0, 1),
)


@dataclass(frozen=True, slots=True)
class AtIteration:
    """Stop at a given iteration: what a person who trusts a number does."""

    t: int

    def watch(self, run):
        def look(state) -> Verdict:
            if state.t < self.t:
                return NOT_YET
            text = f"Iteration {self.t} is reached."
            return Verdict(True, Event("stop", text, {"rule": GUESS}), Status.EARLY)

        return look


# -- the run -------------------------------------------------------------------------


def scenario_for(name: str) -> Scenario:
    """The page's own scenario on a data set: a run to the end, V and T held out.

    The kernel is as wide as the data suggest, whatever the number of points: the page
    shows what Figures 3 and 4 of [MB11] do.
    """
    setup = SETUP.get(name, {"val": 50, "test": 100})
    scenario = Scenario.of(name, "lapsvm_pcg")
    width = {"sigma": scenario.params["sigma"]}
    for knob, value in setup.get("knobs", {}).items():
        scenario = scenario.with_data_knob(knob, value)
    scenario = redrawn(scenario, setup.get("seed", 0))
    scenario = scenario.with_held_out(setup["val"], setup["test"])
    return _recording(scenario.with_parameters(width))


def _recording(scenario: Scenario) -> Scenario:
    return scenario.with_parameters(RECORD)


def from_link(
    url: Mapping[str, str], read: Reader = Scenario.from_url
) -> tuple[Scenario, list[str]]:
    """The scenario of a link, made to fit this page, with remarks.

    A link may come from the playground: data, labels and parameters stay, the
    algorithm becomes the one whose iterations are studied here.
    """
    if not url:  # nobody was brought here: predict first
        first = pairs(unusual(Thresholds(hide=1)))
        return scenario_for("two_moons").with_view(thresholds=first), []
    scenario, remarks = read(url)
    if not (scenario.data in DATASETS and DATASETS[scenario.data].available()):
        remarks.append(
            "This page needs available data of the list; two moons are shown instead."
        )
        if scenario.data in DATASETS:
            remarks.append(DATASETS[scenario.data].absence())
        return scenario_for("two_moons"), remarks
    if scenario.algorithm != "lapsvm_pcg":
        scenario = scenario.with_algorithm("lapsvm_pcg")
    if not scenario.n_val:
        setup = SETUP.get(scenario.data, {"val": 50, "test": 100})
        scenario = scenario.with_held_out(setup["val"], scenario.n_test)
    return _recording(scenario.from_start()), remarks


def newton_of(scenario: Scenario) -> Scenario:
    """The same problem, solved exactly."""
    exact = scenario.from_start().with_algorithm("lapsvm_newton")
    return exact.with_parameter("max_iter", 50)


# -- rules ---------------------------------------------------------------------------


def rules_of(at: Thresholds, trace: Trace) -> dict[str, Rule]:
    """The rules behind the thresholds, in the order of the page.

    The checks on validation points are left out where there are none.
    """
    every = at.theta or None
    eta = at.eta / 100
    rules: dict[str, Rule] = {
        GUESS: AtIteration(at.guess),
        "gradient": gradient_norm(10**at.gradient),
        "preconditioned": preconditioned_norm(10**at.preconditioned),
        "mixed_product": mixed_product(10**at.mixed_product),
        "objective": objective_decrease(10**at.objective),
        "stability": stability_check(every, eta),
    }
    if "val" in trace.outputs:
        # Half a point below the gain asked for: rates of points are not exact.
        need = (at.gain - 0.5) / len(trace.targets["val"])
        rules["validation"] = validation_check(every, need)
        rules["mixed"] = mixed_check(every, eta, need)
    return rules


def titles_of(trace: Trace) -> dict[str, str]:
    """Names of the rules that this run can be judged by, in the order of the page."""
    return {name: TITLES[name] for name in rules_of(Thresholds(), trace)}


def program_of(scenario: Scenario, run: Solved, at: Thresholds) -> Program:
    """The run as code, and the rules judged on its record."""
    every = at.theta or None
    eta = round(at.eta / 100, 6)
    calls = {
        "gradient": f"stopping.gradient_norm({10**at.gradient:.10g})",
        "preconditioned": f"stopping.preconditioned_norm({10**at.preconditioned:.10g})",
        "mixed_product": f"stopping.mixed_product({10**at.mixed_product:.10g})",
        "objective": f"stopping.objective_decrease({10**at.objective:.10g})",
        "stability": f"stopping.stability_check({every}, {eta})",
    }
    if "val" in run.trace.outputs:
        need = f"{at.gain - 0.5} / len(y_val)"
        calls["validation"] = f"stopping.validation_check({every}, {need})"
        calls["mixed"] = f"stopping.mixed_check({every}, {eta}, {need})"
    rules = [f"    {name!r}: {call}," for name, call in calls.items()]
    place = "label" if run.trace.multiclass else "(label + 1) // 2"
    end = error_of(run.problem, "predicted")
    lines = (
        "rules = {",
        *rules,
        "}",
        "for name, rule in rules.items():",
        "    stop = stopping.judge(rule, trace)",
        "    label = trace.labels[-1 if stop is None else stop]",
        f"    predicted = est.classes_[{place}]",
        f'    print(f"{{name}}: {{stop}}{end}")',
    )
    optimum = (
        *another(newton_of(scenario), "optimum"),
        f'print(f"optimum: {{optimum.final.objective:.12g}}{error_of(run.problem)}")',
    )
    more = [
        Cell("Where each rule would have stopped; nothing is solved again.", lines),
        Cell("The exact optimum, by Newton's method.", optimum),
    ]
    return program(scenario, run.problem, more, core=("make", "stopping"))


# -- words ---------------------------------------------------------------------------


def remarks_on(run: Solved, exact: Solved) -> str:
    """The size of the problem, and what the two solvers cost."""
    trace, problem = run.trace, run.problem
    spent = duration(float(trace.seconds[1:].sum()))
    newton = duration(float(exact.trace.seconds[1:].sum()))
    text = (
        f"{len(problem.train):,} training points, {problem.n_labelled:,} of them "
        f"labelled; {len(problem.val):,} validation and {len(problem.test):,} test "
        f"points. The recorded run took {trace.final.t:,} iterations and {spent}, "
        f"without kernel and graph; Newton’s method took {newton}. A Newton step "
        f"costs of the order of n³, an iteration n²: the larger the data, the more a "
        f"good rule is worth."
    )
    if run.interrupted:
        return f"{text} You stopped the run, so the saved time is a lower bound."
    if trace.status is Status.MAX_ITER:
        return (
            f"{text} The run was ended after {trace.final.t:,} iterations, long before "
            f"convergence: what is saved is a lower bound."
        )
    return text
