"""All frames of a view as a film: GIF by Pillow, MP4 by the ffmpeg of a wheel."""

from __future__ import annotations

import math
import subprocess
import tempfile
from collections.abc import Iterator
from io import BytesIO
from numbers import Real
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from halfmoon.stage.view import StageView
from halfmoon.views.pictures.drawing import THEMES, check_one_of, sheet_of
from halfmoon.views.pictures.sheet import matplotlib_alone
from ssl_core.viz.theme import rgb

KINDS = ("gif", "mp4")
FRAMES = 120  # at most, as in the animations of the app
PIXELS = 1_500_000  # of one frame at most; a larger page is scaled down
RATE, LONGEST = 7, 14  # frames a second for short films, seconds of a long one
REST = 1.2  # seconds more for the last frame
QUICKEST, SLOWEST = 0.02, 10.0  # seconds a frame
SMOOTHEST = 10  # frames a second at least in an MP4: many players show no slower ones
COLOURS = 256  # of a GIF
SAMPLES = 6  # frames that say which
BITEXACT = ("-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1")


def film(
    view: StageView,
    kind: str,
    *,
    theme: str = "light",
    caption: bool = True,
    seconds_per_frame: float | None = None,
    max_frames: int = FRAMES,
    size: tuple[float, float] | None = None,
) -> bytes:
    """The frames of the stage one after the other, with a rest on the last.

    Parameters
    ----------
    view : StageView
    kind : {"gif", "mp4"}
    theme, caption, size
        As in `picture`.
    seconds_per_frame : float, optional
        Default is the speed of the app.
    max_frames : int
        Longer runs are thinned evenly; the first and the last frame stay.
    """
    check_one_of("kind", kind, KINDS)
    if not (isinstance(max_frames, int) and 2 <= max_frames <= FRAMES):
        raise ValueError(f"max_frames must lie in 2 to {FRAMES}, got {max_frames!r}.")
    frames = thinned(view.n_frames, max_frames)
    seconds = _seconds(seconds_per_frame, len(frames))
    write = _gif if kind == "gif" else _mp4
    check_one_of("theme", theme, tuple(THEMES))
    shown = Frames(view, frames, {"theme": theme, "caption": caption, "size": size})
    return write(shown, seconds)


def thinned(n: int, most: int) -> list[int]:
    """Which frames of a longer run are shown."""
    count = min(n, most)
    return [math.floor(i * (n - 1) / max(1, count - 1) + 0.5) for i in range(count)]


def _seconds(wish, count: int) -> float:
    if wish is None:
        return 1 / max(RATE, count / LONGEST)
    if not (isinstance(wish, Real) and QUICKEST <= wish <= SLOWEST):
        raise ValueError(
            f"seconds_per_frame must lie in {QUICKEST} to {SLOWEST:g}, got {wish!r}."
        )
    return float(wish)


class Frames:
    """The pictures of a film, each drawn when it is asked for."""

    def __init__(self, view: StageView, frames: list[int], how: dict):
        self.view, self.frames, self.how = view, frames, how

    def __len__(self) -> int:
        return len(self.frames)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self.pixels(i) for i in range(len(self)))

    def pixels(self, i: int) -> np.ndarray:
        """(rows, columns, 3) colours, both even numbers as encoders need them."""
        with matplotlib_alone():
            sheet = sheet_of(
                self.view, self.frames[i], room_for=self.frames, **self.how
            )
            scale = min(1.0, math.sqrt(PIXELS / (sheet.width * sheet.height)))
            pixels = sheet.pixels(scale)
        odd = [(0, length % 2) for length in pixels.shape[:2]]
        return np.pad(pixels, [*odd, (0, 0)], mode="edge")


def _gif(shown: Frames, seconds: float) -> bytes:
    """One palette for all frames: colours do not flicker."""
    palette = _palette(shown)
    table = palette.tobytes()
    from PIL import Image

    def indexed(pixels):
        packed = pixels.astype(np.int64) @ [1 << 16, 1 << 8, 1]
        found, place = np.unique(packed, return_inverse=True)
        each = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1)
        nearest = cKDTree(palette[:-1]).query(each)[1].astype(np.uint8)
        picture = Image.fromarray(nearest[place.reshape(packed.shape)])
        picture.putpalette(table)
        return picture

    pictures = map(indexed, shown)
    times = [1000 * seconds] * len(shown)
    times[-1] += 1000 * REST
    times = [10 * round(t / 10) for t in times]  # a GIF counts hundredths of a second
    file = BytesIO()
    # What is as in the frame before is left clear: the last colour stands for that.
    how = {"palette": table, "transparency": len(palette) - 1, "optimize": True}
    how |= {"save_all": True, "append_images": pictures, "disposal": 1}
    next(pictures).save(file, "GIF", duration=times, loop=0, **how)
    return file.getvalue()


def _palette(shown: Frames) -> np.ndarray:
    """(n, 3) colours, all different: those of the theme as they are, others from a few
    of the frames, and one that no frame has.
    """
    some = sorted({round(i) for i in np.linspace(0, len(shown) - 1, SAMPLES)})
    pixels = np.vstack([shown.pixels(i) for i in some])
    from PIL import Image

    theme = THEMES[shown.how["theme"]]
    known = [theme.class_colour(c) for c in range(len(shown.view.class_names))]
    known += [theme.background, theme.ink, theme.soft, theme.muted, theme.line]
    own = dict.fromkeys(rgb(colour) for colour in (*known, theme.bad, theme.accent))
    method = Image.Quantize.MEDIANCUT
    sample = Image.fromarray(pixels).quantize(COLOURS - 1 - len(own), method=method)
    others = np.reshape(sample.getpalette(), (-1, 3)).tolist()
    own |= dict.fromkeys(map(tuple, others))
    clear = next(c for i in range(256) if (c := (i, 255 - i, i)) not in own)
    return np.array([*own, clear], dtype=np.uint8)


def _mp4(shown: Frames, seconds: float) -> bytes:
    program = _ffmpeg()
    first = shown.pixels(0)
    height, width, _ = first.shape
    repeats = max(1, math.ceil(SMOOTHEST * seconds))
    rate = repeats / seconds
    source = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}")
    source += ("-r", str(rate), "-i", "pipe:0")
    colours = "scale=out_color_matrix=bt709:out_range=tv"
    coded = ("-an", "-vf", colours, "-c:v", "libx264", "-pix_fmt", "yuv420p")
    coded += ("-colorspace", "bt709", "-crf", "18", "-movflags", "+faststart")
    with tempfile.TemporaryDirectory() as folder:
        target, said = Path(folder, "film.mp4"), Path(folder, "said.txt")
        command = [program, "-loglevel", "error", *source, *coded, *BITEXACT]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL}
        with (
            said.open("wb") as log,
            subprocess.Popen([*command, target], stderr=log, **streams) as encoder,
        ):
            try:
                for pixels in shown:
                    for _ in range(repeats):
                        encoder.stdin.write(pixels.tobytes())
                for _ in range(math.ceil(REST * rate)):
                    encoder.stdin.write(pixels.tobytes())
                encoder.stdin.close()
            except BrokenPipeError:  # what it said tells why
                pass
            except BaseException:
                encoder.kill()
                raise
        if encoder.returncode:
            words = said.read_text(encoding="utf-8", errors="replace").strip()
            raise RuntimeError(f"ffmpeg did not make the film: {words}.")
        return target.read_bytes()


def _ffmpeg() -> str:
    """The program that imageio-ffmpeg brings along."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "imageio_ffmpeg":
            raise
        raise ModuleNotFoundError(
            "films as MP4 need imageio-ffmpeg, which is not installed; run "
            "`pip install halfmoon[pictures]`, or make a GIF.",
            name=error.name,
        ) from None
    return get_ffmpeg_exe()
