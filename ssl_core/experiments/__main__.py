"""``halfmoon experiments``: run the papers' protocols, report their tables.

    list                     the tables, and how much of each is finished
    run csk08-8 --jobs 2     compute what is missing (all tables where none is named)
    report                   results/tables/*.md and published.html from finished cells;
                             own.md, own.html for protocols of your own
    verify --sample 20       compute finished cells again and compare
    export, import FILE      finished cells as lines of JSON

A run can be stopped or killed at any moment and goes on where it was; several may share
a store. Protocols of your own come from plug-ins (`halfmoon --plugin my_module
experiments run --protocol mine`), or from `--protocol module:name`.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Collection
from contextlib import contextmanager
from pathlib import Path

from ssl_core.experiments import lines, report
from ssl_core.experiments.place import (
    RESULTS,
    default_path,
    is_projects,
    look_into,
    open_store,
)
from ssl_core.experiments.progress import Costs, Progress, duration
from ssl_core.experiments.protocols import PROTOCOLS, PUBLISHED, protocol_of
from ssl_core.experiments.runner import compute, plan, run
from ssl_core.experiments.store import Store
from ssl_core.experiments.table import CAPPED, Protocol, Table
from ssl_core.experiments.work import RunError, Work

SAME = 1e-6  # relative: cells are computed with one thread, so only rounding is left
FREE = {"seconds"}  # no two runs share it


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="halfmoon experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = made.add_subparsers(dest="command", required=True)
    shared, chosen = _shared_options(), _chosen_options()
    commands.add_parser("list", parents=[shared, chosen])
    runs = commands.add_parser("run", parents=[shared, chosen])
    runs.add_argument("--jobs", type=int, default=1, help="processes on this machine")
    runs.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler's address")
    runs.add_argument("--minutes", type=float, help="begin no cell after so long")
    runs.add_argument(
        "--scratch",
        action="store_true",
        help="do without the finished cells that come with the project",
    )
    tables = commands.add_parser("report", parents=[shared, chosen])
    tables.add_argument(
        "--out", type=Path, default=RESULTS / "tables", help="folder of the files"
    )
    checks = commands.add_parser("verify", parents=[shared, chosen])
    checks.add_argument("--sample", type=int, default=20)
    checks.add_argument("--seed", type=int, default=0)
    checks.add_argument("--most", type=float, default=60.0, help="s; leave out longer")
    writes = commands.add_parser("export", parents=[shared])
    writes.add_argument("--out", type=Path, default=RESULTS / "cells")
    reads = commands.add_parser("import", parents=[shared])
    reads.add_argument("files", nargs="+", type=Path)
    return made


def _shared_options() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("--store", type=Path, default=None, help="SQLite file")
    made.add_argument(
        "--protocol",
        action="append",
        metavar="KEY",
        help="only this one; module:name for one that no plug-in registers",
    )
    return made


def _chosen_options() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(add_help=False)
    made.add_argument("tables", nargs="*", metavar="TABLE", help="as `list` has them")
    made.add_argument("--data", help="only cells on these data sets: g50c,text")
    made.add_argument("--algorithms", help="only cells of these: cccp,s3vm_light")
    made.add_argument("--splits", type=int, help="only the first so many splits")
    return made


def main(arguments: list[str] | None = None) -> int:
    """The command; 0 where all went well."""
    options = parser().parse_args(arguments)
    try:
        with _terminable():
            return COMMANDS[options.command](options)
    except (RunError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:  # a StoreError is a sentence, the system's is none
        words = (error.filename, error.strerror) if error.strerror else (error,)
        print(*words, sep=": ", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "\nStopped; finished cells are kept, those under way are given back.",
            file=sys.stderr,
        )
        return 130


@contextmanager
def _terminable():
    """What ends a batch job ends this one as Ctrl-C does."""

    def end(*_):
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, end)
    except ValueError:  # not in the main thread, where nobody is interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def chosen_protocols(options) -> dict[str, Protocol]:
    if options.protocol is None:
        return PROTOCOLS
    return {key: protocol_of(key) for key in options.protocol}


def chosen_tables(options) -> dict[str, Table]:
    """The tables that the options name, in the order in which they are declared."""
    known = {t.key: t for p in chosen_protocols(options).values() for t in p.tables}
    unknown = [key for key in options.tables if key not in known]
    if unknown:
        raise ValueError(
            f"There is no table {', '.join(unknown)}; there are {', '.join(known)}."
        )
    return {k: t for k, t in known.items() if not options.tables or k in options.tables}


def chosen_cells(options) -> list:
    """The cells that the options name, each once."""
    found = [c for table in chosen_tables(options).values() for c in table.cells]
    data = _names(options.data, {_data(cell) for cell in found}, "data set")
    methods = _names(
        options.algorithms, {cell.algorithm for cell in found}, "algorithm"
    )
    cells = [
        cell
        for cell in dict.fromkeys(found)
        if (not data or _data(cell) in data)
        and (not methods or cell.algorithm in methods)
        and (options.splits is None or _split(cell) < options.splits)
    ]
    # The first split of everything, then the second: a stopped run has a bit of all.
    return sorted(cells, key=_split)


def _data(cell) -> str:
    return str(dict(cell.problem).get("data", ""))


def _split(cell) -> int:
    return dict(cell.problem).get("split", 0)


def _names(text: str | None, known: set[str], kind: str) -> set[str]:
    """Names that an option lists; raises ValueError for one that no table has."""
    names = {name.strip() for name in (text or "").split(",")} - {""}
    if names - known:
        raise ValueError(
            f"These tables have no {kind} {', '.join(sorted(names - known))}; they "
            f"have {', '.join(sorted(known))}."
        )
    return names


def do_list(options) -> int:
    cells = set(chosen_cells(options))
    with look_into(options.store) as store:
        results, costs = store.results(), Costs(store)
    for key, table in chosen_tables(options).items():
        mine = [cell for cell in table.cells if cell in cells]
        left = [cell for cell in mine if cell.spec not in results]
        if not mine:
            continue
        rest = f", about {duration(sum(map(costs.of, left)))} left" if left else ""
        done = len(mine) - len(left)
        print(f"{key:18} {done:4} of {len(mine):4} cells{rest:24} {table.title}")
    return 0


def do_run(options) -> int:
    if options.jobs < 1:
        raise ValueError(f"--jobs must be at least 1, got {options.jobs}.")
    cells = chosen_cells(options)
    minutes = float("inf") if options.minutes is None else options.minutes
    ends = time.monotonic() + 60.0 * minutes
    opened = Store if options.scratch else open_store
    with opened(options.store or default_path()) as store:
        made = plan(cells, store)
        for reason, count in made.missing.items():
            words = f"{count} of the cells cannot be computed: {reason}"
            print(words, file=sys.stderr)
        print(f"{made.finished} cells are finished, {len(made.work)} are to do.")
        progress = Progress(made.work, Costs(store))
        for outcome in run(
            made.work,
            store,
            jobs=options.jobs,
            dask=options.dask,
            stopped=lambda: time.monotonic() >= ends,
        ):
            progress.count(outcome)
            _print_outcome(progress, outcome)
        left = progress.total - progress.done - progress.failed
        took = duration(progress.seconds)
        print(
            f"{progress.done} finished in {took}, {progress.failed} failed, {left} left"
        )
    return 1 if progress.failed or left or made.missing else 0


def _print_outcome(progress: Progress, outcome) -> None:
    cell = outcome.work.cell
    if outcome.error:
        result = f"failed: {outcome.error}"
    elif outcome.elsewhere:
        result = "finished by another runner"
    else:
        result = f"{outcome.seconds:.1f} s"
    print(f"{progress}: {cell}, {result}", flush=True)


def do_report(options) -> int:
    chosen_tables(options)  # raises ValueError where one is unknown
    protocols = chosen_protocols(options)
    with look_into(options.store) as store:
        results = store.results()
    only = set(options.tables) or None
    wanted = {
        key
        for key, protocol in protocols.items()
        if only is None or only & {table.key for table in protocol.tables}
    }
    named = wanted if options.protocol or only else set()
    protocols = _allowed(protocols, options.out, named)
    options.out.mkdir(parents=True, exist_ok=True)
    for kind in report.KINDS:
        mine = [
            p for key, p in protocols.items() if kind.published == (key in PUBLISHED)
        ]
        if any(protocol.key in wanted for protocol in mine):
            _write_report(kind, mine, results, only, options.out)
    return 0


def _write_report(kind, protocols, results, only, out: Path) -> None:
    """A file for each protocol, one page of their tables, and an overview."""
    for protocol in protocols:
        if only is None or only & {table.key for table in protocol.tables}:
            text = report.markdown(protocol, results, only)
            path = out / f"{report.file_name(protocol)}.md"
            path.write_text(text, encoding="utf-8")
    page = report.as_html(protocols, results, only, kind)
    (out / f"{kind.file}.html").write_text(page, encoding="utf-8")
    overview = report.overview(protocols, results, kind)
    (out / f"{kind.file}.md").write_text(overview, encoding="utf-8")
    print(overview)


def _allowed(
    protocols: dict[str, Protocol], out: Path, named: Collection[str]
) -> dict[str, Protocol]:
    """Those whose files may be in a folder: the project's own is for the papers'.

    Raises ValueError where somebody asked for another one by name.
    """
    own = [key for key in protocols if key not in PUBLISHED]
    if not own or not is_projects(out):
        return protocols
    words = (
        f"{out} holds the project's tables, which are the papers' only; give another "
        f"folder with --out for {', '.join(own)}"
    )
    if set(own) & set(named):
        raise ValueError(f"{words}.")
    print(f"{words}: left out.", file=sys.stderr)
    return {key: p for key, p in protocols.items() if key in PUBLISHED}


def do_verify(options) -> int:
    """Compute a random sample of finished cells again."""
    cells = {cell.spec for cell in chosen_cells(options)}
    with look_into(options.store) as store:
        rows = {k.cell.spec: k for k in store.rows() if k.current}
    rows = {s: k for s, k in rows.items() if s in cells and k.seconds <= options.most}
    names = sorted(rows)
    sample = random.Random(options.seed).sample(names, min(options.sample, len(names)))
    apart = 0
    for spec in sample:
        kept = rows[spec]
        again = compute(Work(kept.cell, kept.key, kept.checksum))
        wrong = [again.error] if again.error else differences(kept.result, again.result)
        apart += bool(wrong)
        print(f"{kept.cell}: {'; '.join(wrong) or 'the same'}", flush=True)
    print(f"{len(sample) - apart} of {len(sample)} are the same.")
    return 1 if apart else 0


def differences(old: dict, new: dict) -> list[str]:
    """Fields that two computations of a cell do not share."""
    found = []
    later = {CAPPED} - old.keys()  # recorded since; an old cell is as good
    for name in sorted((old.keys() | new.keys()) - FREE - later):
        a, b = old.get(name), new.get(name)
        if isinstance(a, float | int) and isinstance(b, float | int):
            same = abs(a - b) <= SAME * max(abs(a), abs(b), 1.0)
        else:
            same = a == b
        if not same:
            found.append(f"{name} {a} is {b} now")
    return found


def do_export(options) -> int:
    protocols = _allowed(chosen_protocols(options), options.out, options.protocol or ())
    with look_into(options.store) as store:
        rows = [kept for kept in store.rows() if kept.current]
    for key, protocol in protocols.items():
        mine = [kept for kept in rows if kept.cell.protocol == key]
        if mine:
            path = options.out / f"{report.file_name(protocol)}.jsonl"
            print(f"{path}: {lines.write(mine, path)} cells")
    return 0


def do_import(options) -> int:
    with Store(options.store or default_path()) as store:
        for file in options.files:
            print(f"{file}: {lines.take_in(store, file)} new cells")
    return 0


COMMANDS = {
    "list": do_list,
    "run": do_run,
    "report": do_report,
    "verify": do_verify,
    "export": do_export,
    "import": do_import,
}

if __name__ == "__main__":
    sys.exit(main())
