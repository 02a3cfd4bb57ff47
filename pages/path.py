"""Path and jumps: the S3VM followed from C* = 0 to C, [OITS13]."""

from dataclasses import replace
from functools import partial

import streamlit as st

from halfmoon.pages._parts import stage_component
from halfmoon.pages._parts.path import path_runs
from halfmoon.pages._parts.path.path_facts import path_facts_of
from halfmoon.pages._parts.path.path_places import with_places
from halfmoon.pages._parts.path.path_presets import PRESETS
from halfmoon.pages._parts.path.path_runs import PathNumbers
from halfmoon.pages._parts.path.path_views import path_view
from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.study.lesson_buttons import lesson_buttons
from halfmoon.pages._parts.study.predict import Prediction, beginning
from halfmoon.pages._parts.study.run_controls import RunControls
from halfmoon.pages._parts.study.study_page import StudyScreen, show_study, study_page
from halfmoon.pages._parts.texts.claims import filled
from halfmoon.scenario import N_VAL, Scenario

STUDY = study_page("path", "pa", path_runs.from_link, PathNumbers)
STAGE = "path_stage"
AXES = ("Logarithmic", "Linear")


# -- events --------------------------------------------------------------------------


def redraw(screen: StudyScreen, scenario: Scenario) -> StudyScreen:
    return screen.restarted(path_runs.ends_labelled(scenario))


def choose(screen: StudyScreen, name: str) -> StudyScreen:
    if name not in PRESETS:
        return screen
    return screen.restarted(path_runs.scenario_for(name))


def hold_points_out(screen: StudyScreen, n: int) -> StudyScreen:
    return screen.restarted(screen.scenario.with_held_out(n, n))


def turn_axis(screen: StudyScreen, choice: str | None) -> StudyScreen:
    if choice is None:
        return screen
    return screen.with_numbers(linear=AXES.index(choice))


def turn_steps(screen: StudyScreen, steps: int) -> StudyScreen:
    return screen.with_numbers(steps=steps)


# -- controls ------------------------------------------------------------------------


def head(desk) -> None:
    st.header("Following the S3VM path", anchor=False)


def run_controls(desk):
    """Which problem, which machine, and how the path is looked at.

    Returns the place for what is said of the problem when its path is known.
    """
    preset_control(desk)
    look = st.container()
    axis_control(desk)
    RunControls(desk, redraw).draw(("n", "gap", "noise"))
    held_out_control(desk)
    st.markdown("###### Classifier")
    parameters = path_runs.parameters(desk.scenario)
    RunControls(desk, StudyScreen.restarted).parameters(parameters)
    st.markdown("###### Compared with the path")
    st.slider(
        "Values of C* on the grid",
        2,
        path_runs.MAX_STEPS,
        on_change=desk.on(turn_steps, "steps"),
        help="CCCP takes C* from a grid, the orange dots; the path needs none.",
        **desk.standing("steps", desk.screen.numbers.steps),
    )
    return look


def preset_control(desk) -> None:
    names = list(PRESETS)
    st.markdown("###### Problem")
    st.selectbox(
        "Problem",
        names,
        format_func=lambda name: PRESETS[name].title,
        placeholder="Your own setting",
        on_change=desk.on(choose, "preset"),
        label_visibility="collapsed",
        **desk.choosing("preset", path_runs.preset_of(desk.scenario), names),
    )


def show_look(desk, run) -> None:
    """What the preset shows, below its name; it would give the answer away."""
    name = path_runs.preset_of(desk.scenario)
    if name is not None:
        st.caption(filled(PRESETS[name].look, path_facts_of(run)))


def held_out_control(desk) -> None:
    most = 200
    st.slider(
        "Held out for validation, and for test",
        0,
        most,
        step=int(N_VAL.step),
        on_change=desk.on(hold_points_out, "held"),
        help="Validation points find the best C*, test points judge it.",
        **desk.standing("held", min(desk.scenario.n_val, most)),
    )


def axis_control(desk) -> None:
    st.segmented_control(
        "Axis of C*",
        AXES,
        on_change=desk.on(turn_axis, "axis"),
        help="The same for the slider and all curves. On the logarithmic axis a "
        "narrow strip at the left leads down to C* = 0.",
        **desk.picking("axis", AXES[desk.screen.numbers.linear]),
    )


# -- runs besides the path -----------------------------------------------------------


def others_of(desk, run):
    """The grid that is drawn, and how every method ended."""
    steps = desk.screen.numbers.steps

    def compare():
        rows, drawn = [path_runs.outcome("Path", run)], None
        finer = [n for n in path_runs.STEPS if n > steps]
        for n in (steps, *finer):
            grid = path_runs.grid(run.scenario, n)
            solved = runs.beside(grid, "C* is taken from a grid …")
            rows.append(path_runs.outcome(f"CCCP, {n} values of C*", solved, steps=n))
            drawn = drawn or path_runs.rival(solved, n)
            if not path_runs.missed(run.trace, solved.trace):
                break
        switched = path_runs.switching(run.scenario)
        solved = runs.beside(switched, "Labels are switched …")
        title = "S3VM-light (squared loss)"
        rows.append(path_runs.outcome(title, solved, own_loss=True))
        return rows, (drawn,)

    return desk.remembered("others", (run.key, steps), compare)


# -- views ---------------------------------------------------------------------------


def show_beginning(desk, run) -> None:
    """The path at C* = 0, while the question is open."""
    picture = runs.server().picture(desk.scenario)
    view = path_view(run, desk.scenario.with_view(t=0), picture, begins=True)
    stage_component.show(beginning(view), key=STAGE)


def show_stage(desk, run, rivals, plays: bool):
    """The whole path; returns what the stage shows of it."""
    scenario, linear = desk.scenario, bool(desk.screen.numbers.linear)
    about = {"scenario": scenario, "picture": runs.server().picture(scenario)}
    about |= {"linear": linear, "rivals": rivals}
    view = runs.server().views.made(path_view, run, **about)
    if plays and scenario.view.t is None:
        view = replace(view, start_frame=0, autoplay=True)
    stage_component.show(view, key=STAGE)
    return view


def show_jumps(desk, run) -> None:
    st.markdown("##### Jumps")
    rows, columns = path_runs.rows_of(run), path_runs.COLUMNS
    if rows:
        query = desk.scenario.to_query()
        stage_component.show_moments(
            columns, rows, key="path_jumps", of=STAGE, query=query
        )
        st.caption(
            "A row leads to the state before its jump; one step on (→) is the state "
            "after it, at the same C*."
        )


def show_others(rows) -> None:
    st.markdown("##### What a grid of C* misses")
    st.markdown(path_runs.verdict(rows))
    st.table(path_runs.table(rows), border="horizontal")
    st.caption(
        "CCCP minimises the same objective (plain hinge, same kernel, b and weights). "
        "S3VM-light squares the loss and has another objective, so only its error is "
        "shown."
    )


def body(desk, waiting, look) -> None:
    asking = Prediction(desk, path_runs.QUESTION)
    with waiting:
        runs.server().check(desk.scenario)
        path_runs.check(runs.server().pose(desk.scenario), desk.scenario)
        run = runs.solve(desk.scenario)
        rows, rivals = ((), ()) if asking.asked else others_of(desk, run)
    with st.container():  # one place, so that the stage below does not move
        if asking.asked:
            asking.ask()
        else:
            asking.react(run)
    views = ()
    if asking.asked:
        show_beginning(desk, run)
    else:
        with look:
            show_look(desk, run)
        # With what is seen on the way between its break points.
        shown = desk.remembered("places", run.key, lambda: with_places(run))
        views = (show_stage(desk, shown, rivals, asking.just_guessed),)
        show_jumps(desk, shown)
        show_others(rows)
    lesson_buttons(
        desk,
        run,
        partial(
            path_runs.program_of, desk.scenario, run, steps=desk.screen.numbers.steps
        ),
        about="A complete script: the same path, its jumps, and the grids.",
        columns="C*, objective, sizes of the sets, errors",
        of=None if asking.asked else STAGE,
        views=views,
    )


show_study(STUDY, head, run_controls, body, StudyScreen.restarted)
