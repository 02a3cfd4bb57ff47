"""Start here: short lessons that ask first, with the stage beside the words."""

import streamlit as st

from pages._parts import stage
from pages._parts.guided import cards, scenes, session, words
from pages._parts.guided.lessons import LESSONS
from pages._parts.guided.place import Place
from pages._parts.guided.prose import filled
from pages._parts.guided.session import SECOND, STAGE
from pages._parts.guided.watched import Run, Runs
from pages._parts.lessons.lesson_session import beside
from pages._parts.playground import session as playground
from pages._parts.running import runs
from pages._parts.scenario import Scenario
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import whole

PROSE = "lesson_prose"
WORDS, PICTURE = 1, 2.9  # widths of the columns: at 1280 pixels, curves have room
WAIT = "The run is on its way …"


# -- all lessons ---------------------------------------------------------------------


def show_cards(place: Place) -> None:
    st.header("Start here", anchor=False)
    st.markdown(
        "Short lessons on learning from a few labels and many points without one. Each "
        "asks what you expect, and then shows it."
    )
    cards.show(list(LESSONS), place.done, whole(session.begin), "cards")


# -- one lesson ----------------------------------------------------------------------


def show_lesson(place: Place) -> None:
    """Words on the left, the stage on the right; what waits stands below both."""
    left, right = st.columns([WORDS, PICTURE], gap="small")
    waiting = st.container()

    def solve(scenario: Scenario):
        with waiting:
            return beside(scenario, WAIT)

    scenarios = {name: s.scenario for name, s in place.plan.scenes.items()}
    made = Runs(scenarios, solve)
    with right:
        own = show_stages(place, made)
    with left:
        show_head(place)
        words.show(words.content(place, made), key=PROSE, of=STAGE, on_scene=on_scene)
        with st.container():
            show_choices(place, made)
        with st.container():
            show_own_labels(place, made, own)
        with st.container():
            show_ways_on(place)


def show_head(place: Place) -> None:
    lesson = place.plan
    number, of = lesson.index(place.step) + 1, len(lesson.steps)
    st.caption(f"{lesson.title} · {number} of {of}")


def show_stages(place: Place, made: Runs) -> Run | None:
    """The scene on the stage; returns the run where it is the student's own."""
    scene = place.plan.scenes[place.shown]
    own = None
    with st.container(gap=None, key="lesson_stages"):
        if not scene.beside or place.hides_run:
            own = show_stage(place, place.shown, made, STAGE)
        else:
            for column, (name, key) in zip(
                st.columns(2),
                ((place.shown, STAGE), (scene.beside, SECOND)),
                strict=True,
            ):
                with column:
                    show_stage(place, name, made, key)
    return own


def show_stage(place: Place, name: str, made: Runs, key: str) -> Run | None:
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
            own = Run(solved)
            view = scenes.run_view(place, scene, solved, picture, opening(place, made))
    stage.show(view, key=key)
    return own


def opening(place: Place, made: Runs) -> int | None:
    """Where the cursor opens; a scene that a phrase asked for opens at its end."""
    if not place.here.at or place.scene or place.asking:
        return None
    return place.plan.times(made)[place.here.at]


@whole
def on_scene() -> None:
    session.look_at(*words.asked_scene(PROSE))


def show_choices(place: Place, made: Runs) -> None:
    """The options of an open question."""
    if not place.asking:
        return
    facts = place.plan.words(made)
    for option, text in place.plan.section(place.step).options.items():
        st.button(
            filled(text, facts),
            key=f"answer_{place.lesson}_{place.step}_{option}",
            on_click=whole(session.answer),
            args=(place.lesson, place.step, option),
            width="stretch",
        )
    st.caption("Choose what you expect. A wrong guess teaches as much as a right one.")


def show_own_labels(place: Place, made: Runs, own: Run | None) -> None:
    """What the student's labels did."""
    if not (place.hand and place.here.invites and own is not None):
        return
    st.info(scenes.remark_on_labels(made[place.shown], own))
    st.button(
        "Take my labels away",
        key=f"forget_{place.lesson}_{place.step}",
        on_click=whole(session.forget_labels),
        args=(place.lesson, place.step),
        icon=":material/undo:",
    )


def show_ways_on(place: Place) -> None:
    lesson = place.plan
    at = lesson.index(place.step)
    last = at == len(lesson.steps) - 1
    with st.container(horizontal=True):
        if at:
            way("Back", lesson.steps[at - 1].name, ":material/arrow_back:")
        else:
            st.button(
                "All lessons",
                key="all_lessons",
                on_click=whole(session.leave),
                icon=":material/apps:",
            )
        if not last and not place.asking:
            way(
                "Next", lesson.steps[at + 1].name, ":material/arrow_forward:", "primary"
            )
    if last:
        show_end(place)


def way(text: str, step: str, icon: str, kind: str = "secondary") -> None:
    place = session.current()
    st.button(
        text,
        key=f"{text.lower()}_{place.lesson}_{place.step}",
        on_click=whole(session.go),
        args=(place.lesson, step),
        icon=icon,
        type=kind,
    )


def show_end(place: Place) -> None:
    """Where to go from here."""
    following = place.following
    if following:
        st.button(
            f"Next lesson: {LESSONS[following].title}",
            key=f"next_lesson_{following}",
            on_click=whole(session.begin),
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
        playground.open_anew(scenario)
        st.switch_page("pages/playground.py")
    st.button(
        "All lessons",
        key="all_lessons_end",
        on_click=whole(session.leave),
        icon=":material/apps:",
    )


# -- the page ------------------------------------------------------------------------

navigation.through_app()
session.open_link()
place = session.current()
with st.container():
    session.show_remarks()
try:
    if place.lesson:
        show_lesson(place)
    else:
        show_cards(place)
except ValueError as error:
    errors.show(error)
session.write_link(place)
