"""What becomes of a benchmark's numbers: rows, one table, a history.

A `Row` is one number, how it was got and the goal it is held to; whether the goal is
met is computed, never typed. The rows of a run are appended as one line to
docs/tables/bench_history.jsonl, and docs/tables/bench.md shows every row as it was
measured last, with the change against the run before. ``python -m
tests.benchmarks.results`` writes that table again from the history.
"""

import fcntl
import json
import math
import os
import platform
import subprocess
import time
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_info

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "tables"
HISTORY, TABLE = "bench_history.jsonl", "bench.md"
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")
SAME = 0.005  # a change that would be written as 0 %
HEAD = "| area | what | measured | goal | met | change | against | statistic |"


# -- one row --------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """A bound: ``sign`` is "<=" or ">="."""

    sign: str
    number: float

    def __post_init__(self):
        if self.sign not in ("<=", ">="):
            raise ValueError(f'sign must be "<=" or ">=", got {self.sign!r}.')
        if not math.isfinite(self.number):
            raise ValueError(f"A goal must be a finite number, got {self.number}.")

    def met(self, value: float) -> bool:
        return value <= self.number if self.sign == "<=" else value >= self.number

    def __str__(self):
        return f"{self.sign} {self.number:g}"  # in full: 1.001 is not 1


def at_most(number) -> Goal:
    return Goal("<=", float(number))


def at_least(number) -> Goal:
    return Goal(">=", float(number))


@dataclass(frozen=True)
class Row:
    """One measured number.

    Parameters
    ----------
    area, what : str
        The row's name: rows of two runs with the same name are compared.
    value : float
        Infinite where nothing reached what was asked for.
    unit : str
    repeats : int
        Odd; the value is the median of so many repeats, made in turns with what it is
        compared to. 1 is one run, and the table says so.
    goal : Goal or None
    against : str
        The peer or the reference the number is compared with.
    also : dict of str to float
        Further numbers, by unit.
    """

    area: str
    what: str
    value: float
    unit: str
    repeats: int
    goal: Goal | None = None
    against: str = ""
    also: dict[str, float] = field(default_factory=dict)

    def __post_init__(self):
        odd(self.repeats)
        also = {name: self._number(v, name) for name, v in self.also.items()}
        object.__setattr__(self, "value", self._number(self.value, "value"))
        object.__setattr__(self, "also", also)

    def _number(self, given, name) -> float:
        """A number of numpy's as Python's, so that it can be kept."""
        if isinstance(given, str) or math.isnan(given):
            raise ValueError(
                f"{name} of the row {self.what!r} must be a number, got {given!r}."
            )
        return float(given)

    @property
    def met(self) -> bool | None:
        return None if self.goal is None else self.goal.met(self.value)

    @property
    def name(self) -> tuple[str, str]:
        return self.area, self.what

    @property
    def statistic(self) -> str:
        return f"median of {self.repeats}" if self.repeats > 1 else "one run"

    @property
    def measured(self) -> str:
        further = ", ".join(f"{short(v)} {k}" for k, v in self.also.items())
        text = f"{short(self.value)} {self.unit}".strip()
        return f"{text} ({further})" if further else text

    def __str__(self):
        goal = "no goal" if self.goal is None else f"goal {self.goal}, {verdict(self)}"
        return f"{self.what}: {self.measured}, {goal}"

    def as_data(self) -> dict:
        data = asdict(self)
        return data | {"met": self.met}  # for whoever reads the file without us

    @classmethod
    def from_data(cls, data: dict) -> "Row":
        known = {k: v for k, v in data.items() if k in cls.__dataclass_fields__}
        goal = data.get("goal")
        return cls(**known | {"goal": Goal(**goal) if goal else None})


def odd(repeats: int) -> int:
    """The number of repeats, if it is odd: then the median is one of them."""
    if repeats < 1 or repeats % 2 == 0:
        raise ValueError(f"repeats must be odd, for a median, got {repeats}.")
    return repeats


def short(number: float) -> str:
    if math.isinf(number):
        return "none"
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def verdict(row: Row) -> str:
    return {None: "–", True: "met", False: "**missed**"}[row.met]


# -- a run and the runs before --------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """Rows measured together, with the date, the commit and the machine."""

    date: str
    commit: str
    machine: dict
    rows: tuple[Row, ...]

    def as_line(self) -> str:
        data = asdict(self) | {"rows": [row.as_data() for row in self.rows]}
        return json.dumps(data, ensure_ascii=False) + "\n"

    @classmethod
    def from_line(cls, line: str) -> "Run":
        data = json.loads(line)
        rows = tuple(map(Row.from_data, data["rows"]))
        return cls(data["date"], data["commit"], data["machine"], rows)

    def same_machine(self, other: "Run") -> bool:
        return all(
            self.machine.get(key) == other.machine.get(key) for key in ("cpu", "cores")
        )


def run_of(rows: Iterable[Row]) -> Run:
    """The run that ends now; of rows with one name the last holds."""
    latest = {row.name: row for row in rows}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(now, _commit(), machine(), tuple(latest.values()))


def machine() -> dict:
    """What the numbers depend on besides the code."""
    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    blas = {
        f"{pool['internal_api']} {pool['version']}, {pool['num_threads']} threads"
        for pool in pools
    }
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "blas": "; ".join(sorted(blas)),
        "load": [round(load, 1) for load in os.getloadavg()],
        "others": _others(_START, _spent()),
        "python": platform.python_version(),
    } | {name: version(name) for name in PACKAGES}


def _spent() -> tuple[float, float, float]:
    """The clock, CPU seconds of the whole machine, and those of this process.

    Those of the machine are not a number where it does not tell.
    """
    try:
        ticks = list(map(int, Path("/proc/stat").read_text().split()[1:9]))
    except OSError:
        ticks = [math.nan] * 8
    idle = ticks[3] + ticks[4]  # with waiting for disks
    machine_wide = (sum(ticks) - idle) / os.sysconf("SC_CLK_TCK")
    return time.monotonic(), machine_wide, sum(os.times()[:4])


_START = _spent()


def _others(start, end) -> float | None:
    """Share of the cores that other processes took in the meantime: noise, if large."""
    clock, machine_wide, own = (b - a for a, b in zip(start, end, strict=True))
    if math.isnan(machine_wide) or clock == 0:
        return None
    share = (machine_wide - own) / (clock * (os.cpu_count() or 1))
    return round(max(0.0, share), 2)


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    return next(names, platform.processor() or platform.machine())


def _commit() -> str:
    """The commit in short, with a plus where files differ from it."""
    try:
        name = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name + ("+" if changed else "")


def _git(*words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def history(folder: Path = DOCS) -> list[Run]:
    """Earlier runs, oldest first; a line that was torn off half-way is left out."""
    try:
        text = (folder / HISTORY).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return []
    runs = []
    for line in text.split("\n"):
        try:
            runs.append(Run.from_line(line))
        except (ValueError, KeyError, TypeError):
            continue
    return runs


def keep(run: Run, folder: Path = DOCS) -> list[Run]:
    """Append a run to the history and write the table of all rows; the runs before.

    Two runs that end at once wait for each other, so that the later one's table has
    the rows of both.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / HISTORY
    with path.open("a+b") as file, _alone(file):
        before = history(folder)
        size = file.seek(0, os.SEEK_END)
        torn = False
        if size:
            file.seek(size - 1)
            torn = file.read(1) != b"\n"
        file.write(("\n" if torn else "").encode() + run.as_line().encode())
        file.flush()
        write_table([*before, run], folder)
    return before


@contextmanager
def _alone(file):
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


# -- the table ------------------------------------------------------------------------


def change(row: Row, run: Run, before: Iterable[Run]) -> str:
    """How a row has changed since it was measured the time before, and what else has.

    A goal or a statistic that is not what it was is told: neither is to be bent.
    """
    for earlier in reversed(list(before)):
        old = next((r for r in earlier.rows if r.name == row.name), None)
        if old is not None:
            break
    else:
        return "new"
    remarks = [_difference(old, row)]
    if old.goal != row.goal:
        remarks.append(f"the goal was {old.goal or 'none'}")
    if old.repeats != row.repeats:
        remarks.append(f"was {old.statistic}")
    if not earlier.machine:
        remarks.append("its machine was not recorded")
    elif not run.same_machine(earlier):
        remarks.append("another machine")
    return "; ".join(remarks)


def _difference(old: Row, row: Row) -> str:
    if old.unit != row.unit:
        return f"was in {old.unit}"
    if row.value == old.value:
        return "0 %"
    if old.value == 0 or math.isinf(old.value) or math.isinf(row.value):
        return f"was {short(old.value)}"
    relative = row.value / old.value - 1
    return "0 %" if abs(relative) < SAME else f"{100 * relative:+.0f} %"


def table_of(run: Run, before: Iterable[Run]) -> list[str]:
    """The table of one run, beside the runs before it, as lines of markdown."""
    before = list(before)
    lines = [HEAD, "|---" * HEAD.count(" |") + "|"]
    return lines + [_line(row, change(row, run, before)) for row in run.rows]


def _line(row: Row, changed: str, *further: str) -> str:
    cells = [row.area, row.what, row.measured, str(row.goal or "–"), verdict(row)]
    cells += [changed, row.against or "–", row.statistic, *further]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def tally(rows: Iterable[Row]) -> str:
    """How many goals are met, in one sentence."""
    verdicts = [row.met for row in rows]
    met, missed = verdicts.count(True), verdicts.count(False)
    return (
        f"Of {met + missed} goals {met} are met and {missed} missed; "
        f"{verdicts.count(None)} rows have no goal."
    )


def write_table(runs: list[Run], folder: Path = DOCS) -> None:
    """Every row as it was measured last, whichever run that was."""
    last: dict[tuple[str, str], tuple[int, Row]] = {}
    for i, run in enumerate(runs):
        last |= {row.name: (i, row) for row in run.rows}
    places = {area: i for i, area in enumerate(dict.fromkeys(n[0] for n in last))}
    ordered = sorted(last.values(), key=lambda found: places[found[1].area])
    facts = runs[-1].machine
    versions = ", ".join(f"{name} {facts.get(name)}" for name in ("python", *PACKAGES))
    others = facts.get("others")
    others = "an unknown share" if others is None else f"{others:.0%}"
    lines = [
        "# Speed: every row as it was measured last",
        "",
        "Made by `make bench` from bench_history.jsonl. A timing is the median of an "
        "odd number of repeats, in turns with what it is compared to, unless it says "
        "one run; x is a ratio of two such medians. The change is against the run "
        f"before of the same row. {tally(row for _, row in ordered)}",
        "",
        f"The last run: {runs[-1].date}, commit {runs[-1].commit}, "
        f"{facts.get('cores')} cores, {facts.get('cpu')}, {facts.get('blas')}, "
        f"{versions}. Other processes took {others} of the cores meanwhile.",
        "",
        HEAD + " commit |",
        "|---" * (HEAD.count(" |") + 1) + "|",
    ]
    lines += [
        _line(row, change(row, runs[i], runs[:i]), runs[i].commit) for i, row in ordered
    ]
    path = folder / TABLE
    fresh = path.with_suffix(f".{os.getpid()}.tmp")
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(path)


def finish(rows: Iterable[Row], folder: Path = DOCS) -> list[str]:
    """Keep the rows of a run; the lines to be shown at its end, none without rows.

    Where the folder cannot be written the table is shown all the same, and a sentence
    says what was not kept.
    """
    run = run_of(rows)
    if not run.rows:
        return []
    closing = [f"Kept in {HISTORY} and {TABLE} of docs/tables."]
    try:
        before = keep(run, folder)
    except OSError as problem:
        before = [earlier for earlier in _readable(folder) if earlier != run]
        closing = [
            f"The run was not kept: {folder.name}/{HISTORY} or {TABLE} cannot be "
            f"written ({problem.strerror}). Make the folder writable and run it again."
        ]
    return [*table_of(run, before), "", tally(run.rows), *closing]


def _readable(folder: Path) -> list[Run]:
    try:
        return history(folder)
    except OSError:
        return []


if __name__ == "__main__":
    write_table(history())
