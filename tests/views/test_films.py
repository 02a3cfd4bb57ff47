"""Films of a view, read back."""

import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from io import BytesIO

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

from halfmoon.views.pictures import film, films
from ssl_core.viz.theme import LIGHT, rgb
from tests.views.test_pictures import SMALL, view

QUICK = {"size": SMALL, "seconds_per_frame": 0.1}
LAST = 100 * films.REST + 10  # hundredths of a second that the last frame stays
NEAR = 6  # of 255, after H.264


def gif(**settings):
    return Image.open(BytesIO(film(view(), "gif", **(QUICK | settings))))


def mp4(path, **settings):
    """What ffmpeg says of a film, and its frames."""
    path.write_bytes(film(view(), "mp4", **(QUICK | settings)))
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", path]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    (said,) = re.findall(
        r"Video: (h264.*)", done.stderr.decode().partition("Output")[0]
    )
    width, height = map(int, re.search(r", (\d+)x(\d+)", said).groups())
    rate = float(re.search(r"([\d.]+) fps", said)[1])
    frames = np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)
    return said, rate, frames


def test_a_gif_has_every_frame_and_rests_on_the_last():
    made = gif()
    times = []
    for i in range(made.n_frames):
        made.seek(i)
        times.append(made.info["duration"] // 10)
    assert made.n_frames == view().n_frames
    assert times == [10] * (view().n_frames - 1) + [LAST]
    assert made.info["loop"] == 0


def test_a_gif_has_one_palette_with_the_colours_of_the_theme():
    data = film(view(), "gif", **QUICK)
    made = Image.open(BytesIO(data))
    shown = {tuple(c) for c in np.asarray(made.convert("RGB")).reshape(-1, 3)}
    for colour in (LIGHT.background, LIGHT.ink, LIGHT.negative, LIGHT.positive):
        assert rgb(colour) in shown
    assert local_palettes(data) == 0


def local_palettes(data):
    """How many frames of a GIF have a palette of their own."""
    at, found = 13 + 3 * 2 ** ((data[10] & 7) + 1), 0
    while data[at] != 0x3B:
        if data[at] == 0x2C:  # a frame
            flags = data[at + 9]
            found += flags >> 7
            at += 10 + (3 * 2 ** ((flags & 7) + 1) if flags >> 7 else 0) + 1
        else:
            at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
    return found


def test_a_film_is_h264_of_even_size_in_colours_that_are_right(tmp_path):
    said, rate, frames = mp4(tmp_path / "film.mp4", size=(301, 226))
    assert "yuv420p" in said
    assert "bt709" in said
    assert [length % 2 for length in frames.shape[1:3]] == [0, 0]
    assert rate == 10
    rest = int(np.ceil(films.REST * rate))
    assert len(frames) == view().n_frames + rest
    corner = frames[0][:8, :8].astype(int)
    assert np.abs(corner - rgb(LIGHT.background)).max() <= NEAR
    blue = np.abs(frames[-1].astype(int) - rgb(LIGHT.positive)).max(axis=2)
    assert (blue <= NEAR).any()


def test_slow_films_have_frames_that_every_player_shows(tmp_path):
    settings = {"seconds_per_frame": 0.5, "max_frames": 2}
    _, rate, frames = mp4(tmp_path / "film.mp4", **settings)
    assert rate >= films.SMOOTHEST
    assert len(frames) == pytest.approx(rate * (1 + films.REST), abs=1)


def test_long_runs_are_thinned_and_keep_both_ends():
    assert films.thinned(5, 120) == [0, 1, 2, 3, 4]
    assert films.thinned(1, 120) == [0]
    assert films.thinned(9, 3) == [0, 4, 8]
    long = films.thinned(1000, 120)
    assert len(long) == 120
    assert (long[0], long[-1]) == (0, 999)
    assert gif(max_frames=3).n_frames == 3


def test_large_films_are_scaled_down():
    made = gif(size=(3000, 2000), max_frames=2)
    assert made.width * made.height <= 1.01 * films.PIXELS
    assert made.width > 1000


def test_all_frames_of_a_film_have_one_size_whatever_they_say():
    captions = ("Short.", *("long words " * 30 for _ in range(view().n_frames - 1)))
    shown = films.Frames(replace(view(), captions=captions), [0, 1], {"size": SMALL})
    assert len({pixels.shape for pixels in shown}) == 1


def test_the_same_view_makes_the_same_film():
    for kind in films.KINDS:
        first, second = (film(view(), kind, max_frames=2, **QUICK) for _ in range(2))
        assert first == second


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    film(view(), "mp4", max_frames=2, **QUICK)
    assert not list(tmp_path.iterdir())
    script = tmp_path / "no-encoder"
    script.write_text("#!/bin/sh\necho 'no such codec' >&2\nexit 3\n")
    script.chmod(0o700)
    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: str(script))
    with pytest.raises(RuntimeError, match="ffmpeg did not make the film: no such"):
        film(view(), "mp4", max_frames=2, **QUICK)
    assert list(tmp_path.iterdir()) == [script]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "avi"}, "kind must be one of 'gif', 'mp4', got 'avi'"),
        ({"theme": "blue"}, "theme must be one of 'light', 'dark', got 'blue'"),
        ({"max_frames": 1}, "max_frames must lie in 2 to 120, got 1"),
        ({"max_frames": 10**6}, "max_frames must lie in 2 to 120"),
        ({"max_frames": "all"}, "max_frames must lie in 2 to 120, got 'all'"),
        ({"seconds_per_frame": 0}, r"seconds_per_frame must lie in 0.02 to 10, got 0"),
        ({"seconds_per_frame": float("nan")}, "seconds_per_frame must lie in"),
        ({"size": "large"}, "size must be a width and a height"),
    ],
)
def test_what_does_not_fit_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        film(view(), **({"kind": "gif"} | given))


def test_without_ffmpeg_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install halfmoon\[pictures\]"):
        film(view(), "mp4")
    assert gif(max_frames=2).n_frames == 2  # a GIF needs none
