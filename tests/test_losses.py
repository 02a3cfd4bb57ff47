"""Losses: values by hand, slopes and curvatures by finite differences."""

import numpy as np
import pytest

from ssl_core.losses import (
    Annealed,
    Bell,
    Flat,
    Hat,
    Hinge,
    SmoothedBell,
    SmoothedSquaredHinge,
    Squared,
    SquaredHinge,
    Tangent,
)

LOSSES = [Hinge(), SquaredHinge(), Squared()]
UNLABELED = {
    "hat": Hat(),
    "plain hat": Hat(p=1),
    "bell": Bell(),
    "narrow bell": Bell(20.0),
    "flat": Flat(),
    "smoothed bell": SmoothedBell(0.3),
    "hot": Annealed(5.0),
    "cold": Annealed(0.05),
}
MARGIN = {
    "tangent": Tangent(),
    "plain tangent": Tangent(p=1),
    "smoothed squared hinge": SmoothedSquaredHinge(0.4),
    "hot, unbalanced": Annealed(2.0, nu=0.7),
}
unlabeled = pytest.mark.parametrize("loss", UNLABELED.values(), ids=UNLABELED)
smooth = pytest.mark.parametrize(
    "loss", [*UNLABELED.values(), *MARGIN.values()], ids=[*UNLABELED, *MARGIN]
)
OUTPUTS = np.array([-2.3, -1.2, -0.96, -0.7, -0.52, -0.3, 0.1, 0.45, 0.55, 0.94, 1.7])
AWAY_FROM_KINK = np.array([-3.0, -1.0, 0.0, 0.5, 0.9, 1.1, 2.0, 5.0])
losses = pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (Hinge(), [3, 1, 0.5, 0, 0]),
        (SquaredHinge(), [9, 1, 0.25, 0, 0]),
        (Squared(), [9, 1, 0.25, 0, 1]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_values(loss, expected):
    np.testing.assert_allclose(loss.value(np.array([-2, 0, 0.5, 1, 2.0])), expected)


@losses
def test_slope_is_the_derivative_of_the_value(loss):
    m, h = AWAY_FROM_KINK, 1e-6
    difference = (loss.value(m + h) - loss.value(m - h)) / (2 * h)
    np.testing.assert_allclose(loss.slope(m), difference, atol=1e-8)


@losses
def test_curvature_is_the_derivative_of_the_slope(loss):
    m, h = AWAY_FROM_KINK, 1e-6
    difference = (loss.slope(m + h) - loss.slope(m - h)) / (2 * h)
    np.testing.assert_allclose(loss.curvature(m), difference, atol=1e-8)


@pytest.mark.parametrize("loss", [Hinge(), SquaredHinge()], ids=lambda loss: loss.name)
def test_at_the_margin_there_is_no_curvature_and_no_error(loss):
    """[MB11] 3.1: the subdifferential in the break point is set to 0."""
    one = np.array([1.0])
    assert loss.curvature(one) == 0
    assert not loss.active(one)
    assert loss.active(np.nextafter(one, 0))


def test_every_point_is_active_under_the_squared_loss():
    assert Squared().active(AWAY_FROM_KINK).all()


@losses
def test_shape_is_kept(loss):
    m = np.linspace(-2, 2, 12).reshape(4, 3)
    for function in (loss.value, loss.slope, loss.curvature, loss.active):
        assert function(m).shape == (4, 3)


def test_squared_loss_is_that_of_the_output():
    y, f = np.array([1, -1, -1.0]), np.array([0.3, 0.4, -2])
    np.testing.assert_allclose(Squared().value(y * f), (y - f) ** 2)


# Unlabelled points.


@smooth
def test_derivatives_of_the_review_s_losses_are_those_of_their_values(loss):
    h = 1e-6
    for function, derivative in (
        (loss.value, loss.slope),
        (loss.slope, loss.curvature),
    ):
        difference = (function(OUTPUTS + h) - function(OUTPUTS - h)) / (2 * h)
        np.testing.assert_allclose(derivative(OUTPUTS), difference, atol=2e-6)


@unlabeled
def test_a_loss_of_unlabelled_points_takes_no_side(loss):
    np.testing.assert_allclose(loss.value(-OUTPUTS), loss.value(OUTPUTS), atol=1e-14)
    np.testing.assert_allclose(loss.slope(-OUTPUTS), -loss.slope(OUTPUTS), atol=1e-14)


def test_the_hat_is_the_squared_hinge_with_the_better_label():
    better = np.minimum(SquaredHinge().value(OUTPUTS), SquaredHinge().value(-OUTPUTS))
    np.testing.assert_allclose(Hat().value(OUTPUTS), better)


def test_the_flat_loss_has_the_review_s_figure():
    """[CSK08] Figure 7: 1 in the middle, 0 outside, bends only at 0.5 and 1."""
    o = np.array([0.0, 0.5, 0.55, 0.75, 0.95, 1.0, 3.0])
    np.testing.assert_allclose(
        Flat().value(o), [1, 1, 0.96875, 0.5, 0.03125, 0, 0], atol=1e-12
    )
    bent = np.abs(np.linspace(-1.5, 1.5, 3001))
    curved = Flat().curvature(bent) != 0
    assert set(np.round(bent[curved], 3)) <= set(
        np.round([*np.linspace(0.5, 0.6, 101), *np.linspace(0.9, 1.0, 101)], 3)
    )


@pytest.mark.parametrize("p", [1, 2])
def test_the_tangent_lies_above_the_hat_and_touches_it_on_its_side(p):
    o = np.linspace(-3, 3, 601)
    hat = np.maximum(0, 1 - np.abs(o)) ** p
    assert (Tangent(p).value(o) >= hat - 1e-12).all()
    np.testing.assert_allclose(Tangent(p).value(o)[o >= 0], hat[o >= 0], atol=1e-12)
    convex = np.diff(Tangent(p).value(o), 2)
    assert (convex >= -1e-12).all()


def test_the_tangent_is_the_paper_s():
    m = np.array([-3.0, -1.0, -0.5, 0.5, 2.0])
    np.testing.assert_allclose(Tangent().value(m), [12, 4, 2.25, 0.25, 0])


def through_a_gaussian(function, o, variance):
    """E function(o + e), e Gaussian, by the trapezoidal rule."""
    e = np.linspace(-10, 10, 40_001)
    density = np.exp(-(e**2) / 2) / np.sqrt(2 * np.pi) * (e[1] - e[0])
    return function(o[:, None] + np.sqrt(variance) * e) @ density


@pytest.mark.parametrize("variance", [0.01, 0.3, 4.0])
def test_smoothed_losses_are_the_losses_seen_through_a_gaussian(variance):
    for loss, smoothed in (
        (Bell(), SmoothedBell(variance)),
        (SquaredHinge(), SmoothedSquaredHinge(variance)),
    ):
        exact = through_a_gaussian(loss.value, OUTPUTS, variance)
        # The rule's own error, of the second order in its step.
        np.testing.assert_allclose(smoothed.value(OUTPUTS), exact, rtol=1e-6, atol=1e-7)


def test_annealing_ends_at_the_hat_and_its_slope_is_that_of_the_best_p():
    cold = Annealed(1e-4)
    np.testing.assert_allclose(cold.value(OUTPUTS), Hat().value(OUTPUTS), atol=1e-3)
    loss, p = Annealed(0.5, nu=0.2), Annealed(0.5, nu=0.2).probability(OUTPUTS)
    entropy = -p * np.log(p) - (1 - p) * np.log1p(-p)
    hinge = SquaredHinge()
    value = p * hinge.value(OUTPUTS) + (1 - p) * hinge.value(-OUTPUTS)
    value += 0.2 * (0.5 - p)
    np.testing.assert_allclose(loss.value(OUTPUTS), value - 0.5 * entropy)
