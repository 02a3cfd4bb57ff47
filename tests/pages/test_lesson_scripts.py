"""The script of every lesson, view by view, tells the numbers that its page shows."""

import contextlib
import io

import pytest

from halfmoon.pages._parts.annealing import annealed_runs as annealing
from halfmoon.pages._parts.annealing.annealing_outcomes import outcome
from halfmoon.pages._parts.early_stopping import stopping_runs as early_stopping
from halfmoon.pages._parts.export.script import as_script
from halfmoon.pages._parts.path import path_runs as path
from halfmoon.pages._parts.running.run_server import RunServer
from ssl_core.stopping import judge
from ssl_core.viz.measures import error_rates

SERVER = RunServer(2)


def said(text):
    """What a script prints, line by line: the words before the colon, and the rest."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "exported.py", "exec"), {"__name__": "__main__"})
    lines = (line.partition(": ") for line in out.getvalue().splitlines())
    return {head: rest for head, _, rest in lines}


def told(objective, error):
    return f"{objective:.12g}, error {error:.2%}"


def split(text):
    """The number and the error of a line."""
    number, error = text.split(", error ")
    return float(number), error


# -- annealing -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def cooled():
    return SERVER.ask(annealing.scenario_for("clusters")).outcome()


def view(name):
    return annealing.VIEWS.index(name)


def test_the_cooling_view_exports_the_annealed_run(cooled):
    text = as_script(
        annealing.program_of(cooled.scenario, cooled, view("Cooling down"))
    )
    assert "tsvm" not in text
    out = said(text)
    ours = cooled.trace.final.objective
    assert float(out["objective"]) == pytest.approx(ours, rel=1e-9)


def test_the_switching_view_exports_the_transductive_svm(cooled):
    text = as_script(
        annealing.program_of(cooled.scenario, cooled, view("Switching labels"))
    )
    assert 'make("da"' not in text.replace("'", '"')
    shown = SERVER.ask(annealing.switching(cooled.scenario)).outcome()
    out = said(text)
    ours = shown.trace.final.objective
    assert float(out["objective"]) == pytest.approx(ours, rel=1e-9)
    wrong = error_rates(shown.trace, shown.truth)["U"][-1]
    assert out["error on unlabelled points"] == f"{wrong:.2%}"


def test_the_comparison_exports_every_way_it_shows(cooled):
    made = annealing.program_of(cooled.scenario, cooled, view("Comparison"))
    out = said(as_script(made))
    for name, scenario in annealing.rivals(cooled.scenario).items():
        row = outcome(name, SERVER.ask(scenario).outcome())
        objective, error = split(out[name])
        assert objective == pytest.approx(row.objective, rel=1e-9), name
        assert error == f"{row.errors['U']:.2%}", name


# -- early stopping ------------------------------------------------------------------


def test_the_early_stopping_script_stops_where_the_page_does_and_errs_as_much():
    at = early_stopping.Thresholds(gradient=-3.5, theta=4, eta=3.0, gain=2)
    scenario = early_stopping.scenario_for("two_moons")
    run = SERVER.ask(scenario).outcome()
    out = said(as_script(early_stopping.program_of(scenario, run, at)))
    rates = error_rates(run.trace, run.truth)["U"]
    rules = early_stopping.rules_of(at, run.trace)
    for name in (*early_stopping.NORM_RULES, *early_stopping.CHECK_RULES):
        stop = judge(rules[name], run.trace)
        assert out[name] == f"{stop}, error {rates[stop]:.2%}", name
    exact = SERVER.ask(early_stopping.newton_of(scenario)).outcome()
    objective, error = split(out["optimum"])
    assert objective == pytest.approx(exact.trace.final.objective, rel=1e-9)
    assert error == f"{error_rates(exact.trace, exact.truth)['U'][-1]:.2%}"


# -- path ----------------------------------------------------------------------------


def test_the_script_of_a_path_tells_its_jumps_and_what_the_grids_find():
    scenario = path.scenario_for("swing")
    run = SERVER.ask(scenario).outcome()
    out = said(as_script(path.program_of(scenario, run, 5)))
    for jump in path.jumps_of(run.trace):
        head, _, rest = jump.event.text.partition(": ")
        assert out[head] == rest
    rows = []
    for steps in (5, *path.STEPS):
        solved = SERVER.ask(path.grid(scenario, steps)).outcome()
        rows.append(path.outcome(f"CCCP, {steps} values", solved))
        if not path.missed(run.trace, solved.trace):
            break
    assert [line for line in out if line.startswith("CCCP")] == [r.title for r in rows]
    for row in rows:
        assert out[row.title] == told(row.objective, row.error)
    solved = SERVER.ask(path.switching(scenario)).outcome()
    wrong = path.outcome("S3VM-light", solved).error
    assert split(out["S3VM-light"])[1] == f"{wrong:.2%}"
