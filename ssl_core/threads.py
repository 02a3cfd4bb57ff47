"""Which threads linear algebra and compiled loops run on: chosen once, capped here.

A sum that two threads share is rounded otherwise than one thread's, and conjugate
gradients make the last bit visible: on two moons with n = 2000 the stability check
stopped after 44 iterations with one BLAS thread and after 63 with two. Hence a run
whose matrix has up to `ONE_THREAD_ENTRIES` entries is solved with one thread
everywhere, and gives the same states to the last bit however many threads the machine,
the environment or the app allows. Larger runs take what threads there are; their states
agree to rounding with one and with several, and a rule that looks at decisions may stop
at another iteration.

`capped` is the one place where a number of threads is set. There are two kinds:

- BLAS has one number for the whole process. Runs side by side are counted, the
  smallest number asked for holds, and the last one to leave restores the first. (MKL,
  and OpenBLAS where it is built on OpenMP, have one for each calling thread.)
- Compiled loops (numba's, and the OpenMP ones inside scikit-learn) have a number for
  each calling thread. numba's own loops need no cap for the sake of their results,
  which do not depend on it.

The app serves every visitor in a thread. numba's ``workqueue`` layer aborts the whole
process when two threads enter parallel code at once, so it is never used: ``tbb``
comes first, then ``omp``, and where neither can be loaded the loops run serially and
`PARALLEL` says so.

``tbb`` is first because of what happens on a busy machine. With several other
processes on two cores, a pass of 1 ms took 36 ms in the median under ``omp``, whose
threads spin at the barrier while the one they wait for is off its core, and 6 ms under
``tbb``, where idle threads take over the chunks of a late one.
"""

import ctypes
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numba
from threadpoolctl import ThreadpoolController

POOLS = {"tbb": "numba.np.ufunc.tbbpool", "omp": "numba.np.ufunc.omppool"}


def choose_layer() -> str | None:
    """Name of a thread-safe layer that can be loaded, or None; sets it in numba.

    A layer that is already running is kept if it is a safe one. Otherwise the
    environment's ``NUMBA_THREADING_LAYER`` goes first if it names a safe one.
    """
    try:
        running = numba.threading_layer()
    except ValueError:  # no parallel code has run yet
        pass
    else:
        return running if running in POOLS else None
    wish = os.environ.get("NUMBA_THREADING_LAYER", "").lower()
    for layer in sorted(POOLS, key=lambda name: name != wish):
        if _loads(layer):
            numba.config.THREADING_LAYER = layer
            return layer
    return None


def _loads(layer: str) -> bool:
    if layer == "tbb":
        _preload_tbb()
    try:
        importlib.import_module(POOLS[layer])
    except ImportError:
        return False
    return True


def _preload_tbb():
    """The tbb wheel puts its library where the loader does not look: <prefix>/lib."""
    for library in sorted(Path(sys.prefix, "lib").glob("libtbb.so.*")):
        try:
            ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        except OSError:
            continue
        return


LAYER = choose_layer()
PARALLEL = LAYER is not None
# Measured in docs/tables/threads.md: up to n = 4000 a second thread gains 0.6 ms of a
# conjugate gradient iteration at best, and on a busy machine it costs 3 to 23 ms.
ONE_THREAD_ENTRIES = 4000**2


def blas_threads(entries: int) -> int | None:
    """Threads for products with a dense matrix of so many entries; None is all."""
    return 1 if entries <= ONE_THREAD_ENTRIES else None


class _Blas:
    """BLAS threads of the process, while at least one block asks for a number."""

    def __init__(self):
        self._lock = threading.Lock()
        self._wishes: list[float] = []
        self._found: list[int] = []

    def enter(self, wish: float) -> None:
        with self._lock:
            if not self._wishes:
                self._found = [lib.get_num_threads() for lib in _libraries().shared]
            self._wishes.append(wish)
            self._set()

    def leave(self, wish: float) -> None:
        with self._lock:
            self._wishes.remove(wish)
            self._set()

    def _set(self) -> None:
        # Also where nothing has changed: scikit-learn's neighbour search sets and
        # restores the number by itself, and may have put back another run's.
        limit = min(self._wishes, default=ALL)
        for library, found in zip(_libraries().shared, self._found, strict=True):
            _set_number(library, min(found, limit))


class _Here(threading.local):
    """What the calling thread allows its loops; ``own`` is numba's number before."""

    loops: float
    own: int | None

    def __init__(self):
        self.loops, self.own = ALL, None


ALL = float("inf")
_blas, _here = _Blas(), _Here()


class _Libraries(NamedTuple):
    shared: list  # BLAS with one number for the process
    own: list  # BLAS with a number for each calling thread
    openmp: list


@cache
def _libraries() -> _Libraries:
    """Libraries whose threads can be set.

    Found once, when the first run begins and all of them are loaded: looking for them
    takes 3 ms, asking and setting those found 5 us.
    """
    found = _Libraries([], [], [])
    for library in ThreadpoolController().lib_controllers:
        if library.get_num_threads() is None:
            continue
        on_openmp = getattr(library, "threading_layer", "") == "openmp"
        if library.user_api == "openmp":
            found.openmp.append(library)
        elif library.internal_api == "mkl" or on_openmp:
            found.own.append(library)
        else:
            found.shared.append(library)
    return found


def _set_number(library, number) -> None:
    """Set a library's threads, whichever thread asks.

    From 3.8 on threadpoolctl lets one thread at a time set OpenBLAS's number and
    ignores all others without a word. Here they are counted, hence the call beneath.
    """
    getattr(library, "_real_set_num_threads", library.set_num_threads)(int(number))


class capped:  # noqa: N801 - reads as what it is: with capped(blas=1): ...
    """At most so many threads for what happens inside the block.

    Blocks may be nested and may be entered by several threads at once. A block that
    asks for nothing still takes part: the process is left as it was found.

    Parameters
    ----------
    blas : int or None
        Threads of BLAS, in the whole process while the block lasts; None for all.
    loops : int or None
        Threads of the compiled loops that this thread starts; None for all.
    """

    __slots__ = ("_before", "_loops", "_numbers", "_wish")

    def __init__(self, *, blas: int | None = None, loops: int | None = None):
        self._wish = ALL if blas is None else max(1, blas)
        self._loops = ALL if loops is None else max(1, loops)

    def __enter__(self):
        _blas.enter(self._wish)
        self._before = _here.loops, _here.own
        _here.loops, _here.own = min(_here.loops, self._loops), None
        self._numbers = []
        libraries = _libraries()
        self._limit(libraries.own, self._wish)
        self._limit(libraries.openmp, self._loops)

    def _limit(self, libraries, number):
        if number < ALL:
            for library in libraries:
                found = library.get_num_threads()
                self._numbers.append((library, found))
                _set_number(library, min(found, number))

    def __exit__(self, *_):
        for library, found in reversed(self._numbers):
            _set_number(library, found)
        if _here.own is not None:
            numba.set_num_threads(_here.own)
        _here.loops, _here.own = self._before
        _blas.leave(self._wish)


def several() -> bool:
    """Whether a parallel loop started now may use more than one thread.

    Tells numba how many. Only here, since asking numba starts its threads, which a
    run without parallel loops does not need.
    """
    if not PARALLEL or _here.loops == 1:
        return False
    if _here.loops < ALL and _here.own is None:
        _here.own = numba.get_num_threads()
        numba.set_num_threads(min(_here.own, int(_here.loops)))
    return True


def stepwise(start: Callable[[], Iterator], **caps: int | None) -> Iterator:
    """The values of ``start()``, with `capped` around each step and none between.

    Whoever iterates has all threads while looking at a value, and also after dropping
    the generator half-way.
    """
    with capped(**caps):
        values = start()
    while True:
        with capped(**caps):
            value = next(values, None)
        if value is None:
            return
        yield value
