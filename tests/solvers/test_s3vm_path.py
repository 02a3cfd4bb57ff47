"""The path of local minima of an S3VM, [OITS13]."""

import numpy as np
import pytest

from ssl_core.driver import drive
from ssl_core.linalg.parametric import INSIDE
from ssl_core.problems.s3vm_path import FixedBiasS3VM
from ssl_core.solvers import _parametric
from ssl_core.solvers._parametric import Line
from ssl_core.solvers.s3vm_path import s3vm_path
from ssl_core.trace import Status
from tests.path_problems import (
    RANDOM,
    SINGULAR,
    box_qp,
    breast_cancer,
    moons,
    outputs_by_qp,
    stripes,
)

random_problems = pytest.mark.parametrize("case", RANDOM, ids=str)
REGULAR = [case for case in RANDOM if not case.name.startswith(SINGULAR)]
VISIBLE = 1e-6  # C* from which a jump lowers the objective by more than rounding


def between(a, b, share):
    """Any field, at a share of the way from a to b."""
    return lambda name: (1 - share) * getattr(a, name) + share * getattr(b, name)


def distance(problem, beta, f, y_u, C_u):
    """How far duals and outputs are from the conditions (8a)-(8f), in the worst case.

    Every point is compared with the nearest of the three cases it may be in.
    """
    s, cap = problem.signs(y_u), problem.caps(C_u)
    margin, dual = s * f, s * beta
    outside = np.maximum(1 - margin, np.abs(dual))
    on_it = np.maximum(np.abs(margin - 1), np.maximum(-dual, dual - cap))
    inside = np.maximum(margin - 1, np.abs(dual - cap))
    worst = np.minimum(np.minimum(outside, on_it), inside).max()
    return max(worst, np.abs(problem.K @ beta + problem.b - f).max())


def slack(problem, state):
    return np.maximum(0, 1 - state.y_u * state.f[problem.unlabeled]).sum()


# Reference values ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "n_jumps", "first", "J_0", "J_tenth", "J_C"),
    [
        (
            moons(60, 1.0),
            2,
            ["0.004562655531", "0.06260280054"],
            "1.622638531",
            "3.358050941",
            "6.401966584",
        ),
        (
            moons(100, 10.0),
            7,
            ["0.02784084483", "0.03425820831", "0.04419282244"],
            "2.795361625",
            "18.50379366",
            "52.79190645",
        ),
        (
            breast_cancer(),
            5,
            ["0.05822376877", "0.07625271898", "0.08618831441"],
            "3.580645828",
            "6.797791014",
            "19.03272592",
        ),
    ],
    ids=str,
)
def test_reference_values_are_reached_to_all_digits(
    case, n_jumps, first, J_0, J_tenth, J_C
):
    jumps = [b.C_u for _, b, _ in case.jumps]
    assert len(jumps) == n_jumps
    assert [f"{c:.10g}" for c in jumps[: len(first)]] == first
    tenth = case.C / 10
    a, b = next((a, b) for a, b in case.pieces if a.C_u <= tenth < b.C_u)
    at = between(a, b, (tenth - a.C_u) / (b.C_u - a.C_u))
    middle = case.problem.objective(at("beta"), at("f"), a.y_u, tenth)
    found = [case.states[0].objective, middle, case.states[-1].objective]
    assert [f"{J:.10g}" for J in found] == [J_0, J_tenth, J_C]


@pytest.mark.parametrize(
    ("case", "jumps", "objective", "error"),
    [
        (
            stripes(20, 9, 0.8, 1.0, kernel="linear"),
            [(".07545", 4)],
            "2.27",
            (0.222, 0),
        ),
        (
            stripes(40, 1, 1.0, 10.0, sigma=2.0),
            [(".00213", 2), (".03384", 2), (".15358", 6)],
            "9.25",
            (0.263, 0),
        ),
        (
            stripes(40, 9, 1.0, 10.0, sigma=2.0),
            [(".00856", 1), (".19461", 8)],
            "7.77",
            (0.237, 0),
        ),
        (
            stripes(30, 9, 0.8, 100.0, kernel="linear"),
            [(".00456", 2), (".02399", 6), (".03372", 1), (".04135", 1)],
            "5.23",
            (0.357, 0),
        ),
    ],
    ids=str,
)
def test_the_toys_jump_where_they_should(case, jumps, objective, error):
    found = [(f"{b.C_u:.5f}"[1:], len(b.flipped)) for _, b, _ in case.jumps]
    assert found == jumps
    assert f"{case.states[-1].objective:.3g}" == objective
    free = case.problem.unlabeled
    for state, expected in zip((case.states[0], case.states[-1]), error, strict=True):
        wrong = np.mean(np.sign(state.f[free]) != case.truth[free])
        assert wrong == pytest.approx(expected, abs=5e-4)


# What must hold on every path ----------------------------------------------------


@random_problems
def test_the_path_runs_from_0_to_C(case):
    C_u = np.array([s.C_u for s in case.states])
    assert C_u[0] == 0
    assert C_u[-1] == case.C
    assert np.all(np.diff(C_u) >= 0)
    assert case.states[-1].status is Status.FINISHED
    assert [s.t for s in case.states] == list(range(len(C_u)))


@random_problems
def test_the_conditions_hold_at_break_points_and_between(case):
    for state in case.states:
        worst = distance(case.problem, state.beta, state.f, state.y_u, state.C_u)
        assert worst <= 1e-8
    for a, b in case.pieces:
        at = between(a, b, 0.5)
        worst = distance(case.problem, at("beta"), at("f"), a.y_u, at("C_u"))
        assert worst <= 1e-8


@random_problems
def test_labels_and_outputs_agree(case):
    free = case.problem.unlabeled
    for state in case.states:
        assert (state.y_u * state.f[free]).min() >= -1e-9


@random_problems
def test_a_jump_is_two_states_at_one_weight_with_other_labels(case):
    free = case.problem.unlabeled
    for a, b in zip(case.states, case.states[1:], strict=False):
        changed = tuple(free[a.y_u != b.y_u])
        assert b.flipped == changed
        assert (b.step_kind == "DJ") == bool(changed)
        if changed:
            event = b.events[0]
            assert event.kind == "jump"
            assert a.C_u == b.C_u == event.data["C_u"]
            assert event.data["flipped"] == changed
            assert event.data["rounds"] >= 1
            assert np.abs(a.f[list(event.data["hit"])]).max() <= 1e-9
            before, after = event.data["before"], event.data["after"]
            assert before == pytest.approx(a.objective, rel=1e-12)
            assert after == b.objective


@random_problems
def test_the_objective_is_the_integral_of_the_slacks(case):
    for a, b in case.pieces:
        before, after = slack(case.problem, a), slack(case.problem, b)
        rise = (b.C_u - a.C_u) * (before + after) / 2
        scale = max(1.0, b.objective)
        assert b.objective - a.objective == pytest.approx(rise, abs=1e-10 * scale)
        assert after <= before + 1e-9 * max(1.0, before)


@random_problems
def test_the_duality_gap_is_rounding(case):
    problem = case.problem
    for state in case.states:
        s = problem.signs(state.y_u)
        norm = state.beta @ (state.f - problem.b)
        dual = (s * state.beta) @ (1 - s * problem.b) - norm / 2
        gap = abs(state.objective - dual)
        assert gap <= 2e-12 * max(1.0, state.objective)


@pytest.mark.parametrize("case", REGULAR, ids=str)
def test_every_jump_lowers_the_objective(case):
    for a, b, _ in case.jumps:
        assert b.objective <= a.objective * (1 + 1e-14)
        if b.C_u >= VISIBLE:
            assert b.objective < a.objective


@random_problems
def test_a_jump_that_lowers_nothing_moves_no_output(case):
    """Where K is singular, other points may hold one at f = 0 under either label."""
    for a, b, _ in case.jumps:
        assert b.objective <= a.objective * (1 + 1e-13)
        if b.C_u >= VISIBLE and b.objective >= a.objective:
            assert case.name.startswith(SINGULAR)
            np.testing.assert_allclose(b.f, a.f, atol=1e-12)


def test_the_random_problems_have_jumps_of_one_and_of_several_rounds():
    rounds = [e.data["rounds"] for case in RANDOM for _, _, e in case.jumps]
    assert len(rounds) > 300
    assert rounds.count(1) > 50
    assert max(rounds) > 5


# Against other solvers -----------------------------------------------------------


@random_problems
def test_a_fresh_qp_with_the_same_labels_agrees(case):
    rng = np.random.default_rng(0)
    pieces = [(a, b) for a, b in case.pieces if b.C_u > a.C_u]
    ends = np.array([b.C_u for _, b in pieces])
    for C_u in rng.uniform(0, case.C, 2):
        a, b = pieces[np.searchsorted(ends, C_u)]
        at = between(a, b, (C_u - a.C_u) / (b.C_u - a.C_u))
        f, objective = outputs_by_qp(case.problem, a.y_u, C_u)
        np.testing.assert_allclose(at("f"), f, atol=1e-7 * max(1, np.abs(f).max()))
        ours = case.problem.objective(at("beta"), at("f"), a.y_u, C_u)
        assert ours == pytest.approx(objective, rel=1e-8)


@random_problems
def test_the_start_is_the_supervised_machine_with_a_fixed_bias(case):
    problem, start = case.problem, case.states[0]
    known = problem.labeled
    y = problem.y[known]
    Q = y[:, None] * problem.K[np.ix_(known, known)] * y[None, :]
    dual = box_qp(Q, 1 - y * problem.b, np.full(len(y), case.C))
    f = problem.K[:, known] @ (y * dual) + problem.b
    np.testing.assert_allclose(start.f, f, atol=1e-7 * max(1, np.abs(f).max()))
    assert not start.beta[problem.unlabeled].any()
    assert problem.b == pytest.approx(y.mean())
    np.testing.assert_array_equal(
        start.y_u, np.where(start.f[problem.unlabeled] >= 0, 1, -1)
    )


SMALL = [case for case in REGULAR if len(case.y) <= 150]


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_a_jump_ends_where_relabelling_by_fresh_solves_does(case):
    """Flip what was hit, solve without the polytope, relabel, until nothing changes."""
    free = case.problem.unlabeled
    for a, b, event in list(case.jumps)[:6]:
        if b.C_u < VISIBLE:
            continue
        signs = case.problem.signs(a.y_u)
        signs[list(event.data["hit"])] *= -1
        y_u, relabeled = None, signs[free]
        while y_u is None or (relabeled != y_u).any():
            y_u = relabeled
            f, objective = outputs_by_qp(case.problem, y_u, b.C_u)
            relabeled = np.where(f[free] >= 0, 1.0, -1.0)
        assert objective == pytest.approx(b.objective, rel=1e-8)


def test_one_flip_without_other_changes_moves_the_point_by_2_C_s():
    """s is the Schur complement of K_ii given the margin; J falls by 2 C_u^2 s."""
    seen = 0
    for case in REGULAR:
        K = case.problem.K
        for a, b, event in case.jumps:
            alone = len(b.flipped) == event.data["rounds"] == 1 and a.n_O == b.n_O
            if not alone or b.C_u < VISIBLE or (a.on_margin != b.on_margin).any():
                continue
            (i,), M = b.flipped, np.flatnonzero(a.on_margin)
            part = np.linalg.lstsq(K[np.ix_(M, M)], K[M, i], rcond=None)[0]
            s = K[i, i] - K[i, M] @ part
            assert abs(b.f[i]) == pytest.approx(2 * b.C_u * s, rel=1e-5, abs=1e-8)
            fall = a.objective - b.objective
            assert fall == pytest.approx(2 * b.C_u**2 * s, rel=1e-4, abs=1e-8)
            seen += 1
    assert seen > 50


# The rest ------------------------------------------------------------------------


def test_sizes_count_every_point_once():
    case = moons(100, 10.0)
    for state in case.states:
        sizes = (state.n_O, state.n_M, state.n_I_l, state.n_I_u)
        assert sum(sizes) == len(case.y)
        assert state.n_M == state.on_margin.sum()
        inside = np.abs(state.beta) == case.problem.caps(state.C_u)
        labeled = case.y != 0
        assert state.n_I_l <= inside[labeled].sum()
        assert state.n_I_u <= inside[~labeled].sum()


def test_b_is_2r_minus_1_whether_r_is_given_or_taken_from_the_labels():
    case = moons(60, 1.0)
    y = case.y.copy()
    y[np.flatnonzero(y > 0)[0]] = 0
    assert FixedBiasS3VM(case.K, y, C=1.0).b == pytest.approx(2 / 3 - 1)
    problem = FixedBiasS3VM(case.K, y, C=1.0, r=0.8)
    assert problem.b == pytest.approx(0.6)
    *_, last = s3vm_path(problem)
    assert last.b == problem.b
    assert distance(problem, last.beta, last.f, last.y_u, 1.0) <= 1e-8


def test_labels_of_one_class_are_refused_unless_r_is_given():
    case = moons(60, 1.0)
    y = np.maximum(case.y, 0)
    with pytest.raises(ValueError, match="labelled points of both classes"):
        FixedBiasS3VM(case.K, y, C=1.0)
    *_, last = s3vm_path(FixedBiasS3VM(case.K, y, C=1.0, r=0.5))
    assert last.status is Status.FINISHED


def test_centring_keeps_the_mean_output_on_the_unlabelled_points():
    for case in RANDOM:
        if not case.centered:
            continue
        free = case.problem.unlabeled
        for state in case.states[:: max(1, len(case.states) // 9)]:
            assert state.f[free].mean() == pytest.approx(case.problem.b, abs=1e-9)
            # The expansion in the kernel as it was given has the same outputs.
            f = case.K @ state.alpha + state.b
            np.testing.assert_allclose(f, state.f, atol=1e-9 * max(1, abs(f).max()))


@pytest.mark.parametrize("case", [moons(100, 10.0), breast_cancer()], ids=str)
def test_a_seeded_run_goes_on_along_the_same_path(case):
    first = next(b for _, b, _ in case.jumps)
    again = list(s3vm_path(case.problem, start=first))
    assert again[0].C_u == first.C_u
    np.testing.assert_allclose(again[0].f, first.f, atol=1e-9)
    np.testing.assert_array_equal(again[0].y_u, first.y_u)
    rest = [s.C_u for s in case.states[first.t :]]
    np.testing.assert_allclose([s.C_u for s in again], rest, rtol=1e-9)
    assert again[-1].objective == pytest.approx(case.states[-1].objective, rel=1e-10)


def test_a_seed_with_another_label_starts_at_a_minimum_with_it():
    case = moons(100, 10.0)
    seed = case.states[len(case.states) // 2]
    y = case.y.copy()
    new = case.problem.unlabeled[np.abs(seed.f[case.problem.unlabeled]).argmin()]
    y[new] = -np.sign(seed.f[new])
    problem = FixedBiasS3VM(case.K, y, C=case.C)
    states = list(s3vm_path(problem, start=seed))
    for state in states:
        worst = distance(problem, state.beta, state.f, state.y_u, state.C_u)
        assert worst <= 1e-8
        assert (state.y_u * state.f[problem.unlabeled]).min() >= -1e-9
    assert states[0].C_u == seed.C_u
    assert states[-1].status is Status.FINISHED


def test_a_run_seeded_by_its_last_state_stays_there():
    case = moons(60, 1.0)
    last = case.states[-1]
    again = list(s3vm_path(case.problem, start=last))
    assert len(again) == 2
    assert again[-1].status is Status.FINISHED
    np.testing.assert_allclose(again[-1].f, last.f, atol=1e-9)


def test_without_unlabelled_points_the_path_is_the_supervised_machine():
    case = moons(60, 1.0)
    problem = FixedBiasS3VM(case.K, case.truth.astype(float), C=1.0)
    first, last = s3vm_path(problem)
    np.testing.assert_array_equal(first.f, last.f)
    assert (last.C_u, last.status) == (1.0, Status.FINISHED)


def test_a_limit_ends_the_path_where_it_is():
    case = moons(60, 1.0)
    states = list(drive(s3vm_path(case.problem), max_iter=20))
    assert states[-1].status is Status.MAX_ITER
    for a, b in zip(states, case.states, strict=False):
        assert a.C_u == b.C_u
        np.testing.assert_array_equal(a.f, b.f)


def test_outputs_are_computed_anew_every_hundred_pivots(monkeypatch):
    case, counted = moons(100, 10.0), []
    monkeypatch.setattr(_parametric, "FRESH_EVERY", 20)
    refresh = Line.refresh
    monkeypatch.setattr(
        Line, "refresh", lambda line: (counted.append(1), refresh(line))
    )
    last = list(s3vm_path(case.problem))[-1]
    assert len(counted) >= len(case.states) / 40
    assert last.objective == pytest.approx(case.states[-1].objective, rel=1e-12)


def test_computing_anew_takes_drift_back():
    case = moons(100, 10.0)
    problem = case.problem
    line = Line(problem.K, problem.b)
    line.signs[:] = case.truth
    line.where[:] = INSIDE
    line.drive(np.ones(100))
    line.go(1.0)
    members, rng = line.members, np.random.default_rng(0)
    assert len(members) > 3
    line.alpha[members] += 1e-9 * rng.normal(size=len(members))
    line.f += 1e-9 * rng.normal(size=100)
    line.refresh()
    f = problem.K @ line.alpha + problem.b
    np.testing.assert_allclose(line.f, f, atol=1e-13)
    np.testing.assert_allclose(f[members], case.truth[members], atol=1e-12)


def test_a_path_that_goes_round_in_circles_says_so(monkeypatch):
    case = moons(60, 1.0)
    path = s3vm_path(case.problem)
    states = [next(path)]
    monkeypatch.setattr(_parametric, "STUCK_PER_POINT", 0)
    states += path
    assert states[-1].status is Status.STALLED
    assert states[-1].events[-1].kind == "stuck"
    assert len(states) < len(case.states)


def test_a_doubled_problem_walks_the_path_of_a_doubled_kernel():
    """Twins share their dual: the same machine as one point with twice the cap."""
    case = moons(60, 1.0)
    twice = np.concatenate([np.arange(60), np.arange(60)])
    doubled = FixedBiasS3VM(case.K[np.ix_(twice, twice)], case.y[twice], C=1.0)
    single = FixedBiasS3VM(2 * case.K, case.y, C=1.0)
    a, b = list(s3vm_path(doubled))[-1], list(s3vm_path(single))[-1]
    np.testing.assert_allclose(a.f[:60], a.f[60:], atol=1e-12)
    np.testing.assert_allclose(a.f[:60], b.f, atol=1e-9)
