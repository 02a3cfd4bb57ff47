"""What a run holds in memory, before any work; one that does not fit is refused.

The library asks with what is free on the machine, a server with what one run may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from halfmoon.common import memory

STATE_VECTORS = 4  # numbers that a state keeps of each point and machine, about


class Size(NamedTuple):
    """How large a problem is.

    Attributes
    ----------
    n, n_labeled, n_classes : int
    data_bytes : int
        Of X in double precision.
    as_it_is : bool
        Whether X is dense and of doubles, which a linear machine does not copy.
    """

    n: int
    n_labeled: int
    n_classes: int
    data_bytes: int
    as_it_is: bool = False

    def at(self, n: int) -> Size:
        """The same with another number of points, as many of a hundred labelled."""
        share = n / self.n
        n_labeled = min(n, round(share * self.n_labeled))
        return self._replace(
            n=n, n_labeled=n_labeled, data_bytes=round(share * self.data_bytes)
        )

    @property
    def machines(self) -> int:
        """Binary machines of the run."""
        return self.n_classes if self.n_classes > 2 else 1


class Machine(Protocol):
    """An estimator that knows what it needs."""

    def peak_bytes(self, size: Size) -> int: ...

    def lighter(self) -> Iterator[Machine]: ...


def need_of(est: Machine, size: Size, trace_bytes: float) -> float:
    """Bytes at the peak of a recorded run: its data, its matrices, the states kept."""
    states = 1 + min(getattr(est, "max_iter", None) or 1, 10**9)
    kept = 8 * STATE_VECTORS * size.n * size.n_classes * states
    return size.data_bytes + est.peak_bytes(size) + min(kept, trace_bytes)


def check_run(est: Machine, size: Size) -> None:
    """Refuse a run that does not fit beside its data, which are there already.

    Raises
    ------
    ValueError
        With the bytes, the largest n, and ways out that do fit.
    """
    need = est.peak_bytes(size)
    if need <= memory.LITTLE or need <= (most := memory.room()):
        return

    def need_at(n: int) -> int:
        return est.peak_bytes(size.at(n))

    fits = ways_out(est, lambda other: other.peak_bytes(size) <= most)
    ways = ["fewer points"] if memory.fitting(need_at, size.n - 1, most) > 1 else []
    ways += [_in_code(est, other) for other in fits]
    raise ValueError(
        memory.refusal(
            type(est).__name__,
            need_at,
            size.n,
            most,
            limit=f"{memory.in_words(most)} can be used here",
            way_out=f"use {either(ways or ['a computer with more memory'])}",
        )
    )


def ways_out(est, fits: Callable[[Machine], bool]) -> list:
    """Of the machines that may take less memory the first of each kind that fits."""
    found: dict[type, Machine] = {}
    for other in filter(fits, est.lighter()):
        found.setdefault(type(other), other)
    return list(found.values())


def either(ways: list[str]) -> str:
    """a, b or c."""
    *first, last = ways
    return f"{', '.join(first)} or {last}" if first else last


def is_single(est) -> bool:
    return getattr(est, "dtype", "") == "float32"


def _in_code(est, other) -> str:
    single = "dtype='float32'" if is_single(other) and not is_single(est) else ""
    name = type(other).__name__
    if type(other) is type(est):
        return single
    return f"{name}({single})" if single else name
