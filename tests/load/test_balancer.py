"""Two servers behind nginx as docs/deployment.md has it: visitors stay where they are.

Skipped where there is no nginx; `NGINX_PROGRAM` may name one that is not on the path.
"""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
import requests

from halfmoon.scenario import UPLOAD
from tests.load.client import ROOT, Client, Server, run

NGINX = os.environ.get("NGINX_PROGRAM") or shutil.which("nginx")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(NGINX is None, reason="there is no nginx here"),
]
TABLE = b"a,b,kind\n" + b"".join(
    b"%d,%d,%s\n" % (i, i * i % 7, b"xy"[i % 2 : i % 2 + 1]) for i in range(40)
)


class Balancer:
    """nginx with the notes' configuration, as far as a visitor sees a server."""

    def __init__(self, folder: Path, ports):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        notes = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```nginx\n(.*?)```", notes, re.DOTALL)
        config = next(block for block in blocks if "map $cookie" in block)
        config = config.replace("listen 80;", f"listen 127.0.0.1:{self.port};")
        for written, port in zip((8501, 8502), ports, strict=True):
            config = config.replace(f"127.0.0.1:{written}", f"127.0.0.1:{port}")
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "\n".join(f"{k}_temp_path {folder}/{k};" for k in kinds)
        text = (
            f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\n"
            f"events {{}}\nhttp {{ access_log off;\n{folders}\n{config}\n}}\n"
        )
        (folder / "nginx.conf").write_text(text, encoding="utf-8")
        command = [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        self.process = subprocess.Popen(command)

    def close(self):
        self.process.terminate()
        self.process.wait(10)

    def cookie(self) -> dict[str, str]:
        """What a browser has after its first request."""
        end = time.monotonic() + 10
        while True:
            try:
                answer = requests.get(f"http://127.0.0.1:{self.port}/", timeout=10)
                break
            except requests.ConnectionError:
                assert time.monotonic() < end
                time.sleep(0.1)
        assert answer.status_code == 200
        return {"halfmoon_server": answer.cookies["halfmoon_server"]}


def visitors_of(log: Path) -> int:
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    entries = map(json.loads, lines)
    return len({e["run"]["visitor"] for e in entries if "run" in e})


def test_visitors_stay_with_their_server_and_a_link_survives_its_end(tmp_path):
    logs = [tmp_path / "one", tmp_path / "two"]
    servers = [Server(env={"HALFMOON_LOG": str(log)}) for log in logs]
    balancer = Balancer(tmp_path, [server.port for server in servers])

    async def visit(number):
        cookie = balancer.cookie()
        async with Client(balancer, seed=number, cookies=cookie) as client:
            assert await client.settled(120)
            await client.put(client.find("data"), UPLOAD)
            await client.settled()
            # The file goes over another connection than the page's.
            await client.upload("upload", "mine.csv", TABLE)
            assert await client.settled()
            assert len(client.stage.given) == 40
            await client.put(client.find("data"), "two_moons")
            assert await client.settled()
            i = int((client.stage.given < 0).argmax())
            await client.label(i, 1)
            assert await client.settled()
            assert client.exceptions == []
            return cookie, client.query, client.stage.given.tolist()

    async def come_back(cookie, query, given):
        async with Client(balancer, query=query, cookies=cookie) as client:
            assert await client.settled(120)
            assert client.stage.given.tolist() == given

    async def everything():
        found = await asyncio.gather(*(visit(i) for i in range(8)))
        assert all(visitors_of(log) for log in logs)  # both had some of them
        assert sum(map(visitors_of, logs)) == 8  # and nobody was at both
        await asyncio.to_thread(servers[0].close)
        await asyncio.gather(*(come_back(*one) for one in found))

    try:
        run(everything())
    finally:
        balancer.close()
        for server in servers:
            server.close()
