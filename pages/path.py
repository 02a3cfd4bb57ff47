"""Path and jumps: the S3VM followed from C* = 0 to C, [OITS13]."""

import streamlit as st

from pages._parts import glossary, stage
from pages._parts.export.download import lesson_buttons
from pages._parts.lessons import path as page
from pages._parts.lessons import texts
from pages._parts.lessons.lesson_session import LessonSession, beside
from pages._parts.lessons.path import Screen
from pages._parts.lessons.run_controls import RunControls
from pages._parts.pictures.path_places import with_places
from pages._parts.pictures.path_views import path_view
from pages._parts.running import runs
from pages._parts.scenario import N_VAL, Scenario
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import whole

LESSON = LessonSession("path", "pa", page.from_link, Screen)
current, change = LESSON.current, LESSON.change
moved = LESSON.moved
screen, set_screen = LESSON.numbers, LESSON.set_numbers
STAGE = "path_stage"


def restart(scenario: Scenario) -> None:
    """Another run: the cursor goes where it is most telling."""
    kept = current().view.thresholds
    change(scenario.with_view(t=None, toggles=None, thresholds=kept))


# -- controls ------------------------------------------------------------------------


def run_controls() -> None:
    """Which problem, which machine, and how the path is looked at."""
    preset_control()
    axis_control()
    controls = RunControls(LESSON, lambda s: restart(page.ends_labelled(s)))
    controls.draw(("n", "gap", "noise"))
    held_out_control()
    st.markdown("###### Machine")
    machine = RunControls(LESSON, restart)
    machine.parameters(page.parameters(current()))
    st.markdown("###### Beside the path")
    st.slider(
        "Values of C* on the grid",
        2,
        page.MAX_STEPS,
        on_change=whole(lambda: set_screen(steps=moved("steps"))),
        help="CCCP takes C* from a grid, the orange dots; the path needs none.",
        **LESSON.at("steps", screen().steps),
    )


def preset_control() -> None:
    names = list(page.PRESETS)

    def chosen():
        if moved("preset") in page.PRESETS:
            restart(page.scenario_for(moved("preset")))

    st.markdown("###### Problem")
    st.selectbox(
        "Problem",
        names,
        format_func=lambda name: page.PRESETS[name].title,
        placeholder="Your own setting",
        on_change=whole(chosen),
        label_visibility="collapsed",
        **LESSON.choosing("preset", page.preset_of(current()), names),
    )
    with st.container():
        if page.preset_of(current()) is not None:
            st.caption(page.PRESETS[page.preset_of(current())].look)


def held_out_control() -> None:
    def turned():
        n = moved("held")
        restart(current().with_held_out(n, n))

    most = 200
    n = min(current().n_val, most)
    st.slider(
        "Held out for validation, and for test",
        0,
        most,
        step=int(N_VAL.step),
        on_change=whole(turned),
        help="Validation points find the best C*, test points judge it.",
        **LESSON.at("held", n),
    )


def axis_control() -> None:
    words = ("Logarithmic", "Linear")

    def chosen():
        choice = moved("axis")
        set_screen(linear=screen().linear if choice is None else words.index(choice))

    st.segmented_control(
        "Axis of C*",
        words,
        on_change=whole(chosen),
        help="The same for the transport and all curves. On the logarithmic axis a "
        "narrow strip at the left leads down to C* = 0.",
        **LESSON.picking("axis", words[screen().linear]),
    )


# -- runs besides the path -----------------------------------------------------------


def shown_of(run):
    """The run with what is seen on the way between its break points."""
    about = run.scenario, run.interrupted
    return LESSON.remembered("places", about, lambda: with_places(run))


def others_of(run):
    """The grid that is drawn, and how every method ended."""
    steps = screen().steps

    def compare():
        rows, drawn = [page.outcome("Path", run)], None
        finer = [n for n in page.STEPS if n > steps]
        for n in (steps, *finer):
            solved = beside(page.grid(run.scenario, n), "C* is taken from a grid …")
            rows.append(page.outcome(f"CCCP, {n} values of C*", solved, steps=n))
            drawn = drawn or page.rival(solved, n)
            if not page.missed(run.trace, solved.trace):
                break
        solved = beside(page.switching(run.scenario), "Labels are switched …")
        title = "S3VM-light (squared loss)"
        rows.append(page.outcome(title, solved, own_loss=True))
        return rows, (drawn,)

    return LESSON.remembered("others", (run.scenario, steps, run.interrupted), compare)


# -- views ---------------------------------------------------------------------------


def show_stage(run, rivals) -> None:
    scenario, shown = current(), screen()
    picture = runs.server().picture(scenario)
    key = "path", scenario.solving, scenario.view, run.interrupted
    cache = runs.server().views
    view = None if run.interrupted else cache.get(key)
    if view is None:
        linear = bool(shown.linear)
        view = path_view(run, scenario, picture, linear=linear, rivals=rivals)
        cache.put(key, view)
    stage.show(view, key=STAGE)


def show_jumps(run) -> None:
    st.markdown("##### Jumps")
    st.markdown(page.summary(run))
    rows = page.rows_of(run)
    if rows:
        stage.show_moments(
            page.COLUMNS, rows, key="path_jumps", of=STAGE, query=current().to_query()
        )
        st.caption(
            "A row leads to the state before its jump; one step on (→) is the state "
            "after it, at the same C*."
        )


def show_others(rows) -> None:
    st.markdown("##### What a grid of C* misses")
    st.markdown(page.verdict(rows))
    st.table(page.table(rows), border="horizontal")
    st.caption(
        "CCCP minimises the same objective (plain hinge, same kernel, b and weights). "
        "S3VM-light squares the loss: its objective is another one, so only its error "
        "stands here."
    )


# -- the page ------------------------------------------------------------------------

navigation.through_app()
LESSON.open()
st.header("Following the path, jump by jump", anchor=False)
glossary.show(texts.lead("path"))
with st.sidebar:
    run_controls()
waiting = st.container()
try:
    with waiting:
        run = runs.solve(current())
        page.check(run)
        rows, rivals = others_of(run)
        shown = shown_of(run)
    show_stage(shown, rivals)
    show_jumps(shown)
    show_others(rows)
    lesson_buttons(
        current(),
        run,
        page.script_of(current(), run, screen().steps),
        "path",
        about="Runs as it is: the same path, its jumps, and the grids beside it.",
        columns="C*, objective, sizes of the sets, errors",
        of=STAGE,
    )
except ValueError as error:
    st.warning(errors.plain(str(error)), icon=":material/warning:")
with st.expander("What is going on here?"):
    glossary.show(texts.explanation("path"))
LESSON.write_link()
