"""What the parts of a Plotly figure share: axes, and words in titles and legends."""

from __future__ import annotations

from html import escape

from ssl_core.viz.theme import Theme

SMALL = 12  # letters of ticks and legends
LETTER, SAMPLE = 6.6, 48  # widths in a legend: of a letter, of line and space


def axis(theme: Theme, title: str, **more) -> dict:
    """How an axis looks."""
    return {
        "title": {
            "text": words(title),
            "standoff": 4,
            "font": {"size": SMALL + 1, "color": theme.soft},
        },
        **{"gridcolor": theme.line, "linecolor": theme.line, "zeroline": False},
        **{"showline": True, "ticks": ""},
        "tickfont": {"size": SMALL, "color": theme.soft},
        **more,
    }


def axis_name(side: str, number: int) -> str:
    """As a trace names its axis: "x", "x2", ..."""
    return side if number == 1 else f"{side}{number}"


def entry_width(name: str) -> float:
    """Of an entry of a legend in pixels, roughly: known before it is drawn."""
    return SAMPLE + LETTER * len(name)


def words(text: str) -> str:
    """Words as they are: Plotly would read them as HTML."""
    return escape(text, quote=False)
