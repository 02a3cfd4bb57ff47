"""Where stopping rules would have ended a recorded run, as rows and as a figure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ssl_core.stopping import (
    RULES,
    MixedCheck,
    ObjectiveDecrease,
    RelativeNorm,
    Rule,
    StabilityCheck,
    ValidationCheck,
    default_check_interval,
    judge,
)
from ssl_core.trace import Array, Trace
from ssl_core.viz.curves import (
    NORMS,
    error_axis,
    error_lines,
    norm_axis,
    norm_lines,
    optimum_lines,
    with_cursor,
)
from ssl_core.viz.measures import error_rates, iterations, labeled_mask, relative
from ssl_core.viz.theme import FONT_SIZE, Theme, fade, get_theme, template
from ssl_core.viz.words import count, percent, power


@dataclass(frozen=True, slots=True)
class StopRow:
    """Where one rule would have ended the run, and what that is worth.

    Attributes
    ----------
    name, title, threshold : str
        Key of the rule, its title, and its threshold in words.
    index : int or None
        State at which it would have stopped; None where it never fires. Errors,
        iterations and seconds are then those of the last state.
    t, seconds : int, float
        Iterations and their solver time until there. Kernel matrix and graph come
        before, cost the same whatever the rule, and are not counted.
    errors, final_errors : dict from "L", "U", "V", "T" to float
        There, and at the end of the recorded run.
    saved, seconds_saved : int, float
        Iterations and solver time that the rest of the run cost.
    agreement : float or None
        Share of the unlabelled points that are decided as at the optimum.
    """

    name: str
    title: str
    threshold: str
    index: int | None
    t: int
    seconds: float
    errors: dict[str, float]
    final_errors: dict[str, float]
    saved: int
    seconds_saved: float
    agreement: float | None = None

    @property
    def fires(self) -> bool:
        return self.index is not None

    @property
    def share_saved(self) -> float:
        """Solver time saved, as a share of the whole run's iterations."""
        total = self.seconds + self.seconds_saved
        return self.seconds_saved / total if total > 0 else 0.0


def stopping_table(
    trace: Trace,
    rules: Mapping[str, Rule],
    truth=None,
    *,
    optimum: Trace | None = None,
) -> list[StopRow]:
    """Judge rules on a recorded run; nothing is solved again.

    Parameters
    ----------
    trace : Trace
        Of a run to full convergence, or as far as one was willing to go.
    rules : mapping from name to Rule
        A name in `ssl_core.stopping.RULES` gets its title from there.
    truth : ndarray of shape (n,) or None
        True classes of the training points, for the errors on L and U.
    optimum : Trace or None
        Of a run on the same points whose last state is exact.

    Returns
    -------
    rows : list of StopRow, in the order of ``rules``
    """
    rates = error_rates(trace, truth)
    spent = np.cumsum(trace.seconds) - trace.seconds[0]
    t = iterations(trace)
    same = None if optimum is None else _agreement(trace, optimum)
    rows = []
    for name, rule in rules.items():
        index = judge(rule, trace)
        at = len(trace) - 1 if index is None else index
        rows.append(
            StopRow(
                name=name,
                title=RULES[name].title if name in RULES else name,
                threshold=describe(rule, trace),
                index=index,
                t=int(t[at]),
                seconds=float(spent[at]),
                errors={part: float(values[at]) for part, values in rates.items()},
                final_errors={part: float(v[-1]) for part, v in rates.items()},
                saved=int(t[-1] - t[at]),
                seconds_saved=float(spent[-1] - spent[at]),
                agreement=None if same is None else float(same[at]),
            )
        )
    return rows


def _agreement(trace: Trace, optimum: Trace) -> Array:
    """Share of unlabelled points that every state decides as the optimum does."""
    unlabeled = ~labeled_mask(trace)
    return (trace.labels[:, unlabeled] == optimum.labels[-1, unlabeled]).mean(axis=1)


def describe(rule: Rule, trace: Trace) -> str:
    """The threshold of a rule in words, with the defaults it would use."""
    if isinstance(rule, RelativeNorm | ObjectiveDecrease):
        return f"below {power(rule.tol)}" if rule.tol else "exactly 0"
    if not isinstance(rule, StabilityCheck | ValidationCheck | MixedCheck):
        return ""
    every = rule.every or default_check_interval(len(trace.y))
    words = [f"every {every}" if every > 1 else "every iteration"]
    if isinstance(rule, StabilityCheck | MixedCheck):
        tol = rule.tol if isinstance(rule, StabilityCheck) else rule.stability_tol
        words.append(f"change below {percent(tol)}")
    if isinstance(rule, ValidationCheck | MixedCheck):
        tol = rule.tol if isinstance(rule, ValidationCheck) else rule.validation_tol
        n_val = len(trace.targets["val"])
        points = 1 if tol is None else math.ceil(tol * n_val)
        words.append(f"gain below {count(points, 'point')}")
    return ", ".join(words)


def stopping_figure(
    trace: Trace,
    rows: list[StopRow],
    truth=None,
    *,
    optimum: dict[str, float] | None = None,
    chosen: str | None = None,
    mark: int | None = None,
    mode="light",
) -> go.Figure:
    """Norms, errors and where each rule stops, over one axis with one cursor.

    Parameters
    ----------
    rows : list of StopRow
        From `stopping_table` on the same trace.
    optimum : dict from part to float or None
        Errors of the exact solution, as level lines.
    chosen : str or None
        Name of the rule to show in full colour.
    mark : int or None
        Index of the state under the cursor.
    """
    theme = get_theme(mode)
    figure = make_subplots(
        rows=3,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.065,
        row_heights=[0.35, 0.24, 0.41],
        subplot_titles=(
            "What the solver sees",
            "What you care about",
            "Where each rule stops",
        ),
    )
    figure.update_layout(template=template(theme.name), hovermode="x unified")
    for line in norm_lines(trace, theme):
        figure.add_trace(line.update(legend="legend"), row=1, col=1)
    for dot in _threshold_marks(trace, rows, theme):
        figure.add_trace(dot.update(legend="legend"), row=1, col=1)
    rates = error_rates(trace, truth)
    for line in (
        *error_lines(trace, rates, theme),
        *optimum_lines(trace, optimum or {}, theme),
    ):
        figure.add_trace(line.update(legend="legend2"), row=2, col=1)
    for mark_ in _rail(rows, chosen, theme):
        figure.add_trace(mark_, row=3, col=1)
    figure.update_yaxes(row=1, col=1, **norm_axis(trace))
    figure.update_yaxes(row=2, col=1, **error_axis(rates, optimum))
    figure.update_yaxes(
        row=3,
        col=1,
        range=[len(rows) - 0.6, -0.9],
        showgrid=False,
        showticklabels=False,
    )
    last = trace.final.t
    figure.update_xaxes(range=[-0.01 * last, 1.03 * last], showspikes=False)
    figure.update_xaxes(title_text="iteration t", row=3, col=1)
    for title in figure.layout.annotations:
        title.update(x=0, xanchor="left", font={"size": 17, "color": theme.ink})
    # Norms fall from the upper left, errors hug the bottom: each legend takes the
    # corner that its panel leaves free.
    norms, errors = figure.layout.yaxis.domain, figure.layout.yaxis2.domain
    clear = {
        "bgcolor": fade(theme.background, 0.8),
        "font": {"size": FONT_SIZE - 1},
        "tracegroupgap": 0,
    }
    figure.update_layout(
        legend={
            **clear,
            "orientation": "v",
            "x": 0.01,
            "xanchor": "left",
            "y": norms[0],
            "yanchor": "bottom",
        },
        legend2={
            **clear,
            "orientation": "v",
            "x": 1,
            "xanchor": "right",
            "y": errors[1],
            "yanchor": "top",
        },
    )
    return with_cursor(figure, trace, mark, theme)


NORM_OF_RULE = {
    "gradient": "grad_norm",
    "preconditioned": "precond_grad_norm",
    "mixed_product": "mixed_product",
    "objective": "objective",
}


def _threshold_marks(trace, rows, theme: Theme):
    """A dot on each norm's own curve where its threshold ends the run."""
    t = iterations(trace)
    lines = {line.name: line for line in NORMS}
    for row in rows:
        name = NORM_OF_RULE.get(row.name)
        if name is None or not row.fires or name not in trace.scalar_names():
            continue
        value = relative(trace.column(name))[row.index]
        yield go.Scatter(
            x=[t[row.index]],
            y=[value],
            mode="markers",
            marker={
                "size": 12,
                "color": theme.role(lines[name].role),
                "line": {"color": theme.background, "width": 2},
            },
            name=f"{row.title} stops",
            meta=f"stop:{row.name}",
            showlegend=False,
            hoverinfo="skip",
        )


def _rail(rows, chosen, theme: Theme):
    """One bar per rule, as long as the iterations it asks for, named above it.

    Names stand inside the panel: they cost no margin, which a phone does not have.
    """
    for y, row in enumerate(rows):
        active = row.name == chosen
        colour = theme.good if row.fires else theme.muted
        stop = f"t = {row.t}" if row.fires else "never"
        name = f"<b>{row.title}: {stop}</b>" if active else f"{row.title}: {stop}"
        yield go.Scatter(
            x=[0, row.t],
            y=[y, y],
            mode="lines+markers+text",
            line={"color": colour, "width": 6 if active else 3},
            opacity=1.0 if active or chosen is None else 0.7,
            marker={
                "size": [0, 15 if active else 10],
                "color": colour,
                "symbol": "circle" if row.fires else "triangle-right",
                "opacity": 1.0,
            },
            text=[name, ""],
            textposition="top right",
            textfont={"color": theme.ink, "size": FONT_SIZE - 1},
            name=row.title,
            meta=f"rail:{row.name}",
            showlegend=False,
            hoverinfo="skip",
        )


def optimum_errors(trace: Trace, truth=None) -> dict[str, float]:
    """Errors of a run's last state, such as Newton's, on L, U, V and T."""
    rates: dict[str, Array] = error_rates(trace, truth)
    return {part: float(values[-1]) for part, values in rates.items()}
