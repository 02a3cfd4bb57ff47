"""The loss lens: what is drawn is the unlabelled part of what is minimised."""

from functools import cache

import numpy as np
import pytest

from ssl_core import ALGORITHMS, make
from ssl_core.losses import Annealed, Hat, SquaredHinge
from ssl_core.quantities import LENS, with_role
from tests.small_problems import BY_NAME, MULTICLASS

BINARY = BY_NAME["two_moons"]
SQUARED = SquaredHinge()
# With the squared hinge unless said; every S3VM of the catalogue has its own line.
METHODS = {
    "tsvm": {"lam": 1e-2},
    "tsvm, any ratio": {"lam": 1e-2, "r": 0.3},
    "da": {"lam": 1e-2},
    "da, any ratio": {"lam": 1e-2, "lam_u": 0.4, "r": 0.3},
    "da, fixed temperature": {"lam": 1e-2, "anneal": False, "T": 0.1},
    "s3vm_light": {},
    "da_kernel": {"r": 0.4},
    "nabla_da": {},
    "nabla_da, any ratio": {"r": 0.35, "C_u": 0.3},
    "cccp": {},
    "cccp, plain": {"loss": "hinge"},
    "nabla_s3vm": {},
    "nabla_s3vm, narrow": {"narrowness": 12.0},
    "cs3vm": {},
    "newton_s3vm": {},
    "newton_s3vm, quadratic": {"loss": "quadratic"},
    "branch_and_bound": {"max_nodes": 50},
    "convex_relaxation": {"max_iter": 3},
    "lapsvm_s3vm": {},
    "lapsvm_s3vm, continuation": {"method": "cs3vm"},
    "s3vm_path": {"C": 2.0},
}
PLAIN = ("cccp, plain", "s3vm_path")
# Kernels are factored, and alphas solved for, up to about the root of the rounding.
RELATIVE = 1e-6


def id_of(case):
    return case.split(",")[0]


@cache
def states_of(case):
    X, y = BINARY.X, BINARY.y
    settings = dict(METHODS[case])
    entry = ALGORITHMS[id_of(case)]
    if entry.inputs == "kernel":
        settings |= {"sigma": 0.5}
    if "n_neighbors" in make(entry.id).get_params():
        settings |= {"n_neighbors": 6}
    trace = make(entry.id, **settings).trace(X, y)
    few = np.linspace(0, len(trace) - 1, 7).round().astype(int)
    return [trace.states[i] for i in np.unique(few)], trace.y, entry, settings


def labelled_part(state, y, entry, settings, plain):
    """Norm and labelled losses of a state, from its function and its parameters."""
    L = y != 0
    loss = np.maximum(0, 1 - y[L] * state.f[L]) ** (1 if plain else 2)
    params = make(entry.id, **settings).get_params()
    if entry.inputs == "linear":
        norm = params["lam"] / 2 * (state.w @ state.w + state.b**2)
        return norm + loss.sum() / (2 * L.sum())
    norm = state.alpha @ (state.f - state.b) / 2
    if entry.id == "lapsvm_s3vm":  # the graph's kernel has another norm
        hat = params["C_u"] * Hat().value(state.f[~L]).sum()
        norm = state.transductive_objective - params["C"] * loss.sum() - hat
    return norm + params["C"] * loss.sum()


@pytest.mark.parametrize("case", METHODS)
def test_the_lens_is_the_unlabelled_part_of_the_objective(case):
    states, y, entry, settings = states_of(case)
    assert len(states) >= 2
    for state in states:
        total = state.lens.total(state.f[y == 0])
        rest = labelled_part(state, y, entry, settings, case in PLAIN)
        scale = abs(rest) + abs(total)
        assert total == pytest.approx(state.objective - rest, abs=RELATIVE * scale)


def test_every_s3vm_of_the_catalogue_has_a_lens():
    assert {id_of(case) for case in METHODS} == {
        name
        for name, entry in ALGORITHMS.items()
        if entry.family.id == "s3vm" or name in ("tsvm", "da")
    }


@pytest.mark.parametrize("case", METHODS)
def test_points_stand_on_the_curve_or_above_it(case):
    """On it, where all points have the same loss; above it with the worse label."""
    states, y, *_ = states_of(case)
    for state in states:
        lens, f = state.lens, state.f[y == 0]
        heights, curve = lens.heights(f), lens.curve(f)
        if lens.labels is None and not lens.differs:
            np.testing.assert_allclose(heights, curve, atol=1e-12)
        elif lens.labels is not None:
            wrong = lens.labels * f < 0
            assert (heights[wrong] > curve[wrong]).all()
            np.testing.assert_allclose(heights[~wrong], curve[~wrong])


def test_the_loss_of_annealing_deforms_from_a_bowl_to_a_hill():
    states, *_ = states_of("da")
    o = np.array([0.0, 1.0])
    hot, cold = states[0].lens.curve(o), states[-1].lens.curve(o)
    assert hot[0] < hot[1]
    assert cold[0] > cold[1]
    np.testing.assert_allclose(cold, Hat().value(o), atol=5e-3)


def test_a_hot_loss_is_the_mean_over_both_labels_whatever_the_ratio():
    o = np.linspace(-2, 2, 9)
    for r in (0.5, 0.2):
        T = 1e6
        nu = T * np.log(r / (1 - r))
        loss = Annealed(T, nu, r)
        mean = r * SQUARED.value(o) + (1 - r) * SQUARED.value(-o)
        np.testing.assert_allclose(loss.value(o) - loss.level, mean, atol=1e-4)


def test_continuation_has_a_curve_for_every_point_until_it_is_sharp():
    states, y, *_ = states_of("cs3vm")
    assert states[0].lens.differs
    assert not states[-1].lens.differs
    u = (y == 0).sum()
    assert states[0].lens.loss.variance.shape == (u,)
    bell = states[0].lens.curve(np.array([0.0]))
    assert bell < states[-1].lens.curve(np.array([0.0])) == 1.0


def test_thin_states_have_no_lens_and_several_classes_have_several():
    trace = make("da").trace(BINARY.X, BINARY.y, record_states="metrics")
    assert trace.states[1].lens is None
    assert trace.final.lens is not None
    state = next(make("da").iterate(MULTICLASS.X, MULTICLASS.y))
    assert [type(lens).__name__ for lens in state.lens] == ["Lens"] * 3


def test_states_declare_their_lens_by_its_role():
    state = next(make("cccp", sigma=0.5).iterate(BINARY.X, BINARY.y))
    assert with_role(type(state), LENS) == ("lens",)
    plain = next(make("l2svm_mfn").iterate(BINARY.X, BINARY.y))
    assert with_role(type(plain), LENS) == ()
