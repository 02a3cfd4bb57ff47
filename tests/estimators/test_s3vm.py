"""What only kernel S3VMs refuse or tell: ratios, ranks, methods within methods."""

import numpy as np
import pytest

from ssl_core import ALGORITHMS, Status, make
from ssl_core.solvers import cccp
from tests.small_problems import BY_NAME, MULTICLASS

S3VMS = [n for n in ALGORITHMS if "rank" in make(n).get_params()]
every = pytest.mark.parametrize("name", S3VMS)
BINARY = BY_NAME["two_moons"]


@every
@pytest.mark.parametrize(
    ("r", "words"),
    [
        (1e-4, "r must leave a point on either side, got r=0.0001"),
        (0.99999, "r must leave a point on either side"),
        (1.5, "above 0 and below 1"),
        (np.array([0.3, 0.7]), "r must be one number"),
    ],
)
def test_a_ratio_that_cannot_be_met_is_refused(name, r, words):
    with pytest.raises(ValueError, match=words):
        make(name, r=r).iterate(BINARY.X, BINARY.y)


@every
@pytest.mark.parametrize("r", [0.5, np.array([0.5, 0.2, 0.1])])
def test_ratios_of_several_classes_add_up_to_1(name, r):
    with pytest.raises(ValueError, match="r must add up to 1 over the 3 classes"):
        make(name, r=r).iterate(MULTICLASS.X, MULTICLASS.y)


def test_a_low_rank_is_told_with_its_error():
    first = next(make("cccp", sigma=0.5, rank=3).iterate(BINARY.X, BINARY.y))
    (event,) = (e for e in first.events if e.kind == "rank")
    assert event.data["rank"] == 3
    assert 0 < event.data["error"] < 1
    assert f"{event.data['error']:.2g} of its trace" in event.text


@every
def test_a_low_rank_machine_is_what_its_states_say(name):
    """K of all equations and the function returned are those of the features."""
    est = make(name, sigma=0.5, rank=4, max_iter=6)
    *_, last = est.iterate(BINARY.X, BINARY.y)
    np.testing.assert_allclose(est.decision_function(BINARY.X), last.f, atol=1e-7)


def test_options_of_a_method_within_are_its_own():
    est = make("lapsvm_s3vm", options={"S": None, "rate": 2.0})
    assert est._inner().get_params()["rate"] == 2.0
    for options, words in (
        ({"C": 3.0}, "options must hold parameters that s3vm_light has of its own"),
        ({"speed": 1}, "got 'speed'"),
        ("fast", "options must be a dict"),
        ({"rate": 0.5}, "rate must be a number > 1"),
    ):
        with pytest.raises(ValueError, match=words):
            make("lapsvm_s3vm", options=options).iterate(BINARY.X, BINARY.y)


def test_too_many_points_for_a_relaxation_are_refused_in_a_sentence():
    within = {"method": "convex_relaxation", "options": {"max_unlabeled": 10}}
    for est in (
        make("convex_relaxation", max_unlabeled=10),
        make("lapsvm_s3vm", **within),
    ):
        with pytest.raises(ValueError, match="up to max_unlabeled=10 unlabelled"):
            est.iterate(BINARY.X, BINARY.y)


@pytest.mark.parametrize("method", ["branch_and_bound", "nabla_s3vm", "da_kernel"])
def test_any_method_works_in_the_graphs_kernel(method):
    est = make("lapsvm_s3vm", method=method, sigma=0.35, n_neighbors=6)
    *_, last = est.iterate(BINARY.X, BINARY.y)
    np.testing.assert_allclose(est.decision_function(BINARY.X), last.f, atol=1e-7)
    assert (est.predict(BINARY.X) == BINARY.truth).mean() > 0.95


def test_a_training_that_ran_out_of_steps_is_not_called_finished(monkeypatch):
    def ended(est):
        *_, last = est.iterate(BINARY.X, BINARY.y)
        return last.status

    est = make("cccp", loss="hinge", sigma=0.5)
    assert ended(est) is Status.FINISHED
    monkeypatch.setattr(cccp, "MAX_COORDINATES", 3)
    assert ended(est) is Status.STALLED
