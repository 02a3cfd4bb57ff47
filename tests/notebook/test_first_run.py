"""A cell that shows a lab does not wait for a long first run."""

import asyncio
import time

import IPython.display
import pytest

from halfmoon import hide_labels, lab, load, make
from halfmoon.notebook import live as module
from halfmoon.notebook.scene import LabScene

MOONS = load("two_moons", n=40, noise=0.1, random_state=0)
Y = hide_labels(MOONS, n_labeled=2, random_state=0)
LONG = 0.6  # seconds


@pytest.fixture
def slow(monkeypatch):
    train = LabScene.train

    def waiting(scene, *args, **watching):
        time.sleep(LONG)
        return train(scene, *args, **watching)

    monkeypatch.setattr(LabScene, "train", waiting)
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    monkeypatch.setattr(module, "REST", 0.0)


def test_the_points_are_shown_at_once_and_the_run_when_it_is_there(slow, monkeypatch):
    shown, updated = [], []
    monkeypatch.setattr(module, "in_ipython", lambda: True)
    monkeypatch.setattr(IPython.display, "display", lambda *a, **k: shown.append(a[0]))
    update = IPython.display.update_display
    monkeypatch.setattr(
        IPython.display, update.__name__, lambda *a, **k: updated.append(a[0])
    )

    async def cell():
        live = lab(make("svm", sigma=0.35), MOONS.X, Y)
        start = time.perf_counter()
        live._ipython_display_()
        waited = time.perf_counter() - start
        _, still = shown
        assert "1 frames" in still["text/plain"]
        for _ in range(100):
            await asyncio.sleep(0.1)
            if updated:
                break
        assert live.trace is not None
        return waited

    assert asyncio.run(cell()) < LONG + 1.5  # a picture of the points takes a while
    assert updated
    assert "2 frames" in updated[-1]["text/plain"]
