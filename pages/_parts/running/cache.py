"""Caches: what was made once is kept for the next who asks, up to so many bytes."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple


class CacheFigures(NamedTuple):
    """What an operator may want to know of a cache."""

    entries: int
    bytes: float
    max_bytes: float
    hits: int
    misses: int
    dropped: int  # for want of room, or because nobody asked for it


@dataclass
class _Item:
    value: Any
    size: float
    used: float  # when, on the monotonic clock


class Cache:
    """Keeps what was used last, up to so many bytes; safe between threads.

    What it is kept under counts as well: a scenario with thousands of labels and
    points by hand is larger than many a picture.

    Parameters
    ----------
    max_bytes : float
    size : callable
        Bytes of a value.
    rest : callable, optional
        Seconds for which a value stays although nobody asks for it; without it, for
        good.
    """

    def __init__(
        self,
        max_bytes: float,
        size: Callable[[Any], float],
        rest: Callable[[Any], float] | None = None,
    ):
        self.max_bytes, self.size, self.rest = max_bytes, size, rest
        self._items: OrderedDict[Any, _Item] = OrderedDict()
        self._held = 0.0
        self._hits = self._misses = self._dropped = 0
        self._lock = threading.Lock()

    def get(self, key):
        with self._lock:
            if key not in self._items:
                self._misses += 1
                return None
            self._hits += 1
            self._items.move_to_end(key)
            self._items[key].used = time.monotonic()
            return self._items[key].value

    def put(self, key, value) -> None:
        size = self.size(value) + key_bytes(key)
        with self._lock:
            self._drop(key)
            self._items[key] = _Item(value, size, time.monotonic())
            self._held += size
            while self._held > self.max_bytes and len(self._items) > 1:
                self._drop(self._next_to_go(key))
                self._dropped += 1

    def figures(self) -> CacheFigures:
        """How full it is, and how often it had what was asked for."""
        with self._lock:
            counts = self._hits, self._misses, self._dropped
            return CacheFigures(len(self._items), self._held, self.max_bytes, *counts)

    def tidy(self) -> None:
        """Let go of what nobody has asked for in a while."""
        if self.rest is None:
            return
        now = time.monotonic()
        with self._lock:
            for key, item in list(self._items.items()):
                if now - item.used > self.rest(item.value):
                    self._drop(key)
                    self._dropped += 1

    def _drop(self, key) -> None:
        if key in self._items:
            self._held -= self._items.pop(key).size

    def _next_to_go(self, newest):
        """Which item makes room for the newest one; called with the lock held."""
        return next(iter(self._items))

    def __len__(self) -> int:
        return len(self._items)


class MadeOfRuns(Cache):
    """What is made of finished runs, once for all who ask for the same."""

    def made(self, make: Callable, *of, **about):
        """``make(*of, **about)``, from the cache or made now.

        The arguments are the key, so nothing can be left out of it: what ``make`` is
        not given it does not know. What is made of a stopped run is its visitor's
        alone and is not kept.

        Parameters
        ----------
        make : callable
            A function of a module, which reads no session. One made inside another
            function would see more than its arguments, and is refused.
        *of : Solved
        **about
            All else that the value depends on, hashable.
        """
        code = getattr(make, "__code__", None)
        if code is None or "<" in make.__qualname__:
            raise TypeError(f"make must be a function of a module, got {make!r}.")
        if any(run.interrupted for run in of):
            return make(*of, **about)
        runs = tuple(run.key for run in of)
        key = code.co_filename, make.__qualname__, runs, tuple(sorted(about.items()))
        value = self.get(key)
        if value is None:
            value = make(*of, **about)
            self.put(key, value)
        return value


class FileCache(Cache):
    """Uploaded files by digest; whoever brings more gives up their own first.

    A file that several visitors brought belongs to none of them, and what someone
    looks at stands behind what nobody does.
    """

    def __init__(self, max_bytes: float):
        super().__init__(max_bytes, len)
        self._owner: dict[str, str] = {}  # digest -> visitor

    def bring(self, digest: str, content: bytes, visitor: str) -> None:
        with self._lock:
            for gone in self._owner.keys() - self._items.keys():
                del self._owner[gone]
            shared = self._owner.setdefault(digest, visitor) != visitor
            if shared:
                self._owner[digest] = ""
        self.put(digest, content)

    def _next_to_go(self, newest):
        owner = self._owner.get(newest)
        mine = (d for d in self._items if d != newest and self._owner.get(d) == owner)
        oldest = next(iter(self._items))
        return next(mine, oldest) if owner else oldest


def key_bytes(key: Any) -> int:
    """About what a key takes in memory: a tree of tuples, texts and numbers."""
    if is_dataclass(key):
        key = tuple(getattr(key, field.name) for field in fields(key))
    if isinstance(key, tuple):
        return 56 + 8 * len(key) + sum(map(key_bytes, key))
    return 56 + len(key) if isinstance(key, str) else 32
