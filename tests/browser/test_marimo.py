"""Halfmoon in marimo: a live stage that answers clicks, and a run that plays."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.browser.jupyter import Stage
from tests.browser.serving import ROOT, free_port, stop_server

pytestmark = [pytest.mark.browser, pytest.mark.slow]  # half a minute of CPU
NOTEBOOK = Path(__file__).with_name("marimo_lab.py")
START_SECONDS = 60


@pytest.fixture
def marimo(tmp_path):
    """Address of the notebook, and the file that gets its labels."""
    port, told = free_port(), tmp_path / "labels.json"
    options = ["--headless", "--no-token", "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "marimo", "run", str(NOTEBOOK), *options],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "HALFMOON_LABELS": str(told)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address, end = f"http://127.0.0.1:{port}", time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            urlopen(f"{address}/health", timeout=2).close()
            break
        except OSError:
            time.sleep(0.2)
    yield address, told
    stop_server(process)


def test_a_click_labels_in_python_and_a_shown_run_plays(marimo, new_page):
    address, told = marimo
    page = new_page()
    page.goto(address)
    live = Stage(page.locator(".hm-stage").first)
    before = live.tell("return s.view.run_id;")
    live.click(7)
    page.wait_for_function(
        "([root, run]) => root.halfmoon.view.run_id !== run",
        arg=[live.root.element_handle(), before],
    )
    assert json.loads(told.read_text())[7] == 0
    frame = page.locator("iframe").last
    frame.scroll_into_view_if_needed()
    recorded = Stage(frame.content_frame.locator(".hm-stage"))
    recorded.tell("s.time.seek(0); s.time.togglePlay();")
    frame.content_frame.locator(".hm-stage:not([data-frame='0'])").wait_for()
