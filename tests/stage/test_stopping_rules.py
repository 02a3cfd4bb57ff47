"""Stopping rules judged in the browser stop where `ssl_core.stopping.judge` does."""

import base64
from dataclasses import asdict, dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from halfmoon import stage
from halfmoon.pages._parts.early_stopping import stopping_runs as page_of
from halfmoon.pages._parts.early_stopping import stopping_views
from halfmoon.pages._parts.early_stopping.stopping_views import record_of
from halfmoon.pages._parts.running.run_server import RunServer
from ssl_core.stopping import judge
from ssl_core.trace import State, Trace
from tests.javascript import evaluate

JUDGED = """async ([packed, cases]) => {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stopping = stoppingOf(await unpack(bytes));
  return cases.map(([name, at]) => {
    const i = stopping.stop(name, at);
    return i === undefined ? "not judged" : i;
  });
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded(State):
    grad_norm: float
    precond_grad_norm: float
    mixed_product: float


def in_javascript(run, exact, cases):
    """What the stage answers to (rule, thresholds) on the record of a run."""
    rules = stage.Rules(
        "Rules",
        record_of(run, exact),
        tuple(page_of.titles_of(run.trace).items()),
        page_of.EXPONENTS,
        asdict(page_of.Thresholds()),
    )
    view = stage.StageView(
        points=np.zeros((1, 2)),
        given=np.array([-1]),
        class_names=("a", "b"),
        extent=(0, 1, 0, 1),
        frame_t=np.array([0]),
        panels=(rules,),
    )
    packed = base64.b64encode(stage.payload(view)).decode()
    told = [[name, asdict(at)] for name, at in cases]
    modules = ("stopping.js", "unpack.js")
    return evaluate(modules, f"({JUDGED})(data)", [packed, told])


def in_python(trace, cases):
    return [judge(page_of.rules_of(at, trace)[name], trace) for name, at in cases]


def some_thresholds(rng, last):
    exponents = {name: rng.choice(page_of.EXPONENTS) for name in page_of.NORM_RULES}
    return page_of.Thresholds(
        **{name: float(e) for name, e in exponents.items()},
        theta=int(rng.choice([0, 1, 2, 3, 7, 20, 100])),
        eta=float(rng.choice([0, 0.5, 1, 1.5, 2, 5, 10, 12.5, 20])),
        gain=int(rng.integers(1, 5)),
        guess=int(rng.integers(0, last + 20)),
    )


def all_cases(trace, rng, n):
    names = list(page_of.titles_of(trace))
    ats = [some_thresholds(rng, trace.final.t) for _ in range(n)]
    return [(name, at) for at in ats for name in names]


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.mark.parametrize("name", ["two_moons", "three_arcs"])
def test_rules_stop_where_python_says(server, name):
    scenario = page_of.scenario_for(name)
    run = server.ask(scenario).outcome()
    exact = server.ask(page_of.newton_of(scenario)).outcome()
    cases = all_cases(run.trace, np.random.default_rng(0), 60)
    expected = in_python(run.trace, cases)
    assert in_javascript(run, exact, cases) == expected
    assert None in expected
    assert len(set(expected)) > 20


def made_up(rng, *, classes):
    """A record full of ties: norms at thresholds, few points, few decisions."""
    m, n, n_val = 40, 42, 10
    many = classes > 2
    exponents = np.array(page_of.EXPONENTS)
    norms = {}
    for name in ("grad_norm", "precond_grad_norm", "mixed_product"):
        start = rng.uniform(0.1, 9)
        at = np.clip(90 - np.cumsum(rng.integers(-1, 6, m)), 0, 90)
        norms[name] = [start] + [10 ** float(exponents[k]) * start for k in at[1:]]
    objective = [8.0]
    for _ in range(m - 1):  # falls of a quarter or an eighth, then none: exact in bits
        objective.append(objective[-1] * rng.choice([0.75, 0.875, 1.0]))
    labels = rng.integers(0, classes, (m, n))
    for i in range(1, m):
        labels[i] = np.where(rng.random(n) < 2 / (i + 2), labels[i], labels[i - 1])
    outputs = rng.normal(size=(m, n_val, classes) if many else (m, n_val))
    outputs[m // 2 :] = outputs[m // 2]
    truth = rng.integers(0, classes, n)
    y = np.where(np.arange(n) < 2, truth, -1)
    if not many:
        labels, truth = 2 * labels - 1, 2 * truth - 1
        y = np.where(np.arange(n) < 2, truth, 0)
    f = np.zeros((n, classes)) if many else np.zeros(n)
    states = [
        Recorded(
            t=i, objective=objective[i], f=f, **{k: v[i] for k, v in norms.items()}
        )
        for i in range(m)
    ]
    target = rng.integers(0, classes, n_val)
    trace = Trace(
        states=states,
        seconds=np.ones(m),
        labels=labels,
        outputs={"val": outputs},
        targets={"val": target if many else 2 * target - 1},
        y=y,
    )
    return SimpleNamespace(trace=trace, truth=truth)


@pytest.mark.parametrize("classes", [2, 3])
def test_ties_are_decided_as_in_python(classes):
    rng = np.random.default_rng(classes)
    run = made_up(rng, classes=classes)
    cases = all_cases(run.trace, rng, 80)
    assert in_javascript(run, run, cases) == in_python(run.trace, cases)
    grad = run.trace.column("grad_norm")
    ties = [10**at.gradient * grad[0] in grad for name, at in cases]
    assert sum(ties) > 20  # the record does have thresholds met exactly


def test_decisions_too_many_to_send_are_not_judged_and_said_so(monkeypatch):
    monkeypatch.setattr(stopping_views, "MAX_DECISIONS", 100)
    run = made_up(np.random.default_rng(0), classes=2)
    at = page_of.Thresholds()
    cases = [(name, at) for name in ("stability", "validation", "mixed", "gradient")]
    found = in_javascript(run, run, cases)
    expected = in_python(run.trace, cases)
    assert found == ["not judged", expected[1], "not judged", expected[3]]
