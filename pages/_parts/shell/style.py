"""What all pages share around their content: logo, and a calm frame."""

from pathlib import Path

import streamlit as st

ASSETS = Path(__file__).parent / "assets"
CSS = (ASSETS / "frame.css").read_text(encoding="utf-8")


def dress() -> None:
    """Logo and spacing; the style sheet is ours and holds nobody's text."""
    st.logo(ASSETS / "logo.svg", size="large")
    st.html(f"<style>{CSS}</style>")
