"""The table of a comparison: one protocol for all, the best marked, verdicts true."""

import numpy as np
import pytest

from halfmoon.pages._parts.compare import evidence
from halfmoon.pages._parts.compare.evidence import Row
from halfmoon.pages._parts.compare.stages import ComparedRun
from halfmoon.pages._parts.running import judging
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import Scenario, default
from ssl_core import retrained_objective

THREE = Scenario.of("two_moons", "lapsvm_pcg", "svm", "s3vm_light")


@pytest.fixture(scope="module")
def runs():
    server = RunServer()
    solved = [server.ask(THREE.alone(i)).outcome() for i in range(3)]
    return [
        ComparedRun(s.scenario, i, name, s)
        for i, (s, name) in enumerate(zip(solved, "ABC", strict=True))
    ]


def test_all_labels_are_retrained_with_the_first_values_found():
    scenario = THREE.with_parameter("C", 3.0, 2).with_parameter("sigma", 0.5, 1)
    protocol = judging.Protocol.of(scenario)
    assert (protocol.C, protocol.C_u, protocol.sigma) == (3.0, 1.0, 0.35)
    assert "C = 3" in protocol.words
    assert "σ = 0.35" in protocol.words


def test_methods_without_weights_are_judged_with_the_usual_ones():
    protocol = judging.Protocol.of(Scenario.of("two_moons", "tsvm", "da"))
    assert (protocol.kernel, protocol.sigma, protocol.C) == ("rbf", 0.35, 10.0)


def test_the_objective_told_is_that_of_the_predicted_labels(runs):
    protocol = judging.Protocol.of(THREE)
    judged, truth = judging.judge([run.solved for run in runs], protocol)
    for run, found in zip(runs, judged, strict=True):
        problem = run.solved.problem
        labels = run.solved.machine.predict(problem.X)
        expected = retrained_objective(
            problem.X, problem.given, labels, C=10.0, C_u=1.0, sigma=0.35
        )
        assert found.objective[-1] == pytest.approx(expected, rel=1e-9)
        wrong = labels != problem.truth
        assert found.error[-1] == pytest.approx(wrong[problem.given < 0].mean())
        assert 2 <= len(found.objective) <= judging.MOMENTS
    # The Laplacian SVM finds all labels, so its objective is that of the true ones.
    assert truth == pytest.approx(judged[0].objective[-1])


def test_a_run_that_was_judged_is_not_trained_again(runs, monkeypatch):
    protocol = judging.Protocol.of(THREE)
    first = judging.judge([run.solved for run in runs], protocol)
    monkeypatch.setattr(judging.Protocol, "retraining", None)
    again = judging.judge([run.solved for run in runs], protocol)
    assert again[1] == first[1]
    assert all(a is b for a, b in zip(again[0], first[0], strict=True))


def test_many_points_are_told_and_not_retrained():
    many = default().with_data_knob("n", 2000)
    problem = RunServer().pose(many)
    protocol = judging.Protocol.of(many)
    assert "2,000 points" in evidence.caption(protocol, problem)


def test_three_classes_are_judged_as_well():
    scenario = Scenario.of("three_arcs", "svm")
    solved = RunServer().ask(scenario).outcome()
    (judged,), _ = judging.judge([solved], judging.Protocol.of(scenario))
    assert np.isfinite(judged.objective).all()


def test_a_class_without_a_label_has_no_objective_of_the_true_labels():
    scenario = Scenario.of("three_arcs", "svm")
    two = scenario.with_labels(
        scenario.labels.__class__("hand", hand=((0, 0), (1, 1), (2, 0)))
    )
    solved = RunServer().ask(two).outcome()
    missing = 2 not in solved.classes
    judged, truth = judging.judge([solved], judging.Protocol.of(two))
    assert missing
    assert truth is None
    assert len(judged) == 1


def test_the_best_of_a_column_is_marked_in_words():
    assert evidence.marked([0.2, 0.1, None], str) == ["0.2", "**0.1** (best)", "–"]
    assert evidence.marked([0.1, 0.1], str) == ["0.1", "0.1"]
    assert evidence.marked([0.1, 0.1, 0.3], str)[:2] == ["**0.1** (best)"] * 2


def test_the_table_has_a_row_for_every_method_also_for_one_that_failed(runs):
    failed = ComparedRun(THREE.alone(0), 9, "D", ValueError("It takes 80 points."))
    rows = [evidence.row_of(run, None) for run in (*runs, failed)]
    table = evidence.table(rows)
    assert list(table.index) == ["A", "B", "C", "D"]
    assert table.loc["D", "Why it stopped"] == "It takes 80 points."
    assert table.loc["D", "Unlabelled error"] == "–"
    assert table.loc["A", "Unlabelled error"] == "**0 %** (best)"


def row(name, error, objective):
    return Row(name, {"U": error}, objective)


def test_the_verdict_says_what_the_numbers_say():
    not_here = evidence.verdict([row("A", 0.5, 8.0), row("B", 0.1, 12.0)], 9.0)
    assert not_here.startswith("Not here: A has the lowest (8)")
    assert "objective itself is misleading" in not_here
    search = evidence.verdict([row("A", 0.5, 8.0), row("B", 0.1, 12.0)], 6.0)
    assert "a better search would have helped" in search
    both = evidence.verdict([row("A", 0.1, 8.0), row("B", 0.5, 12.0)], 9.0)
    assert both.startswith("Yes, here: A")
    assert "misleads" not in both
    here = evidence.verdict([row("A", 0.0, 6.0), row("B", 0.1, 12.0)], 6.0)
    assert here.startswith("Yes, here: A")
    assert "true labels" not in here
