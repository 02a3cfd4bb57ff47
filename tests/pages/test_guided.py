"""Lessons: every fact they tell holds on the run they speak of; places, links, page."""

import json
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from halfmoon.pages._parts.lessons import cards, prose, scenes, words
from halfmoon.pages._parts.lessons.place import WORDS, Place
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.lessons.watched import Runs, WatchedRun
from halfmoon.pages._parts.path.path_places import with_places
from halfmoon.pages._parts.playground import welcome
from halfmoon.pages._parts.running.run_server import RunServer
from halfmoon.pages._parts.screen.link_words import understood, written
from halfmoon.pages._parts.texts.claims import claims_in, facts_in, said
from ssl_core import ALGORITHMS
from tests.pages.finding import APP, menus, shown_on_stage

SCRIPT = APP.replace("_parts/main.py", "lessons.py")
MOST_POINTS, MOST_STATES = 1000, 250  # of one run


@pytest.fixture(scope="module")
def server():
    return RunServer()


@pytest.fixture(scope="module")
def runs_of(server):
    made = {}

    def runs(name):
        if name not in made:
            scenarios = {n: s.scenario for n, s in LESSONS[name].scenes.items()}
            made[name] = Runs(scenarios, lambda s: server.ask(s).outcome())
        return made[name]

    return runs


def every(kind):
    """(lesson, name) of all facts, moments or claims."""
    return [
        (n, what) for n, lesson in LESSONS.items() for what in getattr(lesson, kind)
    ]


# -- what is told is true ------------------------------------------------------------


@pytest.mark.parametrize(("name", "claim"), every("claims"))
def test_what_a_lesson_says_is_true_of_its_runs(runs_of, name, claim):
    assert bool(LESSONS[name].claims[claim](runs_of(name)))


def iterations(solved):
    """As the stage counts them; on a path also between its break points."""
    on_path = solved.scenario.algorithm == "s3vm_path"
    trace = with_places(solved).trace if on_path else solved.trace
    return [state.t for state in trace.states]


@pytest.mark.parametrize("name", LESSONS)
def test_all_numbers_of_a_lesson_are_computed_on_its_runs(runs_of, name):
    lesson, runs = LESSONS[name], runs_of(name)
    told, times = lesson.told(runs), lesson.times(runs)
    for fact in lesson.facts:
        assert said(told[fact]) not in ("", "–", "nan"), fact
    reached = {t for scene in lesson.scenes for t in iterations(runs[scene].solved)}
    for moment in lesson.moments:
        assert times[moment] in reached, moment


def last_shown(lesson, runs, scene):
    """The last iteration on the stage; a path has places between its break points."""
    run = runs[scene]
    whole = with_places(run.solved) if lesson.scenes[scene].is_path else run.solved
    return whole.trace.final.t


@pytest.mark.parametrize("name", LESSONS)
def test_moments_lie_in_the_run_that_the_step_shows(runs_of, name):
    lesson, runs = LESSONS[name], runs_of(name)
    times = lesson.times(runs)
    for step in lesson.steps:
        section = lesson.section(step.name)
        shown = {step.shows, step.before} - {""}
        shown |= {n for _, k, n in prose.phrases(section.everything) if k == "set"}
        last = max(last_shown(lesson, runs, scene) for scene in shown)
        for _, kind, moment in prose.phrases(section.everything):
            if kind == "t":
                assert times[moment] <= last, (step.name, moment)


# -- prose and declaration agree -----------------------------------------------------


@pytest.mark.parametrize("name", LESSONS)
def test_prose_and_declaration_name_the_same_things(name):
    lesson = LESSONS[name]
    assert list(lesson.prose.sections) == [step.name for step in lesson.steps]
    quoted, stated, moments, settings = set(), set(), set(), set()
    for step in lesson.steps:
        section = lesson.section(step.name)
        quoted |= facts_in(section.everything)
        stated |= claims_in(section.everything)
        for _, kind, target in prose.phrases(section.everything):
            if kind == "on":
                assert target in ("graph", "predictions", "mistakes")
            else:
                (moments if kind == "t" else settings).add(target)
        if step.at:
            moments.add(step.at)
        assert bool(section.question) == bool(step.right), step.name
        assert set(section.reactions) == set(section.options)
        if step.right:
            assert step.right in section.options
            assert step.right in lesson.claims
            stated.add(step.right)
        settings |= {step.shows, step.before} - {""}
    assert quoted == set(lesson.facts)
    assert stated == set(lesson.claims) - {"title"}  # which stands on the card
    assert not set(lesson.facts) & set(lesson.claims)
    assert moments == set(lesson.moments)
    beside = {scene.beside for scene in lesson.scenes.values()} - {""}
    assert settings | beside | {lesson.onward, lesson.thumbnail} == set(lesson.scenes)


@pytest.mark.parametrize("name", LESSONS)
def test_no_markup_is_left_in_the_words(runs_of, name):
    """A phrase inside bold words would be read as neither."""
    lesson, runs = LESSONS[name], runs_of(name)
    told, times = lesson.told(runs), lesson.times(runs)
    for step in lesson.steps:
        text = lesson.section(step.name).everything
        for block in prose.blocks(text, told, times):
            for span in block["spans"]:
                assert not re.search(r"\]\(|\*\*|[{}]", span["text"]), span


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_asks_first_and_ends_with_what_to_remember(name):
    lesson = LESSONS[name]
    asking = [step.name for step in lesson.steps if step.right]
    assert asking, "no question"
    assert lesson.index(asking[0]) <= 1, "the question comes late"
    last = lesson.section(lesson.steps[-1].name)
    assert last.title == "What to remember"
    assert last.text.count("\n- ") >= 2
    for step in asking:
        assert len(lesson.section(step).options) >= 2
    assert 2 <= lesson.minutes <= 5
    assert lesson.sentence.count(".") + lesson.sentence.count("?") <= 2


@pytest.mark.parametrize("name", LESSONS)
def test_curves_that_a_scene_shows_are_those_of_its_method(name):
    for scene in LESSONS[name].scenes.values():
        curves = ALGORITHMS[scene.scenario.algorithm].curves
        assert set(scene.curves) <= {"Errors", *(curve.title for curve in curves)}


def test_every_file_of_prose_has_its_lesson():
    assert {p.stem for p in prose.TEXTS.glob("*.md")} == set(LESSONS)


@pytest.mark.parametrize("name", LESSONS)
def test_runs_of_a_lesson_are_small(runs_of, name):
    """What makes them quick; their seconds say more about the machine."""
    for scene in LESSONS[name].scenes:
        run = runs_of(name)[scene]
        assert run.n <= MOST_POINTS
        assert len(run.trace) <= MOST_STATES


# -- reading prose -------------------------------------------------------------------


def test_a_file_of_prose_is_read_into_its_parts():
    read = prose.parse(
        "# Title\n> One\n> sentence.\n\n## a: First\nText {x}.\n\n? Why?\n- y: Yes\n"
        "  indeed\n- n: No\n\n= y\nRight.\n\n= n\nWrong.\n\n---\n\nAfter.\n"
        "## b: Last\nEnd."
    )
    assert (read.title, read.sentence) == ("Title", "One sentence.")
    a = read.sections["a"]
    assert (a.title, a.text.strip(), a.question) == ("First", "Text {x}.", "Why?")
    assert a.options == {"y": "Yes indeed", "n": "No"}
    assert {k: v.strip() for k, v in a.reactions.items()} == {
        "y": "Right.",
        "n": "Wrong.",
    }
    assert a.then.strip() == "After."
    assert read.sections["b"].text.strip() == "End."


def test_spans_carry_what_they_do():
    made = prose.blocks(
        "A **b** [c](t:m) {d} C\\*.\n\n- [e](set:s)\n- *f* [g](on:graph)",
        {"d": "4"},
        {"m": 7},
    )
    assert [block["kind"] for block in made] == ["p", "li", "li"]
    assert made[0]["spans"] == [
        {"text": "A "},
        {"text": "b", "strong": True},
        {"text": " "},
        {"text": "c", "t": 7},
        {"text": " 4 C*."},
    ]
    assert made[1]["spans"] == [{"text": "e", "set": "s"}]
    assert made[2]["spans"][0] == {"text": "f", "em": True}
    assert made[2]["spans"][2] == {"text": "g", "on": "graph"}


# -- places and links ----------------------------------------------------------------


def all_places():
    for name, lesson in LESSONS.items():
        place = Place().begin(name)
        for step in lesson.steps:
            place = place.go(step.name)
            yield place
            if step.right:
                place = place.answered(next(iter(lesson.section(step.name).options)))
                yield place
            for scene in lesson.scenes:
                yield place.look_at(scene)
            if step.invites:
                yield replace(place, hand=((3, 1), (7, 0)))


def opened_by(url):
    return understood(url, WORDS, Place())


def test_every_place_comes_back_from_its_link():
    for place in all_places():
        assert opened_by(written(place, WORDS)) == (place, ())
    assert opened_by({}) == (Place(), ())
    done = Place(done=tuple(LESSONS))
    assert opened_by(written(done, WORDS)) == (done, ())


@pytest.mark.parametrize(
    "url",
    [
        {"lesson": "nothing"},
        {"lesson": "two_labels", "step": "__x__"},
        {"lesson": "two_labels", "a": "guess.nobody,x.y,..,guess"},
        {"lesson": "two_labels", "set": "<b>", "hand": "1.1,٣.1,-1.0,9e9.1,1"},
        {"done": "two_labels,two_labels,evil"},
        {"lesson": "two_labels" * 999, "a": "," * 99_999},
    ],
)
def test_a_strange_link_opens_what_can_be_opened(url):
    place, remarks = opened_by(url)
    assert place.lesson in ("", "two_labels")
    assert (place.answers, place.scene, place.hand) == ((), "", ())
    assert place.done in ((), ("two_labels",))
    assert all("__x__" not in remark for remark in remarks)


def test_the_last_step_makes_a_lesson_done_and_another_one_keeps_that():
    name, lesson = next(iter(LESSONS.items()))
    place = Place().begin(name)
    assert place.done == ()
    place = place.go(lesson.steps[-1].name)
    assert place.done == (name,)
    assert place.leave() == Place(done=(name,))
    assert place.go(lesson.steps[0].name).done == (name,)


@pytest.mark.parametrize("name", LESSONS)
def test_no_word_of_the_answer_is_sent_before_it_is_given(runs_of, name):
    lesson, runs = LESSONS[name], runs_of(name)
    for step in lesson.steps:
        place = Place().begin(name).go(step.name)
        if not step.right:
            assert not place.asking
            continue
        asked = words.content(place, runs)
        assert (asked["options"], asked["reaction"], asked["then"]) == (None, [], [])
        told = {
            json.dumps(words.content(place.answered(option), runs)["reaction"])
            for option in lesson.section(step.name).options
        }
        assert len(told) == len(lesson.section(step.name).options)
        assert "[]" not in told
        if not step.before:
            assert place.hides_run


def test_what_does_not_hold_is_not_said_and_no_answer_is_marked_right(
    runs_of, monkeypatch
):
    lesson, runs = LESSONS["two_labels"], runs_of("two_labels")
    place = Place().begin("two_labels").answered("all")
    said = words.content(place, runs)
    assert "Yes, " in json.dumps(said["reaction"])
    assert said["options"]["right"] == "all"
    claims = {**lesson.claims, "all": lambda runs: False}
    monkeypatch.setitem(LESSONS, "two_labels", replace(lesson, claims=claims))
    said = words.content(place, runs)
    assert said["reaction"] == []
    assert said["options"]["right"] == ""


# -- labels of the student -----------------------------------------------------------


def test_the_remark_on_labels_counts_what_changed(runs_of, server):
    name, lesson = next(iter(LESSONS.items()))
    before = runs_of(name)[lesson.steps[0].shows]
    assert "no prediction has changed" in scenes.remark_on_labels(before, before)
    alone = WatchedRun(server.ask(lesson.scenes["alone"].scenario).outcome())
    said = scenes.remark_on_labels(alone, before)
    flips = int((alone.sides[-1] != before.sides[-1]).sum())
    assert f"{flips} points changed sides" in said
    assert f"{alone.last_wrong} before, {before.last_wrong} now" in said


def test_the_remark_on_labels_tells_that_the_last_one_spoiled_the_rest(runs_of, server):
    """The first label repairs all mistakes, the second, a wrong one, makes new ones."""
    place = Place().begin("one_more_label").go("try")
    own = place.scenario.labels.hand
    good = place.labelled((*own, (99, 1)))
    bad = good.labelled((*own, (99, 1), (145, 1)))
    first, last, now = (
        WatchedRun(server.ask(scenario).outcome())
        for scenario in (place.scenario, bad.scenario_before, bad.scenario)
    )
    assert bad.scenario_before == good.scenario
    assert first.last_wrong > 0 == last.last_wrong < now.last_wrong
    said = scenes.remark_on_labels(first, now, last)
    assert f"Errors: 0 before, {now.last_wrong} now" in said
    assert f"{first.last_wrong} at the start of this step" in said
    assert bad.unlabelled() == place
    assert "last" not in written(bad, WORDS)


# -- the page ------------------------------------------------------------------------


def opened(**link):
    app = AppTest.from_file(SCRIPT, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def link_of(app):
    values = app.query_params
    return {k: v[0] if isinstance(v, list) else v for k, v in values.items()}


def button(app, key):
    return next(b for b in app.button if b.key == key)


def test_the_page_shows_a_card_for_every_lesson_and_begins_one():
    app = opened()
    assert {b.key for b in app.button} == {f"cards_{name}" for name in LESSONS}
    pictures = [e for e in app.main if e.type == "html"]
    assert len(pictures) == len(LESSONS)
    button(app, "cards_two_labels").click().run()
    assert not app.exception
    assert link_of(app)["lesson"] == "two_labels"
    assert shown_on_stage(app)["captions"] == [scenes.HIDDEN]
    assert len(shown_on_stage(app)["frame_t"]) == 1


def test_answering_shows_the_run_and_the_link_keeps_it():
    app = opened(lesson="two_labels")
    assert not any(b.key.startswith("next") for b in app.button)
    button(app, "answer_two_labels_guess_half").click().run()
    assert not app.exception
    assert link_of(app)["a"] == "guess.half"
    assert len(shown_on_stage(app)["frame_t"]) > 10
    assert shown_on_stage(app)["autoplay"]
    button(app, "next_two_labels_guess").click().run()
    assert link_of(app)["step"] == "alone"
    again = opened(**link_of(app))
    assert len(shown_on_stage(again)["frame_t"]) == 1  # its question is still open
    button(again, "back_two_labels_alone").click().run()
    assert len(shown_on_stage(again)["frame_t"]) > 10  # answered before


@pytest.mark.parametrize("name", ["one_more_label", "jump", "lower_objective"])
def test_a_lesson_can_be_walked_to_its_end(name):
    """One that invites to label, one along a path, one with two stages."""
    lesson = LESSONS[name]
    app = opened(lesson=name)
    for at, step in enumerate(lesson.steps):
        if step.right:
            button(app, f"answer_{name}_{step.name}_{step.right}").click().run()
        assert not [*app.exception, *app.error, *app.warning]
        if at + 1 < len(lesson.steps):
            button(app, f"next_{name}_{step.name}").click().run()
    assert link_of(app)["done"] == name
    assert any(b.key == "to_playground" for b in app.button)


def test_the_title_counts_the_labels_that_the_student_gave(server):
    """It stayed "Two labels" over a stage with four."""
    place = Place().begin("one_more_label").go("try")
    given = place.scenario.labels.hand
    for hand, title in (
        ((), "Two labels"),
        (tuple(sorted(given)), "Two labels"),
        (tuple(sorted((*given, (145, 0), (99, 1)))), "Four labels, 196 unlabelled"),
    ):
        now = replace(place, hand=hand)
        solved = server.ask(now.scenario).outcome()
        picture, scene = server.picture(now.scenario), now.plan.scenes[now.shown]
        run = scenes.scene_view(now, scene, solved, picture, None)
        still = scenes.points_view(now, solved.problem, picture)
        assert still.title == run.title
        assert run.title.startswith(title)


def test_a_picture_is_drawn_once_from_the_lessons_own_points():
    for name in LESSONS:
        assert cards.picture(name) is cards.picture(name)
        assert len(cards.picture(name)) < 20_000


# -- the first visit -----------------------------------------------------------------


def playground(**link):
    app = AppTest.from_file(APP, default_timeout=120)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def test_who_comes_without_a_link_is_welcomed():
    app = playground()
    sent = shown_on_stage(app)
    assert [p["kind"] for p in sent["prompts"]] == ["label", "drag", "graph"]
    assert sent["autoplay"]
    assert welcome.SENTENCE in [m.value for m in app.markdown]
    names = {b.key for b in app.button if b.key and b.key.startswith("welcome_")}
    assert names == {"welcome_all", *(f"welcome_{n}" for n in list(LESSONS)[:4])}
    # Another method: the welcome stays where it is, and nothing plays by itself.
    menus(app)["algorithm"].select("svm")
    app.run()
    assert not app.exception
    assert not shown_on_stage(app)["autoplay"]
    assert shown_on_stage(app)["prompts"] == sent["prompts"]
    assert welcome.SENTENCE in [m.value for m in app.markdown]


def test_who_brings_a_link_is_not():
    app = playground(data="two_circles")
    assert shown_on_stage(app)["prompts"] == []
    assert not shown_on_stage(app)["autoplay"]
    assert welcome.SENTENCE not in [m.value for m in app.markdown]
