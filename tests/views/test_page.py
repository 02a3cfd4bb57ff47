"""Pages of traces and files of them: sizes, hostile words, what is refused."""

import base64
import errno
import json
import os
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from halfmoon import hide_labels, load, make, stage
from halfmoon.stage.pack import unpack
from halfmoon.views.glossary import terms_in
from halfmoon.views.page import page_of
from tests.rows import each

MOONS = load("two_moons", n=60, noise=0.1, random_state=0)
Y = hide_labels(MOONS, n_labeled=4, random_state=0)
TRACE = make("lapsvm_pcg", sigma=0.35).trace(MOONS.X, Y)
OTHER = make("svm", sigma=0.35).trace(MOONS.X, Y)
KB = 1000

# Words that would mean something to HTML, JavaScript or a file.
WORDS = (
    "</script><img src=x onerror='window.harm=1'>",
    "--><script>window.harm=1</script>",
    "]]>\"'`${window.harm=1}",
    '"><svg onload="window.harm=1">',
    "&lt;b&gt; &amp;",
    "a\u2028b\u2029c",
    "\ud800 half \udfff",
    "a\x00b\x1b[31m",
    "\u202egnp.exe",
    "🌙👩‍🔬 نص",
    "x" * 10_000,
)


class Tags(HTMLParser):
    """Which elements markup has, and the attributes of each."""

    def __init__(self, markup):
        super().__init__()
        self.found = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def packed(page):
    blocks = [stage.payload(v, key="run0", explain=terms_in) for v in page.views]
    return sum(len(base64.b64encode(block)) for block in blocks)


@each("traces", [(TRACE,), (TRACE, OTHER), (TRACE, OTHER) * 2])
def test_a_page_takes_at_most_300_kB_beside_its_views(traces):
    page = page_of(*traces, truth=MOONS.y)
    assert len(page.html().encode()) - packed(page) <= 300 * KB


def test_a_shown_run_takes_at_most_700_kB_of_a_notebook():
    page = page_of(TRACE, truth=MOONS.y)
    taken = len(json.dumps(page.bundle()))
    assert taken <= 700 * KB
    assert len(page.still()) <= 150 * KB


def test_where_frames_are_taken_out_a_picture_stays():
    bundle = page_of(TRACE).bundle()
    (_, _), (tag, frame), (picture, image) = Tags(bundle["text/html"]).found
    assert (tag, picture) == ("iframe", "img")
    assert frame["srcdoc"].startswith("<!doctype html>")
    assert image["src"].startswith("data:image/png;base64,")
    assert image["alt"] == frame["title"] == "Laplacian SVM, PCG"
    assert bundle["text/plain"].startswith("Page('Laplacian SVM, PCG', ")
    assert base64.b64decode(bundle["image/png"])[1:4] == b"PNG"


@each("word", WORDS)
def test_no_word_leaves_its_place(word, tmp_path):
    shown = {"class_names": (word, "b"), "data": word, "axis_names": (word, word)}
    page = page_of(TRACE, OTHER, names=(word, "other"), title=word, **shown)
    usual = [tag for tag, _ in Tags(page_of(TRACE, OTHER, title="x").html()).found]
    assert [tag for tag, _ in Tags(page.html()).found] == usual
    TRACE.to_html(tmp_path / "run.html", title=word, **shown)
    assert b"\x00" not in (tmp_path / "run.html").read_bytes()


@pytest.mark.filterwarnings("ignore:Glyph")  # of a font that has no emoji
@each("word", [" ".join(WORDS[:-1]), WORDS[-1]])
def test_no_word_leaves_the_output_of_a_notebook(word):
    page = page_of(TRACE, class_names=(word, "b"), data=word, axis_names=(word, word))
    bundle = page.bundle()
    found = [tag for tag, _ in Tags(bundle["text/html"]).found]
    assert found == ["div", "iframe", "img"]
    "".join(bundle.values()).encode()  # a notebook is UTF-8


def test_titles_are_those_of_the_methods_and_their_settings():
    again = make("lapsvm_pcg", sigma=0.5).trace(MOONS.X, Y)
    for traces, names in (
        ((TRACE, OTHER), ["Laplacian SVM, PCG", "Supervised SVM"]),
        ((TRACE, TRACE), [f"{TRACE_NAME}, run 1", f"{TRACE_NAME}, run 2"]),
        ((TRACE, again), [TRACE_NAME, TRACE_NAME.replace("0.35", "0.5")]),
    ):
        assert [view.name for view in page_of(*traces).views] == names
    assert page_of(TRACE, OTHER, names=["a", "b"], data="Moons").title == (
        "a and b: Moons"
    )
    assert page_of(TRACE, title=3).title == "3"


TRACE_NAME = "Laplacian SVM, PCG (sigma = 0.35)"


def test_runs_on_other_points_are_shown_beside_each_other():
    few = make("svm", sigma=0.35).trace(MOONS.X[:30], [0, 1] + [-1] * 28)
    page = page_of(TRACE, few)
    sizes = [unpack(stage.payload(view))[0]["n_total"] for view in page.views]
    assert sizes == [60, 30]
    with pytest.raises(ValueError, match="truth must hold a class for each of the 30"):
        page_of(TRACE, few, truth=MOONS.y)


def test_a_script_gets_the_page_itself(tmp_path):
    page = TRACE.show(OTHER)
    page.save(tmp_path / "both.html")
    assert len(page.views) == 2


SHOWN = [  # what show and to_html refuse
    (("x",), {}, TypeError, "only traces can be shown side by side, got str"),
    (([TRACE],), {}, TypeError, "only traces .* got list"),
    ((make("svm"),), {}, TypeError, "only traces .* got SVM"),
    ((TRACE,) * 4, {}, ValueError, "1 to 4 traces can be shown .* got 5"),
    ((OTHER,), {"names": ["a"]}, ValueError, "names must hold one for each of the 2"),
    ((OTHER,), {"names": "ab"}, TypeError, "names must be a list of text, got 'ab'"),
    ((OTHER,), {"names": 2}, TypeError, "names must be a list of text, got 2"),
    ((), {"foo": 1}, TypeError, "no argument 'foo' here; .* truth, class_names"),
    ((), {"frames": [0]}, TypeError, "no argument 'frames'"),
    ((OTHER,), {"budget": 1}, TypeError, "no argument 'budget'"),
    ((), {"truth": [0]}, ValueError, "truth must hold a class for each of the 60"),
    ((), {"class_names": "a"}, TypeError, "class_names must be a list"),
    ((), {"class_names": ["a"]}, ValueError, "class_names must hold a name for each"),
]


@each("others, options, kind, message", SHOWN)
def test_what_cannot_be_shown_is_refused(others, options, kind, message, tmp_path):
    with pytest.raises(kind, match=message):
        TRACE.show(*others, **options)
    with pytest.raises(kind, match=message):
        TRACE.to_html(tmp_path / "run.html", *others, **options)
    assert not list(tmp_path.iterdir())


FILES = [("to_html", "run.html"), ("to_picture", "run.svg"), ("to_film", "run.gif")]


@pytest.fixture
def brief(monkeypatch):
    """What is written does not matter here."""
    monkeypatch.setattr("halfmoon.views.files.film", lambda *_, **__: b"film")
    monkeypatch.setattr("halfmoon.views.files.picture", lambda *_, **__: b"picture")


@each("method, name", FILES)
def test_a_file_that_cannot_be_is_refused(method, name, tmp_path, brief):
    write, ending = getattr(TRACE, method), Path(name).suffix
    for path, kind, message in (
        (tmp_path / "none" / name, FileNotFoundError, name),
        (tmp_path / "run.xyz", ValueError, "path must end in .*, got '.*xyz'"),
        (tmp_path / "run", ValueError, f"path must end in .*{ending}"),
        (tmp_path, ValueError, f"path must end in .*{ending}"),
        ("", ValueError, "path must end in"),
        (f"a\0{ending}", ValueError, "null"),
        (None, TypeError, "str, bytes or os.PathLike"),
        (3, TypeError, "str, bytes or os.PathLike"),
    ):
        with pytest.raises(kind, match=message):
            write(path)
    with pytest.raises(TypeError, match="no argument 'foo' here"):
        write(tmp_path / name, foo=1)
    assert not list(tmp_path.iterdir())


@each("number", [errno.ENOSPC, errno.EACCES])
def test_a_full_disk_or_folder_leaves_the_old_file(
    number, tmp_path, brief, monkeypatch
):
    def fail(target, data, **_):
        with open(target, "wb") as file:
            file.write(b"a part")
        raise OSError(number, os.strerror(number), str(target))

    for method, name in FILES:
        path = tmp_path / name
        path.write_text("old")
        with monkeypatch.context() as patched:
            patched.setattr(Path, "write_text", fail)
            patched.setattr(Path, "write_bytes", fail)
            with pytest.raises(OSError, match=name) as raised:
                getattr(TRACE, method)(path)
        assert (raised.value.errno, raised.value.filename) == (number, str(path))
        assert path.read_text() == "old"
    assert {p.name for p in tmp_path.iterdir()} == {name for _, name in FILES}


def test_a_film_has_no_curve_and_a_picture_no_unknown_part(tmp_path):
    with pytest.raises(TypeError, match="no argument 'what'"):
        TRACE.to_film(tmp_path / "run.gif", what="stage")
    with pytest.raises(ValueError, match=r"what must be one of 'stage', .* got 'x'"):
        TRACE.to_picture(tmp_path / "run.png", what="x")
    assert not list(tmp_path.iterdir())


def test_points_of_one_class_name_are_not_mistaken():
    """Two classes that are called the same stay two."""
    page = page_of(TRACE, class_names=("a", "a"))
    (view,) = page.views
    np.testing.assert_array_equal(np.unique(view.given), [-1, 0, 1])
