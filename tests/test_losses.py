"""Losses: values by hand, slopes and curvatures by finite differences."""

import numpy as np
import pytest

from ssl_core.losses import Hinge, Squared, SquaredHinge

LOSSES = [Hinge(), SquaredHinge(), Squared()]
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
