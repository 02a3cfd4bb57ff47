"""Visitors who label, slide and switch at once: what is lost, and what does it cost?

    python -m tests.load.visitors --visitors 20 --seconds 120

starts the app, lets one visitor alone measure what each action costs, then many at
once, and writes the result to docs/tables/visitors.md. It ends with code 1 when an
exception was shown, or a label or a setting was lost, or memory did not come back.
"""

import argparse
import asyncio
import os
import platform
import random
import statistics
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from tests.load.client import ROOT, Client, Server, name_of

PAUSE = (0.02, 1.0)  # seconds between two actions
HURRY = (0.01, 0.05)  # and when someone is quick
REST = 150  # seconds after which Streamlit has forgotten those who left (its TTL: 120)
BACK = 1.2  # memory at the end, at most so many times that after warm-up
TABLE = ROOT / "docs" / "tables" / "visitors.md"
# What a visitor does, and how often.
WEIGHTS = {"label": 60, "slider": 20, "algorithm": 6, "burst": 8, "hurry": 3, "data": 3}
# Sliders of the lessons whose range hangs on the run or on each other.
LOOSE = ("guess", "t", "s", "labels", "seed", "gain", "theta")


@dataclass
class Outcome:
    """What a visitor found at the end."""

    clicks: int = 0
    lost: list[str] = field(default_factory=list)
    unacknowledged: int = 0
    missing: int = 0
    unasked: int = 0
    settings: int = 0
    settings_lost: list[str] = field(default_factory=list)
    exceptions: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    actions: dict[str, int] = field(default_factory=dict)
    bytes: int = 0
    unsettled: bool = False


class Visitor:
    """One person at the app; what they set is kept here, to be looked for later."""

    def __init__(self, client: Client):
        self.client, self.rng = client, client.rng
        self.wanted: dict[str, object] = {}
        self.count: defaultdict[str, int] = defaultdict(int)
        self.switching = False
        self.moves = 0
        self.settings_lost: list[str] = []

    async def play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        kinds, weights = zip(*WEIGHTS.items(), strict=True)
        while time.monotonic() < end:
            if self.client.idle.is_set():
                self.switching = False
            kind = "lesson"
            if self.client.stage.id.endswith("-playground"):
                kind = self.rng.choices(kinds, weights)[0]
            await getattr(self, kind)()
            self.count[kind] += 1
            await asyncio.sleep(self.rng.uniform(*PAUSE))

    # -- what one does ---------------------------------------------------------------

    async def label(self) -> None:
        stage = self.client.stage
        n, k = len(stage.given), len(stage.header["classes"])
        free = [i for i in range(n) if i not in stage.labels] or range(n)
        i = self.rng.choice(free)
        other = [c for c in range(k) if c != stage.given[i]]
        await self.client.label(i, self.rng.choice(other))

    async def slider(self, prefix: str = "param.") -> None:
        ids = [
            i
            for i, proto in self.client.elements.items()
            if type(proto).DESCRIPTOR.name == "Slider"
            and name_of(i).startswith(prefix)
            and not proto.disabled
            and name_of(i).rsplit("_", 1)[-1] not in LOOSE
        ]
        if ids:
            await self.move(self.rng.choice(ids))

    async def move(self, id_: str, *, keep: bool = True) -> None:
        """Put a slider somewhere else; ``keep`` expects it there at the end."""
        if id_ not in self.client.elements:  # it left the page meanwhile
            return
        proto, now = self.client.elements[id_], self.client.value(id_)
        if len(proto.options):
            value = self.rng.choice([o for o in proto.options if [o] != now])
        else:
            steps = round((proto.max - proto.min) / proto.step)
            value = proto.min + proto.step * self.rng.randint(0, steps)
        if "data_" in name_of(id_):  # of a lesson: other points are what it is for
            self.client.asked += 1
        if keep and not self.switching:
            self.wanted[name_of(id_)] = [value]
            self.moves += 1
        await self.client.put(id_, value)

    async def algorithm(self) -> None:
        id_ = self.client.find("algorithm")
        if id_ is None:
            return
        now = self.client.value(id_)
        names = [o for o in self.client.options(id_) if o != now]
        chosen = self.rng.choice(names)
        # What the other algorithm does with the values of this one is its own matter.
        self.wanted = {"algorithm": chosen}
        self.moves += 1
        self.switching = True
        await self.client.put(id_, chosen)

    async def burst(self) -> None:
        """Several labels at once, then a slider before they are answered."""
        for _ in range(self.rng.randint(2, 5)):
            await self.label()
            await asyncio.sleep(self.rng.uniform(*HURRY))
        await self.slider()

    async def hurry(self) -> None:
        """Another algorithm, and at once a slider of the one before."""
        before = [
            i
            for i, proto in self.client.elements.items()
            if name_of(i).startswith("param.")
            and type(proto).DESCRIPTOR.name == "Slider"
        ]
        await self.algorithm()
        await asyncio.sleep(self.rng.uniform(*HURRY))
        if before:
            await self.move(self.rng.choice(before), keep=False)

    async def data(self) -> None:
        """Other points: the labels of the old ones go, and only then."""
        await self.client.settled()
        self.check_labels()
        id_ = self.client.find("data.noise")
        if id_ is None:  # an error took its place
            return
        before, start = self.client.value(id_), self.client.stage.data_id
        proto = self.client.elements[id_]
        places = [proto.min + proto.step * i for i in range(1, 20)]
        value = self.rng.choice([p for p in places if abs(p - before[0]) > 1e-9])
        self.client.asked = 1
        await self.client.put(id_, value)
        await self.client.settled()
        if self.client.stage.data_id == start:
            self.settings_lost.append(f"data.noise to {value}")
        self.client.asked = 0

    async def lesson(self) -> None:
        await self.slider("")

    # -- what one finds --------------------------------------------------------------

    def check_labels(self) -> None:
        stage = self.client.stage
        stage.gone = [*stage.gone, *stage.lost()]
        stage.labels = {}

    async def outcome(self, seconds: float) -> Outcome:
        client, stage = self.client, self.client.stage
        settled = await client.settled(seconds)
        for name, value in self.wanted.items():
            id_ = client.find(name)
            found = None if id_ is None else client.value(id_)
            if found is not None and found != value:
                self.settings_lost.append(f"{name}: {value} became {found}")
        self.check_labels()
        return Outcome(
            clicks=stage.clicks,
            lost=[*stage.gone, *["swept"] * stage.swept],
            unacknowledged=len(stage.pending),
            missing=len(stage.missing),
            unasked=client.unasked,
            settings=self.moves,
            settings_lost=self.settings_lost,
            exceptions=client.exceptions,
            waits=stage.waits,
            actions=dict(self.count),
            bytes=client.received,
            unsettled=not settled,
        )


# -- one visitor alone: the price of each action -------------------------------------


@dataclass
class Price:
    cpu: float
    bytes: float
    times: int


async def alone(server: Server, times: int = 15) -> dict[str, Price]:
    """Medians of CPU seconds and of bytes sent, for each kind of action."""
    spent: defaultdict[str, list] = defaultdict(list)
    async with Client(server, seed=7) as client:
        await client.settled(120)
        visitor = Visitor(client)
        sigma = client.find("param.sigma")

        async def to_laplacian():
            id_ = client.find("algorithm")
            await client.put(id_, client.options(id_)[0])

        kinds = {
            "a label": visitor.label,
            "a slider of the algorithm": lambda: visitor.move(sigma),
            "nothing new (a rerun)": client.rerun,
        }
        for kind, action in kinds.items():
            for number in range(times + 2):
                await client.settled()
                cpu, received = server.cpu(), client.received
                await action()
                await client.settled()
                if number >= 2:  # the first ones still compile and fill caches
                    cost = (server.cpu() - cpu, client.received - received)
                    spent[kind].append(cost)
        id_ = client.find("algorithm")
        for name in client.options(id_) * 2:
            await client.settled()
            cpu, received = server.cpu(), client.received
            await client.put(id_, name)
            await client.settled()
            cost = (server.cpu() - cpu, client.received - received)
            spent["another algorithm"].append(cost)
        half = len(spent["another algorithm"]) // 2
        spent["another algorithm"] = spent["another algorithm"][half:]
        server.memory()
    return {
        kind: Price(
            statistics.median(c for c, _ in costs),
            statistics.median(b for _, b in costs),
            len(costs),
        )
        for kind, costs in spent.items()
    }


# -- many at once --------------------------------------------------------------------


@dataclass
class Crowd:
    outcomes: list[Outcome]
    cpu: float
    seconds: float
    before: int
    peak: int
    after: int

    def total(self, name: str):
        return sum(
            len(v) if isinstance(v := getattr(o, name), list) else v
            for o in self.outcomes
        )

    @property
    def actions(self) -> int:
        return sum(sum(o.actions.values()) for o in self.outcomes)

    @property
    def faults(self) -> list[str]:
        """Every reason why this run is not good enough."""
        found = []
        for name, words in (
            ("exceptions", "exceptions were shown"),
            ("lost", "labels were lost"),
            ("unacknowledged", "labels were never acknowledged"),
            ("missing", "times a label was missing after it had been acknowledged"),
            ("unasked", "times the points changed though nobody asked"),
            ("settings_lost", "settings were lost"),
            ("unsettled", "visitors were still waiting at the end"),
        ):
            if number := self.total(name):
                found.append(f"{number} {words}")
        return found


async def watch_memory(server: Server) -> None:
    """Look at the server's memory until cancelled, so that its peak is known."""
    while True:
        server.memory()
        await asyncio.sleep(0.5)


async def crowd(
    server: Server, visitors: int, seconds: float, *, rest: float = 0.0, lessons=True
) -> Crowd:
    """So many visitors for so many seconds; then they leave, and the server rests."""
    before = server.peak = server.memory()
    cpu, start = server.cpu(), time.monotonic()
    watch = asyncio.create_task(watch_memory(server))

    async def visit(number: int) -> Outcome:
        # One in five sits in a lesson; the others play.
        page = ("", "", "", "", ("early_stopping", "annealing")[number // 5 % 2])
        name = page[number % 5] if lessons else ""
        async with Client(server, page=name, seed=number) as client:
            await asyncio.sleep(random.Random(number).uniform(0, 1))
            await client.settled(120)
            visitor = Visitor(client)
            await visitor.play(seconds)
            return await visitor.outcome(60 + 3 * visitors)

    outcomes = await asyncio.gather(*(visit(i) for i in range(visitors)))
    spent, lasted = server.cpu() - cpu, time.monotonic() - start
    end = time.monotonic() + rest
    while time.monotonic() < end:
        await asyncio.sleep(min(2.0, rest))
    watch.cancel()
    return Crowd(outcomes, spent, lasted, before, server.peak, server.memory())


# -- report --------------------------------------------------------------------------


def report(prices: dict[str, Price], crowd: Crowd, visitors: int, seconds: float):
    """The result as Markdown."""
    waits = sorted(w for o in crowd.outcomes for w in o.waits)
    lines = [
        f"# {visitors} visitors for {seconds:g} seconds",
        "",
        f"`python -m tests.load.visitors --visitors {visitors} --seconds {seconds:g}` "
        f"writes this file. {os.cpu_count()} cores shared with the visitors "
        f"themselves, Python {platform.python_version()}; pauses of "
        f"{1000 * PAUSE[0]:.0f} to {1000 * PAUSE[1]:.0f} ms between actions.",
        "",
        "## One visitor alone",
        "",
        "Median over so many times; the server's own CPU seconds.",
        "",
        "| action | CPU, s | sent, kB | times |",
        "| --- | ---: | ---: | ---: |",
    ]
    for kind, price in prices.items():
        lines.append(
            f"| {kind} | {price.cpu:.2f} | {price.bytes / 1e3:,.0f} | {price.times} |"
        )
    labels = sum(o.clicks for o in crowd.outcomes)
    rows = {
        "actions": f"{crowd.actions:,}",
        "labels clicked": f"{labels:,}",
        "labels lost": crowd.total("lost"),
        "labels never acknowledged": crowd.total("unacknowledged"),
        "views without a label they acknowledge": crowd.total("missing"),
        "points changed unasked": crowd.total("unasked"),
        "settings made": f"{crowd.total('settings'):,}",
        "settings lost": crowd.total("settings_lost"),
        "exceptions shown": crowd.total("exceptions"),
        "visitors still waiting at the end": crowd.total("unsettled"),
        "CPU per action, mean": f"{crowd.cpu / max(1, crowd.actions):.2f} s",
        "sent per action, mean": f"{crowd.total('bytes') / max(1, crowd.actions) / 1e3:,.0f} kB",  # noqa: E501
    }
    if waits:
        rows["click to acknowledgement, median"] = f"{statistics.median(waits):.2f} s"
        late = waits[int(0.95 * (len(waits) - 1))]
        rows["click to acknowledgement, 95 %"] = f"{late:.2f} s"
    rows |= {
        "memory after warm-up": f"{crowd.before / 1e6:,.0f} MB",
        "memory at its peak": f"{crowd.peak / 1e6:,.0f} MB",
        "memory after they left": f"{crowd.after / 1e6:,.0f} MB",
    }
    lines += ["", f"## {visitors} at once", "", "| | |", "| --- | ---: |"]
    lines += [f"| {name} | {value} |" for name, value in rows.items()]
    return "\n".join(lines) + "\n"


def write_part(path: Path, text: str) -> None:
    """Put a part into a file of several; one of the same kind makes way for it.

    Parts begin with a heading of the first order, and differ by what follows its comma.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    parts = [f"# {part}" for part in ("\n" + old).split("\n# ")[1:]]

    def kind(part):
        return part.partition("\n")[0].partition(",")[2]

    kept = [part.strip() for part in parts if kind(part) != kind(text)]
    every = sorted([*kept, text.strip()], key=kind)
    path.write_text("\n\n".join(every) + "\n", encoding="utf-8")


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--rest", type=float, default=REST, help="after they left")
    parser.add_argument("--warm", type=float, default=15, help="seconds of warm-up")
    parser.add_argument("--times", type=int, default=15, help="actions alone, each")
    parser.add_argument("--playground", action="store_true", help="no lessons")
    parser.add_argument("--out", type=Path, default=TABLE)
    options = parser.parse_args(argv)
    lessons = not options.playground

    async def run(server):
        prices = await alone(server, options.times)
        print("one alone is done", flush=True)
        await crowd(server, options.visitors, options.warm, lessons=lessons)
        print("warm-up is done", flush=True)
        return prices, await crowd(
            server,
            options.visitors,
            options.seconds,
            rest=options.rest,
            lessons=lessons,
        )

    with Server() as server:
        prices, many = asyncio.run(run(server))
    text = report(prices, many, options.visitors, options.seconds)
    write_part(options.out, text)
    print(text)
    faults = many.faults
    if many.after > BACK * many.before and options.rest:
        faults.append("memory did not come back")
    for outcome in many.outcomes:
        for sentence in (*outcome.exceptions, *outcome.settings_lost)[:5]:
            print("-", sentence[:300])
    print("; ".join(faults) or "Nothing was lost.")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
