"""The plane through three machines: values, places and heights as they are defined."""

import numpy as np
import pytest
from sklearn.datasets import make_moons

from ssl_core import make
from ssl_core.comparison import retrained_objective
from ssl_core.features import Space, features
from ssl_core.kernels import gram
from ssl_core.landscape import Landscape, Plane, different
from ssl_core.problems.s3vm import S3VM

C, C_U, SIGMA = 10.0, 1.0, 0.3
KNOBS = {"sigma": SIGMA, "C": C, "C_u": C_U, "r": 0.5}
ROUNDING = 1e-9  # relative, of sums over a hundred points


@pytest.fixture(scope="module")
def moons():
    X, truth = make_moons(100, noise=0.1, random_state=0)
    y = np.zeros(100)
    y[60], y[30] = (1 - 2 * truth[[60, 30]]).tolist()
    return X, y, 1 - 2 * truth


@pytest.fixture(scope="module")
def landscape(moons):
    X, y, _ = moons
    return Landscape(gram(X, kernel="rbf", sigma=SIGMA), y, C=C, C_u=C_U)


@pytest.fixture(scope="module")
def traces(moons):
    X, y, _ = moons
    given = np.where(y == 0, -1, (y > 0).astype(int))
    names = ("s3vm_light", "cs3vm", "nabla_da")
    return {name: make(name, **KNOBS).trace(X, given) for name in names}


@pytest.fixture(scope="module")
def solutions(landscape, traces, moons):
    """The labels of S3VM-light and cS3VM, and the supervised machine."""
    found = [landscape.trained(traces[n].final.labels) for n in ("s3vm_light", "cs3vm")]
    return [*found, landscape.trained(np.zeros(100))]


@pytest.fixture(scope="module")
def plane(landscape, solutions):
    return Plane(landscape, solutions)


def problem_of(landscape):
    made = features(Space(landscape.K))
    return made, S3VM(made, landscape.y, C=C, C_u=C_U, r=0.5)


def test_a_machine_has_the_problems_objective(landscape, solutions):
    made, problem = problem_of(landscape)
    for machine in solutions:
        v = np.append(made.contract(machine.alpha), machine.b)
        expected = problem.hard_objective(v, machine.f)
        assert machine.objective == pytest.approx(expected, rel=1e-8)


def test_retrained_machines_have_the_objective_that_is_compared(moons, traces):
    X, y, _ = moons
    given = np.where(y == 0, -1, (y > 0).astype(int))
    landscape = Landscape(gram(X, kernel="rbf", sigma=SIGMA), y, C=C, C_u=C_U)
    for trace in traces.values():
        labels = trace.final.labels
        protocol = {"C": C, "C_u": C_U, "sigma": SIGMA}
        compared = retrained_objective(X, given, (labels > 0).astype(int), **protocol)
        found = landscape.trained(labels).objective
        # Eq. (5) lets a point change sides for nothing; eq. (1) holds it to its label.
        assert found <= compared * (1 + ROUNDING)
        assert found == pytest.approx(compared, rel=0.02)


def test_on_two_moons_label_switching_ends_higher_than_the_continuation(solutions):
    light, continuation, _ = solutions
    assert light.objective == pytest.approx(10.22, abs=0.01)
    assert continuation.objective == pytest.approx(6.147, abs=0.001)


def test_the_plane_has_the_three_machines_in_its_corners(plane, solutions):
    for machine, (s, t) in zip(solutions, plane.corners, strict=True):
        assert plane.place(machine.f)[2] <= 1e-10
        (value,) = plane.values(np.array([s]), np.array([t])).ravel()
        assert value == pytest.approx(machine.objective, rel=ROUNDING)
    sides = [
        (np.hypot(*(plane.corners[i] - plane.corners[j])), i, j)
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    for length, i, j in sides:
        assert length == pytest.approx(solutions[i].distance(solutions[j]))


def test_values_on_a_grid_are_those_of_each_machine(plane):
    rng = np.random.default_rng(0)
    s, t = rng.uniform(-2, 2, 7), rng.uniform(-2, 2, 5)
    J = plane.values(s, t)
    assert J.shape == (5, 7)
    for i in range(5):
        for j in range(7):
            expected = plane.machine(s[j], t[i]).objective
            assert J[i, j] == pytest.approx(expected, rel=ROUNDING)


def test_machines_of_the_plane_are_placed_exactly_and_others_above_it(plane):
    rng = np.random.default_rng(1)
    for s, t in rng.uniform(-2, 2, (10, 2)):
        f = plane.machine(s, t).f
        np.testing.assert_allclose(plane.place(f), (s, t, 0), atol=1e-9)
        off = rng.normal(size=len(f))
        off -= plane.f[1:].T @ (plane.f[1:] @ off) / len(f)  # at right angles to it
        found = plane.place(f + off)
        height = np.sqrt(np.mean(off**2))
        np.testing.assert_allclose(found, (s, t, height), atol=1e-9)


def test_a_barrier_lies_between_the_two_basins(plane, solutions):
    share = np.linspace(0, 1, 41)
    (a, b, _) = plane.corners
    along = [plane.machine(*(a + x * (b - a))).objective for x in share]
    assert max(along) > 1.5 * solutions[0].objective


def test_machines_that_are_alike_span_no_plane(landscape, solutions, traces):
    light, continuation, _ = solutions
    same = landscape.trained(traces["nabla_da"].final.labels)  # as cS3VM's
    assert different([light, continuation, same]) == [0, 1]
    with pytest.raises(ValueError, match="on a line"):
        Plane(landscape, [light, continuation, same])
    with pytest.raises(ValueError, match="must differ"):
        Plane(landscape, [light, light, light])
    with pytest.raises(ValueError, match="takes 3 solutions, got 2"):
        Plane(landscape, [light, continuation])


def test_a_grid_for_200_points_takes_less_than_a_third_of_a_second():
    import time

    X, truth = make_moons(200, noise=0.1, random_state=0)
    y = np.zeros(200)
    y[:6] = 1 - 2 * truth[:6]
    landscape = Landscape(gram(X, kernel="rbf", sigma=SIGMA), y, C=C, C_u=C_U)
    guesses = (np.zeros(200), 1 - 2 * truth, np.sign(X[:, 0] - 0.5))
    plane = Plane(landscape, [landscape.trained(labels) for labels in guesses])
    start = time.process_time()
    plane.values(np.linspace(-1, 1, 80), np.linspace(-1, 1, 60))
    assert time.process_time() - start < 0.3
