"""Colours of the field: Python and the stage's JavaScript have the same tables."""

import base64

import numpy as np
import pytest

from halfmoon import stage
from ssl_core.viz.shading import STRONGEST, lead, region_shades, shades, winners
from ssl_core.viz.theme import DARK, LIGHT
from tests.javascript import FIELD, evaluate

TABLE = """(async ([block, dark]) => {
  const view = await unpack(Uint8Array.from(atob(block), (c) => c.charCodeAt(0)));
  const field = new Field(view);
  field.setTheme(dark ? DARK : LIGHT);
  return Array.from(field.table, (v) => [v & 255, (v >> 8) & 255, (v >> 16) & 255]);
})(data)"""


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("k", [2, 3])
def test_a_colour_is_that_of_the_stage_at_the_same_output(k, theme):
    view = stage.StageView(
        points=np.zeros((1, 2)),
        given=np.array([-1]),
        class_names=("a", "b", "c")[:k],
        extent=(0.0, 1.0, 0.0, 1.0),
        frame_t=np.array([0]),
        field=np.zeros((1, 2, 2, *((k,) if k > 2 else ()))),
    )
    block = base64.b64encode(stage.payload(view)).decode()
    modules = (*FIELD, "theme.js")
    table = np.array(evaluate(modules, TABLE, [block, theme.name == "dark"]))
    if k == 2:
        f = (np.arange(512) - 255.5) / 255.5 * STRONGEST
        np.testing.assert_array_equal(shades(f, theme), table)
        np.testing.assert_array_equal(shades([-9, 9], theme), table[[0, -1]])
    else:
        size = (np.arange(256) + 0.5) / 256 * STRONGEST
        F = np.concatenate([size[:, None] * np.eye(k)[j] for j in range(k)])
        np.testing.assert_array_equal(region_shades(F, theme), table)


def test_a_lead_is_that_over_the_best_of_the_others():
    F = np.random.default_rng(0).normal(size=(50, 4))
    best, size = winners(F)
    leads = np.stack([lead(F, j) for j in range(4)], axis=-1)
    np.testing.assert_array_equal(leads.argmax(axis=-1), best)
    np.testing.assert_array_equal(leads.max(axis=-1), size)
    assert ((leads > 0).sum(axis=-1) == 1).all()
