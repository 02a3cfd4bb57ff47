"""Numbers that the reader moves in the panels, such as thresholds.

They are moved in the browser, which tells the server only when one is let go. The
server says what they are when a screen is opened, and gives that opening a number;
what a browser says of an earlier opening is out of date.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

MOST = 50  # names in one message


def read_numbers(message, opening: int) -> dict[str, float] | None:
    """The numbers of a message from the browser, or None where it says nothing new.

    Parameters
    ----------
    message : object
        Whatever came: nothing is taken for granted.
    opening : int
        The opening that the screen shows.
    """
    if not isinstance(message, Mapping) or message.get("opening") != opening:
        return None
    values = message.get("values")
    if not isinstance(values, Mapping) or len(values) > MOST:
        return None
    plain = (int, float)
    good = {
        name: float(value)
        for name, value in values.items()
        if isinstance(name, str)
        and isinstance(value, plain)
        and not isinstance(value, bool)
        and np.isfinite(value)
    }
    return good if len(good) == len(values) else None
