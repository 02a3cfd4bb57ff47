"""What the stage is given of a run: numbers that agree, and all there is to know."""

import numpy as np
import pytest

from halfmoon import stage
from halfmoon.pages._parts.pictures import stage_views
from halfmoon.pages._parts.playground.presets import PRESETS
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import default
from ssl_core.viz.words import number

LABEL_BYTES = 110_000  # what the stage may send for two moons; 370 kB undeflated


def solve(scenario):
    server = RunServer()
    job = server.ask(scenario)
    assert job.wait(60)
    solved = job.outcome()
    return solved, stage_views.run_view(solved, scenario, server.picture(scenario))


@pytest.fixture(scope="module")
def annealed():
    return solve(default().with_algorithm("da"))


def test_annealings_probabilities_reach_the_stage_and_labels_are_certain(annealed):
    solved, view = annealed
    problem = solved.problem
    assert view.p_per_frame.shape == (view.n_frames, view.n_points)
    given = problem.given
    for p, t in zip(view.p_per_frame, view.frame_t, strict=True):
        state = solved.trace.states[t]
        np.testing.assert_array_equal(p[given < 0], state.p)
        np.testing.assert_array_equal(p[given >= 0], given[given >= 0])


@pytest.mark.parametrize("algorithm", ["tsvm", "lapsvm_pcg"])
def test_machines_without_probabilities_send_none(algorithm):
    _, view = solve(default().with_algorithm(algorithm))
    assert view.p_per_frame is None


@pytest.mark.parametrize(
    ("algorithm", "margins"), [("harmonic", False), ("self_training", True)]
)
def test_outputs_of_a_graph_alone_have_no_margins(algorithm, margins):
    _, view = solve(default().with_algorithm(algorithm))
    assert view.margins is margins
    assert view.field.shape[0] == view.n_frames > 2


def test_three_classes_have_no_single_probability_to_show():
    _, view = solve(default().with_data("three_arcs").with_algorithm("da"))
    assert view.p_per_frame is None


def series(view):
    curves = [panel for panel in view.panels if isinstance(panel, stage.Curves)]
    return {line.name: line.values for panel in curves for line in panel.series}


def tiles(view):
    return {tile.label: tile.values for tile in view.tiles}


def test_every_number_called_objective_at_t_is_the_same_number(annealed):
    _, view = annealed
    told = series(view)
    assert tiles(view)["objective at T"] == tuple(map(number, told["objective at T"]))
    last = number(told["objective at T = 0"][-1])
    assert f"trained to convergence, to {last}, and returned" in view.captions[-1]


def test_a_relative_objective_is_not_called_by_the_tiles_name():
    _, view = solve(default())
    told = series(view)
    assert "objective" in tiles(view)
    assert "objective" not in told
    assert told["objective / start"][0] == 1


def test_the_curve_of_temperatures_ends_at_the_last_one(annealed):
    _, view = annealed
    assert np.all(np.diff(series(view)["T"]) <= 0)
    assert view.captions[-1].startswith("Final training, of the best")


def test_wine_has_one_error_rate_in_one_form():
    _, view = solve(PRESETS["wine"].scenario)
    rates = series(view)["unlabelled"]
    assert rates[-1] == 0.125
    assert tiles(view)["unlabelled error"][-1] == "12.5 %"


def test_a_label_on_two_moons_costs_the_stage_less_than_110_kb():
    _, view = solve(default())
    assert len(stage.payload(view)) < LABEL_BYTES
