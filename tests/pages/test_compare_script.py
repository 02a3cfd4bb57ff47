"""The script of a comparison runs as it is and prints the page's own table."""

import io
import re
from contextlib import redirect_stdout

import pytest

from halfmoon.pages._parts.compare import evidence
from halfmoon.pages._parts.compare.comparison_script import comparison_program
from halfmoon.pages._parts.compare.stages import ComparedRun, names_of
from halfmoon.pages._parts.export.script import as_script
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import Labels, Scenario

SCENARIOS = [
    Scenario.of("two_moons", "lapsvm_pcg", "svm", "s3vm_light").with_held_out(20, 20),
    Scenario.of("three_arcs", "svm", "rlsc").with_labels(Labels("random", 2, 1)),
    Scenario.of("two_moons", "svm", "convex_relaxation").with_data_knob("n", 1200),
]


def solved(scenario):
    server = RunServer()
    jobs = [server.ask(scenario.alone(i)) for i in range(len(scenario.methods))]
    for job in jobs:
        job.wait(60)
    return [
        ComparedRun(scenario.alone(i), i, name, job.result)
        for i, (job, name) in enumerate(zip(jobs, names_of(scenario), strict=True))
    ]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.data)
def test_the_script_prints_the_numbers_of_the_page(scenario):
    found = solved(scenario)
    problem = next(run.solved.problem for run in found if run.solved)
    out = io.StringIO()
    with redirect_stdout(out):
        text = as_script(comparison_program(scenario, problem, found))
        exec(text, {"__name__": "script"})
    head, *lines = out.getvalue().splitlines()
    expected = evidence.values(found, scenario)
    assert len(lines) == len(expected)
    for line, (_, row) in zip(lines, expected.iterrows(), strict=True):
        assert row["method"] in line
        numbers = [float(n) for n in re.findall(r"\b\d+\.\d+\b", line)]
        told = [row[c] for c in expected if c.startswith(("error", "retrained"))]
        for value in (v for v in told if v == v and v is not None):
            assert any(n == pytest.approx(value, abs=1e-5) for n in numbers), line
    assert ("retrained" in head) == (problem.data.n <= 1000)
