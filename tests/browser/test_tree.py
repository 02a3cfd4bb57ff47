"""The search tree beside the stage, in a real browser: it grows with the cursor."""

import pytest

from halfmoon.scenario import default
from tests.browser.quiet import wait_until_quick, wait_until_quiet

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
PATIENCE = 90_000  # milliseconds; software rendering on a busy machine is slow
STAGE = "[...(window.halfmoonStages ?? [])][0]"
TREE = f"{STAGE}?.panels?.find((panel) => panel.kind === 'tree')"
READY = f"() => {STAGE}?.root.dataset.ready === '1' && Boolean({TREE})"
SHOWN = f"""() => {{
    const tree = {TREE}, frames = [0, 1, 0.3, 0.7, 1].map((share, i) =>
        i === 1 ? 1 : Math.round(share * (tree.counts.length - 1)));
    return frames.map((frame) => {{
        const looked = tree.examined.filter((at) => at <= frame).length;
        const told = tree.counts[frame].slice(0, tree.fates).reduce((a, b) => a + b);
        return [frame, looked, told, tree.openAt(frame).length,
                tree.counts[frame][tree.fates]];
    }});
}}"""
# The pixel of a node that was looked at half way, and the frame where that was.
HALF_WAY = f"""() => {{
    const tree = {TREE}, half = Math.round(tree.counts.length / 2);
    const row = tree.now[half], {{ xs, ys }} = tree.sheet.lay.places;
    return [xs[row], ys[row], tree.examined[row]];
}}"""


def test_the_tree_grows_with_the_cursor_and_leads_it(page, serve):
    scenario, sent = default().with_algorithm("branch_and_bound"), []
    page.on(
        "websocket", lambda socket: socket.on("framesent", lambda m: sent.append(m))
    )
    page.goto(f"{serve('app.py')}/?{scenario.to_query()}")
    page.wait_for_function(READY, timeout=PATIENCE)
    wait_until_quiet(page.locator(".hm-stage").first)
    sent.clear()
    for _, looked, told, drawn_open, told_open in page.evaluate(SHOWN):
        assert looked == told
        assert drawn_open == told_open
    canvas = page.locator(".hm-panel canvas[aria-label^='The search tree']")
    canvas.scroll_into_view_if_needed()
    page.wait_for_function(f"() => Boolean({TREE}.sheet)")
    label = canvas.get_attribute("aria-label")
    assert "pruned by bound" in label
    assert ", proved" in label
    x, y, frame = page.evaluate(HALF_WAY)
    canvas.click(position={"x": x, "y": y})
    assert page.evaluate(f"{STAGE}.player.frame") == frame
    page.wait_for_function(
        f"() => {TREE}.canvas.getAttribute('aria-label').includes(', gap ')"
    )
    by_bound = page.get_by_role("button", name="Height by bound")
    by_bound.focus()
    page.keyboard.press("Enter")
    assert by_bound.get_attribute("aria-pressed") == "true"
    page.wait_for_function(f"() => {TREE}.sheet.lay.ticks.length > 1")
    wait_until_quick(page, 20, timeout=PATIENCE)
    assert not sent  # the server was asked nothing
