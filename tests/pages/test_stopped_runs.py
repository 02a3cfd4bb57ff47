"""A run that was stopped: its visitor's alone, with a way to its end on every page."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.compare import plane
from halfmoon.pages._parts.compare.comparison import COMPARE
from halfmoon.pages._parts.compare.stages import ComparedRun
from halfmoon.pages._parts.running import job as jobs
from halfmoon.pages._parts.running import judging, runs
from halfmoon.pages._parts.running.cache import MadeOfRuns
from halfmoon.pages._parts.running.job import Job, Owner
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.screen import page as page_module
from halfmoon.pages._parts.shell import navigation
from halfmoon.scenario import default
from halfmoon.stage.pack import unpack
from tests.pages.finding import played

# Each page with the question answered, where there is one, and one run that others
# may have made before: the links of other tests differ.
LINKS = {
    "playground": {"seed": "71"},
    "compare": {"seed": "72"},
    "annealing": {"data": "clusters", "seed": "73", "at.guess": "1"},
    "early_stopping": {"data": "two_moons", "seed": "74"},
    "path": {"data": "stripes", "seed": "75"},
}


class StoppedAt(Job):
    """A job that somebody stops once it has reached an iteration."""

    at = 1

    def given_up(self):
        return self.phase == "running" and self.t >= self.at


@pytest.fixture
def stopping(monkeypatch):
    """``stopping(True)``: the next run that is asked for is stopped under way."""
    ask = runs.ask

    def stopped(scenario):
        monkeypatch.setattr(runs, "ask", ask)
        job = StoppedAt(scenario.solving)
        runs.server()._work(job)
        return job

    monkeypatch.setattr(runs, "ask", stopped)


def opened(page):
    app = AppTest.from_file(str(navigation.entry(page).path), default_timeout=120)
    app.query_params.update(LINKS[page])
    return sound(app.run())


def sound(app):
    assert not app.exception
    assert not app.error
    assert not app.warning
    return app


def shown(app):
    """What each stage says of the end of its run."""
    found = {}
    for element in app.get("bidi_component"):
        if element.proto.component_name.endswith("halfmoon_stage"):
            header, _ = unpack(bytes(element.proto.bytes))
            found[header["key"]] = header["frame_t"][-1], header["captions"][-1]
    return found


def ways_on(app):
    return [b for b in app.button if b.label == "Run to the end"]


@pytest.mark.parametrize("page", LINKS)
def test_a_stopped_run_is_its_visitors_own_and_has_a_way_to_its_end(page, stopping):
    mine = opened(page)
    before = shown(mine)
    assert len(ways_on(mine)) == 1
    others = opened(page)
    whole = shown(others)
    assert not ways_on(others)
    assert whole.keys() == before.keys()
    assert whole != before
    assert shown(sound(mine.run())) == before
    ways_on(mine)[0].click()
    assert shown(sound(mine.run())) == whole
    assert not ways_on(mine)


def run_of(scenario, at=None):
    """A finished run, or one that was stopped."""
    server = RunServer(1)
    if at is None:
        return server.ask(scenario).outcome()
    job = StoppedAt(scenario.solving)
    job.at = at
    server._work(job)
    return job.outcome()


@pytest.fixture(scope="module")
def some():
    """A whole run, and two that were stopped at different iterations."""
    scenario = played("lapsvm_pcg")
    return [run_of(scenario, at) for at in (None, 1, 2)]


def test_keys_tell_stopped_runs_apart_and_whole_ones_by_what_they_solve(some):
    whole, early, later = some
    again = run_of(whole.scenario)
    assert whole.key == again.key
    assert len({run.key for run in (whole, early, later)}) == 3
    assert replace(early, truth=early.truth).key == early.key


def length(run, *, more=0):
    return len(run.trace) + more


def test_only_what_is_made_of_finished_runs_is_kept(some):
    whole, early, later = some
    cache = MadeOfRuns(1e6, lambda _: 1.0)
    assert cache.made(length, early) < cache.made(length, later)
    assert len(cache) == 0
    assert cache.made(length, whole) + 1 == cache.made(length, whole, more=1)
    assert len(cache) == 2
    assert cache.made(length, run_of(whole.scenario)) == len(whole.trace)
    assert cache.figures().hits == 1


def test_what_sees_more_than_its_arguments_is_not_kept(some):
    cache, hidden = MadeOfRuns(1e6, lambda _: 1.0), []

    def sees_more(run):
        return [*hidden, run]

    for make in (sees_more, lambda run: run):
        with pytest.raises(TypeError, match="function of a module"):
            cache.made(make, some[0])


def test_labels_of_a_stopped_run_are_judged_for_themselves(some):
    protocol = judging.Protocol.of(some[0].scenario)
    # As long as another visitor's run of the same scenario, but stopped elsewhere.
    early = replace(some[1], trace=some[2].trace, number=some[1].number)
    judging.judge([some[2]], protocol)
    hits = judging._known.figures().hits
    judging._judge(early, protocol, lambda labels: 0.0)
    assert judging._known.figures().hits == hits


def test_a_landscape_is_made_again_when_the_protocol_changes(monkeypatch):
    """The protocol takes values of methods that have no run, too."""
    made = []
    monkeypatch.setattr(page_module.st, "session_state", {})
    monkeypatch.setattr(plane, "slice_of", lambda *a: made.append(a))
    solved = [ComparedRun(some := played("svm"), 0, "SVM", run_of(some))]
    protocol = judging.Protocol.of(some)
    for C in (protocol.C, protocol.C, 2 * protocol.C):
        plane.kept_slice(
            page_module.Desk(COMPARE, None), solved, {0: 0}, replace(protocol, C=C), ()
        )
    assert len(made) == 2


def test_a_job_that_was_given_up_stays_so_when_its_visitor_is_back(monkeypatch):
    """What it goes on from may have ended early; the rest must not pass for whole."""
    monkeypatch.setattr(jobs, "LEFT", -1.0)
    here = [False]
    job = Job(default(), Owner("", lambda: here[0]))
    assert job.given_up()
    here[0] = True
    monkeypatch.setattr(jobs, "LEFT", 1e9)
    assert job.given_up()


def test_a_run_beside_is_whole_even_if_its_visitor_was_away(some, monkeypatch):
    scenario = some[1].scenario
    left = Job(scenario, Owner("", lambda: True))
    left.left = True
    left._finish(some[1])
    asked = iter([left, RunServer(1).ask(scenario)])
    monkeypatch.setattr(runs, "ask", lambda _: next(asked))
    assert not runs.beside(scenario, "").interrupted
