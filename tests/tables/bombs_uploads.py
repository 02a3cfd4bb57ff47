"""Uploads made to harm, each read in a process of its own: memory and time.

``python -m tests.tables.bombs_uploads`` reads all of them through the door that the
page uses and writes docs/tables/bombs_uploads.md; with titles, only those, and prints.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from halfmoon.pages._parts.export import files
from halfmoon.pages._parts.running.run_server import RunServer, digest_of
from halfmoon.scenario import Upload
from tests.datasets.bombs import BOMBS, SAVED

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "tables" / "bombs_uploads.md"
MEMORY = 300e6  # bytes beyond the points that come out
SECONDS = 2.0  # of CPU, beyond what an honest file of that size may take
HONEST = 0.25  # CPU seconds per MB of file: plain CSV takes 0.1, untidy CSV twice that
WARM = {
    "t.csv": b"a,b,y\n1, 2,p\n2,3,q\n",
    "t.svmlight": b"1 1:1\n-1 1:2\n",
    "t.parquet": b"PAR1",
}


@dataclass(frozen=True)
class Measured:
    """What a file did: bytes of the file, peak above the start, CPU seconds."""

    title: str
    size: int
    peak: float
    seconds: float
    kept: int  # bytes of what came out
    outcome: str
    sound: bool

    @property
    def memory_beyond(self) -> float:
        return self.peak - self.kept

    @property
    def seconds_beyond(self) -> float:
        return self.seconds - HONEST * self.size / 1e6


def peak() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024.0 * next(int(x.split()[1]) for x in lines if x.startswith("VmHWM"))


def read(content: bytes, name: str) -> tuple[int, str, bool]:
    """Take a file in as the page does: bytes kept, what is said, whether it may be."""
    try:
        if name.endswith(".json"):
            _, remarks, file = files.read_saved(content)
            said = " ".join(remarks) or "opened"
            return len(file or b""), said, True
        data = RunServer(1).table(Upload(digest_of(content), name), content)
    except ValueError as error:
        said = str(error)
        return 0, said, type(error) is ValueError and "\n" not in said
    except Exception as error:  # what a page would end with
        return 0, repr(error), False
    kept = data.X.data.nbytes + data.y.nbytes
    return kept, f"{data.n} x {data.dims} points", True


def measure(title: str) -> Measured:
    """Read a bomb in a child of this process, which has everything imported."""

    def make() -> list:
        content, name = {**BOMBS, **SAVED}[title]()
        path.write_bytes(content)
        return [name]

    def take() -> list:
        content = path.read_bytes()
        before, start = peak(), time.process_time()
        kept, said, sound = read(content, name)
        seconds = time.process_time() - start
        return [len(content), peak() - before, seconds, kept, said, sound]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bomb"
        [name] = in_child(make)
        facts = in_child(take)
    return Measured(title, *(facts or [0, 0.0, 0.0, 0, "the process died", False]))


def in_child(function) -> list | None:
    """What a function gives in a child of this process; None when the child dies."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(theirs, json.dumps(function()).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answer:
        told = answer.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else None


def in_fresh_process(titles: list[str]) -> list[Measured]:
    """Measure bombs from a process that has done nothing else yet."""
    result = subprocess.run(
        [sys.executable, "-m", "tests.tables.bombs_uploads", "--json", *titles],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return [Measured(*json.loads(line)) for line in result.stdout.splitlines()]


def table(measured: list[Measured]) -> str:
    lines = [
        "# Uploads made to harm: memory and time",
        "",
        "Made by `python -m tests.tables.bombs_uploads` (also by `make attack`). Each "
        "file of tests/datasets/bombs.py is read through the door that the page uses, "
        "in a process of its own: peak of resident memory above the start, without the "
        "file itself, and CPU seconds. Allowed are 300 MB beyond the points that come "
        f"out, and 2 s beyond {HONEST} s per MB of file.",
        "",
        "Before, at commit 7200373, with 10 GB of address space, wall time, and on "
        "files of the same make but not these very bytes: a string of 100 kB in "
        "200,000 rows (0.24 MB) took 5.3 GB and 22 s until memory ran out; 200,000 x "
        "5,000 cells (9.9 MB) took 2.3 GB and then asked for 7.5 GiB at once; a header "
        "of 20,000 words took 5.6 s; a cell of 140,000 characters and a byte-order "
        "mark alone ended in an error page.",
        "",
        "| file | MB | memory, MB | CPU s | what is said |",
        "|---|---|---|---|---|",
    ]
    for m in measured:
        said = m.outcome.replace("|", "\\|")
        lines.append(
            f"| {m.title} | {m.size / 1e6:.2f} | {m.peak / 1e6:.0f} | "
            f"{m.seconds:.2f} | {said} |"
        )
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    as_json = arguments[:1] == ["--json"]
    wanted = arguments[1:] if as_json else arguments
    for name, content in WARM.items():
        read(content, name)
    measured = []
    for title in wanted or [*BOMBS, *SAVED]:
        measured.append(measure(title))
        last = measured[-1]
        if as_json:
            print(json.dumps(list(vars(last).values())), flush=True)
        else:
            print(f"{last.title}: {last.peak / 1e6:.0f} MB, {last.seconds:.2f} s")
            print(f"    {last.outcome}", flush=True)
    if not wanted:
        OUT.write_text(table(measured))


if __name__ == "__main__":
    main(sys.argv[1:])
