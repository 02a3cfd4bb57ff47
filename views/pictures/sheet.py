"""A figure of matplotlib that is drawn on as the browser draws on its canvas.

Its unit is a pixel of the screen (1/96 inch there, a point in a file), counted from the
top left corner, so that sizes are those of ``stage/js``. Later things cover earlier
ones.
"""

from __future__ import annotations

import threading
import warnings
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO

import numpy as np

FONT = ("DejaVu Sans", "sans-serif")  # the first one comes with matplotlib
UNITS = 72  # to the inch: a unit is a point
SHARP = 2  # pixels of a picture to a unit
SAVING = {  # what matplotlib has no arguments for
    "svg.fonttype": "none",
    "svg.hashsalt": "halfmoon",
    "svg.image_inline": True,
    "pdf.fonttype": 42,
    "pdf.use14corefonts": False,
    "savefig.bbox": None,
    "text.hinting": "none",  # widths are those that were measured
}
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
# Settings of matplotlib, and warnings, belong to the whole process.
_ONE_AT_A_TIME = threading.RLock()


@contextmanager
def matplotlib_alone() -> Iterator[None]:
    """Only this thread draws, with our settings, and glyphs may be missing."""
    try:
        import matplotlib
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise ModuleNotFoundError(
            "pictures need matplotlib, which is not installed; "
            "run `pip install halfmoon[pictures]`.",
            name=error.name,
        ) from None
    with _ONE_AT_A_TIME, matplotlib.rc_context(SAVING), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


class Sheet:
    """A page of a fixed width that grows downwards.

    Parameters
    ----------
    width : float
    background : str
        A colour, as everywhere here ``"#rrggbb"``.
    """

    def __init__(self, width: float, background: str):
        from matplotlib.figure import Figure

        self.width = width
        self.figure = Figure(dpi=UNITS, facecolor=background)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.origin = (0.0, 0.0)

    def move(self, x: float, y: float) -> None:
        """Count from this place from now on."""
        self.origin = (x, y)

    def cut(self, height: float) -> None:
        """The page ends here."""
        self.height = height
        self.figure.set_size_inches(self.width / UNITS, height / UNITS)
        self.axes.set(xlim=(0, self.width), ylim=(height, 0))

    # -- what is drawn ---------------------------------------------------------

    def line(self, xs, ys, colour, width, **how) -> None:
        """A line through places; NaN leaves a gap."""
        from matplotlib.path import Path

        self.path(Path(np.column_stack([xs, ys])), colour, width, **how)

    def path(
        self, path, colour, width, *, dash=(), alpha=1.0, round=False, clip=None
    ) -> None:
        """The outline of a path."""
        from matplotlib import rcParams
        from matplotlib.patches import PathPatch

        scale = width if rcParams["lines.scale_dashes"] else 1.0
        ends = "round" if round else "butt"
        style = (0, [length / scale for length in dash]) if len(dash) else "solid"
        stroke = PathPatch(path, fill=False, edgecolor=colour, linewidth=width)
        stroke.set(linestyle=style, alpha=alpha, capstyle=ends)
        stroke.set(joinstyle="round" if round else "miter")
        self._add(stroke, clip)

    def rectangle(self, left, top, width, height, fill, *, edge="none", alpha=1.0):
        from matplotlib.patches import Rectangle

        box = Rectangle((left, top), width, height)
        box.set(facecolor=fill, edgecolor=edge, linewidth=1, alpha=alpha)
        self._add(box)

    def outlines(self, shapes, clip=None) -> None:
        """Paths with their colours, (path, fill, edge, width), one over the other."""
        from matplotlib.collections import PathCollection

        if not shapes:
            return
        paths, fills, edges, widths = zip(*shapes, strict=True)
        marks = PathCollection(paths, facecolors=fills, edgecolors=edges)
        marks.set(linewidths=widths, joinstyle="round", capstyle="round", snap=False)
        self._add(marks, clip)

    def image(self, colours, box, clip=None, *, smooth=True) -> None:
        """Rows of colours, the first one on top, that fill a box.

        With ``smooth`` the outer rows and columns lie on its edges, and between two of
        them colours are mixed.
        """
        from matplotlib.image import AxesImage

        left, top, width, height = box
        rows, columns = colours.shape[:2]
        beyond = (columns - 1, rows - 1) if smooth else (np.inf, np.inf)
        x, y = np.array([width, height]) / beyond / 2  # half a column, half a row
        ends = (left - x, left + width + x, top + height + y, top - y)
        extent = np.array(ends) + np.repeat(self.origin, 2)
        how = "bilinear" if smooth else "nearest"
        image = AxesImage(self.axes, interpolation=how, origin="upper", extent=extent)
        image.set_data(colours)
        self._add(image, clip, still=True)

    def text(self, x, y, text, size, colour, *, align="left", bold=False) -> None:
        """One row of text on the base line y, as it is."""
        from matplotlib.text import Text

        row = Text(x, y, plain(text), color=colour, fontproperties=font(size, bold))
        row.set(ha=align, va="baseline", parse_math=False, usetex=False)
        self._add(row)

    def _add(self, artist, clip=None, still=False) -> None:
        from matplotlib.transforms import Affine2D, Bbox, TransformedBbox

        place = Affine2D().translate(*self.origin) + self.axes.transData
        if not still:
            artist.set_transform(place)
        artist.set_zorder(len(self.axes.get_children()))
        self.axes.add_artist(artist)
        if clip is not None:
            left, top, width, height = clip
            artist.set_clip_path(None)
            box = Bbox.from_bounds(left, top, width, height)
            artist.set_clip_box(TransformedBbox(box, place))

    # -- how it is written -----------------------------------------------------

    def written(self, kind: str) -> bytes:
        """The page as a file: png, svg or pdf."""
        file = BytesIO()
        how = {"facecolor": self.figure.get_facecolor(), "transparent": False}
        how |= {"dpi": SHARP * UNITS, "metadata": UNDATED[kind]}
        self.figure.savefig(file, format=kind, **how)
        return file.getvalue()

    def pixels(self, scale: float) -> np.ndarray:
        """(rows, columns, 3) colours in 8 bits."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        self.figure.set_dpi(scale * UNITS)
        canvas = FigureCanvasAgg(self.figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()


# -- words ---------------------------------------------------------------------


@lru_cache(maxsize=64)
def font(size: float, bold: bool = False):
    from matplotlib.font_manager import FontProperties

    return FontProperties(
        family=list(FONT), size=size, weight="bold" if bold else "normal"
    )


def plain(text: str) -> str:
    """Text in one row, without what no page can show."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


@lru_cache(maxsize=8192)
def width_of(text: str, size: float, bold: bool = False) -> float:
    """Units that a row of text takes."""
    from matplotlib.textpath import TextToPath

    text = plain(text)
    if not text:
        return 0.0
    found = TextToPath().get_text_width_height_descent(text, font(size, bold), False)
    return float(found[0])


def wrapped(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Rows of a text that are no wider; words that are too long are broken."""
    rows: list[str] = []
    for word in plain(text).split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width_of(longer, size, bold) <= width:
            rows[-1] = longer
        else:
            rows += _broken(word, width, size, bold)
    return rows


def _broken(word: str, width: float, size: float, bold: bool) -> list[str]:
    rows = []
    while word:
        starts = [word[: n + 1] for n in range(min(len(word), int(width)))]
        fits = bisect_right(starts, width, key=lambda s: width_of(s, size, bold))
        rows.append(word[: max(1, fits)])
        word = word[max(1, fits) :]
    return rows
