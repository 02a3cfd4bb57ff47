"""Compiled functions that work wherever their code can or cannot be kept.

``@compiled(...)`` is numba's ``njit`` with a cache on disk that never stands in the way
of a result. numba keeps compiled code beside the source or in the user's own cache
folder. Where neither can be written the import fails; a cache file that is empty, cut
off or unreadable, or a full disk, fails every call until someone deletes the cache.
Here

- an installed Halfmoon keeps its code in the user's cache (or where NUMBA_CACHE_DIR
  says), and writes nothing beside the modules;
- a file that cannot be read is thrown away, and the function is compiled again;
- a place that cannot be written is left for a folder of the user's own among the
  temporary files, and that for none: every process then compiles for itself.

Each is a line in the log. Of numba's inside this needs `FunctionCache` and the name
under which a dispatcher keeps one; with a numba that has neither, nothing is cached.
"""

import logging
import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numba

from halfmoon import INSTALLED

try:
    from numba.core.caching import FunctionCache
except ImportError:
    FunctionCache = None

log = logging.getLogger(__name__)


def compiled(**options) -> Callable:
    """``numba.njit(cache=True, **options)``, for any state of the disk."""

    def decorate(function):
        dispatcher = numba.njit(**options)(function)
        if FunctionCache is not None and hasattr(dispatcher, "_cache"):
            dispatcher._cache = PatientCache(function)
        return dispatcher

    return decorate


class PatientCache:
    """The cache of one function, in the first place that takes it.

    Stands where a dispatcher keeps numba's own: it is asked for compiled code by
    signature and handed what was compiled. Whatever goes wrong with files costs time
    and nothing else, hence nothing is raised.
    """

    def __init__(self, function):
        self._function = function
        self._places = iter(PLACES)
        self._cache = None
        self._move("the usual folders, which cannot be written")

    @property
    def cache_path(self):
        return None if self._cache is None else self._cache.cache_path

    def load_overload(self, signature, target_context):
        if self._cache is None:
            return None
        try:
            return self._cache.load_overload(signature, target_context)
        except Exception as error:  # a damaged file can raise anything
            _say(f"Compiled code in {self.cache_path} is damaged, made again", error)
            self.flush()
            return None

    def save_overload(self, signature, result):
        while self._cache is not None:
            try:
                return self._cache.save_overload(signature, result)
            except Exception as error:
                self._leave(error)

    def flush(self):
        if self._cache is not None:
            try:
                self._cache.flush()
            except Exception as error:
                self._leave(error)

    def enable(self):
        if self._cache is not None:
            self._cache.enable()

    def disable(self):
        if self._cache is not None:
            self._cache.disable()

    def _leave(self, error):
        """Give up a place; an index there may promise code that was never written."""
        left = self._cache
        with suppress(Exception):
            os.unlink(left._cache_file._index_path)
        self._move(left.cache_path, error)

    def _move(self, left, error=None):
        self._cache, first = None, True
        for place in self._places:
            self._cache = place(self._function)
            if self._cache is not None:
                break
            first = False
        if error is not None or not first:
            where = self.cache_path or "nowhere, so every process compiles for itself"
            _say(f"Compiled code cannot be kept in {left}; kept in {where}", error)


def _numbas_own(function):
    """A cache where numba looks for a place, or None where it finds none."""
    try:
        return FunctionCache(function)
    except Exception:  # RuntimeError: no locator available
        return None


def _users(function):
    """A cache in the user's cache folder, or None."""
    named = os.environ.get("HALFMOON_CACHE") or "~/.cache/halfmoon"
    return _in_folder(Path(os.path.expanduser(named), "compiled"), function)


def _temporary(function):
    """A cache in this user's folder among the temporary files, or None."""
    folder = _temporary_folder()
    return None if folder is None else _in_folder(folder, function)


def _in_folder(folder: Path, function):
    """A cache in a folder, or None where it cannot be written."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        cache = FunctionCache(function)
    except Exception:
        return None
    finally:
        numba.config.CACHE_DIR = before
    return cache if folder in Path(cache.cache_path).parents else None


def _temporary_folder() -> Path | None:
    """The same for all processes of a user and closed to everyone else, or None.

    Compiled code is loaded and run: a folder that another user made, or can write
    to, is not touched.
    """
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    try:
        folder = Path(tempfile.gettempdir(), f"halfmoon-compiled-{user}")
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode):
        return None
    if hasattr(os, "getuid") and (found.st_uid != user or found.st_mode & 0o077):
        return None
    return folder


def _say(text, error) -> None:
    _say_once(text if error is None else f"{text} ({type(error).__name__}: {error}).")


PLACES = (
    (_users, _temporary)
    if INSTALLED and not numba.config.CACHE_DIR
    else (_numbas_own, _temporary)
)


@cache
def _say_once(line) -> None:
    """Thirty functions find the same on the same disk."""
    log.warning(line)
