"""Pictures in files show what the stage shows, pixel by pixel.

Inside the plane, at two pixels to the unit. A pixel is right where each of its colours
lies among those of the stage around it (one pixel to each side, for antialiased edges)
and the other way round, but for `NEAR`. At most `FAR` of all pixels may be wrong, a
fifth of what one missing ring makes wrong, and all colours together may differ by
`MEAN` on average.
"""

import base64
from io import BytesIO
from unittest.mock import patch

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import maximum_filter, minimum_filter

from halfmoon import __version__
from halfmoon.views.pictures import picture, points, stage
from halfmoon.views.pictures.page import PAD
from halfmoon.views.pictures.sheet import SHARP
from tests.browser.demo import Demo
from tests.browser.pictured import view_of

pytestmark = pytest.mark.browser
MEAN, NEAR, FAR = 1.0, 16, 1e-4  # of 255, of 255, of all pixels
SHOWN = [("three", "dark"), ("beliefs", "light")]
SHOWN += [(name, "light") for name in ("moons", "pcg", "clock")]
MORE = [("moons", "dark"), ("circles", "light"), ("three", "light")]  # make attack
SHOWN += [pytest.param(*row, marks=pytest.mark.slow) for row in MORE]
SHIFT = np.array([1.5, 0])  # units: three pixels
SCENE = """const made = document.createElement("canvas");
made.width = {scale} * s.size.width;
made.height = {scale} * s.size.height;
const ctx = made.getContext("2d");
ctx.scale({scale}, {scale});
ctx.fillStyle = s.theme.background;
ctx.fillRect(0, 0, s.size.width, s.size.height);
s.renderer.drawScene(ctx, {frame}, {scale});
return [s.size.width, s.size.height, made.toDataURL("image/png").split(",")[1]];"""


def inside(png, view, size, start):
    """Colours inside of the plane, without its edge."""
    colours = np.asarray(Image.open(BytesIO(png)).convert("RGB")).astype(float)
    left, top, width, height = SHARP * np.array(stage.plane_box(view, size).box)
    left, top = left + SHARP * start, top + SHARP * start
    rows = slice(int(top) + SHARP + 1, int(top + height) - SHARP)
    return colours[rows, int(left) + SHARP + 1 : int(left + width) - SHARP]


def beyond(one, other):
    """How far colours lie outside of those around the same pixel."""
    low, high = (f(other, size=(3, 3, 1)) for f in (minimum_filter, maximum_filter))
    return np.maximum(one - high, low - one).max(axis=-1)


def compared(one, other):
    """Mean difference of colours, and the share of pixels that are wrong."""
    wrong = np.maximum(beyond(one, other), beyond(other, one)) > NEAR
    return np.abs(one - other).mean(), wrong.mean()


@pytest.fixture
def scene(new_page, serve):
    """``scene(name, frame, theme)``: what the stage shows, and the size it has."""

    def ask(name, frame, theme):
        address = serve("tests/browser/pictures_demo.py")
        demo = Demo(new_page(color_scheme=theme), address, f"view={name}")
        *size, block = demo.ask(SCENE.format(scale=SHARP, frame=frame))
        return inside(base64.b64decode(block), view_of(name), size, 0), size

    return ask


def drawn(name, frame, theme, size):
    view = view_of(name)
    made = picture(view, "png", frame=frame, theme=theme, size=size)
    return inside(made, view, size, PAD)


@pytest.mark.parametrize(("name", "theme"), SHOWN)
def test_a_picture_shows_what_the_stage_shows(scene, name, theme):
    frame = view_of(name).n_frames - 1
    shown, size = scene(name, frame, theme)
    mean, far = compared(shown, drawn(name, frame, theme, size))
    assert mean <= MEAN
    assert far <= FAR


def one_ring_less():
    """Rings but for the first that is asked for."""
    found, marked = [], points.marked

    def less(rows, frame, i):
        found.append(marked(rows, frame, i))
        return found[-1] and sum(found) > 1

    return less


def test_wrong_colours_a_boundary_elsewhere_and_a_missing_ring_are_found(scene):
    shown, size = scene("moons", 1, "light")
    colours, from_grid = stage.colours, stage.PlaneBox.from_grid
    wrong = [
        patch.object(stage, "colours", lambda *args: colours(*args)[..., ::-1]),
        patch.object(stage, "colours", lambda *args: colours(*args)[::-1]),
        patch.object(stage.PlaneBox, "from_grid", lambda *a: from_grid(*a) + SHIFT),
        patch.object(points, "marked", one_ring_less()),
    ]
    for change in wrong:
        with change:
            mean, far = compared(shown, drawn("moons", 1, "light", size))
        assert mean > MEAN or far > 2 * FAR


def saved_picture(playground):
    """Width and height of the stage's own PNG."""
    root = playground.page.locator(".hm-stage").first
    with playground.page.expect_download() as waiting:
        root.locator("[data-export=picture]").evaluate("button => button.click()")
    with Image.open(waiting.value.path()) as png:
        return png.size


def test_the_stages_own_picture_says_what_it_shows_unless_caption_is_off(standing):
    about = standing.ask("return s.view.about;")
    assert about.endswith(f"Halfmoon {__version__}.")
    box = standing.page.locator(".hm-stage [data-role=captioned]").first
    sizes = []
    for _ in range(2):
        sizes.append(saved_picture(standing))
        box.evaluate("box => box.click()")
    (width, with_words), (same, without) = sizes
    assert width == same
    assert with_words > without
