"""The image and the notes on running it: what they name is there, and it works.

There is no Docker where the tests run. What the Dockerfile copies is put into an empty
folder, its last RUN and its CMD are carried out there as written, and the health check
asks the server that this starts.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from halfmoon import PARTS
from halfmoon.pages._parts.running import ledger
from halfmoon.pages._parts.running.run_limits import limits
from halfmoon.pages._parts.running.run_server import TRACE_BYTES, TRACE_SHARE
from ssl_core import make
from ssl_core.estimators.budget import Size, need_of
from tests.load.client import Client, run

ROOT = Path(__file__).parents[1]
NOTES = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")


def instructions():
    """(word, rest) of each instruction of the Dockerfile, lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [line.split(" ", 1) for line in joined.splitlines() if line.strip()]


def all_of(word):
    return [rest for name, rest in instructions() if name == word]


def copied():
    """(source, target) of all that the image holds of the project."""
    for rest in all_of("COPY"):
        *sources, target = rest.split()
        for source in sources:
            yield source, source if target == "./" else target


def ignored(name):
    patterns = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    return f"!{name}" not in patterns


def test_what_the_image_copies_is_there_and_not_ignored():
    pairs = list(copied())
    assert len(pairs) > 5
    for source, _ in pairs:
        assert (ROOT / source).exists(), source
        assert not ignored(source), source
    assert all(ignored(name) for name in ("tests", ".git", ".venv", "data"))


def test_the_image_serves_without_root_and_is_asked_for_its_health():
    words = [word for word, _ in instructions()]
    assert all_of("USER") == ["halfmoon"]
    assert words.index("USER") < words.index("CMD")
    assert "slim" in all_of("FROM")[0]
    assert "/_stcore/health" in all_of("HEALTHCHECK")[0]
    assert all_of("RUN")[1].endswith("pip install -r requirements.txt")
    assert "HALFMOON_DATA=/data" in all_of("ENV")[0]
    assert all_of("VOLUME") == ["/data"]


def as_command(text):
    """A command of the image, with this Python."""
    words = json.loads(text) if text.startswith("[") else text.split()
    assert words[0] == "python"
    return [sys.executable, *words[1:]]


class Started:
    """A server as `tests.load.client.Server`, already under way."""

    def __init__(self, port):
        self.port = port


@pytest.mark.slow
def test_the_image_s_commands_compile_start_the_app_and_find_it_healthy(tmp_path):
    app, data = tmp_path / "app", tmp_path / "data"
    app.mkdir()
    data.mkdir()
    leave_out = shutil.ignore_patterns("__pycache__", "secrets.toml")
    for source, target in copied():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, app / target, ignore=leave_out)
        else:
            shutil.copy(ROOT / source, app / target)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    cache, log = tmp_path / "cache", tmp_path / "log"
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env |= {
        "NUMBA_CACHE_DIR": str(cache),
        "HALFMOON_DATA": str(data),
        "HALFMOON_LOG": str(log),
    }
    subprocess.run(
        as_command(all_of("RUN")[-1]), cwd=app, env=env, check=True, timeout=280
    )
    assert len(list(cache.rglob("*.nbi"))) > 10  # compiled code is in the image
    command = [word.replace("8501", str(port)) for word in as_command(all_of("CMD")[0])]
    command += ["--server.address=127.0.0.1"]  # nobody else is to see it
    server = subprocess.Popen(command, cwd=app, env=env, stdout=subprocess.DEVNULL)
    try:
        asked = all_of("HEALTHCHECK")[0].split("CMD ", 1)[1].replace("8501", str(port))
        end = time.monotonic() + 60
        while subprocess.run(
            as_command(asked), check=False, stderr=subprocess.DEVNULL
        ).returncode:
            assert time.monotonic() < end
            time.sleep(0.5)

        async def visit():
            async with Client(Started(port)) as client:
                assert await client.settled(120)
                assert client.exceptions == []
                assert len(client.stage.given) > 10

        run(visit())
    finally:
        server.terminate()
        server.wait(20)
    assert '"end": "done"' in log.read_text(encoding="utf-8")


def test_every_variable_that_is_read_is_in_the_notes():
    read = set()
    for folder in ("ssl_core", *PARTS):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            read |= set(re.findall(r'"(HALFMOON_[A-Z_]+)"', text))
    assert len(read) >= 7
    assert read == set(re.findall(r"`(HALFMOON_[A-Z_]+)` \|", NOTES))


def test_the_sizes_in_the_notes_are_those_of_the_code():
    header = re.search(r"\| memory \|(.*)\|\n", NOTES)[1]
    names = re.findall(r"`(\w+)`", header)
    rows = re.findall(r"\| (\d+) GB \|(.*)\|\n", NOTES)
    assert len(names) == 3
    assert len(rows) == 4
    for memory, cells in rows:
        bounds = limits({"HALFMOON_MEMORY": f"{memory}000"})
        trace = min(TRACE_BYTES, TRACE_SHARE * bounds.run)
        for name, cell in zip(names, cells.split("|"), strict=True):
            n = int(re.sub(r"\D", "", cell))
            est = make(name)
            needs = [need_of(est, Size(m, 20, 2, 16 * m), trace) for m in (n, n + 100)]
            assert needs[0] <= bounds.run < needs[1]


def test_the_log_tells_of_runs_and_figures_and_of_no_visitor(tmp_path, monkeypatch):
    from halfmoon.pages._parts.running.job import Owner
    from halfmoon.pages._parts.running.run_server import RunServer
    from halfmoon.scenario import default

    monkeypatch.setattr(ledger.LOG, "handlers", [])
    monkeypatch.setattr(ledger.LOG, "level", ledger.LOG.level)
    monkeypatch.setattr(ledger.LOG, "propagate", True)
    path = tmp_path / "log"
    ledger.open_log(str(path))
    server = RunServer(1)
    for owner in ("a secret session", "another one", "a secret session"):
        server.ask(default().with_seed(len(owner)), Owner(owner)).outcome()
    server.ask(default().with_data_knob("n", 30), Owner("another one")).outcome()
    ledger.write("figures", server.figures())
    ledger.LOG.handlers[0].close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["run"]["visitor"] for line in lines[:-1]] == [1, 2, 2]
    assert lines[0]["run"]["end"] == "done"
    assert lines[0]["run"]["cpu"] > 0
    assert lines[0]["run"]["n"] == 200
    assert lines[-1]["figures"]["caches"]["runs"]["entries"] == 3
    assert "secret" not in path.read_text()
