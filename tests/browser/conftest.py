"""Fixtures for tests that drive the app in a real Chromium.

`serve(script)` starts Streamlit and gives an address, `page` opens a window on it.
When a test ends, its pages must have logged no error and asked no other machine.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium(playwright):
    """Path of a Chromium: the system's, else the one Playwright downloaded."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; without one the test is skipped, in CI it fails."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        path = find_chromium(playwright)
        if path is None:
            reason = (
                "no Chromium found: install the system's chromium package or run "
                "`playwright install chromium`"
            )
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until_healthy(address, process):
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            pytest.fail(f"streamlit ended with code {process.returncode}.")
        try:
            with urlopen(f"{address}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"streamlit did not answer within {START_SECONDS} s.")


@pytest.fixture(scope="session")
def serve():
    """``serve(script)`` starts Streamlit once for each script; returns its address."""
    running = {}

    def start(script):
        script = str(ROOT / script)
        if script not in running:
            port = free_port()
            command = [sys.executable, "-m", "streamlit", "run", script]
            options = {
                "server.port": port,
                "server.address": "127.0.0.1",
                "server.headless": "true",
                "server.fileWatcherType": "none",
                "browser.gatherUsageStats": "false",
            }
            command += [f"--{name}={value}" for name, value in options.items()]
            env = os.environ | {
                "PYTHONPATH": str(ROOT),
                "OMP_NUM_THREADS": "1",
                "OPENBLAS_NUM_THREADS": "1",
            }
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=env,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            address = f"http://127.0.0.1:{port}"
            running[script] = process, address
            wait_until_healthy(address, process)
        return running[script][1]

    yield start
    for process, _ in running.values():
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def new_page(browser):
    """``new_page(width=, height=, **context_options)`` opens a window that is watched.

    Console errors, uncaught exceptions and requests to other machines are kept in
    ``page.problems``, and the test fails at its end if there are any.
    """
    opened = []

    def is_local(url):
        parts = urlsplit(url)
        return parts.scheme in ("data", "blob") or parts.hostname in (
            "127.0.0.1",
            "localhost",
        )

    def start(width=1440, height=900, **options):
        context = browser.new_context(
            viewport={"width": width, "height": height}, **options
        )
        page = context.new_page()
        page.problems = problems = []

        def on_console(message):
            if message.type == "error":
                problems.append(f"console: {message.text}")

        def on_request(request):
            if not is_local(request.url):
                problems.append(f"request: {request.url}")

        page.on("console", on_console)
        page.on("pageerror", lambda error: problems.append(f"exception: {error}"))
        page.on("request", on_request)
        opened.append((context, problems))
        return page

    yield start
    found = [problem for _, problems in opened for problem in problems]
    for context, _ in opened:
        context.close()
    assert not found, found


@pytest.fixture
def page(new_page):
    """A watched desktop window of 1440 x 900, light."""
    return new_page()
