"""Annealing: how hidden labels are made up slowly, [SK07] sections 1.3 and 1.4."""

from dataclasses import replace

import streamlit as st

from datasets import DATASETS
from pages._parts.export import files, take_home
from pages._parts.lessons import annealing as page
from pages._parts.lessons.annealing import Screen
from pages._parts.lessons.early_stopping import spoken
from pages._parts.lessons.lesson_session import Lesson, beside
from pages._parts.pictures import charts
from pages._parts.running import runs
from pages._parts.scenario import SEED, Scenario, data_knobs, pairs
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import whole
from pages._parts.widgets.knob import knob_control
from ssl_core import ALGORITHMS, viz
from ssl_core.viz import annealing as figures
from ssl_core.viz.narrate import number

SWITCHING = "annealing_tsvm"  # the transductive SVM's run
OUTCOMES = "annealing_outcomes"  # how every way ended

LESSON = Lesson("annealing", "an", page.from_link)
current, change = LESSON.current, LESSON.change
at, moved = LESSON.at, LESSON.moved


def screen() -> Screen:
    return Screen.read(dict(current().view.thresholds))


def set_screen(**values) -> None:
    written = replace(screen(), **values).written()
    change(current().with_view(thresholds=pairs(written)))


def restart(scenario: Scenario) -> None:
    """Another run: the cursors go where it is most telling."""
    change(scenario.with_view(t=None))
    set_screen(s=-1)


# -- controls ------------------------------------------------------------------------


def data_controls() -> None:
    scenario = current()

    def chosen():
        if moved("data") not in page.offered(current()):
            return
        kept = current().view.thresholds
        restart(page.scenario_for(moved("data")).with_view(thresholds=kept))

    st.markdown("###### Data")
    st.selectbox(
        "Data",
        page.offered(scenario),
        format_func=lambda name: page.title(name, scenario),
        on_change=whole(chosen),
        help=DATASETS[scenario.data].description,
        label_visibility="collapsed",
        **LESSON.choosing("data", scenario.data, page.offered(scenario)),
    )
    knobs = data_knobs(scenario.data)
    if "noise" in knobs:
        knob_control(knobs["noise"], scenario.knobs["noise"], "an_data_", turn_data)
    label_control(scenario)
    st.number_input(
        "Draw of the data and labels",
        0,
        int(SEED.high),
        on_change=whole(turn_seed),
        **at("seed", scenario.seed),
    )


def turn_seed() -> None:
    if moved("seed") is not None:  # the field was emptied to type another number
        restart(page.redrawn(current(), int(moved("seed"))))


def turn_data(name: str) -> None:
    restart(current().with_data_knob(name, moved(f"data_{name}")))


def label_control(scenario: Scenario) -> None:
    labels = scenario.labels
    if labels.how not in ("telling", "random"):
        return
    least, words = (2, "Labels") if labels.how == "telling" else (1, "Labels per class")
    st.slider(
        words,
        least,
        max(50, labels.count),
        on_change=whole(lambda: restart(page.relabelled(current(), moved("labels")))),
        **at("labels", max(least, labels.count)),
    )


def parameter_controls() -> None:
    st.markdown("###### Machine and schedule")
    scenario = current()
    for name in page.PARAMETERS:
        knob = ALGORITHMS["da"].knob(name)
        knob_control(knob, scenario.params[name], "an_", turn_parameter)


def turn_parameter(name: str) -> None:
    restart(current().with_parameter(name, moved(name)))


def guess_control(run) -> None:
    """The prediction comes first; its answer is taken from the run."""
    words = list(page.GUESSES)
    guess = screen().guess

    def guessed():
        choice = moved("guess")
        set_screen(guess=-1 if choice is None else words.index(choice))

    st.pills(
        "Your prediction",
        words,
        on_change=whole(guessed),
        label_visibility="collapsed",
        wrap=True,
        **LESSON.picking("guess", words[guess] if guess >= 0 else None),
    )
    with st.container():
        if guess >= 0:
            st.markdown(page.judged(guess, run))


def view_control() -> int:
    shown = screen().view

    def chosen():
        choice = moved("view")
        set_screen(view=shown if choice is None else page.VIEWS.index(choice))

    st.segmented_control(
        "What to look at",
        page.VIEWS,
        on_change=whole(chosen),
        label_visibility="collapsed",
        **LESSON.picking("view", page.VIEWS[shown]),
    )
    return shown


# -- runs besides the watched one ----------------------------------------------------


def switching_of(scenario: Scenario):
    """The transductive SVM's run; kept while the visitor looks at it."""
    other = page.switching(scenario)
    kept = st.session_state.get(SWITCHING)
    if kept is None or kept.scenario != other.solving:
        kept = st.session_state[SWITCHING] = beside(other, "Labels are switched …")
    return kept


def outcomes_of(run):
    """How every way ended, and the annealed run beside the one that is stuck.

    Only these are kept: six runs of a large text are too much for one visitor.
    """
    key = run.scenario, run.interrupted
    kept = st.session_state.get(OUTCOMES)
    if kept is None or kept[0] != key:
        rows, pair = [], {}
        for name, scenario in page.rivals(run.scenario).items():
            annealed = name == "annealed"
            solved = run if annealed else beside(scenario, "Other ways are tried …")
            rows.append(page.outcome(name, solved))
            if annealed or name == page.stuck(rows):
                pair = {"annealed": run, name: solved}
        kept = st.session_state[OUTCOMES] = key, rows, pair
    return kept[1:]


# -- views ---------------------------------------------------------------------------


def show_cooling(run) -> None:
    """Schedule and cursor on the left; what the points believe there on the right."""
    trace = run.trace
    t = current().view.t
    t = min(page.melting(trace) if t is None else t, trace.final.t)
    st.slider(
        "Iteration t",
        0,
        trace.final.t,
        on_change=whole(lambda: change(current().with_view(t=moved("t")))),
        **at("t", t),
    )
    index = figures.kept_at(trace, t)
    curves, pictures = st.columns([1.35, 1], gap="medium")
    with curves:
        charts.show(
            figures.annealing_figure(trace, run.truth, mark=index, mode=charts.mode()),
            key="an_schedule",
            height=780,
            alt="Temperature, beliefs, entropy, objectives and error over the "
            "iterations of deterministic annealing.",
        )
        with st.container(border=True):
            told = spoken(viz.narrate(trace, index, run.truth))
            st.markdown(f"{told} {page.fate(trace, index)}")
    state = trace.states[index]
    with pictures:
        show_points(run, index, "an_points")
        st.markdown(f"##### The loss at T = {number(state.T)}")
        lam_u = run.scenario.params["lam_u"]
        charts.show(
            figures.loss_figure(trace, index, lam_u=lam_u, mode=charts.mode()),
            key="an_loss",
            height=280,
            alt=f"Effective loss at T = {state.T:.3g} among other temperatures, the "
            "unlabelled points standing on it.",
        )
        st.markdown("##### How sure the points are")
        names = run.problem.data.class_names
        charts.show(
            figures.belief_histogram(state, class_names=names, mode=charts.mode()),
            key="an_histogram",
            height=170,
            alt="Histogram of the beliefs p of the unlabelled points.",
        )
    if page.has_words(run):
        show_words(run, index)
    st.caption(page.remarks_on(run))


def show_points(run, index: int, key: str) -> None:
    """The points on their plane, or their outputs where there is no plane."""
    plane, t = run.problem.data.dims == 2, run.trace.states[index].t
    what = "What the points believe" if plane else "Outputs"
    st.markdown(f"##### {what} at t = {t}")
    draw_points(run, index, key)
    if plane:
        st.caption("No colour: undecided. A cross: predicted wrongly.")


def draw_points(run, index: int, key: str) -> None:
    problem, trace = run.problem, run.trace
    names = problem.data.class_names
    if problem.data.dims == 2:
        figure = figures.belief_points(
            trace,
            index,
            problem.X,
            problem.given,
            truth=run.truth,
            class_names=names,
            extent=viz.fit_extent(problem.X, aspect=1.5, margin=0.1),
            mode=charts.mode(),
        )
        alt = "Points coloured by belief, with the boundary and its margins."
    else:
        figure = figures.output_histogram(
            trace, index, truth=run.truth, class_names=names, mode=charts.mode()
        )
        alt = "Histogram of the outputs of the unlabelled points, by true class."
    charts.show(figure, key=key, height=300, alt=alt)


def show_words(run, index: int) -> None:
    """On text, the words with the largest weights take the place of the plane."""
    data, trace = run.problem.data, run.trace
    first, second = data.class_names
    now, over = st.columns([1, 1.6], gap="medium")
    with now:
        st.markdown(f"##### Words that count most at t = {trace.states[index].t}")
        charts.show(
            figures.word_bars(
                trace.states[index], data.feature_names, mode=charts.mode()
            ),
            key="an_words",
            height=460,
            alt="Bars of the largest positive and negative word weights.",
        )
    with over:
        st.markdown("##### The words that lead in the end, at every temperature")
        charts.show(
            figures.word_map(trace, data.feature_names, mark=index, mode=charts.mode()),
            key="an_word_map",
            height=460,
            alt="Heat map of word weights over the temperatures.",
        )
    words = (
        " The file names no words: x17 is its column 17." if page.unnamed(run) else ""
    )
    st.caption(
        f"Positive weights speak for *{second}*, negative ones for *{first}*. In the "
        f"map, weights are divided by the largest of their temperature.{words}"
    )


def show_switching(run) -> None:
    """The transductive SVM on the same data: lambda' rises, labels switch."""
    trace = run.trace
    s = screen().s
    s = min(page.busiest(trace) if s < 0 else s, trace.final.t)
    st.slider(
        "Iteration t",
        0,
        trace.final.t,
        on_change=whole(lambda: set_screen(s=moved("s"))),
        **at("s", s),
    )
    index = figures.kept_at(trace, s)
    curves, pictures = st.columns([1.35, 1], gap="medium")
    with curves:
        charts.show(
            figures.switching_figure(trace, run.truth, mark=index, mode=charts.mode()),
            key="an_switching",
            height=740,
            alt="Weight of the unlabelled points, their labels, switches, objective "
            "and error over the trainings of the transductive SVM.",
        )
        with st.container(border=True):
            st.markdown(spoken(viz.narrate(trace, index, run.truth)))
    with pictures:
        show_points(run, index, "an_switch_points")
        st.markdown("##### The loss, and the points on it")
        charts.show(
            figures.loss_figure(trace, index, mode=charts.mode()),
            key="an_switch_loss",
            height=280,
            alt="Loss of the transductive SVM, the unlabelled points standing on it.",
        )
        st.caption(
            "A point above the dotted curve has a label on the wrong side of the "
            "boundary: two of those, one of each class, are a pair to switch."
        )


def show_comparison(run) -> None:
    """Annealed against fixed temperatures, and against the transductive SVM."""
    rows, pair = outcomes_of(run)
    panels = {"objective": "Objective at T = 0"}
    if all("U" in row.errors for row in rows):
        panels["U"] = "Error on the unlabelled points"
    for column, (what, title) in zip(st.columns(2), panels.items(), strict=False):
        with column:
            st.markdown(f"##### {title}")
            charts.show(
                figures.comparison_figure(rows, what, mode=charts.mode()),
                key=f"an_comparison_{what}",
                height=260,
                alt=f"{title} of annealing, fixed temperatures and transductive SVM.",
            )
    st.markdown(page.verdict(rows))
    if run.problem.data.dims == 2:
        titles = {row.name: row.title for row in rows}
        for column, (name, solved) in zip(st.columns(2), pair.items(), strict=True):
            with column:
                st.markdown(f"##### {titles[name]}")
                draw_points(solved, len(solved.trace) - 1, f"an_end_{name}")
    st.table(page.table(rows), border="horizontal")
    st.caption(
        "All minimise the same objective on the same points and labels, measured at "
        "T = 0. Lowest objective in bold. Another draw may tell another story."
    )


def take_home_buttons(run) -> None:
    """Link, script and table of what is on the screen."""
    with st.container(horizontal=True, key="actions", horizontal_alignment="right"):
        st.download_button(
            "Script",
            page.script_of(current(), run),
            "halfmoon_annealing.py",
            "text/x-python",
            on_click="ignore",
            icon=":material/code:",
            help="Runs as it is: the same run, then fixed temperatures.",
        )
        st.download_button(
            "Trace",
            files.trace_table(run),
            "halfmoon_trace.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
            help="One row per iteration: temperature, entropy, objectives, errors.",
        )
        with st.popover("Share", icon=":material/link:", type="primary"):
            st.markdown("This link brings others to the same screen.")
            st.code(take_home.link(current()), language=None, wrap_lines=True)


# -- the page ------------------------------------------------------------------------

navigation.through_app()
LESSON.open()
st.header("Cooling down to a decision", anchor=False)
st.markdown(page.lead())
with st.sidebar:
    data_controls()
    parameter_controls()
# What only some runs show stands in a place of its own, so that nothing below moves.
waiting = st.container()
try:
    with waiting:
        run = runs.solve(current())
        page.check(run)
    guess_control(run)
    shown = view_control()
    if shown == 0:
        show_cooling(run)
    elif shown == 1:
        show_switching(switching_of(current()))
    else:
        show_comparison(run)
    take_home_buttons(run)
except ValueError as error:
    st.warning(errors.plain(str(error)), icon=":material/warning:")
with st.expander("What is going on here?"):
    st.markdown(page.explanation())
LESSON.write_link()
