"""What pictures compute as the browser does, against its own code."""

import numpy as np
import pytest

from halfmoon.views.pictures.field import refined
from halfmoon.views.pictures.scales import nice_ticks, ruler
from ssl_core.numerals import tick_texts
from tests.javascript import evaluate

RNG = np.random.default_rng(0)
SINGLE = 1e-5  # of the largest: the browser refines in single precision
REFINE = """(fields) => fields.map(([w, h, s, values]) => {
  const w2 = (w - 1) * s + 1, h2 = (h - 1) * s + 1, fine = new Float32Array(w2 * h2);
  refine(Float32Array.from(values), w, h, s, fine, new Float32Array(w2 * h));
  return Array.from(fine);
})"""
TICKS = """(jobs) => jobs.map(([low, high, count, whole]) => {
  const ticks = niceTicks(low, high, count, whole);
  return [ticks, tickTexts(ticks)];
})"""
SCALES = """(jobs) => jobs.map(([low, high, floor, values]) => {
  const scale = makeScale(low, high, floor);
  return [values.map(scale.share), values.map((v) => scale.value(scale.share(v))),
    scale.ticks(6).map(({ value, text }) => [value, text])];
})"""


def made_fields():
    """Smooth, steep, noisy and small ones."""
    x, y = np.meshgrid(np.linspace(-2, 2, 16), np.linspace(-1.5, 1.5, 12))
    bump = np.exp(-((x - 0.3) ** 2 + y**2))
    yield bump - 0.5
    yield bump**12 - 1e-9
    yield np.sign(x + 0.2 * y)
    yield RNG.normal(size=x.shape)
    yield (x**2 - y)[:4, :5]


FIELDS = list(made_fields())


def test_fields_are_refined_alike():
    jobs = [(F.shape[1], F.shape[0], 4, F.ravel().tolist()) for F in FIELDS]
    theirs = evaluate(("contour.js",), f"({REFINE})(data)", jobs)
    for F, other in zip(FIELDS, theirs, strict=True):
        F = F.astype(np.float32).astype(float)
        ours = refined(refined(F, 4).swapaxes(0, 1), 4).swapaxes(0, 1)
        far = np.abs(ours.ravel() - other) > SINGLE * np.abs(F).max()
        assert far.mean() < 1e-3  # a doubt decides, and single precision may differ
        sides = (ours.ravel() >= 0) == (np.array(other) >= 0)
        assert sides.mean() > 0.999


def test_ticks_stand_at_the_same_places_with_the_same_words():
    lows = [*(10.0 ** RNG.uniform(-9, 7, 60) * RNG.choice([-1, 1], 60)), 0, 1e6, 3, 0]
    spans = [*10.0 ** RNG.uniform(-6, 7, 60), 1, 0.001, 0, 53]
    jobs = [
        (float(low), float(low + span), float(count), bool(whole))
        for low, span, count, whole in zip(
            lows, spans, RNG.uniform(2, 12, 64), RNG.random(64) < 0.3, strict=True
        )
    ]
    theirs = evaluate(("ticks.js", "numerals.js"), f"({TICKS})(data)", jobs)
    for job, (ticks, texts) in zip(jobs, theirs, strict=True):
        ours = nice_ticks(*job)
        assert ours == pytest.approx(ticks, rel=1e-14, abs=0), job
        assert tick_texts(ours) == texts, job


def test_scales_lead_to_the_same_places_and_back():
    jobs = [
        (0, 53, None, [0, 7.5, 53]),
        (2, 2, None, [2]),
        (0, 10, 1e-3, [0, 2e-4, 1e-3, 0.5, 10]),
        (0, 1e5, 1e-7, [0, 1e-7, 1, 1e5]),
    ]
    theirs = evaluate(("track.js",), f"({SCALES})(data)", jobs)
    for (low, high, floor, values), (shares, back, ticks) in zip(
        jobs, theirs, strict=True
    ):
        scale = ruler(low, high, floor)
        own = scale.share(np.array(values, dtype=float))
        assert own == pytest.approx(shares)
        assert scale.value(own) == pytest.approx(back)
        assert [list(tick) for tick in scale.ticks(6)] == ticks
