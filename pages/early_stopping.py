"""Early stopping: when is a classifier good enough? [MB11] section 4, live."""

from dataclasses import replace

import streamlit as st

from pages._parts.export.download import lesson_buttons
from pages._parts.lessons import early_stopping as page
from pages._parts.lessons import texts
from pages._parts.lessons.early_stopping import Thresholds
from pages._parts.lessons.lesson_session import LessonSession, finished
from pages._parts.lessons.run_controls import RunControls
from pages._parts.pictures import charts
from pages._parts.running import runs
from pages._parts.scenario import Scenario, pairs
from pages._parts.shell import navigation
from pages._parts.widgets import errors
from pages._parts.widgets.callbacks import whole
from ssl_core import Status, viz
from ssl_core.viz.words import power

HAND = "hand"  # the cursor where its visitor puts it

LESSON = LessonSession("early_stopping", "es", page.from_link, Thresholds)
current, change = LESSON.current, LESSON.change
at, moved = LESSON.at, LESSON.moved
thresholds, set_thresholds = LESSON.numbers, LESSON.set_numbers


# -- controls ------------------------------------------------------------------------


def run_controls() -> None:
    """Which data, how noisy, how many labels; a few parameters."""

    def choose(name: str):
        kept = {k: v for k, v in current().view.thresholds if k != "follow"}
        change(page.scenario_for(name).with_view(thresholds=pairs(kept)))

    controls = RunControls(LESSON, change)
    controls.data(page.offered(current()), choose)
    with st.expander("Data and parameters"):
        controls.draw()
        controls.parameters(page.PARAMETERS)


def guess_control(last: int) -> None:
    at_ = thresholds()
    st.markdown("###### Your guess")
    st.slider(
        "Stop at iteration",
        0,
        last,
        on_change=whole(lambda: set_thresholds(guess=moved("guess"))),
        **at("guess", min(at_.guess, last)),
    )
    st.toggle(
        "Hide the answers",
        on_change=whole(lambda: set_thresholds(hide=int(moved("hide")))),
        **at("hide", bool(at_.hide)),
    )


def threshold_controls(trace, n: int) -> None:
    """A slider for the threshold of every rule."""
    st.markdown("###### Thresholds on norms")
    at_ = thresholds()
    for name in page.NORM_RULES:
        st.select_slider(
            page.THRESHOLD_LABELS[name],
            sorted(page.EXPONENTS, reverse=True),
            format_func=lambda exponent: power(10**exponent),
            on_change=whole(lambda name=name: set_thresholds(**{name: moved(name)})),
            **at(name, getattr(at_, name)),
        )
    st.markdown("###### Checks on decisions")
    usual = page.theta_of(Thresholds(), n)
    st.slider(
        "Look every θ iterations",
        1,
        100,
        on_change=whole(
            lambda: set_thresholds(
                theta=0 if moved("theta") == usual else moved("theta")
            )
        ),
        help=f"The paper takes √n / 2, here {usual}.",
        **at("theta", page.theta_of(at_, n)),
    )
    st.slider(
        "Stability: changes below η",
        0.0,
        20.0,
        step=0.5,
        format="%.1f %%",
        on_change=whole(lambda: set_thresholds(eta=moved("eta"))),
        help="The paper takes 1.5 %. One changed point counts twice.",
        **at("eta", at_.eta),
    )
    if "val" in trace.outputs:
        st.slider(
            "Validation: points to gain",
            1,
            10,
            on_change=whole(lambda: set_thresholds(gain=moved("gain"))),
            help="Each check must find so many validation points more right.",
            **at("gain", at_.gain),
        )


def cursor(rows, trace) -> tuple[str | None, int]:
    """One cursor: at the stop of a rule, or at an iteration of one's own choice.

    The slider is there only for the second. Were it to follow a rule as well, a
    threshold moved quickly would look like a hand on this slider: the browser still
    reports where it stood before.
    """
    stops = {row.name: row.t for row in rows}
    last, order = trace.final.t, page.RULE_ORDER
    at_ = thresholds()
    followed = order[at_.follow] if at_.follow >= 0 else HAND
    if followed not in stops:
        followed = HAND
    t = min(last, current().view.t or 0) if followed == HAND else stops[followed]

    def chosen():
        name = moved("follow")
        set_thresholds(follow=-1 if name == HAND else order.index(name))
        change(current().with_view(t=t if name == HAND else None))

    st.pills(
        "Show the classifier at the stop of",
        [*stops, HAND],
        format_func=lambda name: page.TITLES.get(name, "an iteration I choose"),
        on_change=whole(chosen),
        required=True,
        wrap=True,
        **LESSON.picking("follow", followed),
    )
    with st.container():
        if followed == HAND:
            LESSON.cursor("t", t, last, lambda t: change(current().with_view(t=t)))
    return (None if followed == HAND else followed), t


# -- pictures ------------------------------------------------------------------------


def optimum_of(scenario: Scenario):
    """Newton's solution of the same problem; solved once, beside the watched run."""
    exact = page.newton_of(scenario)
    job = LESSON.remembered("optimum", exact.solving, lambda: runs.server().ask(exact))
    return finished(job, "Newton’s method finds the exact optimum …")


def show_pictures(run, exact, index: int) -> None:
    """The classifier under the cursor, the optimum, and the line search."""
    if run.problem.data.dims == 2:
        show_boundaries(run, exact, index)
    else:
        show_outputs(run, exact, index)
    state = run.trace.states[index]
    st.markdown("##### The line search that led here")
    charts.show(
        viz.line_search_figure(state, mode=charts.mode()),
        key="es_search",
        height=230,
        alt=f"Slope of the objective along the direction of step {state.t}.",
    )
    st.caption(page.search_words(state))


def show_boundaries(run, exact, index: int) -> None:
    problem, t = run.problem, run.trace.states[index].t
    shared = {
        "points": problem.X,
        "given": problem.given,
        "truth": run.truth,
        "class_names": problem.data.class_names,
        "extent": viz.fit_extent(problem.X, aspect=1.45, margin=0.12),
        "mode": charts.mode(),
    }
    for title, trace, i, key in (
        (f"The classifier at t = {t}", run.trace, index, "es_here"),
        ("Newton’s optimum", exact.trace, len(exact.trace) - 1, "es_optimum"),
    ):
        st.markdown(f"##### {title}")
        figure = viz.decision_boundary(trace, i, **shared)
        charts.show(figure, key=key, height=270, alt=f"{title}: field and boundary.")


def show_outputs(run, exact, index: int) -> None:
    t = run.trace.states[index].t
    st.markdown(f"##### Outputs at t = {t} and at the optimum")
    figure = viz.output_agreement(
        run.trace,
        index,
        exact.trace,
        truth=run.truth,
        class_names=run.problem.data.class_names,
        mode=charts.mode(),
    )
    charts.show(
        figure,
        key="es_agreement",
        height=420,
        alt=f"Each unlabelled point's output at iteration {t} against the optimum's.",
    )
    st.caption(
        "More than two dimensions: no boundary can be drawn. A point in a shaded "
        "corner is on the same side in both; on the dotted line both are equal."
    )


def show_answers(run, exact) -> None:
    """Curves, cursor and pictures side by side, the table below."""
    trace = run.trace
    rules = page.rules_of(thresholds(), trace)
    rows = viz.stopping_table(trace, rules, run.truth, optimum=exact.trace)
    rows = [replace(row, title=page.TITLES[row.name]) for row in rows]
    best = viz.optimum_errors(exact.trace, run.truth)
    complete = trace.status is Status.CONVERGED
    curves, pictures = st.columns([1.9, 1], gap="medium")
    with curves:
        place = st.container()
        followed, t = cursor(rows, trace)
        with st.container(border=True):
            st.markdown(texts.spoken(viz.narrate(trace, t, run.truth)))
    figure = viz.stopping_figure(
        trace,
        rows,
        run.truth,
        optimum=best,
        chosen=followed,
        mark=t,
        mode=charts.mode(),
    )
    with place:
        charts.show(
            figure,
            key="es_curves",
            height=680,
            alt="Norms and errors over the iterations, and where each stopping rule "
            "would have ended the run.",
        )
    with pictures:
        show_pictures(run, exact, t)
    with st.container():
        chosen = next((row for row in rows if row.name == followed), None)
        if chosen is not None:
            st.markdown(page.verdict(chosen, best, complete))
    st.table(page.table(rows, followed, complete), border="horizontal")
    st.caption(page.remarks_on(run, exact))


def show_question(trace) -> None:
    """What the solver sees, and nothing that gives the answer away."""
    guess = min(thresholds().guess, trace.final.t)
    charts.show(
        viz.norm_curves(trace, mark=guess, mode=charts.mode()),
        key="es_norms",
        height=520,
        alt="Four quantities that solvers watch, over the iterations.",
    )
    st.markdown(
        "Where would you stop? Put the line there with *Your guess*, then switch "
        "*Hide the answers* off."
    )


# -- the page ------------------------------------------------------------------------

navigation.through_app()
LESSON.open()
st.header("When to stop", anchor=False)
st.markdown(texts.lead("early_stopping"))
with st.sidebar:
    run_controls()
# What only some runs show stands in a place of its own: elements that move down
# the page when it appears would be built anew, and a slider under way let go.
waiting = st.container()
try:
    with waiting:
        run = runs.solve(current())
        exact = optimum_of(current())
except ValueError as error:
    st.warning(errors.plain(str(error)), icon=":material/warning:")
else:
    hide = bool(thresholds().hide)
    with st.sidebar:
        guess_control(run.trace.final.t)
        if not hide:
            threshold_controls(run.trace, len(run.problem.train))
    if hide:
        show_question(run.trace)
    else:
        show_answers(run, exact)
    lesson_buttons(
        current(),
        run,
        page.script_of(current(), run, thresholds()),
        "early_stopping",
        about="Runs as it is: the same run, and every rule judged on its record.",
        columns="objective, norms, errors, events",
    )
    with st.expander("What is going on here?"):
        st.markdown(texts.explanation("early_stopping"))
LESSON.write_link()
