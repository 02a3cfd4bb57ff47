"""Visitors with a solve under way for each: is anybody starved, what does it cost?

    python -m tests.load.solving --visitors 20 --seconds 180

starts the app and lets visitors come at once. Each opens a run of its own (other data,
about one second of CPU), clicks a label, waits for the answer of the run that this
begins, and clicks the next: no answer comes from a cache. In the end each clicks once
more and closes the tab a second later, in the middle of the run.

Fixed before any result was seen:

- **The answer** is the first view of a finished run after a click. Its price is given
  in CPU seconds: those of its own run, and those that the whole server used from the
  click to the answer. The latter grow with waiting and not with what else the machine
  does. Median and 95th percentile are over all answers.
- **A run's wait** is all its time in the queue, before its first turn and between
  turns. **Nobody is starved** when the largest wait of a run is at most `STARVED` times
  the mean over all runs, and the largest mean of a visitor at most `STARVED` times the
  mean over visitors. Runs of closed tabs do not count.
- **Memory** is resident memory: before, `PAUSE` seconds after visitors of the same kind
  (the warm-up) left; after, `REST` seconds after they left. It is back when it is at
  most `BACK` times what it was.
- **Runs of closed tabs** must have ended `GONE` seconds after the last one closed.

It writes its part of docs/tables/visitors.md and ends with code 1 when one of these
does not hold, or an exception was shown, or a label was lost.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from halfmoon.scenario import default
from tests.load.client import Client, Server
from tests.load.visitors import BACK, REST, TABLE, watch_memory, write_part

STARVED = 3.0
GONE = 10.0  # seconds
PAUSE = 30.0
SOON = 0.03  # seconds between two looks at the stage
LONGEST = 180.0  # seconds that somebody waits for an answer
SIZE = {"n": 2000, "max_iter": 800}


def scenario_of(number: int, n: int, max_iter: int):
    """A run that takes all its iterations, on data that nobody else has."""
    return (
        default()
        .with_data_knob("n", n)
        .with_seed(1000 + number)
        .with_parameter("gamma_A", 1e-8)
        .with_parameter("tol", 0.0)
        .with_parameter("max_iter", max_iter)
    )


@dataclass
class Answer:
    seconds: float
    server_cpu: float


@dataclass
class Visit:
    """What one visitor saw."""

    answers: list[Answer] = field(default_factory=list)
    told_place: int = 0  # different texts that named a place in line
    lost: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    unanswered: int = 0
    closed: float = 0.0  # when the tab was, by the clock of the log


@dataclass
class Solving:
    """What came out of a crowd."""

    visits: list[Visit]
    runs: list[dict]  # as the server logged them, those of closed tabs apart
    left: list[dict]  # and those
    figures: dict
    seconds: float
    cpu: float
    before: int = 0
    peak: int = 0
    after: int = 0

    @property
    def answers(self) -> list[Answer]:
        return [answer for visit in self.visits for answer in visit.answers]

    @property
    def by_visitor(self) -> dict[int, float]:
        """Mean wait of each visitor's runs."""
        waits = defaultdict(list)
        for run in self.runs:
            waits[run["visitor"]].append(run["waited"])
        return {visitor: statistics.fmean(found) for visitor, found in waits.items()}

    @property
    def starved(self) -> tuple[float, float]:
        """Largest wait over the mean: of runs, and of visitors."""
        return tuple(
            max(waits) / max(statistics.fmean(waits), 1e-9)
            for waits in (
                [run["waited"] for run in self.runs],
                list(self.by_visitor.values()),
            )
        )

    @property
    def ended(self) -> float:
        """Seconds from the last closed tab to the end of the last run of one."""
        closed = max(visit.closed for visit in self.visits)
        return max((run["time"] - closed for run in self.left), default=0.0)

    @property
    def faults(self) -> list[str]:
        """Every reason why this is not good enough."""
        found = []
        for name in ("lost", "exceptions", "unanswered"):
            values = [getattr(visit, name) for visit in self.visits]
            count = sum(len(v) if isinstance(v, list) else v for v in values)
            if count:
                found.append(f"{count} {name}")
        if silent := sum(not visit.answers for visit in self.visits):
            found.append(f"{silent} visitors got no answer")
        for what, ratio in zip(("run", "visitor"), self.starved, strict=True):
            if ratio > STARVED:
                found.append(f"the {what} that waited longest: {ratio:.1f} x the mean")
        if self.ended > GONE:
            found.append(f"runs of closed tabs went on for {self.ended:.0f} s")
        if self.after and self.after > BACK * self.before:
            found.append("memory did not come back")
        return found


async def visit(server: Server, number: int, seconds: float, size: dict) -> Visit:
    """One visitor: click, wait for the answer, click again; then close the tab."""
    found = Visit()
    scenario = scenario_of(number, **size)
    async with Client(server, query=scenario.to_query(), seed=number) as client:
        if not await _answered(client, 0):
            found.unanswered += 1
            return found
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            views, start, cpu = client.stage.views, time.monotonic(), server.cpu()
            await _click(client)
            if not await _answered(client, views):
                found.unanswered += 1
                break
            answer = Answer(time.monotonic() - start, server.cpu() - cpu)
            found.answers.append(answer)
        found.lost = [*client.stage.lost(), *client.stage.missing]
        await _click(client)
        await asyncio.sleep(1.0)
        found.exceptions = client.exceptions
        found.told_place = sum(" in line" in text for text in client.progress)
    found.closed = time.time()
    return found


async def _click(client: Client) -> None:
    stage = client.stage
    free = [i for i in range(len(stage.given)) if stage.given[i] < 0]
    i = client.rng.choice([i for i in free if i not in stage.labels])
    await client.label(i, client.rng.randrange(2))


async def _answered(client: Client, views: int) -> bool:
    """Wait until a finished run is on the stage, with all that was clicked."""
    stage, end = client.stage, time.monotonic() + LONGEST
    while time.monotonic() < end:
        new = stage.views > views and not stage.pending
        if new and not stage.header["pending"]:
            return True
        await asyncio.sleep(SOON)
    return False


async def crowd(
    server: Server,
    log: Path,
    visitors: int,
    seconds: float,
    *,
    first: int = 0,
    size: dict = SIZE,
    rest: float = GONE,
) -> Solving:
    """So many visitors for so many seconds, numbered from ``first``."""
    before = server.peak = server.memory()
    begun, cpu, start = time.time(), server.cpu(), time.monotonic()
    watch = asyncio.create_task(watch_memory(server))
    numbers = range(first, first + visitors)
    visits = await asyncio.gather(*(visit(server, i, seconds, size) for i in numbers))
    spent, lasted = server.cpu() - cpu, time.monotonic() - start
    print("they have left", flush=True)
    await asyncio.sleep(rest)
    watch.cancel()
    runs, figures = read_log(log, begun)
    gone = [run for run in runs if run["end"] == "left"]
    stayed = [run for run in runs if run["end"] == "done"]
    found = Solving(visits, stayed, gone, figures, lasted, spent)
    found.before, found.peak, found.after = before, server.peak, server.memory()
    return found


def read_log(log: Path, begun: float) -> tuple[list[dict], dict]:
    """Runs since ``begun``, and the last figures."""
    runs, figures = [], {}
    for line in log.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "figures" in entry:
            figures = entry["figures"]
        elif entry["time"] >= begun:
            runs.append(entry["run"] | {"time": entry["time"]})
    return runs, figures


def share(values, part: float) -> float:
    """The value below which this part of all lies."""
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))]


def report(found: Solving, visitors: int, seconds: float, size: dict) -> str:
    """The result as Markdown."""
    run_ratio, visitor_ratio = found.starved
    waits = [run["waited"] for run in found.runs]
    firsts = [run["first_wait"] for run in found.runs]
    per_visitor = list(found.by_visitor.values())
    counts = [len(visit.answers) for visit in found.visits]
    told = sum(visit.told_place > 0 for visit in found.visits)

    def both(values):
        return f"{statistics.median(values):.2f} s", f"{share(values, 0.95):.2f} s"

    rows = {
        "CPU of the run itself": both([run["cpu"] for run in found.runs]),
        "CPU of the server from click to answer": both(
            [answer.server_cpu for answer in found.answers]
        ),
        "time from click to answer": both([a.seconds for a in found.answers]),
        "wait in the queue, all of it": both(waits),
        "wait in the queue, first turn": both(firsts),
    }
    lines = [
        f"# {visitors} visitors for {seconds:g} seconds, a solve under way for each",
        "",
        f"`python -m tests.load.solving --visitors {visitors} --seconds {seconds:g}` "
        f"writes this part; what is measured stands in that module. "
        f"{os.cpu_count()} cores shared with the visitors themselves, Python "
        f"{platform.python_version()}; lapsvm_pcg on two moons, n = {size['n']}, "
        f"{size['max_iter']} iterations, data of each visitor's own.",
        "",
        "| | median | 95 % |",
        "| --- | ---: | ---: |",
        *(f"| {name} | {a} | {b} |" for name, (a, b) in rows.items()),
        "",
        "| | |",
        "| --- | ---: |",
    ]
    queue = found.figures.get("queue", {})
    single = {
        "answers": f"{len(found.answers):,}",
        "answers of a visitor, fewest and most": f"{min(counts)} and {max(counts)}",
        "wait of a run, mean": f"{statistics.fmean(waits):.2f} s",
        "wait of a run, largest": f"{max(waits):.2f} s, {run_ratio:.2f} x the mean",
        "mean wait of a visitor, mean": f"{statistics.fmean(per_visitor):.2f} s",
        "mean wait of a visitor, largest": (
            f"{max(per_visitor):.2f} s, {visitor_ratio:.2f} x the mean"
        ),
        "places handed over between two states": f"{queue.get('handed_over', 0):,}",
        "visitors who were told their place": f"{told} of {visitors}",
        "runs of closed tabs": len(found.left),
        "seconds until the last of them ended": f"{found.ended:.1f}",
        "labels lost, exceptions shown, clicks unanswered": " and ".join(
            str(sum(map(len, (getattr(v, n) for v in found.visits))))
            for n in ("lost", "exceptions")
        )
        + f" and {sum(v.unanswered for v in found.visits)}",
        "CPU of the server": f"{found.cpu / found.seconds:.2f} of {os.cpu_count()}",
        "memory before they came": f"{found.before / 1e6:,.0f} MB",
        "memory at its peak": f"{found.peak / 1e6:,.0f} MB",
        "memory after they left": f"{found.after / 1e6:,.0f} MB",
    }
    lines += [f"| {name} | {value} |" for name, value in single.items()]
    caches = found.figures.get("caches", {})
    lines += ["", "Caches at the end:", ""]
    lines += ["| cache | entries | MB | of MB | hits | misses | let go |"]
    lines += ["| --- |" + " ---: |" * 6]
    for name, cache in caches.items():
        held, most = cache["bytes"] / 1e6, cache["max_bytes"] / 1e6
        lines.append(
            f"| {name} | {cache['entries']} | {held:,.1f} | {most:,.0f} "
            f"| {cache['hits']:,} | {cache['misses']:,} | {cache['dropped']:,} |"
        )
    return "\n".join(lines) + "\n"


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--warm", type=float, default=15, help="seconds of warm-up")
    parser.add_argument("--rest", type=float, default=REST, help="after they left")
    parser.add_argument("--n", type=int, default=SIZE["n"], help="points of a run")
    parser.add_argument("--max-iter", type=int, default=SIZE["max_iter"])
    parser.add_argument("--out", type=Path, default=TABLE)
    options = parser.parse_args(argv)
    size = {"n": options.n, "max_iter": options.max_iter}

    async def run(server, log):
        many = {"visitors": options.visitors, "size": size}
        await crowd(server, log, **many, seconds=options.warm, first=500, rest=PAUSE)
        print("warm-up is done", flush=True)
        return await crowd(
            server, log, **many, seconds=options.seconds, rest=options.rest
        )

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with Server(env={"HALFMOON_LOG": str(log)}) as server:
            found = asyncio.run(run(server, log))
    text = report(found, options.visitors, options.seconds, size)
    write_part(options.out, text)
    print(text)
    print("; ".join(found.faults) or "Nobody was starved and nothing was lost.")
    return 1 if found.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
