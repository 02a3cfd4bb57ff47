"""A run that is refused offers what one click can do about it."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.datasets import DATASETS
from halfmoon.pages._parts.running.budget import check_size, known_size, size_of
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.shell import navigation
from halfmoon.scenario import Labels, Scenario, default, learning_problem
from halfmoon.scenario.learning_problem import check_posed, pose, read_data
from halfmoon.scenario.refusals import RefusedError
from ssl_core import ALGORITHMS
from tests.pages.finding import APP, played

PLENTY = {"budget": 1e12, "trace_bytes": 1e8}
TOYS = [n for n, e in DATASETS.items() if e.kind == "toy" and not e.sparse]
(SMALL,) = (name for name, entry in ALGORITHMS.items() if entry.max_n == 80)


def refusal(scenario, **limits):
    with pytest.raises(RefusedError) as caught:
        accepted(scenario, **limits)
    return caught.value


def accepted(scenario, **limits):
    problem = pose(scenario, read_data(scenario))
    check_posed(problem, scenario)
    return check_size(scenario, size_of(problem), **(limits or PLENTY))


@pytest.mark.parametrize("held", [0, 30])
@pytest.mark.parametrize("data", TOYS)
def test_the_offered_number_of_points_is_taken(data, held):
    scenario = Scenario.of(data, SMALL).with_data_knob("n", 200)
    refused = refusal(scenario.with_held_out(held, 0))
    fewer, other = refused.ways
    assert "up to 80 points" in str(refused)
    if not held and DATASETS[data].n_classes == 2:
        assert fewer.title == "Use 80 points"
    for way in (fewer, other):
        changed = way.take(scenario.with_held_out(held, 0), 0)
        problem = pose(changed, read_data(changed))
        assert check_size(changed, size_of(problem), **PLENTY) > 0


def test_the_other_algorithm_takes_the_place_of_the_refused_one_only():
    scenario = Scenario.of("two_moons", "svm", SMALL)
    *_, other = refusal(scenario.alone(1)).ways
    changed = other.take(scenario, 1)
    assert changed.methods[0] == scenario.methods[0]
    assert ALGORITHMS[changed.methods[1].algorithm].family.id == "s3vm"


def test_what_does_not_fit_into_memory_offers_points_and_precision_that_do():
    scenario = played("lapsvm_pcg").with_data_knob("n", 2000)
    need = accepted(scenario, budget=1e12, trace_bytes=1e6)
    tight = {"budget": 0.9 * need, "trace_bytes": 1e6}
    refused = refusal(scenario, **tight)
    titles = [way.title for way in refused.ways]
    assert "Use single precision" in titles
    for way in refused.ways:
        accepted(way.take(scenario, 0), **tight)


def test_one_class_only_offers_a_label_of_each():
    labels = Labels("hand", hand=((0, 0), (1, 0)))
    (way,) = refusal(default().with_labels(labels)).ways
    accepted(way.take(default().with_labels(labels), 0))


def test_a_rule_that_lacks_validation_points_offers_some():
    scenario = played("lapsvm_pcg").with_parameter("stop", "validation")
    (way,) = refusal(scenario).ways
    assert str(learning_problem.HELD_OUT) in way.title
    accepted(way.take(scenario, 0))


LARGE = [n for n, e in DATASETS.items() if e.kind == "benchmark" and e.n_points > 4000]


@pytest.mark.parametrize("data", LARGE)
def test_a_benchmark_is_refused_before_it_is_read(data, monkeypatch):
    def read(*_):
        raise AssertionError("the file was read")

    monkeypatch.setattr("halfmoon.pages._parts.running.run_server.read_data", read)
    server = RunServer(1)
    scenario = Scenario.of(data, "da_kernel")
    began = time.process_time()
    with pytest.raises(RefusedError) as caught:
        server.check(scenario)
    assert time.process_time() - began < 0.5
    assert f"{DATASETS[data].n_points:,}" in str(caught.value)
    job = server.ask(scenario)
    assert job.wait(5.0)
    assert isinstance(job.result, RefusedError)
    for way in caught.value.ways:
        server.check(way.take(scenario, 0))


def test_a_comparison_reads_what_one_of_its_methods_takes():
    scenario = Scenario.of("mnist", "da_kernel", "tsvm")
    RunServer(1).check(scenario)
    with pytest.raises(RefusedError):
        RunServer(1).check(Scenario.of("mnist", "da_kernel", "svm"))


def test_a_part_of_a_benchmark_is_not_judged_by_the_size_of_the_whole():
    assert known_size(Scenario.of("dna", "svm")).n == DATASETS["dna"].n_points
    for value in DATASETS["dna"].knobs["part"].choices:
        scenario = Scenario.of("dna", "svm").with_data_knob("part", value)
        if value != DATASETS["dna"].knobs["part"].default:
            assert known_size(scenario) is None


def opened(app, scenario):
    for name, text in scenario.to_url().items():
        app.query_params[name] = text
    app.run()


def ways(app):
    return [b for b in app.button if "way_out_" in str(b.key)]


def test_the_button_on_the_playground_leads_to_a_run():
    app = AppTest.from_file(APP, default_timeout=60)
    opened(app, Scenario.of("two_moons", SMALL))
    assert ways(app)[0].label == "Use 80 points"
    ways(app)[1].click().run()
    assert not app.exception
    assert not ways(app)


def test_a_refused_method_of_a_comparison_has_its_own_buttons():
    app = AppTest.from_file(APP, default_timeout=60)
    app.switch_page(str(navigation.PAGES / "compare.py"))
    scenario = Scenario.of("two_moons", "svm", SMALL)
    opened(app, scenario)
    first, other = ways(app)
    assert first.label == "Use 80 points"
    other.click().run()
    assert not app.exception
    assert not ways(app)
