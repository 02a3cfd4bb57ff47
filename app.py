"""Halfmoon: navigation and page settings, nothing else."""

import streamlit as st

from pages._parts.running import runs
from pages._parts.shell import bar, navigation, style
from pages._parts.widgets import errors

st.set_page_config(
    page_title="Halfmoon",
    page_icon=str(style.ASSETS / "icon.svg"),
    layout="wide",
    initial_sidebar_state=280,
    menu_items={"About": style.ABOUT},
)
style.dress()
page = navigation.navigation()
bar.show()
with errors.as_sentences(), runs.one_thread():
    errors.show_later()
    page.run()
