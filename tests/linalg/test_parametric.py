"""Pivots of the parametric QP against numpy, and what a near twin does."""

import numpy as np
import pytest

from ssl_core.linalg.parametric import (
    BOUNDARY,
    END,
    INSIDE,
    MARGIN,
    OUT,
    Members,
    Motion,
    Points,
    advance,
    append_row,
    census,
    delete_row,
    first_event,
    go,
    look,
    rates,
    relocate,
    solve_factor,
    trade,
    two_products,
)

EPS = np.finfo(float).eps
HELD = (MARGIN, BOUNDARY)


def gram(n=12, seed=0, rank=None):
    A = np.random.default_rng(seed).normal(size=(n, rank or n + 3))
    return A @ A.T


def factor_of(K, members):
    """The members with their factor; there is room for all points."""
    n = len(K)
    found = Members(np.zeros(n, dtype=np.int64), np.zeros((n + 1, n + 1)))
    found.rows[: len(members)] = members
    for size, j in enumerate(members):
        append_row(K, found, size, j)
    return found


def motion_of(n=12, drive=1.0, **rates):
    """Rates of n points, 0 where none are given."""
    none = {name: np.zeros(n) for name in ("dcap", "g", "dalpha", "df")}
    return Motion(**{**none, **rates}, drive=drive)


def block(K, rows):
    return K[np.ix_(rows, rows)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_two_products_are_two_products(dtype):
    K = gram().astype(dtype)
    a, b = np.random.default_rng(1).normal(size=(2, len(K)))
    for found, v in zip(two_products(K, a, b), (a, b), strict=True):
        np.testing.assert_allclose(found, K.astype(float) @ v, rtol=1e-12)


def test_a_factor_grows_and_shrinks_with_its_members():
    K, rng = gram(), np.random.default_rng(2)
    members, L = [], np.zeros((13, 13))
    for _ in range(200):
        size = len(members)
        if size == len(K) or (size and rng.random() < 0.5):
            gone = int(rng.integers(size))
            delete_row(L, size, gone)
            del members[gone]
        else:
            j = int(rng.choice(np.setdiff1d(np.arange(len(K)), members)))
            pivot = append_row(K, Members(np.array([*members, j]), L), size, j)
            schur = K[j, j]
            if members:
                part = np.linalg.solve(block(K, members), K[members, j])
                schur -= K[j, members] @ part
            assert pivot == pytest.approx(schur, rel=1e-9)
            members.append(j)
        size = len(members)
        lower = np.tril(L[:size, :size])
        np.testing.assert_allclose(lower @ lower.T, block(K, members), atol=1e-10)
        x = rng.normal(size=size)
        solved = x.copy()
        solve_factor(L, size, solved)
        np.testing.assert_allclose(block(K, members) @ solved, x, atol=1e-8)


def test_members_answer_so_that_their_outputs_stay():
    K, g = gram(), np.random.default_rng(3).normal(size=12)
    members = np.array([4, 0, 7])
    motion = motion_of(g=g)
    dalpha, df = motion.dalpha, motion.df
    largest = rates(K, factor_of(K, members), 3, motion)
    expected = -np.linalg.solve(block(K, members), g[members])
    np.testing.assert_allclose(dalpha[:3], expected, rtol=1e-10)
    np.testing.assert_allclose(df, g + K[:, members] @ expected, atol=1e-12)
    np.testing.assert_allclose(df[members], 0, atol=1e-13)
    assert largest == np.abs(dalpha[:3]).max()


def test_a_factor_spoilt_by_rounding_is_made_up_for():
    K, g = gram(), np.random.default_rng(3).normal(size=12)
    members = np.array([4, 0, 7])
    spoilt = factor_of(K, members)
    spoilt.L[:] *= 1 + 1e-6
    motion = motion_of(g=g)
    rates(K, spoilt, 3, motion)
    assert np.abs(motion.df[members]).max() < 1e-10 * np.abs(g).max()


# One point of each kind: how far it is from its event, and where it goes then.
EVENTS = {
    "comes from outside": (OUT, 1.5, 0.0, -0.25, 0.0, MARGIN, 2.0),
    "comes from inside": (INSIDE, 0.5, 1.0, 0.25, 0.0, MARGIN, 2.0),
    "reaches 0": (INSIDE, 0.5, 1.0, -0.25, 0.0, BOUNDARY, 2.0),
    "dual falls to 0": (MARGIN, 1.0, 0.5, 0.0, -0.25, OUT, 2.0),
    "dual rises to its cap": (MARGIN, 1.0, 0.5, 0.0, 0.25, INSIDE, 2.0),
    "dual falls to its cap": (BOUNDARY, 0.0, 1.5, 0.0, -0.25, INSIDE, 2.0),
    "late outside point": (OUT, 0.75, 0.0, -0.25, 0.0, MARGIN, 0.0),
    "goes away": (OUT, 1.5, 0.0, 0.25, 0.0, None, 9.0),
    "rate is rounding": (OUT, 1.0, 0.0, -1e-14, 0.0, None, 9.0),
}


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("case", EVENTS)
def test_every_event_is_found_where_it_is(case, sign):
    place, margin, dual, df, dalpha, goes, step = EVENTS[case]
    one = np.ones(1)
    points = Points(
        K=np.ones((1, 1)),
        where=np.array([place], dtype=np.int8),
        signs=sign * one,
        alpha=sign * dual * one,
        f=sign * margin * one,
        cap=one,
        sided=np.array([True]),
        passed=np.array([False]),
    )
    motion = motion_of(1, dalpha=sign * dalpha * one, df=sign * df * one)
    members, size = Members(np.array([0]), np.ones((1, 1))), int(place in HELD)
    found = first_event(points, motion, members, size, (1e-12, 1e-12), 9.0)
    point = END if goes is None else 0
    assert found[0] == step
    assert found[1] == point
    assert goes is None or found[2] == goes


def machine(K, places):
    """A machine whose points are in given places, halfway in their boxes."""
    n = len(K)
    dual = {OUT: 0.0, MARGIN: 1.0, INSIDE: 2.0, BOUNDARY: 3.0}
    points = Points(
        K=K,
        where=np.array(places, dtype=np.int8),
        signs=np.ones(n),
        alpha=np.array([dual[p] for p in places]),
        f=np.zeros(n),
        cap=np.full(n, 2.0),
        sided=np.zeros(n, dtype=bool),
        passed=np.zeros(n, dtype=bool),
    )
    held = [i for i, p in enumerate(places) if p in HELD]
    return points, factor_of(K, held), len(held)


@pytest.mark.parametrize(
    ("i", "place", "dual"),
    [
        (0, MARGIN, 0.0),
        (3, MARGIN, 2.0),
        (3, BOUNDARY, 2.0),
        (1, OUT, 0.0),
        (1, INSIDE, 2.0),
        (4, INSIDE, 2.0),
    ],
)
def test_a_point_that_moves_takes_its_dual_the_factor_and_g_along(i, place, dual):
    K = gram(5)
    places = [OUT, MARGIN, MARGIN, INSIDE, BOUNDARY]
    points, members, size = machine(K, places)
    dcap = np.array([0.5, 1.0, 0.0, 2.0, 1.0])
    g = K[3] * dcap[3]
    size = relocate(points, motion_of(5, dcap=dcap, g=g), members, size, i, place, EPS)
    places[i] = place
    np.testing.assert_array_equal(points.where, places)
    assert points.alpha[i] == dual
    inside = np.array(places) == INSIDE
    np.testing.assert_allclose(g, K[:, inside] @ dcap[inside], atol=1e-12)
    held = members.rows[:size]
    assert set(held) == {k for k, p in enumerate(places) if p in HELD}
    lower = np.tril(members.L[:size, :size])
    np.testing.assert_allclose(lower @ lower.T, block(K, held), atol=1e-10)


def test_a_point_that_the_members_determine_cannot_become_one():
    K = gram(6, rank=2)
    points, members, size = machine(K, [MARGIN, MARGIN, OUT, OUT, INSIDE, INSIDE])
    size = relocate(points, motion_of(6), members, size, 2, MARGIN, EPS)
    assert size == END
    assert points.where[2] == OUT


@pytest.mark.parametrize(("place", "dual"), [(OUT, 0.0), (INSIDE, 2.0)])
def test_twins_trade_their_duals_and_no_output_moves(place, dual):
    K = gram(5)
    twin = np.array([0, 1, 2, 3, 4, 1])
    K = K[np.ix_(twin, twin)]
    points, members, size = machine(K, [OUT, MARGIN, MARGIN, INSIDE, OUT, place])
    alpha, f = points.alpha, points.f
    f[:] = before = K @ alpha
    point, goes = trade(points, members, size, 5, MARGIN)
    np.testing.assert_allclose(f, before, atol=1e-12)
    np.testing.assert_allclose(K @ alpha, before, atol=1e-12)
    assert alpha[1] + alpha[5] == pytest.approx(1.0 + dual)
    # The member comes to its bound first: it has half of the way.
    assert (point, goes) == (1, OUT if place == OUT else INSIDE)
    assert alpha[5] == pytest.approx(1.0)


def test_a_step_moves_caps_duals_and_outputs():
    K = gram(5)
    points, members, size = machine(K, [OUT, MARGIN, MARGIN, INSIDE, BOUNDARY])
    dcap = np.array([1.0, 0.0, 1.0, 1.0, 1.0])
    df, dalpha = np.arange(5.0), np.array([0.1, 0.2, 0.3, 0.0, 0.0])
    advance(0.5, points, motion_of(dcap=dcap, dalpha=dalpha, df=df), members, size)
    np.testing.assert_allclose(points.f, 0.5 * df)
    np.testing.assert_allclose(points.cap, 2 + 0.5 * dcap)
    np.testing.assert_allclose(points.alpha, [0.0, 1.05, 1.1, 2.5, 3.15])


def test_going_the_whole_way_is_looking_advancing_and_relocating():
    rng = np.random.default_rng(4)
    K, n = gram(12), 12
    signs = np.where(rng.random(n) < 0.5, 1.0, -1.0)

    def start():
        """All duals at 0, and their caps about to rise."""
        points, members, _ = machine(K, [INSIDE] * n)
        points.signs[:], points.alpha[:], points.cap[:] = signs, 0.0, 0.0
        return points, motion_of(dcap=np.ones(n), g=K @ signs), members

    scale = float(K.max())
    at_once = start()
    left, point, _, size, pivots = go(*at_once, 0, scale, 1.0, EPS, 1000)
    one_by_one, m, end, count = start(), 0, 1.0, 0
    while True:
        step, i, place = look(*one_by_one, m, scale, end)
        advance(step, *one_by_one, m)
        end -= step
        if i == END:
            break
        m = relocate(*one_by_one, m, i, place, EPS)
        count += 1
    assert (left, point, pivots) == (end, END, count)
    assert count > 3
    assert size == m
    for name in ("where", "alpha", "f", "cap"):
        found = [getattr(run[0], name) for run in (at_once, one_by_one)]
        np.testing.assert_array_equal(*found, err_msg=name)
    np.testing.assert_allclose(at_once[0].f, K @ at_once[0].alpha, atol=1e-10)


def test_the_census_counts_every_place():
    places = np.array([OUT, MARGIN, INSIDE, INSIDE, INSIDE, BOUNDARY, OUT], np.int8)
    labeled = np.array([True, False, True, False, False, False, False])
    assert census(places, labeled) == (2, 1, 1, 2)
