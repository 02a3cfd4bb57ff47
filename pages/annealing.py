"""Annealing: hidden labels decided step by step, [SK07] sections 1.3 and 1.4."""

import streamlit as st

from pages._parts.export.download import lesson_buttons
from pages._parts.lessons import annealing as page
from pages._parts.lessons import texts
from pages._parts.lessons.annealing import Screen
from pages._parts.lessons.lesson_session import LessonSession, beside
from pages._parts.lessons.run_controls import RunControls
from pages._parts.pictures import charts
from pages._parts.running import runs
from pages._parts.scenario import Scenario
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import whole
from ssl_core import viz
from ssl_core.viz import annealing as figures
from ssl_core.viz.words import number

LESSON = LessonSession("annealing", "an", page.from_link, Screen)
current, change = LESSON.current, LESSON.change
moved = LESSON.moved
screen, set_screen = LESSON.numbers, LESSON.set_numbers


def restart(scenario: Scenario) -> None:
    """Another run: the cursors go where it is most telling."""
    change(scenario.with_view(t=None))
    set_screen(s=-1)


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
    return LESSON.remembered(
        "switching", other.solving, lambda: beside(other, "Labels are switched …")
    )


def outcomes_of(run):
    """How every way ended, and the annealed run beside the one that is stuck.

    Only these are kept: six runs of a large text are too much for one visitor.
    """

    def compare():
        rows, pair = [], {}
        for name, scenario in page.rivals(run.scenario).items():
            annealed = name == "annealed"
            solved = run if annealed else beside(scenario, "Other ways are tried …")
            rows.append(page.outcome(name, solved))
            if annealed or name == page.stuck(rows):
                pair = {"annealed": run, name: solved}
        return rows, pair

    return LESSON.remembered("outcomes", (run.scenario, run.interrupted), compare)


# -- views ---------------------------------------------------------------------------


def show_cooling(run) -> None:
    """Schedule and cursor on the left; what the points believe there on the right."""
    trace = run.trace
    t = current().view.t
    t = min(page.melting(trace) if t is None else t, trace.final.t)
    LESSON.cursor("t", t, trace.final.t, lambda t: change(current().with_view(t=t)))
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
            sentences = texts.spoken(viz.narrate(trace, index, run.truth))
            st.markdown(f"{sentences} {page.fate(trace, index)}")
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
    LESSON.cursor("s", s, trace.final.t, lambda s: set_screen(s=s))
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
            st.markdown(texts.spoken(viz.narrate(trace, index, run.truth)))
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


# -- the page ------------------------------------------------------------------------

navigation.through_app()
LESSON.open()
st.header("Cooling down to a decision", anchor=False)
st.markdown(texts.lead("annealing"))
with st.sidebar:
    run_controls()
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
        run = switching_of(current())
        show_switching(run)
    else:
        show_comparison(run)
    lesson_buttons(
        current(),
        run,
        page.script_of(current(), run, shown),
        "annealing",
        about="Runs as it is: what this view shows.",
        columns="temperature or λ′, objectives, errors",
    )
except ValueError as error:
    st.warning(errors.plain(str(error)), icon=":material/warning:")
with st.expander("What is going on here?"):
    st.markdown(texts.explanation("annealing"))
LESSON.write_link()
