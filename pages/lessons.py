"""Start here: short lessons that ask first, with the stage beside the words."""

from collections.abc import Sequence

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.export.exports import Exports
from halfmoon.pages._parts.export.menus import export_menus
from halfmoon.pages._parts.lessons import cards, scenes, student, words
from halfmoon.pages._parts.lessons.place import Place
from halfmoon.pages._parts.lessons.plans import LESSONS
from halfmoon.pages._parts.lessons.student import SECOND, STAGE, STUDENT
from halfmoon.pages._parts.lessons.watched import Runs, WatchedRun
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell import bar, errors, navigation
from halfmoon.pages._parts.shell.callbacks import whole
from halfmoon.pages._parts.texts.claims import filled
from halfmoon.scenario import Scenario
from halfmoon.stage import StageView

PROSE = "lesson_prose"
WORDS, PICTURE = 1, 2.9  # widths of the columns: at 1280 pixels, curves have room
WAIT = "The run is being computed …"


# -- all lessons ---------------------------------------------------------------------


def show_cards(desk) -> None:
    st.header("Start here", anchor=False)
    st.markdown(
        "Short lessons on learning from a few labels and many unlabelled points. Each "
        "asks what you expect, and then shows it."
    )
    done = desk.screen.value.done
    cards.show_row(list(LESSONS), done, desk.on(student.begin), "cards")


# -- one lesson ----------------------------------------------------------------------


def show_lesson(desk) -> None:
    """Words on the left, the stage on the right; what waits stands below both."""
    place = desk.screen.value
    left, right = st.columns([WORDS, PICTURE], gap="small")
    waiting = st.container()

    def solve(scenario: Scenario):
        with waiting:
            return runs.beside(scenario, WAIT)

    def on_scene():
        asked = words.asked_scene(PROSE)
        desk.page.tell(lambda screen: student.look_at(screen, *asked))

    scenarios = {name: s.scenario for name, s in place.plan.scenes.items()}
    made = Runs(scenarios, solve)
    with right:
        own, views = show_stages(place, made)
    with left:
        show_head(place)
        told = words.content(place, made)
        words.show_prose(told, key=PROSE, of=STAGE, on_scene=whole(on_scene))
        with st.container():
            show_choices(desk, made)
        with st.container():
            show_own_labels(desk, made, own)
        with st.container():
            show_ways_on(desk)
    show_exports(desk, made, views, told)


def show_head(place: Place) -> None:
    lesson = place.plan
    number, of = lesson.index(place.step) + 1, len(lesson.steps)
    st.caption(f"{lesson.title} · {number} of {of}")


def show_stages(place: Place, made: Runs) -> tuple[WatchedRun | None, list[StageView]]:
    """The scene on the stage.

    Returns
    -------
    own : WatchedRun or None
        The run, where it is the student's own.
    views : list of StageView
        What the stages show.
    """
    scene = place.plan.scenes[place.shown]
    own, views = None, []
    with st.container(gap=None, key="lesson_stages"):
        if not scene.beside or place.hides_run:
            own, view = show_stage(place, place.shown, made, STAGE)
            views.append(view)
        else:
            for column, (name, key) in zip(
                st.columns(2),
                ((place.shown, STAGE), (scene.beside, SECOND)),
                strict=True,
            ):
                with column:
                    views.append(show_stage(place, name, made, key)[1])
    return own, views


def show_stage(
    place: Place, name: str, made: Runs, key: str
) -> tuple[WatchedRun | None, StageView]:
    scene, scenario = place.plan.scenes[name], place.plan.scenes[name].scenario
    if name == place.shown:
        scenario = place.scenario
    picture = runs.server().picture(scenario)
    own = None
    problem = runs.server().pose(scenario)
    if place.hides_run:
        view = scenes.points_view(place, problem, picture)
    else:
        try:
            solved = made.solve(scenario)
        except ValueError as error:  # the student took too many labels away
            view = scenes.points_view(place, problem, picture, str(error))
        else:
            own = WatchedRun(solved)
            view = scenes.scene_view(
                place, scene, solved, picture, opening_moment(place, made)
            )
    stage_component.show(view, key=key)
    return own, view


def opening_moment(place: Place, made: Runs) -> int | None:
    """Where the cursor opens; a scene that a phrase asked for opens at its end."""
    if not place.here.at or place.scene or place.asking:
        return None
    return place.plan.times(made)[place.here.at]


def show_choices(desk, made: Runs) -> None:
    """The options of an open question."""
    place = desk.screen.value
    if not place.asking:
        return
    facts = place.plan.told(made)
    for option, text in place.plan.section(place.step).options.items():
        st.button(
            filled(text, facts),
            key=f"answer_{place.lesson}_{place.step}_{option}",
            on_click=desk.on(student.answer),
            args=(place.lesson, place.step, option),
            width="stretch",
        )
    st.caption("Choose what you expect; a wrong answer helps you learn, too.")


def show_own_labels(desk, made: Runs, own: WatchedRun | None) -> None:
    """What the student's labels did."""
    place = desk.screen.value
    if not (place.hand and place.here.invites and own is not None):
        return
    last = WatchedRun(made.solve(place.scenario_before)) if place.last else None
    st.info(scenes.remark_on_labels(made[place.shown], own, last))
    st.button(
        "Clear my labels",
        key=f"forget_{place.lesson}_{place.step}",
        on_click=desk.on(student.forget_labels),
        args=(place.lesson, place.step),
        icon=":material/undo:",
    )


def show_exports(desk, made: Runs, views: Sequence[StageView], told: dict) -> None:
    """The run on the stage, to take home; none while a question hides it."""
    place = desk.screen.value
    if place.hides_run:
        return
    try:
        run = made.solve(place.scenario)
    except ValueError:  # said on the stage
        return
    with bar.actions():
        export_menus(
            Exports(
                desk.page.name,
                place.scenario,
                {"run": run},
                views=views,
                title=f"{place.plan.title}: {told['title']}",
                words=words.paragraphs(told),
            )
        )


def show_ways_on(desk) -> None:
    place = desk.screen.value
    lesson = place.plan
    at = lesson.index(place.step)
    last = at == len(lesson.steps) - 1
    with st.container(horizontal=True):
        if at:
            way(desk, "Back", lesson.steps[at - 1].name, ":material/arrow_back:")
        else:
            st.button(
                "All lessons",
                key="all_lessons",
                on_click=desk.on(student.leave),
                icon=":material/apps:",
            )
        if not last and not place.asking:
            following, icon = lesson.steps[at + 1].name, ":material/arrow_forward:"
            way(desk, "Next", following, icon, "primary")
    if last:
        show_end(desk)


def way(desk, text: str, step: str, icon: str, kind: str = "secondary") -> None:
    place = desk.screen.value
    st.button(
        text,
        key=f"{text.lower()}_{place.lesson}_{place.step}",
        on_click=desk.on(student.go),
        args=(place.lesson, step),
        icon=icon,
        type=kind,
    )


def show_end(desk) -> None:
    """Where to go from here."""
    place = desk.screen.value
    following = place.following
    if following:
        st.button(
            f"Next lesson: {LESSONS[following].title}",
            key=f"next_lesson_{following}",
            on_click=desk.on(student.begin),
            args=(following,),
            type="primary",
            icon=":material/arrow_forward:",
        )
    else:
        st.success("You have done all lessons.", icon=":material/check_circle:")
    if st.button(
        "Open this in the playground",
        key="to_playground",
        icon=":material/play_circle:",
        help="With the data, labels and method of this lesson; change what you like.",
    ):
        scenario = place.plan.scenes[place.plan.onward].scenario
        url = {"data": scenario.data, **scenario.to_url()}
        st.switch_page(navigation.entry("playground").path, query_params=url)
    st.button(
        "All lessons",
        key="all_lessons_end",
        on_click=desk.on(student.leave),
        icon=":material/apps:",
    )


# -- the page ------------------------------------------------------------------------

desk = STUDENT.begin()
with st.container():
    desk.screen.show_remarks()
try:
    if desk.screen.value.lesson:
        show_lesson(desk)
    else:
        show_cards(desk)
except ValueError as error:
    errors.show_error(error)
desk.end()
