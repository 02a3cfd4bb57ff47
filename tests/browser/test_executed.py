"""Executed notebooks: what their outputs hold, and what plays in their HTML export."""

import json
import os

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from tests.browser.conftest import watched
from tests.browser.jupyter import Stage, write_notebook
from tests.browser.serving import ROOT
from tests.loops import no_loop
from tests.views.test_page import Tags

pytestmark = pytest.mark.browser
KB = 1000
CELLS = [
    """
import halfmoon
from halfmoon import hide_labels, load, make
moons = load("two_moons", n=100, noise=0.08, random_state=0)
y = hide_labels(moons, n_labeled=2, random_state=0)
est = make("lapsvm_pcg", sigma=0.35)
trace = est.trace(moons.X, y)
""",
    "trace.show(truth=moons.y)",
    "trace.show(make('svm', sigma=0.35).trace(moons.X, y))",
    "first = halfmoon.lab(est, moons.X, y, truth=moons.y)\nfirst",
    "second = halfmoon.lab(make('svm', sigma=0.35), moons.X, y)\nsecond",
    """
new = first.y.copy()
new[:5] = moons.y[:5]
first.y = new
edit = {"op": "label", "i": 7, "class": 1, "seq": 1}
second._receive(second, {"edits": {"client": "a", "ops": [edit]}}, [])
print((first.y >= 0).sum(), (first.trace.y != 0).sum(), first.est.predict(moons.X[:1]))
print((second.y >= 0).sum(), (second.trace.y != 0).sum(), len(second.trace))
""",
]


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    path = tmp_path_factory.mktemp("notebook") / "run.ipynb"
    write_notebook(path, *CELLS)
    notebook = nbformat.read(path, as_version=4)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    try:
        with no_loop():
            NotebookClient(notebook, timeout=120, store_widget_state=False).execute()
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    nbformat.write(notebook, path)
    return path, notebook


def bundles(notebook, place):
    outputs = notebook.cells[place].outputs
    return [output.data for output in outputs if "data" in output]


def test_outputs_hold_a_page_a_picture_and_words(executed):
    _, notebook = executed
    for place in (1, 2):
        (bundle,) = bundles(notebook, place)
        assert {*bundle} == {"text/html", "image/png", "text/plain"}
        assert bundle["text/plain"].startswith("Page(")
    for place in (3, 4):
        widget, still = bundles(notebook, place)
        assert "application/vnd.jupyter.widget-view+json" in widget
        assert {*still} == {"text/html", "image/png", "text/plain"}


def test_where_scripts_are_stripped_a_picture_stays(executed):
    """As in a notebook that is not trusted: the picture is outside of the frame."""
    _, notebook = executed
    for place in (1, 2, 3, 4):
        tags = Tags(bundles(notebook, place)[-1]["text/html"]).found
        assert [tag for tag, _ in tags] == ["div", "iframe", "img"]


def test_a_shown_run_takes_at_most_700_kB(executed):
    _, notebook = executed
    for place in (1, 2, 3, 4):
        cell = json.dumps(notebook.cells[place].outputs)
        assert len(cell) <= 700 * KB


def test_labs_do_not_disturb_one_another(executed):
    _, notebook = executed
    (stream,) = notebook.cells[5].outputs
    first, second = stream.text.splitlines()
    assert first.startswith("7 7 [")
    assert second.startswith("3 3 ")


def test_its_export_as_html_plays_without_a_kernel_and_a_network(
    executed, browser, tmp_path
):
    _, notebook = executed
    body, _ = HTMLExporter().from_notebook_node(notebook)
    file = tmp_path / "run.html"
    file.write_text(body, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = watched(context.new_page())
    page.goto(file.as_uri(), wait_until="domcontentloaded")
    frames = page.locator("iframe[srcdoc]")
    assert frames.count() == 4
    for place, count in enumerate((1, 2, 1, 1)):
        frame = frames.nth(place)
        frame.scroll_into_view_if_needed()
        inside = frame.content_frame
        stages = inside.locator(".hm-stage:not(.hm-deck)")
        stage = Stage(stages.first)
        assert stages.count() == count
        stage.tell("s.time.seek(0);")
        assert stage.tell("return s.player.frame;") == 0
        stage.tell("s.time.togglePlay();")
        inside.locator(".hm-stage:not([data-frame='0']):not(.hm-deck)").first.wait_for()
        assert not frame.locator("xpath=following-sibling::img").is_visible()
    assert not [p for p in page.problems if p.startswith("exception")]
    context.close()
