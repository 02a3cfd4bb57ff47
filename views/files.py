"""Pictures and films of a trace as files; the ending of the name says of which kind."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from halfmoon.common.files import replaced
from halfmoon.views.figures import view_at
from halfmoon.views.page import check_known
from halfmoon.views.pictures import FILMS, PICTURES, film, picture
from halfmoon.views.stage_view import trace_view
from ssl_core.trace import PathLike, Trace

HOW = ("what", "theme", "caption", "size", "seconds_per_frame", "max_frames")


def write_picture(trace: Trace, path: PathLike, t: int | None, **how: Any) -> None:
    """See `Trace.to_picture`."""
    kind = kind_of(path, PICTURES)
    drawn, shown = _parted(how)
    view, frame = view_at(trace, t, **shown)
    with replaced(path) as name:
        Path(name).write_bytes(picture(view, kind, frame=frame, **drawn))


def write_film(trace: Trace, path: PathLike, **how: Any) -> None:
    """See `Trace.to_film`."""
    kind = kind_of(path, FILMS)
    drawn, shown = _parted(how, [name for name in HOW if name != "what"])
    view = trace_view(trace, **shown)
    with replaced(path) as name:
        Path(name).write_bytes(film(view, kind, **drawn))


def kind_of(path: PathLike, kinds: tuple[str, ...]) -> str:
    """What a file is to be, by the ending of its name."""
    kind = Path(os.fspath(path)).suffix.lower().removeprefix(".")
    if kind not in kinds:
        endings = ", ".join(f".{k}" for k in kinds)
        raise ValueError(
            f"path must end in one of {endings}, got {os.fspath(path)!r:.200}."
        )
    return kind


def _parted(
    how: dict[str, Any], known: Sequence[str] = HOW
) -> tuple[dict[str, Any], dict[str, Any]]:
    """How to draw, and what is known of the points."""
    drawn = {name: how[name] for name in known if name in how}
    shown = {name: how[name] for name in how.keys() - drawn.keys()}
    check_known(shown, ("title",))
    return drawn, shown
