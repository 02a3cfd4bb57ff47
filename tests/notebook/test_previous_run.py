"""The run before, behind the one that a lab shows."""

import numpy as np

from halfmoon import hide_labels, lab, load, make
from halfmoon.stage.pack import unpack
from tests.notebook.test_lab import Browser

MOONS = load("two_moons", n=60, noise=0.1, random_state=0)
Y = hide_labels(MOONS, n_labeled=2, random_state=0)
FREE = np.flatnonzero(Y < 0)


def shown(live):
    return unpack(live.view)


def test_the_first_run_has_none_and_the_next_one_says_what_changed():
    live = lab(make("svm", sigma=0.35), MOONS.X, Y, truth=MOONS.y)
    assert shown(live)[0]["ghost"] is None
    before = live.est.predict(live.X)
    Browser(live).label(FREE[0], 1 - int(before[FREE[0]]))
    header, arrays = shown(live)
    changed = np.flatnonzero(live.est.predict(live.X) != before)
    assert len(changed)
    np.testing.assert_array_equal(arrays["ghost_flipped"], changed)
    assert header["ghost"]["words"].startswith(f"{len(changed)} prediction")
    assert "ghost_field" in arrays


def test_places_that_a_hand_passes_are_no_previous_runs():
    live = lab(make("svm", sigma=0.35), MOONS.X, Y)
    browser, i = Browser(live), int(FREE[0])
    before = live.est.predict(MOONS.X)
    for x in (0.5, 1.0, 1.5):
        browser.send({"op": "move", "i": i, "x": x, "y": 0.0}, live=True)
    browser.label(FREE[1], 1 - int(before[FREE[1]]))
    rest = np.setdiff1d(np.arange(60), [i])
    changed = rest[(live.est.predict(live.X) != before)[rest]]
    flipped = shown(live)[1]["ghost_flipped"]
    np.testing.assert_array_equal(np.setdiff1d(flipped, [i]), changed)


def test_other_points_have_no_previous_run():
    live = lab(make("svm", sigma=0.35), MOONS.X, Y)
    live.X = MOONS.X[:, ::-1]
    assert shown(live)[0]["ghost"] is None
    live.y = np.where(np.arange(60) == FREE[0], 1, Y)
    assert shown(live)[0]["ghost"] is not None
