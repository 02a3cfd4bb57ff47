"""Colours by meaning, light and dark, and the plotly templates made of them.

A meaning has one colour everywhere: the figures here and the stage (``theme.js``)
carry the same table, and a test compares the two. Lines that share a panel differ in
dash as well, so that no reading depends on colour alone.
"""

from dataclasses import dataclass
from functools import cache

import plotly.graph_objects as go

FONT = (  # the app's own first, so that stage, page and figures are of one kind
    "'Source Sans', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, "
    "Arial, 'Liberation Sans', sans-serif"
)
FONT_SIZE = 15  # readable from the last row when the page is projected
LEAN = 0.35  # how far the second ten class colours lean towards ink


@dataclass(frozen=True, slots=True)
class Theme:
    """One palette; the roles are those of the stage.

    Attributes
    ----------
    ink : str
        Text and the decision boundary f = 0.
    soft, muted : str
        Secondary text; unlabelled points.
    accent : str
        The cursor and the active control.
    good, warn, bad : str
        Stopped or converged; a change of course; a failure or a jump.
    background, panel, line : str
        Surfaces, and the hairlines between them.
    classes : tuple of str
        Ten class colours; class 0 is the -1 and class 1 the +1 of two classes.
    """

    name: str
    ink: str
    soft: str
    muted: str
    accent: str
    good: str
    warn: str
    bad: str
    background: str
    panel: str
    line: str
    classes: tuple[str, ...]

    @property
    def negative(self) -> str:
        return self.classes[0]

    @property
    def positive(self) -> str:
        return self.classes[1]

    def class_colour(self, index: int) -> str:
        """Colour of a class; from the eleventh on the first ten, leaning to ink."""
        colour = self.classes[index % len(self.classes)]
        if index < len(self.classes):
            return colour
        return mix(colour, self.ink, LEAN)

    def role(self, name: str) -> str:
        """Colour of a role by name: "accent", "class3", ..."""
        if name.startswith("class"):
            return self.class_colour(int(name.removeprefix("class")))
        return getattr(self, name)


LIGHT = Theme(
    name="light",
    ink="#1c2330",
    soft="#566072",
    muted="#8a94a6",
    accent="#5b3fd6",
    good="#0f8a5f",
    warn="#b45309",
    bad="#c2255c",
    background="#ffffff",
    panel="#f6f7f9",
    line="#e3e6ec",
    classes=(
        "#e8590c",
        "#1f6feb",
        "#0f8a5f",
        "#a61e9a",
        "#b58900",
        "#0891b2",
        "#7a4b1e",
        "#d6336c",
        "#6741d9",
        "#5c940d",
    ),
)
DARK = Theme(
    name="dark",
    ink="#e8ecf3",
    soft="#aab4c4",
    muted="#7b8798",
    accent="#a08cff",
    good="#3fcf9b",
    warn="#f5b942",
    bad="#ff7aa2",
    background="#0f131a",
    panel="#171c26",
    line="#2a3140",
    classes=(
        "#ff8a4c",
        "#5b9bff",
        "#3fcf9b",
        "#f07be0",
        "#f2cf4a",
        "#4fd3ee",
        "#c89a6b",
        "#ff7fa5",
        "#b197fc",
        "#a3d94f",
    ),
)
THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def get_theme(mode: str | Theme) -> Theme:
    """The palette behind "light" or "dark"; a palette passes through."""
    if isinstance(mode, Theme):
        return mode
    if mode not in THEMES:
        raise ValueError(f"mode must be 'light' or 'dark', got {mode!r}.")
    return THEMES[mode]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``"#rrggbb"``."""
    value = int(colour.removeprefix("#"), 16)
    return value >> 16, (value >> 8) & 255, value & 255


def mix(colour: str, other: str, share: float) -> str:
    """``share`` of the way from one colour to another."""
    mixed = (
        round(a + (b - a) * share) for a, b in zip(rgb(colour), rgb(other), strict=True)
    )
    return "#{:02x}{:02x}{:02x}".format(*mixed)


@cache
def template(mode: str) -> go.layout.Template:
    """Plotly template of a palette: calm, few lines, large type."""
    theme = get_theme(mode)
    axis = _axis(theme)
    layout = go.Layout(
        font={"family": FONT, "size": FONT_SIZE, "color": theme.ink},
        title={
            "font": {"size": FONT_SIZE + 2, "color": theme.ink},
            "x": 0,
            "xanchor": "left",
            "xref": "paper",
            "pad": {"b": 8},
        },
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=(theme.accent, *theme.classes),
        xaxis=axis,
        yaxis=axis,
        hoverlabel={
            "bgcolor": theme.panel,
            "bordercolor": theme.line,
            "font": {"family": FONT, "color": theme.ink, "size": FONT_SIZE - 1},
        },
        legend={
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": -0.16,
            "yanchor": "top",
            "font": {"size": FONT_SIZE - 1, "color": theme.ink},
        },
        margin={"l": 76, "r": 12, "t": 40, "b": 48},
    )
    return go.layout.Template(layout=layout)


def _axis(theme: Theme) -> dict:
    return {
        "gridcolor": theme.line,
        "linecolor": theme.line,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "automargin": False,  # measuring labels costs a second of a page's time
        "title": {"standoff": 8, "font": {"size": FONT_SIZE}},
        "tickfont": {"color": theme.soft, "size": FONT_SIZE - 1},
        "exponentformat": "power",  # as in `ssl_core.numerals`
        "separatethousands": True,
    }
