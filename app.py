"""Halfmoon as a web application: `streamlit run app.py`, or any ASGI server.

What visitors see is in ``pages/_parts/main.py``, which Streamlit runs for each of them.
"""

import streamlit as st
from starlette.middleware import Middleware

from halfmoon import HOME
from halfmoon.pages._parts.shell.first_paint import FirstPaint

app = st.App(HOME / "pages" / "_parts" / "main.py", middleware=[Middleware(FirstPaint)])
