"""Halfmoon as a web application: `streamlit run app.py`, or any ASGI server.

What visitors see is in ``pages/_parts/main.py``, which Streamlit runs for each of them.
"""

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages._parts.shell.first_paint import FirstPaint

app = st.App(
    Path(__file__).parent / "pages" / "_parts" / "main.py",
    middleware=[Middleware(FirstPaint)],
)
