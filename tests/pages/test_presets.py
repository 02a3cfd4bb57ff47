"""What the examples say is so on the runs they open."""

from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.running.run_server import RunServer


def solved(name):
    run = RunServer(1).ask(PRESETS[name].scenario).outcome()
    truth = run.problem.data.y[run.problem.train]
    return run, int(((run.trace.final.labels > 0) != truth).sum())


def test_switching_is_stuck_where_the_proof_finds_a_lower_objective():
    stuck, wrong = solved("switching")
    assert wrong == 37
    best, none = solved("proved")
    assert none == 0
    assert "37 points" in PRESETS["switching"].look
    told = PRESETS["proved"].look
    assert f"{stuck.trace.final.objective:.1f} by" in told
    assert f"{best.trace.final.objective:.1f} here" in told
    assert best.trace.final.lower >= best.trace.final.upper * (1 - 1e-6)


def test_the_relaxation_s_bound_lies_below_its_rounded_labels():
    run, _ = solved("relaxed")
    final = run.trace.final
    assert final.bound < final.objective
    assert final.bound > run.trace.states[0].bound
