"""What Streamlit runs for a visitor: navigation, page settings, the page."""

import streamlit as st

from halfmoon.pages._parts.running import runs
from halfmoon.pages._parts.shell import bar, door, errors, navigation, style

door.guard()
page = navigation.navigation()
entry = navigation.at(page.url_path)
st.set_page_config(
    page_title=entry.tab,
    page_icon=str(style.ASSETS / "icon.svg"),
    layout="wide",
    initial_sidebar_state=280,
    menu_items={"About": style.ABOUT},
)
style.dress()
bar.show_bar(entry.sided)
with errors.as_sentences(), runs.one_thread():
    errors.note_plugins()
    errors.show_later()
    page.run()
