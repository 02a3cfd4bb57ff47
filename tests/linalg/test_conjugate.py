"""The fused passes of a PCG iteration against their numpy twins."""

import numpy as np
import pytest

from ssl_core.linalg.conjugate import (
    Direction,
    Gradient,
    Measures,
    Point,
    move,
    polak_ribiere,
)


def arrays(seed, n=30, k=3):
    rng = np.random.default_rng(seed)
    return lambda *shape: np.asfortranarray(rng.standard_normal(shape or (n, k)))


def test_move_steps_live_machines_and_sums_their_objective():
    some = arrays(0)
    alpha, F, LF, d, Kd, LFd = (some() for _ in range(6))
    b, d_b, step = some(3), some(3), some(3)
    live, sums = np.array([True, False, True]), np.zeros((3, 3))
    s = np.where(live, step, 0.0)
    expected = alpha + s * d, F + s * (Kd + d_b), LF + s * LFd, b + s * d_b
    point, direction = Point(alpha, b, F, LF), Direction(d, d_b, Kd, LFd)
    move(live, step, point, direction, sums)
    for ours, twin in zip((alpha, F, LF, b), expected, strict=True):
        np.testing.assert_allclose(ours, twin)
    twins = (alpha * F).sum(0), alpha.sum(0), (F * LF).sum(0)
    np.testing.assert_allclose(sums[:, live], np.array(twins)[:, live])
    assert not sums[:, 1].any()


@pytest.mark.parametrize("steepest", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_next_direction_is_polak_ribieres_with_restart(seed, steepest):
    some = arrays(seed)
    k, live = 3, np.array([True, True, False])
    alpha, LF, G, KG, LFG, G_old, d, Kd, LFd = (some() for _ in range(9))
    KG = np.asfortranarray(G + 0.3 * KG)  # K near the identity: grad' P^-1 grad > 0
    g_b, g_b_old, d_b, mixed = some(k), some(k), some(k), np.abs(some(k))
    before = d.copy(), d_b.copy(), Kd.copy(), LFd.copy()

    cross = (G * KG).sum(0) + g_b**2
    change = (KG * (G - G_old)).sum(0) + g_b * (g_b - g_b_old)
    rho = np.where(steepest, 0.0, np.maximum(change / mixed, 0.0))
    if steepest:
        mixed[:] = 0.0  # nothing before: the first direction
    uphill = (KG * (rho * d - G)).sum(0) + g_b * (rho * d_b - g_b) >= 0
    rho = np.where(uphill, 0.0, rho)
    twins = rho * d - G, rho * d_b - g_b, rho * Kd - KG, rho * LFd - LFG

    norms, terms = np.zeros((3, k)), np.zeros((4, k))
    restarted = np.zeros(k, dtype=bool)
    polak_ribiere(
        live,
        Point(alpha, some(k), some(), LF),
        Gradient(G, g_b, KG, LFG),
        Gradient(G_old, g_b_old, some(), some()),
        Direction(d, d_b, Kd, LFd),
        Measures(mixed, norms, terms, restarted),
    )
    for ours, twin, old in zip((d, d_b, Kd, LFd), twins, before, strict=True):
        np.testing.assert_allclose(ours[..., live], twin[..., live])
        np.testing.assert_array_equal(ours[..., ~live], old[..., ~live])
    np.testing.assert_array_equal(restarted[live], (rho == 0)[live])
    squares = (KG**2).sum(0) + g_b**2, (G**2).sum(0) + g_b**2, np.maximum(cross, 0)
    np.testing.assert_allclose(norms[:, live] ** 2, np.array(squares)[:, live])
    Fd = Kd + d_b
    twins = (alpha * Kd, Fd * LF, d * Kd, Fd * LFd)
    np.testing.assert_allclose(
        terms[:, live], np.array([t.sum(0) for t in twins])[:, live]
    )
