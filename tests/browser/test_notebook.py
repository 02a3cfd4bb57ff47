"""Halfmoon in JupyterLab: a live stage with its kernel, and runs that play alone."""

import re
import time

import pytest

from tests.browser.jupyter import Notebook, Stage, start_jupyter, write_notebook
from tests.browser.serving import stop_server

SETUP = """
import numpy as np, halfmoon
from halfmoon import hide_labels, load, make
moons = load("two_moons", n=200, noise=0.08)
y = hide_labels(moons, n_labeled=2)
est = make("lapsvm_pcg", sigma=0.35)
"""
LIVE = "lab = halfmoon.lab(est, moons.X, y, truth=moons.y, data='Two moons')\nlab"
TWO = """
newton = make("lapsvm_newton", sigma=0.35).trace(moons.X, y)
est.trace(moons.X, y).show(newton, truth=moons.y)
"""
FAR = """
const far = [], { x, y, given } = s.model;
const near = (i, j) => Math.hypot(x[i] - x[j], y[i] - y[j]) < 0.12;
for (let i = 0; i < x.length && far.length < 20; i++)
  if (given[i] < 0 && !far.some((j) => near(i, j))) far.push(i);
return far;
"""
QUICK = 40  # ms between two clicks


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    write_notebook(folder / "lab.ipynb", SETUP, LIVE, TWO)
    process, address = start_jupyter(folder)
    yield folder, address
    stop_server(process)


@pytest.fixture(scope="module")
def page(browser, jupyter):
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.asked, page.sent = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("websocket", lambda s: s.on("framesent", lambda m: page.sent.append(m)))
    yield page
    context.close()


@pytest.fixture(scope="module")
def notebook(page, jupyter):
    notebook = Notebook(page, jupyter[1], "lab.ipynb")
    notebook.run_all()
    return notebook


@pytest.fixture
def live(notebook):
    return Stage(notebook.page.locator(".jp-OutputArea .hm-stage").first)


def until(check, seconds=15):
    """The value of a check once it is true."""
    end = time.monotonic() + seconds
    while not (value := check()) and time.monotonic() < end:
        time.sleep(0.1)
    return value


def test_a_click_on_a_point_labels_it_in_python(notebook, live):
    before = live.tell("return s.view.run_id;")
    live.click(7)
    assert until(lambda: notebook.ask("print(lab.y[7])") == "0")
    assert until(lambda: live.tell("return s.view.run_id;") != before)
    assert notebook.ask("print(lab.trace.y[7], lab.est.predict(moons.X[[7]]))") == (
        "-1 [0]"
    )
    live.tell("s.hand.undo();")
    assert until(lambda: notebook.ask("print(lab.y[7])") == "-1")


def test_a_scrub_and_play_send_nothing_to_the_kernel(notebook, live):
    notebook.ask("lab.wait()")
    notebook.page.wait_for_timeout(500)
    sent = len(notebook.page.sent)
    for t in (0, 20, 5, 40):
        live.tell(f"s.time.seek({t});")
    live.tell("s.time.togglePlay();")
    notebook.page.wait_for_timeout(1500)
    assert live.tell("return s.player.frame;") != 40
    assert len(notebook.page.sent) == sent


def test_twenty_quick_clicks_lose_none(notebook, live):
    """Points that lie far enough from each other for a mouse."""
    live.tell("s.time.seek(0);")
    chosen = live.tell(FAR)
    assert len(chosen) == 20
    for place in [live.place(i) for i in chosen]:
        notebook.page.mouse.click(*place)
        notebook.page.wait_for_timeout(QUICK)
    asked = f"print(int((lab.y[{chosen}] == 0).sum()))"
    assert until(lambda: notebook.ask(asked) == "20"), notebook.ask(asked)
    assert until(lambda: live.tell("return !s.log.waiting;"))
    notebook.ask(f"new = lab.y.copy(); new[{chosen}] = -1; lab.y = new; lab.wait()")
    assert until(lambda: live.tell(f"return s.model.given[{chosen[0]}];") == -1)


def test_a_setting_that_is_moved_is_the_classifiers(notebook, live):
    slider = notebook.page.locator(".hm-setting", has_text="Kernel width").first
    before = live.tell("return s.view.run_id;")
    slider.locator("input").press("End")
    assert until(lambda: "sigma" in notebook.ask("print(lab.est)"))
    assert until(lambda: notebook.ask("print(lab.est.sigma)") != "0.35")
    assert until(lambda: live.tell("return s.view.run_id;") != before)
    told = slider.locator("output").inner_text()
    assert float(notebook.ask("print(lab.est.sigma)")) == pytest.approx(
        float(told.replace(",", "")), rel=0.01
    )
    notebook.ask("lab.est = est; lab.wait()")


def test_changes_are_observed_in_python(notebook, live):
    notebook.ask("heard = []; hear = lambda change: heard.append(change.name)")
    notebook.ask("lab.observe(hear, ['y', 'trace'])")
    live.click(11)
    assert until(lambda: "trace" in notebook.ask("print(heard)"))
    assert notebook.ask("print(heard[0])") == "y"
    notebook.ask("new = lab.y.copy(); new[11] = -1; lab.y = new; lab.wait()")


def test_keys_of_the_stage_are_not_those_of_the_notebook(notebook, live):
    """In JupyterLab d d deletes a cell, x cuts it, z brings it back."""
    cells = notebook.cells()
    live.root.locator(".hm-area").focus()
    for key in "ddxz":
        notebook.page.keyboard.press(key)
    notebook.page.keyboard.press("Home")
    assert live.tell("return s.player.frame;") == 0
    assert notebook.cells() == cells


def test_two_runs_of_a_page_move_in_step(notebook):
    """The frame of `trace.show` has a page of its own."""
    frame = notebook.page.frame_locator("iframe").last
    element = notebook.page.locator("iframe").last
    element.scroll_into_view_if_needed()
    stages = [Stage(frame.locator(".hm-stage:not(.hm-deck)").nth(i)) for i in (0, 1)]
    frame.locator(".hm-deck [data-step=first]").click()
    assert [s.tell("return s.player.frame;") for s in stages] == [0, 0]
    frame.locator(".hm-deck [data-step='1']").click()
    assert [s.tell("return s.player.frame;") for s in stages] == [1, 1]
    height = element.evaluate("frame => frame.contentDocument.body.scrollHeight")
    assert element.bounding_box()["height"] >= height - 1


def test_dark_colours_of_the_notebook_are_followed(notebook, live):
    notebook.colours("Dark")
    assert until(lambda: live.tell("return s.theme.dark;"))
    frame = notebook.page.frame_locator("iframe").last
    inside = Stage(frame.locator(".hm-stage:not(.hm-deck)").first)
    assert until(lambda: inside.tell("return s.theme.dark;"))
    notebook.colours("Light")
    assert until(lambda: not live.tell("return s.theme.dark;"))


def test_a_restarted_kernel_is_reported_and_the_run_still_plays(notebook, live):
    notebook.page.evaluate(
        "jupyterapp.shell.currentWidget.sessionContext.restartKernel()"
    )
    note = notebook.page.locator(".hm-lab-note")
    assert until(lambda: "restarted" in note.inner_text())
    live.tell("s.time.seek(3);")
    assert live.tell("return s.player.frame;") == 3


def test_a_saved_notebook_without_a_kernel_still_plays(notebook, jupyter, page):
    """What was live is shown by the page below it."""
    folder, address = jupyter
    notebook.command("docmanager:save")
    until(lambda: "halfmoon-still" in (folder / "lab.ipynb").read_text())
    page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")
    page.goto("about:blank")
    page.goto(f"{address}/lab/tree/lab.ipynb?reset")
    frames = page.locator("iframe")
    assert until(lambda: frames.count() == 2)
    frames.first.scroll_into_view_if_needed()
    stage = Stage(page.frame_locator("iframe").first.locator(".hm-stage"))
    stage.tell("s.time.seek(2);")
    assert stage.tell("return s.player.frame;") == 2


def test_nothing_was_asked_of_any_other_machine(page):
    assert page.asked
    own = re.compile(r"^(http://127\.0\.0\.1:|data:|blob:|about:)")
    assert [url for url in page.asked if not own.match(url)] == []
