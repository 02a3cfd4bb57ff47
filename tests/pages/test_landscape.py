"""From solved runs to a slice of the landscape: what the picture says is so."""

from dataclasses import replace

import numpy as np
import pytest

from halfmoon.pages._parts.landscape.drawn import packed, slice_caption
from halfmoon.pages._parts.landscape.routes import (
    GRID,
    GUESSED,
    SUPERVISED,
    TRUE,
    LandscapeRun,
    slice_of,
)
from halfmoon.pages._parts.running.judging import Protocol, judge
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.scenario import Scenario, default
from halfmoon.scenario.refusals import RefusedError
from ssl_core.kernels import gram
from ssl_core.landscape import Landscape
from ssl_core.numerals import number
from ssl_core.viz.comparison import Route, objective_against_error
from tests.two_basins import METHODS, side_by_side, solve

PROTOCOL = Protocol.of(side_by_side())


@pytest.fixture(scope="module")
def server():
    return RunServer(1)


@pytest.fixture(scope="module")
def entry(server):
    kept = {}

    def entry_of(name):
        if name not in kept:
            title = METHODS.get(name, name)
            kept[name] = LandscapeRun(
                title, len(kept), f"stage_{name}", solve(server, name)
            )
        return kept[name]

    return entry_of


@pytest.fixture(scope="module")
def three(entry):
    return [entry(name) for name in METHODS]


@pytest.fixture(scope="module")
def found(three):
    return slice_of(three, PROTOCOL)


def objective_of(solved):
    K = gram(solved.problem.X, kernel="rbf", sigma=0.3)
    return Landscape(K, solved.trace.y, C=10.0, C_u=1.0)


def test_switching_and_cccp_end_in_a_worse_basin_than_the_continuation(found):
    value = {s.name: s.objective for s in found.solutions}
    assert value["S3VM-light"] == pytest.approx(10.22, abs=0.01)
    assert value["CCCP"] > 9
    assert value["cS3VM"] == value[TRUE] == pytest.approx(6.147, abs=0.001)
    assert found.corners == tuple(METHODS.values())
    place = {s.name: np.array([s.s, s.t]) for s in found.solutions}
    apart = np.linalg.norm(place["S3VM-light"] - place["CCCP"])
    across = np.linalg.norm(place["S3VM-light"] - place["cS3VM"])
    assert apart < 0.2 * across  # the two bad ends lie side by side, the good one far
    # And it is seen: on the way from one to the other the picture has a ridge.
    s0, s1, t0, t1 = found.extent
    way = place["S3VM-light"] + np.linspace(0, 1, 50)[:, None] * (
        place["cS3VM"] - place["S3VM-light"]
    )
    column = np.rint((way[:, 0] - s0) / (s1 - s0) * (GRID[0] - 1)).astype(int)
    row = np.rint((way[:, 1] - t0) / (t1 - t0) * (GRID[1] - 1)).astype(int)
    assert found.values[row, column].max() > 2 * value["S3VM-light"]


def test_states_of_the_same_kernel_are_shown_as_they_are(found, three):
    for route, entry in zip(found.routes, three, strict=True):
        trace = entry.solved.trace
        assert not route.retrained
        landscape = objective_of(entry.solved)
        for k in (0, len(route.t) // 2, -1):
            (state,) = (s for s in trace.states if s.t == route.t[k])
            machine = landscape.machine(state.alpha, state.b)
            assert route.objective[k] == pytest.approx(machine.objective)
            np.testing.assert_allclose(machine.f, state.f, atol=1e-6)
        assert route.t[0] == 0
        assert route.t[-1] == trace.final.t
        assert route.end[2] == pytest.approx(0, abs=1e-9)  # corners of the plane
    light = found.routes[0]
    np.testing.assert_allclose(light.places[-1], light.end, atol=1e-6)
    assert light.places[:, 2].max() > 0.3  # on its way it leaves the plane, and says so


def test_other_families_are_retrained_on_their_labels_and_that_is_said(entry):
    entries = [entry("s3vm_light"), entry("cs3vm"), entry("lapsvm_pcg")]
    found = slice_of(entries, PROTOCOL)
    route = found.routes[2]
    assert route.retrained
    assert "lapsvm_pcg: another kernel or another objective" in slice_caption(found)
    trace = entries[2].solved.trace
    landscape = objective_of(entries[2].solved)
    for k, t in enumerate(route.t):
        labels = trace.labels[t]
        assert route.objective[k] == pytest.approx(landscape.trained(labels).objective)


def test_the_caption_is_honest_about_the_slice(found):
    text = slice_caption(found)
    assert "100 dimensions" in text
    assert "minimum of the slice" in text
    assert PROTOCOL.words in text


def test_one_run_alone_is_seen_beside_the_supervised_machine_and_the_truth(entry):
    found = slice_of([entry("s3vm_light")], PROTOCOL)
    assert set(found.corners) == {"S3VM-light", SUPERVISED, TRUE}


def test_the_reader_says_which_three(three):
    found = slice_of(three, PROTOCOL, through=("cS3VM", SUPERVISED, "CCCP"))
    assert set(found.corners) == {"cS3VM", SUPERVISED, "CCCP"}
    light = next(s for s in found.solutions if s.name == "S3VM-light")
    assert not light.corner
    assert light.height > 0


def test_solutions_that_are_alike_are_counted_once(entry):
    found = slice_of(
        [entry("cs3vm"), entry("nabla_da")], PROTOCOL
    )  # both find the truth
    assert set(found.corners) == {"cS3VM", SUPERVISED, GUESSED}


def test_what_cannot_be_drawn_is_told_in_a_sentence(server):
    with pytest.raises(ValueError, match="a run that has ended"):
        slice_of([], PROTOCOL)
    arcs = server.ask(default().with_data("three_arcs").with_algorithm("svm")).outcome()
    with pytest.raises(ValueError, match="two classes"):
        slice_of([LandscapeRun("SVM", 0, "x", arcs)], PROTOCOL)
    many = default().with_data_knob("n", 600).with_algorithm("svm")
    with pytest.raises(
        RefusedError, match="up to 500 training points, these are 600"
    ) as told:
        slice_of([LandscapeRun("SVM", 0, "x", server.ask(many).outcome())], PROTOCOL)
    (way,) = told.value.ways
    assert way.title == "Use 500 points"
    blobs = server.ask(default().with_data("blobs").with_algorithm("svm")).outcome()
    with pytest.raises(RefusedError, match="two classes") as told:
        slice_of([LandscapeRun("SVM", 0, "x", blobs)], PROTOCOL)
    (way,) = told.value.ways
    assert way.take(blobs.scenario, 0).knobs["n_classes"] == 2


def test_what_is_sent_is_small_and_finite(found):
    block = packed(found)
    assert len(block["values"]) == GRID[0] * GRID[1]
    assert np.isfinite(block["values"]).all()
    assert len(repr(block)) < 60_000


def test_the_retrained_objective_is_that_of_the_table(server):
    """The landscape said 10.5 under "retrained" where the table says 11.2: the S3VM
    objective of the same SVM, in which a point may lie on either side."""
    scenario = Scenario.of("two_moons", "svm", "s3vm_light")
    protocol = Protocol.of(scenario)
    entries = [
        LandscapeRun(name, place, "x", server.ask(scenario.alone(place)).outcome())
        for place, name in enumerate(("SVM", "S3VM-light"))
    ]
    judged, truth = judge([entry.solved for entry in entries], protocol)
    told = {s.name: s for s in slice_of(entries, protocol).solutions}
    for entry, one in zip(entries, judged, strict=True):
        found = told[entry.name]
        assert found.retrained == pytest.approx(one.objective[-1], rel=1e-9)
    assert told[TRUE].retrained == pytest.approx(truth, rel=1e-9)
    light = told["S3VM-light"]
    assert (number(light.retrained), number(light.objective)) == ("11.2", "10.5")


def test_a_method_looks_the_same_in_the_landscape_and_among_the_errors(entry):
    """Also where another method has no route: the place on the page decides."""
    names = ("s3vm_light", "cs3vm")
    entries = [
        replace(entry(name), place=place)
        for name, place in zip(names, (1, 3), strict=True)
    ]
    drawn = packed(slice_of(entries, PROTOCOL))["routes"]
    ends = np.array([5.0]), np.array([0.1])
    chart = objective_against_error([Route(e.name, e.place, *ends) for e in entries])
    marks = [m for m in chart.marks if m.words]
    assert [r["mark"] for r in drawn] == [m.symbol for m in marks]
    assert [r["role"] for r in drawn] == [m.role for m in marks]
