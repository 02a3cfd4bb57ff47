"""A `StageView` as a Plotly figure: plane, curves, the sentence of a frame.

On the left the plane, on the right the view's curves with a mark at the frame. Colours,
dashes, names and numbers are those of the stage.
"""

from __future__ import annotations

from textwrap import wrap

import plotly.graph_objects as go

from halfmoon.stage import StageView
from halfmoon.views.drawn_curves import DrawnCurves, panels_of
from halfmoon.views.drawn_plane import DrawnPlane
from halfmoon.views.sheet import entry_width, words
from ssl_core.viz.theme import DARK, LIGHT, Theme

THEMES = {"light": LIGHT, "dark": DARK}
AXES, PANEL = 400, 125  # height of the axes in pixels, and the least of a panel
TOP, LINE = 26, 20  # to the feet of the title's first line, of each line
BELOW, ENTRIES, FOOT = 52, 20, 14  # numbers below the axes, a row of the legend, space
PLAYER, ABOUT = 84, 28  # slider and buttons, words about the view
SIDE, EDGE = 58, 20  # left and right of the axes
PLANE, BETWEEN = 0.56, 0.07  # of the width
WIDE = 95  # letters in a line of the title
LEGEND = 820  # width of the plane's legend
MILLISECONDS = 200  # of a frame; a browser needs a part of it to draw one
NBSP = "\N{NO-BREAK SPACE}"


def figure(
    view: StageView, frame: int = -1, *, theme: str = "light", caption: bool = True
) -> go.Figure:
    """One frame of a view.

    Parameters
    ----------
    view : StageView
    frame : int
        Its place in the view, negative from the end.
    theme : {"light", "dark"}
    caption : bool
        Whether the words about the view stand at the bottom.
    """
    drawing = _Drawing(view, theme_of(theme), caption)
    frame = range(view.n_frames)[frame]
    picture = go.Figure([*drawing.moving(frame), *drawing.still()])
    drawing.lay_out(picture)
    picture.update_layout(drawing.moment(frame))
    return picture


def animation(
    view: StageView, *, theme: str = "light", caption: bool = True
) -> go.Figure:
    """All frames of a view, with a slider and a play button.

    Parameters
    ----------
    view, theme, caption
        As in `figure`.
    """
    drawing = _Drawing(view, theme_of(theme), caption, played=True)
    picture = go.Figure([*drawing.moving(0), *drawing.still()])
    # Where marks move Plotly drops those that a frame does not name.
    marks = [go.Scatter() for _ in drawing.still()] if view.field is None else []
    picture.frames = [
        go.Frame(
            name=str(t),
            data=(data := [*drawing.moving(frame), *marks]),
            traces=list(range(len(data))),
            layout=drawing.moment(frame),
        )
        for frame, t in enumerate(view.frame_t)
    ]
    drawing.lay_out(picture)
    picture.update_layout(drawing.moment(0))
    _add_player(picture, drawing)
    return picture


def theme_of(name: str) -> Theme:
    """A theme by its name."""
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f'theme must be "light" or "dark", got {name!r}.')
    return THEMES[name]


class _Drawing:
    """What a figure is made of, and where its parts are."""

    def __init__(self, view: StageView, theme: Theme, caption: bool, played=False):
        self.view, self.theme, self.played = view, theme, played
        panels = len(panels_of(view))
        self.plane = self.curves = None
        self.tall = max(AXES, PANEL * panels)
        if view.n_points:
            self.plane = DrawnPlane(view, theme, right=PLANE if panels else 1)
        if panels:
            first, left = (2, PLANE + BETWEEN) if self.plane else (1, 0.0)
            self.curves = DrawnCurves(view, theme, first, left, self.tall)
        self.about = _lines(view.about) if caption and view.about else []
        self.titles = [self._title(frame) for frame in range(view.n_frames)]
        self.player = BELOW + ENTRIES * self._legend_rows() + FOOT  # below the axes

    def still(self) -> list:
        """What all frames share: points, curves."""
        points = self.plane.still() if self.plane else []
        return [*points, *(self.curves.lines() if self.curves else [])]

    def moving(self, frame: int) -> list:
        return self.plane.moving(frame) if self.plane else []

    def moment(self, frame: int) -> dict:
        """Layout of a frame: its sentence, its rings, and the cursor in all panels."""
        shapes = self.plane.rings(frame) if self.plane else []
        shapes += self.curves.cursor(frame) if self.curves else []
        return {"title": {"text": self.titles[frame]}, "shapes": shapes}

    def _title(self, frame: int) -> str:
        """The view's title, what happened at a frame, its figures."""
        view = self.view
        said = view.captions[frame] if view.captions else f"t = {view.frame_t[frame]:,}"
        tiles = (f"{tile.label} {tile.values[frame]}" for tile in view.tiles)
        figures = _lines("   ".join(tile.replace(" ", NBSP) for tile in tiles))
        small = f'<span style="color:{self.theme.soft};font-size:13px">{{}}</span>'
        title = [f"<b>{words(view.title)}</b>"] if view.title else []
        return "<br>".join([*title, *_lines(said), *map(small.format, figures)])

    def _legend_rows(self) -> int:
        """Of the plane; where there are more than one, columns are equally wide."""
        items = [*self.plane.still(), *self.moving(0)] if self.plane else []
        shown = [
            item.name for item in items if item.name and item.showlegend is not False
        ]
        widths = [entry_width(name) for name in shown]
        if sum(widths) <= LEGEND:
            return bool(widths)
        return -(-len(widths) // max(1, int(LEGEND // max(widths))))

    def lay_out(self, picture: go.Figure) -> None:
        """From above: title, axes, legend, player, words about the view."""
        theme, tall = self.theme, self.tall
        top = TOP + LINE * max(title.count("<br>") + 1 for title in self.titles)
        words_at = self.player + (PLAYER if self.played else 0)
        bottom = words_at + (ABOUT + FOOT * (len(self.about) - 1) if self.about else 0)
        height = top + tall + bottom
        picture.update_layout(
            template="none",
            paper_bgcolor=theme.background,
            plot_bgcolor=theme.background,
            font={"color": theme.ink, "family": "system-ui, sans-serif", "size": 13},
            title={
                **{"font": {"size": 14}, "x": 0.01, "xanchor": "left"},
                **{"y": 1 - TOP / height, "yanchor": "bottom", "yref": "container"},
            },
            height=height,
            margin={"l": SIDE, "r": EDGE, "t": top, "b": bottom},
            legend={"orientation": "h", "x": 0, "y": -BELOW / tall, "yanchor": "top"},
            hoverlabel={"bgcolor": theme.panel, "font": {"color": theme.ink}},
        )
        if self.plane:
            self.plane.lay_out(picture)
        if self.curves:
            self.curves.lay_out(picture)
        if self.about:
            picture.add_annotation(
                text="<br>".join(self.about),
                **{"x": 0, "xref": "paper", "xanchor": "left", "align": "left"},
                **{"y": -words_at / tall, "yref": "paper", "yanchor": "top"},
                showarrow=False,
                font={"color": theme.soft, "size": 11},
            )


def _add_player(picture: go.Figure, drawing: _Drawing) -> None:
    """A slider, and buttons that play and pause."""
    theme, at = drawing.theme, -drawing.player / drawing.tall
    still = {"mode": "immediate", "transition": {"duration": 0}}
    shown = {**still, "frame": {"duration": 0, "redraw": True}}
    played = {
        "fromcurrent": True,
        "transition": {"duration": 0},
        "frame": {"duration": MILLISECONDS, "redraw": True},
    }
    names = [frame.name for frame in picture.frames]
    picture.update_layout(
        updatemenus=[
            {
                **{"type": "buttons", "direction": "left", "showactive": False},
                **{"x": 0, "xanchor": "left", "yanchor": "top"},
                "y": at - 24 / drawing.tall,
                "bgcolor": theme.panel,
                "bordercolor": theme.line,
                "font": {"color": theme.ink},
                "buttons": [
                    {"label": "Play", "method": "animate", "args": [None, played]},
                    {
                        "label": "Pause",
                        "method": "animate",
                        "args": [[None], shown],
                    },
                ],
            }
        ],
        sliders=[
            {
                **{"x": 0.17, "len": 0.83, "y": at, "yanchor": "top"},
                "pad": {"t": 0, "b": 0},
                "bgcolor": theme.line,
                "activebgcolor": theme.accent,
                "bordercolor": theme.line,
                "tickcolor": theme.muted,
                "font": {"color": theme.soft},
                "currentvalue": {"prefix": "t = ", "font": {"color": theme.ink}},
                "steps": [
                    {"label": name, "method": "animate", "args": [[name], shown]}
                    for name in names
                ],
            }
        ],
    )


def _lines(text: str) -> list[str]:
    return [words(line) for line in wrap(text, WIDE)]
