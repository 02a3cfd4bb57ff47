"""Which threads the compiled loops run on, chosen once and safely.

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numba

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


def n_threads() -> int:
    """Threads a parallel loop started from this thread would use."""
    return numba.get_num_threads() if PARALLEL else 1


@contextmanager
def limit_threads(n: int) -> Iterator[None]:
    """At most ``n`` threads for the loops this thread starts inside the block."""
    if not PARALLEL:
        yield
        return
    before = numba.get_num_threads()
    numba.set_num_threads(max(1, min(n, before)))
    try:
        yield
    finally:
        numba.set_num_threads(before)
