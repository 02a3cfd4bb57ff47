"""Where a method does worse than the supervised SVM, the app says why."""

import numpy as np
import pytest

from halfmoon.pages._parts.pictures import worse
from halfmoon.pages._parts.pictures.unreached import without_label
from halfmoon.pages._parts.pictures.worse import svm_error, worse_than_svm
from halfmoon.pages._parts.running.judging import predicted
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.widgets import remarks
from halfmoon.scenario import DRAWN, Drawing, Labels, Scenario, default


@pytest.fixture(scope="module")
def server():
    return RunServer(1)


def said(server, scenario):
    return worse_than_svm(server.ask(scenario).outcome())


def moons(algorithm, n=100, **parameters):
    scenario = default().with_data_knob("n", n).with_algorithm(algorithm)
    return scenario.with_parameters(parameters)


def test_the_svm_is_not_compared_with_itself(server):
    assert said(server, moons("svm")) == ""


def test_a_method_that_does_better_needs_no_words(server):
    assert said(server, default()) == ""


def test_a_local_minimum_is_told_by_the_objective_of_the_true_labels(server):
    text = said(server, moons("da_kernel", 200))
    assert "17.7 % wrong against 47.5 % here, 59 points fewer." in text
    assert "It ended in a local minimum: an SVM retrained on its labels has" in text


def test_where_the_reason_takes_too_long_it_says_so(server, monkeypatch):
    """Digits have 1,797 points: the sentence ended without a reason."""
    monkeypatch.setattr(worse, "MAX_RETRAINED", 150)
    text = worse._sentence(server.ask(moons("da_kernel", 200)).outcome())
    assert "The supervised SVM does better" in text
    assert text.endswith("is computed for up to 150 points, these are 200.")


def test_a_graph_across_the_gap_is_told_by_its_edges(server):
    scenario = moons("lapsvm_newton", n_neighbors=40, gamma_I=10.0)
    text = said(server, scenario)
    assert "edges of its graph (" in text
    assert "join different classes" in text


def test_points_that_no_label_reaches_are_told(server):
    """The part of an arc without a colour was nowhere explained."""
    for name in ("label_propagation", "label_spreading", "harmonic", "poisson"):
        solved = server.ask(Scenario.of("three_arcs", name)).outcome()
        outputs = solved.trace.final.f
        n = int((outputs == 0).all(axis=1).sum())
        assert n > 0
        text = without_label(solved)
        assert text.startswith(f"{n} points are in parts of the graph without a label")
        assert "they count as left arc" in text
        assert (predicted(solved, outputs[(outputs == 0).all(axis=1)]) == 0).all()
    assert without_label(server.ask(moons("harmonic", 200)).outcome()) == ""
    assert without_label(server.ask(moons("lapsvm_pcg")).outcome()) == ""


def test_a_baseline_on_the_graph_is_told_by_its_edges(server):
    text = said(server, Scenario.of("g50c", "harmonic"))
    assert "edges of its graph (" in text
    assert text.endswith("join different classes, and labels spread across them.")


def test_self_training_is_told_by_the_labels_it_guessed_wrong(server):
    solved = server.ask(Scenario.of("two_moons_noise", "self_training")).outcome()
    text = worse_than_svm(solved)
    taught, truth = solved.trace.final.taught, solved.truth
    wrong = []
    for t in range(1, taught.max() + 1):
        labels = np.sign(solved.trace.states[t - 1].f)
        wrong += [t] * int(((taught == t) & (labels != truth)).sum())
    assert f"{len(wrong)} of the {(taught > 0).sum()} labels that it guessed" in text
    assert f"the first of them in round {wrong[0]}, and" in text


def test_a_straight_boundary_is_told_by_the_best_one(server):
    scenario = Scenario.of("two_circles", "tsvm").with_data_knob("n", 80)
    text = said(server, scenario)
    assert "a linear SVM trained on every label still has" in text


def test_two_supervised_machines_differ_in_their_settings(server):
    scenario = Scenario.of("g50c", "l2svm_mfn").with_data_knob("dim", 5)
    scenario = scenario.with_parameter("lam", 1e-6)
    assert said(server, scenario).endswith(worse.LABELS_ONLY)


def test_where_the_classes_are_unknown_nothing_is_said(server):
    places = [(0.0, 0.0), (1.0, 1.0), (0.1, 0.0), (0.9, 1.0)]
    added = tuple((x, y, -1) for x, y in places)
    scenario = default().with_data(DRAWN).with_drawing(Drawing(added=added))
    scenario = scenario.with_labels(Labels("hand", hand=((0, 0), (1, 1))))
    solved = server.ask(scenario).outcome()
    assert svm_error(solved) is None
    assert worse_than_svm(solved) == ""


def test_an_expensive_svm_is_not_trained(server, monkeypatch):
    solved = server.ask(moons("cccp")).outcome()
    monkeypatch.setattr(worse, "MAX_ENTRIES", 100)
    assert svm_error(solved) is None


def test_the_sentence_is_computed_once_per_run(server, monkeypatch):
    solved = server.ask(moons("da_kernel", 120)).outcome()
    first = worse_than_svm(solved)
    monkeypatch.setattr(worse, "_sentence", None)
    assert worse_than_svm(solved) == first


def test_points_without_a_label_are_told_below_the_stage(server, monkeypatch):
    told = []
    monkeypatch.setattr(remarks.st, "info", lambda text, **look: told.append(text))
    solved = server.ask(Scenario.of("three_arcs", "harmonic")).outcome()
    remarks.show_notes(solved.problem, solved)
    assert without_label(solved) in told
