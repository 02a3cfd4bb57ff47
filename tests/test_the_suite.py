"""The suite about itself: what it says without a browser, and its order."""

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ORDER, place_in_order
from tests.hostile import HOSTILE

TESTS = Path(__file__).parent


def run_without_browser(folder, *options, **changes):
    """Lines and exit code of some browser tests where no Chromium can be found."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "CI"))}
    env |= {"PATH": "", "PLAYWRIGHT_BROWSERS_PATH": str(folder)} | changes
    few = "tests/browser/test_words.py"
    command = [sys.executable, "-m", "pytest", *options, few, "-k", "select_boxes"]
    done = subprocess.run(
        command, cwd=TESTS.parent, env=env, capture_output=True, text=True, timeout=200
    )
    return done.stdout.splitlines(), done.returncode


def test_without_a_browser_the_last_lines_say_so(tmp_path):
    lines, code = run_without_browser(tmp_path, "-n", "1")
    assert code == 0, lines
    *_, heading, sentence, totals = lines
    assert "The browser was not tested" in heading
    assert f"{len(HOSTILE)} tests were skipped" in sentence
    assert "playwright install chromium" in sentence
    assert f"{len(HOSTILE)} skipped" in totals


def test_without_a_browser_nothing_passes_in_ci(tmp_path):
    lines, code = run_without_browser(tmp_path, "-x", CI="true")
    assert code == 1, lines
    assert any("no browser found" in line for line in lines)


def test_with_workers_the_browser_comes_first_and_long_rooms_come_last():
    places = {
        file: place_in_order(TESTS / file)
        for file in ("browser/test_stage.py", "test_trace.py", "pages/test_desk.py")
    }
    assert list(places.values()) == sorted(places.values())
    assert place_in_order(TESTS / "new_room" / "test_new.py") == len(ORDER)


def test_every_room_in_the_order_is_there():
    assert all((TESTS / name).exists() for name in ORDER)
