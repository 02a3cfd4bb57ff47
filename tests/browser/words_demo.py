"""A page that shows a stranger's words through every channel that the app uses."""

import streamlit as st

from halfmoon.pages._parts.shell import errors
from tests.hostile import HOSTILE

for number, text in enumerate(HOSTILE):
    words = errors.plain(text)
    for channel in ("warning", "info", "error", "caption", "markdown"):
        with st.container(key=f"{channel}_{number}"):
            getattr(st, channel)(words)
    with st.container(key=f"label_{number}"):
        st.toggle(words, key=f"toggle_{number}")
    with st.container(key=f"selectbox_{number}"):
        st.selectbox("Choose", [text], key=f"select_{number}")
    with st.container(key=f"multiselect_{number}"):
        st.multiselect("Choose", [text], default=[text], key=f"multi_{number}")
st.container(key="end").write("end")
