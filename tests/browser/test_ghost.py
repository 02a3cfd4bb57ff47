"""The run before on the stage: dotted, told in a sentence, switched off and on."""

import pytest

from halfmoon.scenario import default
from tests.browser.playground import APP, Playground

pytestmark = pytest.mark.browser
HARD = default().with_data_knob("noise", 0.22)
PICTURE = """
  const sheet = document.createElement("canvas");
  sheet.width = s.size.width; sheet.height = s.size.height;
  const ctx = sheet.getContext("2d", { willReadFrequently: true });
  s.renderer.drawScene(ctx, s.player.position, 1);
  const pixels = ctx.getImageData(0, 0, sheet.width, sheet.height).data;
  const now = new Uint32Array(pixels.buffer), kept = (window.kept ??= now);
  return now.reduce((sum, v, i) => sum + (v !== kept[i]), 0);
"""


def unlike(playground):
    """How many pixels differ from the picture at the first time of asking."""
    return playground.ask(PICTURE)


def test_a_label_leaves_the_run_before_as_a_ghost(page, serve):
    playground = Playground(page, serve(APP), HARD).ready()
    root = playground.root
    before = root.locator("[data-role=before]")
    assert before.is_hidden()
    height, run = playground.ask("return s.size.height;"), playground.run_id()
    old = playground.ask("return s.view.tiles[1].values.at(-1);")
    root.locator(".hm-area").focus()
    page.keyboard.press("2")
    _, x, y = playground.lonely(60, 6)[20]
    page.mouse.click(x, y)
    playground.wait_new_run(run)
    playground.settle()
    words = before.locator("p").inner_text()
    assert words.startswith("One more label: ")
    assert playground.ask("return s.size.height;") == height  # nothing moved
    new = playground.ask("return s.view.tiles[1].values.at(-1);")
    rates = [float(v.removesuffix(" %")) for v in (old, new)]
    change = root.locator(".hm-tile i").nth(1)
    told = float(change.inner_text().replace("−", "-").replace("±", ""))
    assert told == pytest.approx(rates[1] - rates[0], abs=0.11)

    # The figures are those of the ends: elsewhere nothing is compared.
    sent = playground.number("requests")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("i => i.textContent === ''", arg=change.element_handle())
    page.keyboard.press("End")
    page.wait_for_function("i => i.textContent !== ''", arg=change.element_handle())

    # Without it the picture is another, and so are the curves.
    assert unlike(playground) == 0
    page.keyboard.press("b")
    button = before.get_by_role("button", name="Previous run")
    assert button.get_attribute("aria-pressed") == "false"
    assert playground.ask("return s.panels.every((p) => !p.ghostShown);")
    page.wait_for_function("i => i.textContent === ''", arg=change.element_handle())
    assert unlike(playground) > 200
    button.click()
    assert playground.ask("return s.ui.ghost;")
    assert unlike(playground) == 0

    # Flipped points are ringed where they are.
    count = playground.ask("return s.view.arrays.ghost_flipped.data.length;")
    assert f"{count} prediction" in words
    before.get_by_role("button", name="Flipped").click()
    assert unlike(playground) > 30 * min(count, 3)
    assert playground.number("requests") == sent


def test_while_a_point_is_dragged_the_ghost_is_the_run_before_it(page, serve):
    playground = Playground(page, serve(APP), HARD).ready()
    history = page.evaluate("history.length")
    i, x, y = playground.lonely(60, 6)[10]
    playground.press("Drag")
    page.mouse.move(x, y)
    page.mouse.down()
    words = playground.root.locator("[data-role=before] p")
    for step in range(40):
        page.mouse.move(x + 2 * step, y - step)
        page.wait_for_timeout(40)
        if words.text_content().startswith("One point moved: "):
            break
    assert words.text_content().startswith("One point moved: ")
    assert playground.ask("return s.log.stroke !== null;")
    page.mouse.move(x + 100, y - 60, steps=5)
    page.mouse.up()
    scenario = playground.wait_scenario(lambda s: len(s.drawing.moved) == 1)
    playground.settle()
    assert scenario.drawing.moved[0][0] == i
    assert words.text_content().startswith("One point moved: ")
    assert page.evaluate("history.length") == history + 1  # one step back, too
