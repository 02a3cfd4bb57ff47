"""``halfmoon data``: benchmark files on this machine, and where others come from.

    list                  what there is, where it is or comes from, how large it is
    fetch NAME            download a benchmark file; --all: all that are missing
    convert FILE          make benchmark files from original files that you downloaded

Files are kept in the cache, ~/.cache/halfmoon or HALFMOON_CACHE; `--to FOLDER` writes
them to a folder for HALFMOON_DATA, here or on another machine.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from halfmoon.datasets import DATASETS, DatasetEntry, DatasetUnavailable, store
from halfmoon.datasets.originals import Original

OFTEN = 0.5  # seconds between two counts of what has arrived
UNKNOWN = "-"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="halfmoon data",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = made.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    fetches = commands.add_parser("fetch")
    fetches.add_argument("names", nargs="*", metavar="NAME", help="as `list` has them")
    fetches.add_argument("--all", action="store_true", help="all that are missing")
    converts = commands.add_parser("convert")
    converts.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="or a folder of them"
    )
    for command in (fetches, converts):
        command.add_argument("--to", type=Path, metavar="FOLDER")
    return made


def main(words: Sequence[str] | None = None) -> int:
    """The command; 0 where all went well."""
    options = parser().parse_args(words)
    try:
        code = COMMANDS[options.command](options)
        sys.stdout.flush()
        return code
    except (ValueError, DatasetUnavailable) as error:
        return _failed(error)
    except BrokenPipeError:  # whoever reads has enough: `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = error.filename or "a file"
        return _failed(f"{where} cannot be used: {error.strerror or error}.")
    except KeyboardInterrupt:
        return _failed("\nStopped; files that are complete are kept.", 130)


def _failed(sentence: object, code: int = 1) -> int:
    print(sentence, file=sys.stderr)
    return code


# -- list ----------------------------------------------------------------------------


def by_file() -> dict[str, list[DatasetEntry]]:
    """Benchmark file, without its ending -> the data sets that are made of it."""
    found: dict[str, list[DatasetEntry]] = {}
    for entry in DATASETS.values():
        if entry.file:
            found.setdefault(entry.file, []).append(entry)
    return found


def fetcher(entries: Sequence[DatasetEntry]) -> Callable | None:
    return next((entry.fetch for entry in entries if entry.fetch), None)


def show_list(options: argparse.Namespace) -> int:
    files = by_file()
    rows = [("file", "size", "where it is or comes from", "data sets")]
    rows += [_row(stem, entries) for stem, entries in files.items()]
    widths = [max(len(row[j]) for row in rows) for j in range(3)]
    for file, size, where, names in rows:
        line = (
            f"{file:<{widths[0]}}  {size:>{widths[1]}}  {where:<{widths[2]}}  {names}"
        )
        print(line)
    missing = sum(not store.at_hand(stem) for stem in files)
    print(f"\n{len(files) - missing} of {len(files)} files are on this machine.")
    return 0


def _row(stem: str, entries: Sequence[DatasetEntry]) -> tuple[str, str, str, str]:
    path, fetch = store.find(stem), fetcher(entries)
    if path is not None:
        size, where = megabytes(path.stat().st_size), str(path)
    elif isinstance(fetch, Original):
        size, where = megabytes(fetch.size), f"GitHub {fetch.files[0].repo}"
    else:
        size, where = UNKNOWN, entries[0].source
    return stem, size, where, ", ".join(entry.name for entry in entries)


def megabytes(size: int) -> str:
    return f"{size / 1e6:.2f} MB"


# -- fetch ---------------------------------------------------------------------------


def fetch_files(options: argparse.Namespace) -> int:
    files = by_file()
    failed = 0
    for stem in _asked(options, files):
        try:
            path = fetch_file(stem, fetcher(files[stem]), options.to)
        except (DatasetUnavailable, ValueError) as error:
            failed = _failed(error)
        else:
            print(f"{stem}: {path}")
    return failed


def _asked(options: argparse.Namespace, files: dict) -> list[str]:
    """Files by their own names or by those of data sets, each once."""
    if options.all == bool(options.names):
        raise ValueError(
            "Name data sets, or give --all; `halfmoon data list` shows the names."
        )
    if options.all:
        return [s for s in files if options.to is not None or not store.at_hand(s)]
    stems = {entry.name: stem for stem, entries in files.items() for entry in entries}
    stems |= {stem: stem for stem in files}
    if unknown := [name for name in options.names if name not in stems]:
        raise ValueError(
            f"There is no benchmark {unknown[0]}; there are {', '.join(files)}."
        )
    return list(dict.fromkeys(stems[name] for name in options.names))


def fetch_file(stem: str, fetch: Callable | None, to: Path | None) -> Path:
    """Where the file is, once it is on this machine, or in the folder `to`."""
    with _counted(stem):
        raw = store.read(stem, fetch)
    if to is None:
        found = store.find(stem)
        assert found is not None, stem  # it was read
        return found
    return keep(stem, raw, to)


def keep(stem: str, raw: store.Raw, to: Path | None) -> Path:
    path = (to or store.cache_folder()) / f"{stem}.npz"
    store.write_npz(path, raw)
    return path


@contextmanager
def _counted(stem: str) -> Iterator[None]:
    """How much has arrived, for whoever watches.

    It is counted beside the download, which is in the main thread: Ctrl-C ends it.
    """
    done = Event()

    def count() -> None:
        while not done.wait(OFTEN):
            part = store.received(stem)
            print(f"\r{stem}: {megabytes(part)}", end="\r", file=sys.stderr)

    if not sys.stderr.isatty():
        yield
        return
    thread = Thread(target=count, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


# -- convert -------------------------------------------------------------------------


def convert_files(options: argparse.Namespace) -> int:
    paths = list(_files(options.files))
    used: set[Path] = set()
    failed = 0
    for stem, entries in by_file().items():
        original = fetcher(entries)
        if not isinstance(original, Original):
            continue
        chosen = chosen_for(original, paths)
        found = [path for path in chosen if path is not None]
        if not found:
            continue
        used |= set(found)
        try:
            path = convert(stem, original, chosen, options.to)
        except ValueError as error:
            failed = _failed(f"{stem}: {error}.")
        else:
            print(f"{stem}: {path}")
    for path in paths:
        if path not in used and path in options.files:
            failed = _failed(
                f"{path} is not one of the files that benchmarks are made from; "
                f"`halfmoon data list` says where those are."
            )
    return failed


def _files(given: Sequence[Path]) -> Iterator[Path]:
    for path in given:
        if path.is_dir():
            yield from sorted(inside for inside in path.iterdir() if inside.is_file())
        else:
            path.stat()  # which says what is wrong with it
            yield path


def chosen_for(original: Original, paths: Sequence[Path]) -> list[Path | None]:
    """The path of each of its files, by content, or else by name."""
    return [
        next((path for path in paths if file.is_content_of(path)), None)
        or next((path for path in paths if path.name == file.name), None)
        for file in original.files
    ]


def convert(
    stem: str, original: Original, chosen: Sequence[Path | None], to: Path | None
) -> Path:
    pairs = zip(original.files, chosen, strict=True)
    if missing := [file.name for file, path in pairs if path is None]:
        raise ValueError(
            f"{' and '.join(missing)} must be given, too, from {original.address}"
        )
    return keep(stem, original.made_of([path for path in chosen if path]), to)


COMMANDS = {"list": show_list, "fetch": fetch_files, "convert": convert_files}


if __name__ == "__main__":
    sys.exit(main())
