"""The loss lens of a run: the panel is what the states say, for every S3VM."""

from functools import cache

import numpy as np
import pytest

from halfmoon import stage
from halfmoon.views.lens import lens_panels, outputs_shown
from ssl_core import ALGORITHMS, make
from tests.small_problems import BY_NAME, MULTICLASS

BINARY = BY_NAME["two_moons"]
S3VMS = [
    name
    for name, entry in ALGORITHMS.items()
    if entry.family.id == "s3vm" or name in ("tsvm", "da")
]


@cache
def traced(name, several=False):
    problem = MULTICLASS if several else BINARY
    settings = {"max_iter": 3} if name == "convex_relaxation" else {}
    if "n_neighbors" in make(name).get_params():
        settings["n_neighbors"] = 6
    return make(name, **settings).trace(problem.X, problem.y)


@pytest.mark.parametrize("name", S3VMS)
def test_every_s3vm_has_its_loss_drawn_as_its_states_have_it(name):
    trace = traced(name)
    (panel,) = lens_panels(trace, trace.states)
    for state, curve, note in zip(trace.states, panel.curves, panel.notes, strict=True):
        np.testing.assert_allclose(curve, state.lens.curve(panel.outputs))
        assert note
    hinge = trace.final.lens.labeled.value(panel.outputs)
    np.testing.assert_allclose(panel.labelled, hinge)
    free = trace.y == 0
    if panel.positive is not None:
        assert not panel.positive[:, ~free].any()
        np.testing.assert_array_equal(panel.positive[-1, free], trace.final.y_u > 0)
    if panel.heights is not None:
        first = trace.states[0]
        ours = first.lens.heights(first.f[free])
        np.testing.assert_allclose(panel.heights[0, free], ours)
    assert isinstance(panel, stage.Losses)


def test_only_continuation_needs_a_height_for_every_point():
    found = {n for n in S3VMS if lens_of(n).heights is not None}
    assert found == {"cs3vm"}


def lens_of(name):
    trace = traced(name)
    return lens_panels(trace, trace.states)[0]


@pytest.mark.parametrize("name", ["svm", "lapsvm_pcg", "l2svm_mfn"])
def test_methods_without_an_unlabelled_loss_have_no_lens(name):
    trace = traced(name)
    assert lens_panels(trace, trace.states) == ()


def test_several_classes_have_no_lens():
    trace = traced("tsvm", several=True)
    assert lens_panels(trace, trace.states) == ()


def test_other_moments_are_drawn_where_the_loss_deforms():
    assert len(lens_of("da").others) == 7
    assert lens_of("tsvm").others == ()  # only its weight changes, not its shape


def test_the_outputs_shown_hold_the_margins_and_most_points():
    o = outputs_shown(np.array([0.2, -1.9, 2.0]))
    assert {-1.0, 0.0, 1.0} <= set(np.round(o, 9))
    assert o[-1] == -o[0] >= 2.0
    assert outputs_shown(np.full(5, 80.0))[-1] == pytest.approx(3.0)
    assert outputs_shown(np.array([]))[-1] == pytest.approx(1.6)
