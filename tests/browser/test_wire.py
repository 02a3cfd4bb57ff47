"""What a label costs between server and browser."""

import pytest

from tests.browser.playground import APP, Playground

pytestmark = pytest.mark.browser
# 152 kB were measured, with fields of 16 bits. With the code sent
# each time it was 348 kB, when fields had 8 bits.
LABEL_BYTES = 170_000


def test_a_label_sends_its_run_and_not_the_code_again(page, serve):
    received = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: received.append(data)),
    )
    playground = Playground(page, serve(APP)).ready()
    for _ in range(3):
        received.clear()
        run = playground.run_id()
        (_, x, y), *_ = playground.lonely(1)
        page.mouse.click(x, y)
        playground.wait_new_run(run)
        assert 10_000 < sum(map(len, received)) < LABEL_BYTES
