"""The door: a page is shown through app.py, whichever link was opened first."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


def through_app() -> None:
    """Start over through app.py where Streamlit opened this page by itself.

    Until ``st.navigation`` was called once in a server's life, Streamlit takes every
    file in ``pages/`` for a page of its own: the first visitor of a fresh server who
    follows a link to one would meet it without app.py, its navigation and layout.
    """
    if getattr(PagesManager, "uses_pages_directory", False):
        PagesManager.uses_pages_directory = False
        st.rerun()
