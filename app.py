"""Halfmoon: navigation and page settings, nothing else."""

from pathlib import Path

import streamlit as st

from pages._parts.running import runs
from pages._parts.shell import style
from pages._parts.widgets import errors

ROOT = Path(__file__).parent
PAGES = (  # finished pages only
    ("playground", "Playground", ":material/play_circle:"),
    ("early_stopping", "Early stopping", ":material/timer:"),
    ("annealing", "Annealing", ":material/device_thermostat:"),
    ("path", "Path and jumps", ":material/timeline:"),
)

st.set_page_config(
    page_title="Halfmoon",
    page_icon=str(ROOT / "pages/_parts/shell/assets/icon.svg"),
    layout="wide",
    initial_sidebar_state=270,
)
style.dress()
page = st.navigation(
    [
        st.Page(
            ROOT / "pages" / f"{name}.py",
            title=title,
            icon=icon,
            url_path=name,
            default=name == "playground",
        )
        for name, title, icon in PAGES
        if (ROOT / "pages" / f"{name}.py").exists()
    ],
    position="top",
)
with errors.as_sentences(), runs.one_thread():
    errors.show_later()
    page.run()
