"""Curves over the iterations of a run, with one cursor."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from ssl_core.trace import Array, State, Trace
from ssl_core.viz.measures import PARTS, error_rates, iterations, relative
from ssl_core.viz.theme import FONT_SIZE, Theme, get_theme, template
from ssl_core.viz.words import number

USUAL_TOL = 1e-6  # where people put a threshold on a norm


@dataclass(frozen=True, slots=True)
class Line:
    """How one quantity is drawn, wherever it appears.

    ``title`` stands in the legend, ``symbol`` beside it where there is room.
    """

    name: str
    title: str
    role: str
    dash: str = "solid"
    width: float = 2.5
    symbol: str = ""


# The four quantities of [MB11] Figures 4, 8 and 9.
NORMS = (
    Line("grad_norm", "gradient", "accent", symbol="‖∇‖"),
    Line("precond_grad_norm", "preconditioned", "warn", "dash", symbol="‖P⁻¹∇‖"),
    Line("mixed_product", "mixed product", "ink", "dot", symbol="√(∇ᵀP⁻¹∇)"),
    Line("objective", "objective", "good", width=4),
)
# The four sets of [MB11] Figures 5 to 7.
ERRORS = (
    Line("L", PARTS["L"], "muted", "dot"),
    Line("U", PARTS["U"], "accent", width=4),
    Line("V", PARTS["V"], "warn", "dash"),
    Line("T", PARTS["T"], "good", "dashdot"),
)


def norm_curves(trace: Trace, *, mark: int | None = None, mode="light") -> go.Figure:
    """The norms a solver watches, each divided by its start, [MB11] Figure 4.

    Parameters
    ----------
    trace : Trace
        Quantities that its states do not have are left out.
    mark : int or None
        Index of the state under the cursor.
    mode : {"light", "dark"}
    """
    theme = get_theme(mode)
    figure = _figure(theme)
    figure.add_traces(list(norm_lines(trace, theme)))
    figure.update_yaxes(**norm_axis(trace))
    figure.update_xaxes(title_text="iteration t")
    return with_cursor(figure, trace, mark, theme)


def norm_lines(trace: Trace, theme: Theme) -> Iterable[go.Scatter]:
    """The lines of `norm_curves`, for any figure."""
    t = iterations(trace)
    for line in NORMS:
        if line.name in trace.scalar_names():
            values = relative(trace.column(line.name))
            yield curve_of(line, t, _positive(values), theme, "%{y:.2e}")


def norm_axis(trace: Trace) -> dict:
    """From the usual threshold, or further down where a norm goes, to the top.

    A run that stays far above its threshold shows how far.
    """
    drawn = [
        _positive(relative(trace.column(line.name)))
        for line in NORMS
        if line.name in trace.scalar_names()
    ]
    decades = np.log10(np.concatenate([[1.0, USUAL_TOL], *drawn]))
    low, high = np.nanmin(decades), np.nanmax(decades)
    return {
        "type": "log",
        "title_text": "relative to the start",
        "exponentformat": "power",
        "dtick": 2,
        "range": [low - 0.6, high + 0.4],
        "tickfont_size": FONT_SIZE - 3,  # plotly enlarges powers by a quarter
    }


def error_curves(
    trace: Trace,
    truth=None,
    *,
    optimum: dict[str, float] | None = None,
    mark: int | None = None,
    mode="light",
) -> go.Figure:
    """Errors on L, U, V and T over the iterations, [MB11] Figures 5 to 7.

    Parameters
    ----------
    truth : ndarray of shape (n,) or None
        True classes of the training points; without them only V and T are drawn.
    optimum : dict from part to float or None
        Errors of the exact solution, drawn as thin level lines.
    mark : int or None
        Index of the state under the cursor.
    """
    theme = get_theme(mode)
    figure = _figure(theme)
    rates = error_rates(trace, truth)
    figure.add_traces(list(error_lines(trace, rates, theme)))
    figure.add_traces(list(optimum_lines(trace, optimum or {}, theme)))
    figure.update_yaxes(**error_axis(rates, optimum))
    figure.update_xaxes(title_text="iteration t")
    return with_cursor(figure, trace, mark, theme)


def error_lines(trace: Trace, rates: dict[str, Array], theme: Theme):
    """The lines of `error_curves`, for any figure."""
    t = iterations(trace)
    for line in ERRORS:
        if line.name in rates:
            yield curve_of(line, t, rates[line.name], theme, "%{y:.1%}")


def optimum_lines(trace: Trace, optimum: dict[str, float], theme: Theme):
    """Level lines at the exact solution's errors; one entry in the legend."""
    t = iterations(trace)[[0, -1]]
    for number_, line in enumerate(line for line in ERRORS if line.name in optimum):
        yield go.Scatter(
            x=t,
            y=[optimum[line.name]] * 2,
            mode="lines",
            line={"color": theme.role(line.role), "width": 1, "dash": "solid"},
            opacity=0.7,
            name="at the optimum",
            legendgroup="optimum",
            showlegend=number_ == 0,
            hoverinfo="skip",
        )


def error_axis(rates: dict[str, Array], optimum: dict[str, float] | None = None):
    """From zero to a little above the largest error after the first step."""
    seen = [values[1:].max() for values in rates.values() if len(values) > 1]
    top = max([0.02, *seen, *(optimum or {}).values()])
    return {
        "title_text": "error",
        "tickformat": ".0%" if top > 0.05 else ".1%",
        "range": [-0.04 * top, 1.12 * top],
        "nticks": 5,
    }


def objective_curve(
    trace: Trace, *, log=False, mark: int | None = None, mode="light"
) -> go.Figure:
    """The objective in the paper's own scaling."""
    theme = get_theme(mode)
    figure = _figure(theme)
    values = trace.column("objective")
    line = Line("objective", "objective", "good", width=4)
    shown = _positive(values) if log else values
    figure.add_trace(curve_of(line, iterations(trace), shown, theme, "%{y:.6g}"))
    figure.update_yaxes(type="log" if log else "linear", title_text="objective")
    figure.update_xaxes(title_text="iteration t")
    return with_cursor(figure, trace, mark, theme)


def line_search_figure(state: State, *, machine: int = 0, mode="light") -> go.Figure:
    """psi(s) of the line search that led to a state, [MB11] Figure 2.

    psi is the slope of the objective along the search direction. It is piecewise
    linear: at every break point a labelled point enters or leaves the error vectors.

    Parameters
    ----------
    state : State
        One with a ``line_search``; an empty figure with a remark otherwise.
    machine : int
        Which binary machine, for k > 2 classes.
    """
    theme = get_theme(mode)
    figure = _figure(theme)
    search = getattr(state, "line_search", None)
    if isinstance(search, tuple):
        search = search[machine]
    figure.update_xaxes(title_text="step length s")
    # Only the zero matters; other numbers of this axis say nothing to anyone.
    figure.update_yaxes(title_text="slope ψ(s)", tickvals=[0], ticktext=["0"])
    figure.update_layout(margin_l=44)
    if search is None or not np.isfinite(search.step):
        why = "No step has been taken yet." if state.t == 0 else "No line search here."
        return remark(figure, why, theme)
    s, psi = shown_search(search)
    breaks = search.s[1:-1]
    breaks = breaks[breaks <= s[-1]]
    figure.add_hline(y=0, line={"color": theme.muted, "width": 1})
    figure.add_trace(
        go.Scatter(
            x=s,
            y=psi,
            mode="lines",
            name="ψ(s)",
            line={"color": theme.accent, "width": 3},
            hovertemplate="s = %{x:.3g}, ψ = %{y:.3g}<extra></extra>",
        )
    )
    if len(breaks):
        figure.add_trace(
            go.Scatter(
                x=breaks,
                y=np.interp(breaks, search.s, search.psi),
                mode="markers",
                name="break points",
                marker={
                    "size": 10,
                    "color": theme.background,
                    "line": {"color": theme.accent, "width": 2},
                },
                hovertemplate="break point s = %{x:.3g}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[search.step],
            y=[0.0],
            mode="markers+text",
            name="s*",
            text=[f"s* = {number(search.step)}"],
            textposition="bottom right",
            textfont={"color": theme.ink},
            marker={"size": 13, "color": theme.good},
            hovertemplate="s* = %{x:.4g}<extra></extra>",
        )
    )
    figure.update_layout(showlegend=False)
    figure.update_xaxes(range=[0, s[-1]])
    return figure


def shown_search(search) -> tuple[Array, Array]:
    """The part of psi(s) worth drawing: s* and the break points around it."""
    return _clip(search.s, search.psi, _search_end(search))


def _search_end(search) -> float:
    """Where to cut psi: beyond s* and every break point passed, not much further."""
    passed = search.s[1:-1]
    nearby = passed[passed <= 3 * search.step] if search.step > 0 else passed
    far = max([search.step, *nearby])
    return float(1.6 * far if far > 0 else search.s[-1])


def _clip(s: Array, psi: Array, end: float) -> tuple[Array, Array]:
    """The polyline up to ``end``, the last piece prolonged where it falls short."""
    inside = s < end
    last = np.interp(end, s, psi)
    if end > s[-1]:
        slope = (psi[-1] - psi[-2]) / (s[-1] - s[-2])
        last = psi[-1] + slope * (end - s[-1])
    return np.append(s[inside], end), np.append(psi[inside], last)


def with_cursor(figure, trace, mark, theme: Theme) -> go.Figure:
    """A vertical line through every panel at the state ``mark``."""
    if mark is None:
        return figure
    t = trace.states[mark].t
    for axis in figure.select_yaxes():
        figure.add_shape(
            name="cursor",
            layer="below",  # names stay readable
            type="line",
            x0=t,
            x1=t,
            xref=axis.anchor or "x",
            y0=0,
            y1=1,
            yref=f"{axis.plotly_name.replace('axis', '')} domain",
            line={"color": theme.accent, "width": 2},
        )
    return figure


def remark(figure: go.Figure, text: str, theme: Theme) -> go.Figure:
    """A sentence where a figure has nothing to draw."""
    figure.add_annotation(
        text=text,
        showarrow=False,
        x=0.5,
        y=0.5,
        xref="paper",
        yref="paper",
        font={"color": theme.soft},
    )
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(range=[-1, 1])
    return figure


def _figure(theme: Theme) -> go.Figure:
    figure = go.Figure(layout={"template": template(theme.name)})
    return figure.update_layout(hovermode="x unified", margin_t=8)


def curve_of(line: Line, x, y, theme: Theme, value: str) -> go.Scatter:
    """One quantity over the iterations; ``value`` formats what a hover shows."""
    words = f"{line.title} {line.symbol}".strip()
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name=line.title,
        meta=line.name,
        line={"color": theme.role(line.role), "width": line.width, "dash": line.dash},
        hovertemplate=f"{words}: {value}<extra></extra>",
    )


def _positive(values: Array) -> Array:
    """NaN in place of what a logarithmic axis cannot show."""
    return np.where(values > 0, values, np.nan)
