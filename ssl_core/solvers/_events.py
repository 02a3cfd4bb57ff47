"""Events that several solvers tell of in the same words."""

import numpy as np

from ssl_core.numerals import number
from ssl_core.trace import Array, Event, some_points


def exchange(what: str, before: Array, after: Array) -> tuple[Event, ...]:
    """Points joined or left a set that the method works on; no event where none did."""
    entered = int(np.count_nonzero(after & ~before))
    left = int(np.count_nonzero(before & ~after))
    if not (entered or left):
        return ()
    text = f"{some_points(entered)} joined the {what}, {some_points(left)} left."
    data = {"entered": entered, "left": left}
    return (Event("error_vectors", text, data),)


def ridge_added(ridge: float) -> Event:
    text = (
        f"The system is numerically singular: a ridge of {number(ridge)} was added to "
        f"the diagonal of K."
    )
    return Event("ridge", text, {"ridge": ridge})
