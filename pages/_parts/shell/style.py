"""What all pages share around their content: logo, and a calm frame."""

from pathlib import Path

import streamlit as st

from halfmoon.pages._parts.shell import inside

ASSETS = Path(__file__).parent / "assets"
# Streamlit has a menu, which alone can change the colours in place, only where it has
# something of ours to say; the button beside the pages opens it, see bar.js.
ABOUT = "Halfmoon: an interactive laboratory for semi-supervised learning."


def asset(name: str) -> str:
    """The text of a file beside the icons."""
    return (ASSETS / name).read_text(encoding="utf-8")


def colours() -> str:
    """The colours of the app's themes for our own style sheet, by name."""
    names = {"page": "backgroundColor", "ink": "textColor", "line": "borderColor"}
    pairs = {
        name: [st.get_option(f"theme.{mode}.{option}") for mode in ("light", "dark")]
        for name, option in {**names, "accent": "primaryColor"}.items()
    }
    rules = (f"--app-{name}: light-dark({a}, {b});" for name, (a, b) in pairs.items())
    return f":root {{ {' '.join(rules)} }}"


CSS = colours() + asset("frame.css") + asset("reading.css")


def dress() -> None:
    """The logo; the style sheet is in the page from its first paint on."""
    st.logo(ASSETS / "logo.svg", size="large")


def mark_section(number: int) -> None:
    """Show in the bar which section the page belongs to, counted from 0."""
    st.html(f"<style>{inside.in_section(number)} {{ font-weight: 600; }}</style>")
