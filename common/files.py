"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[str]:
    """A new file's name beside ``path``, which it takes the place of at the end.

    Nothing is left of it where the block fails, and a file that was there stays.
    """
    target = os.fspath(path)
    stem, ending = os.path.splitext(target)
    beside = f"{stem}.{secrets.token_hex(4)}.part{ending}"  # writers look at endings
    try:
        yield beside
        os.replace(beside, target)
    except OSError as error:
        if error.filename == beside:
            error.filename = target  # the name that the caller knows
        raise
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
