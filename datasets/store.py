"""Where benchmark files are found, kept and checked.

A benchmark is one compressed numpy file: ``X`` (or ``X_data``, ``X_indices``,
``X_indptr``, ``X_shape`` of a CSR matrix), ``y``, ``meta`` (JSON text), and where they
exist ``test_start``, ``idx_lab`` and the like. Such a file is looked for

1. in the folder that ``HALFMOON_DATA`` names;
2. in ``data/`` of the working folder; when the variable is not set, in a checkout also
   in its ``data/`` and in ``../shared/data`` beside it;
3. in the cache, ``HALFMOON_CACHE`` or ``~/.cache/halfmoon``, where a fetched file
   lies next to its SHA-256;
4. on the network, when the data set has a fetcher.

A fetcher is a function of a scratch folder. The text ``by_hand`` of some says how to
use files that were downloaded in another way.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
import threading
import warnings
import zipfile
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from halfmoon import HOME, INSTALLED
from halfmoon.datasets._lock import only_process

Progress = Callable[[float | None, str], None]
POLL = 0.2  # seconds between two looks at how much has arrived
BIG = 200e6  # bytes; beyond it compression costs more minutes than it saves disk
FULL = (errno.ENOSPC, errno.EDQUOT)
_ONE_AT_A_TIME = threading.Lock()
_AT_HAND_ONLY: ContextVar[bool] = ContextVar("at_hand_only", default=False)
_UNREADABLE = (
    *(ValueError, TypeError, LookupError, EOFError, OSError),
    *(zipfile.BadZipFile, zlib.error),
)


class DatasetUnavailable(OSError):  # noqa: N818 - it names a state, as in a page
    """The data set is not on this machine and could not be fetched.

    Parameters
    ----------
    sentence : str
        Why, and what to do.
    command : str, optional
        What to type where there is a network.
    """

    def __init__(self, sentence: str, command: str = "") -> None:
        super().__init__(sentence)
        self.command = command


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """Content of a benchmark file.

    Parameters
    ----------
    X : ndarray or csr_matrix of shape (n, d)
        Points, in the file's own number format.
    y : ndarray of shape (n,)
        The file's own labels.
    meta : dict
        The file's own account of itself.
    extras : dict of str to ndarray
        Splits, test part, vocabulary: whatever else the file holds.
    """

    X: np.ndarray | sp.csr_matrix
    y: np.ndarray
    meta: dict[str, Any] = field(default_factory=dict)
    extras: dict[str, np.ndarray] = field(default_factory=dict)


def local_folders() -> tuple[Path, ...]:
    """Folders searched for benchmark files, first one first."""
    named = os.environ.get("HALFMOON_DATA")
    here = Path.cwd() / "data"
    if named:
        return tuple(dict.fromkeys((Path(os.path.expanduser(named)), here)))
    if INSTALLED:
        return (here,)
    return tuple(dict.fromkeys((here, HOME / "data", HOME.parent / "shared" / "data")))


def cache_folder() -> Path:
    """Folder that keeps what was fetched; made when first needed."""
    named = os.environ.get("HALFMOON_CACHE")
    return Path(os.path.expanduser(named or "~/.cache/halfmoon"))


def local_file(stem: str) -> Path | None:
    """Path of a benchmark file in a local folder, or None."""
    for folder in local_folders():
        path = folder / f"{stem}.npz"
        if os.path.isfile(path):  # which raises nothing, whatever the folder is called
            return path
    return None


def find(stem: str) -> Path | None:
    """Path of a benchmark file on this machine, or None."""
    cached = cache_folder() / f"{stem}.npz"
    kept = os.path.isfile(cached) and os.path.isfile(_checksum_file(cached))
    return local_file(stem) or (cached if kept else None)


def at_hand(stem: str) -> bool:
    """Whether a benchmark can be read without a network."""
    return find(stem) is not None


@contextmanager
def at_hand_only():
    """Nothing is fetched inside this block: what is not at hand is unavailable."""
    before = _AT_HAND_ONLY.set(True)
    try:
        yield
    finally:
        _AT_HAND_ONLY.reset(before)


def read(
    stem: str,
    fetch: Callable[[Path], Raw] | None = None,
    progress: Progress | None = None,
) -> Raw:
    """Read a benchmark file, fetching it into the cache when it is nowhere.

    Parameters
    ----------
    stem : str
        File name without ``.npz``.
    fetch : callable, optional
        ``fetch(folder)`` downloads into a scratch folder and returns a Raw.
    progress : callable, optional
        ``progress(fraction, text)``, called from the caller's thread.

    Raises
    ------
    DatasetUnavailable
        Not at hand, and no fetcher or no network.
    ValueError
        A file in the user's own data folder cannot be read.
    """
    path = local_file(stem)
    if path is not None:
        try:
            return read_npz(path)
        except _UNREADABLE as error:
            raise ValueError(
                f"{path} is not a readable benchmark file ({error}); replace it or "
                f"remove it."
            ) from error
    # Two visitors who ask at once share one download.
    with _ONE_AT_A_TIME:
        return _read_cached(stem, fetch, progress)


def _read_cached(stem: str, fetch: Callable | None, progress: Progress | None) -> Raw:
    """From the cache when its checksum holds, else from the network."""
    raw = _cached(stem, progress)
    if raw is not None:
        return raw
    if fetch is None:
        raise _unavailable(stem, "has no network source")
    if _AT_HAND_ONLY.get():
        raise _unavailable(stem, "is not fetched from here", fetch)
    try:
        with only_process(cache_folder() / "downloads" / f"{stem}.lock"):
            cached = cache_folder() / f"{stem}.npz"
            if os.path.isfile(cached) and _damage(cached) is None:
                return read_npz(cached)  # by another process, while this one waited
            return _fetch_and_keep(stem, fetch, progress)
    except DatasetUnavailable:
        raise
    except OSError as error:
        raise DatasetUnavailable(
            f"{stem} cannot be fetched because {cache_folder()} cannot be written "
            f"({error}); set HALFMOON_CACHE to a folder with room."
        ) from error


def _cached(stem: str, progress: Progress | None) -> Raw | None:
    """From the cache, or None when it is not there or its checksum does not hold."""
    cached = cache_folder() / f"{stem}.npz"
    if not os.path.isfile(cached):
        return None
    damage = _damage(cached)
    if damage is None:
        return read_npz(cached)
    warnings.warn(f"{cached} is damaged ({damage}) and is fetched again.", stacklevel=4)
    _say(progress, None, f"The cached {stem} is damaged; fetching it again.")
    return None


def _fetch_and_keep(stem: str, fetch: Callable, progress: Progress | None) -> Raw:
    raw = _fetch(stem, fetch, progress)
    cached = cache_folder() / f"{stem}.npz"
    try:
        write_npz(cached, raw)
    except OSError as error:
        raise DatasetUnavailable(
            f"{stem} was fetched but could not be kept in {cached.parent} ({error}); "
            f"set HALFMOON_CACHE to a folder with room."
        ) from error
    shutil.rmtree(_scratch(stem), ignore_errors=True)
    _say(progress, 1.0, f"{stem} is ready.")
    return raw


def read_npz(path: Path) -> Raw:
    """Read one file of the benchmark format; nothing in it is ever executed."""
    with np.load(path, allow_pickle=False) as z:
        arrays = {name: z[name] for name in z.files}
    meta = json.loads(str(arrays.pop("meta", "{}")))
    y = arrays.pop("y")
    if "X" in arrays:
        X = arrays.pop("X")
    else:
        parts = [arrays.pop(f"X_{part}") for part in ("data", "indices", "indptr")]
        X = sp.csr_matrix(tuple(parts), shape=tuple(arrays.pop("X_shape")))
        # An index outside the matrix would be followed, and could end the process.
        X.check_format(full_check=True)
    if X.ndim != 2 or X.dtype.kind not in "fiub" or y.ndim != 1:
        raise ValueError(
            f"X must be a matrix of numbers and y a vector, got {X.dtype} of shape "
            f"{X.shape} and shape {y.shape}"
        )
    if X.shape[0] != len(y):
        raise ValueError(f"X has {X.shape[0]} rows and y has {len(y)}")
    return Raw(X, y, meta, arrays)


def write_npz(path: Path, raw: Raw) -> None:
    """Write a benchmark file and its SHA-256; a crash leaves no half file."""
    arrays = _arrays(raw)
    path.parent.mkdir(parents=True, exist_ok=True)
    size = sum(array.nbytes for array in arrays.values())
    save = np.savez if size > BIG else np.savez_compressed
    scratch = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        with scratch.open("xb") as file:  # as readable for others as any new file
            save(file, **arrays, meta=np.array(json.dumps(raw.meta)))
        _checksum_file(path).write_text(f"{sha256(scratch)}  {path.name}\n")
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def _arrays(raw: Raw) -> dict[str, np.ndarray]:
    """All arrays of a benchmark file by their names there."""
    X = raw.X
    if not sp.issparse(X):
        return {"X": X, "y": raw.y, **raw.extras}
    parts = {"X_data": X.data, "X_indices": X.indices, "X_indptr": X.indptr}
    shape = np.array(X.shape, dtype=np.int64)
    return {**parts, "X_shape": shape, "y": raw.y, **raw.extras}


def content_sha256(raw: Raw) -> str:
    """SHA-256 of points, labels and splits, with their number formats.

    The file around them does not matter, nor do its ``meta`` and its compression.
    """
    digest = hashlib.sha256()
    for name, array in sorted(_arrays(raw).items()):
        little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
        digest.update(f"{name} {little.dtype.str} {little.shape}\n".encode())
        digest.update(little.tobytes())
    return digest.hexdigest()


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checksum_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _damage(path: Path) -> str | None:
    """Why a cached file cannot be trusted, or None when its checksum holds."""
    recorded = _checksum_file(path)
    if not recorded.is_file():
        return "its checksum is missing"
    words = recorded.read_text(errors="replace").split()
    if not words or words[0] != sha256(path):
        return "its SHA-256 is not the recorded one"
    return None


def _scratch(stem: str) -> Path:
    return cache_folder() / "downloads" / stem


def _fetch(stem: str, fetch: Callable[[Path], Raw], progress: Progress | None) -> Raw:
    """Run a fetcher in its scratch folder, turning its failures into one kind.

    What arrived whole stays in the folder after a network failure, so that the next
    attempt goes on from there; what arrived wrong is removed.
    """
    folder = _scratch(stem)
    _say(progress, 0.0, f"Fetching {stem}.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if progress is None:
            return fetch(folder)
        return _watched(stem, fetch, folder, progress)
    except DatasetUnavailable:
        raise
    except (OSError, HTTPException, EOFError) as error:
        reason = getattr(error, "reason", None) or error
        if getattr(error, "errno", None) in FULL:
            reason = f"{folder} has no room; set HALFMOON_CACHE to a folder with room"
        raise _unavailable(stem, f"could not be fetched ({reason})", fetch) from error
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        shutil.rmtree(folder, ignore_errors=True)
        why = f"arrived in a form that cannot be used ({error})"
        raise _unavailable(stem, why, fetch) from error


def _watched(stem: str, fetch: Callable, folder: Path, progress: Progress) -> Raw:
    """Fetch in a thread and report, from this one, how much has arrived.

    scikit-learn's fetchers report nothing themselves, but the bytes they write can
    be counted.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="fetch") as pool:
        job = pool.submit(fetch, folder)
        while True:
            try:
                return job.result(timeout=POLL)
            except NotYet:
                if job.done():  # the fetcher itself ended with a TimeoutError
                    return job.result()
                progress(None, f"{stem}: {received(stem) / 1e6:.1f} MB received.")


def received(stem: str) -> int:
    """Bytes of a download that have arrived until now."""
    total = 0
    for path in _scratch(stem).rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:  # moved to its final name meanwhile
            continue
    return total


def command(stem: str) -> str:
    """What downloads a benchmark."""
    return f"halfmoon data fetch {stem}"


def how_to_get(stem: str, fetch: Callable | None) -> str:
    """What a person can do to have a benchmark, as half a sentence."""
    ways = [f"put {stem}.npz into a folder and set HALFMOON_DATA to it"]
    if by_hand := getattr(fetch, "by_hand", None):
        ways.insert(0, by_hand)
    if fetch is not None:
        ways.insert(0, f"run `{command(stem)}` where there is a network")
    return ", or ".join(ways)


def _unavailable(
    stem: str, why: str, fetch: Callable | None = None
) -> DatasetUnavailable:
    """The error of a benchmark that cannot be had; pages show its sentence."""
    named = os.environ.get("HALFMOON_DATA")
    if named and not os.path.isdir(os.path.expanduser(named)):
        where = f"HALFMOON_DATA names {named}, which is not a folder"
    else:
        folders = " or ".join(str(folder) for folder in local_folders())
        where = f"it is not in {folders}"
    sentence = f"{stem} {why} and {where}; {how_to_get(stem, fetch)}."
    return DatasetUnavailable(sentence, command(stem) if fetch else "")


def _say(progress: Progress | None, fraction: float | None, text: str) -> None:
    if progress is not None:
        progress(fraction, text)
