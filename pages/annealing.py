"""Annealing: hidden labels decided step by step, [SK07] sections 1.3 and 1.4."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pages._parts import glossary, stage
from pages._parts.export.download import lesson_buttons
from pages._parts.lessons import annealing as page
from pages._parts.lessons import annealing_outcomes as outcomes
from pages._parts.lessons import texts
from pages._parts.lessons.annealing import Screen
from pages._parts.lessons.lesson_session import LessonSession, beside
from pages._parts.lessons.run_controls import RunControls
from pages._parts.pictures import annealing_views as views
from pages._parts.running import runs
from pages._parts.scenario import Scenario
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import whole

LESSON = LessonSession("annealing", "an", page.from_link, Screen)
current, change = LESSON.current, LESSON.change
moved = LESSON.moved
screen, set_screen = LESSON.numbers, LESSON.set_numbers
STAGES = ("annealing_stage", "switching_stage", "annealed_stage")
COLD_STAGE = "cold_stage"
GUESSED = "guessed"  # in what the session keeps: where a guess was just made


def restart(scenario: Scenario) -> None:
    """Another run: the cursor goes where it is most telling."""
    change(scenario.with_view(t=None, toggles=None))


# -- controls ------------------------------------------------------------------------


def run_controls() -> None:
    """Which data and labels, which machine, how it cools."""
    scenario = current()

    def choose(name: str):
        kept = current().view.thresholds
        restart(page.scenario_for(name).with_view(thresholds=kept))

    controls = RunControls(LESSON, restart)
    names = page.offered(scenario)
    controls.data(names, choose, title=lambda name: page.title(name, scenario))
    controls.draw()
    st.markdown("###### Machine and schedule")
    controls.parameters(page.PARAMETERS)


def view_control() -> None:
    shown = screen().view

    def chosen():
        choice = moved("view")
        if choice is not None:
            change(current().with_view(t=None))  # a moment of the other view's run
            set_screen(view=page.VIEWS.index(choice))

    st.segmented_control(
        "What to look at",
        page.VIEWS,
        on_change=whole(chosen),
        label_visibility="collapsed",
        wrap=True,
        **LESSON.picking("view", page.VIEWS[shown]),
    )


def question_control() -> None:
    """The prediction comes first; until it is made, only the beginning is shown."""
    question = screen().question

    def answered():
        choice = moved(question.field)
        if choice in question.answers:
            set_screen(**{question.field: question.answers.index(choice)})
            LESSON.kept.made[GUESSED] = question.field, current().solving

    def skipped():
        set_screen(**{question.field: question.unguessed})

    with st.container(border=True, key="stage-question"):  # present mode leaves it
        st.markdown(f"**Predict first.** {question.text}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.pills(
                "Your prediction",
                question.answers,
                on_change=whole(answered),
                label_visibility="collapsed",
                wrap=True,
                width="content",
                **LESSON.picking(question.field, None),
            )
            st.button(
                "Show without a guess",
                key=f"an_skip_{question.field}",
                on_click=whole(skipped),
                type="tertiary",
            )


def reaction(*shown) -> None:
    """What the run says to the prediction."""
    question = screen().question

    def again():
        set_screen(**{question.field: -1})

    words, more = st.columns([8, 1], vertical_alignment="center")
    words.markdown(question.judged(screen().answer, *shown))
    with more:
        st.button(
            "Ask again",
            key=f"an_again_{question.field}",
            on_click=whole(again),
            type="tertiary",
        )


def asked() -> bool:
    """Whether the view's question still waits for an answer."""
    return screen().answer < 0


def just_guessed() -> bool:
    """Whether this view was shown as the answer to a guess: it then plays at once."""
    return GUESSED in LESSON.kept.made and (
        LESSON.kept.made[GUESSED] == (screen().question.field, current().solving)
    )


def opens_at(usual: int) -> int:
    """Iteration of the cursor: the link's, 0 after a guess, or a telling one."""
    t = current().view.t
    return (0 if just_guessed() else usual) if t is None else t


# -- runs besides the watched one ----------------------------------------------------


def switching_of(scenario: Scenario):
    """The transductive SVM's run; kept while the visitor looks at it."""
    other = page.switching(scenario)
    return LESSON.remembered(
        "switching", other.solving, lambda: beside(other, "Labels are switched …")
    )


def outcomes_of(run):
    """How every way ended, and the run that stayed cold.

    Only these are kept: six runs of a large text are too much for one visitor.
    """

    def compare():
        rows, cold = [], None
        for name, scenario in page.rivals(run.scenario).items():
            annealed = name == "annealed"
            solved = run if annealed else beside(scenario, "Other ways are tried …")
            rows.append(outcomes.outcome(name, solved))
            cold = solved if name == page.COLD else cold
        return rows, cold

    return LESSON.remembered("outcomes", (run.scenario, run.interrupted), compare)


# -- views ---------------------------------------------------------------------------


def show_stage(run, make, key: str, *, words, usual: int) -> None:
    """A run on its stage; before the question is answered, only its beginning."""
    cache, about = runs.server().views, (key, run.scenario.solving, current().view)
    about = *about, asked(), just_guessed()
    view = None if run.interrupted else cache.get(about)
    if view is None:
        picture = runs.server().picture(current())
        settings = run, current(), picture
        if asked():
            frames = views.first_frames(run, picture)
            view = make(*settings, frames=frames, words=[""] * len(frames), start=None)
            view = views.beginning(view)
        else:
            frames = views.frames_of(run, picture)
            said = [words(run.trace, int(i)) for i in frames]
            start = opens_at(usual)
            view = make(*settings, frames=frames, words=said, start=start)
            view = replace(view, autoplay=just_guessed())
        cache.put(about, view)
    stage.show(view, key=key)


def show_cooling(run) -> None:
    """The run of deterministic annealing, its loss and what the points believe."""
    make = partial(views.cooling_view, has_words=page.has_words(run))
    usual = page.melting(run.trace)
    show_stage(run, make, STAGES[0], words=page.fate, usual=usual)
    st.caption(f"{page.remarks_on(run)} {runs.server().picture(current()).note}")


def show_switching(run) -> None:
    """The transductive SVM on the same data: lambda' rises, labels switch."""
    make, usual = views.switching_view, max(page.busiest(run.trace) - 1, 0)
    show_stage(run, make, STAGES[1], words=views.switch_words, usual=usual)
    st.caption(
        "A point above the thick curve has a label on the wrong side of the boundary: "
        "two of those, one of each class, are a pair to switch."
    )


def show_comparison(run) -> None:
    """Annealed against fixed temperatures, and against the transductive SVM."""
    rows, cold = ((), None) if asked() else outcomes_of(run)
    pair = {STAGES[2]: (run, "annealed")}
    if cold is not None:
        pair[COLD_STAGE] = cold, page.COLD
    picture = runs.server().picture(current())
    for column, (key, (solved, name)) in zip(st.columns(2), pair.items(), strict=False):
        with column:
            title = outcomes.title_of(name)
            view = views.beside_view(solved, current(), picture, title=title)
            stage.show(view, key=key)
    with st.container():
        if rows:
            st.markdown(outcomes.verdict(rows))
            st.table(outcomes.table(rows), border="horizontal")
            st.caption(
                "All minimise the same objective on the same points and labels, "
                "measured at T = 0. Lowest objective in bold. Another draw may tell "
                "another story."
            )


def answer_of(run) -> None:
    """Question or reaction, above what is shown."""
    if asked():
        question_control()
    elif screen().view == 2:
        reaction(outcomes_of(run)[0], page.COLD)
    else:
        reaction(run.trace)


# -- the page ------------------------------------------------------------------------

navigation.through_app()
LESSON.open()
with st.container(horizontal=True, vertical_alignment="center"):
    st.header("Cooling down to a decision", anchor=False, width="content")
    view_control()
with st.sidebar:
    run_controls()
# What only some runs show stands in a place of its own, so that nothing below moves.
waiting = st.container()
try:
    with waiting:
        run = runs.solve(current())
        page.check(run)
        if screen().view == 1:
            run = switching_of(current())
    with st.container():
        answer_of(run)
    (show_cooling, show_switching, show_comparison)[screen().view](run)
    lesson_buttons(
        current(),
        run,
        page.script_of(current(), run, screen().view),
        "annealing",
        about="Runs as it is: what this view shows.",
        columns="temperature or λ′, objectives, errors",
        of=None if asked() else STAGES[screen().view],
        watched=page.switching(current()) if screen().view == 1 else None,
    )
except ValueError as error:
    st.warning(errors.plain(str(error)), icon=":material/warning:")
with st.expander("What is going on here?"):
    glossary.show(texts.explanation("annealing"))
LESSON.write_link()
