"""Traces as a page of HTML: one file that plays by itself, also in a notebook."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

from halfmoon import stage
from halfmoon.common.files import replaced
from halfmoon.stage.page import document, text
from halfmoon.views.about import method
from halfmoon.views.glossary import terms_in
from halfmoon.views.pictures import picture
from halfmoon.views.shown_run import ShownRun, run_of
from halfmoon.views.side_by_side import BUDGETS, MOST, compact, run_headline
from halfmoon.views.stage_view import trace_view
from ssl_core.trace import PathLike, Trace

SYNC = "together"  # the name under which runs side by side move in step
HEIGHT = 640  # pixels of a frame until its page is there
STILL = 960  # pixels of a picture's width: it is in a notebook twice, as 70 kB not 420
COLOURS = 256
ENDINGS = (".html", ".htm")
KNOWN = ("truth", "class_names", "points", "axis_names", "data")


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """Runs on a page: what a file or a frame of a notebook shows.

    Parameters
    ----------
    views : sequence of StageView
        Those of one ``sync`` move in step. Nothing in them can be edited here.
    title : str
    words : sequence of str
        Paragraphs above the stages.
    """

    views: tuple[stage.StageView, ...]
    title: str
    words: tuple[str, ...] = ()

    def __repr__(self) -> str:
        frames = " and ".join(f"{view.n_frames:,}" for view in self.views)
        return f"Page({self.title!r}, {frames} frames)"

    def html(self, *, framed: bool = False) -> str:
        """The whole document; ``framed`` leaves out heading and footer."""
        blocks = [
            stage.payload(
                replace(view, tools=(), prompts=(), locked=True),
                key=f"run{i}",
                explain=terms_in,
            )
            for i, view in enumerate(self.views)
        ]
        return document(
            blocks,
            title=self.title,
            words=self.words,
            about=list(dict.fromkeys(view.about for view in self.views if view.about)),
            sync=self.views[0].sync if self.views[0].compact else "",
            framed=framed,
        )

    def save(self, path: PathLike) -> None:
        """Write the page to a file, which is replaced whole or not at all."""
        if not os.fspath(path).lower().endswith(ENDINGS):
            raise ValueError(
                f"path must end in .html or .htm, got {os.fspath(path)!r:.200}."
            )
        with replaced(path) as name:
            Path(name).write_text(self.html(), encoding="utf-8")

    def still(self) -> bytes | None:
        """A picture of the first run; None where matplotlib is not installed."""
        try:
            return _smaller(picture(self.views[0], "png", caption=False))
        except ModuleNotFoundError:
            return None

    def bundle(self, mark: str = "") -> dict[str, str]:
        """For notebooks: the page in a frame, and a picture where no script runs.

        Parameters
        ----------
        mark : str
            A live stage with this name hides it.
        """
        still = self.still()
        found = {"text/plain": repr(self), "text/html": frame(self, still, mark)}
        if still is not None:
            found["image/png"] = base64.b64encode(still).decode()
        return found

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return self.bundle()


def frame(page: Page, still: bytes | None = None, mark: str = "") -> str:
    """A page in a frame, with a picture that stays where frames are taken out.

    Parameters
    ----------
    page : Page
    still : bytes, optional
        A picture as PNG; the page hides it once it runs.
    mark : str
        A live stage with this name hides all of it.
    """
    title = text(page.title)
    image = ""
    if still is not None:
        data = base64.b64encode(still).decode()
        image = f'<img src="data:image/png;base64,{data}" alt="{title}" width="640">'
    return (
        f'<div data-halfmoon-still="{escape(mark)}">'
        f'<iframe title="{title}" srcdoc="{escape(page.html(framed=True))}" '
        f'loading="lazy" width="100%" height="{HEIGHT}" style="border: 0"></iframe>'
        f"{image}</div>"
    )


def _smaller(png: bytes) -> bytes:
    """A picture with fewer pixels and colours, those of the marks among them."""
    from PIL import Image

    image = Image.open(BytesIO(png)).convert("RGB")
    height = round(image.height * STILL / image.width)
    image = image.resize((STILL, height), Image.Resampling.LANCZOS)
    method = Image.Quantize.MAXCOVERAGE  # others make small marks grey
    file = BytesIO()
    image.quantize(COLOURS, method=method, dither=Image.Dither.NONE).save(
        file, "PNG", optimize=True
    )
    return file.getvalue()


def page_of(
    *traces: Trace, names: Sequence[str] | None = None, title: str = "", **shown: Any
) -> Page:
    """A page of one trace, or of several side by side that move in step.

    Parameters
    ----------
    *traces : Trace
        Up to four.
    names : sequence of str, optional
        What the runs are called; the titles of their methods when None.
    title : str
        The heading; names and data when empty.
    **shown
        As `halfmoon.views.trace_view` takes them, the same for all: ``truth``,
        ``class_names``, ``points``, ``axis_names``, ``data``.
    """
    for trace in traces:
        if not isinstance(trace, Trace):
            raise TypeError(
                f"only traces can be shown side by side, got {type(trace).__name__}; "
                f"est.trace(X, y) makes one, and names go by names=."
            )
    if not 1 <= len(traces) <= MOST:
        raise ValueError(
            f"1 to {MOST} traces can be shown side by side, got {len(traces)}."
        )
    if names is not None and (isinstance(names, str) or not _counts(names)):
        raise TypeError(f"names must be a list of text, got {names!r:.60}.")
    if names is not None and len(names) != len(traces):
        raise ValueError(
            f"names must hold one for each of the {len(traces)} traces, got "
            f"{len(names)}."
        )
    check_known(shown)
    budget = BUDGETS[len(traces)]
    views = [trace_view(trace, budget=budget, **shown) for trace in traces]
    runs = [
        run_of(trace, shown.get("truth"), shown.get("class_names"))[0]
        for trace in traces
    ]
    names = _names(runs) if names is None else [str(name) for name in names]
    data = shown.get("data", "")
    heading = str(title) or " and ".join(names) + (f": {data}" if data else "")
    if len(traces) == 1:
        return Page((replace(views[0], name=names[0]),), heading)
    made = [
        replace(
            compact(view, run),
            title=run_headline(name, run),
            name=name,
            sync=SYNC,
            compact=True,
        )
        for view, run, name in zip(views, runs, names, strict=True)
    ]
    return Page(tuple(made), heading)


def check_known(shown: Mapping[str, Any], also: Sequence[str] = ()) -> None:
    """What is known of points and classes has its names; others are mistakes."""
    known = [*KNOWN, *also]
    for name in shown.keys() - {*known}:
        raise TypeError(
            f"there is no argument {name!r} here; what is known of the points goes by "
            f"{', '.join(known)}."
        )


def _counts(values: Any) -> bool:
    return hasattr(values, "__len__") and hasattr(values, "__iter__")


def _names(runs: Sequence[ShownRun]) -> list[str]:
    """Titles of the methods, with their settings where two are the same."""
    titles = [run.entry.title if run.entry else method(run) for run in runs]
    full = [method(run) for run in runs]
    found = titles if len({*titles}) == len(runs) else full
    if len({*found}) < len(runs):
        found = [f"{name}, run {i}" for i, name in enumerate(found, 1)]
    return [name or f"Run {i}" for i, name in enumerate(found, 1)]
